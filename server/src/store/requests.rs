//! Receipts: what became of a write. A record is made before the write begins and finished in the write's own transaction.

use l10n_api_types::requests::ReceiptStatus;
use l10n_api_types::{ErrorBody, ProjectId, RequestId};

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A receipt.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Receipt {
        /// The `x-correlation-id` of the write
        pub id: String,
        /// The endpoint
        pub kind: String,
        /// Its outcome
        pub status: ReceiptStatus,
        /// HTTP status of its answer
        pub http_status: Option<i64>,
        /// The error that it failed with
        pub error: Option<Json<ErrorBody>>,
        /// The resource that it made or changed
        pub resource_kind: Option<String>,
        /// The id of that
        pub resource_id: Option<String>,
        /// The time at which it began
        pub created_at: Timestamp,
        /// The time at which it ended
        pub finished_at: Option<Timestamp>,
        /// The server process that carries it out; none for one of a release without leases
        pub process_id: Option<String>,
    }
}

statements! {
    INSERT = "INSERT INTO requests (project_id, id, kind, status, created_at, process_id) \
        VALUES ($1, $2, $3, 'running', $4, $5) ON CONFLICT (project_id, id) DO NOTHING";
    FIND = "SELECT id, kind, status, http_status, error, resource_kind, resource_id, created_at, finished_at, process_id \
        FROM requests WHERE project_id = $1 AND id = $2";
    SUCCEED = "UPDATE requests SET status = 'succeeded', http_status = $3, resource_kind = $4, resource_id = $5, finished_at = $6 \
        WHERE project_id = $1 AND id = $2 AND status = 'running' AND created_at > $7";
    FAIL = "UPDATE requests SET status = 'failed', http_status = $3, error = $4, finished_at = $5 \
        WHERE project_id = $1 AND id = $2 AND status = 'running'";
    GIVE_UP = "UPDATE requests SET status = 'failed', finished_at = $3 \
        WHERE project_id = $1 AND id = $2 AND status = 'running'";
    // Found by age: a write that began before `$3` cannot land any more.
    GIVE_UP_ALL = "UPDATE requests SET status = 'failed', finished_at = $2 \
        WHERE process_id = $1 AND created_at > $3 AND status = 'running'";
    ABANDON = "UPDATE requests SET status = 'failed', finished_at = $1 WHERE created_at <= $1 AND status = 'running'";
}

/// The success of a write.
#[derive(Debug, Clone, Copy)]
pub struct Success<'a> {
    /// HTTP status of the answer
    pub http_status: u16,
    /// The resource that it made or changed: its kind and id
    pub resource: Option<(&'a str, &'a str)>,
    /// Now
    pub finished_at: Timestamp,
    /// Only a write that began after this may still land
    pub begun_after: Timestamp,
}

/// A write that begins.
#[derive(Debug, Clone, Copy)]
pub struct NewRequest<'a> {
    /// Its project
    pub project_id: &'a ProjectId,
    /// Its id
    pub id: &'a RequestId,
    /// The endpoint
    pub kind: &'a str,
    /// The server process that carries it out
    pub process_id: Option<&'a str>,
    /// Now
    pub created_at: Timestamp,
}

/// Makes a receipt of a write that begins; returns whether the id was free.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewRequest<'_>) -> Result<bool, StoreError> {
    let at = new.created_at.as_millis();
    Ok(execute!(tx, INSERT, new.project_id.as_str(), new.id.as_str(), new.kind, at, new.process_id)? == 1)
}

/// The receipt of a write of that project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, id: &RequestId) -> Result<Option<Receipt>, StoreError> {
    fetch_optional!(tx, Receipt, FIND, project_id.as_str(), id.as_str())
}

/// Says that a write landed; returns whether it still ran. Belongs into the transaction of the write.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn succeed(
    tx: &mut Tx,
    project_id: &ProjectId,
    id: &RequestId,
    success: Success<'_>,
) -> Result<bool, StoreError> {
    let (kind, resource) = success.resource.unzip();
    let (status, at, after) =
        (i64::from(success.http_status), success.finished_at.as_millis(), success.begun_after.as_millis());
    Ok(execute!(tx, SUCCEED, project_id.as_str(), id.as_str(), status, kind, resource, at, after)? == 1)
}

/// Says that a write did not land; returns whether it still ran.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn fail(
    tx: &mut Tx,
    project_id: &ProjectId,
    id: &RequestId,
    http_status: u16,
    error: &ErrorBody,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let error = to_json("requests.error", error)?;
    Ok(execute!(tx, FAIL, project_id.as_str(), id.as_str(), i64::from(http_status), error, now.as_millis())? == 1)
}

/// Gives a write up whose process is dead; returns whether it still ran. From then on it cannot land.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn give_up(tx: &mut Tx, project_id: &ProjectId, id: &RequestId, now: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, GIVE_UP, project_id.as_str(), id.as_str(), now.as_millis())? == 1)
}

/// Gives up every write of a dead process that began after `begun_after`; returns how many still ran.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn give_up_all(
    tx: &mut Tx,
    process_id: &str,
    now: Timestamp,
    begun_after: Timestamp,
) -> Result<u64, StoreError> {
    execute!(tx, GIVE_UP_ALL, process_id, now.as_millis(), begun_after.as_millis())
}

/// Says of every write that runs that it did not land: for the one server of a datastore, when it starts.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn abandon(tx: &mut Tx, now: Timestamp) -> Result<u64, StoreError> {
    execute!(tx, ABANDON, now.as_millis())
}
