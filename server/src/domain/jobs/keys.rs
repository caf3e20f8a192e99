//! A chunk of keys: selects the keys that still want a translation, and writes their translations.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::{Origin, State};
use l10n_formats::SourceHash;
use l10n_formats::text::Syntax;
use l10n_formats::text::checks::{Checker, Facts};

use super::claimed::{ChunkFailure, ClaimedChunk};
use super::items::{ChunkItems, ItemTranslation, UnitResult};
use super::lease::Lease;
use crate::clock::Timestamp;
use crate::domain::{ServiceError, findings};
use crate::engines::pipeline::{self, TranslatedContent};
use crate::store::job_chunks::{Chunk, JobItem};
use crate::store::keys::{self, KeyState, KeyToTranslate};
use crate::store::translations::{self, NewTranslation};
use crate::store::{Tx, languages, projects, staged_runs};

/// The keys of a chunk as a transaction saw them.
#[derive(Debug, Clone)]
pub(super) struct SeenKeys {
    /// The project's `change_seq` at that time: as long as it stays, so do the keys.
    change_seq: i64,
    sources: Arc<HashMap<String, KeyToTranslate>>,
}

/// The present state of a chunk's keys.
pub(super) struct CurrentKeys {
    seen: SeenKeys,
    /// Keys whose translation is a person's, which this job may not replace.
    settled: HashSet<String>,
}

/// A key with the text that was translated.
pub(super) struct KeyText {
    id: String,
    hash: SourceHash,
}

impl CurrentKeys {
    /// The keys of a unit that still want it: active, with the same text, and not settled by a person.
    fn keys<'a>(&'a self, unit: &'a JobItem) -> impl Iterator<Item = &'a KeyToTranslate> {
        unit.keys.iter().filter_map(|id| self.seen.sources.get(id)).filter(|source| {
            source.state == KeyState::Active && source.source_hash == unit.hash && !self.settled.contains(&source.id)
        })
    }
}

impl ChunkItems for CurrentKeys {
    type Item = KeyText;

    async fn read(
        tx: &mut Tx,
        lease: &Lease,
        chunk: &Chunk,
        _source_language: &str,
        seen: Option<&SeenKeys>,
    ) -> Result<Self, ServiceError> {
        let project = &lease.job.project_id;
        let ids: Vec<&str> = chunk.items.0.iter().flat_map(|unit| &unit.keys).map(String::as_str).collect();
        // Nobody wants translations into a language that was removed since.
        let change_seq = languages::change_seq_with(tx, project, &chunk.language).await?;
        let seen = match (change_seq, seen) {
            (None, _) => SeenKeys { change_seq: 0, sources: Arc::default() },
            (Some(now), Some(seen)) if now == seen.change_seq && !staged_runs::is_moving(tx, project).await? => {
                seen.clone()
            }
            (Some(change_seq), _) => {
                let sources = keys::sources(tx, &ids).await?.into_iter();
                let sources = Arc::new(sources.map(|source| (source.id.clone(), source)).collect());
                SeenKeys { change_seq, sources }
            }
        };
        let mut settled = HashSet::new();
        for held in translations::states_in(tx, &ids, &chunk.language).await? {
            let present = seen.sources.get(&held.key_id).map(|source| source.source_hash);
            if lease.leaves(present == Some(held.source_hash), held.state, held.origin, held.updated_at) {
                settled.insert(held.key_id);
            }
        }
        Ok(Self { seen, settled })
    }

    fn into_seen(self) -> Option<SeenKeys> {
        Some(self.seen)
    }

    fn text(&self, unit: &JobItem) -> Option<pipeline::SourceText> {
        let content = self.keys(unit).next()?.source.0.clone();
        let description = self.keys(unit).find_map(|source| source.description.clone());
        // Where keys with one text differ in its syntax, all that is a placeholder in one of them stays.
        let syntaxes: HashSet<Syntax> = self.keys(unit).map(|key| key.facts().syntax).collect();
        let syntax = syntaxes.iter().next().copied().filter(|_| syntaxes.len() == 1).unwrap_or_default();
        let facts =
            Facts { syntax, max_length: self.keys(unit).filter_map(|key| key.facts().max_length).min(), in_file: None };
        Some(pipeline::SourceText { content, description, facts })
    }

    fn count(units: &[JobItem]) -> usize {
        units.iter().map(|unit| unit.keys.len()).sum()
    }

    fn names<'a>(&'a self, unit: &'a JobItem) -> Vec<&'a str> {
        self.keys(unit).map(|key| key.name.as_str()).collect()
    }

    fn translations<'a>(
        &'a self,
        checker: &Checker,
        unit: &'a JobItem,
        text: &pipeline::SourceText,
        translated: &'a TranslatedContent,
    ) -> Result<UnitResult<'a, KeyText>, ChunkFailure> {
        let rows = self.keys(unit).map(|key| {
            let (state, issues) = if key.facts() == text.facts {
                (translated.state, translated.issues.clone())
            } else {
                findings::of(checker, &text.content, &translated.content, key.facts())
            };
            let item = KeyText { id: key.id.clone(), hash: key.source_hash };
            ItemTranslation { item, content: &translated.content, engine: &translated.engine, state, issues }
        });
        Ok(UnitResult {
            rows: rows.collect(),
            characters: text.content.characters(),
            is_remembered: translated.state != State::NeedsReview,
        })
    }

    async fn write(
        tx: &mut Tx,
        lease: &Lease,
        wanted: &ClaimedChunk,
        rows: &[ItemTranslation<'_, KeyText>],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let written = rows.iter().map(|row| NewTranslation {
            key_id: &row.item.id,
            language: wanted.language(),
            content: row.content,
            state: row.state,
            source_hash: row.item.hash,
            origin: Origin::Machine,
            engine: Some(row.engine),
            issues: &row.issues,
        });
        let project = &lease.job.project_id;
        translations::upsert(tx, project, &written.collect::<Vec<_>>(), now).await?;
        projects::add_counts(tx, project, 0, i64::try_from(rows.len()).unwrap_or(i64::MAX)).await?;
        Ok(())
    }
}
