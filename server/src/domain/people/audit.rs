//! The audit log: who did what in a workspace. An entry is written in the transaction of what it tells.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::{PeopleParts, fields};
use crate::clock::Timestamp;
use crate::domain::{Actor, ServiceError, pages};
use crate::ids::{IdKind, new_id};
use crate::store::audit_log::{self as rows, AuditSelection, NewEntry};
pub use crate::store::audit_log::{ActorKind, AuditAction, AuditEntry};
use crate::store::{Tx, users};

/// Longest detail that is kept, in Unicode scalar values.
const LONGEST_DETAIL: usize = 500;

/// The facts of an entry.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// The project, if it is about one.
    pub project: Option<&'a ProjectId>,
    /// The action.
    pub action: AuditAction,
    /// Id or name of the thing that it is done to.
    pub subject: Option<&'a str>,
    /// More about it, for people.
    pub detail: Option<&'a str>,
}

/// Adds an entry.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn write(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    by: &Actor,
    now: Timestamp,
    record: Record<'_>,
) -> Result<(), ServiceError> {
    let (actor_kind, actor_id, actor) = match by {
        Actor::Key { id } => (ActorKind::Key, Some(id.as_str()), id.to_string()),
        Actor::Person { id, email } => (ActorKind::Person, Some(id.as_str()), email.clone()),
        Actor::Operator { name } => (ActorKind::Operator, None, shortened(name)),
    };
    let detail = record.detail.map(shortened);
    let new = NewEntry {
        id: &new_id(IdKind::AuditEntry, now),
        workspace_id: workspace,
        project_id: record.project,
        actor_kind,
        actor_id,
        actor: &actor,
        action: record.action,
        subject: record.subject,
        detail: detail.as_deref(),
        created_at: now,
    };
    Ok(rows::insert(tx, new).await?)
}

fn shortened(text: &str) -> String {
    text.chars().take(LONGEST_DETAIL).collect()
}

/// A selection of entries.
#[derive(Debug, Clone, Default)]
pub struct AuditFilter {
    /// Entries of this person or key alone.
    pub actor_id: Option<String>,
    /// Entries of this action alone.
    pub action: Option<AuditAction>,
    /// Entries of this time and later.
    pub since: Option<Timestamp>,
    /// Entries before this time.
    pub until: Option<Timestamp>,
    /// The place where the page begins: the `next` of the one before.
    pub cursor: Option<String>,
}

/// A page of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditPage {
    /// The entries, newest first.
    pub entries: Vec<AuditEntry>,
    /// The place where the next page begins, if there is one.
    pub next: Option<String>,
}

/// A page of at most `most` entries of a workspace, newest first.
///
/// # Errors
///
/// 400 for a cursor that no page gave.
pub async fn list(
    parts: PeopleParts<'_>,
    workspace: &WorkspaceId,
    filter: &AuditFilter,
    most: usize,
) -> Result<AuditPage, ServiceError> {
    let before = pages::before(filter.until, filter.cursor.as_deref())?;
    let selection = AuditSelection {
        before: (before.0, &before.1),
        since: filter.since.unwrap_or(Timestamp::from_millis(0)),
        actor_id: filter.actor_id.as_deref(),
        action: filter.action,
    };
    let mut tx = parts.store.begin_read().await?;
    let mut entries = rows::list(&mut tx, workspace, selection, pages::one_more(most)).await?;
    tx.rollback().await?;
    let next = pages::cut(&mut entries, most, |last| pages::place(last.created_at, &last.id));
    Ok(AuditPage { entries, next })
}

/// The id of the person of this address, or of the key or person of this id. `None` where entries cannot have it.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn actor(parts: PeopleParts<'_>, name: &str) -> Result<Option<String>, ServiceError> {
    if !name.contains('@') {
        return Ok(Some(name.to_owned()).filter(|id| pages::is_id(id)));
    }
    let Ok(email) = fields::email(name) else { return Ok(None) };
    let found = parts.store.read_once(async |tx| users::find_by_email(tx, &email).await).await?;
    Ok(found.map(|user| user.id.to_string()))
}
