//! The precedence of requests over jobs, and of small requests over large ones. A request writes several times, one
//! transaction soon after the other: its receipt, then its change, and then perhaps a small job. If a chunk of a large job, or
//! a part of a large request, was committed in each gap, the request would wait for each of them. So these commits, the search
//! of a worker for its next chunk, and the indexing of texts begin once no request has written for a moment. They wait only so
//! long: where requests write without a pause, they go on, too.
//!
//! While requests write now and then, the writes of jobs and of the indexes take a third of the time together: most requests
//! then find none of them under way.

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
/// Time after a write of a request in which background writes are paced.
const LATELY: Duration = Duration::from_millis(250);
/// Of so many parts of the time background writes then take one.
const PARTS: u32 = 3;
/// The longest background write that counts: who waits for a slow disk must not stand still for long.
const LONGEST_COUNTED: Duration = Duration::from_millis(50);
/// Interval at which a paced write looks whether requests still write.
const LOOK_AT_PACE: Duration = Duration::from_millis(25);

/// The writes of requests in this process. Cheap to clone; all clones share them.
#[derive(Debug, Clone, Default)]
pub(super) struct Foreground(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    under_way: usize,
    last: Option<Instant>,
    /// The duration of the last background write.
    took: Duration,
    /// The beginning of the next background write that is paced.
    next: Option<Instant>,
}

/// A write of a request that is under way, or waits to begin.
#[derive(Debug)]
pub(super) struct ForegroundWrite(Foreground);

/// A background write that is under way.
#[derive(Debug)]
pub(super) struct BackgroundWrite {
    foreground: Foreground,
    began: Instant,
}

impl Foreground {
    /// A write of a request, until it is dropped.
    pub(super) fn begin(&self) -> ForegroundWrite {
        self.lock().under_way += 1;
        ForegroundWrite(self.clone())
    }

    /// A background write, until it is dropped.
    pub(super) fn begin_background(&self) -> BackgroundWrite {
        BackgroundWrite { foreground: self.clone(), began: Instant::now() }
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

    /// Returns when the next background write may begin: at once where no request has written lately, else after those before it
    /// and the time that is left to requests. Nothing is held meanwhile.
    pub(super) async fn pace(&self) {
        let Some(begin) = self.next_begin() else { return };
        while Instant::now() < begin {
            if !self.is_pacing() {
                self.lock().next = None;
                return;
            }
            sleep_until(begin.min(Instant::now() + LOOK_AT_PACE)).await;
        }
    }

    /// Takes the next place for a background write; `None` where none is paced.
    fn next_begin(&self) -> Option<Instant> {
        if !self.is_pacing() {
            return None;
        }
        let (mut state, now) = (self.lock(), Instant::now());
        let begin = state.next.map_or(now, |next| next.max(now));
        state.next = Some(begin + state.took.min(LONGEST_COUNTED) * PARTS);
        Some(begin)
    }

    fn is_pacing(&self) -> bool {
        let state = self.lock();
        state.under_way > 0 || state.last.is_some_and(|last| last.elapsed() < LATELY)
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

impl Drop for BackgroundWrite {
    fn drop(&mut self) {
        self.foreground.lock().took = self.began.elapsed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn background_writes_are_paced_while_requests_write() {
        let foreground = Foreground::default();
        let write = async || {
            foreground.pace().await;
            let _write = foreground.begin_background();
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        let began = Instant::now();
        for _ in 0..10 {
            write().await;
        }
        assert_eq!(began.elapsed(), Duration::from_millis(100), "nobody else writes");
        foreground.expect();
        let began = Instant::now();
        let paced = async {
            for _ in 0..7 {
                write().await;
            }
            began.elapsed()
        };
        let requests = async {
            loop {
                tokio::time::sleep(Duration::from_millis(200)).await;
                drop(foreground.begin());
            }
        };
        let took = tokio::select! {
            took = paced => took,
            () = requests => unreachable!("they never end"),
        };
        assert_eq!(took, Duration::from_millis(6 * 30 + 10), "one third of the time");
        // However many wait, none waits longer than requests write.
        let began = Instant::now();
        futures_util::future::join_all((0..100).map(|_| foreground.pace())).await;
        assert!(began.elapsed() < LATELY + LOOK_AT_PACE * 2, "{:?}", began.elapsed());
    }

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
