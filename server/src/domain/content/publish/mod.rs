//! `POST /publish` of documents: the present source of each and its translations become its live version.
//!
//! ```text
//! ahead   ── a reading transaction ──> documents rendered, their texts stored in pieces
//! publish ── the writing one ────────> those that changed meanwhile are rendered now; versions, live pointers and the
//!                                      event are written
//! ```
//!
//! A document counts as changed if its source or its live version is another one. A translation that lands in between
//! came after this publish, as one that lands a moment later does.

mod ahead;
mod basis;
mod gathered;
mod landing;
mod preview;
mod rendered;
mod request;
mod rows;
mod scope;

use std::collections::HashMap;

use l10n_api_types::events::{ContentPublished, EventType};
use l10n_api_types::publish::{DocumentsPublished, Publish};
use l10n_api_types::{DailyBudget, PublishId};

pub(crate) use self::ahead::DocumentsAhead;
pub use self::ahead::ahead;
use self::gathered::{gather, groups};
use self::landing::VersionWriter;
pub(crate) use self::preview::{ChangedDocument, ChangedFile, preview};
use self::rendered::{RenderedDocument, Rendering};
use self::request::ContentPublishRequest;
pub(super) use self::rows::PublishReport;
use crate::domain::content::reader::DocumentReader;
use crate::domain::events::{self, EventParts};
use crate::domain::publish::{PublishParts, allow, locked, take};
use crate::domain::{Caller, ServiceError};
use crate::ids::{IdKind, new_id};
use crate::store::Tx;
use crate::store::blobs::Hash;
use crate::store::documents::Document;
use crate::store::projects::Project;

/// Publishes documents. The project is locked to the end of `tx`, so that no document changes before its version is live.
///
/// # Errors
///
/// 400 for invalid fields, 404 for a document that the project does not have, 403 for an agent's key without approval,
/// 429 after the day's publishes.
pub async fn publish(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    caller: &Caller,
    publish: &Publish,
    ahead: DocumentsAhead,
) -> Result<DocumentsPublished, ServiceError> {
    let project_id = &caller.project;
    let project = locked(tx, project_id).await?;
    let asked = ContentPublishRequest::check(tx, caller, publish).await?;
    let now = parts.events.clock.now();
    let work = (asked.gated(publish), publish.operation_id.as_ref());
    allow(tx, parts.limits, caller, work, DailyBudget::Publishes, now).await?;

    let publish_id = PublishId::from(new_id(IdKind::Publish, now));
    let mut ahead = ahead.of(&asked);
    let mut rows = PublishReport::default();
    let mut reader = DocumentReader::new(project_id, &asked.documents);
    while let Some(found) = reader.next(tx).await? {
        for group in groups(&found, asked.languages.len()) {
            let mut known: HashMap<&str, RenderedDocument> = HashMap::new();
            known.extend(group.iter().filter_map(|document| Some((document.id.as_str(), ahead.take(document)?))));
            let contents: Vec<Hash> = known.values().flat_map(RenderedDocument::hashes).collect();
            if !take(tx, &contents).await? {
                known.clear();
            }
            let left: Vec<&Document> =
                group.iter().filter(|document| !known.contains_key(document.id.as_str())).collect();
            let gathered = gather(tx, project_id, &asked.languages, &left).await?;
            for (document, rendered) in left.iter().zip(Rendering::begin(gathered).end().await?) {
                known.insert(&document.id, rendered);
            }
            let mut landing = VersionWriter::new(&publish_id, now);
            for document in group {
                let Some(rendered) = known.remove(document.id.as_str()) else { continue };
                landing.add(document, rendered, &mut rows);
            }
            landing.write(tx).await?;
        }
    }
    let answer = rows.answer(caller, publish_id, now);
    if answer.summary.docs_published > 0 {
        announce(tx, parts.events, &project, &answer).await?;
    }
    Ok(answer)
}

/// Fires `content.published` for a publish or a rollback, with the answer's fields except those for the caller alone.
pub(super) async fn announce(
    tx: &mut Tx,
    events: EventParts<'_>,
    project: &Project,
    answer: &DocumentsPublished,
) -> Result<(), ServiceError> {
    let data = ContentPublished {
        publish_id: answer.publish_id.clone(),
        summary: answer.summary,
        documents: answer.documents.clone(),
        truncated: answer.truncated,
    };
    events::record(tx, events, project, EventType::ContentPublished, &answer.publish_id, data).await
}
