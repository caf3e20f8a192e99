//! Captured keys as people see them: page by page, decided one by one or as a selection.

use std::collections::HashSet;

use l10n_api_types::ProjectId;

use super::decide::accept;
use crate::domain::code_changes::edit::Edit;
use crate::domain::people::audit;
use crate::domain::{ProjectChange, ServiceError};
use crate::store::audit_log::AuditAction;
use crate::store::keys::{self, Key};
use crate::store::{Tx, lock};

/// Most keys of a selection.
const MOST: usize = 100;

/// A decision about captured keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CaptureDecision {
    /// They count, with the texts that were captured.
    Accept,
    /// They are forgotten.
    Discard,
}

/// The reason why nothing was decided.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SelectionError {
    /// None, or more than one decision takes.
    #[error("a selection must have 1 to {MOST} keys")]
    Size,
    /// Somebody, or the code, has decided about some of them meanwhile.
    #[error("some of these keys are no longer waiting")]
    Gone,
    /// Nobody knows what this key says.
    #[error("`{0}` was captured without a text")]
    Textless(String),
    /// The rules of keys, the plan, or the datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(SelectionError);

/// At most `most` captured keys whose refs sort after `after`, by ref.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn page(tx: &mut Tx, project: &ProjectId, after: &str, most: i64) -> Result<Vec<Key>, ServiceError> {
    Ok(keys::captured(tx, project, after, most).await?)
}

/// A captured key of a project, by its id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn find(tx: &mut Tx, project: &ProjectId, id: &str) -> Result<Option<Key>, ServiceError> {
    Ok(keys::captured_of(tx, project, &[id]).await?.pop())
}

/// Accepts or discards the captured keys of these ids, all or none.
///
/// # Errors
///
/// [`SelectionError`]; `tx` must not be committed then.
pub(crate) async fn decide(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    ids: &[&str],
    decision: CaptureDecision,
) -> Result<(), SelectionError> {
    let keys = selected(tx, change, ids).await?;
    let action = match decision {
        CaptureDecision::Accept => {
            if let Some(textless) = keys.iter().find(|key| key.characters == 0) {
                return Err(SelectionError::Textless(textless.name.clone()));
            }
            for key in &keys {
                accept(tx, &edit(change), &key.name, None, None).await?;
            }
            AuditAction::CapturedAccepted
        }
        CaptureDecision::Discard => {
            let ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
            keys::discard(tx, &ids).await?;
            AuditAction::CapturedDiscarded
        }
    };
    Ok(record(tx, change, action, &names(&keys)).await?)
}

/// Accepts a captured key with this text, into this source file if one is given.
///
/// # Errors
///
/// [`SelectionError`]; `tx` must not be committed then.
pub(crate) async fn accept_with(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    id: &str,
    text: &str,
    file: Option<&str>,
) -> Result<(), SelectionError> {
    let keys = selected(tx, change, &[id]).await?;
    for key in &keys {
        accept(tx, &edit(change), &key.name, Some(text), file).await?;
    }
    Ok(record(tx, change, AuditAction::CapturedAccepted, &names(&keys)).await?)
}

/// The keys of these ids, which all wait.
async fn selected(tx: &mut Tx, change: ProjectChange<'_>, ids: &[&str]) -> Result<Vec<Key>, SelectionError> {
    let ids: HashSet<&str> = ids.iter().copied().collect();
    if ids.is_empty() || ids.len() > MOST {
        return Err(SelectionError::Size);
    }
    lock::project_to_change(tx, change.project).await?;
    let ids: Vec<&str> = ids.into_iter().collect();
    let keys = keys::captured_of(tx, change.project, &ids).await?;
    if keys.len() == ids.len() { Ok(keys) } else { Err(SelectionError::Gone) }
}

fn edit(change: ProjectChange<'_>) -> Edit<'_> {
    let ProjectChange { clock, settings, project, by, .. } = change;
    Edit { clock, settings, project, by: by.person().unwrap_or_default() }
}

fn names(keys: &[Key]) -> Vec<&str> {
    keys.iter().map(|key| key.name.as_str()).collect()
}

/// Writes into the audit log that keys of these refs were accepted or discarded.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn record(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    action: AuditAction,
    names: &[impl AsRef<str>],
) -> Result<(), ServiceError> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let detail = names.join(", ");
    let record = audit::Record { project: Some(change.project), action, subject: None, detail: Some(&detail) };
    audit::write(tx, change.workspace, change.by, change.clock.now(), record).await
}
