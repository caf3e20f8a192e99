//! Translation memory, found by the exact source content. A workspace's is shared by its projects: what an engine translated,
//! and what a person has reviewed. A project's serves that project alone: its imported and reviewed texts, what engines made
//! with hints from these, and all of its texts where it shares none.

use std::collections::HashSet;

use base16ct::lower::encode_string as hex;
use l10n_api_types::{Content, ProjectId, WorkspaceId};
use l10n_formats::SourceHash;

use super::engine_choices::EngineChoice;
use super::projects::MemorySetting;
use super::row::{Json, listed, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

/// The engine of a workspace's entries that a person has reviewed. What earlier releases wrote there of imported texts has none
/// (`''`), and serves no one. In a project's memory it marks a text that was reviewed in this project: it stands beside the
/// entry of [`HUMAN`], serves no run, and tells which translations no import may replace.
pub const REVIEWED: &str = "*";

/// The engine of imported and reviewed texts in a project's memory.
pub const HUMAN: &str = "";

/// Hashes that one statement looks up.
const AT_ONCE: usize = 500;

/// The resolution of the time of the last use: a week, in milliseconds. So a run writes little about its use of memory.
pub const USED_MILLIS: i64 = 7 * 24 * 60 * 60 * 1_000;

row! {
    /// An entry.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct MemoryEntry {
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

row! {
    /// An entry with all of both memories that a look needs.
    struct MemoryCandidate {
        is_own: bool,
        source_hash: SourceHash,
        engine: String,
        content: Json<Content>,
        updated_at: Timestamp,
    }
}

row! {
    /// The part of a project's row that says what a lookup of similar texts may find.
    #[derive(Debug, Clone)]
    pub struct LookupProject {
        /// Its workspace
        pub workspace_id: WorkspaceId,
        /// BCP 47
        pub base_language: String,
        /// Its use of translation memory
        pub memory: MemorySetting,
        /// The engines that it chooses
        pub engines: Option<Json<EngineChoice>>,
        /// True if it has the language that is asked for
        pub has_language: bool,
    }
}

/// Columns of the entries of `$table` for sources of one owner, by people or by an engine. Each hash is looked up by the key.
/// PostgreSQL without statistics takes the entries of a workspace for few: it would read all of them and compare each, which
/// OFFSET 0 does not let it do. The list has a SELECT of its own: otherwise PostgreSQL plans each lookup anew, for the length of
/// its list, which takes longer than the lookup.
macro_rules! find {
    (sqlite $columns:literal, $table:literal, $owner:literal, $people:literal) => {
        concat!(
            "SELECT ", $columns, " FROM json_each($5) AS wanted CROSS JOIN ", $table,
            " m ON m.source_hash = unhex(wanted.value) WHERE m.", $owner, " = $1 AND m.source_language = $2 \
            AND m.target_language = $3 AND m.engine IN ('", $people, "', $4)"
        )
    };
    (postgres $columns:literal, $table:literal, $owner:literal, $people:literal) => {
        concat!(
            "SELECT found.* FROM unnest((SELECT CAST(translate($5, '[]', '{}') AS TEXT[]))) AS wanted (value) \
            CROSS JOIN LATERAL (SELECT ", $columns, " FROM ", $table, " m WHERE m.", $owner,
            " = $1 AND m.source_language = $2 AND m.target_language = $3 \
            AND m.source_hash = decode(wanted.value, 'hex') AND m.engine IN ('", $people, "', $4) OFFSET 0) AS found"
        )
    };
}

/// Bytes of the entries of `$table` for sources of one owner, by whomever, in some languages together. As `find!` does.
macro_rules! sizes {
    (sqlite $table:literal, $owner:literal) => {
        concat!(
            "SELECT m.source_hash, CAST(SUM(octet_length(m.content)) AS BIGINT) AS bytes FROM json_each($3) AS wanted \
            CROSS JOIN json_each($4) AS target CROSS JOIN ", $table, " m ON m.target_language = target.value \
            AND m.source_hash = unhex(wanted.value) WHERE m.", $owner, " = $1 AND m.source_language = $2 GROUP BY m.source_hash"
        )
    };
    (postgres $table:literal, $owner:literal) => {
        concat!(
            "SELECT found.source_hash, CAST(SUM(found.bytes) AS BIGINT) AS bytes \
            FROM unnest((SELECT CAST(translate($3, '[]', '{}') AS TEXT[]))) AS wanted (value) \
            CROSS JOIN unnest((SELECT CAST(translate($4, '[]', '{}') AS TEXT[]))) AS target (value) \
            CROSS JOIN LATERAL (SELECT m.source_hash, octet_length(m.content) AS bytes FROM ", $table, " m WHERE m.", $owner,
            " = $1 AND m.source_language = $2 AND m.target_language = target.value \
            AND m.source_hash = decode(wanted.value, 'hex') OFFSET 0) AS found GROUP BY found.source_hash"
        )
    };
}

statements! {
    LOOKUP_PROJECT = "SELECT p.workspace_id, p.base_language, p.memory, p.engines, \
        (SELECT l.code FROM languages l WHERE l.project_id = p.id AND l.code = $2) IS NOT NULL AS has_language \
        FROM projects p WHERE p.id = $1";
    // As `find!` does, of both at once.
    OF_BOTH = sqlite "SELECT TRUE AS is_own, m.source_hash, m.engine, m.content, m.updated_at FROM json_each($1) AS wanted \
            CROSS JOIN project_memory m ON m.source_hash = unhex(wanted.value) \
            WHERE m.project_id = $2 AND m.source_language = $4 AND m.target_language = $5 \
            UNION ALL SELECT FALSE, m.source_hash, m.engine, m.content, m.updated_at FROM json_each($1) AS wanted \
            CROSS JOIN memory m ON m.source_hash = unhex(wanted.value) \
            WHERE m.workspace_id = $3 AND m.source_language = $4 AND m.target_language = $5",
        postgres "WITH wanted AS MATERIALIZED (SELECT decode(value, 'hex') AS hash \
            FROM unnest((SELECT CAST(translate($1, '[]', '{}') AS TEXT[]))) AS given (value)) \
            SELECT TRUE AS is_own, own.* FROM wanted CROSS JOIN LATERAL (\
            SELECT m.source_hash, m.engine, m.content, m.updated_at FROM project_memory m WHERE m.project_id = $2 \
            AND m.source_language = $4 AND m.target_language = $5 AND m.source_hash = wanted.hash OFFSET 0) AS own \
            UNION ALL SELECT FALSE, shared.* FROM wanted CROSS JOIN LATERAL (\
            SELECT m.source_hash, m.engine, m.content, m.updated_at FROM memory m WHERE m.workspace_id = $3 \
            AND m.source_language = $4 AND m.target_language = $5 AND m.source_hash = wanted.hash OFFSET 0) AS shared";
    SHARED_FIND = sqlite find!(sqlite "m.source_hash, m.engine, m.content, m.updated_at", "memory", "workspace_id", "*"),
        postgres find!(postgres "m.source_hash, m.engine, m.content, m.updated_at", "memory", "workspace_id", "*");
    SHARED_KNOWN = sqlite find!(sqlite "m.source_hash", "memory", "workspace_id", "*"),
        postgres find!(postgres "m.source_hash", "memory", "workspace_id", "*");
    SHARED_SIZES = sqlite sizes!(sqlite "memory", "workspace_id"), postgres sizes!(postgres "memory", "workspace_id");
    SHARED_HAS_ANY = "SELECT engine FROM memory WHERE workspace_id = $1 AND source_language = $2 AND target_language = $3 \
        ORDER BY source_hash, engine LIMIT 1";
    SHARED_UPSERT = values "INSERT INTO memory (workspace_id, source_language, target_language, source_hash, engine, content, \
        updated_at, used_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (workspace_id, source_language, target_language, source_hash, engine) \
        DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at, used_at = excluded.used_at";
    SHARED_TOUCH = values "UPDATE memory SET used_at = $5 WHERE workspace_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('*', $4) AND used_at < $6 AND source_hash IN (" each "?" then ")";
    PROJECT_FIND = sqlite find!(sqlite "m.source_hash, m.engine, m.content, m.updated_at", "project_memory", "project_id", ""),
        postgres find!(postgres "m.source_hash, m.engine, m.content, m.updated_at", "project_memory", "project_id", "");
    PROJECT_KNOWN = sqlite find!(sqlite "m.source_hash", "project_memory", "project_id", ""),
        postgres find!(postgres "m.source_hash", "project_memory", "project_id", "");
    PROJECT_SIZES = sqlite sizes!(sqlite "project_memory", "project_id"),
        postgres sizes!(postgres "project_memory", "project_id");
    PROJECT_HAS_ANY = "SELECT engine FROM project_memory WHERE project_id = $1 AND source_language = $2 AND target_language = $3 \
        ORDER BY source_hash, engine LIMIT 1";
    PROJECT_UPSERT = values "INSERT INTO project_memory (project_id, source_language, target_language, source_hash, engine, content, \
        updated_at, used_at) VALUES" each "(?, ?, ?, ?, ?, ?, ?, ?)"
        then "ON CONFLICT (project_id, source_language, target_language, source_hash, engine) \
        DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at, used_at = excluded.used_at";
    PROJECT_TOUCH = values "UPDATE project_memory SET used_at = $5 WHERE project_id = $1 AND source_language = $2 \
        AND target_language = $3 AND engine IN ('', '*', $4) AND used_at < $6 AND source_hash IN (" each "?" then ")";
}

row! {
    /// A source that a memory has something for.
    struct KnownSource {
        source_hash: SourceHash,
    }
}

row! {
    /// The length of what a memory has for a source.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MemorySize {
        /// Hash of the source content
        pub source_hash: SourceHash,
        /// Bytes of the translations, as they are stored
        pub bytes: i64,
    }
}

/// The owner of a memory.
#[derive(Debug, Clone, Copy)]
pub enum MemoryOwner<'a> {
    /// A workspace, for all of its projects that share
    Workspace(&'a WorkspaceId),
    /// A project, for itself alone
    Project(&'a ProjectId),
}

impl<'a> MemoryOwner<'a> {
    pub(super) fn id(self) -> &'a str {
        match self {
            Self::Workspace(id) => id.as_str(),
            Self::Project(id) => id.as_str(),
        }
    }

    /// The statement for a workspace's or for a project's memory.
    fn choose<S>(self, shared: S, project: S) -> S {
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

/// The texts of one memory in one language: those that people have translated, or those that engines have.
#[derive(Debug, Clone, Copy)]
pub struct MemorySpace<'a> {
    /// The owner
    pub owner: MemoryOwner<'a>,
    /// The language of the texts
    pub source_language: &'a str,
    /// True if people have translated them
    pub is_human: bool,
}

/// All that a lookup of similar texts needs of its project, with one statement.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lookup_project(
    tx: &mut Tx,
    project: &ProjectId,
    language: &str,
) -> Result<Option<LookupProject>, StoreError> {
    fetch_optional!(tx, LookupProject, LOOKUP_PROJECT, project.as_str(), language)
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
) -> Result<Vec<MemoryEntry>, StoreError> {
    let (owner, source, target) = (pair.owner.id(), pair.source_language, pair.target_language);
    let statement = pair.owner.choose(SHARED_FIND, PROJECT_FIND);
    let mut found = Vec::new();
    for hashes in hashes.chunks(AT_ONCE) {
        found.extend(fetch_all!(tx, MemoryEntry, statement, owner, source, target, engine, list_of_hashes(hashes))?);
    }
    Ok(found)
}

/// Those of these sources for which [`find`] would return something. No translation is read for that.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn known(
    tx: &mut Tx,
    pair: MemoryScope<'_>,
    engine: &str,
    hashes: &[SourceHash],
) -> Result<HashSet<SourceHash>, StoreError> {
    let (owner, source, target) = (pair.owner.id(), pair.source_language, pair.target_language);
    let statement = pair.owner.choose(SHARED_KNOWN, PROJECT_KNOWN);
    let mut known = HashSet::new();
    for hashes in hashes.chunks(AT_ONCE) {
        let found = fetch_all!(tx, KnownSource, statement, owner, source, target, engine, list_of_hashes(hashes))?;
        known.extend(found.into_iter().map(|source| source.source_hash));
    }
    Ok(known)
}

/// The bytes that a memory has for these sources in some languages together, by people and by whatever engine. A source for which
/// it has nothing is left out.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sizes(
    tx: &mut Tx,
    owner: MemoryOwner<'_>,
    source_language: &str,
    languages: &[&str],
    hashes: &[SourceHash],
) -> Result<Vec<MemorySize>, StoreError> {
    let statement = owner.choose(SHARED_SIZES, PROJECT_SIZES);
    let mut found = Vec::new();
    for hashes in hashes.chunks(AT_ONCE) {
        let (hashes, targets) = (list_of_hashes(hashes), listed(languages));
        found.extend(fetch_all!(tx, MemorySize, statement, owner.id(), source_language, hashes, targets)?);
    }
    Ok(found)
}

/// The entries of a project's memory (true) and of a workspace's for these sources, by people and by whatever engine, in no
/// order. Without `workspace` those of the project alone.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_both(
    tx: &mut Tx,
    project: &ProjectId,
    workspace: Option<&WorkspaceId>,
    (source_language, target_language): (&str, &str),
    hashes: &[SourceHash],
) -> Result<Vec<(bool, MemoryEntry)>, StoreError> {
    let (hashes, workspace) = (list_of_hashes(hashes), workspace.map_or("", WorkspaceId::as_str));
    let found =
        fetch_all!(tx, MemoryCandidate, OF_BOTH, hashes, project.as_str(), workspace, source_language, target_language)?;
    let entry = |MemoryCandidate { is_own, source_hash, engine, content, updated_at }| {
        (is_own, MemoryEntry { source_hash, engine, content, updated_at })
    };
    Ok(found.into_iter().map(entry).collect())
}

fn list_of_hashes(hashes: &[SourceHash]) -> String {
    listed(hashes.iter().map(|hash| hex(hash.as_bytes())))
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
