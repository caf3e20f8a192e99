//! `GET /pending-code-changes`.

use l10n_api_types::pending_code_changes::{ChangeKind, CodeChange, CodeChanges, ListQuery, Side};

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
        Some(Cursor::Before(_) | Cursor::Place { .. }) => {
            return Err(ServiceError::InvalidArgument("`cursor` is of another list".to_owned()));
        }
        None => String::new(),
    };
    // One more than the page holds tells whether another follows.
    let asked = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let mut found = code_changes::list(tx, caller.project.as_str(), &after, asked).await?;
    let has_more = found.len() > limit;
    found.truncate(limit);
    let next_cursor = found.last().filter(|_| has_more).map(|last| Cursor::After(last.id.clone()).encode());
    Ok(CodeChanges { changes: found.into_iter().map(shown).collect(), next_cursor })
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
