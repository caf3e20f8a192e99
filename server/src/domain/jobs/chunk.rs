//! One chunk of a job: begun before the engine is asked, committed after it has answered.

use std::collections::HashMap;

use l10n_api_types::{Content, Issue, Millicredits, Origin, State};

use super::lease::{LEASE_MILLIS, Lease};
use crate::clock::Timestamp;
use crate::domain::{ServiceError, credits, findings};
use crate::engines::pipeline::{self, Translated};
use crate::service::Service;
use crate::source_hash::SourceHash;
use crate::store::holds::{self, Hold};
use crate::store::jobs::{self, Chunk, Failure, Outcome, Unit};
use crate::store::keys::{self, KeyState, Source};
use crate::store::projects::{self, Project};
use crate::store::translations::{self, NewTranslation};
use crate::store::{Tx, lock, memory};
use crate::text::checks::Checker;

/// What a worker is to do next for a job that it leases.
#[derive(Debug)]
pub enum Begun {
    /// Let the engine translate this, then commit.
    Wanted(Wanted),
    /// Nothing is left: the job has ended.
    Finished,
    /// Another worker has the job by now.
    Lost,
}

/// A chunk whose texts the engine is to translate.
#[derive(Debug)]
pub struct Wanted {
    chunk: Chunk,
    /// The language of the texts.
    pub source_language: String,
    /// The texts that are still wanted, and for each the unit of the chunk that it is.
    texts: Vec<(usize, pipeline::Unit)>,
    /// The hold had died and the workspace does not cover it any more.
    refused: Option<ChunkFailure>,
}

impl Wanted {
    /// The language to translate into.
    #[must_use]
    pub fn language(&self) -> &str {
        &self.chunk.language
    }

    /// The texts, in the order in which their results are expected.
    #[must_use]
    pub fn texts(&self) -> Vec<pipeline::Unit> {
        self.texts.iter().map(|(_, text)| text.clone()).collect()
    }

    /// Why the engine need not be asked at all.
    #[must_use]
    pub fn refused(&self) -> Option<&ChunkFailure> {
        self.refused.as_ref()
    }
}

/// Why nothing of a chunk was translated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChunkFailure {
    /// To branch on.
    pub code: String,
    /// For people.
    pub message: String,
}

/// What became of a commit.
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

/// Finds the next chunk and what is still wanted of it, and makes sure that its price is held. A hold that died while the
/// job waited is taken anew; where the workspace does not cover it any more, the chunk is to fail.
///
/// # Errors
///
/// As the store.
pub async fn begin(tx: &mut Tx, lease: &Lease, now: Timestamp) -> Result<Begun, ServiceError> {
    let token = &lease.job.tracking_token;
    let project = project(tx, lease).await?;
    lock::workspace(tx, &lease.job.workspace_id).await?;
    if !jobs::renew_lease(tx, token, &lease.owner, now.plus_millis(LEASE_MILLIS)).await? {
        return Ok(Begun::Lost);
    }
    let Some(chunk) = jobs::next_chunk(tx, token).await? else {
        jobs::finish(tx, token, &lease.owner, now).await?;
        holds::release(tx, token, now).await?;
        return Ok(Begun::Finished);
    };
    let hold = live_hold(tx, lease, now).await?;
    let live = Live::read(tx, lease, &chunk).await?;
    let units = chunk.items.0.iter().enumerate();
    let texts = units.filter_map(|(at, unit)| Some((at, live.text(unit)?))).collect();
    Ok(Begun::Wanted(Wanted { chunk, source_language: project.base_language, texts, refused: hold.err() }))
}

/// Writes what a chunk has come to, all of it or nothing.
///
/// # Errors
///
/// As the store.
pub async fn commit(
    tx: &mut Tx,
    service: &Service,
    lease: &Lease,
    wanted: &Wanted,
    results: Result<Vec<Result<Translated, pipeline::Failure>>, ChunkFailure>,
) -> Result<Committed, ServiceError> {
    let now = service.clock.now();
    let token = &lease.job.tracking_token;
    let chunk = &wanted.chunk;
    lock::project(tx, &lease.job.project_id).await?;
    let hold = live_hold(tx, lease, now).await?;
    let live = Live::read(tx, lease, chunk).await?;
    let (results, hold) = match (results, hold) {
        (Ok(results), Ok(hold)) => (Ok(results), hold),
        (Err(failure), Ok(hold)) => (Err(failure), hold),
        (_, Err(failure)) => (Err(failure), credits::find_hold(tx, token).await?),
    };
    let made = Made::new(service, wanted, &live, &results);
    let quoted = chunk.items.0.iter().map(|unit| unit.price).sum();
    let charged = credits::charge(tx, &hold, quoted, made.price, now).await?;
    let outcome = Outcome { charged, ..made.outcome() };
    let lease_ends = now.plus_millis(LEASE_MILLIS);
    let Some(failed_before) = jobs::finish_chunk(tx, token, &lease.owner, chunk.seq, outcome, lease_ends).await? else {
        return Ok(Committed::Lost);
    };
    made.write(tx, service, lease, wanted, now).await?;
    jobs::insert_failures(tx, token, failed_before, &made.failures).await?;
    if jobs::pending_chunks(tx, token).await? > 0 {
        return Ok(Committed::Chunk);
    }
    jobs::finish(tx, token, &lease.owner, now).await?;
    holds::release(tx, token, now).await?;
    Ok(Committed::Finished)
}

async fn project(tx: &mut Tx, lease: &Lease) -> Result<Project, ServiceError> {
    let id = &lease.job.project_id;
    let project = projects::find(tx, id).await?;
    project.ok_or_else(|| ServiceError::internal(format!("the project {id} does not exist")))
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

/// The keys of a chunk as they are now.
struct Live {
    sources: HashMap<String, Source>,
    /// Keys whose translation someone has written since the job was queued, or a person has approved.
    settled: HashMap<String, SourceHash>,
}

impl Live {
    async fn read(tx: &mut Tx, lease: &Lease, chunk: &Chunk) -> Result<Self, ServiceError> {
        let ids: Vec<&str> = chunk.items.0.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
        let sources = keys::sources(tx, &ids).await?;
        let mut settled = HashMap::new();
        for held in translations::standings_in(tx, &ids, &chunk.language).await? {
            let by_person = matches!(held.origin, Origin::Human | Origin::Import)
                && held.updated_at >= lease.job.created_at
                || held.state == State::Reviewed;
            if by_person {
                settled.insert(held.key_id, held.source_hash);
            }
        }
        Ok(Self { sources: sources.into_iter().map(|source| (source.id.clone(), source)).collect(), settled })
    }

    /// The keys of a unit that still want it: active, with the same text, and not settled by a person.
    fn keys<'a>(&'a self, unit: &'a Unit) -> impl Iterator<Item = &'a Source> {
        unit.keys.iter().filter_map(|id| self.sources.get(id)).filter(|source| {
            source.state == KeyState::Active
                && source.source_hash == unit.hash
                && self.settled.get(&source.id) != Some(&unit.hash)
        })
    }

    /// What the engine is asked for a unit; `None` when no key wants it any more.
    fn text(&self, unit: &Unit) -> Option<pipeline::Unit> {
        let content = self.keys(unit).next()?.source.0.clone();
        let description = self.keys(unit).find_map(|source| source.description.clone());
        let max_length = self.keys(unit).filter_map(limit).min();
        Some(pipeline::Unit { content, description, max_length })
    }
}

fn limit(source: &Source) -> Option<u32> {
    source.max_length.and_then(|limit| u32::try_from(limit).ok())
}

/// What a chunk has come to.
#[derive(Default)]
struct Made<'a> {
    rows: Vec<Row<'a>>,
    remembered: Vec<(SourceHash, &'a Content)>,
    failures: Vec<Failure>,
    price: Millicredits,
    total: usize,
}

struct Row<'a> {
    key: &'a Source,
    content: &'a Content,
    state: State,
    issues: Vec<Issue>,
}

impl<'a> Made<'a> {
    fn new(
        service: &Service,
        wanted: &'a Wanted,
        live: &'a Live,
        results: &'a Result<Vec<Result<Translated, pipeline::Failure>>, ChunkFailure>,
    ) -> Self {
        let units = &wanted.chunk.items.0;
        let checker = Checker::new(&wanted.source_language, &wanted.chunk.language);
        let mut made = Self { total: units.iter().map(|unit| unit.keys.len()).sum(), ..Self::default() };
        for (order, (at, text)) in wanted.texts.iter().enumerate() {
            let Some(unit) = units.get(*at) else { continue };
            match results {
                Err(failure) => made.fail(live.keys(unit), wanted, &failure.code, &failure.message),
                Ok(results) => match results.get(order) {
                    Some(Ok(translated)) => made.add(service, &checker, unit, text, live, translated),
                    Some(Err(failure)) => made.fail(live.keys(unit), wanted, failure.code(), &failure.to_string()),
                    None => made.fail(live.keys(unit), wanted, "engine_refused", "the engine gave no answer"),
                },
            }
        }
        made
    }

    fn add(
        &mut self,
        service: &Service,
        checker: &Checker,
        unit: &'a Unit,
        text: &pipeline::Unit,
        live: &'a Live,
        translated: &'a Translated,
    ) {
        let before = self.rows.len();
        for key in live.keys(unit) {
            let (state, issues) = if limit(key) == text.max_length {
                (translated.state, translated.issues.clone())
            } else {
                findings::of(checker, &text.content, &translated.content, limit(key))
            };
            self.rows.push(Row { key, content: &translated.content, state, issues });
        }
        if self.rows.len() > before {
            let price = service.settings.pricing.price(text.content.characters()).min(unit.price);
            self.price = self.price.saturating_add(price);
        }
        if translated.state != State::NeedsReview {
            self.remembered.push((unit.hash, &translated.content));
        }
    }

    fn fail(&mut self, keys: impl Iterator<Item = &'a Source>, wanted: &Wanted, code: &str, message: &str) {
        self.failures.extend(keys.map(|key| Failure {
            name: key.name.clone(),
            language: wanted.chunk.language.clone(),
            error: code.to_owned(),
            message: message.to_owned(),
        }));
    }

    /// Translations that were no longer wanted count as done: nothing of them is left to do, and nothing was charged.
    fn outcome(&self) -> Outcome {
        let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let needs_review = self.rows.iter().filter(|row| row.state == State::NeedsReview).count();
        Outcome {
            done: count(self.total - self.failures.len()),
            failed: count(self.failures.len()),
            needs_review: count(needs_review),
            charged: Millicredits::ZERO,
        }
    }

    async fn write(
        &self,
        tx: &mut Tx,
        service: &Service,
        lease: &Lease,
        wanted: &Wanted,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let language = wanted.language();
        let engine = service.engine.name();
        let rows: Vec<NewTranslation<'_>> = self
            .rows
            .iter()
            .map(|row| NewTranslation {
                key_id: &row.key.id,
                language,
                content: row.content,
                state: row.state,
                source_hash: row.key.source_hash,
                origin: Origin::Machine,
                engine: Some(engine),
                issues: &row.issues,
            })
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        translations::upsert(tx, &lease.job.project_id, &rows, now).await?;
        let pair = memory::Pair {
            workspace_id: &lease.job.workspace_id,
            source_language: &wanted.source_language,
            target_language: language,
        };
        memory::remember(tx, pair, engine, &self.remembered, now).await?;
        let changes = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        projects::add_counts(tx, &lease.job.project_id, 0, changes).await?;
        Ok(())
    }
}
