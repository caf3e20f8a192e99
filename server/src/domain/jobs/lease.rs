//! Leases: which worker has a job, and until when.

use std::collections::{BTreeSet, HashMap};

use l10n_api_types::{Origin, State, TrackingToken};

use super::super::ServiceError;
use crate::clock::Timestamp;
use crate::domain::project_engines::ProjectEngines;
use crate::domain::run::work::{CHUNK_KEYS, is_of_a_person};
use crate::engines::EngineRegistry;
use crate::ids::LeaseOwner;
use crate::store::engine::DatabaseKind;
use crate::store::jobs::{self, Job, PassedOver};
use crate::store::{Tx, job_chunks};

/// Time that a lease lasts after its last renewal, in milliseconds. A worker renews it while an engine takes its time,
/// so this is also the time that a job stands still when its worker dies.
pub const JOB_LEASE_MILLIS: i64 = 60_000;

/// A worker that claims jobs, with what it has already.
#[derive(Debug)]
pub struct Claimant {
    /// The owner of its leases. Its chunks are fenced by their own status, too, so that a job which it lost and got back is
    /// no danger.
    pub owner: LeaseOwner,
    /// The chunks that it has under way, by their jobs.
    pub under_way: HashMap<TrackingToken, BTreeSet<i64>>,
}

impl Claimant {
    /// A worker that has nothing.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self { owner: LeaseOwner::fresh(now), under_way: HashMap::new() }
    }
}

/// A job that this worker has, and the chunk of it that it takes.
#[derive(Debug, Clone)]
pub struct Lease {
    /// The owner.
    pub owner: LeaseOwner,
    /// The job as it was when it was found.
    pub job: Job,
    /// The chunk.
    pub chunk: NextChunk,
    /// The other chunks of a small job that are not under way, by place and language: its worker takes them along.
    pub others: Vec<(i64, String)>,
}

/// The next chunk of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextChunk {
    /// The first that is not under way.
    Pending {
        /// Its place.
        seq: i64,
        /// The language that it is translated into.
        language: String,
    },
    /// All that are left are under way.
    UnderWay,
    /// All have ended.
    None,
}

impl Lease {
    /// Returns whether the whole job is no more work than a chunk of a large one.
    pub(crate) fn is_small(&self) -> bool {
        is_small(&self.job)
    }

    /// The place of its chunk, if it has one.
    pub(crate) fn seq(&self) -> Option<i64> {
        match self.chunk {
            NextChunk::Pending { seq, .. } => Some(seq),
            NextChunk::UnderWay | NextChunk::None => None,
        }
    }

    /// The lease for each of the other chunks in a language that fits.
    pub(crate) fn take_others(&mut self, fits: impl Fn(&str) -> bool) -> Vec<Self> {
        let (taken, left) = std::mem::take(&mut self.others).into_iter().partition(|(_, language)| fits(language));
        self.others = left;
        let of =
            |(seq, language)| Self { chunk: NextChunk::Pending { seq, language }, others: Vec::new(), ..self.clone() };
        Vec::from_iter(taken).into_iter().map(of).collect()
    }

    /// Returns whether the job leaves a translation unchanged. It leaves a person's text, unless the job was queued to
    /// replace texts that people had written by then. A translation of the present source that a person approved stays
    /// in any case.
    pub(super) fn leaves(&self, is_present: bool, state: State, origin: Origin, updated_at: Timestamp) -> bool {
        let is_asked = self.job.retranslate && updated_at < self.job.created_at;
        is_of_a_person(state, origin) && (!is_asked || (is_present && state == State::Reviewed))
    }
}

/// Finds the next unfinished job that no one else has: workspaces take turns, and small jobs go first within one. Nothing is
/// written: the lease is yet to be [claimed](claim).
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn next(
    tx: &mut Tx,
    claimant: &Claimant,
    passed: &PassedOver,
    now: Timestamp,
) -> Result<Option<Lease>, ServiceError> {
    let owner = &claimant.owner;
    let Some(job) = jobs::next(tx, owner, now, passed).await? else { return Ok(None) };
    let none = BTreeSet::new();
    let under_way = claimant.under_way.get(&job.tracking_token).unwrap_or(&none);
    let most = if is_small(&job) { CHUNK_KEYS } else { 1 };
    let mut pending = job_chunks::pending(tx, &job.tracking_token, under_way.len() + most).await?;
    let has_ended = pending.is_empty();
    pending.retain(|(seq, _)| !under_way.contains(seq));
    pending.truncate(most);
    let mut left = pending.into_iter();
    let chunk = match left.next() {
        Some((seq, language)) => NextChunk::Pending { seq, language },
        None if has_ended => NextChunk::None,
        None => NextChunk::UnderWay,
    };
    Ok(Some(Lease { owner: owner.clone(), job, chunk, others: left.collect() }))
}

/// Leases the job of a lease that was found; `false` if it has ended meanwhile or someone else has it.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn claim(tx: &mut Tx, lease: &Lease, now: Timestamp) -> Result<bool, ServiceError> {
    Ok(jobs::claim(tx, &lease.job, &lease.owner, now.plus_millis(JOB_LEASE_MILLIS), now).await?)
}

fn is_small(job: &Job) -> bool {
    usize::try_from(job.total).is_ok_and(|total| total <= CHUNK_KEYS)
}

/// Returns the engines that translate the chunks of a job, by their languages.
pub(crate) async fn engines(tx: &mut Tx, registry: &EngineRegistry, job: &Job) -> Result<ProjectEngines, ServiceError> {
    ProjectEngines::find(tx, registry, &job.project_id).await
}

/// Lets a job rest that cannot be worked on, until a lease would be over: it holds up nobody else's meanwhile.
pub(crate) async fn set_aside(
    tx: &mut Tx,
    owner: &LeaseOwner,
    token: &TrackingToken,
    now: Timestamp,
) -> Result<(), ServiceError> {
    Ok(jobs::set_aside(tx, token, owner, &LeaseOwner::fresh(now), now.plus_millis(JOB_LEASE_MILLIS), now).await?)
}

/// Keeps a job for longer; `false` when another worker has it by now.
pub(crate) async fn renew(
    tx: &mut Tx,
    owner: &LeaseOwner,
    token: &TrackingToken,
    now: Timestamp,
) -> Result<bool, ServiceError> {
    Ok(jobs::renew_lease(tx, token, owner, now.plus_millis(JOB_LEASE_MILLIS)).await?)
}

/// Gives a job back unfinished, so that another worker may go on at once.
pub(crate) async fn release(tx: &mut Tx, owner: &LeaseOwner, token: &TrackingToken) -> Result<(), ServiceError> {
    Ok(jobs::release(tx, token, owner).await?)
}

/// Gives back the leases of processes that are gone, when the server starts: an embedded datastore has one server, so
/// that no one else can be at work, and a killed server's jobs need not wait for their leases to run out. A lease that
/// is given back all the same is merely lost. Returns the number of these jobs; none on a shared datastore.
pub(crate) async fn release_orphans(tx: &mut Tx) -> Result<u64, ServiceError> {
    match tx.engine() {
        DatabaseKind::Sqlite => Ok(jobs::release_all(tx).await?),
        DatabaseKind::Postgres => Ok(0),
    }
}
