//! Versions of documents, written together.

use l10n_api_types::events::DocumentAction;
use l10n_api_types::{PublishId, VersionId};

use super::rendered::{DocumentOutcome, RenderedDocument};
use super::rows::PublishReport;
use crate::clock::Timestamp;
use crate::delivery::at_rest::StoredBody;
use crate::domain::ServiceError;
use crate::domain::publish::Staging;
use crate::ids::{IdKind, new_id};
use crate::store::document_versions::{self, LanguageFile, StoredDocumentVersion};
use crate::store::documents::{self, Document};
use crate::store::{StoreError, Tx};

/// The rows that a publish is about to write.
pub(super) struct VersionWriter<'a> {
    publish_id: &'a PublishId,
    now: Timestamp,
    contents: Vec<([u8; 32], Vec<u8>)>,
    versions: Vec<(StoredDocumentVersion, Vec<LanguageFile>)>,
    /// The inputs that live versions were rendered from, where they are new.
    rendered: Vec<(String, String)>,
}

impl<'a> VersionWriter<'a> {
    pub(super) const fn new(publish_id: &'a PublishId, now: Timestamp) -> Self {
        Self { publish_id, now, contents: Vec::new(), versions: Vec::new(), rendered: Vec::new() }
    }

    /// Adds a document's version, where it has another one than that which is live, and its row.
    pub(super) fn add(&mut self, document: &Document, rendered: RenderedDocument, rows: &mut PublishReport) {
        let as_it_is = document.live_version_id.as_ref().unwrap_or(&document.source_id);
        let files = match rendered.outcome {
            DocumentOutcome::Files(files) => files,
            DocumentOutcome::Held => return rows.add(document, DocumentAction::Held, as_it_is),
            DocumentOutcome::TooLarge => return rows.add_too_large(document, as_it_is),
            DocumentOutcome::Unchanged => {
                if !rendered.basis.is_rendered(document) {
                    self.rendered.push((document.id.clone(), rendered.basis.of(&document.source_id, as_it_is)));
                }
                return rows.add(document, DocumentAction::Unchanged, as_it_is);
            }
            DocumentOutcome::Skipped => return rows.add(document, DocumentAction::Skipped, as_it_is),
        };
        let version = StoredDocumentVersion {
            id: VersionId::new(new_id(IdKind::DocumentVersion, self.now)),
            document_id: document.id.clone(),
            source_id: document.source_id.clone(),
            publish_id: self.publish_id.to_string(),
            published_at: self.now,
        };
        rows.add(document, DocumentAction::Published, &version.id);
        self.rendered.push((document.id.clone(), rendered.basis.of(&document.source_id, &version.id)));
        let mut stored = Vec::with_capacity(files.len());
        for file in files {
            self.contents.extend(file.content.map(|content| (file.sha256, content)));
            stored.push(LanguageFile { language: file.language, sha256: file.sha256 });
        }
        self.versions.push((version, stored));
    }

    /// Writes the versions and makes them live.
    pub(super) async fn write(self, tx: &mut Tx) -> Result<(), ServiceError> {
        let mut staging = Staging::within(self.now);
        for (sha256, content) in self.contents {
            staging.add(tx, sha256, StoredBody::Plain(content)).await?;
        }
        let contained = staging.end_or_carry(tx).await?;
        let hashes: Vec<_> = self.versions.iter().flat_map(|(_, files)| files).map(|file| file.sha256).collect();
        // On PostgreSQL others may store a content after this looked for it, and a sweep delete it at once.
        if !contained.take(tx, &hashes).await? {
            return Err(StoreError::Busy.into());
        }
        document_versions::insert(tx, &self.versions).await?;
        let live: Vec<(&str, &VersionId)> =
            self.versions.iter().map(|(version, _)| (version.document_id.as_str(), &version.id)).collect();
        documents::set_live(tx, &live, self.now).await?;
        Ok(documents::set_rendered(tx, &self.rendered).await?)
    }
}
