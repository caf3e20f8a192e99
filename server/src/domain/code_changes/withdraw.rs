//! Withdrawing a pending change: the project goes back to what the code has, and nothing is left for the code to do.

use l10n_api_types::ProjectId;
use l10n_api_types::pending_code_changes::ChangeKind;

use super::ShownChange;
use super::edit::Edit;
use crate::clock::Timestamp;
use crate::domain::people::audit;
use crate::domain::{ProjectChange, ServiceError};
use crate::store::audit_log::AuditAction;
use crate::store::code_changes::{self, PendingChange};
use crate::store::{Tx, lock};

/// The reason why a change was not withdrawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WithdrawError {
    /// The code has it, or somebody has withdrawn it.
    #[error("this change is no longer waiting")]
    Gone,
    /// A person has gone on with it since it was shown.
    #[error("somebody has changed the key again meanwhile")]
    Moved,
    /// The rules of keys, the plan, or the datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(WithdrawError);

/// A pending change of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn find(tx: &mut Tx, project: &ProjectId, id: &str) -> Result<Option<ShownChange>, ServiceError> {
    Ok(code_changes::find(tx, project, id).await?.map(Into::into))
}

/// Takes a change back, if it is still as it was at `seen`: the key has the code's text or name again, an added key goes, an
/// archived one counts again.
///
/// # Errors
///
/// [`WithdrawError`]; `tx` must not be committed then.
pub(crate) async fn withdraw(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    id: &str,
    seen: Timestamp,
) -> Result<(), WithdrawError> {
    lock::project_to_change(tx, change.project).await?;
    let pending = code_changes::find(tx, change.project, id).await?.ok_or(WithdrawError::Gone)?;
    if pending.updated_at != seen {
        return Err(WithdrawError::Moved);
    }
    let ProjectChange { clock, settings, project, by, .. } = change;
    let edit = Edit { clock, settings, project, by: by.person().unwrap_or_default() };
    take_back(tx, &edit, &pending).await?;
    let (project, action) = (Some(change.project), AuditAction::CodeChangeWithdrawn);
    let detail = format!("{}: {}", pending.kind, pending.name);
    let record = audit::Record { project, action, subject: Some(id), detail: Some(&detail) };
    Ok(audit::write(tx, change.workspace, change.by, clock.now(), record).await?)
}

/// Changes the key back to the code's side: an edit that takes an earlier one back leaves nothing pending.
async fn take_back(tx: &mut Tx, edit: &Edit<'_>, pending: &PendingChange) -> Result<(), ServiceError> {
    let name = pending.name.as_str();
    let code_source = pending.code_source.as_ref().map(|source| &source.0);
    let lacks = || ServiceError::internal("a pending change lacks the code's side");
    match pending.kind {
        ChangeKind::TextChanged => edit.text(tx, name, code_source.ok_or_else(lacks)?).await.map(drop),
        ChangeKind::KeyRenamed => edit.rename(tx, name, pending.code_ref.as_deref().ok_or_else(lacks)?).await.map(drop),
        ChangeKind::KeyAdded => edit.archive(tx, name).await,
        ChangeKind::KeyArchived => edit.add(tx, name, code_source.ok_or_else(lacks)?, None).await,
        kind => Err(ServiceError::internal(format!("a pending change is of the kind {kind}"))),
    }
}
