//! Documents rendered before the transaction that publishes them begins, so that nobody waits for it.

use std::collections::HashMap;

use l10n_api_types::DailyBudget;
use l10n_api_types::publish::Publish;

use super::gathered::{gather, groups};
use super::rendered::{RenderedDocument, Rendering};
use super::request::ContentPublishRequest;
use crate::delivery::at_rest::StoredBody;
use crate::domain::content::reader::DocumentReader;
use crate::domain::publish::{PublishParts, Staging, look_for_approval};
use crate::domain::{Caller, ServiceError, budgets};
use crate::store::Tx;
use crate::store::documents::Document;

/// The documents that were rendered ahead.
#[derive(Debug, Default)]
pub struct DocumentsAhead {
    languages: Vec<String>,
    documents: HashMap<String, RenderedDocument>,
}

/// Renders the texts that a publish will need and stores them; nothing reads them before a version names them.
///
/// # Errors
///
/// 400 and 404 as the publish itself, 403 for an operation that does not allow it.
pub async fn ahead(
    parts: PublishParts<'_>,
    caller: &Caller,
    publish: &Publish,
) -> Result<DocumentsAhead, ServiceError> {
    let mut tx = parts.store.begin_read().await?;
    let asked = ContentPublishRequest::check(&mut tx, caller, publish).await?;
    let (limits, now) = (parts.limits, parts.events.clock.now());
    look_for_approval(parts.store, caller, (asked.gated(publish), publish.operation_id.as_ref()), now).await?;
    let left = budgets::remaining(&mut tx, &caller.project, DailyBudget::Publishes, limits, now).await?;
    // The publish refuses these before it renders anything.
    if left == 0 || (caller.needs_approval() && publish.operation_id.is_none()) {
        return Ok(DocumentsAhead::default());
    }
    let mut ahead = DocumentsAhead { languages: asked.languages.clone(), documents: HashMap::new() };
    let mut staging = Staging::ahead(parts.store, now);
    // While some are rendered, the next are read.
    let mut rendering: Option<Rendering> = None;
    let mut reader = DocumentReader::new(&caller.project, &asked.documents);
    while let Some(found) = reader.next(&mut tx).await? {
        for group in groups(&found, asked.languages.len()) {
            let group: Vec<&Document> = group.iter().collect();
            let gathered = gather(&mut tx, &caller.project, &asked.languages, &group).await?;
            if let Some(before) = rendering.replace(Rendering::begin(gathered)) {
                ahead.keep(&mut tx, &mut staging, before.end().await?).await?;
            }
        }
    }
    if let Some(last) = rendering {
        ahead.keep(&mut tx, &mut staging, last.end().await?).await?;
    }
    staging.end(&mut tx).await?;
    tx.rollback().await?;
    Ok(ahead)
}

impl DocumentsAhead {
    async fn keep(
        &mut self,
        tx: &mut Tx,
        staging: &mut Staging,
        all: Vec<RenderedDocument>,
    ) -> Result<(), ServiceError> {
        for mut rendered in all {
            for (sha256, content) in rendered.take_contents() {
                staging.add(tx, sha256, StoredBody::Plain(content)).await?;
            }
            self.documents.insert(rendered.document_id.clone(), rendered);
        }
        Ok(())
    }

    /// Returns the part that suits this publish: nothing if the project has other languages by now.
    pub(super) fn of(self, asked: &ContentPublishRequest) -> Self {
        if self.languages == asked.languages { self } else { Self::default() }
    }

    /// Takes out the rendering of a document, if the document has not changed since.
    pub(super) fn take(&mut self, document: &Document) -> Option<RenderedDocument> {
        self.documents.remove(&document.id).filter(|rendered| rendered.is_of(document))
    }
}
