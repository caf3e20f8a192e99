//! A chunk of a document's segments: reads their texts and writes their translations.
//!
//! A segment is translated also when the document no longer has it: another document of the project may rely on this job.

use std::collections::HashMap;

use l10n_api_types::translations::JobTranslation;
use l10n_api_types::{Content, Issue, LanguageCode, Millicredits, Origin, State};
use l10n_formats::SourceHash;

use super::chunk::{self, ChunkFailure, ClaimedChunk, Results};
use super::lease::Lease;
use crate::clock::Timestamp;
use crate::domain::memory::{Languages, Memory};
use crate::domain::{ServiceError, findings};
use crate::engines::pipeline::{self, Translated};
use crate::service::Service;
use crate::store::jobs::{Chunk, ChunkOutcome, Failure, JobItem};
use crate::store::segment_translations::{self, NewTranslation, TranslationScope};
use crate::store::segments::{self, Segment};
use crate::store::{Tx, documents};

/// The segments of a chunk that still want their translation. A segment never changes, but a person may have written or
/// approved a translation in the meantime.
pub(super) struct CurrentSegments(HashMap<SourceHash, Segment>);

impl CurrentSegments {
    pub(super) async fn read(
        tx: &mut Tx,
        lease: &Lease,
        chunk: &Chunk,
        source_language: &str,
    ) -> Result<Self, ServiceError> {
        let hashes: Vec<SourceHash> = chunk.items.0.iter().map(|unit| unit.hash).collect();
        let project_id = lease.job.project_id.as_str();
        let found = segments::find(tx, project_id, source_language, &hashes).await?;
        let mut wanted: HashMap<_, _> = found.into_iter().map(|segment| (segment.hash, segment)).collect();
        let pair = TranslationScope { project_id, source_language, language: &chunk.language };
        for standing in segment_translations::states(tx, pair, &hashes).await? {
            if lease.leaves(true, standing.state, standing.origin, standing.updated_at) {
                wanted.remove(&standing.hash);
            }
        }
        Ok(Self(wanted))
    }

    pub(super) fn text(&self, unit: &JobItem) -> Option<pipeline::SourceText> {
        let content = Content::Text(self.0.get(&unit.hash)?.text.clone());
        Some(pipeline::SourceText { content, description: None, max_length: None })
    }
}

/// The results of a chunk of segments, ready to be written.
#[derive(Default)]
pub(super) struct SegmentResults<'a> {
    rows: Vec<SegmentResult<'a>>,
    pub(super) failures: Vec<Failure>,
    pub(super) price: Millicredits,
    total: usize,
}

struct SegmentResult<'a> {
    hash: SourceHash,
    text: &'a str,
    content: &'a Content,
    state: State,
    issues: Vec<Issue>,
}

impl<'a> SegmentResults<'a> {
    pub(super) fn new(
        service: &Service,
        wanted: &'a ClaimedChunk,
        live: &'a CurrentSegments,
        results: &'a Results,
    ) -> Self {
        let mut made = Self { total: wanted.chunk.items.0.len(), ..Self::default() };
        for (unit, _, outcome) in wanted.outcomes(results) {
            let Some(segment) = live.0.get(&unit.hash) else { continue };
            match outcome {
                Ok(translated) => made.add(service, segment, unit, wanted, translated),
                Err(why) => made.fail(unit, wanted, &why),
            }
        }
        made
    }

    fn add(
        &mut self,
        service: &Service,
        segment: &Segment,
        unit: &JobItem,
        wanted: &ClaimedChunk,
        translated: &'a Translated,
    ) {
        let Content::Text(text) = &translated.content else {
            return self.fail(unit, wanted, &ChunkFailure::refused("the engine gave no text"));
        };
        let characters = u64::try_from(segment.characters).unwrap_or_default();
        let price = service.settings.pricing.price(characters).min(unit.price);
        self.price = self.price.saturating_add(price);
        let of_text = (translated.state, translated.issues.clone());
        let (state, issues) = findings::of_segment(&segment.text, text, of_text);
        self.rows.push(SegmentResult { hash: unit.hash, text, content: &translated.content, state, issues });
    }

    fn fail(&mut self, unit: &JobItem, wanted: &ClaimedChunk, why: &ChunkFailure) {
        self.failures.extend(unit.keys.iter().map(|name| wanted.failure(name, why)));
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
        let engine = service.engine.name();
        let pair = TranslationScope {
            project_id: lease.job.project_id.as_str(),
            source_language: &wanted.source_language,
            language: wanted.language(),
        };
        let rows = self.rows.iter().map(|row| NewTranslation {
            hash: row.hash,
            text: row.text,
            state: row.state,
            issues: &row.issues,
            origin: Origin::Machine,
            engine: Some(engine),
        });
        segment_translations::upsert(tx, pair, &rows.collect::<Vec<_>>(), now).await?;
        let passed = self.rows.iter().filter(|row| row.state != State::NeedsReview);
        let remembered: Vec<_> = passed.map(|row| (row.hash, row.content)).collect();
        let memory = Memory::find(tx, lease.job.project_id.as_str()).await?;
        let languages = Languages { source: &wanted.source_language, target: wanted.language() };
        memory.keep_translated(tx, languages, engine, &remembered, now).await?;
        Ok(())
    }
}

/// The translations of some segments of a chunk, in the chunk's order. One that failed has none.
pub(super) async fn translated(
    tx: &mut Tx,
    project_id: &str,
    document: &str,
    chunk: &Chunk,
    names: &[&str],
) -> Result<Vec<JobTranslation>, ServiceError> {
    let Some(document) = documents::find(tx, project_id, document).await? else { return Ok(Vec::new()) };
    let units = chunk.items.0.iter().flat_map(|unit| unit.keys.iter().map(|name| (name.as_str(), unit.hash)));
    let wanted: Vec<(&str, SourceHash)> = units.filter(|(name, _)| names.contains(name)).collect();
    let hashes: Vec<SourceHash> = wanted.iter().map(|(_, hash)| *hash).collect();
    let pair = TranslationScope { project_id, source_language: &document.language, language: &chunk.language };
    let found = segment_translations::find(tx, pair, &hashes).await?;
    let mut rows: HashMap<SourceHash, _> = found.into_iter().map(|row| (row.hash, row)).collect();
    let made = wanted.into_iter().filter_map(|(name, hash)| {
        let row = rows.remove(&hash)?;
        let language = LanguageCode::new(&chunk.language);
        Some(JobTranslation { r#ref: name.to_owned(), language, text: Some(row.text), plural: None, state: row.state })
    });
    Ok(made.collect())
}
