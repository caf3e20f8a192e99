//! The steps around every engine: from contents to batches of masked text and back, with checks.

use l10n_api_types::{Content, Issue, State};
use l10n_formats::text::checks::Facts;

use super::pace::PacedEngine;
pub use super::work::Work;
use super::{EngineError, Translator};

/// A content to translate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The content in the source language.
    pub content: Content,
    /// A note for translators.
    pub description: Option<String>,
    /// Its syntax, and the longest translation allowed.
    pub facts: Facts,
}

/// A content, translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranslatedContent {
    /// The content in the target language, with every plural category filled.
    pub content: Content,
    /// Issues that the checks found.
    pub issues: Vec<Issue>,
    /// `translated`, or `needs_review` when a check found an error.
    pub state: State,
    /// The name of the engine that made it.
    pub engine: String,
    /// True if the engine has made use of what the project has for itself: a term of its own list, its style note, or a text of its
    /// memory that the workspace does not have.
    pub is_own: bool,
}

/// The reason why a content was not translated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranslationFailure {
    /// The source itself is broken.
    #[error("{0}")]
    SourceInvalid(String),
    /// The engine lost, doubled or invented a placeholder, twice.
    #[error("the engine did not give the placeholders of `{0}` back")]
    PlaceholdersLost(String),
    /// The engine would not translate it.
    #[error("{0}")]
    Refused(String),
    /// The engine does not translate between the languages.
    #[error("{0}")]
    UnknownLanguages(String),
    /// No engine answered.
    #[error("{0}")]
    Unavailable(String),
    /// The engine's quota is used up.
    #[error("{0}")]
    QuotaExhausted(String),
}

impl TranslationFailure {
    /// The code of the reason, to branch on.
    #[must_use]
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::SourceInvalid(_) => "source_invalid",
            Self::PlaceholdersLost(_) => "placeholders_lost",
            Self::Refused(_) | Self::UnknownLanguages(_) => "engine_refused",
            Self::Unavailable(_) => "engine_unavailable",
            Self::QuotaExhausted(_) => "engine_quota_exhausted",
        }
    }

    /// The words with which an engine is asked once more.
    pub(super) fn complaint(&self) -> String {
        match self {
            Self::PlaceholdersLost(_) => {
                "each placeholder must appear exactly once in the translation; one is missing, repeated or invented"
                    .to_owned()
            }
            _ => self.to_string(),
        }
    }
}

/// Translates contents with one engine, which is asked once; the answer has one result for each, in their order.
///
/// # Errors
///
/// Returns an error if the engine did not answer for some of them; the results of the others are lost then.
pub async fn translate_contents(
    engine: &dyn Translator,
    source: &str,
    target: &str,
    units: &[SourceText],
) -> Result<Vec<Result<TranslatedContent, TranslationFailure>>, EngineError> {
    let mut work = Work::new(source, target, units);
    work.attempt([PacedEngine::Bare(engine)].into_iter()).await?;
    Ok(work.finish(None))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use async_trait::async_trait;
    use l10n_formats::text::Syntax;
    use proptest::prelude::*;

    use super::*;
    use crate::engines::{Batch, BatchItem, BatchLimits, IdentityEngine, Pseudo, TextSegment, UnitError};

    fn unit(text: &str) -> SourceText {
        SourceText { content: Content::Text(text.to_owned()), description: None, facts: Facts::default() }
    }

    fn run(
        engine: &dyn Translator,
        target: &str,
        units: &[SourceText],
    ) -> Vec<Result<TranslatedContent, TranslationFailure>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(translate_contents(engine, "en", target, units)).unwrap()
    }

    /// Loses the placeholders of a text's first so many tries, takes two items at once, and counts what it was asked.
    struct Forgetful {
        tries: usize,
        asked: AtomicUsize,
    }

    #[async_trait]
    impl Translator for Forgetful {
        fn name(&self) -> &str {
            "forgetful"
        }
        fn supports(&self, _: &str, _: &str) -> bool {
            true
        }
        fn limits(&self) -> BatchLimits {
            BatchLimits::of(2, 1_000)
        }
        async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
            assert!(batch.items.len() <= 2);
            let before = self.asked.fetch_add(1, Ordering::SeqCst);
            let answer = |item: &BatchItem| match &item.segments[..] {
                [TextSegment::Text(text), ..] if text == "bad" => Err(UnitError::Refused("bad word".to_owned())),
                segments if before < self.tries => Ok(segments[..1].to_vec()),
                segments => Ok(segments.to_vec()),
            };
            Ok(batch.items.iter().map(answer).collect())
        }
    }

    #[test]
    fn lost_placeholders_get_one_more_try_and_then_fail() {
        let units = [unit("Hi {name}"), unit("bad"), unit("Hi {name}")];
        let once = Forgetful { tries: 1, asked: AtomicUsize::new(0) };
        let results = run(&once, "de", &units);
        assert_eq!(results[0].as_ref().unwrap().content, units[0].content);
        assert_eq!(results[1], Err(TranslationFailure::Refused("the engine refused this text: bad word".to_owned())));
        assert_eq!(results[0], results[2]);
        assert_eq!(once.asked.load(Ordering::SeqCst), 2, "equal texts are asked once");

        let always = Forgetful { tries: 9, asked: AtomicUsize::new(0) };
        assert_eq!(run(&always, "de", &units)[0], Err(TranslationFailure::PlaceholdersLost("Hi {name}".to_owned())));
        assert_eq!(always.asked.load(Ordering::SeqCst), 2);
    }

    #[test]
    fn pseudo_translates_texts_and_leaves_placeholders() {
        let results =
            run(&Pseudo, "de", &[unit("Hi <b>{name}</b>, {n, plural, one {# file} other {# files}}!"), unit("{n}")]);
        let texts: Vec<_> = results.into_iter().map(|result| result.unwrap().content).collect();
        let expected = "[Ĥî <b>{name}</b>,] {n, plural, one {[# ƒîļé]} other {[# ƒîļéš]}}!";
        assert_eq!(texts, [Content::Text(expected.to_owned()), Content::Text("{n}".to_owned())]);
    }

    proptest! {
        /// The identity engine gives any text back, byte for byte, into a language with the same plural categories.
        /// No text has NUL.
        #[test]
        fn identity_gives_any_text_back(text in "[a-z{}<>%$&#;/'(),. éü]{0,60}|[^\0\n]{0,30}|([{}#', ]|n|plural|one|other|x){0,30}") {
            match run(&IdentityEngine, "de", &[unit(&text)]).remove(0) {
                Ok(translated) => prop_assert!(
                    translated.content == Content::Text(text.clone()) || l10n_formats::text::message::is_message(&text, Syntax::Mixed)
                ),
                Err(failure) => prop_assert_eq!(failure.code(), "source_invalid"),
            }
        }
    }
}
