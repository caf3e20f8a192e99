//! Leases: which worker has a job, and until when.

use l10n_api_types::{Origin, State};

use super::super::ServiceError;
use crate::clock::Timestamp;
use crate::domain::run::work::is_of_a_person;
use crate::ids::LeaseOwner;
use crate::store::Tx;
use crate::store::engine::EngineKind;
use crate::store::jobs::{self, Job};

/// Time that a lease lasts after its last renewal, in milliseconds. A worker renews it while an engine takes its time,
/// so this is also the time that a job stands still when its worker dies.
pub const LEASE_MILLIS: i64 = 60_000;

/// A job that this worker has.
#[derive(Debug, Clone)]
pub struct Lease {
    /// The owner: a name for this one lease, not for the worker, so that a worker which lost a job and got it back cannot
    /// take its own old lease for the new one.
    pub owner: LeaseOwner,
    /// The job as it was when it was leased.
    pub job: Job,
}

impl Lease {
    /// Returns whether the job leaves a translation unchanged. It leaves a person's text, unless the job was queued to
    /// replace texts that people had written by then. A translation of the present source that a person approved stays
    /// in any case.
    pub(super) fn leaves(&self, is_present: bool, state: State, origin: Origin, updated_at: Timestamp) -> bool {
        let is_asked = self.job.retranslate && updated_at < self.job.created_at;
        is_of_a_person(state, origin) && (!is_asked || (is_present && state == State::Reviewed))
    }
}

/// Leases the next unfinished job that no one has: workspaces take turns, and small jobs go first within one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn claim(tx: &mut Tx, now: Timestamp) -> Result<Option<Lease>, ServiceError> {
    let owner = LeaseOwner::fresh(now);
    let job = jobs::claim(tx, &owner, now.plus_millis(LEASE_MILLIS), now).await?;
    Ok(job.map(|job| Lease { owner, job }))
}

/// Keeps a job for longer; `false` when another worker has it by now.
pub(crate) async fn renew(tx: &mut Tx, lease: &Lease, now: Timestamp) -> Result<bool, ServiceError> {
    Ok(jobs::renew_lease(tx, &lease.job.tracking_token, &lease.owner, now.plus_millis(LEASE_MILLIS)).await?)
}

/// Gives a job back unfinished, so that another worker may go on at once.
pub(crate) async fn release(tx: &mut Tx, lease: &Lease) -> Result<(), ServiceError> {
    Ok(jobs::release(tx, &lease.job.tracking_token, &lease.owner).await?)
}

/// Gives back the leases of processes that are gone, when the server starts: an embedded datastore has one server, so
/// that no one else can be at work, and a killed server's jobs need not wait for their leases to run out. A lease that
/// is given back all the same is merely lost. Returns the number of these jobs; none on a shared datastore.
pub(crate) async fn release_orphans(tx: &mut Tx) -> Result<u64, ServiceError> {
    match tx.engine() {
        EngineKind::Sqlite => Ok(jobs::release_all(tx).await?),
        EngineKind::Postgres => Ok(0),
    }
}
