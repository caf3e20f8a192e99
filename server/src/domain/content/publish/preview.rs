//! A publish of documents that has not been made, rendered in memory: nothing is stored.

use l10n_api_types::content::DocumentFormat;
use l10n_api_types::{DocumentId, ProjectId, VersionId};

use super::gathered::{gather, groups};
use super::rendered::{DocumentOutcome, NewFile, Rendering};
use crate::domain::content::reader::DocumentReader;
use crate::domain::{ServiceError, delivery};
use crate::store::document_versions::{self, LanguageFile};
use crate::store::documents::{self, Document};
use crate::store::{Tx, languages};

/// Documents, and their characters in all languages together, that a preview renders at most.
const MOST_DOCUMENTS: usize = 500;
const MOST_CHARACTERS: i64 = 2_000_000;

/// Bytes of files, before and after together, that a preview keeps at most. What is live may be larger than what replaces it.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The changes that a publish would make.
#[derive(Debug, Default)]
pub(crate) struct DocumentsPreview {
    /// Documents that would get a version, in the order of their making.
    pub(crate) changed: Vec<ChangedDocument>,
    /// Documents that are held back by a check, by their size, or because a language is translated in part.
    pub(crate) held: usize,
    /// Documents whose live version would be the same.
    pub(crate) unchanged: usize,
    /// Documents of which nothing is translated.
    pub(crate) skipped: usize,
    /// Bytes of the files that would differ.
    bytes: usize,
}

/// A document that would get a version.
#[derive(Debug)]
pub(crate) struct ChangedDocument {
    /// The name by which people know it.
    pub(crate) name: String,
    pub(crate) format: DocumentFormat,
    /// The files that would differ.
    pub(crate) files: Vec<ChangedFile>,
}

/// The text of a document in a language, before and after.
#[derive(Debug)]
pub(crate) struct ChangedFile {
    pub(crate) language: String,
    pub(crate) before: Option<Vec<u8>>,
    pub(crate) after: Option<Vec<u8>>,
}

/// Renders what a publish of a document, or of all, in the languages that `wanted` takes, would make live now. `None` where that
/// is too much for a look.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn preview(
    tx: &mut Tx,
    project: &ProjectId,
    document: Option<&DocumentId>,
    wanted: impl Fn(&str) -> bool,
) -> Result<Option<DocumentsPreview>, ServiceError> {
    let mut languages: Vec<String> = languages::list(tx, project).await?.into_iter().map(|known| known.code).collect();
    languages.retain(|language| wanted(language));
    let ids = match document {
        Some(document) => vec![document.to_string()],
        None => documents::ids(tx, project).await?,
    };
    if ids.len() > MOST_DOCUMENTS {
        return Ok(None);
    }
    let times = i64::try_from(languages.len().max(1)).unwrap_or(i64::MAX);
    let (mut preview, mut characters) = (DocumentsPreview::default(), 0_i64);
    let mut reader = DocumentReader::new(project, &ids);
    while let Some(found) = reader.next(tx).await? {
        characters += found.iter().map(|document| document.characters).sum::<i64>();
        if characters.saturating_mul(times) > MOST_CHARACTERS {
            return Ok(None);
        }
        for group in groups(&found, languages.len()) {
            let live: Vec<VersionId> = group.iter().filter_map(|document| document.live_version_id.clone()).collect();
            let mut live = document_versions::files_of_many(tx, &live).await?;
            let group: Vec<&Document> = group.iter().collect();
            let gathered = gather(tx, project, &languages, &group).await?;
            for (document, rendered) in group.into_iter().zip(Rendering::begin(gathered).end().await?) {
                let live = document.live_version_id.as_ref().and_then(|version| live.remove(version));
                preview.add(tx, document, live.unwrap_or_default(), rendered.outcome).await?;
                if preview.bytes > MOST_BYTES {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(preview))
}

impl DocumentsPreview {
    async fn add(
        &mut self,
        tx: &mut Tx,
        document: &Document,
        live: Vec<LanguageFile>,
        outcome: DocumentOutcome,
    ) -> Result<(), ServiceError> {
        match outcome {
            DocumentOutcome::Held | DocumentOutcome::TooLarge => self.held += 1,
            DocumentOutcome::Unchanged => self.unchanged += 1,
            DocumentOutcome::Skipped => self.skipped += 1,
            DocumentOutcome::Files(files) => {
                let files = self.differing(tx, files, live).await?;
                self.changed.push(ChangedDocument { name: document.name().to_owned(), format: document.format, files });
            }
        }
        Ok(())
    }

    /// The files of a version to be that differ from the live ones, and the live ones that it would not have. No more of them
    /// are read once they are too large together.
    async fn differing(
        &mut self,
        tx: &mut Tx,
        files: Vec<NewFile>,
        live: Vec<LanguageFile>,
    ) -> Result<Vec<ChangedFile>, ServiceError> {
        let gone = live.iter().filter(|live| !files.iter().any(|file| file.language == live.language));
        let gone: Vec<_> = gone.map(|live| (live.language.clone(), Some(live.sha256), None)).collect();
        // One that is live as it is has no content of its own.
        let others = files.into_iter().filter_map(|NewFile { language, content, .. }| {
            let before = live.iter().find(|live| live.language == language).map(|live| live.sha256);
            Some((language, before, Some(content?)))
        });
        let mut found = Vec::new();
        for (language, before, after) in gone.into_iter().chain(others) {
            let before = match before {
                Some(sha256) => Some(delivery::read_plain(tx, &sha256).await?),
                None => None,
            };
            self.bytes += [&before, &after].into_iter().flatten().map(Vec::len).sum::<usize>();
            if self.bytes > MOST_BYTES {
                break;
            }
            found.push(ChangedFile { language, before, after });
        }
        Ok(found)
    }
}
