//! The ledger: every movement of credits, never changed. A workspace's balance is its sum.

use l10n_api_types::{Millicredits, TrackingToken};

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

row! {
    /// An entry as it is kept.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Recorded {
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

statements! {
    INSERT = "INSERT INTO ledger (id, workspace_id, kind, amount, job_id, note, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    SUM = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger WHERE workspace_id = $1";
    GRANTED = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger WHERE workspace_id = $1 AND kind = 'grant'";
    LAST = "SELECT id, kind, amount, job_id, note, created_at FROM ledger WHERE workspace_id = $1 \
        ORDER BY created_at DESC, id DESC LIMIT $2";
    CHARGED_SINCE = "SELECT CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM ledger \
        WHERE workspace_id = $1 AND created_at >= $2 AND kind = 'charge'";
}

/// An entry.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// `led_…`
    pub id: &'a str,
    /// The workspace that owns the credits
    pub workspace_id: &'a str,
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

/// Adds an entry and its amount to the balance; returns the new balance.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if the balance would fall below zero, which the rules never let happen.
pub async fn append(tx: &mut Tx, entry: Entry<'_>) -> Result<Millicredits, StoreError> {
    let job = entry.job_id.map(TrackingToken::as_str);
    let (kind, at) = (entry.kind.as_str(), entry.created_at.as_millis());
    execute!(tx, INSERT, entry.id, entry.workspace_id, kind, entry.amount.0, job, entry.note, at)?;
    workspaces::add_to_balance(tx, entry.workspace_id, entry.amount).await
}

/// The sum of all entries of a workspace.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sum(tx: &mut Tx, workspace_id: &str) -> Result<Millicredits, StoreError> {
    let (sum,) = fetch_one!(tx, (i64,), SUM, workspace_id)?;
    Ok(Millicredits(sum))
}

/// The amount that was charged at or after a time, as a positive number.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn charged_since(tx: &mut Tx, workspace_id: &str, since: Timestamp) -> Result<Millicredits, StoreError> {
    let (charged,) = fetch_one!(tx, (i64,), CHARGED_SINCE, workspace_id, since.as_millis())?;
    Ok(Millicredits(charged))
}

/// The last entries of a workspace, the newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn last(tx: &mut Tx, workspace_id: &str, limit: i64) -> Result<Vec<Recorded>, StoreError> {
    fetch_all!(tx, Recorded, LAST, workspace_id, limit)
}

/// The total amount that was granted.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn granted(tx: &mut Tx, workspace_id: &str) -> Result<Millicredits, StoreError> {
    let (granted,) = fetch_one!(tx, (i64,), GRANTED, workspace_id)?;
    Ok(Millicredits(granted))
}
