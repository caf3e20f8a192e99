//! Translations of similar texts for engines: of many texts at once.

use std::collections::{HashMap, HashSet};

use l10n_formats::SourceHash;

use super::suggest::{MemoryPart, Suggestion, likeness, parts, ranked};
use super::{LanguagePair, ProjectMemory, space};
use crate::domain::ServiceError;
use crate::engines::{Engines, SimilarText};
use crate::similar::{Comparator, Similar};
use crate::store::memory::{MemoryEntry, MemoryScope, MemorySpace};
use crate::store::memory_index::compared;
use crate::store::{Tx, memory_index, memory_sources};

/// Texts of each part of memory that are read and compared with one.
const COMPARED: usize = 6;
/// Most translations for a text.
const MOST: usize = 2;
/// The least percentage.
const LEAST: u8 = 70;
/// Most characters of a text that is looked for, and of a translation that is given.
const LONGEST: usize = 300;

/// Translations of texts that are like another one.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SimilarTexts {
    /// The translations, the best first.
    pub texts: Vec<SimilarText>,
    /// True if one of them belongs to the project alone: no other project may see it, or what is made of it.
    pub is_own: bool,
}

/// A text that is like one of those that are asked for.
struct SimilarSource {
    place: usize,
    hash: SourceHash,
    source: String,
    percent: u8,
}

impl ProjectMemory {
    /// Returns for each text, in their order, the best translations that memory has of texts like it: people's before engines'.
    /// A translation of the same text by an engine is no hint for it.
    pub(crate) async fn of_similar(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        engines: &Engines,
        texts: &[&str],
    ) -> Result<Vec<SimilarTexts>, ServiceError> {
        let mut found: Vec<Vec<Suggestion>> = texts.iter().map(|_| Vec::new()).collect();
        if self.has_any(tx, languages).await? {
            let halves: Vec<(MemoryScope<'_>, bool)> = self.halves(languages).collect();
            for ((scope, is_human), near) in halves.iter().zip(near(tx, &halves, texts).await?) {
                add(tx, &parts(*scope, engines, *is_human), &near, &mut found).await?;
            }
        }
        Ok(found.into_iter().map(best).collect())
    }
}

/// The texts of each part of memory that are like one of those that are asked for.
async fn near(
    tx: &mut Tx,
    halves: &[(MemoryScope<'_>, bool)],
    texts: &[&str],
) -> Result<Vec<Vec<SimilarSource>>, ServiceError> {
    let mut found: Vec<Vec<SimilarSource>> = halves.iter().map(|_| Vec::new()).collect();
    let (Some((first, _)), Some((last, _))) = (halves.first(), halves.last()) else { return Ok(found) };
    let spaces: Vec<MemorySpace<'_>> = halves.iter().map(|(scope, is_human)| space(*scope, *is_human)).collect();
    let mut looks = Vec::with_capacity(texts.len());
    for (place, text) in texts.iter().enumerate() {
        let Some(text) = Similar::of(text).filter(|text| text.length() <= LONGEST) else { continue };
        let mut numbers = memory_index::near(tx, &spaces, &text, LEAST).await?;
        numbers.iter_mut().for_each(|numbers| numbers.truncate(COMPARED));
        looks.push((place, text, numbers));
    }
    let mut all: Vec<i64> = looks.iter().flat_map(|(.., numbers)| numbers.iter().flatten()).copied().collect();
    all.sort_unstable();
    all.dedup();
    let sources = memory_sources::find(tx, [first.owner, last.owner], &all).await?;
    for (place, text, numbers) in looks {
        let comparator = Comparator::new(text);
        for (found, numbers) in found.iter_mut().zip(numbers) {
            for near in numbers.iter().filter_map(|number| sources.get(number)) {
                if let Some((text, percent)) = likeness(&comparator, near, LEAST) {
                    let hash = SourceHash::of(near);
                    found.push(SimilarSource { place, hash, source: text.to_owned(), percent });
                }
            }
        }
    }
    Ok(found)
}

/// Adds the translations of these texts.
async fn add(
    tx: &mut Tx,
    parts: &[MemoryPart<'_>],
    near: &[SimilarSource],
    found: &mut [Vec<Suggestion>],
) -> Result<(), ServiceError> {
    let mut hashes: Vec<SourceHash> = near.iter().map(|like| like.hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    for part in parts {
        let mut entries = part.entries(tx, &hashes).await?;
        entries.retain(|entry| compared(&entry.content.0).chars().nth(LONGEST).is_none());
        let entries: HashMap<SourceHash, MemoryEntry> =
            entries.into_iter().map(|entry| (entry.source_hash, entry)).collect();
        for like in near.iter().filter(|like| part.is_human || like.percent < 100) {
            let Some(entry) = entries.get(&like.hash) else { continue };
            found[like.place].push(part.suggestion(entry, &like.source, like.percent));
        }
    }
    Ok(())
}

/// The best translations of those that were found.
fn best(found: Vec<Suggestion>) -> SimilarTexts {
    let pair = |one: &Suggestion| (one.source.clone(), one.translation.clone());
    // What a person has reviewed is the project's and the workspace's.
    let shared: HashSet<(String, String)> = found.iter().filter(|one| !one.is_own).map(pair).collect();
    let best = ranked(found, MOST);
    let is_own = best.iter().any(|one| one.is_own && !shared.contains(&pair(one)));
    SimilarTexts { texts: best.into_iter().map(hint).collect(), is_own }
}

fn hint(found: Suggestion) -> SimilarText {
    SimilarText { source: found.source, translation: found.translation, percent: found.percent }
}
