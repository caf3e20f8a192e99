//! The price of what documents lack, before a person decides about translating them.

use std::collections::{BTreeMap, HashSet};

use l10n_api_types::{Millicredits, ProjectId};
use l10n_formats::SourceHash;

use super::reader::DocumentReader;
use super::run::{SegmentSelection, plan, plan_of};
use crate::domain::ServiceError;
use crate::domain::run::RunParts;
use crate::domain::run::answer;
use crate::domain::run::targets::targets;
use crate::domain::run::work::{self, LanguageWork};
use crate::store::documents::{self, Document};
use crate::store::{Tx, languages};

/// Documents, their characters, and their segments with each language, of which the price of all is made at most.
const MOST_DOCUMENTS: i64 = 500;
const MOST_CHARACTERS: i64 = 2_000_000;
const MOST_LOOKS: usize = 40_000;

/// The price of what a document, or several, lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DocumentPrice {
    /// Segments, each once for every language that lacks it.
    pub segments: u64,
    /// The most that translating them costs.
    pub price: Millicredits,
}

impl DocumentPrice {
    fn of(work: &[LanguageWork]) -> Self {
        Self { segments: work.iter().map(|work| answer::price(work).keys).sum(), price: work::price(work) }
    }
}

/// The price of what a document lacks now, in all languages or in those that `wanted` takes.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn price(
    tx: &mut Tx,
    parts: RunParts<'_>,
    project: &ProjectId,
    document: &Document,
    wanted: impl Fn(&str) -> bool,
) -> Result<DocumentPrice, ServiceError> {
    let languages = languages::list(tx, project).await?;
    let mut targets = targets(None, &languages, &document.language)?;
    targets.retain(|language| wanted(language));
    let wanted = SegmentSelection { targets: &targets, retranslate: false, only: None };
    Ok(DocumentPrice::of(&plan(tx, parts, project, document, wanted).await?.work))
}

/// The price of what all documents of a project lack now, in all languages or in those that `wanted` takes. A segment that stands
/// in several documents is translated once, and counts once. `None` where there is too much to look at.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn price_of_all(
    tx: &mut Tx,
    parts: RunParts<'_>,
    project: &ProjectId,
    wanted: impl Fn(&str) -> bool,
) -> Result<Option<DocumentPrice>, ServiceError> {
    if documents::count(tx, project).await? > MOST_DOCUMENTS {
        return Ok(None);
    }
    let languages = languages::list(tx, project).await?;
    let Some(segments) = segments_of_all(tx, project, languages.len()).await? else { return Ok(None) };
    let mut all = DocumentPrice { segments: 0, price: Millicredits::ZERO };
    for (language, hashes) in segments {
        let mut targets = targets(None, &languages, &language)?;
        targets.retain(|language| wanted(language));
        let wanted = SegmentSelection { targets: &targets, retranslate: false, only: None };
        let hashes: Vec<SourceHash> = hashes.into_iter().collect();
        let found = DocumentPrice::of(&plan_of(tx, parts, project, &language, &hashes, wanted).await?.work);
        all = DocumentPrice { segments: all.segments + found.segments, price: all.price + found.price };
    }
    Ok(Some(all))
}

/// The distinct segments of a project's documents by their language; `None` where there are too many for so many languages.
async fn segments_of_all(
    tx: &mut Tx,
    project: &ProjectId,
    languages: usize,
) -> Result<Option<BTreeMap<String, HashSet<SourceHash>>>, ServiceError> {
    let mut segments: BTreeMap<String, HashSet<SourceHash>> = BTreeMap::new();
    let (mut characters, mut number) = (0, 0);
    let ids = documents::ids(tx, project).await?;
    let mut reader = DocumentReader::new(project, &ids);
    while let Some(page) = reader.next(tx).await? {
        for document in page {
            characters += document.characters;
            let of_language = segments.entry(document.language).or_default();
            let before = of_language.len();
            of_language.extend(document.segments.0);
            number += of_language.len() - before;
            if characters > MOST_CHARACTERS || number.saturating_mul(languages) > MOST_LOOKS {
                return Ok(None);
            }
        }
    }
    Ok(Some(segments))
}
