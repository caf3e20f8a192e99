//! Glossaries that a service keeps itself, beside the hints that engines get with each text.

use std::sync::Arc;

use async_trait::async_trait;

use super::{EngineError, Translator};

/// A glossary to be made at a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewGlossary<'a> {
    /// Its name, for those who look at it there.
    pub name: &'a str,
    /// The language of texts.
    pub source: &'a str,
    /// The language of translations.
    pub target: &'a str,
    /// Its terms, each once, with their translations.
    pub terms: &'a [(String, String)],
}

/// A glossary that a service has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeGlossary {
    /// Its name at the service.
    pub id: String,
    /// False if the service needs some time before texts can be translated with it.
    pub is_ready: bool,
}

/// The part of an engine that keeps glossaries at its service.
#[async_trait]
pub trait GlossaryService: Send + Sync {
    /// Makes a glossary; `None` if there is no term in it that the service takes.
    ///
    /// # Errors
    ///
    /// Returns an error if the service does not make it.
    async fn make(&self, glossary: &NewGlossary<'_>) -> Result<Option<MadeGlossary>, EngineError>;

    /// Removes a glossary. One that is not there is removed.
    ///
    /// # Errors
    ///
    /// Returns an error if it may still be there.
    async fn remove(&self, id: &str) -> Result<(), EngineError>;
}

/// The glossaries that are kept at services for the texts of a chunk. Whatever goes wrong with them fails no text.
#[async_trait]
pub trait KeptGlossaries: Send + Sync {
    /// The glossary at an engine's service, made now if it is not there.
    async fn find(&self, engine: &dyn Translator) -> Option<Arc<str>>;

    /// The glossary at an engine's service in place of one that the service has lost.
    async fn replace(&self, engine: &dyn Translator, lost: &str) -> Option<Arc<str>>;
}
