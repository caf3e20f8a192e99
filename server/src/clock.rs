//! Time: the one place that asks the system for it.
//!
//! Everything else is given a [`Clock`], so that a test can set the time (a hold that dies after 35 minutes is tested in
//! microseconds) and every row written by one request can carry one and the same time.

use std::fmt::Debug;
use std::time::{SystemTime, UNIX_EPOCH};

pub use l10n_api_types::Timestamp;

/// A source of the present time.
pub trait Clock: Debug + Send + Sync + 'static {
    /// The present time, in whole milliseconds.
    fn now(&self) -> Timestamp;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is the clock that everything else must use")]
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that stands still until a test moves it. Clones show the same time.
#[cfg(feature = "testing")]
#[derive(Debug, Clone)]
pub struct TestClock(std::sync::Arc<std::sync::atomic::AtomicI64>);

#[cfg(feature = "testing")]
impl TestClock {
    /// A clock that shows `now`.
    pub fn new(now: Timestamp) -> Self {
        Self(std::sync::Arc::new(now.as_millis().into()))
    }

    /// Sets the time, forwards or backwards.
    pub fn set(&self, now: Timestamp) {
        self.0.store(now.as_millis(), std::sync::atomic::Ordering::SeqCst);
    }

    /// Moves the time forwards; returns the new time.
    pub fn advance(&self, by: std::time::Duration) -> Timestamp {
        let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
        let before = self.0.fetch_add(by, std::sync::atomic::Ordering::SeqCst);
        Timestamp::from_millis(before.saturating_add(by))
    }
}

#[cfg(feature = "testing")]
impl Default for TestClock {
    /// 2026-11-21T08:00:00.000Z, the moment that the specification's examples show.
    fn default() -> Self {
        Self::new(Timestamp::from_millis(1_795_248_000_000))
    }
}

#[cfg(feature = "testing")]
impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(std::sync::atomic::Ordering::SeqCst))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_is_past_the_day_this_was_written() {
        assert!(SystemClock.now() > Timestamp::from_millis(1_760_000_000_000));
    }

    #[cfg(feature = "testing")]
    #[test]
    fn a_test_clock_stands_still_until_it_is_moved_and_clones_move_along() {
        let clock = TestClock::default();
        let clone = clock.clone();
        assert_eq!(clock.now(), clock.now());
        let moved = clock.advance(std::time::Duration::from_secs(60));
        assert_eq!(moved.as_millis(), 1_795_248_060_000);
        assert_eq!(clone.now(), moved);
    }
}
