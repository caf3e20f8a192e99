//! Chunks of a job that a worker takes together: translated side by side, and committed together as far as they are ready. A
//! small job has a chunk for each of its languages, and would wait in the line of those who write once for each.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{JoinError, JoinSet};

use super::chunk::{ChunkParts, ChunkResult, TranslatedChunk, translate};
use super::scheduler::ChunkEnd;
use super::seats::Place;
use crate::domain::ServiceError;
use crate::domain::jobs::{self, CommitOutcome, Lease};
use crate::store::{Store, StoreError, Tx};

/// Time after which a commit that still waits for its project gives its place at the engine back.
const LONG: Duration = Duration::from_secs(1);

/// Chunks that are translated at the same time.
#[derive(Default)]
struct Translating {
    tasks: JoinSet<Result<ChunkResult, ServiceError>>,
    /// The outcomes that were there before somebody asked for them.
    ended: VecDeque<Result<ChunkResult, ServiceError>>,
}

impl Translating {
    /// Waits for the next outcome; `None` when there are no more.
    async fn next(&mut self) -> Option<Result<ChunkResult, ServiceError>> {
        match self.ended.pop_front() {
            Some(ended) => Some(ended),
            None => self.tasks.join_next().await.map(outcome),
        }
    }

    /// The next outcome that is there.
    fn try_next(&mut self) -> Option<Result<ChunkResult, ServiceError>> {
        self.ended.pop_front().or_else(|| self.tasks.try_join_next().map(outcome))
    }
}

/// Translates and commits the chunks of these leases of one job, `at_once` of them at a time. Where one fails, the others go
/// on. Their place at the engine is free again at the end, or once they wait for their project alone.
pub(super) async fn work(
    parts: Arc<ChunkParts>,
    leases: Vec<Lease>,
    at_once: usize,
    mut place: Option<Place>,
) -> Result<ChunkEnd, ServiceError> {
    let mut waiting = leases.into_iter();
    let mut translating = Translating::default();
    let mut result = Ok(ChunkEnd::Chunk);
    loop {
        for lease in waiting.by_ref().take(at_once.saturating_sub(translating.tasks.len())) {
            translating.tasks.spawn(translate(Arc::clone(&parts), lease));
        }
        let Some(first) = translating.next().await else { return result };
        let now = match first {
            Ok(ChunkResult::Translated(chunk)) => commit(&parts, *chunk, &mut translating, &mut place).await,
            other => ended(other),
        };
        result = worse(result, now);
    }
}

/// Commits a chunk, and with it those that are ready by the time that it may write: all of them or none.
async fn commit(
    parts: &ChunkParts,
    first: TranslatedChunk,
    translating: &mut Translating,
    place: &mut Option<Place>,
) -> Result<ChunkEnd, ServiceError> {
    let begun = begin_beside(parts, &first.lease, translating, place).await?;
    let Some(mut tx) = begun else { return Ok(ChunkEnd::GivenUp) };
    let mut result = Ok(ChunkEnd::Chunk);
    let mut next = Some(first);
    while let Some(TranslatedChunk { lease, wanted, results }) = next {
        match jobs::commit(&mut tx, parts.service.jobs(), &lease, &wanted, results).await? {
            CommitOutcome::Lost => {
                tx.rollback().await?;
                return Ok(ChunkEnd::GivenUp);
            }
            CommitOutcome::Finished => result = worse(result, Ok(ChunkEnd::Finished)),
            CommitOutcome::Chunk => {}
        }
        next = loop {
            match translating.try_next() {
                None => break None,
                Some(Ok(ChunkResult::Translated(chunk))) => break Some(*chunk),
                Some(other) => result = worse(result, ended(other)),
            }
        };
    }
    tx.commit().await?;
    result
}

/// The result for the worker of a chunk that is not to be committed.
fn ended(outcome: Result<ChunkResult, ServiceError>) -> Result<ChunkEnd, ServiceError> {
    outcome.map(|outcome| match outcome {
        ChunkResult::Translated(_) => ChunkEnd::Chunk,
        ChunkResult::Finished => ChunkEnd::Finished,
        ChunkResult::GivenUp => ChunkEnd::GivenUp,
    })
}

/// The result of both: an error, or else what leaves more to be done.
fn worse(one: Result<ChunkEnd, ServiceError>, other: Result<ChunkEnd, ServiceError>) -> Result<ChunkEnd, ServiceError> {
    match (one?, other?) {
        (ChunkEnd::Chunk, ended) | (ended, ChunkEnd::Chunk) => Ok(ended),
        (ChunkEnd::Finished, ChunkEnd::Finished) => Ok(ChunkEnd::Finished),
        (ChunkEnd::Failed, _) | (_, ChunkEnd::Failed) => Ok(ChunkEnd::Failed),
        (ChunkEnd::GivenUp, _) | (_, ChunkEnd::GivenUp) => Ok(ChunkEnd::GivenUp),
    }
}

/// Begins the transaction of a commit while other chunks are translated. Where that takes long and none of them is at the engine
/// any more, others get their place there.
async fn begin_beside(
    parts: &ChunkParts,
    lease: &Lease,
    translating: &mut Translating,
    place: &mut Option<Place>,
) -> Result<Option<Tx>, ServiceError> {
    let mut begun = pin!(begin(parts, lease));
    let mut long = pin!(tokio::time::sleep(LONG));
    let mut is_long = false;
    loop {
        tokio::select! {
            begun = &mut begun => return begun,
            Some(ended) = translating.tasks.join_next() => translating.ended.push_back(outcome(ended)),
            () = &mut long, if !is_long => is_long = true,
        }
        if let Some(place) = place.as_mut().filter(|_| is_long && translating.tasks.is_empty()) {
            place.give_back();
        }
    }
}

/// Begins the transaction of a commit. What an engine was paid for is not thrown away because others take long, such as a large
/// run of the project: it waits for its turn however often in vain, while its worker keeps the lease. `None` when the server is
/// about to end.
async fn begin(parts: &ChunkParts, lease: &Lease) -> Result<Option<Tx>, ServiceError> {
    loop {
        match begin_in_turn(&parts.service.store, lease).await {
            Err(error) if error.waited_in_vain() => {
                if parts.shutdown.is_cancelled() {
                    return Ok(None);
                }
                tracing::info!(job = %lease.job.tracking_token, "a translated chunk still waits for its project");
                parts.shutdown.run_until_cancelled(tokio::time::sleep(parts.config.backoff)).await;
            }
            begun => return Ok(begun.map(Some)?),
        }
    }
}

/// Somebody waits for a small job, as for the request that queued it: it does not stand in the line of the large ones.
async fn begin_in_turn(store: &Store, lease: &Lease) -> Result<Tx, StoreError> {
    let (workspace, project) = (&lease.job.workspace_id, &lease.job.project_id);
    match lease.is_small() {
        true => store.begin_write_in(workspace, project).await,
        false => store.begin_yielding_write_in(workspace, project).await,
    }
}

fn outcome(joined: Result<Result<ChunkResult, ServiceError>, JoinError>) -> Result<ChunkResult, ServiceError> {
    joined.unwrap_or_else(|error| Err(ServiceError::internal(error.to_string())))
}
