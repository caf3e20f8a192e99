//! Translation jobs, and whose turn it is.

use std::collections::{HashMap, HashSet};

use l10n_api_types::translations::{JobKind, JobStatus};
use l10n_api_types::{DocumentId, Millicredits, ProjectId, RequestId, TrackingToken, WorkspaceId};

use super::job_chunks::{self, ChunkOutcome};
use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::LeaseOwner;

row! {
    /// A job.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Job {
        /// `trk_…`
        pub tracking_token: TrackingToken,
        /// Its project
        pub project_id: ProjectId,
        /// The workspace that pays
        pub workspace_id: WorkspaceId,
        /// The document that it translates; `None`: keys
        pub document_id: Option<DocumentId>,
        /// True if it replaces texts of people that existed when it was queued
        pub retranslate: bool,
        /// Its status
        pub status: JobStatus,
        /// The engines that it was priced for: their chains, each once
        pub engine: String,
        /// Translations in all
        pub total: i64,
        /// Those that ended well
        pub done: i64,
        /// Those that failed
        pub failed: i64,
        /// Those among `done` that a check holds back
        pub needs_review: i64,
        /// Price that was quoted
        pub estimated: Millicredits,
        /// Charged so far
        pub charged: Millicredits,
        /// The time at which it was queued
        pub created_at: Timestamp,
        /// The time at which it ended
        pub finished_at: Option<Timestamp>,
    }
}

/// A statement with the columns of a [`Job`] between its parts.
macro_rules! with_columns {
    ($before:literal, $after:literal) => {
        concat!(
            $before,
            " tracking_token, project_id, workspace_id, document_id, retranslate, status, engine, total, done, failed, \
            needs_review, estimated, charged, created_at, finished_at ",
            $after
        )
    };
}

statements! {
    INSERT = "INSERT INTO jobs (tracking_token, project_id, workspace_id, kind, status, engine, request_id, total, done, \
        failed, needs_review, estimated, charged, lease_owner, lease_expires_at, created_at, finished_at, document_id, retranslate) \
        VALUES ($1, $2, $3, $9, $12, $4, $5, $6, 0, 0, 0, $7, 0, NULL, $13, $8, NULL, $10, $11)";
    FIND = with_columns!("SELECT", "FROM jobs WHERE tracking_token = $1 AND project_id = $2 AND status <> 'staged'");
    NEWEST = with_columns!("SELECT", "FROM jobs WHERE project_id = $1 AND tracking_token < $2 AND status <> 'staged' \
        ORDER BY tracking_token DESC LIMIT $3");
    WAITING_WORKSPACES = "WITH RECURSIVE waiting (workspace_id) AS (\
            SELECT MIN(workspace_id) FROM jobs WHERE finished_at IS NULL \
            UNION ALL \
            SELECT (SELECT MIN(j.workspace_id) FROM jobs j WHERE j.finished_at IS NULL AND j.workspace_id > w.workspace_id) \
            FROM waiting w WHERE w.workspace_id IS NOT NULL) \
        SELECT w.workspace_id FROM waiting w LEFT JOIN job_turns t ON t.workspace_id = w.workspace_id \
        WHERE w.workspace_id IS NOT NULL AND EXISTS (SELECT 1 FROM jobs j WHERE j.workspace_id = w.workspace_id \
            AND j.finished_at IS NULL AND (j.lease_expires_at IS NULL OR j.lease_expires_at <= $1 OR j.lease_owner = $3)) \
        ORDER BY COALESCE(t.served, 0), w.workspace_id LIMIT $2";
    SMALL = with_columns!("SELECT", "FROM jobs WHERE workspace_id = $1 AND finished_at IS NULL AND total <= 1000 \
        AND (lease_expires_at IS NULL OR lease_expires_at <= $2 OR lease_owner = $3) \
        ORDER BY total, created_at, tracking_token LIMIT $4");
    OLDEST = with_columns!("SELECT", "FROM jobs WHERE workspace_id = $1 AND finished_at IS NULL \
        AND (lease_expires_at IS NULL OR lease_expires_at <= $2 OR lease_owner = $3) \
        ORDER BY created_at, tracking_token LIMIT $4");
    CLAIM = "UPDATE jobs SET status = 'running', lease_owner = $1, lease_expires_at = $2 \
        WHERE tracking_token = $4 AND finished_at IS NULL \
        AND (lease_expires_at IS NULL OR lease_expires_at <= $3 OR lease_owner = $1)";
    // The lease that a worker has already lasts as long as it needs: nothing is written, and the commit of another chunk of the
    // job, which holds the row, is not waited for.
    CLAIMED = "SELECT CAST(1 AS BIGINT) FROM jobs WHERE tracking_token = $1 AND finished_at IS NULL AND lease_owner = $2 \
        AND lease_expires_at > $3";
    IS_LEASED = "SELECT CAST(1 AS BIGINT) FROM jobs WHERE tracking_token = $1 AND lease_owner = $2";
    SET_ASIDE = "UPDATE jobs SET lease_owner = $1, lease_expires_at = $2 WHERE tracking_token = $4 AND finished_at IS NULL \
        AND (lease_expires_at IS NULL OR lease_expires_at <= $3 OR lease_owner = $5)";
    TAKE_TURN = "INSERT INTO job_turns (workspace_id, served) \
        SELECT CAST($1 AS TEXT), COALESCE(MAX(served), 0) + 1 FROM job_turns WHERE true \
        ON CONFLICT (workspace_id) DO UPDATE SET served = excluded.served";
    RENEW_LEASE = "UPDATE jobs SET lease_expires_at = $3 WHERE tracking_token = $1 AND lease_owner = $2";
    GIVE_BACK = "UPDATE jobs SET lease_owner = NULL, lease_expires_at = NULL WHERE tracking_token = $1 AND lease_owner = $2";
    GIVE_BACK_ALL = "UPDATE jobs SET lease_owner = NULL, lease_expires_at = NULL \
        WHERE status = 'running' AND lease_expires_at IS NOT NULL";
    ADVANCE = "UPDATE jobs SET done = done + $3, failed = failed + $4, needs_review = needs_review + $5, \
        charged = charged + $6, lease_expires_at = $7 WHERE tracking_token = $1 AND lease_owner = $2 RETURNING failed";
    FINISH = "UPDATE jobs SET status = CASE WHEN failed = 0 THEN 'completed' WHEN done = 0 THEN 'failed' ELSE 'partial' END, \
        lease_owner = NULL, lease_expires_at = NULL, finished_at = $3 WHERE tracking_token = $1 AND lease_owner = $2";
    UNFINISHED_OF_DOCUMENTS = "SELECT j.tracking_token FROM jobs j JOIN documents d ON d.id = j.document_id \
        WHERE j.project_id = $1 AND d.language = $2 AND j.status IN ('queued', 'running') \
        AND NOT EXISTS (SELECT 1 FROM job_items i WHERE i.job_id = j.tracking_token)";
    COUNT_UNFINISHED = "SELECT status, COUNT(*) FROM jobs WHERE status IN ('queued', 'running') GROUP BY status";
}

/// A job to queue.
#[derive(Debug, Clone, Copy)]
pub struct NewJob<'a> {
    /// `trk_…`
    pub tracking_token: &'a TrackingToken,
    /// Its project
    pub project_id: &'a ProjectId,
    /// The workspace that pays
    pub workspace_id: &'a WorkspaceId,
    /// The document that it translates; `None`: keys
    pub document_id: Option<&'a DocumentId>,
    /// True if it replaces people's texts
    pub retranslate: bool,
    /// The engines that it was priced for: their chains, each once
    pub engine: &'a str,
    /// The request that made it
    pub request_id: &'a RequestId,
    /// Translations in all
    pub total: i64,
    /// Price that was quoted
    pub estimated: Millicredits,
    /// True if no worker takes it before its run is live
    pub is_staged: bool,
    /// Now
    pub created_at: Timestamp,
}

/// Queues a job; its items and chunks follow.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, job: NewJob<'_>) -> Result<(), StoreError> {
    let (token, at) = (job.tracking_token.as_str(), job.created_at.as_millis());
    let (project, workspace) = (job.project_id.as_str(), job.workspace_id.as_str());
    let (total, estimated, document) = (job.total, job.estimated.0, job.document_id.map(DocumentId::as_str));
    let kind = if document.is_some() { JobKind::Content } else { JobKind::Strings };
    let kind = kind.as_str();
    let retranslate = job.retranslate;
    let status = if job.is_staged { "staged" } else { JobStatus::Queued.as_str() };
    // As if someone leased it for ever.
    let leased = job.is_staged.then_some(i64::MAX);
    execute!(
        tx,
        INSERT,
        token,
        project,
        workspace,
        job.engine,
        job.request_id.as_str(),
        total,
        estimated,
        at,
        kind,
        document,
        retranslate,
        status,
        leased
    )?;
    Ok(())
}

/// The job with that tracking token, if it is of the project.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    tx: &mut Tx,
    project_id: &ProjectId,
    tracking_token: &TrackingToken,
) -> Result<Option<Job>, StoreError> {
    fetch_optional!(tx, Job, FIND, tracking_token.as_str(), project_id.as_str())
}

/// Jobs that the search passes over, by their workspaces.
pub type PassedOver = HashMap<WorkspaceId, HashSet<TrackingToken>>;

/// The unfinished job whose turn it is, of those that no one else leases or whose lease is over: of the workspace that was
/// served least recently, and of its jobs the smallest of at most 1,000 translations, or else the oldest.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn next(
    tx: &mut Tx,
    owner: &LeaseOwner,
    now: Timestamp,
    passed: &PassedOver,
) -> Result<Option<Job>, StoreError> {
    let (owner, now) = (owner.as_str(), now.as_millis());
    // One more than may be passed over.
    let more_than = |passed: usize| i64::try_from(passed).map_or(i64::MAX, |passed| passed.saturating_add(1));
    for (workspace,) in fetch_all!(tx, (String,), WAITING_WORKSPACES, now, more_than(passed.len()), owner)? {
        let workspace = WorkspaceId::from(workspace);
        let passed = passed.get(&workspace);
        let most = more_than(passed.map_or(0, HashSet::len));
        for statement in [SMALL, OLDEST] {
            let free = fetch_all!(tx, Job, statement, workspace.as_str(), now, owner, most)?;
            let is_passed = |job: &Job| passed.is_some_and(|passed| passed.contains(&job.tracking_token));
            if let Some(job) = free.into_iter().find(|job| !is_passed(job)) {
                return Ok(Some(job));
            }
        }
    }
    Ok(None)
}

/// Leases a job, which is a turn of its workspace; `false` if it has ended or someone else leases it.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn claim(
    tx: &mut Tx,
    job: &Job,
    owner: &LeaseOwner,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let (token, owner) = (job.tracking_token.as_str(), owner.as_str());
    let (expires_at, now) = (expires_at.as_millis(), now.as_millis());
    let half = now.midpoint(expires_at);
    if fetch_optional!(tx, (i64,), CLAIMED, token, owner, half)?.is_none()
        && execute!(tx, CLAIM, owner, expires_at, now, token)? == 0
    {
        return Ok(false);
    }
    execute!(tx, TAKE_TURN, job.workspace_id.as_str())?;
    Ok(true)
}

/// Gives the lease of a job to an owner who is nobody, so that the job rests until that is over; nothing if someone else
/// leases it.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn set_aside(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    owner: &LeaseOwner,
    nobody: &LeaseOwner,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (owner, nobody, token) = (owner.as_str(), nobody.as_str(), tracking_token.as_str());
    execute!(tx, SET_ASIDE, nobody, expires_at.as_millis(), now.as_millis(), token, owner).map(drop)
}

/// Leases a job for longer; `false` when another owner has it by now.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn renew_lease(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    owner: &LeaseOwner,
    expires_at: Timestamp,
) -> Result<bool, StoreError> {
    Ok(execute!(tx, RENEW_LEASE, tracking_token.as_str(), owner.as_str(), expires_at.as_millis())? == 1)
}

/// Returns true if this owner has the job.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_leased(tx: &mut Tx, tracking_token: &TrackingToken, owner: &LeaseOwner) -> Result<bool, StoreError> {
    Ok(fetch_optional!(tx, (i64,), IS_LEASED, tracking_token.as_str(), owner.as_str())?.is_some())
}

/// Ends a lease, so that another worker may go on at once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn release(tx: &mut Tx, tracking_token: &TrackingToken, owner: &LeaseOwner) -> Result<(), StoreError> {
    execute!(tx, GIVE_BACK, tracking_token.as_str(), owner.as_str()).map(drop)
}

/// Ends a chunk and adds its outcome to its job, if `owner` still leases the job and the chunk has not ended before; else
/// `None`, and the transaction must not be committed. Returns how many translations of the job had failed before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn finish_chunk(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    owner: &LeaseOwner,
    seq: i64,
    outcome: ChunkOutcome,
    lease_expires_at: Timestamp,
) -> Result<Option<i64>, StoreError> {
    let ChunkOutcome { done, failed, needs_review, charged } = outcome;
    let (charged, lease) = (charged.0, lease_expires_at.as_millis());
    let advanced = fetch_optional!(
        tx,
        (i64,),
        ADVANCE,
        tracking_token.as_str(),
        owner.as_str(),
        done,
        failed,
        needs_review,
        charged,
        lease
    )?;
    let Some((failed_now,)) = advanced else { return Ok(None) };
    let has_ended = job_chunks::finish(tx, tracking_token, seq, outcome).await?;
    Ok(has_ended.then_some(failed_now - failed))
}

/// Ends a job; what has become of it follows from what failed. `false` when another owner has it by now.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn finish(
    tx: &mut Tx,
    tracking_token: &TrackingToken,
    owner: &LeaseOwner,
    at: Timestamp,
) -> Result<bool, StoreError> {
    Ok(execute!(tx, FINISH, tracking_token.as_str(), owner.as_str(), at.as_millis())? == 1)
}

/// The newest jobs of a project, at most `limit`: those whose token sorts before `before`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn newest(tx: &mut Tx, project_id: &ProjectId, before: &str, limit: i64) -> Result<Vec<Job>, StoreError> {
    fetch_all!(tx, Job, NEWEST, project_id.as_str(), before, limit)
}

/// The unfinished jobs of a project's documents that are written in this language, as far as a release before has queued
/// them: their items are known to their chunks alone.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn unfinished_of_documents(
    tx: &mut Tx,
    project_id: &ProjectId,
    language: &str,
) -> Result<Vec<TrackingToken>, StoreError> {
    let found = fetch_all!(tx, (String,), UNFINISHED_OF_DOCUMENTS, project_id.as_str(), language)?;
    Ok(found.into_iter().map(|(token,)| token.into()).collect())
}

/// The numbers of unfinished jobs, by status.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn unfinished(tx: &mut Tx) -> Result<Vec<(String, i64)>, StoreError> {
    fetch_all!(tx, (String, i64), COUNT_UNFINISHED)
}

/// Gives every leased job back; returns how many these were. Their owners' commits are refused from then on.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn release_all(tx: &mut Tx) -> Result<u64, StoreError> {
    execute!(tx, GIVE_BACK_ALL)
}
