//! The job of a run.

use std::ops::Range;

use l10n_api_types::{DocumentId, Millicredits, ProjectId, TrackingToken};

use super::RunParts;
use super::incoming::InputKey;
use super::runner::Runner;
use super::work::{self, Chunks, DistinctTexts, IndexSet, LanguageWork};
use crate::clock::Timestamp;
use crate::config::Rate;
use crate::domain::project_engines::ProjectEngines;
use crate::domain::{ServiceError, credits};
use crate::ids::{IdKind, new_id};
use crate::signal::Signal;
use crate::store::job_chunks::JobItem;
use crate::store::pending_items::NewPending;
use crate::store::{Tx, job_chunks, jobs, pending_items};

/// Slots that one statement writes where one transaction writes all of them.
const SLOTS: usize = 16;

/// The work of a run that remains to be translated.
pub(in crate::domain) struct JobInput<'a> {
    /// The document that it is of; `None`: keys.
    pub document: Option<&'a DocumentId>,
    /// The engines of the project.
    pub engines: &'a ProjectEngines,
    /// True if it replaces texts that people have written.
    pub retranslate: bool,
    /// The input.
    pub incoming: &'a [InputKey],
    /// Its distinct texts.
    pub texts: &'a DistinctTexts,
    /// The work.
    pub work: &'a [LanguageWork],
    /// The job's name for each item: the id of a key, the hash of a segment.
    pub names: &'a [String],
}

/// Queues it, and sets its price aside.
pub(in crate::domain) async fn queue(
    tx: &mut Tx,
    parts: RunParts<'_>,
    runner: Runner<'_>,
    left: JobInput<'_>,
    now: Timestamp,
) -> Result<TrackingToken, ServiceError> {
    let token = TrackingToken::new(new_id(IdKind::TrackingToken, now));
    insert_job(tx, runner, &left, &token, false, now).await?;
    let price = work::price(left.work);
    let mut pieces = ChunkWriter::new(runner, &token, left);
    while pieces.write_next(tx, SLOTS).await? {}
    start(tx, parts.work_queued, runner, token, price, now).await
}

/// Sets the price of a job aside, and wakes the worker for it.
pub(super) async fn start(
    tx: &mut Tx,
    work_queued: &Signal,
    runner: Runner<'_>,
    token: TrackingToken,
    price: Millicredits,
    now: Timestamp,
) -> Result<TrackingToken, ServiceError> {
    credits::hold(tx, runner.workspace(), &token, price, now).await?;
    work_queued.wake_one_after(tx);
    Ok(token)
}

/// Writes the row of a job.
pub(super) async fn insert_job(
    tx: &mut Tx,
    runner: Runner<'_>,
    left: &JobInput<'_>,
    token: &TrackingToken,
    is_staged: bool,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let job = jobs::NewJob {
        tracking_token: token,
        project_id: runner.project(),
        workspace_id: runner.workspace(),
        document_id: left.document,
        retranslate: left.retranslate,
        engine: &left.engines.names(left.work.iter().map(|work| work.language.as_str())),
        request_id: runner.request(),
        total: i64::try_from(work::queued(left.work)).unwrap_or(i64::MAX),
        estimated: work::price(left.work),
        is_staged,
        created_at: now,
    };
    Ok(jobs::insert(tx, job).await?)
}

/// The chunks of a job, cut and written piece by piece. Languages that need the same items at the same price share the stored
/// lists of them.
pub(super) struct ChunkWriter<'a> {
    project: &'a ProjectId,
    token: &'a TrackingToken,
    left: JobInput<'a>,
    /// Items that a language before needed, the price of a character there, and the slots that they are in.
    written: Vec<(IndexSet, Rate, Range<i64>)>,
    /// The language that is next.
    language: usize,
    /// Its items that are not written yet.
    open: Option<(IndexSet, Chunks, i64)>,
    slots: i64,
    chunks: i64,
}

impl<'a> ChunkWriter<'a> {
    pub(super) fn new(runner: Runner<'a>, token: &'a TrackingToken, left: JobInput<'a>) -> Self {
        let (written, project) = (Vec::new(), runner.project());
        Self { project, token, left, written, language: 0, open: None, slots: 0, chunks: 0 }
    }

    /// Writes a piece of at most so many slots; `false` when there was none left.
    pub(super) async fn write_next(&mut self, tx: &mut Tx, most: usize) -> Result<bool, ServiceError> {
        let Some(work) = self.left.work.get(self.language) else { return Ok(false) };
        let rate = work.rate;
        let (items, mut chunks, first) = match self.open.take() {
            Some(open) => open,
            None => {
                let items = work.open();
                if let Some((_, _, slots)) =
                    self.written.iter().find(|(written, at, _)| *written == items && *at == rate)
                {
                    let slots = slots.clone();
                    return self.write_chunks(tx, slots).await;
                }
                let chunks = Chunks::new(&items, self.left.texts);
                (items, chunks, self.slots)
            }
        };
        let some: Vec<Vec<JobItem>> = chunks.by_ref().take(most).map(|texts| self.units(texts, rate)).collect();
        if some.is_empty() {
            self.written.push((items, rate, first..self.slots));
            return self.write_chunks(tx, first..self.slots).await;
        }
        self.write_items(tx, &some).await?;
        self.open = Some((items, chunks, first));
        Ok(true)
    }

    fn units(&self, texts: Vec<(usize, Vec<usize>)>, rate: Rate) -> Vec<JobItem> {
        let unit = |(text, items): (usize, Vec<usize>)| {
            let first = self.left.incoming.get(self.left.texts.first(text))?;
            Some(JobItem {
                hash: first.hash,
                price: rate.price(first.characters),
                keys: items.into_iter().filter_map(|item| self.left.names.get(item)).cloned().collect(),
            })
        };
        texts.into_iter().filter_map(unit).collect()
    }

    async fn write_items(&mut self, tx: &mut Tx, some: &[Vec<JobItem>]) -> Result<(), ServiceError> {
        let slots: Vec<(i64, &[JobItem])> = (self.slots..).zip(some.iter().map(Vec::as_slice)).collect();
        let pending: Vec<NewPending<'_>> = slots
            .iter()
            .flat_map(|(slot, units)| units.iter().map(move |unit| (*slot, unit)))
            .flat_map(|(slot, unit)| unit.keys.iter().map(move |item| NewPending { item, slot, hash: unit.hash }))
            .collect();
        job_chunks::insert_items(tx, self.token, &slots).await?;
        pending_items::insert(tx, self.project, self.token, &pending).await?;
        self.slots += i64::try_from(some.len()).unwrap_or_default();
        Ok(())
    }

    /// Ends a language.
    async fn write_chunks(&mut self, tx: &mut Tx, slots: Range<i64>) -> Result<bool, ServiceError> {
        if let Some(work) = self.left.work.get(self.language) {
            let chunks: Vec<(i64, i64)> = (self.chunks..).zip(slots).collect();
            job_chunks::insert_chunks(tx, self.token, &work.language, &chunks).await?;
            self.chunks += i64::try_from(chunks.len()).unwrap_or_default();
        }
        self.language += 1;
        Ok(true)
    }
}
