//! Workspaces: who pays.

use l10n_api_types::{Millicredits, WorkspaceId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A workspace.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Workspace {
        /// `wsp_…`
        pub id: WorkspaceId,
        /// The name in `/@handle/…`, unique
        pub handle: String,
        /// Name of the plan that bounds keys, languages and documents
        pub plan: String,
        /// Most that may be charged in a UTC month
        pub spending_cap: Option<Millicredits>,
        /// The sum of the ledger
        pub balance: Millicredits,
        /// Since when it is hidden
        pub archived_at: Option<Timestamp>,
        /// The time at which it was made
        pub created_at: Timestamp,
    }
}

statements! {
    INSERT = "INSERT INTO workspaces (id, handle, plan, spending_cap, balance, created_at) VALUES ($1, $2, $3, $4, 0, $5)";
    FIND = "SELECT id, handle, plan, spending_cap, balance, archived_at, created_at FROM workspaces WHERE id = $1";
    FIND_BY_HANDLE = "SELECT id, handle, plan, spending_cap, balance, archived_at, created_at FROM workspaces WHERE handle = $1";
    LIST = "SELECT id, handle, plan, spending_cap, balance, archived_at, created_at FROM workspaces ORDER BY id";
    UPDATE_TERMS = "UPDATE workspaces SET plan = $2, spending_cap = $3 WHERE id = $1";
    ADD_TO_BALANCE = "UPDATE workspaces SET balance = balance + $2 WHERE id = $1 RETURNING balance";
}

/// The data of a new workspace. Its balance begins at 0: credits come as an entry of the ledger.
#[derive(Debug, Clone, Copy)]
pub struct NewWorkspace<'a> {
    /// `wsp_…`
    pub id: &'a WorkspaceId,
    /// The name in `/@handle/…`
    pub handle: &'a str,
    /// Name of its plan
    pub plan: &'a str,
    /// Most that may be charged in a UTC month
    pub spending_cap: Option<Millicredits>,
    /// Now
    pub created_at: Timestamp,
}

/// Adds a workspace.
///
/// # Errors
///
/// [`StoreError::Unique`] when the handle is taken.
pub async fn insert(tx: &mut Tx, new: NewWorkspace<'_>) -> Result<(), StoreError> {
    execute!(tx, INSERT, new.id.as_str(), new.handle, new.plan, new.spending_cap.map(|cap| cap.0), new.created_at.as_millis()).map(drop)
}

/// The workspace `id`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, id: &WorkspaceId) -> Result<Option<Workspace>, StoreError> {
    fetch_optional!(tx, Workspace, FIND, id.as_str())
}

/// The workspace with this handle.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_handle(tx: &mut Tx, handle: &str) -> Result<Option<Workspace>, StoreError> {
    fetch_optional!(tx, Workspace, FIND_BY_HANDLE, handle)
}

/// Every workspace, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx) -> Result<Vec<Workspace>, StoreError> {
    fetch_all!(tx, Workspace, LIST)
}

/// Changes plan and spending cap.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such workspace.
pub async fn update_terms(tx: &mut Tx, id: &WorkspaceId, plan: &str, spending_cap: Option<Millicredits>) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, UPDATE_TERMS, id.as_str(), plan, spending_cap.map(|cap| cap.0))?)
}

/// Adds `amount` (negative: takes them) and returns the new balance. Only the ledger calls this, in the transaction
/// of an entry of the same amount. The schema refuses a balance below zero.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such workspace.
pub async fn add_to_balance(tx: &mut Tx, id: &WorkspaceId, amount: Millicredits) -> Result<Millicredits, StoreError> {
    let (balance,) = fetch_one!(tx, (i64,), ADD_TO_BALANCE, id.as_str(), amount.0)?;
    Ok(Millicredits(balance))
}
