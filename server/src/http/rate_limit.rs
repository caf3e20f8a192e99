//! Counting in windows of 60 seconds, in this process: of what need not be known to others.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

use l10n_api_types::Timestamp;

/// Length of a window, in milliseconds.
const WINDOW_MILLIS: i64 = 60_000;

/// Windows that are kept at once before expired ones are looked for, and before a new one is refused a place.
const MOST_WINDOWS: usize = 100_000;

/// A count per key in fixed windows, each of which begins with its first request.
#[derive(Debug)]
pub(crate) struct RateLimiter<K> {
    limit: u32,
    windows: Mutex<Windows<K>>,
}

#[derive(Debug)]
struct Windows<K> {
    of: HashMap<K, Window>,
    swept: Timestamp,
}

#[derive(Debug, Clone, Copy)]
struct Window {
    began: Timestamp,
    count: u32,
}

impl Window {
    /// A window that begins in the future is one that a clock set backwards has left behind.
    fn is_over(&self, now: Timestamp) -> bool {
        let age = now.as_millis().saturating_sub(self.began.as_millis());
        !(0..WINDOW_MILLIS).contains(&age)
    }
}

/// The budget of the window is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OverBudget;

impl<K: Hash + Eq> RateLimiter<K> {
    /// A limiter that takes `limit` of a key in a window.
    pub(crate) fn new(limit: u32) -> Self {
        Self { limit, windows: Mutex::new(Windows { of: HashMap::new(), swept: Timestamp::from_millis(0) }) }
    }

    /// Counts one and returns how many more the window takes. What is refused does not prolong the window.
    ///
    /// # Errors
    ///
    /// [`OverBudget`] when the window takes no more.
    pub(crate) fn count(&self, key: K, now: Timestamp) -> Result<u32, OverBudget> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.sweep(now);
        let full = windows.of.len() >= MOST_WINDOWS;
        let window = match windows.of.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            // Only keys that no one has proven to exist come in such numbers, and those ask for nothing that is there.
            Entry::Vacant(_) if full => return Ok(0),
            Entry::Vacant(entry) => entry.insert(Window { began: now, count: 0 }),
        };
        if window.is_over(now) {
            *window = Window { began: now, count: 0 };
        }
        if window.count >= self.limit {
            return Err(OverBudget);
        }
        window.count += 1;
        Ok(self.limit - window.count)
    }

    /// Whether the window of `key` takes no more, without counting.
    pub(crate) fn is_over_budget(&self, key: &K, now: Timestamp) -> bool {
        let windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.of.get(key).is_some_and(|window| !window.is_over(now) && window.count >= self.limit)
    }
}

impl<K: Hash + Eq> Windows<K> {
    fn sweep(&mut self, now: Timestamp) {
        let since = now.as_millis().saturating_sub(self.swept.as_millis());
        if !(0..WINDOW_MILLIS).contains(&since) {
            self.of.retain(|_, window| !window.is_over(now));
            self.swept = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

    /// LIM-REQ-1, LIM-REQ-4, LIM-REQ-7
    #[test]
    fn a_window_takes_its_limit_and_a_refused_request_does_not_prolong_it() {
        let limiter = RateLimiter::new(3);
        assert_eq!([limiter.count("a", NOW), limiter.count("a", NOW), limiter.count("a", NOW)], [Ok(2), Ok(1), Ok(0)]);
        assert_eq!(limiter.count("a", NOW.plus_millis(59_999)), Err(OverBudget));
        assert!(limiter.is_over_budget(&"a", NOW));
        assert_eq!(limiter.count("b", NOW), Ok(2));
        assert_eq!(limiter.count("a", NOW.plus_millis(60_000)), Ok(2));
    }

    #[test]
    fn a_clock_that_was_set_backwards_locks_no_one_out() {
        let limiter = RateLimiter::new(1);
        assert_eq!(limiter.count("a", NOW), Ok(0));
        assert_eq!(limiter.count("a", NOW.plus_millis(-3_600_000)), Ok(0));
    }

    #[test]
    fn memory_is_bounded() {
        let limiter = RateLimiter::new(1);
        for key in 0..MOST_WINDOWS + 1_000 {
            limiter.count(key, NOW).unwrap();
        }
        let kept = |limiter: &RateLimiter<usize>| limiter.windows.lock().unwrap().of.len();
        assert_eq!(kept(&limiter), MOST_WINDOWS);
        limiter.count(0, NOW.plus_millis(60_000)).unwrap();
        assert_eq!(kept(&limiter), 1);
    }
}
