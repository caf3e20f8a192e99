//! The outcome of a publish, document by document.

use l10n_api_types::events::{ContentSummary, DocumentAction, PublishedDocument};
use l10n_api_types::publish::DocumentsPublished;
use l10n_api_types::{PublishId, VersionId};

use crate::clock::Timestamp;
use crate::domain::Caller;
use crate::store::documents::Document;

/// Rows of an answer and of an event, at most (§8).
const MOST_ROWS: usize = 200;

/// Counts every document, and keeps as many rows as can be listed.
#[derive(Debug, Default)]
pub(in crate::domain::content) struct PublishReport {
    summary: ContentSummary,
    /// For each action, at most as many rows as an answer lists in all.
    published: Vec<PublishedDocument>,
    held: Vec<PublishedDocument>,
    unchanged: Vec<PublishedDocument>,
    skipped: Vec<PublishedDocument>,
}

impl PublishReport {
    /// Adds a document, of which this version is live or else its source.
    pub(in crate::domain::content) fn add(
        &mut self,
        document: &Document,
        action: DocumentAction,
        version_id: &VersionId,
    ) {
        let (count, rows) = match action {
            DocumentAction::Published => (&mut self.summary.docs_published, &mut self.published),
            DocumentAction::Held => (&mut self.summary.docs_held, &mut self.held),
            DocumentAction::Unchanged => (&mut self.summary.docs_unchanged, &mut self.unchanged),
            _ => (&mut self.summary.docs_skipped, &mut self.skipped),
        };
        *count += 1;
        if rows.len() < MOST_ROWS {
            rows.push(PublishedDocument {
                doc_id: document.id.as_str().into(),
                action,
                version_id: version_id.clone(),
                external_id: document.external_id.clone(),
            });
        }
    }

    /// Adds a document that is held back for its size.
    pub(super) fn add_too_large(&mut self, document: &Document, version_id: &VersionId) {
        self.add(document, DocumentAction::Held, version_id);
        self.summary.docs_too_large += 1;
    }

    /// The answer: the counts, the listed rows, and whether there are more. Published documents come first, then held,
    /// unchanged and skipped ones, each in the order in which they were added.
    pub(in crate::domain::content) fn answer(
        self,
        caller: &Caller,
        publish_id: PublishId,
        published_at: Timestamp,
    ) -> DocumentsPublished {
        let Self { summary, published, held, unchanged, skipped } = self;
        let all = summary.docs_published + summary.docs_held + summary.docs_unchanged + summary.docs_skipped;
        DocumentsPublished {
            request_id: caller.request.clone(),
            publish_id,
            summary,
            documents: [published, held, unchanged, skipped].into_iter().flatten().take(MOST_ROWS).collect(),
            truncated: all > MOST_ROWS as u64,
            published_at,
            restored: false,
        }
    }
}
