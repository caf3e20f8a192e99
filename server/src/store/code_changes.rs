//! People's changes of source texts that the code lacks. The project's side is in the key.

use l10n_api_types::pending_code_changes::ChangeKind;
use l10n_api_types::{Content, ProjectId};

use super::keys::KeyState;
use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A change, with the key that it is about.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct PendingChange {
        /// `chg_…`
        pub id: String,
        /// The key
        pub key_id: String,
        /// The kind of the change
        pub kind: ChangeKind,
        /// The name that the code has for a key that was renamed
        pub code_ref: Option<String>,
        /// The code's side of a key that was changed or archived
        pub code_source: Option<Json<Content>>,
        /// The file of a key that was added
        pub file: Option<String>,
        /// The person who made it last
        pub made_by: String,
        /// The time of the first change
        pub created_at: Timestamp,
        /// The time of the last one
        pub updated_at: Timestamp,
        /// The key's `ref`
        pub name: String,
        /// The key's text
        pub source: Json<Content>,
        /// The file that the key was synced from
        pub source_path: Option<String>,
        /// The key's state
        pub state: KeyState,
        /// The name that the code has for the key, where it was renamed
        pub code_name: Option<String>,
    }
}

row! {
    /// A change of a key.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct CodeChangeRow {
        /// `chg_…`
        pub id: String,
        /// The kind of the change
        pub kind: ChangeKind,
        /// The name that the code has for a key that was renamed
        pub code_ref: Option<String>,
        /// The code's side of a key that was changed or archived
        pub code_source: Option<Json<Content>>,
    }
}

statements! {
    INSERT = "INSERT INTO code_changes (id, project_id, key_id, kind, code_ref, code_source, file, made_by, created_at, \
        updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
    LIST = "SELECT c.id, c.key_id, c.kind, c.code_ref, c.code_source, c.file, c.made_by, c.created_at, c.updated_at, \
        k.ref AS name, k.source, k.source_path, k.state, r.code_ref AS code_name \
        FROM code_changes c JOIN keys k ON k.id = c.key_id \
        LEFT JOIN code_changes r ON r.key_id = c.key_id AND r.kind = 'key_renamed' \
        WHERE c.project_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3";
    SIZES = "SELECT c.id, CAST(octet_length(k.source) + COALESCE(octet_length(c.code_source), 0) AS BIGINT) \
        FROM code_changes c JOIN keys k ON k.id = c.key_id WHERE c.project_id = $1 AND c.id > $2 ORDER BY c.id LIMIT $3";
    FIND = "SELECT c.id, c.key_id, c.kind, c.code_ref, c.code_source, c.file, c.made_by, c.created_at, c.updated_at, \
        k.ref AS name, \
        k.source, k.source_path, k.state, r.code_ref AS code_name \
        FROM code_changes c JOIN keys k ON k.id = c.key_id \
        LEFT JOIN code_changes r ON r.key_id = c.key_id AND r.kind = 'key_renamed' \
        WHERE c.project_id = $1 AND c.id = $2";
    OF_KEY = "SELECT id, kind, code_ref, code_source FROM code_changes WHERE key_id = $1 ORDER BY id";
    CODE_REFS = values "SELECT code_ref AS name FROM code_changes WHERE project_id = $1 AND kind = 'key_renamed' \
        AND code_ref IN (" each "?" then ")";
    JOIN = "UPDATE code_changes SET made_by = $2, updated_at = $3 WHERE id = $1";
    SETTLE = values "DELETE FROM code_changes WHERE id IN (" each "?" then ")";
}

/// A change to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewChange<'a> {
    /// `chg_…`
    pub id: &'a str,
    /// The key
    pub key_id: &'a str,
    /// The kind of the change
    pub kind: ChangeKind,
    /// The name that the code has, of a key that was renamed
    pub code_ref: Option<&'a str>,
    /// The code's side of a key that was changed or archived
    pub code_source: Option<&'a Content>,
    /// The file of a key that was added
    pub file: Option<&'a str>,
    /// The person who made it
    pub made_by: &'a str,
    /// Now
    pub created_at: Timestamp,
}

/// Keeps a change.
///
/// # Errors
///
/// [`StoreError::Unique`] when the key has one of this kind.
pub async fn insert(tx: &mut Tx, project_id: &ProjectId, new: NewChange<'_>) -> Result<(), StoreError> {
    let code_source = new.code_source.map(|source| to_json("code_changes.code_source", source)).transpose()?;
    execute!(
        tx,
        INSERT,
        new.id,
        project_id.as_str(),
        new.key_id,
        new.kind.as_str(),
        new.code_ref,
        code_source.as_deref(),
        new.file,
        new.made_by,
        new.created_at.as_millis(),
    )
    .map(drop)
}

/// At most `limit` changes of a project whose ids sort after `after`, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId, after: &str, limit: i64) -> Result<Vec<PendingChange>, StoreError> {
    fetch_all!(tx, PendingChange, LIST, project_id.as_str(), after, limit)
}

/// Ids and the bytes of the texts of those that [`list`] returns.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sizes(
    tx: &mut Tx,
    project_id: &ProjectId,
    after: &str,
    limit: i64,
) -> Result<Vec<(String, i64)>, StoreError> {
    fetch_all!(tx, (String, i64), SIZES, project_id.as_str(), after, limit)
}

/// A change of a project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, id: &str) -> Result<Option<PendingChange>, StoreError> {
    fetch_optional!(tx, PendingChange, FIND, project_id.as_str(), id)
}

/// Every change of a project, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn all(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<PendingChange>, StoreError> {
    list(tx, project_id, "", i64::MAX).await
}

/// The changes of a key, at most one of each kind.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_key(tx: &mut Tx, key_id: &str) -> Result<Vec<CodeChangeRow>, StoreError> {
    fetch_all!(tx, CodeChangeRow, OF_KEY, key_id)
}

/// Those of the refs by which the code knows keys that people renamed, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn code_refs(tx: &mut Tx, project_id: &ProjectId, refs: &[&str]) -> Result<Vec<String>, StoreError> {
    let found = fetch_values!(tx, (String,), CODE_REFS, [project_id.as_str()], refs, |name| [*name])?;
    Ok(found.into_iter().map(|(name,)| name).collect())
}

/// Says that somebody has gone on with a change.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such change.
pub async fn join(tx: &mut Tx, id: &str, made_by: &str, at: Timestamp) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, JOIN, id, made_by, at.as_millis())?)
}

/// Forgets changes: the code has them, or there is nothing left of them.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn settle(tx: &mut Tx, ids: &[&str]) -> Result<u64, StoreError> {
    execute_values!(tx, SETTLE, [], ids, |id| [*id])
}
