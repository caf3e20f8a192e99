//! Chunks of a job that a worker takes together: translated side by side, and committed together as far as they are ready. A
//! small job has a chunk for each of its languages, and would wait in the line of those who write once for each.

use std::sync::Arc;

use tokio::task::{JoinError, JoinSet};

use super::chunk::{ChunkParts, ChunkResult, TranslatedChunk, translate};
use super::scheduler::ChunkEnd;
use crate::domain::ServiceError;
use crate::domain::jobs::{self, CommitOutcome, Lease};
use crate::store::{Store, StoreError, Tx};

type Translating = JoinSet<Result<ChunkResult, ServiceError>>;

/// Translates and commits the chunks of these leases of one job, `at_once` of them at a time. Where one fails, the others go
/// on.
pub(super) async fn work(parts: Arc<ChunkParts>, leases: Vec<Lease>, at_once: usize) -> Result<ChunkEnd, ServiceError> {
    let mut waiting = leases.into_iter();
    let mut translating = Translating::new();
    let mut result = Ok(ChunkEnd::Chunk);
    loop {
        for lease in waiting.by_ref().take(at_once.saturating_sub(translating.len())) {
            translating.spawn(translate(Arc::clone(&parts), lease));
        }
        let Some(first) = translating.join_next().await else { return result };
        let now = match outcome(first) {
            Ok(ChunkResult::Translated(chunk)) => commit(&parts, *chunk, &mut translating).await,
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
) -> Result<ChunkEnd, ServiceError> {
    let Some(mut tx) = begin(parts, &first.lease).await? else { return Ok(ChunkEnd::GivenUp) };
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
            match translating.try_join_next().map(outcome) {
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
