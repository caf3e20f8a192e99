//! Suggestions: translations of the same text and of similar ones.
//!
//! Two rules hold whatever memory has. What people wrote or reviewed stands before what engines made. And the texts of people
//! are looked for apart from those of engines, with bounds of their own, so that however much engines translate, nothing of
//! what people wrote is displaced.

use std::collections::{HashMap, HashSet};

use l10n_api_types::Content;
use l10n_formats::SourceHash;

use super::{Languages, Memory, space};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::engines::Engines;
use crate::similar::{Comparator, Similar};
use crate::store::Tx;
use crate::store::memory::{self, Entry, MemoryOwner, MemoryScope};
use crate::store::memory_sources::{self, MemorySpace, NearText, compared};

/// Most texts that are read and compared, of each part of memory.
const COMPARED: usize = 192;
/// Texts that are read and compared at once. They are in the order of what speaks for them, so that those after some of which none
/// is alike enough are not read.
const COMPARED_AT_ONCE: usize = 48;
/// Texts whose translations are read at once.
const AT_ONCE: usize = 32;

/// The suggestions that are wanted for a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'a> {
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
pub(super) struct Part<'a> {
    pub(super) scope: MemoryScope<'a>,
    /// The engine, or the mark of people's entries.
    pub(super) engine: &'a str,
    pub(super) is_human: bool,
}

impl Part<'_> {
    /// The entries of the part for texts with these hashes.
    pub(super) async fn entries(&self, tx: &mut Tx, hashes: &[SourceHash]) -> Result<Vec<Entry>, ServiceError> {
        let mut found = memory::find(tx, self.scope, self.engine, hashes).await?;
        found.retain(|entry| entry.engine == self.engine);
        Ok(found)
    }

    /// The suggestion that an entry of the part is.
    pub(super) fn suggestion(&self, entry: &Entry, source: &str, percent: u8) -> Suggestion {
        Suggestion {
            source: source.to_owned(),
            translation: compared(&entry.content.0).to_owned(),
            percent,
            engine: (!self.is_human).then(|| entry.engine.clone()),
            is_own: matches!(self.scope.owner, MemoryOwner::Project(_)),
            updated_at: entry.updated_at,
        }
    }
}

impl Memory {
    /// Returns suggestions for a text: people's before engines', the project's own before the workspace's where they are as much
    /// alike.
    pub(crate) async fn similar(
        &self,
        tx: &mut Tx,
        languages: Languages<'_>,
        engines: &Engines,
        wanted: Wanted<'_>,
    ) -> Result<Vec<Suggestion>, ServiceError> {
        let compared = Similar::of(wanted.text).map(|text| (text.clone(), Comparator::new(text)));
        let same = SourceHash::of(&Content::Text(wanted.text.to_owned()));
        let mut found = Vec::new();
        for scope in self.all(languages) {
            for is_human in [true, false] {
                let parts = parts(scope, engines, is_human);
                let space = space(scope, is_human);
                let mut near = match &compared {
                    Some((text, comparator)) => alike(tx, space, text, comparator, wanted.percent).await?,
                    None => Vec::new(),
                };
                // The text itself is found whether it is indexed or not.
                near.retain(|(hash, ..)| *hash != same);
                near.insert(0, (same, wanted.text.to_owned(), 100));
                let enough = found.len() + wanted.most;
                for near in near.chunks(AT_ONCE) {
                    found.extend(translations(tx, &parts, near).await?);
                    if found.len() >= enough {
                        break;
                    }
                }
            }
        }
        Ok(ranked(found, wanted.most))
    }
}

/// A text of memory and its likeness in percent, if it is alike enough.
pub(super) fn likeness<'a>(comparator: &Comparator, near: &'a NearText, least: u8) -> Option<(&'a str, u8)> {
    let text = compared(&near.content);
    Some((text, comparator.percent(&Similar::of(text)?, least)?))
}

/// Those of the texts of a space that are alike enough, with their hashes and their likeness in percent, the most alike first.
async fn alike(
    tx: &mut Tx,
    space: MemorySpace<'_>,
    text: &Similar,
    comparator: &Comparator,
    least: u8,
) -> Result<Vec<(SourceHash, String, u8)>, ServiceError> {
    let numbers = memory_sources::near(tx, space, text, least).await?;
    let mut alike = Vec::new();
    for numbers in numbers.chunks(COMPARED_AT_ONCE).take(COMPARED / COMPARED_AT_ONCE) {
        let before = alike.len();
        for near in memory_sources::find(tx, space.owner, numbers).await? {
            if let Some((text, percent)) = likeness(comparator, &near, least) {
                alike.push((SourceHash::of(&near.content), text.to_owned(), percent));
            }
        }
        if alike.len() == before {
            break;
        }
    }
    alike.sort_unstable_by(|(_, a, of_a), (_, b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
    Ok(alike)
}

pub(super) fn parts<'a>(scope: MemoryScope<'a>, engines: &'a Engines, is_human: bool) -> Vec<Part<'a>> {
    if !is_human {
        return engines.iter().map(|engine| Part { scope, engine: engine.name(), is_human }).collect();
    }
    let engine = match scope.owner {
        MemoryOwner::Workspace(_) => memory::REVIEWED,
        MemoryOwner::Project(_) => memory::HUMAN,
    };
    vec![Part { scope, engine, is_human }]
}

async fn translations(
    tx: &mut Tx,
    parts: &[Part<'_>],
    sources: &[(SourceHash, String, u8)],
) -> Result<Vec<Suggestion>, ServiceError> {
    let texts: HashMap<SourceHash, (&str, u8)> =
        sources.iter().map(|(hash, text, percent)| (*hash, (text.as_str(), *percent))).collect();
    let hashes: Vec<SourceHash> = texts.keys().copied().collect();
    let mut found = Vec::new();
    for part in parts {
        let entries = part.entries(tx, &hashes).await?;
        found.extend(entries.iter().filter_map(|entry| {
            let (source, percent) = *texts.get(&entry.source_hash)?;
            Some(part.suggestion(entry, source, percent))
        }));
    }
    Ok(found)
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
