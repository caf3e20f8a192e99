//! Chunks of a job that a worker takes together: translated side by side, and committed together as far as they are ready. A
//! small job has a chunk for each of its languages, and would wait in the line of those who write once for each.

use std::sync::Arc;

use tokio::task::{JoinError, JoinSet};

use super::chunk::{ChunkParts, Outcome, TranslatedChunk, translate};
use super::turn::Ended;
use crate::domain::ServiceError;
use crate::domain::jobs::{self, Committed, Lease};
use crate::service::Service;
use crate::store::Tx;

type Translating = JoinSet<Result<Outcome, ServiceError>>;

/// Translates and commits the chunks of these leases of one job, `at_once` of them at a time. Where one fails, the others go
/// on.
pub(super) async fn work(parts: Arc<ChunkParts>, leases: Vec<Lease>, at_once: usize) -> Result<Ended, ServiceError> {
    let mut waiting = leases.into_iter();
    let mut translating = Translating::new();
    let mut result = Ok(Ended::Chunk);
    loop {
        for lease in waiting.by_ref().take(at_once.saturating_sub(translating.len())) {
            translating.spawn(translate(Arc::clone(&parts), lease));
        }
        let Some(first) = translating.join_next().await else { return result };
        let now = match outcome(first) {
            Ok(Outcome::Translated(chunk)) => commit(&parts.service, *chunk, &mut translating).await,
            other => ended(other),
        };
        result = worse(result, now);
    }
}

/// Commits a chunk, and with it those that are ready by the time that it may write: all of them or none.
async fn commit(
    service: &Service,
    first: TranslatedChunk,
    translating: &mut Translating,
) -> Result<Ended, ServiceError> {
    let mut tx = begin(service, &first.lease).await?;
    let mut result = Ok(Ended::Chunk);
    let mut next = Some(first);
    while let Some(TranslatedChunk { lease, wanted, results }) = next {
        match jobs::commit(&mut tx, service.jobs(), &lease, &wanted, results).await? {
            Committed::Lost => {
                tx.rollback().await?;
                return Ok(Ended::GivenUp);
            }
            Committed::Finished => result = worse(result, Ok(Ended::Finished)),
            Committed::Chunk => {}
        }
        next = loop {
            match translating.try_join_next().map(outcome) {
                None => break None,
                Some(Ok(Outcome::Translated(chunk))) => break Some(*chunk),
                Some(other) => result = worse(result, ended(other)),
            }
        };
    }
    tx.commit().await?;
    result
}

/// The result for the worker of a chunk that is not to be committed.
fn ended(outcome: Result<Outcome, ServiceError>) -> Result<Ended, ServiceError> {
    outcome.map(|outcome| match outcome {
        Outcome::Translated(_) => Ended::Chunk,
        Outcome::Finished => Ended::Finished,
        Outcome::GivenUp => Ended::GivenUp,
    })
}

/// The result of both: an error, or else what leaves more to be done.
fn worse(one: Result<Ended, ServiceError>, other: Result<Ended, ServiceError>) -> Result<Ended, ServiceError> {
    match (one?, other?) {
        (Ended::Chunk, ended) | (ended, Ended::Chunk) => Ok(ended),
        (Ended::Finished, Ended::Finished) => Ok(Ended::Finished),
        (Ended::Failed, _) | (_, Ended::Failed) => Ok(Ended::Failed),
        (Ended::GivenUp, _) | (_, Ended::GivenUp) => Ok(Ended::GivenUp),
    }
}

/// Begins the transaction of a commit. Somebody waits for a small job, as for the request that queued it: it does not stand
/// in the line of the large ones.
async fn begin(service: &Service, lease: &Lease) -> Result<Tx, ServiceError> {
    let (workspace, project) = (&lease.job.workspace_id, &lease.job.project_id);
    Ok(match lease.is_small() {
        true => service.store.begin_write_in(workspace, project).await?,
        false => service.store.begin_yielding_write_in(workspace, project).await?,
    })
}

fn outcome(joined: Result<Result<Outcome, ServiceError>, JoinError>) -> Result<Outcome, ServiceError> {
    joined.unwrap_or_else(|error| Err(ServiceError::internal(error.to_string())))
}
