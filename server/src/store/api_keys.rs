//! API keys: what they may do, and the hash by which a request's key is found. The text of a key is never stored.

use l10n_api_types::{KeyKind, Scope};

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
        pub project_id: String,
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
    }
}

statements! {
    INSERT = "INSERT INTO api_keys (id, project_id, hash, label, scopes, kind, created_at, revoked_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, NULL)";
    FIND = "SELECT id, project_id, label, scopes, kind, created_at, revoked_at FROM api_keys WHERE id = $1";
    FIND_BY_HASH = "SELECT id, project_id, label, scopes, kind, created_at, revoked_at FROM api_keys \
        WHERE hash = $1 AND revoked_at IS NULL";
    FIND_BY_HASHES = values "SELECT hash, id, project_id, label, scopes, kind, created_at, revoked_at FROM api_keys \
        WHERE revoked_at IS NULL AND hash IN (" each "?" then ")";
    LIST = "SELECT id, project_id, label, scopes, kind, created_at, revoked_at FROM api_keys WHERE project_id = $1 ORDER BY id";
    HOLD = sqlite "SELECT id FROM api_keys WHERE id = $1 AND revoked_at IS NULL",
        postgres "SELECT id FROM api_keys WHERE id = $1 AND revoked_at IS NULL FOR SHARE";
    REVOKE = "UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
}

/// The data of a new key.
#[derive(Debug, Clone, Copy)]
pub struct NewApiKey<'a> {
    /// `key_…`
    pub id: &'a str,
    /// Its project
    pub project_id: &'a str,
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
}

/// Adds a key.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewApiKey<'_>) -> Result<(), StoreError> {
    let scopes = to_json("api_keys.scopes", new.scopes)?;
    let (hash, kind) = (&new.hash[..], new.kind.as_str());
    execute!(tx, INSERT, new.id, new.project_id, hash, new.label, scopes, kind, new.created_at.as_millis()).map(drop)
}

/// The key record `id`, revoked or not.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, id: &str) -> Result<Option<ApiKey>, StoreError> {
    fetch_optional!(tx, ApiKey, FIND, id)
}

/// The key whose text has this SHA-256, unless it is revoked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_hash(tx: &mut Tx, hash: &[u8; 32]) -> Result<Option<ApiKey>, StoreError> {
    fetch_optional!(tx, ApiKey, FIND_BY_HASH, &hash[..])
}

row! {
    /// A key with the hash of its text.
    struct ApiKeyHash {
        hash: [u8; 32],
        id: String,
        project_id: String,
        label: String,
        scopes: Json<Vec<Scope>>,
        kind: KeyKind,
        created_at: Timestamp,
        revoked_at: Option<Timestamp>,
    }
}

/// The keys whose texts have these hashes, of those that are there and not revoked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_hashes(tx: &mut Tx, hashes: &[&[u8; 32]]) -> Result<Vec<([u8; 32], ApiKey)>, StoreError> {
    let found = fetch_values!(tx, ApiKeyHash, FIND_BY_HASHES, [], hashes, |hash| [&hash[..]])?;
    let keys = found.into_iter().map(|found| {
        let ApiKeyHash { hash, id, project_id, label, scopes, kind, created_at, revoked_at } = found;
        (hash, ApiKey { id, project_id, label, scopes, kind, created_at, revoked_at })
    });
    Ok(keys.collect())
}

/// Every key of a project, revoked ones too, oldest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, project_id: &str) -> Result<Vec<ApiKey>, StoreError> {
    fetch_all!(tx, ApiKey, LIST, project_id)
}

/// Keeps a key from being revoked to the end of `tx`, where it is not revoked yet; returns whether it is not.
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
