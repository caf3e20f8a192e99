//! One chunk of a job: begun before the engine is asked, committed after it has answered.

use l10n_api_types::{Millicredits, State};

use super::lease::{LEASE_MILLIS, Lease};
use super::{keys, segments};
use crate::clock::Timestamp;
use crate::domain::{ServiceError, credits};
use crate::engines::pipeline::{self, Translated};
use crate::service::Service;
use crate::store::holds::{self, Hold};
use crate::store::jobs::{self, Chunk, ChunkOutcome, Failure, JobItem};
use crate::store::{Tx, documents, lock, pending_items, projects};

/// A worker's next step for a job that it leases.
#[derive(Debug)]
pub enum NextStep {
    /// The engine translates this chunk, then the worker commits.
    ClaimedChunk(ClaimedChunk),
    /// The job has ended.
    Finished,
    /// Another worker has the job by now.
    Lost,
}

/// A chunk whose texts the engine is to translate.
#[derive(Debug)]
pub struct ClaimedChunk {
    pub(super) chunk: Chunk,
    /// The language of the texts.
    pub source_language: String,
    /// The texts that are still wanted, and for each the unit of the chunk that it is.
    pub(super) texts: Vec<(usize, pipeline::SourceText)>,
    /// The hold had died and the workspace does not cover it any more.
    refused: Option<ChunkFailure>,
}

impl ClaimedChunk {
    /// The language to translate into.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.chunk.language
    }

    /// The texts, in the order in which their results are expected.
    #[must_use]
    pub fn texts(&self) -> Vec<pipeline::SourceText> {
        self.texts.iter().map(|(_, text)| text.clone()).collect()
    }

    /// The outcome of each text: its unit, and its translation or the reason why there is none.
    pub(super) fn outcomes<'a>(
        &'a self,
        results: &'a Results,
    ) -> impl Iterator<Item = (&'a JobItem, &'a pipeline::SourceText, Result<&'a Translated, ChunkFailure>)> {
        self.texts.iter().enumerate().filter_map(move |(order, (at, text))| {
            let outcome = match results {
                Err(failure) => Err(failure.clone()),
                Ok(results) => match results.get(order) {
                    Some(Ok(translated)) => Ok(translated),
                    Some(Err(failure)) => {
                        Err(ChunkFailure { code: failure.code().to_owned(), message: failure.to_string() })
                    }
                    None => Err(ChunkFailure::refused("the engine gave no answer")),
                },
            };
            Some((self.chunk.items.0.get(*at)?, text, outcome))
        })
    }

    /// The failure of the key or segment with this name.
    pub(super) fn failure(&self, name: &str, why: &ChunkFailure) -> Failure {
        Failure {
            name: name.to_owned(),
            language: self.chunk.language.clone(),
            error: why.code.clone(),
            message: why.message.clone(),
        }
    }

    /// The failure of the whole chunk if it fails without asking the engine.
    #[must_use]
    pub fn refused(&self) -> Option<&ChunkFailure> {
        self.refused.as_ref()
    }
}

/// The reason why a text of a chunk, or the whole chunk, was not translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkFailure {
    /// The code of the failure, for programs.
    pub code: String,
    /// The message, for people.
    pub message: String,
}

impl ChunkFailure {
    /// The failure that the engine refused the text with this message.
    pub(super) fn refused(message: &str) -> Self {
        Self { code: "engine_refused".to_owned(), message: message.to_owned() }
    }
}

/// The outcome of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// It is written; the job goes on.
    Chunk,
    /// It is written, and it was the last.
    Finished,
    /// Another worker has the job by now, or has done the chunk: nothing may be written, so the transaction is to be
    /// rolled back.
    Lost,
}

/// Finds the next chunk and its texts that are still wanted, and makes sure that its price is held. A hold that died
/// while the job waited is taken anew; where the workspace does not cover it any more, the chunk is to fail.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn begin(tx: &mut Tx, service: &Service, lease: &Lease) -> Result<NextStep, ServiceError> {
    let now = service.clock.now();
    let token = &lease.job.tracking_token;
    let source_language = source_language(tx, lease).await?;
    lock::workspace(tx, lease.job.workspace_id.as_str()).await?;
    if !jobs::renew_lease(tx, token, &lease.owner, now.plus_millis(LEASE_MILLIS)).await? {
        return Ok(NextStep::Lost);
    }
    let Some(chunk) = jobs::next_chunk(tx, token).await? else {
        finish(tx, service, lease, now).await?;
        return Ok(NextStep::Finished);
    };
    let hold = live_hold(tx, lease, now).await?;
    let live = CurrentState::read(tx, lease, &chunk, &source_language).await?;
    let units = chunk.items.0.iter().enumerate();
    let texts = units.filter_map(|(at, unit)| Some((at, live.text(unit)?))).collect();
    Ok(NextStep::ClaimedChunk(ClaimedChunk { chunk, source_language, texts, refused: hold.err() }))
}

/// Writes the results of a chunk, all of them or none.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn commit(
    tx: &mut Tx,
    service: &Service,
    lease: &Lease,
    wanted: &ClaimedChunk,
    results: Results,
) -> Result<Committed, ServiceError> {
    let now = service.clock.now();
    let token = &lease.job.tracking_token;
    let chunk = &wanted.chunk;
    lock::project(tx, lease.job.project_id.as_str()).await?;
    let hold = live_hold(tx, lease, now).await?;
    let live = CurrentState::read(tx, lease, chunk, &wanted.source_language).await?;
    let (results, hold) = match (results, hold) {
        (Ok(results), Ok(hold)) => (Ok(results), hold),
        (Err(failure), Ok(hold)) => (Err(failure), hold),
        (_, Err(failure)) => (Err(failure), credits::find_hold(tx, token).await?),
    };
    let made = TranslatedChunk::new(service, wanted, &live, &results);
    let quoted = chunk.items.0.iter().map(|unit| unit.price).sum();
    let charged = credits::charge(tx, &hold, quoted, made.price(), now).await?;
    let outcome = ChunkOutcome { charged, ..made.outcome() };
    let lease_ends = now.plus_millis(LEASE_MILLIS);
    let Some(failed_before) = jobs::finish_chunk(tx, token, &lease.owner, chunk.seq, outcome, lease_ends).await? else {
        return Ok(Committed::Lost);
    };
    made.write(tx, service, lease, wanted, now).await?;
    if let Some(slot) = chunk.slot {
        let items: Vec<&str> = chunk.items.0.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
        pending_items::settle(tx, &lease.job.project_id, token, slot, &items).await?;
    }
    jobs::insert_failures(tx, token, failed_before, made.failures()).await?;
    if jobs::has_pending_chunks(tx, token).await? {
        return Ok(Committed::Chunk);
    }
    finish(tx, service, lease, now).await?;
    Ok(Committed::Finished)
}

/// Ends a job whose chunks are done, and tells those who wait for it.
async fn finish(tx: &mut Tx, service: &Service, lease: &Lease, now: Timestamp) -> Result<(), ServiceError> {
    let token = &lease.job.tracking_token;
    jobs::finish(tx, token, &lease.owner, now).await?;
    holds::release(tx, token, now).await?;
    service.job_ended.wake_all_after(tx);
    Ok(())
}

/// The source language of a job: that of its document, or the project's base language.
async fn source_language(tx: &mut Tx, lease: &Lease) -> Result<String, ServiceError> {
    let id = lease.job.project_id.as_str();
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

/// The present state of the chunk's keys or segments.
enum CurrentState {
    Keys(keys::CurrentKeys),
    Segments(segments::CurrentSegments),
}

impl CurrentState {
    async fn read(tx: &mut Tx, lease: &Lease, chunk: &Chunk, source_language: &str) -> Result<Self, ServiceError> {
        Ok(match &lease.job.document_id {
            None => Self::Keys(keys::CurrentKeys::read(tx, lease, chunk).await?),
            Some(_) => Self::Segments(segments::CurrentSegments::read(tx, lease, chunk, source_language).await?),
        })
    }

    /// The text and limits that the engine gets for a unit; `None` when nothing wants its translation any more.
    fn text(&self, unit: &JobItem) -> Option<pipeline::SourceText> {
        match self {
            Self::Keys(live) => live.text(unit),
            Self::Segments(live) => live.text(unit),
        }
    }
}

/// The engine's results for the texts of a chunk, or the failure of all of them.
pub(super) type Results = Result<Vec<Result<Translated, pipeline::Failure>>, ChunkFailure>;

/// The outcome of a chunk of `total` items. Translations that are no longer wanted count as done: they need no work and
/// are not charged.
pub(super) fn outcome(total: usize, failed: usize, written: impl Iterator<Item = State>) -> ChunkOutcome {
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    ChunkOutcome {
        done: count(total - failed),
        failed: count(failed),
        needs_review: count(written.filter(|state| *state == State::NeedsReview).count()),
        charged: Millicredits::ZERO,
    }
}

/// The results of a chunk, ready to be written.
enum TranslatedChunk<'a> {
    Keys(keys::KeyResults<'a>),
    Segments(segments::SegmentResults<'a>),
}

impl<'a> TranslatedChunk<'a> {
    fn new(service: &Service, wanted: &'a ClaimedChunk, live: &'a CurrentState, results: &'a Results) -> Self {
        match live {
            CurrentState::Keys(live) => Self::Keys(keys::KeyResults::new(service, wanted, live, results)),
            CurrentState::Segments(live) => {
                Self::Segments(segments::SegmentResults::new(service, wanted, live, results))
            }
        }
    }

    fn price(&self) -> Millicredits {
        match self {
            Self::Keys(made) => made.price,
            Self::Segments(made) => made.price,
        }
    }

    fn failures(&self) -> &[Failure] {
        match self {
            Self::Keys(made) => &made.failures,
            Self::Segments(made) => &made.failures,
        }
    }

    fn outcome(&self) -> ChunkOutcome {
        match self {
            Self::Keys(made) => made.outcome(),
            Self::Segments(made) => made.outcome(),
        }
    }

    async fn write(
        &self,
        tx: &mut Tx,
        service: &Service,
        lease: &Lease,
        wanted: &ClaimedChunk,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        match self {
            Self::Keys(made) => made.write(tx, service, lease, wanted, now).await,
            Self::Segments(made) => made.write(tx, service, lease, wanted, now).await,
        }
    }
}
