//! Keys: the strings of a project in its base language.

mod rows;

use std::collections::HashMap;

use l10n_api_types::{Content, ProjectId, TrackingToken};
use l10n_formats::SourceHash;
use l10n_formats::text::Syntax;

pub use self::rows::{ActiveKey, Key, KeyState, KeyToTranslate, PublishableKey, StoredKey};
use super::row::to_json;
use super::{StoreError, Tx, staged_runs};
use crate::clock::Timestamp;

statements! {
    ACTIVE_AFTER = "SELECT id, ref AS name, source_hash FROM keys WHERE project_id = $1 AND state = 'active' AND ref > $2 \
        ORDER BY ref LIMIT $3";
    PUBLISHABLE = "SELECT k.id, COALESCE(c.code_ref, k.ref) AS name, k.namespace, k.source_path, k.position, k.description, \
        k.max_length, k.source FROM keys k LEFT JOIN code_changes c ON c.key_id = k.id AND c.kind = 'key_renamed' \
        WHERE k.project_id = $1 AND k.state = 'active'";
    BY_PATH = "SELECT id, ref AS name, namespace, source_path, position, source_hash, description, max_length, tags, syntax, state, \
        created_at, updated_at FROM keys WHERE project_id = $1 AND source_path = $2 AND staged_by IS NULL ORDER BY position, id";
    BY_REFS = values "SELECT id, ref AS name, namespace, source_path, position, source_hash, description, max_length, tags, \
        syntax, state, created_at, updated_at FROM keys WHERE project_id = $1 AND staged_by IS NULL AND ref IN (" each "?" then ")";
    SOURCES = values "SELECT id, ref AS name, source, source_hash, description, max_length, syntax, state FROM keys WHERE id IN ("
        each "?" then ")";
    SIZES = values "SELECT id, CAST(octet_length(source) AS BIGINT) FROM keys WHERE id IN (" each "?" then ")";
    UPSERT = values "INSERT INTO keys (id, project_id, ref, namespace, source_path, position, source, source_hash, \
        characters, description, max_length, tags, syntax, state, created_at, updated_at) VALUES"
        each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (id) DO UPDATE SET namespace = excluded.namespace, source_path = excluded.source_path, \
        position = excluded.position, source = excluded.source, source_hash = excluded.source_hash, \
        characters = excluded.characters, description = excluded.description, max_length = excluded.max_length, \
        tags = excluded.tags, syntax = excluded.syntax, state = excluded.state, updated_at = excluded.updated_at";
    STAGE = values "INSERT INTO keys (id, project_id, ref, namespace, source_path, position, source, source_hash, \
        characters, description, max_length, tags, syntax, state, created_at, updated_at, staged_by) VALUES"
        each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'archived', ?, ?, ?)" then "";
    RENAME = "UPDATE keys SET ref = $2, updated_at = $3 WHERE id = $1";
    CAPTURED = "SELECT id, ref AS name, namespace, source_path, position, source, source_hash, characters, description, \
        max_length, tags, syntax, state, created_at, updated_at FROM keys \
        WHERE project_id = $1 AND state = 'captured' AND ref > $2 ORDER BY ref LIMIT $3";
    CAPTURED_OF = values "SELECT id, ref AS name, namespace, source_path, position, source, source_hash, characters, \
        description, max_length, tags, syntax, state, created_at, updated_at FROM keys WHERE project_id = $1 AND state = 'captured' \
        AND id IN (" each "?" then ") ORDER BY ref";
    DISCARD = values "DELETE FROM keys WHERE state = 'captured' AND id IN (" each "?" then ")";
    ARCHIVE = values "UPDATE keys SET state = 'archived', updated_at = $1 WHERE state = 'active' AND id IN (" each "?" then ")";
    FIND = "SELECT id, ref AS name, namespace, source_path, position, source, source_hash, characters, description, \
        max_length, tags, syntax, state, created_at, updated_at FROM keys WHERE project_id = $1 AND ref = $2 AND staged_by IS NULL";
}

/// A key to insert, or to write over the one with the same id.
#[derive(Debug, Clone, Copy)]
pub struct NewKey<'a> {
    /// `str_…`
    pub id: &'a str,
    /// Its `ref`
    pub name: &'a str,
    /// The part of the project that it belongs to
    pub namespace: Option<&'a str>,
    /// The file that it comes from
    pub source_path: Option<&'a str>,
    /// Its place
    pub position: i64,
    /// Its text
    pub source: &'a Content,
    /// Hash of `source`
    pub source_hash: SourceHash,
    /// A note for translators
    pub description: Option<&'a str>,
    /// Longest translation allowed
    pub max_length: Option<i64>,
    /// Labels for people
    pub tags: Option<&'a [String]>,
    /// The syntax of its text
    pub syntax: Syntax,
    /// The time at which it was added; not changed by a later write
    pub created_at: Timestamp,
    /// The time of its last change
    pub updated_at: Timestamp,
}

impl NewKey<'_> {
    /// The name of its syntax, as it is stored: nothing where the text may have any.
    pub(super) fn syntax(&self) -> Option<&'static str> {
        (self.syntax != Syntax::Mixed).then(|| self.syntax.as_str())
    }
}

/// Writes keys as active ones: those whose id is new are inserted, the others overwritten save `ref` and `created_at`.
///
/// # Errors
///
/// [`StoreError::Unique`] when a `ref` is held by a key of another id.
pub async fn upsert(tx: &mut Tx, project_id: &ProjectId, keys: &[NewKey<'_>]) -> Result<u64, StoreError> {
    write(tx, project_id, keys, KeyState::Active).await
}

/// Writes keys like [`upsert`], as captured ones.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn capture(tx: &mut Tx, project_id: &ProjectId, keys: &[NewKey<'_>]) -> Result<u64, StoreError> {
    write(tx, project_id, keys, KeyState::Captured).await
}

/// Writes keys of a run ahead, which its last transaction makes live. Until then nobody sees them.
///
/// # Errors
///
/// [`StoreError::Unique`] when the project has a key of that id or `ref` by now.
pub async fn stage(tx: &mut Tx, project_id: &ProjectId, keys: &[NewKey<'_>], run: &TrackingToken) -> Result<u64, StoreError> {
    make_way(tx, project_id, Some(run), keys).await?;
    let mut rows = Vec::with_capacity(keys.len());
    for key in keys {
        let source = to_json("keys.source", key.source)?;
        let tags = key.tags.map(|tags| to_json("keys.tags", tags)).transpose()?;
        rows.push((key, source, tags, i64::try_from(key.source.characters()).unwrap_or(i64::MAX)));
    }
    execute_values!(tx, STAGE, [], rows, |(key, source, tags, characters)| [
        key.id,
        project_id.as_str(),
        key.name,
        key.namespace,
        key.source_path,
        key.position,
        source.as_str(),
        key.source_hash.as_bytes(),
        *characters,
        key.description,
        key.max_length,
        tags.as_deref(),
        key.syntax(),
        key.created_at.as_millis(),
        key.updated_at.as_millis(),
        run.as_str(),
    ])
}

async fn make_way(
    tx: &mut Tx,
    project_id: &ProjectId,
    run: Option<&TrackingToken>,
    keys: &[NewKey<'_>],
) -> Result<(), StoreError> {
    if keys.is_empty() {
        return Ok(());
    }
    let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
    staged_runs::make_way(tx, project_id, run, &names).await
}

async fn write(tx: &mut Tx, project_id: &ProjectId, keys: &[NewKey<'_>], state: KeyState) -> Result<u64, StoreError> {
    make_way(tx, project_id, None, keys).await?;
    let mut rows = Vec::with_capacity(keys.len());
    for key in keys {
        let source = to_json("keys.source", key.source)?;
        let tags = key.tags.map(|tags| to_json("keys.tags", tags)).transpose()?;
        rows.push((key, source, tags, i64::try_from(key.source.characters()).unwrap_or(i64::MAX)));
    }
    execute_values!(tx, UPSERT, [], rows, |(key, source, tags, characters)| [
        key.id,
        project_id.as_str(),
        key.name,
        key.namespace,
        key.source_path,
        key.position,
        source.as_str(),
        key.source_hash.as_bytes(),
        *characters,
        key.description,
        key.max_length,
        tags.as_deref(),
        key.syntax(),
        state.as_str(),
        key.created_at.as_millis(),
        key.updated_at.as_millis(),
    ])
}

/// Every key that a file holds or held, in its order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn held_by_path(tx: &mut Tx, project_id: &ProjectId, path: &str) -> Result<Vec<StoredKey>, StoreError> {
    fetch_all!(tx, StoredKey, BY_PATH, project_id.as_str(), path)
}

/// Those of the named keys that the project knows, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn held_by_refs(tx: &mut Tx, project_id: &ProjectId, refs: &[&str]) -> Result<Vec<StoredKey>, StoreError> {
    fetch_values!(tx, StoredKey, BY_REFS, [project_id.as_str()], refs, |name| [*name])
}

/// Keys with their texts, by id, in no order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sources(tx: &mut Tx, ids: &[&str]) -> Result<Vec<KeyToTranslate>, StoreError> {
    fetch_values!(tx, KeyToTranslate, SOURCES, [], ids, |id| [*id])
}

/// Bytes of the texts of keys, by id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sizes(tx: &mut Tx, ids: &[&str]) -> Result<HashMap<String, i64>, StoreError> {
    Ok(fetch_values!(tx, (String, i64), SIZES, [], ids, |id| [*id])?.into_iter().collect())
}

/// The first `limit` active keys whose refs sort after `after`, in the order of their refs.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn active_after(
    tx: &mut Tx,
    project_id: &ProjectId,
    after: &str,
    limit: usize,
) -> Result<Vec<ActiveKey>, StoreError> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    fetch_all!(tx, ActiveKey, ACTIVE_AFTER, project_id.as_str(), after, limit)
}

/// Archives those of the keys that are active; returns how many were.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn archive(tx: &mut Tx, ids: &[&str], at: Timestamp) -> Result<u64, StoreError> {
    execute_values!(tx, ARCHIVE, [at.as_millis()], ids, |id| [*id])
}

/// Gives a key of a project another `ref`.
///
/// # Errors
///
/// [`StoreError::Unique`] when another key holds it; also when there is no such key.
pub async fn rename(tx: &mut Tx, project_id: &ProjectId, id: &str, name: &str, at: Timestamp) -> Result<(), StoreError> {
    staged_runs::make_way(tx, project_id, None, &[name]).await?;
    StoreError::exactly_one(execute!(tx, RENAME, id, name, at.as_millis())?)
}

/// At most `limit` captured keys whose refs sort after `after`, in the order of their refs.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn captured(tx: &mut Tx, project_id: &ProjectId, after: &str, limit: i64) -> Result<Vec<Key>, StoreError> {
    fetch_all!(tx, Key, CAPTURED, project_id.as_str(), after, limit)
}

/// Those of the keys that are captured.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn captured_of(tx: &mut Tx, project_id: &ProjectId, ids: &[&str]) -> Result<Vec<Key>, StoreError> {
    fetch_values!(tx, Key, CAPTURED_OF, [project_id.as_str()], ids, |id| [*id])
}

/// Deletes those of the keys that are captured; returns how many were. Nothing refers to a captured key.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn discard(tx: &mut Tx, ids: &[&str]) -> Result<u64, StoreError> {
    execute_values!(tx, DISCARD, [], ids, |id| [*id])
}

/// The key of that `ref`, whatever its state.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, project_id: &ProjectId, name: &str) -> Result<Option<Key>, StoreError> {
    fetch_optional!(tx, Key, FIND, project_id.as_str(), name)
}

/// Every active key of a project, in no order. A key that a person renamed has the name that the code has for it, until the
/// code has followed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn each_publishable(
    tx: &mut Tx,
    project_id: &ProjectId,
    mut take: impl FnMut(PublishableKey) + Send,
) -> Result<(), StoreError> {
    fetch_each!(tx, PublishableKey, PUBLISHABLE, [project_id.as_str()], |key| take(key))
}
