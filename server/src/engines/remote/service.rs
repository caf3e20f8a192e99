//! Engines over HTTP have this in common: their name, their limits, their client and their key.

use async_trait::async_trait;

use super::client::EngineClient;
use crate::config::Remote;
use crate::engines::{
    Batch, BatchLimits, EngineError, GlossaryService, MadeGlossary, NewGlossary, SupportedHints, TextSegment,
    Translator, UnitError,
};

/// Results of a batch.
pub(super) type BatchResults = Vec<Result<Vec<TextSegment>, UnitError>>;

/// A service that translates batches.
#[async_trait]
pub(crate) trait TranslationService: Send + Sync + 'static {
    /// Returns true if it translates between these languages.
    fn supports(&self, _source: &str, _target: &str) -> bool {
        true
    }

    /// The largest batch that it takes, of those that its table allows.
    fn limits(&self, allowed: BatchLimits) -> BatchLimits {
        allowed
    }

    /// The hints that it makes use of.
    fn supported_hints(&self) -> SupportedHints {
        SupportedHints::Nothing
    }

    /// Its own glossaries, where it keeps some.
    fn glossaries(&self) -> Option<&dyn GlossaryCalls> {
        None
    }

    /// Translates a batch, or says why it cannot.
    async fn ask(&self, caller: &EngineClient, batch: &Batch) -> Result<BatchResults, EngineError>;
}

/// The calls of a service that keeps glossaries.
#[async_trait]
pub(crate) trait GlossaryCalls: Send + Sync {
    /// Makes a glossary, or says why it cannot.
    async fn make(
        &self,
        caller: &EngineClient,
        glossary: &NewGlossary<'_>,
    ) -> Result<Option<MadeGlossary>, EngineError>;

    /// Removes a glossary, or says why it cannot.
    async fn remove(&self, caller: &EngineClient, id: &str) -> Result<(), EngineError>;
}

/// An engine over HTTP.
#[derive(Debug)]
pub(crate) struct RemoteEngine<S> {
    name: String,
    limits: BatchLimits,
    at_once: usize,
    caller: EngineClient,
    service: S,
}

impl<S: TranslationService> RemoteEngine<S> {
    /// The engine of this name. Opens no connection.
    pub(crate) fn new(name: &str, remote: &Remote, service: S) -> Self {
        let limits = service.limits(BatchLimits::of(remote.max_items, remote.max_characters));
        Self { name: name.to_owned(), limits, at_once: remote.at_once, caller: EngineClient::new(remote), service }
    }
}

#[async_trait]
impl<S: TranslationService> Translator for RemoteEngine<S> {
    fn name(&self) -> &str {
        &self.name
    }

    fn supports(&self, source: &str, target: &str) -> bool {
        self.service.supports(source, target)
    }

    fn limits(&self) -> BatchLimits {
        self.limits
    }

    fn at_once(&self) -> usize {
        self.at_once
    }

    fn supported_hints(&self) -> SupportedHints {
        self.service.supported_hints()
    }

    fn glossaries(&self) -> Option<&dyn GlossaryService> {
        self.service.glossaries().map(|_| self as &dyn GlossaryService)
    }

    fn problem(&self) -> Option<String> {
        self.caller.problem()
    }

    async fn translate(&self, batch: &Batch) -> Result<BatchResults, EngineError> {
        self.caller.renew_key().await;
        match self.service.ask(&self.caller, batch).await {
            // The key may have been replaced right after it was read.
            Err(EngineError::Misconfigured(_) | EngineError::Barred(_)) if self.caller.renew_key().await => {
                self.service.ask(&self.caller, batch).await
            }
            answer => answer,
        }
    }
}

#[async_trait]
impl<S: TranslationService> GlossaryService for RemoteEngine<S> {
    async fn make(&self, glossary: &NewGlossary<'_>) -> Result<Option<MadeGlossary>, EngineError> {
        self.caller.renew_key().await;
        match self.service.glossaries() {
            Some(calls) => calls.make(&self.caller, glossary).await,
            None => Ok(None),
        }
    }

    async fn remove(&self, id: &str) -> Result<(), EngineError> {
        self.caller.renew_key().await;
        match self.service.glossaries() {
            Some(calls) => calls.remove(&self.caller, id).await,
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use super::*;
    use crate::config::EngineKey;

    /// Gets a new key into its file while it is asked, and knows that one alone.
    struct Replaced {
        file: PathBuf,
    }

    #[async_trait]
    impl TranslationService for Replaced {
        async fn ask(&self, caller: &EngineClient, _: &Batch) -> Result<BatchResults, EngineError> {
            if caller.key().is_some_and(|key| key.expose() == "new") {
                return Ok(Vec::new());
            }
            std::fs::write(&self.file, "new").unwrap();
            Err(EngineError::Misconfigured("it answered 401".to_owned()))
        }
    }

    #[tokio::test]
    async fn a_service_is_asked_once_more_where_the_key_was_replaced_meanwhile() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "old").unwrap();
        let remote = Remote {
            address: "http://127.0.0.1:9".to_owned(),
            key: Some(EngineKey::of_file(file.path()).unwrap()),
            timeout: Duration::from_secs(1),
            max_items: 1,
            max_characters: 1,
            at_once: 1,
        };
        let engine = RemoteEngine::new("mine", &remote, Replaced { file: file.path().to_owned() });
        let batch = Batch {
            source: "en".to_owned(),
            target: "de".to_owned(),
            style: None,
            service_glossary: None,
            items: Vec::new(),
        };
        assert_eq!(engine.translate(&batch).await, Ok(Vec::new()));
    }
}
