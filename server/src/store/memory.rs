//! Translation memory that all projects of a workspace share, found by the exact source content: what an engine translated,
//! and what a person has reviewed. [`project_memory`](super::project_memory) is that of one project.

use l10n_api_types::Content;
use l10n_formats::SourceHash;

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

/// The engine of entries that a person has reviewed. What earlier releases wrote of imported texts has none (`''`), and serves
/// no one.
pub const REVIEWED: &str = "*";

/// The resolution of the time of the last use: a week, in milliseconds. So a run writes little about its use of memory.
pub const USED_MILLIS: i64 = 7 * 24 * 60 * 60 * 1_000;

row! {
    /// An entry.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Entry {
        /// Hash of the source content
        pub source_hash: SourceHash,
        /// The engine that translated it; [`REVIEWED`] for what a person has reviewed
        pub engine: String,
        /// The translation
        pub content: Json<Content>,
    }
}

statements! {
    FIND = values "SELECT source_hash, engine, content FROM memory WHERE workspace_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('*', $4) AND source_hash IN (" each "?" then ")";
    HAS_ANY = "SELECT engine FROM memory WHERE workspace_id = $1 AND source_language = $2 AND target_language = $3 \
        ORDER BY source_hash, engine LIMIT 1";
    UPSERT = values "INSERT INTO memory (workspace_id, source_language, target_language, source_hash, engine, content, \
        updated_at, used_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (workspace_id, source_language, target_language, source_hash, engine) \
        DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at, used_at = excluded.used_at";
    TOUCH = values "UPDATE memory SET used_at = $5 WHERE workspace_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('*', $4) AND used_at < $6 AND source_hash IN (" each "?" then ")";
}

/// A workspace's memory of one pair of languages.
#[derive(Debug, Clone, Copy)]
pub struct MemoryScope<'a> {
    /// The workspace
    pub workspace_id: &'a str,
    /// The language of the sources
    pub source_language: &'a str,
    /// The language of the translations
    pub target_language: &'a str,
}

/// Returns true if there is any entry: otherwise a lookup is not needed.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn has_any(tx: &mut Tx, pair: MemoryScope<'_>) -> Result<bool, StoreError> {
    let (workspace, source, target) = (pair.workspace_id, pair.source_language, pair.target_language);
    Ok(fetch_optional!(tx, (String,), HAS_ANY, workspace, source, target)?.is_some())
}

/// Reviewed translations, and those that `engine` has made of these sources, in no order. A source may have one of
/// each.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    tx: &mut Tx,
    pair: MemoryScope<'_>,
    engine: &str,
    hashes: &[SourceHash],
) -> Result<Vec<Entry>, StoreError> {
    fetch_values!(
        tx,
        Entry,
        FIND,
        [pair.workspace_id, pair.source_language, pair.target_language, engine],
        hashes,
        |hash| [hash.as_bytes()]
    )
}

/// Remembers translations by `engine`, each source at most once in `entries`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn remember(
    tx: &mut Tx,
    pair: MemoryScope<'_>,
    engine: &str,
    entries: &[(SourceHash, &Content)],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut rows = Vec::with_capacity(entries.len());
    for (hash, content) in entries {
        rows.push((hash, to_json("memory.content", content)?));
    }
    execute_values!(tx, UPSERT, [], rows, |(hash, content)| [
        pair.workspace_id,
        pair.source_language,
        pair.target_language,
        hash.as_bytes(),
        engine,
        content.as_str(),
        at.as_millis(),
        at.as_millis(),
    ])
}

/// Notes that a run took what these sources have, so that it is kept.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn touch(
    tx: &mut Tx,
    pair: MemoryScope<'_>,
    engine: &str,
    hashes: &[SourceHash],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let long_ago = at.as_millis() - USED_MILLIS;
    execute_values!(
        tx,
        TOUCH,
        [pair.workspace_id, pair.source_language, pair.target_language, engine, at.as_millis(), long_ago],
        hashes,
        |hash| [hash.as_bytes()]
    )
}
