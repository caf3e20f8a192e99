//! The ledger as people read it: pages of the movements of a workspace's credits.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::{ServiceError, pages};
use crate::clock::Timestamp;
use crate::store::Tx;
use crate::store::ledger::{self as rows, LedgerSelection};
pub use crate::store::ledger::{EntryKind, LedgerEntry};

/// A selection of entries.
#[derive(Debug, Clone, Default)]
pub struct LedgerFilter {
    /// Movements of this kind alone.
    pub kind: Option<EntryKind>,
    /// Movements for work on this project alone.
    pub project: Option<ProjectId>,
    /// Entries of this time and later.
    pub since: Option<Timestamp>,
    /// Entries before this time.
    pub until: Option<Timestamp>,
    /// The place where the page begins: the `next` of the one before.
    pub cursor: Option<String>,
}

/// A page of entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerPage {
    /// The entries, newest first.
    pub entries: Vec<LedgerEntry>,
    /// The place where the next page begins, if there is one.
    pub next: Option<String>,
}

/// A page of at most `most` entries of a workspace, newest first.
///
/// # Errors
///
/// 400 for a cursor that no page gave.
pub async fn list(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    filter: &LedgerFilter,
    most: usize,
) -> Result<LedgerPage, ServiceError> {
    let before = pages::before(filter.until, filter.cursor.as_deref())?;
    // Credits are given to a workspace, never to a project: nobody looks for them among all that a project has spent.
    if filter.kind == Some(EntryKind::Grant) && filter.project.is_some() {
        return Ok(LedgerPage::default());
    }
    let selection = LedgerSelection {
        before: (before.0, &before.1),
        since: filter.since.unwrap_or(Timestamp::from_millis(0)),
        kind: filter.kind,
        project: filter.project.as_ref(),
    };
    let mut entries = rows::list(tx, workspace, selection, pages::one_more(most)).await?;
    let next = pages::cut(&mut entries, most, |last| pages::place(last.created_at, &last.id));
    Ok(LedgerPage { entries, next })
}
