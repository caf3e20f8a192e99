//! Large runs that are written ahead, in short transactions. Nobody reads what is of such a run until its last transaction
//! makes it live; what is of one that died is swept in pieces.

use std::collections::BTreeSet;

use l10n_api_types::{ProjectId, State, TrackingToken};

use super::job_chunks::JobItem;
use super::row::Json;
use super::staged_changes::{self, ChangeTotals};
use super::{StoreError, Tx, lock, pending_items, staged_translations};
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
        pub status: StagedRunStatus,
        /// True if it is live, and its changes of keys that were there are still being moved to their place
        pub is_moving: bool,
        /// True if it brings imported translations and nothing else
        pub imports: bool,
        /// The time at which it began
        pub created_at: Timestamp,
    }
}

impl StagedRun {
    /// A run of a project that begins to be written. It stages no key and imports nothing, unless the fields for that say so.
    #[must_use]
    pub fn new(tracking_token: TrackingToken, project_id: &ProjectId, created_at: Timestamp) -> Self {
        let (first_key, last_key) = (String::new(), String::new());
        let (status, is_moving, imports) = (StagedRunStatus::Writing, false, false);
        Self { tracking_token, project_id: project_id.clone(), first_key, last_key, status, is_moving, imports, created_at }
    }
}

text_enum! {
    /// The status of a staged run.
    pub enum StagedRunStatus {
        /// It is being written.
        Writing = "writing",
        /// It was given up, and is being deleted.
        Dead = "dead",
        /// It is live; what it noted of keys that were there is being deleted, or moved to its place and deleted.
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
    INSERT = "INSERT INTO staged_runs (tracking_token, project_id, first_key, last_key, status, imports, created_at) \
        VALUES ($1, $2, $3, $4, 'writing', $5, $6)";
    LAND = "UPDATE staged_runs SET status = 'landed', is_moving = $2 WHERE tracking_token = $1 AND status = 'writing'";
    GIVE_UP = "UPDATE staged_runs SET status = 'dead' WHERE tracking_token = $1 AND status = 'writing'";
    GIVE_UP_ALL = "UPDATE staged_runs SET status = 'dead' WHERE status = 'writing'";
    HAS_STATUS = "SELECT COUNT(*) FROM staged_runs WHERE tracking_token = $1 AND status = $2";
    FORGET = "DELETE FROM staged_runs WHERE tracking_token = $1";
    OTHERS = "SELECT COUNT(*) FROM staged_runs WHERE project_id = $1 AND tracking_token <> $2 AND status <> 'landed'";
    OLDEST = "SELECT tracking_token, project_id, first_key, last_key, status, is_moving, imports, created_at FROM staged_runs \
        WHERE status <> 'writing' OR created_at <= $1 ORDER BY created_at, tracking_token LIMIT 1";
    OLDEST_MOVING = "SELECT tracking_token, project_id, first_key, last_key, status, is_moving, imports, created_at FROM staged_runs \
        WHERE is_moving ORDER BY created_at, tracking_token LIMIT 1";
    IS_LIVE = "SELECT COUNT(*) FROM staged_runs WHERE tracking_token = $1 AND is_moving";
    IS_MOVING = "SELECT COUNT(*) FROM staged_runs WHERE project_id = $1 AND is_moving";
    FORGET_MOVED = "DELETE FROM staged_runs WHERE tracking_token = $1 AND is_moving";
    GO_LIVE = "UPDATE keys SET state = 'active', staged_by = NULL WHERE id >= $1 AND id <= $2 AND staged_by = $3";
    COUNT_KEYS = "INSERT INTO key_counts (project_id, state, number) VALUES ($1, 'active', $2) \
        ON CONFLICT (project_id, state) DO UPDATE SET number = key_counts.number + excluded.number";
    COUNT_TRANSLATIONS = values "INSERT INTO translation_counts (project_id, language, state, number, stale) VALUES"
        each "(?, ?, ?, ?, 0)" then "ON CONFLICT (project_id, language, state) \
        DO UPDATE SET number = translation_counts.number + excluded.number";
    QUEUE = "UPDATE jobs SET status = 'queued' WHERE tracking_token = $1 AND status = 'staged'";
    RELEASE = "UPDATE jobs SET lease_expires_at = NULL WHERE tracking_token = $1 AND status = 'queued'";
    STAGED = "SELECT id FROM keys WHERE id >= $1 AND id <= $2 AND staged_by = $3 ORDER BY id LIMIT $4";
    IN_THE_WAY = values "SELECT id, staged_by FROM keys WHERE project_id = $1 AND staged_by <> $2 AND ref IN (" each "?" then ")";
    SWEEP_TRANSLATIONS = values "DELETE FROM translations WHERE key_id IN (" each "?" then ")";
    SWEEP_KEYS = values "DELETE FROM keys WHERE staged_by IS NOT NULL AND id IN (" each "?" then ")";
    SWEEP_CHUNKS = "DELETE FROM job_chunks WHERE job_id = $1 AND seq IN \
        (SELECT seq FROM job_chunks WHERE job_id = $1 ORDER BY seq LIMIT $2)";
    SLOT = "SELECT slot, items FROM job_items WHERE job_id = $1 ORDER BY slot LIMIT 1";
    SWEEP_SLOT = "DELETE FROM job_items WHERE job_id = $1 AND slot = $2";
    SWEEP_JOB = "DELETE FROM jobs WHERE tracking_token = $1 AND status = 'staged'";
}

/// Rows that one transaction sweeps at most.
const AT_ONCE: i64 = 2_000;
/// Keys that one transaction sweeps at most, with their translations.
const KEYS_AT_ONCE: i64 = 200;
/// Slots that one transaction sweeps at most.
const SLOTS_AT_ONCE: usize = 8;

/// Translations that were staged with new keys: the language, the state, and how many.
pub type StagedCounts = [(String, State, i64)];

/// Notes that a run is being written.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, run: &StagedRun) -> Result<(), StoreError> {
    let StagedRun { tracking_token, project_id, first_key, last_key, imports, created_at, .. } = run;
    let (token, project, at) = (tracking_token.as_str(), project_id.as_str(), created_at.as_millis());
    execute!(tx, INSERT, token, project, first_key.as_str(), last_key.as_str(), *imports, at).map(drop)
}

/// A run's own view of its staged data.
#[derive(Debug, Clone, Copy)]
pub struct StagedTotals<'a> {
    /// New keys
    pub keys: u64,
    /// Changes of existing keys
    pub changes: ChangeTotals,
    /// Translations of new keys
    pub translations: &'a StagedCounts,
    /// True if what it makes of existing keys is moved to its place afterwards, by [`move_some`]
    pub moves_later: bool,
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
    if execute!(tx, LAND, token, whole.moves_later)? == 0 {
        return Ok(false);
    }
    let keys = execute!(tx, GO_LIVE, run.first_key.as_str(), run.last_key.as_str(), token)?;
    let are_there = match whole.moves_later {
        true => staged_changes::are_there(tx, &run.tracking_token, whole.changes).await?,
        false => staged_changes::make_all(tx, &run.tracking_token, whole.changes).await?,
    };
    if keys != whole.keys || !are_there {
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
    if whole.moves_later {
        return Ok(true);
    }
    execute!(tx, RELEASE, token)?;
    if whole.changes.keys() == 0 {
        execute!(tx, FORGET, token)?;
    }
    Ok(true)
}

/// Moves a piece of what a run makes of existing keys to its place; returns whether there may be more. With the last
/// piece its job can begin, and its project can be changed again.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn move_some(tx: &mut Tx, run: &StagedRun) -> Result<bool, StoreError> {
    let token = &run.tracking_token;
    if staged_changes::make_some(tx, token, KEYS_AT_ONCE).await?
        || staged_translations::write_some(tx, token, KEYS_AT_ONCE).await?
    {
        return Ok(true);
    }
    // Another one may have ended it.
    if execute!(tx, FORGET_MOVED, token.as_str())? == 1 {
        execute!(tx, RELEASE, token.as_str())?;
        // Who has read some of it and not the rest plans anew.
        lock::project_to_change(tx, &run.project_id).await?;
    }
    Ok(false)
}

/// Returns true if a run of the project is live whose changes are not all in their place.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_moving(tx: &mut Tx, project_id: &ProjectId) -> Result<bool, StoreError> {
    let (found,) = fetch_one!(tx, (i64,), IS_MOVING, project_id.as_str())?;
    Ok(found > 0)
}

/// Refuses to read a project as a whole while [`is_moving`].
///
/// # Errors
///
/// [`StoreError::Moving`] then.
pub async fn check_moved(tx: &mut Tx, project_id: &ProjectId) -> Result<(), StoreError> {
    if is_moving(tx, project_id).await? { Err(StoreError::Moving) } else { Ok(()) }
}

/// Returns true if a run is live and its changes are not all in their place.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_live(tx: &mut Tx, run: &StagedRun) -> Result<bool, StoreError> {
    let (found,) = fetch_one!(tx, (i64,), IS_LIVE, run.tracking_token.as_str())?;
    Ok(found == 1)
}

/// The oldest run that is live and whose changes are not all in their place.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn oldest_moving(tx: &mut Tx) -> Result<Option<StagedRun>, StoreError> {
    fetch_optional!(tx, StagedRun, OLDEST_MOVING)
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
    if !has_others(tx, project_id, run).await? {
        return Ok(());
    }
    let run = run.map_or("", TrackingToken::as_str);
    let found = fetch_values!(tx, (String, String), IN_THE_WAY, [project_id.as_str(), run], names, |name| [*name])?;
    for token in found.iter().map(|(_, token)| token.as_str()).collect::<BTreeSet<_>>() {
        execute!(tx, GIVE_UP, token)?;
    }
    delete_keys(tx, &found.into_iter().map(|(id, _)| id).collect::<Vec<_>>()).await
}

/// Returns true if runs of the project other than `run` have not landed: they are being written, or deleted.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn has_others(
    tx: &mut Tx,
    project_id: &ProjectId,
    run: Option<&TrackingToken>,
) -> Result<bool, StoreError> {
    let run = run.map_or("", TrackingToken::as_str);
    let (others,) = fetch_one!(tx, (i64,), OTHERS, project_id.as_str(), run)?;
    Ok(others > 0)
}

/// Returns true if a run is still being written. The project is locked, so that this holds until the end of `tx`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_writing(tx: &mut Tx, run: &StagedRun) -> Result<bool, StoreError> {
    has_status(tx, run, StagedRunStatus::Writing).await
}

async fn has_status(tx: &mut Tx, run: &StagedRun, status: StagedRunStatus) -> Result<bool, StoreError> {
    let (found,) = fetch_one!(tx, (i64,), HAS_STATUS, run.tracking_token.as_str(), status.as_str())?;
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

/// Gives a run up: from here on it cannot go live. Returns `false` where it is live already, or nothing of it is left.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn give_up(tx: &mut Tx, run: &StagedRun) -> Result<bool, StoreError> {
    execute!(tx, GIVE_UP, run.tracking_token.as_str())?;
    has_status(tx, run, StagedRunStatus::Dead).await
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
    if staged_changes::delete_some(tx, &run.tracking_token, AT_ONCE).await?
        || staged_translations::delete_some(tx, &run.tracking_token, AT_ONCE).await?
    {
        return Ok(true);
    }
    if run.status == StagedRunStatus::Landed {
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
        pending_items::forget(tx, &run.project_id, token, &slot.items.0).await?;
        execute!(tx, SWEEP_SLOT, token, slot.slot)?;
    }
    Ok(true)
}
