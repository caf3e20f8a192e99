//! Services that take a list of texts and answer with their translations in the same order: with tags in the place of
//! placeholders, and with marks in plain text where a text is asked for once more.

use async_trait::async_trait;

use super::client::EngineClient;
use super::service::{BatchResults, GlossaryCalls, TranslationService};
use super::tags::{ServiceMarkup, Tagged};
use crate::engines::marks::Marked;
use crate::engines::{Batch, BatchLimits, EngineError, SupportedHints, TextSegment};

/// The form of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFormat {
    /// Markup, with tags for placeholders.
    Markup,
    /// Plain text, with marks for placeholders.
    Plain,
}

/// Such a service.
#[async_trait]
pub(super) trait TextService: Send + Sync + 'static {
    /// The tags that it leaves alone.
    const MARKUP: ServiceMarkup;

    /// Most characters of several texts in a request, with their tags.
    const MOST_CHARACTERS: usize = usize::MAX;

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

    /// Translates texts, or says why it cannot.
    async fn texts(
        &self,
        caller: &EngineClient,
        batch: &Batch,
        texts: Vec<&str>,
        form: TextFormat,
    ) -> Result<Vec<String>, EngineError>;
}

#[async_trait]
impl<S: TextService> TranslationService for S {
    fn supports(&self, source: &str, target: &str) -> bool {
        TextService::supports(self, source, target)
    }

    fn limits(&self, allowed: BatchLimits) -> BatchLimits {
        TextService::limits(self, allowed)
    }

    fn supported_hints(&self) -> SupportedHints {
        TextService::supported_hints(self)
    }

    fn glossaries(&self) -> Option<&dyn GlossaryCalls> {
        TextService::glossaries(self)
    }

    async fn ask(&self, caller: &EngineClient, batch: &Batch) -> Result<BatchResults, EngineError> {
        if batch.items.iter().any(|item| item.complaint.is_some()) {
            let marked: Vec<_> = batch.items.iter().map(|item| Marked::new(&item.segments)).collect();
            let texts = within::<S>(marked.iter().map(|marked| marked.text.as_str()))?;
            let answers = self.texts(caller, batch, texts, TextFormat::Plain).await?;
            return read(&answers, &marked, Marked::read);
        }
        let tagged: Vec<_> = batch.items.iter().map(|item| Tagged::new(&item.segments, S::MARKUP)).collect();
        let texts = within::<S>(tagged.iter().map(|tagged| tagged.text.as_str()))?;
        let answers = self.texts(caller, batch, texts, TextFormat::Markup).await?;
        read(&answers, &tagged, Tagged::read)
    }
}

/// The texts, where they are no more together than the service takes. One alone is the service's to refuse.
fn within<'a, S: TextService>(texts: impl Iterator<Item = &'a str>) -> Result<Vec<&'a str>, EngineError> {
    let texts: Vec<_> = texts.collect();
    let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
    if texts.len() > 1 && characters > S::MOST_CHARACTERS {
        return Err(EngineError::TooLarge(format!("its request would have {characters} characters")));
    }
    Ok(texts)
}

/// The results of answers that are in the order of their texts.
fn read<M>(
    answers: &[String],
    texts: &[M],
    read: impl Fn(&M, &str) -> Vec<TextSegment>,
) -> Result<BatchResults, EngineError> {
    if answers.len() != texts.len() {
        // Which of them is whose is not known.
        return Err(EngineError::BadItem(format!("{} texts came back for {}", answers.len(), texts.len())));
    }
    Ok(answers.iter().zip(texts).map(|(answer, text)| Ok(read(text, answer))).collect())
}

/// The fault of a service that does not know one of the languages.
pub(super) fn unknown_languages(batch: &Batch) -> EngineError {
    EngineError::UnknownLanguages(format!("it does not speak {} and {}", batch.source, batch.target))
}
