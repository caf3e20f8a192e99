//! The translations of a document's segments.

use std::collections::HashMap;

use l10n_api_types::ProjectId;
use l10n_formats::SourceHash;

use crate::domain::ServiceError;
use crate::store::Tx;
use crate::store::documents::Document;
use crate::store::segment_translations::{self, SegmentTranslation, TranslationScope};

/// The translations into `language` that the segments of a document's present source have, by the hashes of the segments:
/// all that [`Document::render`](l10n_formats::documents::Document::render) is to be asked with. A segment that is missing has
/// no translation; one in [`State::NeedsReview`] has one that a check holds back, and its document with it. They are
/// written by [`segment_translations::upsert`], whoever makes them.
pub(super) async fn translated(
    tx: &mut Tx,
    project_id: &ProjectId,
    document: &Document,
    language: &str,
) -> Result<HashMap<SourceHash, SegmentTranslation>, ServiceError> {
    let pair = TranslationScope { project_id, source_language: &document.language, language };
    let rows = segment_translations::find(tx, pair, &distinct(&document.segments.0)).await?;
    Ok(rows.into_iter().map(|row| (row.hash, row)).collect())
}

/// Hashes in their order, each once.
pub(super) fn distinct(segments: &[SourceHash]) -> Vec<SourceHash> {
    let mut seen = std::collections::HashSet::with_capacity(segments.len());
    segments.iter().copied().filter(|hash| seen.insert(*hash)).collect()
}
