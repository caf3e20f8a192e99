//! `GET /pending-code-changes`.

use l10n_api_types::ProjectId;
use l10n_api_types::pending_code_changes::{ChangeKind, CodeChange, CodeChanges, ListQuery, Side};

use crate::clock::Timestamp;
use crate::domain::pages::{self, Cursor};
use crate::domain::{Caller, ServiceError};
use crate::store::Tx;
use crate::store::code_changes::{self, PendingChange};

/// A page of the project's changes, oldest first.
///
/// # Errors
///
/// 400 for a limit out of range and a cursor that no page gave.
pub(crate) async fn list(tx: &mut Tx, caller: &Caller, query: &ListQuery) -> Result<CodeChanges, ServiceError> {
    let limit = pages::limit(query.limit)?;
    let after = match query.cursor.as_deref().map(Cursor::decode).transpose()? {
        Some(Cursor::After(id)) => id,
        Some(_) => {
            return Err(ServiceError::cursor_of_another_list());
        }
        None => String::new(),
    };
    let (found, next) = found(tx, &caller.project, &after, limit).await?;
    let next_cursor = next.map(|id| Cursor::After(id).encode());
    Ok(CodeChanges { changes: found.into_iter().map(shown).collect(), next_cursor })
}

/// A page of the changes whose ids sort after `after`, with the id of its last one if more follow. It holds at most `most`.
async fn found(
    tx: &mut Tx,
    project: &ProjectId,
    after: &str,
    most: usize,
) -> Result<(Vec<PendingChange>, Option<String>), ServiceError> {
    let mut sizes = code_changes::sizes(tx, project, after, pages::one_more(most)).await?;
    let next = pages::cut_long(&mut sizes, most, |(_, bytes)| *bytes, |(id, _)| id.clone());
    let fitting = i64::try_from(sizes.len()).unwrap_or(i64::MAX);
    Ok((code_changes::list(tx, project, after, fitting).await?, next))
}

/// A change as people see it.
#[derive(Debug, Clone)]
pub(crate) struct ShownChange {
    /// The change as the API tells it.
    pub change: CodeChange,
    /// The time at which a person last went on with it.
    pub updated_at: Timestamp,
}

impl From<PendingChange> for ShownChange {
    fn from(pending: PendingChange) -> Self {
        Self { updated_at: pending.updated_at, change: shown(pending) }
    }
}

/// At most `most` changes of a project whose ids sort after `after`, oldest first, and the id of the last one if more follow.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn page(
    tx: &mut Tx,
    project: &ProjectId,
    after: &str,
    most: usize,
) -> Result<(Vec<ShownChange>, Option<String>), ServiceError> {
    let (found, next) = found(tx, project, after, most).await?;
    Ok((found.into_iter().map(Into::into).collect(), next))
}

fn shown(pending: PendingChange) -> CodeChange {
    let (code, project) = (pending.code_source.map(|source| source.0.into()), Some(pending.source.0.into()));
    let (from, to) = match pending.kind {
        ChangeKind::KeyAdded => (None, project),
        ChangeKind::KeyArchived => (code, None),
        ChangeKind::KeyRenamed => (pending.code_ref.map(Side::Text), Some(Side::Text(pending.name.clone()))),
        // `TextChanged`.
        _ => (code, project),
    };
    CodeChange {
        change_id: pending.id.into(),
        r#ref: pending.code_name.unwrap_or(pending.name),
        kind: pending.kind,
        from,
        to,
        file: pending.file.or(pending.source_path),
        by: pending.made_by,
        created_at: pending.created_at,
    }
}
