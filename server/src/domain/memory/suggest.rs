//! Suggestions: translations of the same text and of similar ones.
//!
//! Two rules hold whatever memory has. What people wrote or reviewed stands before what engines made. And the texts of people
//! are looked for apart from those of engines, with bounds of their own, so that however much engines translate, nothing of
//! what people wrote is displaced.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use l10n_api_types::Content;
use l10n_formats::SourceHash;

use super::{LanguagePair, ProjectMemory, space};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::engines::Engines;
use crate::similar::{Comparator, Similar};
use crate::store::memory::{self, MemoryEntry, MemoryOwner, MemoryScope, MemorySpace};
use crate::store::memory_index::compared;
use crate::store::{Tx, memory_index, memory_sources};

/// Texts of each part of memory that are read and compared, by rounds. They are in the order of what speaks for them, so that
/// nothing is read after a round of which none of the last half is alike enough.
const ROUNDS: [Range<usize>; 4] = [0..24, 24..64, 64..128, 128..192];
/// Texts whose translations are read at once.
const AT_ONCE: usize = 32;

/// The suggestions that are wanted for a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SuggestionQuery<'a> {
    /// The text.
    pub text: &'a str,
    /// The least percentage.
    pub percent: u8,
    /// Most suggestions.
    pub most: usize,
}

/// A translation of the same text, or of a similar one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Suggestion {
    /// The text that was translated.
    pub source: String,
    /// Its translation.
    pub translation: String,
    /// The likeness of the texts, from 0 to 100; 100 is the same text.
    pub percent: u8,
    /// The engine that made it; `None` if a person wrote or reviewed it.
    pub engine: Option<String>,
    /// True if it belongs to the project alone.
    pub is_own: bool,
    /// The time at which memory got it.
    pub updated_at: Timestamp,
}

/// A part of memory: the entries of people or of one engine.
pub(super) struct MemoryPart<'a> {
    pub(super) scope: MemoryScope<'a>,
    /// The engine, or the mark of people's entries.
    pub(super) engine: &'a str,
    pub(super) is_human: bool,
}

impl MemoryPart<'_> {
    /// The entries of the part for texts with these hashes.
    pub(super) async fn entries(&self, tx: &mut Tx, hashes: &[SourceHash]) -> Result<Vec<MemoryEntry>, ServiceError> {
        let mut found = memory::find(tx, self.scope, self.engine, hashes).await?;
        found.retain(|entry| entry.engine == self.engine);
        Ok(found)
    }

    /// The suggestion that an entry of the part is.
    pub(super) fn suggestion(&self, entry: &MemoryEntry, source: &str, percent: u8) -> Suggestion {
        Suggestion {
            source: source.to_owned(),
            translation: compared(&entry.content.0).to_owned(),
            percent,
            engine: (!self.is_human).then(|| entry.engine.clone()),
            is_own: self.is_own(),
            updated_at: entry.updated_at,
        }
    }

    fn is_own(&self) -> bool {
        matches!(self.scope.owner, MemoryOwner::Project(_))
    }
}

impl ProjectMemory {
    /// Returns suggestions for a text: people's before engines', the project's own before the workspace's where they are as much
    /// alike.
    pub(crate) async fn similar(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        engines: &Engines,
        wanted: SuggestionQuery<'_>,
    ) -> Result<Vec<Suggestion>, ServiceError> {
        let compared = Similar::of(wanted.text).map(|text| (text.clone(), Comparator::new(text)));
        let same = SourceHash::of(&Content::Text(wanted.text.to_owned()));
        let halves: Vec<(MemoryScope<'_>, bool)> = self.halves(languages).collect();
        let spaces: Vec<MemorySpace<'_>> = halves.iter().map(|(scope, is_human)| space(*scope, *is_human)).collect();
        let mut near = match &compared {
            Some((text, comparator)) => alike(tx, &spaces, text, comparator, wanted.percent).await?,
            None => spaces.iter().map(|_| Vec::new()).collect(),
        };
        for near in &mut near {
            // The text itself is found whether it is indexed or not.
            near.retain(|like| like.hash != same);
            near.insert(0, FuzzyMatch { hash: same, text: wanted.text.to_owned(), percent: 100 });
        }
        let parts = halves.iter().map(|(scope, is_human)| parts(*scope, engines, *is_human));
        let looks = parts.zip(near).map(|(parts, near)| FuzzyLookup { parts, near, found: Vec::new() }).collect();
        Ok(ranked(self.translations(tx, languages, looks, wanted.most).await?, wanted.most))
    }

    /// The translations of the texts that each look found, in the order of the looks: of each, until it has `most`.
    async fn translations(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        mut looks: Vec<FuzzyLookup<'_>>,
        most: usize,
    ) -> Result<Vec<Suggestion>, ServiceError> {
        for round in 0.. {
            let open = looks.iter().filter(|look| look.found.len() < most);
            let mut hashes: Vec<SourceHash> = open.flat_map(|look| look.round(round)).map(|like| like.hash).collect();
            if hashes.is_empty() {
                break;
            }
            hashes.sort_unstable();
            hashes.dedup();
            let entries = self.entries(tx, languages, &hashes).await?;
            for look in looks.iter_mut().filter(|look| look.found.len() < most) {
                look.take(round, &entries);
            }
        }
        Ok(looks.into_iter().flat_map(|look| look.found).collect())
    }
}

/// A text of memory that is like the one that is looked for.
struct FuzzyMatch {
    hash: SourceHash,
    text: String,
    percent: u8,
}

/// The texts of people or of engines of one memory that are alike, the most alike first, and the translations found of them.
struct FuzzyLookup<'a> {
    parts: Vec<MemoryPart<'a>>,
    near: Vec<FuzzyMatch>,
    found: Vec<Suggestion>,
}

impl FuzzyLookup<'_> {
    /// The texts whose translations are read together in the round.
    fn round(&self, round: usize) -> &[FuzzyMatch] {
        self.near.chunks(AT_ONCE).nth(round).unwrap_or_default()
    }

    /// Takes the translations of the round's texts from the entries that were read.
    fn take(&mut self, round: usize, entries: &[(bool, MemoryEntry)]) {
        let texts: HashMap<SourceHash, &FuzzyMatch> = self.round(round).iter().map(|like| (like.hash, like)).collect();
        let mut found = Vec::new();
        for part in &self.parts {
            let of_part =
                entries.iter().filter(|(is_own, entry)| *is_own == part.is_own() && entry.engine == part.engine);
            found.extend(of_part.filter_map(|(_, entry)| {
                let like = texts.get(&entry.source_hash)?;
                Some(part.suggestion(entry, &like.text, like.percent))
            }));
        }
        self.found.extend(found);
    }
}

/// A text of memory and its likeness in percent, if it is alike enough.
pub(super) fn likeness<'a>(comparator: &Comparator, near: &'a Content, least: u8) -> Option<(&'a str, u8)> {
    let text = compared(near);
    Some((text, comparator.percent(&Similar::of(text)?, least)?))
}

/// Those of the texts of each space that are alike enough, the most alike first. A round reads the next texts of all spaces of
/// whose last ones some were alike.
async fn alike(
    tx: &mut Tx,
    spaces: &[MemorySpace<'_>],
    text: &Similar,
    comparator: &Comparator,
    least: u8,
) -> Result<Vec<Vec<FuzzyMatch>>, ServiceError> {
    let mut alike: Vec<Vec<FuzzyMatch>> = spaces.iter().map(|_| Vec::new()).collect();
    let (Some(first), Some(last)) = (spaces.first(), spaces.last()) else { return Ok(alike) };
    let numbers = memory_index::near(tx, spaces, text, least).await?;
    let mut open: Vec<usize> = (0..spaces.len()).collect();
    for Range { start, end } in ROUNDS {
        let of_space = |space: usize| {
            let numbers = &numbers[space];
            numbers.get(start..end.min(numbers.len())).unwrap_or_default()
        };
        let asked: Vec<i64> = open.iter().flat_map(|space| of_space(*space)).copied().collect();
        let read = memory_sources::find(tx, [first.owner, last.owner], &asked).await?;
        open.retain(|space| {
            let mut goes_on = false;
            for (place, number) in of_space(*space).iter().enumerate() {
                let Some(near) = read.get(number) else { continue };
                if let Some((text, percent)) = likeness(comparator, near, least) {
                    alike[*space].push(FuzzyMatch { hash: SourceHash::of(near), text: text.to_owned(), percent });
                    goes_on |= place >= (end - start) / 2;
                }
            }
            goes_on
        });
        if open.is_empty() {
            break;
        }
    }
    for alike in &mut alike {
        alike.sort_unstable_by(|a, b| b.percent.cmp(&a.percent).then_with(|| a.text.cmp(&b.text)));
    }
    Ok(alike)
}

pub(super) fn parts<'a>(scope: MemoryScope<'a>, engines: &'a Engines, is_human: bool) -> Vec<MemoryPart<'a>> {
    if !is_human {
        return engines.iter().map(|engine| MemoryPart { scope, engine: engine.name(), is_human }).collect();
    }
    let engine = match scope.owner {
        MemoryOwner::Workspace(_) => memory::REVIEWED,
        MemoryOwner::Project(_) => memory::HUMAN,
    };
    vec![MemoryPart { scope, engine, is_human }]
}

/// The best of the suggestions, each source and translation once. What a person has translated is not suggested in an engine's
/// words.
pub(super) fn ranked(mut found: Vec<Suggestion>, most: usize) -> Vec<Suggestion> {
    let by_people: HashSet<String> =
        found.iter().filter(|one| one.engine.is_none()).map(|one| one.source.clone()).collect();
    found.retain(|one| one.engine.is_none() || !by_people.contains(&one.source));
    found.sort_by(|a, b| {
        let key = |one: &Suggestion| (one.engine.is_some(), u8::MAX - one.percent, !one.is_own);
        key(a).cmp(&key(b)).then(b.updated_at.cmp(&a.updated_at)).then_with(|| a.source.cmp(&b.source))
    });
    let mut seen = HashSet::new();
    found.retain(|one| seen.insert((one.source.clone(), one.translation.clone())));
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggestion(source: &str, percent: u8, engine: Option<&str>, is_own: bool) -> Suggestion {
        let updated_at = Timestamp::from_millis(0);
        let (source, engine) = (source.to_owned(), engine.map(str::to_owned));
        Suggestion { translation: format!("{source} {engine:?}"), source, percent, engine, is_own, updated_at }
    }

    #[test]
    fn people_come_first_however_many_engines_are_more_alike() {
        let mut found: Vec<_> = (0..50).map(|n| suggestion(&format!("text {n}"), 99, Some("pseudo"), true)).collect();
        found.push(suggestion("a person's", 61, None, false));
        found.push(suggestion("the project's", 61, None, true));
        let best = ranked(found, 10);
        assert_eq!(best.len(), 10);
        assert_eq!((best[0].source.as_str(), best[1].source.as_str()), ("the project's", "a person's"));
    }

    #[test]
    fn what_a_person_translated_is_not_suggested_in_an_engines_words() {
        let found = vec![
            suggestion("Save", 100, Some("pseudo"), false),
            suggestion("Save", 100, None, false),
            suggestion("Save", 100, None, true),
        ];
        let best = ranked(found, 10);
        assert_eq!(best.len(), 1);
        assert!(best[0].is_own && best[0].engine.is_none());
    }
}
