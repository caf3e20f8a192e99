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
            return Err(ServiceError::InvalidArgument("`cursor` is of another list".to_owned()));
        }
        None => String::new(),
    };
    let mut found = code_changes::list(tx, &caller.project, &after, pages::one_more(limit)).await?;
    let next_cursor = pages::cut(&mut found, limit, |last| Cursor::After(last.id.clone()).encode());
    Ok(CodeChanges { changes: found.into_iter().map(shown).collect(), next_cursor })
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

/// At most `most` changes of a project whose ids sort after `after`, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn page(
    tx: &mut Tx,
    project: &ProjectId,
    after: &str,
    most: i64,
) -> Result<Vec<ShownChange>, ServiceError> {
    Ok(code_changes::list(tx, project, after, most).await?.into_iter().map(Into::into).collect())
}

fn shown(pending: PendingChange) -> CodeChange {
    let (code, project) = (pending.code_source.map(|source| source.0.into()), Some(pending.source.0.into()));
    let (from, to) = match pending.kind {
        ChangeKind::TextChanged => (code, project),
        ChangeKind::KeyAdded => (None, project),
        ChangeKind::KeyArchived => (code, None),
        ChangeKind::KeyRenamed => (pending.code_ref.map(Side::Text), Some(Side::Text(pending.name.clone()))),
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
