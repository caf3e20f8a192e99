//! A chunk of a document's segments: reads their texts and writes their translations.
//!
//! A segment is translated also when the document no longer has it: another document of the project may rely on this job.

use std::collections::HashMap;

use l10n_api_types::translations::JobTranslation;
use l10n_api_types::{Content, LanguageCode, Origin, ProjectId, State};
use l10n_formats::SourceHash;
use l10n_formats::text::checks::{Checker, Facts};

use super::claimed::{ChunkFailure, ClaimedChunk};
use super::items::{ChunkItems, ItemTranslation, UnitResult};
use super::keys::SeenKeys;
use super::lease::Lease;
use crate::clock::Timestamp;
use crate::domain::{ServiceError, findings};
use crate::engines::pipeline::{self, TranslatedContent};
use crate::store::job_chunks::{Chunk, JobItem};
use crate::store::segment_translations::{self, NewSegmentTranslation, TranslationScope};
use crate::store::segments::{self, Segment};
use crate::store::{Tx, documents, languages};

/// The segments of a chunk that still want their translation. A segment never changes, but a person may have written or
/// approved a translation in the meantime.
pub(super) struct CurrentSegments(HashMap<SourceHash, Segment>);

impl ChunkItems for CurrentSegments {
    type Item = SourceHash;

    async fn read(
        tx: &mut Tx,
        lease: &Lease,
        chunk: &Chunk,
        source_language: &str,
        _seen: Option<&SeenKeys>,
    ) -> Result<Self, ServiceError> {
        let hashes: Vec<SourceHash> = chunk.items.0.iter().map(|unit| unit.hash).collect();
        let project_id = &lease.job.project_id;
        // Nobody wants translations into a language that was removed since.
        let found = match languages::has(tx, project_id, &chunk.language).await? {
            true => segments::find(tx, project_id, source_language, &hashes).await?,
            false => Vec::new(),
        };
        let mut wanted: HashMap<_, _> = found.into_iter().map(|segment| (segment.hash, segment)).collect();
        let pair = TranslationScope { project_id, source_language, language: &chunk.language };
        for standing in segment_translations::states(tx, pair, &hashes).await? {
            if lease.leaves(true, standing.state, standing.origin, standing.updated_at) {
                wanted.remove(&standing.hash);
            }
        }
        Ok(Self(wanted))
    }

    fn into_seen(self) -> Option<SeenKeys> {
        None
    }

    fn text(&self, unit: &JobItem) -> Option<pipeline::SourceText> {
        let content = Content::Text(self.0.get(&unit.hash)?.text.clone());
        Some(pipeline::SourceText { content, description: None, facts: Facts::default() })
    }

    fn count(units: &[JobItem]) -> usize {
        units.len()
    }

    fn names<'a>(&'a self, unit: &'a JobItem) -> Vec<&'a str> {
        let names = if self.0.contains_key(&unit.hash) { unit.keys.as_slice() } else { &[] };
        names.iter().map(String::as_str).collect()
    }

    fn translations<'a>(
        &'a self,
        _checker: &Checker,
        unit: &'a JobItem,
        _text: &pipeline::SourceText,
        translated: &'a TranslatedContent,
    ) -> Result<UnitResult<'a, SourceHash>, ChunkFailure> {
        let Some(segment) = self.0.get(&unit.hash) else {
            return Ok(UnitResult { rows: Vec::new(), characters: 0, is_remembered: false });
        };
        let Content::Text(text) = &translated.content else {
            return Err(ChunkFailure::refused("the engine gave no text"));
        };
        let of_text = (translated.state, translated.issues.clone());
        let (state, issues) = findings::of_segment(&segment.text, text, of_text);
        let row = ItemTranslation {
            item: unit.hash,
            content: &translated.content,
            engine: &translated.engine,
            state,
            issues,
        };
        let characters = u64::try_from(segment.characters).unwrap_or_default();
        Ok(UnitResult { rows: vec![row], characters, is_remembered: state != State::NeedsReview })
    }

    async fn write(
        tx: &mut Tx,
        lease: &Lease,
        wanted: &ClaimedChunk,
        rows: &[ItemTranslation<'_, SourceHash>],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let pair = TranslationScope {
            project_id: &lease.job.project_id,
            source_language: &wanted.source_language,
            language: wanted.language(),
        };
        let written = rows.iter().filter_map(|row| {
            let Content::Text(text) = row.content else { return None };
            let (origin, engine) = (Origin::Machine, Some(row.engine));
            Some(NewSegmentTranslation { hash: row.item, text, state: row.state, issues: &row.issues, origin, engine })
        });
        segment_translations::upsert(tx, pair, &written.collect::<Vec<_>>(), now).await?;
        Ok(())
    }
}

/// The translations of some segments of a chunk, in the chunk's order. One that failed has none.
pub(super) async fn translated(
    tx: &mut Tx,
    project_id: &ProjectId,
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
