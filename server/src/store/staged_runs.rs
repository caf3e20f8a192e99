//! Large runs that are written ahead, in short transactions. Nobody reads what is of such a run until its last transaction
//! makes it live; what is of one that died is swept in pieces.

use std::collections::BTreeSet;

use l10n_api_types::{ProjectId, State, TrackingToken};

use super::jobs::JobItem;
use super::keys::NewKey;
use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A run that is being written.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct StagedRun {
        /// The token that its job has, or would have
        pub tracking_token: TrackingToken,
        /// Its project
        pub project_id: ProjectId,
        /// The first id of a key that it stages
        pub first_key: String,
        /// The last one
        pub last_key: String,
        /// Its status
        pub status: Status,
        /// The time at which it began
        pub created_at: Timestamp,
    }
}

text_enum! {
    /// The status of a staged run.
    pub enum Status {
        /// It is being written.
        Writing = "writing",
        /// It was given up, and is being deleted.
        Dead = "dead",
        /// It is live; what it noted of keys that were there is being deleted.
        Landed = "landed",
    }
}

row! {
    /// A slot of a run that died.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct OrphanedSlot {
        /// Its number
        pub slot: i64,
        /// Its items
        pub items: Json<Vec<JobItem>>,
    }
}

statements! {
    INSERT = "INSERT INTO staged_runs (tracking_token, project_id, first_key, last_key, status, created_at) \
        VALUES ($1, $2, $3, $4, 'writing', $5)";
    LAND = "UPDATE staged_runs SET status = 'landed' WHERE tracking_token = $1 AND status = 'writing'";
    GIVE_UP = "UPDATE staged_runs SET status = 'dead' WHERE tracking_token = $1 AND status = 'writing'";
    GIVE_UP_ALL = "UPDATE staged_runs SET status = 'dead' WHERE status = 'writing'";
    IS_WRITING = "SELECT COUNT(*) FROM staged_runs WHERE tracking_token = $1 AND status = 'writing'";
    FORGET = "DELETE FROM staged_runs WHERE tracking_token = $1";
    OTHERS = "SELECT COUNT(*) FROM staged_runs WHERE project_id = $1 AND tracking_token <> $2 AND status <> 'landed'";
    OLDEST = "SELECT tracking_token, project_id, first_key, last_key, status, created_at FROM staged_runs \
        WHERE status <> 'writing' OR created_at <= $1 ORDER BY created_at, tracking_token LIMIT 1";
    INSERT_CHANGES = values "INSERT INTO staged_changes (tracking_token, key_id, namespace, source_path, position, source, \
        source_hash, characters, description, max_length, tags, syntax, updated_at) VALUES"
        each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" then "";
    GO_LIVE = "UPDATE keys SET state = 'active', staged_by = NULL WHERE id >= $1 AND id <= $2 AND staged_by = $3";
    CHANGE_TEXTS = "UPDATE keys SET position = s.position, source = s.source, source_hash = s.source_hash, \
        characters = s.characters, description = s.description, max_length = s.max_length, tags = s.tags, \
        syntax = s.syntax, updated_at = s.updated_at FROM staged_changes s \
        WHERE s.tracking_token = $1 AND s.source IS NOT NULL AND keys.id = s.key_id AND keys.state = 'active' \
        AND keys.namespace IS NOT DISTINCT FROM s.namespace AND keys.source_path IS NOT DISTINCT FROM s.source_path";
    CHANGE = "UPDATE keys SET namespace = s.namespace, source_path = s.source_path, position = s.position, source = s.source, \
        source_hash = s.source_hash, characters = s.characters, description = s.description, max_length = s.max_length, \
        tags = s.tags, syntax = s.syntax, state = 'active', updated_at = s.updated_at FROM staged_changes s \
        WHERE s.tracking_token = $1 AND s.source IS NOT NULL AND keys.id = s.key_id AND (keys.state <> 'active' \
        OR keys.namespace IS DISTINCT FROM s.namespace OR keys.source_path IS DISTINCT FROM s.source_path)";
    MOVE = "UPDATE keys SET position = s.position, syntax = s.syntax FROM staged_changes s \
        WHERE s.tracking_token = $1 AND s.source IS NULL AND keys.id = s.key_id";
    COUNT_KEYS = "INSERT INTO key_counts (project_id, state, number) VALUES ($1, 'active', $2) \
        ON CONFLICT (project_id, state) DO UPDATE SET number = key_counts.number + excluded.number";
    COUNT_TRANSLATIONS = values "INSERT INTO translation_counts (project_id, language, state, number, stale) VALUES"
        each "(?, ?, ?, ?, 0)" then "ON CONFLICT (project_id, language, state) \
        DO UPDATE SET number = translation_counts.number + excluded.number";
    QUEUE = "UPDATE jobs SET status = 'queued', lease_expires_at = NULL WHERE tracking_token = $1 AND status = 'staged'";
    STAGED = "SELECT id FROM keys WHERE id >= $1 AND id <= $2 AND staged_by = $3 ORDER BY id LIMIT $4";
    IN_THE_WAY = values "SELECT id, staged_by FROM keys WHERE project_id = $1 AND staged_by <> $2 AND ref IN (" each "?" then ")";
    SWEEP_TRANSLATIONS = values "DELETE FROM translations WHERE key_id IN (" each "?" then ")";
    SWEEP_KEYS = values "DELETE FROM keys WHERE staged_by IS NOT NULL AND id IN (" each "?" then ")";
    SWEEP_CHANGES = "DELETE FROM staged_changes WHERE tracking_token = $1 AND key_id IN \
        (SELECT key_id FROM staged_changes WHERE tracking_token = $1 ORDER BY key_id LIMIT $2)";
    SWEEP_CHUNKS = "DELETE FROM job_chunks WHERE job_id = $1 AND seq IN \
        (SELECT seq FROM job_chunks WHERE job_id = $1 ORDER BY seq LIMIT $2)";
    SLOT = "SELECT slot, items FROM job_items WHERE job_id = $1 ORDER BY slot LIMIT 1";
    SWEEP_PENDING = values "DELETE FROM pending_items WHERE project_id = $1 AND job_id = $2 AND item IN (" each "?" then ")";
    SWEEP_SLOT = "DELETE FROM job_items WHERE job_id = $1 AND slot = $2";
    SWEEP_JOB = "DELETE FROM jobs WHERE tracking_token = $1 AND status = 'staged'";
}

/// Rows that one transaction sweeps at most.
const AT_ONCE: i64 = 2_000;
/// Keys that one transaction sweeps at most, with their translations.
const KEYS_AT_ONCE: i64 = 200;
/// Slots that one transaction sweeps at most.
const SLOTS_AT_ONCE: usize = 8;

/// The change that a run makes to an existing key.
#[derive(Debug, Clone, Copy)]
pub struct StagedKey<'a> {
    /// The key as it shall be
    pub key: NewKey<'a>,
    /// True if only its place differs
    pub only_moves: bool,
}

/// Translations that were staged with new keys: the language, the state, and how many.
pub type Counts = [(String, State, i64)];

/// Notes that a run is being written.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, run: &StagedRun) -> Result<(), StoreError> {
    let StagedRun { tracking_token, project_id, first_key, last_key, created_at, .. } = run;
    let (token, project, at) = (tracking_token.as_str(), project_id.as_str(), created_at.as_millis());
    execute!(tx, INSERT, token, project, first_key.as_str(), last_key.as_str(), at).map(drop)
}

/// Notes what a run will make of keys that are there.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert_changes(tx: &mut Tx, run: &TrackingToken, changes: &[StagedKey<'_>]) -> Result<(), StoreError> {
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
    execute_values!(tx, INSERT_CHANGES, [], rows, |(key, whole, tags)| [
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

/// A run's own view of its staged data.
#[derive(Debug, Clone, Copy)]
pub struct StagedTotals<'a> {
    /// New keys
    pub keys: u64,
    /// Changes of existing keys
    pub changes: u64,
    /// Existing keys that only move
    pub moves: u64,
    /// Translations of new keys
    pub translations: &'a Counts,
    /// True if it has a job
    pub with_job: bool,
}

/// Makes a run live; `false` when it is not there any more as it was staged. The project is locked.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if `with_job` and there is none.
pub async fn go_live(tx: &mut Tx, run: &StagedRun, whole: StagedTotals<'_>) -> Result<bool, StoreError> {
    let token = run.tracking_token.as_str();
    if execute!(tx, LAND, token)? == 0 {
        return Ok(false);
    }
    let keys = execute!(tx, GO_LIVE, run.first_key.as_str(), run.last_key.as_str(), token)?;
    if keys != whole.keys || !change_keys(tx, token, &whole).await? {
        return Ok(false);
    }
    // On PostgreSQL the triggers count them, once for the statement.
    if matches!(tx, Tx::Sqlite(_)) {
        let project = run.project_id.as_str();
        execute!(tx, COUNT_KEYS, project, i64::try_from(keys).unwrap_or(i64::MAX))?;
        execute_values!(tx, COUNT_TRANSLATIONS, [], whole.translations, |(language, state, number)| [
            project,
            language.as_str(),
            state.as_str(),
            *number
        ])?;
    }
    if whole.with_job {
        StoreError::exactly_one(execute!(tx, QUEUE, token)?)?;
    }
    if whole.changes + whole.moves == 0 {
        execute!(tx, FORGET, token)?;
    }
    Ok(true)
}

/// Makes the changes of existing keys; `false` when one of the keys is not there any more.
async fn change_keys(tx: &mut Tx, token: &str, whole: &StagedTotals<'_>) -> Result<bool, StoreError> {
    if whole.moves > 0 && execute!(tx, MOVE, token)? != whole.moves {
        return Ok(false);
    }
    if whole.changes == 0 {
        return Ok(true);
    }
    // SQLite writes every index whose columns a statement names, whether they change or not, and every writer waits for it.
    // So what usually changes goes first and alone; it does not make a key one that the other statement takes.
    let mut changed = execute!(tx, CHANGE_TEXTS, token)?;
    if changed < whole.changes {
        changed += execute!(tx, CHANGE, token)?;
    }
    Ok(changed == whole.changes)
}

/// Deletes keys of these names that runs other than `run` have staged, and gives these runs up: who writes keys goes before them, and
/// they are planned anew. The project is locked.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn make_way(
    tx: &mut Tx,
    project_id: &ProjectId,
    run: Option<&TrackingToken>,
    names: &[&str],
) -> Result<(), StoreError> {
    let run = run.map_or("", TrackingToken::as_str);
    let (others,) = fetch_one!(tx, (i64,), OTHERS, project_id.as_str(), run)?;
    if others == 0 {
        return Ok(());
    }
    let found = fetch_values!(tx, (String, String), IN_THE_WAY, [project_id.as_str(), run], names, |name| [*name])?;
    for token in found.iter().map(|(_, token)| token.as_str()).collect::<BTreeSet<_>>() {
        execute!(tx, GIVE_UP, token)?;
    }
    delete_keys(tx, &found.into_iter().map(|(id, _)| id).collect::<Vec<_>>()).await
}

/// Returns true if a run is still being written. The project is locked, so that this holds until the end of `tx`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_writing(tx: &mut Tx, run: &StagedRun) -> Result<bool, StoreError> {
    let (found,) = fetch_one!(tx, (i64,), IS_WRITING, run.tracking_token.as_str())?;
    Ok(found == 1)
}

async fn delete_keys(tx: &mut Tx, ids: &[String]) -> Result<(), StoreError> {
    execute_values!(tx, SWEEP_TRANSLATIONS, [], ids, |id| [id.as_str()])?;
    execute_values!(tx, SWEEP_KEYS, [], ids, |id| [id.as_str()]).map(drop)
}

/// The oldest run that is to be swept: because it began at `until` or before and is still being written, or is over.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn oldest(tx: &mut Tx, until: Timestamp) -> Result<Option<StagedRun>, StoreError> {
    fetch_optional!(tx, StagedRun, OLDEST, until.as_millis())
}

/// Gives a run up: from here on it cannot go live.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn give_up(tx: &mut Tx, run: &StagedRun) -> Result<(), StoreError> {
    execute!(tx, GIVE_UP, run.tracking_token.as_str()).map(drop)
}

/// Gives up all runs, as [`give_up`] does one: for the one server of an embedded datastore, before its first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn give_up_all(tx: &mut Tx) -> Result<u64, StoreError> {
    execute!(tx, GIVE_UP_ALL)
}

/// Deletes a piece of what there is of a run that was given up or has landed, the note of it last; returns whether there may
/// be more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sweep_some(tx: &mut Tx, run: &StagedRun) -> Result<bool, StoreError> {
    let token = run.tracking_token.as_str();
    if execute!(tx, SWEEP_CHANGES, token, AT_ONCE)? > 0 {
        return Ok(true);
    }
    if run.status == Status::Landed {
        execute!(tx, FORGET, token)?;
        return Ok(false);
    }
    let keys = fetch_all!(tx, (String,), STAGED, run.first_key.as_str(), run.last_key.as_str(), token, KEYS_AT_ONCE)?;
    if !keys.is_empty() {
        delete_keys(tx, &keys.into_iter().map(|(id,)| id).collect::<Vec<_>>()).await?;
        return Ok(true);
    }
    if execute!(tx, SWEEP_CHUNKS, token, AT_ONCE)? > 0 {
        return Ok(true);
    }
    for _ in 0..SLOTS_AT_ONCE {
        let Some(slot) = fetch_optional!(tx, OrphanedSlot, SLOT, token)? else {
            execute!(tx, SWEEP_JOB, token)?;
            execute!(tx, FORGET, token)?;
            return Ok(false);
        };
        let items: Vec<&str> = slot.items.0.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
        execute_values!(tx, SWEEP_PENDING, [run.project_id.as_str(), token], items, |item| [*item])?;
        execute!(tx, SWEEP_SLOT, token, slot.slot)?;
    }
    Ok(true)
}
