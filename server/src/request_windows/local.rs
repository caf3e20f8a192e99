//! Counting in windows of 60 seconds by this process alone, in memory that does not grow: of what anyone may invent, such as
//! names of projects that are not there, and addresses that send wrong keys.

use std::hash::{BuildHasher as _, Hash, RandomState};
use std::sync::{Mutex, PoisonError};

use super::window::{self, OverBudget};
use crate::clock::Timestamp;

/// Windows that there are; 1 MiB. What is counted shares one with another now and then, which nobody can bring about: where
/// it goes depends on a number that only this process knows.
const WINDOWS: usize = 65_536;

/// Fixed windows, each of which begins with its first request.
#[derive(Debug)]
pub(crate) struct LocalWindows {
    limit: u32,
    random: RandomState,
    windows: Mutex<Box<[LocalWindow]>>,
}

#[derive(Debug, Clone, Copy)]
struct LocalWindow {
    began: Timestamp,
    count: u32,
}

impl LocalWindow {
    /// A window that begins in the future is one that a clock set backwards has left behind.
    fn is_over(&self, now: Timestamp) -> bool {
        window::is_over(self.began, now, 0)
    }
}

impl LocalWindows {
    /// Windows that take `limit` each.
    pub(crate) fn new(limit: u32) -> Self {
        let never = LocalWindow { began: Timestamp::from_millis(0), count: 0 };
        Self { limit, random: RandomState::new(), windows: Mutex::new(vec![never; WINDOWS].into()) }
    }

    /// Counts one and returns how many more the window takes. What is refused does not prolong the window.
    ///
    /// # Errors
    ///
    /// [`OverBudget`] when the window takes no more.
    pub(crate) fn count(&self, of: &impl Hash, now: Timestamp) -> Result<u32, OverBudget> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let at = self.random.hash_one(of) % WINDOWS as u64;
        let window = usize::try_from(at).ok().and_then(|at| windows.get_mut(at)).ok_or(OverBudget)?;
        if window.is_over(now) {
            *window = LocalWindow { began: now, count: 0 };
        }
        if window.count >= self.limit {
            return Err(OverBudget);
        }
        window.count += 1;
        Ok(self.limit - window.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

    #[test]
    fn a_window_takes_its_limit_and_a_refused_request_does_not_prolong_it() {
        let windows = LocalWindows::new(3);
        assert_eq!(
            [windows.count(&"a", NOW), windows.count(&"a", NOW), windows.count(&"a", NOW)],
            [Ok(2), Ok(1), Ok(0)]
        );
        assert_eq!(windows.count(&"a", NOW.plus_millis(59_999)), Err(OverBudget));
        assert_eq!(windows.count(&"a", NOW.plus_millis(60_000)), Ok(2));
    }

    #[test]
    fn a_clock_that_was_set_backwards_locks_no_one_out() {
        let windows = LocalWindows::new(1);
        assert_eq!(windows.count(&"a", NOW), Ok(0));
        assert_eq!(windows.count(&"a", NOW.plus_millis(-3_600_000)), Ok(0));
    }

    /// Before, whatever came after 100,000 others passed.
    #[test]
    fn however_many_there_are_none_passes_uncounted() {
        let windows = LocalWindows::new(2);
        for number in 0..1_000_000 {
            let _ = windows.count(&number, NOW);
        }
        let passed = (0..300_000).filter(|number| windows.count(number, NOW).is_ok()).count();
        assert!(passed < 1_000, "{passed} of those that were counted before pass again");
        assert_eq!(windows.windows.lock().unwrap().len(), WINDOWS);
    }
}
