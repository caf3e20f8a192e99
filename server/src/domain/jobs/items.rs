//! The items of a chunk: keys of the project, or segments of a document. What differs between them is in [`ChunkItems`];
//! prices, failures, memory and counts are the same code.

use std::collections::BTreeMap;
use std::sync::Arc;

use l10n_api_types::{Content, Issue, Millicredits, State};
use l10n_formats::text::checks::Checker;

use super::claimed::{ChunkFailure, ChunkTranslations, ClaimedChunk};
use super::keys::SeenKeys;
use super::lease::Lease;
use crate::clock::Timestamp;
use crate::config::Pricing;
use crate::domain::ServiceError;
use crate::domain::memory::{LanguagePair, ProjectMemory, TextPair};
use crate::engines::pipeline::{self, TranslatedContent};
use crate::store::Tx;
use crate::store::job_chunks::{Chunk, ChunkOutcome, JobItem};
use crate::store::job_engines::EngineShare;
use crate::store::job_failures::JobFailure;

/// The present state of a chunk's items.
pub(super) trait ChunkItems: Sized + Send + Sync {
    /// The identity of the item that a translation belongs to.
    type Item: Send + Sync;

    /// Reads the state. Keys that were `seen` before are not read again if none of their project has changed since.
    fn read(
        tx: &mut Tx,
        lease: &Lease,
        chunk: &Chunk,
        source_language: &str,
        seen: Option<&SeenKeys>,
    ) -> impl Future<Output = Result<Self, ServiceError>> + Send;

    /// The keys that were seen; `None` where it is worth nothing to remember them.
    fn into_seen(self) -> Option<SeenKeys>;

    /// The text and limits that the engine gets for a unit; `None` when nothing wants its translation any more.
    fn text(&self, unit: &JobItem) -> Option<pipeline::SourceText>;

    /// The number of items of these units.
    fn count(units: &[JobItem]) -> usize;

    /// The names of a unit's items that still want its translation.
    fn names<'a>(&'a self, unit: &'a JobItem) -> Vec<&'a str>;

    /// The translations that a unit's items get of the engine's; none if nothing wants it any more.
    ///
    /// # Errors
    ///
    /// Returns the reason why the engine's answer cannot be taken.
    fn translations<'a>(
        &'a self,
        checker: &Checker,
        unit: &'a JobItem,
        text: &pipeline::SourceText,
        translated: &'a TranslatedContent,
    ) -> Result<UnitResult<'a, Self::Item>, ChunkFailure>;

    /// Writes translations.
    fn write(
        tx: &mut Tx,
        lease: &Lease,
        wanted: &ClaimedChunk,
        rows: &[ItemTranslation<'_, Self::Item>],
        now: Timestamp,
    ) -> impl Future<Output = Result<(), ServiceError>> + Send;
}

/// A translation of an item, checked.
pub(super) struct ItemTranslation<'a, T> {
    pub(super) item: T,
    pub(super) content: &'a Content,
    pub(super) engine: &'a str,
    pub(super) state: State,
    pub(super) issues: Vec<Issue>,
}

/// The result of a unit.
pub(super) struct UnitResult<'a, T> {
    pub(super) rows: Vec<ItemTranslation<'a, T>>,
    /// The characters of the source that are charged if there are rows.
    pub(super) characters: u64,
    /// True if memory keeps the translation.
    pub(super) is_remembered: bool,
}

/// The results of a chunk, ready to be written.
pub(super) struct ChunkResults<'a, I: ChunkItems> {
    rows: Vec<ItemTranslation<'a, I::Item>>,
    /// The translations that memory keeps: those for the project alone (true) and the others, by the engine that made them.
    remembered: BTreeMap<(bool, &'a str), Vec<TextPair<'a>>>,
    pub(super) failures: Vec<JobFailure>,
    pub(super) price: Millicredits,
    /// The translations of each engine, and their price.
    by_engine: BTreeMap<&'a str, (usize, Millicredits)>,
    total: usize,
}

impl<'a, I: ChunkItems> ChunkResults<'a, I> {
    /// The results of a chunk whose terms may have changed since it began: then memory keeps them for the project alone.
    pub(super) fn new(
        pricing: &Pricing,
        (wanted, have_terms_changed): (&'a ClaimedChunk, bool),
        live: &'a I,
        results: &'a ChunkTranslations,
    ) -> Self {
        let checker = Checker::new(&wanted.source_language, &wanted.chunk.language);
        let checker = checker.with_glossary(Arc::clone(&wanted.glossary));
        let mut made = Self {
            rows: Vec::new(),
            remembered: BTreeMap::new(),
            failures: Vec::new(),
            price: Millicredits::ZERO,
            by_engine: BTreeMap::new(),
            total: I::count(&wanted.chunk.items.0),
        };
        for (unit, text, outcome) in wanted.outcomes(results) {
            let source = &text.source;
            let outcome =
                outcome.and_then(|translated| Ok((translated, live.translations(&checker, unit, source, translated)?)));
            match outcome {
                Ok((translated, result)) => {
                    let pair = TextPair { hash: unit.hash, source: &source.content, translation: &translated.content };
                    let engine = translated.engine.as_str();
                    made.add(pricing, unit, (translated.is_own || have_terms_changed, engine), pair, result);
                }
                Err(why) => {
                    made.failures.extend(live.names(unit).into_iter().map(|name| wanted.failure(name, &why)));
                }
            }
        }
        made
    }

    fn add(
        &mut self,
        pricing: &Pricing,
        unit: &JobItem,
        (is_own, engine): (bool, &'a str),
        pair: TextPair<'a>,
        result: UnitResult<'a, I::Item>,
    ) {
        if !result.rows.is_empty() {
            let price = pricing.of_engine(engine).price(result.characters).min(unit.price);
            self.price = self.price.saturating_add(price);
            let (texts, of_engine) = self.by_engine.entry(engine).or_default();
            *texts += result.rows.len();
            *of_engine = of_engine.saturating_add(price);
        }
        if result.is_remembered {
            self.remembered.entry((is_own, engine)).or_default().push(pair);
        }
        self.rows.extend(result.rows);
    }

    /// The share of each engine. What is charged is divided among them by their names, if it is less than the price.
    pub(super) fn shares(&self, charged: Millicredits) -> Vec<EngineShare> {
        let mut left = charged;
        let share = |(engine, (texts, price)): (&&str, &(usize, Millicredits))| {
            let charged = (*price).min(left);
            left -= charged;
            EngineShare { engine: (*engine).to_owned(), texts: i64::try_from(*texts).unwrap_or(i64::MAX), charged }
        };
        self.by_engine.iter().map(share).collect()
    }

    /// The outcome. Translations that are no longer wanted count as done: they need no work and are not charged.
    pub(super) fn outcome(&self) -> ChunkOutcome {
        let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        ChunkOutcome {
            done: count(self.total - self.failures.len()),
            failed: count(self.failures.len()),
            needs_review: count(self.rows.iter().filter(|row| row.state == State::NeedsReview).count()),
            charged: Millicredits::ZERO,
        }
    }

    pub(super) async fn write(
        &self,
        tx: &mut Tx,
        lease: &Lease,
        wanted: &ClaimedChunk,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        I::write(tx, lease, wanted, &self.rows, now).await?;
        let memory = ProjectMemory::find(tx, &lease.job.project_id).await?;
        let languages = LanguagePair { source: &wanted.source_language, target: wanted.language() };
        for ((is_own, engine), entries) in &self.remembered {
            memory.keep_translated(tx, languages, (engine, *is_own), entries, now).await?;
        }
        Ok(())
    }
}
