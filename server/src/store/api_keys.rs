//! API keys: what they may do, and the hash by which a request's key is found. The text of a key is never stored.

use l10n_api_types::{KeyKind, ProjectId, Scope, WorkspaceId};

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// The record of an API key.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ApiKey {
        /// `key_…`
        pub id: String,
        /// The project that it belongs to
        pub project_id: ProjectId,
        /// Its label for people
        pub label: String,
        /// Exact scopes
        pub scopes: Json<Vec<Scope>>,
        /// The kind of its user
        pub kind: KeyKind,
        /// The time at which it was made
        pub created_at: Timestamp,
        /// From when on it is refused
        pub revoked_at: Option<Timestamp>,
        /// From when on it is refused, as its maker chose
        pub ends_at: Option<Timestamp>,
        /// The last four characters of its text, where they are known
        pub hint: Option<String>,
        /// The person who made it, where it was one
        pub made_by: Option<String>,
        /// The hour in which it was last used
        pub used_at: Option<Timestamp>,
    }
}

/// The columns of [`ApiKey`], and the rest of a statement that reads it.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, project_id, label, scopes, kind, created_at, revoked_at, ends_at, hint, made_by, used_at FROM api_keys ",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO api_keys (id, project_id, hash, label, scopes, kind, created_at, revoked_at, ends_at, hint, made_by) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, NULL, $8, $9, $10)";
    FIND = select!("WHERE id = $1");
    LOCK = sqlite "SELECT id FROM api_keys WHERE id = $1",
        postgres "SELECT id FROM api_keys WHERE id = $1 FOR NO KEY UPDATE";
    FIND_BY_HASH = select!("WHERE hash = $1 AND revoked_at IS NULL");
    WITH_PROJECTS = values "SELECT k.hash, k.id, k.project_id, k.scopes, k.kind, k.ends_at, k.used_at, p.workspace_id, \
        p.archived_at FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE k.revoked_at IS NULL AND k.hash IN ("
        each "?" then ")";
    LIST = select!("WHERE project_id = $1 ORDER BY id");
    PAGE = select!("WHERE project_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3");
    COUNT = "SELECT COUNT(*) FROM api_keys WHERE project_id = $1 AND revoked_at IS NULL";
    MADE_BY = "SELECT COUNT(*) FROM api_keys k JOIN projects p ON p.id = k.project_id WHERE p.workspace_id = $1 \
        AND p.archived_at IS NULL AND k.made_by = $2 AND k.revoked_at IS NULL AND (k.ends_at IS NULL OR k.ends_at > $3)";
    LABELLED = "SELECT id FROM api_keys WHERE project_id = $1 AND label = $2 AND revoked_at IS NULL \
        AND (ends_at IS NULL OR ends_at > $3) ORDER BY id LIMIT 1";
    HOLD = sqlite "SELECT id FROM api_keys WHERE id = $1 AND revoked_at IS NULL",
        postgres "SELECT id FROM api_keys WHERE id = $1 AND revoked_at IS NULL FOR NO KEY UPDATE";
    REVOKE = "UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
    END = "UPDATE api_keys SET ends_at = $2 WHERE id = $1 AND revoked_at IS NULL AND (ends_at IS NULL OR ends_at > $2)";
    ENDED = "SELECT id FROM api_keys WHERE ends_at <= $1 AND ends_at IS NOT NULL AND revoked_at IS NULL ORDER BY ends_at LIMIT $2";
    SET_USED = padded values "UPDATE api_keys SET used_at = uses.column2 FROM (VALUES" each "(?, CAST(? AS BIGINT))"
        then ") AS uses WHERE api_keys.id = uses.column1 \
        AND (api_keys.used_at IS NULL OR api_keys.used_at < uses.column2)";
}

/// The data of a new key.
#[derive(Debug, Clone, Copy)]
pub struct NewApiKey<'a> {
    /// `key_…`
    pub id: &'a str,
    /// Its project
    pub project_id: &'a ProjectId,
    /// SHA-256 of its text
    pub hash: [u8; 32],
    /// Its label for people
    pub label: &'a str,
    /// Exact scopes
    pub scopes: &'a [Scope],
    /// The kind of its user
    pub kind: KeyKind,
    /// Now
    pub created_at: Timestamp,
    /// From when on it is refused
    pub ends_at: Option<Timestamp>,
    /// The last four characters of its text
    pub hint: &'a str,
    /// The person who makes it
    pub made_by: Option<&'a str>,
}

/// Adds a key.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewApiKey<'_>) -> Result<(), StoreError> {
    let scopes = to_json("api_keys.scopes", new.scopes)?;
    execute!(
        tx,
        INSERT,
        new.id,
        new.project_id.as_str(),
        &new.hash[..],
        new.label,
        scopes,
        new.kind.as_str(),
        new.created_at.as_millis(),
        new.ends_at.map(Timestamp::as_millis),
        new.hint,
        new.made_by,
    )
    .map(drop)
}

/// The key record `id`, revoked or not.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<ApiKey>, StoreError> {
    fetch_optional!(tx, ApiKey, FIND, id)
}

/// Like [`find`]; no other transaction changes it until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock(tx: &mut Tx, id: &str) -> Result<Option<ApiKey>, StoreError> {
    // What is read is read after the lock was had: a statement that waits sees the row as it was before.
    match fetch_optional!(tx, (String,), LOCK, id)? {
        Some(_) => find(tx, id).await,
        None => Ok(None),
    }
}

/// The key whose text has this SHA-256, unless it is revoked. It may have come to its end.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<ApiKey>, StoreError> {
    fetch_optional!(tx, ApiKey, FIND_BY_HASH, &hash[..])
}

row! {
    /// A key as requests are authenticated by it, with its project.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct KeyWithProject {
        /// SHA-256 of its text
        pub hash: [u8; 32],
        /// `key_…`
        pub id: String,
        /// The project that it belongs to
        pub project_id: ProjectId,
        /// Exact scopes
        pub scopes: Json<Vec<Scope>>,
        /// The kind of its user
        pub kind: KeyKind,
        /// From when on it is refused, as its maker chose
        pub ends_at: Option<Timestamp>,
        /// The hour in which it was last used
        pub used_at: Option<Timestamp>,
        /// The workspace of its project
        pub workspace_id: WorkspaceId,
        /// Since when its project is hidden
        pub archived_at: Option<Timestamp>,
    }
}

/// The keys whose texts have these hashes, of those that are there and not revoked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn with_projects(tx: &mut Tx, hashes: &[&[u8; 32]]) -> Result<Vec<KeyWithProject>, StoreError> {
    fetch_values!(tx, KeyWithProject, WITH_PROJECTS, [], hashes, |hash| [&hash[..]])
}

/// Every key of a project, revoked ones too, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &ProjectId) -> Result<Vec<ApiKey>, StoreError> {
    fetch_all!(tx, ApiKey, LIST, project_id.as_str())
}

/// Keeps a key from being revoked, and from being held by others, to the end of `tx`, where it is not revoked yet; returns
/// whether it is not.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn hold(tx: &mut Tx, id: &str) -> Result<bool, StoreError> {
    Ok(fetch_optional!(tx, (String,), HOLD, id)?.is_some())
}

/// Refuses a key from now on. Returns whether there was one to revoke: `false` for an unknown or revoked one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn revoke(tx: &mut Tx, id: &str, at: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, REVOKE, id, at.as_millis())? == 1)
}

/// At most `limit` keys of a project, from the one before `before` on, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(tx: &mut Tx, project_id: &ProjectId, before: &str, limit: i64) -> Result<Vec<ApiKey>, StoreError> {
    fetch_all!(tx, ApiKey, PAGE, project_id.as_str(), before, limit)
}

/// The number of a project's keys that are not revoked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, project_id: &ProjectId) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), COUNT, project_id.as_str())?;
    Ok(count)
}

/// The number of keys in a workspace that a person has made and that are not refused at `now`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn made_by(tx: &mut Tx, workspace: &WorkspaceId, person: &str, now: Timestamp) -> Result<i64, StoreError> {
    let (count,) = fetch_one!(tx, (i64,), MADE_BY, workspace.as_str(), person, now.as_millis())?;
    Ok(count)
}

/// Returns true if a key of the project that is not refused at `now` has this label.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_labelled(
    tx: &mut Tx,
    project_id: &ProjectId,
    label: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    Ok(fetch_optional!(tx, (String,), LABELLED, project_id.as_str(), label, now.as_millis())?.is_some())
}

/// Refuses a key from `at` on, unless it ends before. Returns whether its end has changed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end(tx: &mut Tx, id: &str, at: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, END, id, at.as_millis())? == 1)
}

/// At most `most` keys that have come to their end by `now` and are not revoked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn ended(tx: &mut Tx, now: Timestamp, most: i64) -> Result<Vec<String>, StoreError> {
    let found = fetch_all!(tx, (String,), ENDED, now.as_millis(), most)?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}

/// Notes when keys were used last.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn set_used(tx: &mut Tx, uses: &[(String, Timestamp)]) -> Result<u64, StoreError> {
    execute_values!(tx, SET_USED, [], uses, |(id, at)| [id.as_str(), at.as_millis()])
}
