//! Renders the versions that a publish would make of documents.

use std::sync::Arc;

use l10n_api_types::VersionId;
use l10n_api_types::content::DocumentFormat;
use l10n_formats::documents;
use sha2::{Digest as _, Sha256};
use tokio::task::{JoinHandle, spawn_blocking};

use super::basis::RenderInputs;
use super::gathered::{DocumentTask, DocumentWork, GatheredDocuments};
use super::scope::SegmentTranslations;
use crate::domain::ServiceError;
use crate::store::document_versions;
use crate::store::documents::Document;

/// Most that a text of a document may have once it is rendered, in bytes: as much as can be pushed.
const MOST_BYTES: usize = l10n_api_types::content::CONTENT_BODY_CAP;

/// The rendering of a document, and the state of the document that it shows.
#[derive(Debug)]
pub(super) struct RenderedDocument {
    pub(super) document_id: String,
    source_id: VersionId,
    live_version_id: Option<VersionId>,
    pub(super) basis: Arc<RenderInputs>,
    pub(super) outcome: DocumentOutcome,
}

/// The outcome for a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DocumentOutcome {
    /// A version with these files.
    Files(Vec<NewFile>),
    /// A check holds it back, or a language is translated in part only.
    Held,
    /// A text has more than [`MOST_BYTES`].
    TooLarge,
    /// These files are live.
    Unchanged,
    /// Nothing is translated.
    Skipped,
}

/// A file of a version to be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NewFile {
    pub(super) language: String,
    pub(super) sha256: [u8; 32],
    /// `None`: it is stored already.
    pub(super) content: Option<Vec<u8>>,
}

impl RenderedDocument {
    /// Returns whether the document still has the source and the live version that this was rendered from.
    pub(super) fn is_of(&self, document: &Document) -> bool {
        self.source_id == document.source_id && self.live_version_id == document.live_version_id
    }

    /// Takes out the contents that are not stored yet, for the caller to store.
    pub(super) fn take_contents(&mut self) -> Vec<([u8; 32], Vec<u8>)> {
        let DocumentOutcome::Files(files) = &mut self.outcome else { return Vec::new() };
        files.iter_mut().filter_map(|file| Some((file.sha256, file.content.take()?))).collect()
    }

    /// Hashes of the texts of its version, if it gets one.
    pub(super) fn hashes(&self) -> impl Iterator<Item = [u8; 32]> + '_ {
        let files = match &self.outcome {
            DocumentOutcome::Files(files) => files.as_slice(),
            _ => &[],
        };
        files.iter().map(|file| file.sha256)
    }
}

/// Documents that are being rendered, on as many threads as there are processors.
#[derive(Debug)]
pub(super) struct Rendering(Vec<JoinHandle<Vec<RenderedDocument>>>);

impl Rendering {
    /// Begins at once.
    pub(super) fn begin(gathered: GatheredDocuments) -> Self {
        let GatheredDocuments { languages, basis, translations, documents } = gathered;
        let basis = Arc::new(basis);
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let (languages, translations) = (Arc::new(languages), Arc::new(translations));
        let (size, mut left) = (documents.len().div_ceil(threads).max(1), documents.into_iter().peekable());
        let mut parts = Vec::with_capacity(threads);
        while left.peek().is_some() {
            let part: Vec<DocumentWork> = left.by_ref().take(size).collect();
            let (languages, translations) = (Arc::clone(&languages), Arc::clone(&translations));
            let basis = Arc::clone(&basis);
            parts.push(spawn_blocking(move || {
                part.into_iter().map(|work| render(work, &basis, &languages, &translations)).collect()
            }));
        }
        Self(parts)
    }

    /// Waits for all of them and returns the renderings, in their order.
    pub(super) async fn end(self) -> Result<Vec<RenderedDocument>, ServiceError> {
        let mut all = Vec::new();
        for part in self.0 {
            all.extend(part.await.map_err(ServiceError::internal)?);
        }
        Ok(all)
    }
}

fn render(
    work: DocumentWork,
    basis: &Arc<RenderInputs>,
    languages: &[String],
    translations: &SegmentTranslations,
) -> RenderedDocument {
    let DocumentWork { document_id, source_id, live_version_id, format, language, live, todo } = work;
    let outcome = match todo {
        DocumentTask::Hold => DocumentOutcome::Held,
        DocumentTask::Skip => DocumentOutcome::Skipped,
        DocumentTask::Keep => DocumentOutcome::Unchanged,
        DocumentTask::Write { body, targets } => match write(format, &language, body, &targets, translations) {
            Ok(files) => against_live(files, live, languages),
            Err(outcome) => outcome,
        },
    };
    RenderedDocument { document_id, source_id, live_version_id, basis: Arc::clone(basis), outcome }
}

/// Writes a document in its own language and in others. Not for the threads that serve requests.
fn write(
    format: DocumentFormat,
    own: &str,
    body: String,
    languages: &[String],
    translations: &SegmentTranslations,
) -> Result<Vec<NewFile>, DocumentOutcome> {
    let file = |language: &str, text: String| {
        let content = text.into_bytes();
        NewFile { language: language.to_owned(), sha256: Sha256::digest(&content).into(), content: Some(content) }
    };
    let mut files = Vec::with_capacity(languages.len() + 1);
    let document = documents::parse(format, &body).map_err(|_| DocumentOutcome::Held)?;
    for language in languages {
        let known = translations.get(&(own.to_owned(), language.clone()));
        let text = |segment: &documents::Segment| {
            known.and_then(|known| known.get(&segment.hash)).map(|translation| translation.text.as_str())
        };
        let text = document.render(text).map_err(|_| DocumentOutcome::Held)?;
        if text.len() > MOST_BYTES {
            return Err(DocumentOutcome::TooLarge);
        }
        files.push(file(language, text));
    }
    files.push(file(own, body));
    Ok(files)
}

/// Adds the live files of languages that were not asked for, and compares the result with the live version.
fn against_live(
    mut files: Vec<NewFile>,
    live: Vec<document_versions::LanguageFile>,
    languages: &[String],
) -> DocumentOutcome {
    for document_versions::LanguageFile { language, sha256 } in &live {
        match files.iter_mut().find(|file| file.language == *language) {
            Some(file) if file.sha256 == *sha256 => file.content = None,
            Some(_) => {}
            None if languages.contains(language) => {}
            None => files.push(NewFile { language: language.clone(), sha256: *sha256, content: None }),
        }
    }
    files.sort_by(|one, other| one.language.cmp(&other.language));
    let same = |(file, live): (&NewFile, &document_versions::LanguageFile)| {
        file.language == live.language && file.sha256 == live.sha256
    };
    match files.len() == live.len() && files.iter().zip(&live).all(same) {
        true => DocumentOutcome::Unchanged,
        false => DocumentOutcome::Files(files),
    }
}
