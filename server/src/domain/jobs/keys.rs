//! A chunk of keys: selects the keys that still want a translation, and writes their translations.

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, Issue, Millicredits, Origin, State};
use l10n_formats::SourceHash;
use l10n_formats::text::checks::Checker;

use super::chunk::{self, ClaimedChunk, Results};
use super::lease::Lease;
use crate::clock::Timestamp;
use crate::domain::memory::{Languages, Memory};
use crate::domain::{ServiceError, findings};
use crate::engines::pipeline::{self, Translated};
use crate::service::Service;
use crate::store::jobs::{Chunk, ChunkOutcome, Failure, JobItem};
use crate::store::keys::{self, KeyState, Source};
use crate::store::translations::{self, NewTranslation};
use crate::store::{Tx, projects};

/// The present state of a chunk's keys.
pub(super) struct CurrentKeys {
    sources: HashMap<String, Source>,
    /// Keys whose translation is a person's, which this job may not replace.
    settled: HashSet<String>,
}

impl CurrentKeys {
    pub(super) async fn read(tx: &mut Tx, lease: &Lease, chunk: &Chunk) -> Result<Self, ServiceError> {
        let ids: Vec<&str> = chunk.items.0.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
        let sources = keys::sources(tx, &ids).await?;
        let present: HashMap<&str, SourceHash> =
            sources.iter().map(|source| (source.id.as_str(), source.source_hash)).collect();
        let mut settled = HashSet::new();
        for held in translations::states_in(tx, &ids, &chunk.language).await? {
            let is_present = present.get(held.key_id.as_str()) == Some(&held.source_hash);
            if lease.leaves(is_present, held.state, held.origin, held.updated_at) {
                settled.insert(held.key_id);
            }
        }
        Ok(Self { sources: sources.into_iter().map(|source| (source.id.clone(), source)).collect(), settled })
    }

    /// The keys of a unit that still want it: active, with the same text, and not settled by a person.
    fn keys<'a>(&'a self, unit: &'a JobItem) -> impl Iterator<Item = &'a Source> {
        unit.keys.iter().filter_map(|id| self.sources.get(id)).filter(|source| {
            source.state == KeyState::Active && source.source_hash == unit.hash && !self.settled.contains(&source.id)
        })
    }

    /// The text and limits that the engine gets for a unit; `None` when no key wants its translation any more.
    pub(super) fn text(&self, unit: &JobItem) -> Option<pipeline::SourceText> {
        let content = self.keys(unit).next()?.source.0.clone();
        let description = self.keys(unit).find_map(|source| source.description.clone());
        let max_length = self.keys(unit).filter_map(limit).min();
        Some(pipeline::SourceText { content, description, max_length })
    }
}

fn limit(source: &Source) -> Option<u32> {
    source.max_length.and_then(|limit| u32::try_from(limit).ok())
}

/// The results of a chunk of keys, ready to be written.
#[derive(Default)]
pub(super) struct KeyResults<'a> {
    rows: Vec<KeyResult<'a>>,
    remembered: Vec<(SourceHash, &'a Content)>,
    pub(super) failures: Vec<Failure>,
    pub(super) price: Millicredits,
    total: usize,
}

struct KeyResult<'a> {
    key: &'a Source,
    content: &'a Content,
    state: State,
    issues: Vec<Issue>,
}

impl<'a> KeyResults<'a> {
    pub(super) fn new(
        service: &Service,
        wanted: &'a ClaimedChunk,
        live: &'a CurrentKeys,
        results: &'a Results,
    ) -> Self {
        let units = &wanted.chunk.items.0;
        let checker = Checker::new(&wanted.source_language, &wanted.chunk.language);
        let mut made = Self { total: units.iter().map(|unit| unit.keys.len()).sum(), ..Self::default() };
        for (unit, text, outcome) in wanted.outcomes(results) {
            match outcome {
                Ok(translated) => made.add(service, &checker, unit, text, live, translated),
                Err(why) => made.failures.extend(live.keys(unit).map(|key| wanted.failure(&key.name, &why))),
            }
        }
        made
    }

    fn add(
        &mut self,
        service: &Service,
        checker: &Checker,
        unit: &'a JobItem,
        text: &pipeline::SourceText,
        live: &'a CurrentKeys,
        translated: &'a Translated,
    ) {
        let before = self.rows.len();
        for key in live.keys(unit) {
            let (state, issues) = if limit(key) == text.max_length {
                (translated.state, translated.issues.clone())
            } else {
                findings::of(checker, &text.content, &translated.content, limit(key))
            };
            self.rows.push(KeyResult { key, content: &translated.content, state, issues });
        }
        if self.rows.len() > before {
            let price = service.settings.pricing.price(text.content.characters()).min(unit.price);
            self.price = self.price.saturating_add(price);
        }
        if translated.state != State::NeedsReview {
            self.remembered.push((unit.hash, &translated.content));
        }
    }

    pub(super) fn outcome(&self) -> ChunkOutcome {
        chunk::outcome(self.total, self.failures.len(), self.rows.iter().map(|row| row.state))
    }

    pub(super) async fn write(
        &self,
        tx: &mut Tx,
        service: &Service,
        lease: &Lease,
        wanted: &ClaimedChunk,
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
        translations::upsert(tx, lease.job.project_id.as_str(), &rows, now).await?;
        let memory = Memory::find(tx, lease.job.project_id.as_str()).await?;
        let languages = Languages { source: &wanted.source_language, target: language };
        memory.keep_translated(tx, languages, engine, &self.remembered, now).await?;
        let changes = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        projects::add_counts(tx, lease.job.project_id.as_str(), 0, changes).await?;
        Ok(())
    }
}
