//! A chunk that a worker has claimed, and what the engine makes of its texts.

use std::sync::Arc;

use l10n_formats::text::checks::glossary::Glossary;

use super::keys::SeenKeys;
use crate::engines::Engines;
use crate::engines::pipeline::{self, TranslatedContent};
use crate::store::glossary::GlossaryRevision;
use crate::store::job_chunks::{Chunk, JobItem};
use crate::store::job_failures::JobFailure;

/// A chunk whose texts the engine is to translate.
#[derive(Debug)]
pub struct ClaimedChunk {
    pub(super) chunk: Chunk,
    /// The language of the texts.
    pub source_language: String,
    /// The texts that are still wanted.
    pub(super) texts: Vec<ClaimedText>,
    /// The keys that it is about, as they were when it began.
    pub(super) seen: Option<SeenKeys>,
    /// The terms that matter for its languages.
    pub glossary: Arc<Glossary>,
    /// The state of the lists that these are from.
    pub(super) glossary_revision: GlossaryRevision,
    /// The engines that the project has for its language now.
    pub engines: Engines,
    /// The hold had died and the workspace does not cover it any more.
    pub(super) refused: Option<ChunkFailure>,
}

/// A text of a chunk.
#[derive(Debug)]
pub(super) struct ClaimedText {
    /// The unit of the chunk that it is.
    pub(super) unit: usize,
    /// The name of the first key that wants it; of a document's segment, its hash.
    pub(super) name: String,
    /// The text.
    pub(super) source: pipeline::SourceText,
}

impl ClaimedChunk {
    /// The language to translate into.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.chunk.language
    }

    /// The texts, in the order in which their results are expected.
    #[must_use]
    pub fn texts(&self) -> Vec<pipeline::SourceText> {
        self.texts.iter().map(|text| text.source.clone()).collect()
    }

    /// The outcome of each text: its unit, and its translation or the reason why there is none.
    pub(super) fn outcomes<'a>(
        &'a self,
        results: &'a ChunkTranslations,
    ) -> impl Iterator<Item = (&'a JobItem, &'a ClaimedText, Result<&'a TranslatedContent, ChunkFailure>)> {
        self.texts.iter().enumerate().filter_map(move |(order, text)| {
            let outcome = match results {
                Err(failure) => Err(failure.clone()),
                Ok(results) => match results.get(order) {
                    Some(Ok(translated)) => Ok(translated),
                    Some(Err(failure)) => {
                        Err(ChunkFailure { code: failure.code().to_owned(), message: failure.to_string() })
                    }
                    None => Err(ChunkFailure::refused("the engine gave no answer")),
                },
            };
            Some((self.chunk.items.0.get(text.unit)?, text, outcome))
        })
    }

    /// The failure of the key or segment with this name.
    pub(super) fn failure(&self, name: &str, why: &ChunkFailure) -> JobFailure {
        JobFailure {
            name: name.to_owned(),
            language: self.chunk.language.clone(),
            error: why.code.clone(),
            message: why.message.clone(),
        }
    }

    /// The failure of the whole chunk if it fails without asking the engine.
    #[must_use]
    pub fn refused(&self) -> Option<&ChunkFailure> {
        self.refused.as_ref()
    }
}

/// The reason why a text of a chunk, or the whole chunk, was not translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkFailure {
    /// The code of the failure, for programs.
    pub code: String,
    /// The message, for people.
    pub message: String,
}

impl ChunkFailure {
    /// The failure that the engine refused the text with this message.
    pub(super) fn refused(message: &str) -> Self {
        Self { code: "engine_refused".to_owned(), message: message.to_owned() }
    }
}

/// The engine's results for the texts of a chunk, or the failure of all of them.
pub(crate) type ChunkTranslations = Result<Vec<Result<TranslatedContent, pipeline::TranslationFailure>>, ChunkFailure>;
