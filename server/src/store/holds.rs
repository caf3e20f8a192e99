//! Holds: credits that a running job may still charge. A hold is live until it is released or its time is over.

use l10n_api_types::{Millicredits, TrackingToken, WorkspaceId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::HoldId;

row! {
    /// A hold.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Hold {
        /// `hld_…`
        pub id: HoldId,
        /// The workspace that owns the credits
        pub workspace_id: WorkspaceId,
        /// The job that may charge them
        pub job_id: TrackingToken,
        /// The amount that may still be charged
        pub remaining: Millicredits,
        /// The time at which it lapses unless it is renewed
        pub expires_at: Timestamp,
        /// The time of its release
        pub released_at: Option<Timestamp>,
    }
}

impl Hold {
    /// Returns true if its credits are set aside.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        self.released_at.is_none() && self.expires_at > now
    }
}

statements! {
    INSERT = "INSERT INTO holds (id, workspace_id, job_id, remaining, expires_at, released_at) VALUES ($1, $2, $3, $4, $5, NULL)";
    BY_JOB = "SELECT id, workspace_id, job_id, remaining, expires_at, released_at FROM holds WHERE job_id = $1";
    RENEW = "UPDATE holds SET remaining = $2, expires_at = $3, released_at = NULL WHERE job_id = $1";
    SHRINK = "UPDATE holds SET remaining = $2 WHERE job_id = $1";
    RELEASE = "UPDATE holds SET released_at = $2 WHERE job_id = $1 AND released_at IS NULL";
    LIVE_TOTAL = "SELECT CAST(COALESCE(SUM(remaining), 0) AS BIGINT) FROM holds \
        WHERE workspace_id = $1 AND released_at IS NULL AND expires_at > $2";
    RELEASE_DEAD = "UPDATE holds SET released_at = $1 WHERE released_at IS NULL AND expires_at <= $1";
}

/// Sets credits aside for a job.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(
    tx: &mut Tx,
    id: &HoldId,
    workspace_id: &WorkspaceId,
    job_id: &TrackingToken,
    amount: Millicredits,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    execute!(tx, INSERT, id.as_str(), workspace_id.as_str(), job_id.as_str(), amount.0, expires_at.as_millis())
        .map(drop)
}

/// The hold of a job.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_job(tx: &mut Tx, job_id: &TrackingToken) -> Result<Option<Hold>, StoreError> {
    fetch_optional!(tx, Hold, BY_JOB, job_id.as_str())
}

/// Sets what is left of a hold and when it dies; one that was dead is live again.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if the job has none.
pub async fn renew(
    tx: &mut Tx,
    job_id: &TrackingToken,
    remaining: Millicredits,
    expires_at: Timestamp,
) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, RENEW, job_id.as_str(), remaining.0, expires_at.as_millis())?)
}

/// Sets what is left of a hold without renewing it.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if the job has none.
pub async fn shrink(tx: &mut Tx, job_id: &TrackingToken, remaining: Millicredits) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SHRINK, job_id.as_str(), remaining.0)?)
}

/// Gives back what a job has not charged. Nothing happens when that was done before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn release(tx: &mut Tx, job_id: &TrackingToken, at: Timestamp) -> Result<(), StoreError> {
    execute!(tx, RELEASE, job_id.as_str(), at.as_millis()).map(drop)
}

/// The sum of a workspace's live holds.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn live_total(tx: &mut Tx, workspace_id: &WorkspaceId, now: Timestamp) -> Result<Millicredits, StoreError> {
    let (total,) = fetch_one!(tx, (i64,), LIVE_TOTAL, workspace_id.as_str(), now.as_millis())?;
    Ok(Millicredits(total))
}

/// Marks holds whose time is over as released; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn release_dead(tx: &mut Tx, now: Timestamp) -> Result<u64, StoreError> {
    execute!(tx, RELEASE_DEAD, now.as_millis())
}
