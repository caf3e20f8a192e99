//! Ends a run against a deployment that no longer answers.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

/// Counts connections that fail, until one works.
#[derive(Debug, Default)]
pub(crate) struct Breaker {
    /// So many in a row are no accident of one check; 0: there is no such number.
    most: u32,
    failures: AtomicU32,
    tripped: CancellationToken,
    last: Mutex<String>,
    /// So many checks kill and restart the deployment just now.
    suspended: AtomicU32,
}

impl Breaker {
    /// Trips after so many failures in a row; 0: never.
    pub(crate) fn after(most: u32) -> Self {
        Self { most, ..Self::default() }
    }

    /// A request was answered.
    pub(crate) fn worked(&self) {
        self.failures.store(0, Ordering::SeqCst);
    }

    /// A request was not answered.
    pub(crate) fn failed(&self, why: &str) {
        if self.most == 0 || self.suspended.load(Ordering::SeqCst) > 0 {
            return;
        }
        if self.failures.fetch_add(1, Ordering::SeqCst) + 1 >= self.most && !self.tripped.is_cancelled() {
            why.clone_into(&mut self.last.lock().unwrap_or_else(PoisonError::into_inner));
            self.tripped.cancel();
        }
    }

    /// Counts nothing until the guard is dropped.
    pub(crate) fn suspended(&self) -> Suspended<'_> {
        self.suspended.fetch_add(1, Ordering::SeqCst);
        Suspended(self)
    }

    /// Ends when the deployment is given up.
    pub(crate) async fn trips(&self) {
        self.tripped.cancelled().await;
    }

    /// The reason why the run was aborted.
    pub(crate) fn why(&self) -> Option<String> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.tripped.is_cancelled().then(last)
    }
}

/// See [`Breaker::suspended`].
#[derive(Debug)]
pub(crate) struct Suspended<'a>(&'a Breaker);

impl Drop for Suspended<'_> {
    fn drop(&mut self) {
        self.0.suspended.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failures_in_a_row_trip_it() {
        let breaker = Breaker::after(3);
        for _ in 0..5 {
            breaker.failed("no route");
            breaker.failed("no route");
            breaker.worked();
        }
        assert_eq!(breaker.why(), None);
        breaker.failed("a");
        breaker.failed("b");
        assert_eq!(breaker.why(), None);
        breaker.failed("c");
        assert_eq!(breaker.why().as_deref(), Some("c"));
        breaker.worked();
        breaker.failed("d");
        assert_eq!(breaker.why().as_deref(), Some("c"), "what is given up stays given up");
    }

    #[test]
    fn restarts_do_not_count() {
        let breaker = Breaker::after(3);
        let suspended = breaker.suspended();
        (0..10).for_each(|_| breaker.failed("down"));
        drop(suspended);
        assert_eq!(breaker.why(), None);
        (0..3).for_each(|_| breaker.failed("down"));
        assert!(breaker.why().is_some());
    }
}
