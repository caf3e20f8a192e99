//! Translation memory, found by the exact source content. A workspace's is shared by its projects: what an engine translated,
//! and what a person has reviewed. A project's serves that project alone: its imported texts, and all of its texts where it
//! shares none.

use l10n_api_types::{Content, ProjectId, WorkspaceId};
use l10n_formats::SourceHash;

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

/// The engine of a workspace's entries that a person has reviewed. What earlier releases wrote there of imported texts has none
/// (`''`), and serves no one.
pub const REVIEWED: &str = "*";

/// The engine of imported and reviewed texts in a project's memory.
pub const HUMAN: &str = "";

/// The resolution of the time of the last use: a week, in milliseconds. So a run writes little about its use of memory.
pub const USED_MILLIS: i64 = 7 * 24 * 60 * 60 * 1_000;

row! {
    /// An entry.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Entry {
        /// Hash of the source content
        pub source_hash: SourceHash,
        /// The engine that translated it; [`REVIEWED`] or [`HUMAN`] for a person's text
        pub engine: String,
        /// The translation
        pub content: Json<Content>,
        /// The time at which it was written
        pub updated_at: Timestamp,
    }
}

statements! {
    SHARED_FIND = values "SELECT source_hash, engine, content, updated_at FROM memory WHERE workspace_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('*', $4) AND source_hash IN (" each "?" then ")";
    SHARED_HAS_ANY = "SELECT engine FROM memory WHERE workspace_id = $1 AND source_language = $2 AND target_language = $3 \
        ORDER BY source_hash, engine LIMIT 1";
    SHARED_UPSERT = values "INSERT INTO memory (workspace_id, source_language, target_language, source_hash, engine, content, \
        updated_at, used_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (workspace_id, source_language, target_language, source_hash, engine) \
        DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at, used_at = excluded.used_at";
    SHARED_TOUCH = values "UPDATE memory SET used_at = $5 WHERE workspace_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('*', $4) AND used_at < $6 AND source_hash IN (" each "?" then ")";
    PROJECT_FIND = values "SELECT source_hash, engine, content, updated_at FROM project_memory WHERE project_id = $1 \
        AND source_language = $2 AND target_language = $3 AND engine IN ('', $4) AND source_hash IN (" each "?" then ")";
    PROJECT_HAS_ANY = "SELECT engine FROM project_memory WHERE project_id = $1 AND source_language = $2 AND target_language = $3 \
        ORDER BY source_hash, engine LIMIT 1";
    PROJECT_UPSERT = values "INSERT INTO project_memory (project_id, source_language, target_language, source_hash, engine, content, \
        updated_at, used_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (project_id, source_language, target_language, source_hash, engine) \
        DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at, used_at = excluded.used_at";
    PROJECT_TOUCH = values "UPDATE project_memory SET used_at = $5 WHERE project_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('', $4) AND used_at < $6 AND source_hash IN (" each "?" then ")";
}

/// The owner of a memory.
#[derive(Debug, Clone, Copy)]
pub enum MemoryOwner<'a> {
    /// A workspace, for all of its projects that share
    Workspace(&'a WorkspaceId),
    /// A project, for itself alone
    Project(&'a ProjectId),
}

impl MemoryOwner<'_> {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Workspace(id) => id.as_str(),
            Self::Project(id) => id.as_str(),
        }
    }

    /// The statement for a workspace's or for a project's memory.
    fn choose<S>(&self, shared: S, project: S) -> S {
        match self {
            Self::Workspace(_) => shared,
            Self::Project(_) => project,
        }
    }
}

/// A memory of one pair of languages.
#[derive(Debug, Clone, Copy)]
pub struct MemoryScope<'a> {
    /// The owner
    pub owner: MemoryOwner<'a>,
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
    let (owner, source, target) = (pair.owner.id(), pair.source_language, pair.target_language);
    let statement = pair.owner.choose(SHARED_HAS_ANY, PROJECT_HAS_ANY);
    Ok(fetch_optional!(tx, (String,), statement, owner, source, target)?.is_some())
}

/// Translations by people, and those that `engine` has made of these sources, in no order. A source may have one of each.
/// People's are marked [`REVIEWED`] in a workspace's memory and [`HUMAN`] in a project's.
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
        pair.owner.choose(SHARED_FIND, PROJECT_FIND),
        [pair.owner.id(), pair.source_language, pair.target_language, engine],
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
    execute_values!(tx, pair.owner.choose(SHARED_UPSERT, PROJECT_UPSERT), [], rows, |(hash, content)| [
        pair.owner.id(),
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
        pair.owner.choose(SHARED_TOUCH, PROJECT_TOUCH),
        [pair.owner.id(), pair.source_language, pair.target_language, engine, at.as_millis(), long_ago],
        hashes,
        |hash| [hash.as_bytes()]
    )
}
