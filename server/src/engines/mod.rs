//! Engines that translate, and what surrounds every engine.
//!
//! An engine sees pieces of text with placeholders between them, and nothing else. Masking, ICU messages, the mapping of
//! plural forms, the comparison of placeholders, one second try and the checks are done once, in [`pipeline`].

mod apertium;
mod chain;
mod configured;
mod contract;
mod exec;
mod identity;
mod leaf;
mod marks;
pub mod pipeline;
mod process;
mod pseudo;
mod template;
#[cfg(test)]
mod tests;
mod work;

use async_trait::async_trait;

pub use apertium::Apertium;
pub use chain::Engines;
pub(crate) use configured::{configured, engine};
pub use exec::Exec;
pub use identity::Identity;
pub use pseudo::Pseudo;

/// An engine that translates.
#[async_trait]
pub trait Translator: Send + Sync + 'static {
    /// Its name, as `GET /meta` shows it and as translations remember it.
    fn name(&self) -> &str;

    /// Returns true if it translates between these languages (canonical BCP 47 tags).
    fn supports(&self, source: &str, target: &str) -> bool;

    /// The largest batch that it takes.
    fn limits(&self) -> Limits;

    /// The reason why it cannot work as it is configured, if that is known without asking it.
    fn problem(&self) -> Option<String> {
        None
    }

    /// Translates the items of a batch; the answer has one result for each, in their order.
    ///
    /// # Errors
    ///
    /// Returns an error if it could do nothing with the batch as a whole.
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<Segment>, UnitError>>, EngineError>;
}

/// The limits of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Items in a batch.
    pub max_items: usize,
    /// Unicode scalar values of text in a batch.
    pub max_characters: usize,
}

/// The texts that an engine translates at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Language of the texts.
    pub source: String,
    /// Language that they are wanted in.
    pub target: String,
    /// The texts.
    pub items: Vec<Item>,
}

/// One text to translate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Text and placeholders, in order.
    pub segments: Vec<Segment>,
    /// A note for translators.
    pub description: Option<String>,
    /// Longest translation allowed, in Unicode scalar values, placeholders included.
    pub max_length: Option<u32>,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Text to translate.
    Text(String),
    /// A part that is returned unchanged, at the place that the target language needs.
    Placeholder {
        /// Tells it from the item's other placeholders.
        id: usize,
        /// As the text has it, for an engine that can make use of it.
        original: String,
    },
}

/// The reason why one text could not be translated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the engine refused this text: {0}")]
pub struct UnitError(pub String);

/// The reason why a batch could not be translated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// It does not answer; later it may.
    #[error("the engine does not answer: {0}")]
    Unavailable(String),
    /// It wants a pause.
    #[error("the engine asks to wait {retry_after_seconds} seconds")]
    RateLimited {
        /// For how long.
        retry_after_seconds: u64,
    },
    /// It will not do it, now or later.
    #[error("the engine refused: {0}")]
    Refused(String),
}
