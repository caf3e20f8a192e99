//! An engine that a project has chosen and the configuration no longer has. It translates nothing, so that no text goes to an
//! engine that nobody has chosen for it.

use async_trait::async_trait;

use super::{Batch, BatchLimits, EngineError, TextSegment, Translator, UnitError};

/// The name of an engine that is not there.
pub(super) struct MissingEngine(pub(super) String);

#[async_trait]
impl Translator for MissingEngine {
    fn name(&self) -> &str {
        &self.0
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(usize::MAX, usize::MAX)
    }

    fn problem(&self) -> Option<String> {
        Some("the configuration has no engine of this name".to_owned())
    }

    async fn translate(&self, _: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        Err(EngineError::Misconfigured(self.problem().unwrap_or_default()))
    }
}
