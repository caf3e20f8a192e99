//! What a publish did, document by document.

use l10n_api_types::events::{ContentSummary, DocumentAction, PublishedDocument};

use crate::store::documents::Document;

/// Rows of an answer and of an event, at most (§8).
const MOST_ROWS: usize = 200;

/// Counts every document, and keeps as many rows as can be listed.
#[derive(Debug, Default)]
pub(in crate::domain::content) struct Rows {
    summary: ContentSummary,
    /// Of each action so many at most as are listed of all.
    published: Vec<PublishedDocument>,
    held: Vec<PublishedDocument>,
    unchanged: Vec<PublishedDocument>,
    skipped: Vec<PublishedDocument>,
}

impl Rows {
    /// Adds a document, of which this version is live or else its source.
    pub(in crate::domain::content) fn add(&mut self, document: &Document, action: DocumentAction, version_id: &str) {
        let (count, rows) = match action {
            DocumentAction::Published => (&mut self.summary.docs_published, &mut self.published),
            DocumentAction::Held => (&mut self.summary.docs_held, &mut self.held),
            DocumentAction::Unchanged => (&mut self.summary.docs_unchanged, &mut self.unchanged),
            DocumentAction::Skipped => (&mut self.summary.docs_skipped, &mut self.skipped),
        };
        *count += 1;
        if rows.len() < MOST_ROWS {
            rows.push(PublishedDocument {
                doc_id: document.id.as_str().into(),
                action,
                version_id: version_id.into(),
                external_id: document.external_id.clone(),
            });
        }
    }

    /// Adds a document that is held back for its size.
    pub(super) fn add_too_large(&mut self, document: &Document, version_id: &str) {
        self.add(document, DocumentAction::Held, version_id);
        self.summary.docs_too_large += 1;
    }

    /// The counts, the rows that are listed, and whether there are more: what moved comes first, then what is held, what
    /// stays as it is and what was left out, each in the order in which it was added.
    pub(in crate::domain::content) fn listed(self) -> (ContentSummary, Vec<PublishedDocument>, bool) {
        let Self { summary, published, held, unchanged, skipped } = self;
        let all = summary.docs_published + summary.docs_held + summary.docs_unchanged + summary.docs_skipped;
        let rows = [published, held, unchanged, skipped].into_iter().flatten().take(MOST_ROWS).collect();
        (summary, rows, all > MOST_ROWS as u64)
    }
}
