//! The ledger: every movement of credits, never changed. A workspace's balance is its sum.

use l10n_api_types::{Millicredits, ProjectId, TrackingToken, WorkspaceId};

use super::{StoreError, Tx, workspaces};
use crate::clock::Timestamp;

text_enum! {
    /// The kind of a movement of credits.
    pub enum EntryKind {
        /// They were given.
        Grant = "grant",
        /// Work was paid for.
        Charge = "charge",
    }
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Grant, Self::Charge];

    /// The kind of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

row! {
    /// An entry with the project that it is for.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct LedgerEntry {
        /// `led_…`
        pub id: String,
        /// The kind of the movement
        pub kind: EntryKind,
        /// The amount; negative for an expense
        pub amount: Millicredits,
        /// The job that they paid for; it may be gone
        pub job_id: Option<TrackingToken>,
        /// The project that they paid for; it may be gone
        pub project_id: Option<ProjectId>,
        /// The project's name in addresses; `None` where it is gone
        pub project_slug: Option<String>,
        /// For people
        pub note: Option<String>,
        /// The time
        pub created_at: Timestamp,
    }
}

row! {
    /// An entry as it is kept.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RecordedEntry {
        /// `led_…`
        pub id: String,
        /// The kind of the movement
        pub kind: EntryKind,
        /// The amount; negative for an expense
        pub amount: Millicredits,
        /// The job that they paid for
        pub job_id: Option<TrackingToken>,
        /// For people
        pub note: Option<String>,
        /// The time
        pub created_at: Timestamp,
    }
}

/// A page of a ledger that goes back in time. Without being told the index, SQLite may walk through the whole ledger of a
/// workspace for the few entries of a kind.
macro_rules! page {
    ($index:literal, $narrowed:literal) => {
        concat!(
            "SELECT l.id, l.kind, l.amount, l.job_id, l.project_id, p.slug AS project_slug, l.note, l.created_at \
            FROM ledger AS l ",
            $index,
            " LEFT JOIN projects p ON p.id = l.project_id \
            WHERE l.workspace_id = $1 AND (l.created_at, l.id) < ($2, $3) AND l.created_at >= $4",
            $narrowed,
            " ORDER BY l.created_at DESC, l.id DESC LIMIT $5"
        )
    };
}

statements! {
    INSERT = "INSERT INTO ledger (id, workspace_id, kind, amount, job_id, project_id, note, created_at) \
        VALUES ($1, $2, $3, $4, $5, (SELECT j.project_id FROM jobs j WHERE j.tracking_token = $5), $6, $7)";
    SUM = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger WHERE workspace_id = $1";
    GRANTED = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger WHERE workspace_id = $1 AND kind = 'grant'";
    LAST = "SELECT id, kind, amount, job_id, note, created_at FROM ledger WHERE workspace_id = $1 \
        ORDER BY created_at DESC, id DESC LIMIT $2";
    LIST = page!("", "");
    LIST_OF_KIND = sqlite page!("INDEXED BY ledger_by_kind", " AND l.kind = $6"), postgres page!("", " AND l.kind = $6");
    LIST_OF_PROJECT = sqlite page!("INDEXED BY ledger_by_project", " AND l.project_id = $6"),
        postgres page!("", " AND l.project_id = $6");
    LIST_OF_PROJECT_AND_KIND = sqlite page!("INDEXED BY ledger_by_project", " AND l.project_id = $6 AND l.kind = $7"),
        postgres page!("", " AND l.project_id = $6 AND l.kind = $7");
}

/// An entry.
#[derive(Debug, Clone, Copy)]
pub struct NewLedgerEntry<'a> {
    /// `led_…`
    pub id: &'a str,
    /// The workspace that owns the credits
    pub workspace_id: &'a WorkspaceId,
    /// The kind of the movement
    pub kind: EntryKind,
    /// The amount; negative for an expense
    pub amount: Millicredits,
    /// The job that they paid for
    pub job_id: Option<&'a TrackingToken>,
    /// For people
    pub note: Option<&'a str>,
    /// Now
    pub created_at: Timestamp,
}

/// Adds an entry and its amount to the balance; returns the new balance. A trigger adds a charge to its month
/// ([`workspace_months`](super::workspace_months)). Lock the workspace before.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if the balance would fall below zero, which the rules never let happen.
pub async fn append(tx: &mut Tx, entry: NewLedgerEntry<'_>) -> Result<Millicredits, StoreError> {
    let job = entry.job_id.map(TrackingToken::as_str);
    let (kind, at) = (entry.kind.as_str(), entry.created_at.as_millis());
    execute!(tx, INSERT, entry.id, entry.workspace_id.as_str(), kind, entry.amount.0, job, entry.note, at)?;
    workspaces::add_to_balance(tx, entry.workspace_id, entry.amount).await
}

/// The sum of all entries of a workspace.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sum(tx: &mut Tx, workspace_id: &WorkspaceId) -> Result<Millicredits, StoreError> {
    let (sum,) = fetch_one!(tx, (i64,), SUM, workspace_id.as_str())?;
    Ok(Millicredits(sum))
}

/// The last entries of a workspace, the newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn last(tx: &mut Tx, workspace_id: &WorkspaceId, limit: i64) -> Result<Vec<RecordedEntry>, StoreError> {
    fetch_all!(tx, RecordedEntry, LAST, workspace_id.as_str(), limit)
}

/// A selection of entries.
#[derive(Debug, Clone, Copy)]
pub struct LedgerSelection<'a> {
    /// Entries before this time and, of the same time, before this id
    pub before: (Timestamp, &'a str),
    /// Entries of this time and later
    pub since: Timestamp,
    /// Movements of this kind alone
    pub kind: Option<EntryKind>,
    /// Movements for this project alone
    pub project: Option<&'a ProjectId>,
}

/// At most `most` entries of a workspace, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    of: LedgerSelection<'_>,
    most: i64,
) -> Result<Vec<LedgerEntry>, StoreError> {
    let (workspace, since) = (workspace.as_str(), of.since.as_millis());
    let (time, id) = (of.before.0.as_millis(), of.before.1);
    match (of.project.map(ProjectId::as_str), of.kind.map(EntryKind::as_str)) {
        (None, None) => fetch_all!(tx, LedgerEntry, LIST, workspace, time, id, since, most),
        (None, Some(kind)) => fetch_all!(tx, LedgerEntry, LIST_OF_KIND, workspace, time, id, since, most, kind),
        (Some(project), None) => fetch_all!(tx, LedgerEntry, LIST_OF_PROJECT, workspace, time, id, since, most, project),
        (Some(project), Some(kind)) => {
            fetch_all!(tx, LedgerEntry, LIST_OF_PROJECT_AND_KIND, workspace, time, id, since, most, project, kind)
        }
    }
}

/// The total amount that was granted.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn granted(tx: &mut Tx, workspace_id: &WorkspaceId) -> Result<Millicredits, StoreError> {
    let (granted,) = fetch_one!(tx, (i64,), GRANTED, workspace_id.as_str())?;
    Ok(Millicredits(granted))
}
