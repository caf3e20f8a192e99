//! `POST /publish` of documents: the present source of each and its translations become its live version.
//!
//! ```text
//! ahead   ── a reading transaction ──> documents rendered, as many as there is room for
//! publish ── the writing one ────────> those that changed meanwhile, or had no room, are rendered now; versions,
//!                                      live pointers and the event are written
//! ```
//!
//! What decides of a document whether it changed is its source and its live version. A translation that lands in between
//! came after this publish, as one that lands a moment later does.

mod ahead;
mod rendered;
mod request;
mod rows;

use std::collections::HashMap;

use l10n_api_types::PublishId;
use l10n_api_types::events::{ContentPublished, DocumentAction, EventType};
use l10n_api_types::publish::{DocumentsPublished, Publish};

pub use self::ahead::{Ahead, ahead};
use self::rendered::{Outcome, Rendered};
use self::request::Asked;
pub(super) use self::rows::Rows;
use crate::clock::Timestamp;
use crate::domain::approval::{self, Work};
use crate::domain::publish::locked;
use crate::domain::{Caller, ServiceError, budgets, events};
use crate::ids::{IdKind, new_id};
use crate::mutants;
use crate::service::Service;
use crate::store::daily_counts::DailyBudget;
use crate::store::documents::Document;
use crate::store::projects::Project;
use crate::store::{Tx, blobs, document_versions, documents};

/// Documents that are looked at in one go.
const PAGE: usize = 100;

/// Publishes documents. The project is locked to the end of `tx`, so that no document changes before its version is live.
///
/// # Errors
///
/// 400 for what is asked, 404 for a document that the project does not have, 403 for an agent's key without approval, 429
/// after the day's publishes.
pub async fn publish(
    tx: &mut Tx,
    service: &Service,
    caller: &Caller,
    publish: &Publish,
    ahead: Ahead,
) -> Result<DocumentsPublished, ServiceError> {
    let project_id = caller.project.as_str();
    let project = locked(tx, project_id).await?;
    let asked = Asked::check(tx, caller, publish).await?;
    let now = service.clock.now();
    let work = Work::publish_documents(publish.doc_ids.is_some().then_some(&asked.documents), &asked.languages);
    let approval = approval::require(tx, caller, publish.operation_id.as_ref(), work, now).await?;
    approval.use_up(tx, caller, now).await?;
    budgets::take(tx, project_id, DailyBudget::Publishes, 1, &service.settings.limits, now).await?;

    let publish_id = PublishId::from(new_id(IdKind::Publish, now));
    let mut ahead = ahead.of(&asked);
    let mut rows = Rows::default();
    for page in asked.documents.chunks(PAGE) {
        let found = documents::find_many(tx, project_id, page).await?;
        for group in rendered::groups(&found) {
            let mut known: HashMap<&str, Rendered> = HashMap::new();
            known.extend(group.iter().filter_map(|document| Some((document.id.as_str(), ahead.take(document)?))));
            let left: Vec<&Document> =
                group.iter().filter(|document| !known.contains_key(document.id.as_str())).collect();
            for (document, rendered) in left.iter().zip(rendered::render(tx, caller, &asked.languages, &left).await?) {
                known.insert(&document.id, rendered);
            }
            for document in group {
                let Some(rendered) = known.remove(document.id.as_str()) else { continue };
                land(tx, &publish_id, document, rendered, &mut rows, now).await?;
            }
        }
    }
    let answer = rows.answer(caller, publish_id, now);
    if answer.summary.docs_published > 0 || mutants::on("content_publish_always_fires") {
        announce(tx, service, &project, &answer).await?;
    }
    Ok(answer)
}

/// Fires `content.published`, for a publish as for a rollback: what the caller is answered, without what is the caller's.
pub(super) async fn announce(
    tx: &mut Tx,
    service: &Service,
    project: &Project,
    answer: &DocumentsPublished,
) -> Result<(), ServiceError> {
    let data = ContentPublished {
        publish_id: answer.publish_id.clone(),
        summary: answer.summary,
        documents: answer.documents.clone(),
        truncated: answer.truncated,
    };
    events::record(tx, service, project, EventType::ContentPublished, &answer.publish_id, data).await
}

/// Makes a document's version, where it has another one than that which is live, and its row.
async fn land(
    tx: &mut Tx,
    publish_id: &PublishId,
    document: &Document,
    rendered: Rendered,
    rows: &mut Rows,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let as_it_is = document.live_version_id.as_deref().unwrap_or(&document.source_id);
    let files = match rendered.outcome {
        Outcome::Files(files) => files,
        Outcome::Held => {
            rows.add(document, DocumentAction::Held, as_it_is);
            return Ok(());
        }
        Outcome::TooLarge => {
            rows.add_too_large(document, as_it_is);
            return Ok(());
        }
        Outcome::Unchanged => {
            rows.add(document, DocumentAction::Unchanged, as_it_is);
            return Ok(());
        }
        Outcome::Skipped => {
            rows.add(document, DocumentAction::Skipped, as_it_is);
            return Ok(());
        }
    };
    let version = document_versions::Version {
        id: new_id(IdKind::DocumentVersion, now),
        document_id: document.id.clone(),
        source_id: document.source_id.clone(),
        publish_id: publish_id.to_string(),
        published_at: now,
    };
    let mut stored = Vec::with_capacity(files.len());
    for file in files {
        if let Some(content) = &file.content {
            blobs::keep(tx, &file.sha256, content).await?;
        }
        stored.push(document_versions::File { language: file.language, sha256: file.sha256 });
    }
    document_versions::insert(tx, &version, &stored).await?;
    documents::set_live(tx, &document.id, &version.id, now).await?;
    rows.add(document, DocumentAction::Published, &version.id);
    Ok(())
}
