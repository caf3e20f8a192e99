//! `POST /versions/{versionId}/restore` of a document's version: the document is rolled back.

use l10n_api_types::events::DocumentAction;
use l10n_api_types::publish::DocumentsPublished;
use l10n_api_types::{DailyBudget, OperationId, PublishId, VersionId};

use super::publish::{PublishReport, announce};
use crate::domain::approval::GatedCall;
use crate::domain::publish::{PublishParts, allow, locked};
use crate::domain::{Caller, ServiceError, pages};
use crate::ids::{IdKind, new_id};
use crate::store::{Tx, document_versions, documents};

/// Makes an earlier version of a document live again. Its source and its translations do not change.
///
/// # Errors
///
/// 404 for a version that is none of the project's, 403 for an agent's key without approval, 429 after the day's restores,
/// 409 when it is live.
pub(crate) async fn restore(
    tx: &mut Tx,
    parts: PublishParts<'_>,
    caller: &Caller,
    version_id: &VersionId,
    operation: Option<&OperationId>,
) -> Result<DocumentsPublished, ServiceError> {
    let project_id = &caller.project;
    let project = locked(tx, project_id).await?;
    let found = match pages::is_id(version_id.as_str()) {
        true => document_versions::find(tx, project_id, version_id).await?,
        false => None,
    };
    let version = found.ok_or_else(|| ServiceError::VersionNotFound(version_id.clone()))?;
    let now = parts.events.clock.now();
    let work = (GatedCall::rollback_document(&version.id), operation);
    allow(tx, parts.limits, caller, work, DailyBudget::Restores, now).await?;
    let document = super::find(tx, caller, &version.document_id).await?;
    if document.live_version_id.as_ref() == Some(&version.id) {
        return Err(ServiceError::VersionLive(version.id));
    }
    documents::set_live(tx, &[(&document.id, &version.id)], now).await?;
    let mut rows = PublishReport::default();
    rows.add(&document, DocumentAction::Published, &version.id);
    let publish_id = PublishId::from(new_id(IdKind::Publish, now));
    let answer = DocumentsPublished { restored: true, ..rows.answer(caller, publish_id, now) };
    announce(tx, parts.events, &project, &answer).await?;
    Ok(answer)
}
