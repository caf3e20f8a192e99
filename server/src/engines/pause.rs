//! Pauses of engines that it makes no sense to ask again soon: whose quota is used up, which cannot work as they are set up, or
//! whose service asks to wait. All workers of a server share them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::EngineError;

/// The time for which an engine is not asked after it said that its quota is used up.
const WITHOUT_QUOTA: Duration = Duration::from_secs(15 * 60);

/// The time for which an engine is not asked that cannot work as it is set up.
const MISCONFIGURED: Duration = Duration::from_secs(60);

/// The pauses of an engine.
#[derive(Debug, Default)]
pub(super) struct Pauses {
    state: Mutex<State>,
    /// Told when nobody has to wait any more.
    over: Notify,
}

#[derive(Debug, Default)]
struct State {
    /// The end of the time in which all are refused, and the reason.
    refused: Option<(Instant, EngineError)>,
    slow: Option<SlowPause>,
}

/// A time in which all wait.
#[derive(Debug, Clone, Copy)]
struct SlowPause {
    /// The time at which the service asked for it.
    noted: Instant,
    end: Instant,
}

impl Pauses {
    /// The reason why it is not asked at all.
    pub(super) fn reason(&self) -> Option<EngineError> {
        let mut state = self.lock();
        state.refused = state.refused.take().filter(|(end, _)| *end > Instant::now());
        state.refused.as_ref().map(|(_, reason)| reason.clone())
    }

    /// Waits for the end of the pause that its service asked for, or until `latest`.
    pub(super) async fn waited(&self, latest: Instant) {
        loop {
            // It hears of all that comes from here on.
            let over = self.over.notified();
            let end = self.lock().slow.map(|slow| slow.end.min(latest));
            let Some(end) = end.filter(|end| *end > Instant::now()) else { return };
            let _ = tokio::time::timeout_at(end, over).await;
        }
    }

    /// Takes note that the engine answered a request of this time: a pause that its service had asked for before is over,
    /// however long it was to be.
    pub(super) fn answered(&self, asked: Instant) {
        let ended = self.lock().slow.take_if(|slow| slow.noted <= asked);
        if ended.is_some() {
            self.over.notify_waiters();
        }
    }

    /// Begins a pause where the answer of the engine to a request of this time wants one.
    pub(super) fn note(&self, engine: &str, error: &EngineError, asked: Instant) {
        let pause = match error {
            EngineError::QuotaExhausted(_) => WITHOUT_QUOTA,
            EngineError::Misconfigured(_) => MISCONFIGURED,
            EngineError::RateLimited { retry_after_seconds } => {
                let noted = Instant::now();
                let Some(end) = noted.checked_add(Duration::from_secs(*retry_after_seconds)) else { return };
                let mut state = self.lock();
                // The service has been asked since it wanted an earlier pause: what it says now counts.
                let earlier = state.slow.filter(|slow| slow.noted > asked).map_or(end, |slow| slow.end);
                state.slow = Some(SlowPause { noted, end: end.max(earlier) });
                drop(state);
                self.over.notify_waiters();
                return;
            }
            _ => return,
        };
        tracing::warn!(engine, reason = %error, "an engine is not asked for {} seconds", pause.as_secs());
        self.lock().refused = Some((Instant::now() + pause, error.clone()));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
