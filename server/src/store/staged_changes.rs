//! Changes that a staged run makes to keys that are there. They are made all at once, or in pieces after the run is live.

use l10n_api_types::TrackingToken;

use super::keys::NewKey;
use super::row::to_json;
use super::{StoreError, Tx, staged_translations, translations};
use crate::clock::Timestamp;

statements! {
    INSERT = values "INSERT INTO staged_changes (tracking_token, key_id, namespace, source_path, position, source, \
        source_hash, characters, description, max_length, tags, syntax, updated_at) VALUES"
        each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" then "";
    INSERT_ARCHIVED = values "INSERT INTO staged_changes (tracking_token, key_id, position, archives, updated_at) VALUES"
        each "(?, ?, 0, TRUE, ?)" then "";
    CHANGE_TEXTS = "UPDATE keys SET position = s.position, source = s.source, source_hash = s.source_hash, \
        characters = s.characters, description = s.description, max_length = s.max_length, tags = s.tags, \
        syntax = s.syntax, updated_at = s.updated_at FROM staged_changes s \
        WHERE s.tracking_token = $1 AND s.key_id <= $2 AND s.source IS NOT NULL AND keys.id = s.key_id \
        AND keys.state = 'active' AND keys.namespace IS NOT DISTINCT FROM s.namespace \
        AND keys.source_path IS NOT DISTINCT FROM s.source_path";
    CHANGE = "UPDATE keys SET namespace = s.namespace, source_path = s.source_path, position = s.position, source = s.source, \
        source_hash = s.source_hash, characters = s.characters, description = s.description, max_length = s.max_length, \
        tags = s.tags, syntax = s.syntax, state = 'active', updated_at = s.updated_at FROM staged_changes s \
        WHERE s.tracking_token = $1 AND s.key_id <= $2 AND s.source IS NOT NULL AND keys.id = s.key_id \
        AND (keys.state <> 'active' OR keys.namespace IS DISTINCT FROM s.namespace \
        OR keys.source_path IS DISTINCT FROM s.source_path)";
    MOVE = "UPDATE keys SET position = s.position, syntax = s.syntax FROM staged_changes s \
        WHERE s.tracking_token = $1 AND s.key_id <= $2 AND s.source IS NULL AND NOT s.archives AND keys.id = s.key_id";
    ARCHIVE = "UPDATE keys SET state = 'archived', updated_at = s.updated_at FROM staged_changes s \
        WHERE s.tracking_token = $1 AND s.key_id <= $2 AND s.archives AND keys.id = s.key_id AND keys.state = 'active'";
    ARE_THERE = "SELECT COUNT(*) FROM staged_changes s JOIN keys k ON k.id = s.key_id WHERE s.tracking_token = $1";
    NEXT = "SELECT key_id FROM staged_changes WHERE tracking_token = $1 ORDER BY key_id LIMIT $2";
    NEW_TEXTS = "SELECT s.key_id FROM staged_changes s JOIN keys k ON k.id = s.key_id \
        WHERE s.tracking_token = $1 AND s.key_id <= $2 AND s.source IS NOT NULL AND s.source_hash <> k.source_hash";
    DELETE_TO = "DELETE FROM staged_changes WHERE tracking_token = $1 AND key_id <= $2";
    DELETE_SOME = "DELETE FROM staged_changes WHERE tracking_token = $1 AND key_id IN \
        (SELECT key_id FROM staged_changes WHERE tracking_token = $1 ORDER BY key_id LIMIT $2)";
}

/// A bound that sorts after every id.
const END: &str = "~";

/// The change that a run makes to an existing key.
#[derive(Debug, Clone, Copy)]
pub struct StagedKey<'a> {
    /// The key as it shall be
    pub key: NewKey<'a>,
    /// True if only its place differs
    pub only_moves: bool,
}

/// The numbers of a run's changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeTotals {
    /// Keys that change
    pub changes: u64,
    /// Keys that only move
    pub moves: u64,
    /// Keys that are archived
    pub archives: u64,
}

impl ChangeTotals {
    /// The keys in all.
    pub(super) const fn keys(self) -> u64 {
        self.changes + self.moves + self.archives
    }
}

/// Notes what a run will make of keys that are there.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, run: &TrackingToken, changes: &[StagedKey<'_>]) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(changes.len());
    for StagedKey { key, only_moves } in changes {
        let whole = match only_moves {
            true => None,
            false => {
                Some((to_json("keys.source", key.source)?, i64::try_from(key.source.characters()).unwrap_or(i64::MAX)))
            }
        };
        let tags = key.tags.filter(|_| !only_moves).map(|tags| to_json("keys.tags", tags)).transpose()?;
        rows.push((key, whole, tags));
    }
    execute_values!(tx, INSERT, [], rows, |(key, whole, tags)| [
        run.as_str(),
        key.id,
        key.namespace.filter(|_| whole.is_some()),
        key.source_path.filter(|_| whole.is_some()),
        key.position,
        whole.as_ref().map(|(source, _)| source.as_str()),
        whole.as_ref().map(|_| key.source_hash.as_bytes()),
        whole.as_ref().map(|(_, characters)| *characters),
        key.description.filter(|_| whole.is_some()),
        key.max_length.filter(|_| whole.is_some()),
        tags.as_deref(),
        key.syntax(),
        whole.as_ref().map(|_| key.updated_at.as_millis()),
    ])
    .map(drop)
}

/// Notes which keys a run will archive.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert_archived(tx: &mut Tx, run: &TrackingToken, ids: &[&str], at: Timestamp) -> Result<(), StoreError> {
    execute_values!(tx, INSERT_ARCHIVED, [], ids, |id| [run.as_str(), *id, at.as_millis()]).map(drop)
}

/// Returns true if all keys that a run changes are there.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn are_there(tx: &mut Tx, run: &TrackingToken, expected: ChangeTotals) -> Result<bool, StoreError> {
    let (found,) = fetch_one!(tx, (i64,), ARE_THERE, run.as_str())?;
    Ok(u64::try_from(found).unwrap_or_default() == expected.keys())
}

/// Makes all changes of a run; `false` when one of the keys is not there any more. That translations are stale now is not
/// marked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn make_all(tx: &mut Tx, run: &TrackingToken, expected: ChangeTotals) -> Result<bool, StoreError> {
    if expected.moves > 0 && execute!(tx, MOVE, run.as_str(), END)? != expected.moves {
        return Ok(false);
    }
    if expected.archives > 0 && execute!(tx, ARCHIVE, run.as_str(), END)? != expected.archives {
        return Ok(false);
    }
    if expected.changes == 0 {
        return Ok(true);
    }
    // SQLite writes every index whose columns a statement names, whether they change or not, and every writer waits for it.
    // So what usually changes goes first and alone; it does not make a key one that the other statement takes.
    let mut changed = execute!(tx, CHANGE_TEXTS, run.as_str(), END)?;
    if changed < expected.changes {
        changed += execute!(tx, CHANGE, run.as_str(), END)?;
    }
    Ok(changed == expected.changes)
}

/// Makes the next changes of a run, of so many keys at most, and with them all that belongs to these keys: their
/// translations that the run brings, and whether the others are stale. Returns `false` when there are no more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn make_some(tx: &mut Tx, run: &TrackingToken, most: i64) -> Result<bool, StoreError> {
    let next = fetch_all!(tx, (String,), NEXT, run.as_str(), most)?;
    let Some((last,)) = next.last() else { return Ok(false) };
    let stale = fetch_all!(tx, (String,), NEW_TEXTS, run.as_str(), last.as_str())?;
    execute!(tx, MOVE, run.as_str(), last.as_str())?;
    execute!(tx, CHANGE_TEXTS, run.as_str(), last.as_str())?;
    execute!(tx, CHANGE, run.as_str(), last.as_str())?;
    execute!(tx, ARCHIVE, run.as_str(), last.as_str())?;
    let keys: Vec<&str> = next.iter().map(|(id,)| id.as_str()).collect();
    staged_translations::write(tx, run, &keys).await?;
    let stale: Vec<&str> = stale.iter().map(|(id,)| id.as_str()).collect();
    translations::mark_stale(tx, &stale).await?;
    execute!(tx, DELETE_TO, run.as_str(), last.as_str())?;
    Ok(true)
}

/// Deletes so many changes of a run at most; returns `false` when there are no more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(super) async fn delete_some(tx: &mut Tx, run: &TrackingToken, most: i64) -> Result<bool, StoreError> {
    Ok(execute!(tx, DELETE_SOME, run.as_str(), most)? > 0)
}
