//! Operations: what a person is asked to approve. What each may become is decided by `domain::operations`.

use l10n_api_types::operations::{OperationKind, OperationTarget};
use l10n_api_types::{LanguageCode, ProjectId, RequestId, VersionId};

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

text_enum! {
    /// The stored status of an operation. Only `expires_at` tells that its time has ended.
    pub enum StoredOperationStatus {
        /// No one has decided.
        Pending = "pending",
        /// Allowed, and not used.
        Approved = "approved",
        /// Refused.
        Denied = "denied",
        /// The work was done.
        Used = "used",
        /// The key that asked was revoked or has expired.
        Canceled = "canceled",
    }
}

row! {
    /// An operation, with the names of who asked and where.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Operation {
        /// `op_…`
        pub id: String,
        /// The project
        pub project_id: ProjectId,
        /// Handle of the project's workspace
        pub handle: String,
        /// Slug of the project
        pub slug: String,
        /// The key that asked
        pub api_key_id: String,
        /// The label of that key
        pub label: String,
        /// The kind of work that it allows
        pub kind: OperationKind,
        /// The target of the work
        pub target: OperationTarget,
        /// Most that a run may be quoted, in whole credits
        pub max_credits: Option<i64>,
        /// Most keys that a run may archive; none when NULL
        pub max_archived_keys: Option<i64>,
        /// The version that may be restored
        pub version_id: Option<VersionId>,
        /// The document that it is limited to
        pub document_id: Option<String>,
        /// The languages that it is limited to
        pub languages: Option<Json<Vec<LanguageCode>>>,
        /// The note of the one who asked
        pub note: Option<String>,
        /// Its stored status
        pub status: StoredOperationStatus,
        /// The person who decided
        pub decided_by: Option<String>,
        /// The time of the decision
        pub decided_at: Option<Timestamp>,
        /// The reason of the decision
        pub reason: Option<String>,
        /// The write that used it
        pub request_id: Option<String>,
        /// The time of the request
        pub created_at: Timestamp,
        /// From when on nothing comes of it any more
        pub expires_at: Timestamp,
    }
}

/// The beginning of a statement that reads [`Operation`].
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT o.id, o.project_id, w.handle, p.slug, o.api_key_id, k.label, o.kind, o.target, o.max_credits, \
             o.max_archived_keys, o.version_id, o.document_id, o.languages, o.note, o.status, o.decided_by, o.decided_at, o.reason, \
             o.request_id, o.created_at, o.expires_at FROM operations o JOIN api_keys k ON k.id = o.api_key_id \
             JOIN projects p ON p.id = o.project_id JOIN workspaces w ON w.id = p.workspace_id ",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO operations (id, project_id, api_key_id, kind, target, max_credits, max_archived_keys, \
        version_id, document_id, languages, note, status, created_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    FIND = select!("WHERE o.id = $1");
    LOCK = sqlite "SELECT id FROM operations WHERE id = $1",
        postgres "SELECT id FROM operations WHERE id = $1 FOR NO KEY UPDATE";
    LIST = select!("WHERE o.id < $1 ORDER BY o.id DESC LIMIT $2");
    LIST_OF_PROJECT = select!("WHERE o.project_id = $1 AND o.id < $2 ORDER BY o.id DESC LIMIT $3");
    PENDING = select!(
        "WHERE o.project_id = $1 AND o.status = 'pending' AND o.expires_at > $2 AND (o.expires_at, o.id) > ($3, $4) \
        ORDER BY o.expires_at, o.id LIMIT $5"
    );
    COUNT_PENDING = "SELECT COUNT(*) FROM (SELECT 1 FROM operations WHERE project_id = $1 AND status = 'pending' \
        AND expires_at > $2 LIMIT $3) few";
    COUNT_PENDING_OF_KEY = "SELECT COUNT(*) FROM (SELECT 1 FROM operations WHERE project_id = $1 AND status = 'pending' \
        AND expires_at > $2 AND api_key_id = $3 LIMIT $4) few";
    OPEN_OF_KEY = select!(
        "WHERE o.api_key_id = $1 AND o.status IN ('pending', 'approved') AND o.expires_at > $2 ORDER BY o.id LIMIT $3"
    );
    DECIDE = "UPDATE operations SET status = $2, decided_by = $3, decided_at = $4, reason = $5, expires_at = $6 \
        WHERE id = $1 AND status = 'pending' AND expires_at > $4";
    USE = "UPDATE operations SET status = 'used', request_id = $2 WHERE id = $1 AND status = 'approved' AND expires_at > $3";
    CANCEL = "UPDATE operations SET status = 'canceled' \
        WHERE api_key_id = $1 AND status IN ('pending', 'approved') AND expires_at > $2";
}

/// The data of a new operation; it is pending.
#[derive(Debug, Clone, Copy)]
pub struct NewOperation<'a> {
    /// `op_…`
    pub id: &'a str,
    /// The project
    pub project_id: &'a ProjectId,
    /// The key that asks
    pub api_key_id: &'a str,
    /// The kind of work
    pub kind: OperationKind,
    /// The target of the work
    pub target: OperationTarget,
    /// Most that a run may be quoted, in whole credits
    pub max_credits: Option<u32>,
    /// Most keys that a run may archive
    pub max_archived_keys: Option<u32>,
    /// The version to restore
    pub version_id: Option<&'a VersionId>,
    /// The document that it is limited to
    pub document_id: Option<&'a str>,
    /// The languages that it is limited to
    pub languages: Option<&'a [LanguageCode]>,
    /// The note of the one who asks
    pub note: Option<&'a str>,
    /// Now
    pub created_at: Timestamp,
    /// Until when it waits
    pub expires_at: Timestamp,
}

/// A person's decision.
#[derive(Debug, Clone, Copy)]
pub struct StoredDecision<'a> {
    /// [`StoredOperationStatus::Approved`] or [`StoredOperationStatus::Denied`]
    pub status: StoredOperationStatus,
    /// The person who decided
    pub by: &'a str,
    /// Now
    pub at: Timestamp,
    /// The reason of the decision
    pub reason: Option<&'a str>,
    /// Until when an approval may be used
    pub expires_at: Timestamp,
}

/// Adds a pending operation.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewOperation<'_>) -> Result<(), StoreError> {
    let languages = new.languages.map(|languages| to_json("operations.languages", languages)).transpose()?;
    execute!(
        tx,
        INSERT,
        new.id,
        new.project_id.as_str(),
        new.api_key_id,
        new.kind.as_str(),
        new.target.as_str(),
        new.max_credits.map(i64::from),
        new.max_archived_keys.map(i64::from),
        new.version_id.map(VersionId::as_str),
        new.document_id,
        &languages,
        new.note,
        StoredOperationStatus::Pending.as_str(),
        new.created_at.as_millis(),
        new.expires_at.as_millis(),
    )
    .map(drop)
}

/// The operation `id`, of whatever project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<Operation>, StoreError> {
    fetch_optional!(tx, Operation, FIND, id)
}

/// Like [`find`]; no other transaction changes it until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock(tx: &mut Tx, id: &str) -> Result<Option<Operation>, StoreError> {
    // What is read is read after the lock was had: a statement that waits sees the row as it was before.
    match fetch_optional!(tx, (String,), LOCK, id)? {
        Some(_) => find(tx, id).await,
        None => Ok(None),
    }
}

/// Above every id.
pub const NEWEST: &str = "op~";

/// At most `limit` operations of one project or all, from the one before `before` on, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    project_id: Option<&ProjectId>,
    before: &str,
    limit: i64,
) -> Result<Vec<Operation>, StoreError> {
    match project_id {
        Some(project_id) => fetch_all!(tx, Operation, LIST_OF_PROJECT, project_id.as_str(), before, limit),
        None => fetch_all!(tx, Operation, LIST, before, limit),
    }
}

/// At most `limit` operations of a project that wait for a decision at `now`, those that expire first at the front; only those
/// behind the one of this end and id, if there is such a one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn pending(
    tx: &mut Tx,
    project_id: &ProjectId,
    now: Timestamp,
    after: Option<(Timestamp, &str)>,
    limit: i64,
) -> Result<Vec<Operation>, StoreError> {
    let (end, id) = after.unwrap_or((Timestamp::from_millis(0), ""));
    fetch_all!(tx, Operation, PENDING, project_id.as_str(), now.as_millis(), end.as_millis(), id, limit)
}

/// The number of operations of a project that wait for a decision at `now`, counted up to `most`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count_pending(tx: &mut Tx, project_id: &ProjectId, now: Timestamp, most: i64) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT_PENDING, project_id.as_str(), now.as_millis(), most)?;
    Ok(count)
}

/// The number of operations that a key of this project has asked for and that wait for a decision at `now`, counted up to `most`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count_pending_of_key(
    tx: &mut Tx,
    (project_id, api_key_id): (&ProjectId, &str),
    now: Timestamp,
    most: i64,
) -> Result<i64, StoreError> {
    let now = now.as_millis();
    let (count,) = fetch_one!(tx, (i64,), COUNT_PENDING_OF_KEY, project_id.as_str(), now, api_key_id, most)?;
    Ok(count)
}

/// At most `limit` operations that a key has asked for and that its revocation would cancel, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn open_of_key(
    tx: &mut Tx,
    api_key_id: &str,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<Operation>, StoreError> {
    fetch_all!(tx, Operation, OPEN_OF_KEY, api_key_id, now.as_millis(), limit)
}

/// Writes a decision about an operation that waits for one. Returns whether there was such a one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn decide(tx: &mut Tx, id: &str, decision: StoredDecision<'_>) -> Result<bool, StoreError> {
    let StoredDecision { status, by, at, reason, expires_at } = decision;
    Ok(execute!(tx, DECIDE, id, status.as_str(), by, at.as_millis(), reason, expires_at.as_millis())? == 1)
}

/// Uses an approved operation up. Returns whether there was such a one: of all who ask, one is told so.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn use_up(tx: &mut Tx, id: &str, request_id: &RequestId, now: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, USE, id, request_id.as_str(), now.as_millis())? == 1)
}

/// Cancels what a key has asked for and not used; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn cancel(tx: &mut Tx, api_key_id: &str, now: Timestamp) -> Result<u64, StoreError> {
    execute!(tx, CANCEL, api_key_id, now.as_millis())
}
