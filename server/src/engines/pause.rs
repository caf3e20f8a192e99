//! Pauses of engines that it makes no sense to ask again soon: whose quota is used up, or which cannot work as they are set
//! up. All workers of a server share them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::Instant;

use super::{Batch, EngineError, GlossaryService, Heeds, Limits, Segment, Translator, UnitError};

/// The time for which an engine is not asked after it said that its quota is used up.
const WITHOUT_QUOTA: Duration = Duration::from_secs(15 * 60);

/// The time for which an engine is not asked that cannot work as it is set up.
const MISCONFIGURED: Duration = Duration::from_secs(60);

/// The engine, with its pauses.
pub(super) fn paused(engine: Arc<dyn Translator>) -> Arc<dyn Translator> {
    Arc::new(Paused { engine, until: Mutex::default() })
}

struct Paused {
    engine: Arc<dyn Translator>,
    /// The end of the pause that it has, and the reason.
    until: Mutex<Option<(Instant, EngineError)>>,
}

impl Paused {
    fn reason(&self) -> Option<EngineError> {
        let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        *until = until.take().filter(|(end, _)| *end > Instant::now());
        until.as_ref().map(|(_, reason)| reason.clone())
    }
}

#[async_trait]
impl Translator for Paused {
    fn name(&self) -> &str {
        self.engine.name()
    }

    fn supports(&self, source: &str, target: &str) -> bool {
        self.engine.supports(source, target)
    }

    fn limits(&self) -> Limits {
        self.engine.limits()
    }

    fn heeds(&self) -> Heeds {
        self.engine.heeds()
    }

    fn glossaries(&self) -> Option<&dyn GlossaryService> {
        self.engine.glossaries()
    }

    fn problem(&self) -> Option<String> {
        self.engine.problem()
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<Segment>, UnitError>>, EngineError> {
        if let Some(reason) = self.reason() {
            return Err(reason);
        }
        let answer = self.engine.translate(batch).await;
        let pause = match &answer {
            Err(EngineError::QuotaExhausted(_)) => WITHOUT_QUOTA,
            Err(EngineError::Misconfigured(_)) => MISCONFIGURED,
            _ => return answer,
        };
        if let Err(reason) = &answer {
            tracing::warn!(engine = self.name(), %reason, "an engine is not asked for {} seconds", pause.as_secs());
            let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
            *until = Some((Instant::now() + pause, reason.clone()));
        }
        answer
    }
}
