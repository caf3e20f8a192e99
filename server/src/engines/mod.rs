//! Engines that translate, and what surrounds every engine.
//!
//! An engine sees pieces of text with placeholders between them, and nothing else. Masking, ICU messages, the mapping of
//! plural forms, the comparison of placeholders, one second try and the checks are done once, in [`pipeline`].

mod apertium;
mod batches;
mod blanks;
mod chain;
mod configured;
mod contract;
mod distinct;
mod exec;
mod glossaries;
mod hints;
mod identity;
mod leaf;
mod marks;
mod missing;
mod pace;
mod pause;
pub mod pipeline;
mod process;
mod pseudo;
mod registry;
mod remote;
mod seats;
mod taken;
mod template;
#[cfg(test)]
mod tests;
mod unanswered;
mod words;
mod work;

use std::sync::Arc;

use async_trait::async_trait;
use l10n_formats::text::checks::glossary::Term;

use crate::config::OF_PROGRAMS;
use crate::words::counted;

pub use apertium::Apertium;
pub use chain::Engines;
pub(crate) use configured::{chosen, engine, registry};
pub use exec::Exec;
pub use glossaries::{GlossaryService, KeptGlossaries, MadeGlossary, NewGlossary};
pub use hints::{Hints, Neighbours, PluralForm, SimilarText, SupportedHints, WorkHints};
pub use identity::IdentityEngine;
pub use pace::Asker;
pub use pseudo::Pseudo;
pub use registry::EngineRegistry;

/// An engine that translates.
#[async_trait]
pub trait Translator: Send + Sync + 'static {
    /// Its name, as `GET /meta` shows it and as translations remember it.
    fn name(&self) -> &str;

    /// Returns true if it translates between these languages (canonical BCP 47 tags).
    fn supports(&self, source: &str, target: &str) -> bool;

    /// The largest batch that it takes.
    fn limits(&self) -> BatchLimits;

    /// The number of requests that it may have under way at once in one process, at least 1.
    fn at_once(&self) -> usize {
        OF_PROGRAMS
    }

    /// The hints that it makes use of. One that does not tell plural forms apart is asked for equal texts once.
    fn supported_hints(&self) -> SupportedHints {
        SupportedHints::Nothing
    }

    /// Its service's own glossaries, where it keeps some.
    fn glossaries(&self) -> Option<&dyn GlossaryService> {
        None
    }

    /// The reason why it cannot work as it is configured, if that is known without asking it.
    fn problem(&self) -> Option<String> {
        None
    }

    /// Translates the items of a batch; the answer has one result for each, in their order.
    ///
    /// It is asked once, without waiting: who asks is patient, and splits what is too large.
    ///
    /// # Errors
    ///
    /// Returns an error if it could do nothing with the batch as a whole.
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError>;
}

/// The limits of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchLimits {
    /// Items in a batch.
    pub max_items: usize,
    /// Unicode scalar values of text in a batch.
    pub max_characters: usize,
    /// Bytes of text and placeholders in a batch. What a request adds to them is the engine's to know:
    /// [`EngineError::TooLarge`] splits the batch.
    pub max_bytes: usize,
}

impl BatchLimits {
    /// The limits of an engine that counts texts and characters alone.
    #[must_use]
    pub const fn of(max_items: usize, max_characters: usize) -> Self {
        Self { max_items, max_characters, max_bytes: usize::MAX }
    }
}

/// The texts that an engine translates at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// Language of the texts.
    pub source: String,
    /// Language that they are wanted in.
    pub target: String,
    /// The project's note on the style of its translations: what people wrote, and no instruction.
    pub style: Option<Arc<str>>,
    /// The glossary that the engine's service keeps for the texts.
    pub service_glossary: Option<Arc<str>>,
    /// The texts.
    pub items: Vec<BatchItem>,
}

/// One text to translate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchItem {
    /// Text and placeholders, in order.
    pub segments: Vec<TextSegment>,
    /// A note for translators.
    pub description: Option<String>,
    /// Longest translation allowed, in Unicode scalar values, placeholders included.
    pub max_length: Option<u32>,
    /// The reason why its last answer was not taken, where it is asked for once more.
    pub complaint: Option<String>,
    /// The terms of the glossary that the text has.
    pub glossary: Vec<Term>,
    /// The plural form that it is, inside a plural.
    pub plural: Option<PluralForm>,
    /// All that is known beside it.
    pub hints: Arc<Hints>,
}

impl BatchItem {
    /// A text of which nothing else is known.
    #[must_use]
    pub fn of(segments: Vec<TextSegment>) -> Self {
        Self {
            segments,
            description: None,
            max_length: None,
            complaint: None,
            glossary: Vec::new(),
            plural: None,
            hints: Arc::default(),
        }
    }
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextSegment {
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

impl TextSegment {
    /// The piece as the text has it.
    #[must_use]
    pub fn original(&self) -> &str {
        match self {
            Self::Text(text) | Self::Placeholder { original: text, .. } => text,
        }
    }
}

/// The reason why one text has no translation. Its words reach the people who asked for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The engine will not translate it.
    #[error("the engine refused this text: {0}")]
    Refused(String),
    /// The engine gave something that is no translation of it. It is asked once more, with this reason.
    #[error("the engine gave no translation that can be taken: {0}")]
    Unusable(String),
}

/// The reason why a batch could not be translated. Its words are for the operator: [`EngineError::for_people`] says of it
/// what others may know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// It does not answer; later it may.
    #[error("the engine does not answer: {0}")]
    Unavailable(String),
    /// It wants a pause.
    #[error("the engine asks to slow down{}", for_seconds(.retry_after_seconds.to_owned()))]
    RateLimited {
        /// The length of the pause; 0 if the engine does not say it.
        retry_after_seconds: u64,
    },
    /// It will not do it, now or later. The reason reaches the people who asked for the texts.
    #[error("the engine refused: {0}")]
    Refused(String),
    /// It does not translate between the languages of the batch.
    #[error("the engine refused: {0}")]
    UnknownLanguages(String),
    /// It cannot work as the operator has set it up, for example since its key was revoked.
    #[error("the engine cannot work as it is set up: {0}")]
    Misconfigured(String),
    /// The batch was not let through to it, for what is in the batch or for whoever asks: a text that nobody minds tells which.
    #[error("something in front of the engine refused: {0}")]
    Barred(String),
    /// Its quota is used up. It is not asked again for a while.
    #[error("the engine's quota is used up: {0}")]
    QuotaExhausted(String),
    /// The batch is too large for it; parts of it may not be.
    #[error("the batch is too large: {0}")]
    TooLarge(String),
    /// It does not take something in the batch, and does not say which of its texts.
    #[error("the engine does not take the batch: {0}")]
    BadItem(String),
    /// Its service does not have the glossary of the batch any more. The batch may go with another one, or without.
    #[error("the engine's service has lost a glossary: {0}")]
    GlossaryLost(String),
}

/// The time that an engine asks for, if it says it.
fn for_seconds(seconds: u64) -> String {
    match seconds {
        0 => String::new(),
        seconds => format!(" for {}", counted(seconds, "second")),
    }
}

impl EngineError {
    /// Returns a sentence for the people who asked for the texts: nothing in it is the operator's alone, such as a path, an
    /// address or the words of a service.
    #[must_use]
    pub fn for_people(&self) -> String {
        match self {
            Self::Unavailable(_) => "the engine does not answer".to_owned(),
            Self::RateLimited { .. } => "the engine has too much to do".to_owned(),
            Self::Refused(_) | Self::UnknownLanguages(_) => self.to_string(),
            Self::Misconfigured(_) | Self::Barred(_) => {
                "the engine cannot work as it is set up; the server's log says why".to_owned()
            }
            Self::QuotaExhausted(_) => "the engine's quota is used up".to_owned(),
            Self::TooLarge(_) => "the text is too large for the engine".to_owned(),
            Self::BadItem(_) => "the engine does not take this text".to_owned(),
            Self::GlossaryLost(_) => "the engine's service has no such glossary".to_owned(),
        }
    }
}
