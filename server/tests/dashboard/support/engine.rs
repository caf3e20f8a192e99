//! An engine that refuses texts.

use std::sync::Mutex;

use async_trait::async_trait;
use l10n_server::engines::{Batch, BatchLimits, EngineError, Pseudo, TextSegment, Translator, UnitError};

/// The pseudo engine, but for the texts that it refuses.
#[derive(Debug, Default)]
pub(crate) struct PickyEngine {
    refuses: Mutex<Option<(String, String)>>,
}

impl PickyEngine {
    /// Refuses texts with this word from now on, for this reason.
    pub(crate) fn refuse(&self, word: &str, reason: &str) {
        *self.refuses.lock().unwrap() = Some((word.to_owned(), reason.to_owned()));
    }

    /// Takes every text from now on.
    pub(crate) fn take_all(&self) {
        *self.refuses.lock().unwrap() = None;
    }
}

#[async_trait]
impl Translator for PickyEngine {
    fn name(&self) -> &'static str {
        "picky"
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        Pseudo.limits()
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let mut results = Pseudo.translate(batch).await?;
        let refuses = self.refuses.lock().unwrap().clone();
        for (item, result) in batch.items.iter().zip(&mut results) {
            let has = |word: &str| {
                item.segments.iter().any(|part| matches!(part, TextSegment::Text(text) if text.contains(word)))
            };
            if let Some((_, reason)) = refuses.as_ref().filter(|(word, _)| has(word)) {
                *result = Err(UnitError::Refused(reason.clone()));
            }
        }
        Ok(results)
    }
}
