//! One chunk of a job: begun before the engine is asked, committed after it has answered.

use super::claimed::{ChunkFailure, ChunkTranslations, ClaimedChunk, ClaimedText};
use super::items::{ChunkItems, ChunkResults};
use super::keys::{CurrentKeys, SeenKeys};
use super::lease::{JOB_LEASE_MILLIS, Lease, NextChunk};
use super::segments::CurrentSegments;
use crate::clock::{Clock, Timestamp};
use crate::config::Pricing;
use crate::domain::ServiceError;
use crate::domain::credits::{self, HOLD_MILLIS};
use crate::domain::glossary::Glossaries;
use crate::domain::project_engines::ProjectEngines;
use crate::engines::EngineRegistry;
use crate::signal::Signal;
use crate::store::holds::{self, Hold};
use crate::store::job_chunks::{self, Chunk, ChunkOutcome, JobItem};
use crate::store::{
    Tx, documents, glossary, glossary_checks, job_engines, job_failures, jobs, lock, pending_items, projects,
};

/// The parts of the server that work on jobs uses.
#[derive(Debug, Clone, Copy)]
pub struct JobParts<'a> {
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The prices.
    pub pricing: &'a Pricing,
    /// The engines that translate, from which projects choose.
    pub engines: &'a EngineRegistry,
    /// Tells those who wait for a job that it has ended.
    pub job_ended: &'a Signal,
    /// The lists of terms of projects.
    pub glossaries: &'a Glossaries,
}

/// A worker's next step for a job that it leases.
#[derive(Debug)]
pub enum NextStep {
    /// The engine translates this chunk, then the worker commits.
    ClaimedChunk(Box<ClaimedChunk>),
    /// The job has ended.
    Finished,
    /// Another worker has the job by now, or has done the chunk.
    Lost,
}

/// The outcome of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitOutcome {
    /// It is written; the job goes on.
    Chunk,
    /// It is written, and it was the last.
    Finished,
    /// Another worker has the job by now, or has done the chunk: nothing may be written, so the transaction is to be
    /// rolled back.
    Lost,
}

/// Finds the chunk of a lease and its texts that are still wanted, and makes sure that its price is held. A hold that died
/// while the job waited is taken anew; where the workspace does not cover it any more, the chunk is to fail.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn begin(tx: &mut Tx, parts: JobParts<'_>, lease: &Lease) -> Result<NextStep, ServiceError> {
    let now = parts.clock.now();
    let token = &lease.job.tracking_token;
    let source_language = source_language(tx, lease).await?;
    lock::workspace(tx, &lease.job.workspace_id).await?;
    if !jobs::renew_lease(tx, token, &lease.owner, now.plus_millis(JOB_LEASE_MILLIS)).await? {
        return Ok(NextStep::Lost);
    }
    let chunk = match &lease.chunk {
        NextChunk::Pending { seq, .. } => job_chunks::pending_chunk(tx, token, *seq).await?,
        NextChunk::UnderWay => None,
        NextChunk::None => {
            finish(tx, parts.job_ended, lease, now).await?;
            return Ok(NextStep::Finished);
        }
    };
    let Some(chunk) = chunk else { return Ok(NextStep::Lost) };
    let hold = live_hold(tx, lease, now).await?;
    claimed(tx, parts, lease, chunk, source_language, hold.err()).await
}

/// Does the same in a transaction that cannot write: nobody who writes waits for it. `None` where [`begin`] has something to
/// write, since no chunk is left or the hold is dead or will be soon.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn begin_reading(tx: &mut Tx, parts: JobParts<'_>, lease: &Lease) -> Result<Option<NextStep>, ServiceError> {
    let NextChunk::Pending { seq, .. } = &lease.chunk else { return Ok(None) };
    let token = &lease.job.tracking_token;
    if !jobs::is_leased(tx, token, &lease.owner).await? {
        return Ok(Some(NextStep::Lost));
    }
    // Each commit renews it, so that few jobs get there.
    let soon = parts.clock.now().plus_millis(HOLD_MILLIS / 2);
    if !credits::find_hold(tx, token).await?.is_live(soon) {
        return Ok(None);
    }
    let Some(chunk) = job_chunks::pending_chunk(tx, token, *seq).await? else { return Ok(Some(NextStep::Lost)) };
    let source_language = source_language(tx, lease).await?;
    claimed(tx, parts, lease, chunk, source_language, None).await.map(Some)
}

/// Reads what the engines need to know of a chunk.
async fn claimed(
    tx: &mut Tx,
    parts: JobParts<'_>,
    lease: &Lease,
    chunk: Chunk,
    source_language: String,
    refused: Option<ChunkFailure>,
) -> Result<NextStep, ServiceError> {
    let (texts, seen) = match &lease.job.document_id {
        None => texts::<CurrentKeys>(tx, lease, &chunk, &source_language).await?,
        Some(_) => texts::<CurrentSegments>(tx, lease, &chunk, &source_language).await?,
    };
    // Before the terms: what changes in between is noticed at the end.
    let glossary_revision = glossary::revision(tx, &lease.job.project_id).await?;
    let terms = parts.glossaries.between(tx, &lease.job.project_id, &source_language, &chunk.language).await?;
    let engines = ProjectEngines::find(tx, parts.engines, &lease.job.project_id).await?.of_language(&chunk.language);
    Ok(NextStep::ClaimedChunk(Box::new(ClaimedChunk {
        chunk,
        source_language,
        texts,
        seen,
        glossary: terms,
        glossary_revision,
        engines,
        refused,
    })))
}

/// The texts of a chunk that are still wanted, and the keys that they are of.
async fn texts<I: ChunkItems>(
    tx: &mut Tx,
    lease: &Lease,
    chunk: &Chunk,
    source_language: &str,
) -> Result<(Vec<ClaimedText>, Option<SeenKeys>), ServiceError> {
    let live = I::read(tx, lease, chunk, source_language, None).await?;
    let text = |(at, unit): (usize, &JobItem)| {
        let name = live.names(unit).first().map_or_else(String::new, |name| (*name).to_owned());
        Some(ClaimedText { unit: at, name, source: live.text(unit)? })
    };
    let texts = chunk.items.0.iter().enumerate().filter_map(text).collect();
    Ok((texts, live.into_seen()))
}

/// Writes the results of a chunk, all of them or none.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn commit(
    tx: &mut Tx,
    parts: JobParts<'_>,
    lease: &Lease,
    wanted: &ClaimedChunk,
    results: ChunkTranslations,
) -> Result<CommitOutcome, ServiceError> {
    match &lease.job.document_id {
        None => commit_items::<CurrentKeys>(tx, parts, lease, wanted, results).await,
        Some(_) => commit_items::<CurrentSegments>(tx, parts, lease, wanted, results).await,
    }
}

async fn commit_items<I: ChunkItems>(
    tx: &mut Tx,
    parts: JobParts<'_>,
    lease: &Lease,
    wanted: &ClaimedChunk,
    results: ChunkTranslations,
) -> Result<CommitOutcome, ServiceError> {
    let now = parts.clock.now();
    let token = &lease.job.tracking_token;
    let chunk = &wanted.chunk;
    lock::project(tx, &lease.job.project_id).await?;
    let hold = live_hold(tx, lease, now).await?;
    let live = I::read(tx, lease, chunk, &wanted.source_language, wanted.seen.as_ref()).await?;
    let (results, hold) = match (results, hold) {
        (Ok(results), Ok(hold)) => (Ok(results), hold),
        (Err(failure), Ok(hold)) => (Err(failure), hold),
        (_, Err(failure)) => (Err(failure), credits::find_hold(tx, token).await?),
    };
    // A service may have had a glossary of terms that are newer than those which the chunk has.
    let have_terms_changed = glossary::revision(tx, &lease.job.project_id).await? != wanted.glossary_revision;
    let made = ChunkResults::new(parts.pricing, (wanted, have_terms_changed), &live, &results);
    let quoted = chunk.items.0.iter().map(|unit| unit.price).sum();
    let charged = credits::charge(tx, &hold, quoted, made.price, now).await?;
    let outcome = ChunkOutcome { charged, ..made.outcome() };
    let lease_ends = now.plus_millis(JOB_LEASE_MILLIS);
    let Some(failed_before) = jobs::finish_chunk(tx, token, &lease.owner, chunk.seq, outcome, lease_ends).await? else {
        return Ok(CommitOutcome::Lost);
    };
    made.write(tx, lease, wanted, now).await?;
    job_engines::add(tx, token, &made.shares(charged)).await?;
    // What is there was checked anew when the terms changed; this was not there yet. Whoever changes a list holds the project or
    // the workspace, as this transaction does both.
    if have_terms_changed {
        glossary_checks::request(tx, &lease.job.project_id).await?;
    }
    if let Some(slot) = chunk.slot {
        let items: Vec<&str> = chunk.items.0.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
        pending_items::settle(tx, &lease.job.project_id, token, slot, &items).await?;
    }
    job_failures::insert(tx, token, failed_before, &made.failures).await?;
    if job_chunks::has_pending_chunks(tx, token).await? {
        return Ok(CommitOutcome::Chunk);
    }
    finish(tx, parts.job_ended, lease, now).await?;
    Ok(CommitOutcome::Finished)
}

/// Ends a job whose chunks are done, and tells those who wait for it.
async fn finish(tx: &mut Tx, job_ended: &Signal, lease: &Lease, now: Timestamp) -> Result<(), ServiceError> {
    let token = &lease.job.tracking_token;
    jobs::finish(tx, token, &lease.owner, now).await?;
    holds::release(tx, token, now).await?;
    job_ended.wake_all_after(tx);
    Ok(())
}

/// The source language of a job: that of its document, or the project's base language.
async fn source_language(tx: &mut Tx, lease: &Lease) -> Result<String, ServiceError> {
    let id = &lease.job.project_id;
    if let Some(document) = &lease.job.document_id {
        let document = documents::find(tx, id, document.as_str()).await?;
        let document = document.ok_or_else(|| ServiceError::internal("a job's document does not exist"))?;
        return Ok(document.language);
    }
    let project = projects::find(tx, id).await?;
    let project = project.ok_or_else(|| ServiceError::internal(format!("the project {id} does not exist")))?;
    Ok(project.base_language)
}

/// The live hold, or why there is none.
async fn live_hold(tx: &mut Tx, lease: &Lease, now: Timestamp) -> Result<Result<Hold, ChunkFailure>, ServiceError> {
    match credits::live_hold(tx, &lease.job.workspace_id, &lease.job.tracking_token, now).await {
        Ok(hold) => Ok(Ok(hold)),
        Err(error @ (ServiceError::InsufficientCredits { .. } | ServiceError::SpendCapExceeded { .. })) => {
            Ok(Err(ChunkFailure { code: error.code().to_string(), message: error.to_string() }))
        }
        Err(error) => Err(error),
    }
}
