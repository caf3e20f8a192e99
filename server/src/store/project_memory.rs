//! Translation memory that serves one project alone: its imported texts, and all of its texts where it shares none.

use l10n_api_types::Content;
use l10n_formats::SourceHash;

use super::memory::{Entry, USED_MILLIS};
use super::row::to_json;
use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    FIND = values "SELECT source_hash, engine, content FROM project_memory WHERE project_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('', $4) AND source_hash IN (" each "?" then ")";
    HAS_ANY = "SELECT engine FROM project_memory WHERE project_id = $1 AND source_language = $2 AND target_language = $3 \
        ORDER BY source_hash, engine LIMIT 1";
    UPSERT = values "INSERT INTO project_memory (project_id, source_language, target_language, source_hash, engine, content, \
        updated_at, used_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (project_id, source_language, target_language, source_hash, engine) \
        DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at, used_at = excluded.used_at";
    TOUCH = values "UPDATE project_memory SET used_at = $5 WHERE project_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('', $4) AND used_at < $6 AND source_hash IN (" each "?" then ")";
}

/// A project's memory of one pair of languages.
#[derive(Debug, Clone, Copy)]
pub struct ProjectMemoryScope<'a> {
    /// The project
    pub project_id: &'a str,
    /// The language of the sources
    pub source_language: &'a str,
    /// The language of the translations
    pub target_language: &'a str,
}

/// Returns true if there is any entry.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn has_any(tx: &mut Tx, pair: ProjectMemoryScope<'_>) -> Result<bool, StoreError> {
    let (project, source, target) = (pair.project_id, pair.source_language, pair.target_language);
    Ok(fetch_optional!(tx, (String,), HAS_ANY, project, source, target)?.is_some())
}

/// Translations that people and `engine` have made of these sources, in no order. A source may have one of each.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    tx: &mut Tx,
    pair: ProjectMemoryScope<'_>,
    engine: &str,
    hashes: &[SourceHash],
) -> Result<Vec<Entry>, StoreError> {
    fetch_values!(
        tx,
        Entry,
        FIND,
        [pair.project_id, pair.source_language, pair.target_language, engine],
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
    pair: ProjectMemoryScope<'_>,
    engine: &str,
    entries: &[(SourceHash, &Content)],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut rows = Vec::with_capacity(entries.len());
    for (hash, content) in entries {
        rows.push((hash, to_json("project_memory.content", content)?));
    }
    execute_values!(tx, UPSERT, [], rows, |(hash, content)| [
        pair.project_id,
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
    pair: ProjectMemoryScope<'_>,
    engine: &str,
    hashes: &[SourceHash],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let long_ago = at.as_millis() - USED_MILLIS;
    execute_values!(
        tx,
        TOUCH,
        [pair.project_id, pair.source_language, pair.target_language, engine, at.as_millis(), long_ago],
        hashes,
        |hash| [hash.as_bytes()]
    )
}
