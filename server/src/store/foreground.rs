//! The precedence of requests over jobs, and of small requests over large ones. A request writes several times, one
//! transaction soon after the other: its receipt, then its change, and then perhaps a small job. If a chunk of a large job, or
//! a part of a large request, was committed in each gap, the request would wait for each of them. So these commits, the search
//! of a worker for its next chunk, and the indexing of texts begin once no request has written for a moment. They wait only so
//! long: where requests write without a pause, they go on, too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Time after a write of a request in which its next one is expected.
const PAUSE: Duration = Duration::from_millis(10);
/// Longest wait of a job for such a pause.
pub(super) const LONG_WAIT: Duration = Duration::from_millis(25);
/// The same of a part of a large request.
pub(super) const SHORT_WAIT: Duration = Duration::from_millis(10);
/// Interval at which it looks whether those who write have ended.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

/// The writes of requests in this process. Cheap to clone; all clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Foreground(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    under_way: usize,
    last: Option<Instant>,
}

/// A write that is under way, or waits to begin.
#[derive(Debug)]
pub(super) struct ForegroundWrite(Foreground);

impl Foreground {
    /// A write of a request, until it is dropped.
    pub(super) fn begin(&self) -> ForegroundWrite {
        self.lock().under_way += 1;
        ForegroundWrite(self.clone())
    }

    /// Notes that a request writes soon.
    pub(super) fn expect(&self) {
        self.lock().last = Some(Instant::now());
    }

    /// Returns when no request writes and none has written a moment ago, or after `longest`.
    pub(super) async fn pause(&self, longest: Duration) {
        let latest = Instant::now() + longest;
        while let Some(look) = self.busy_until().filter(|_| Instant::now() < latest) {
            sleep_until(look.min(latest)).await;
        }
    }

    fn busy_until(&self) -> Option<Instant> {
        let (state, now) = (self.lock(), Instant::now());
        if state.under_way > 0 {
            return Some(now + LOOK_AGAIN);
        }
        state.last.map(|last| last + PAUSE).filter(|end| *end > now)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ForegroundWrite {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.under_way -= 1;
        state.last = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn background_work_waits_for_a_pause_between_writes_and_not_for_ever() {
        let foreground = Foreground::default();
        assert!(foreground.busy_until().is_none(), "nobody has written");
        drop(foreground.begin());
        assert!(foreground.lock().last.is_some(), "the next write may come");
        foreground.pause(LONG_WAIT).await;
        let under_way = foreground.begin();
        let began = Instant::now();
        foreground.pause(LONG_WAIT).await;
        assert!(began.elapsed() >= LONG_WAIT, "it goes on beside who writes long");
        drop(under_way);
        foreground.pause(LONG_WAIT).await;
        foreground.expect();
        foreground.pause(LONG_WAIT).await;
    }
}
