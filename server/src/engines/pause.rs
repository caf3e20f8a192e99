//! Pauses of engines that it makes no sense to ask again soon: whose quota is used up, which cannot work as they are set up, or
//! whose service asks to wait. All workers of a server share them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::EngineError;

/// The time for which an engine is not asked after it said that its quota is used up.
const WITHOUT_QUOTA: Duration = Duration::from_secs(15 * 60);

/// The time for which an engine is not asked that cannot work as it is set up.
const MISCONFIGURED: Duration = Duration::from_secs(60);

/// The pauses of an engine.
#[derive(Debug, Default)]
pub(super) struct Pauses(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// The end of the time in which all are refused, and the reason.
    refused: Option<(Instant, EngineError)>,
    /// The end of the time in which all wait.
    slow: Option<Instant>,
}

impl Pauses {
    /// The reason why it is not asked at all.
    pub(super) fn reason(&self) -> Option<EngineError> {
        let mut state = self.lock();
        state.refused = state.refused.take().filter(|(end, _)| *end > Instant::now());
        state.refused.as_ref().map(|(_, reason)| reason.clone())
    }

    /// The end of the wait that its service asked for.
    pub(super) fn slow_until(&self) -> Option<Instant> {
        self.lock().slow
    }

    /// Begins a pause where the answer of the engine wants one.
    pub(super) fn note(&self, engine: &str, error: &EngineError) {
        let pause = match error {
            EngineError::QuotaExhausted(_) => WITHOUT_QUOTA,
            EngineError::Misconfigured(_) => MISCONFIGURED,
            EngineError::RateLimited { retry_after_seconds } => {
                let end = Instant::now().checked_add(Duration::from_secs(*retry_after_seconds));
                let mut state = self.lock();
                state.slow = state.slow.max(end);
                return;
            }
            _ => return,
        };
        tracing::warn!(engine, reason = %error, "an engine is not asked for {} seconds", pause.as_secs());
        self.lock().refused = Some((Instant::now() + pause, error.clone()));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
