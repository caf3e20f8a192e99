//! Translations that a run has for nothing: those of renamed keys, and those that memory has.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use l10n_api_types::{Content, Issue, Origin, State, TrackingToken};
use l10n_formats::SourceHash;
use l10n_formats::text::checks::glossary::Glossary;
use l10n_formats::text::checks::{Checker, Facts};

use super::RunContext;
use super::gather::{BATCH, Gathered, RunInput};
use super::work::{LanguageWork, MemoryMatch};
use crate::domain::memory::{LanguagePair, ProjectMemory};
use crate::domain::{ServiceError, findings};
use crate::store::translations::{self, NewTranslation};
use crate::store::{Tx, staged_translations};

/// Items whose translations are written: all, or those whose keys are new, or the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemFilter {
    All,
    New,
    Others,
}

impl ItemFilter {
    fn takes(self, gathered: &Gathered, at: usize) -> bool {
        match self {
            Self::All => true,
            Self::New => gathered.is_new(at),
            Self::Others => !gathered.is_new(at),
        }
    }
}

/// Numbers of translations that were written, by language and state.
pub(super) type WrittenCounts = Vec<(String, State, i64)>;

pub(super) fn total(counts: &WrittenCounts) -> i64 {
    counts.iter().map(|(_, _, number)| number).sum()
}

fn count(counts: &mut WrittenCounts, rows: &[NewTranslation<'_>]) {
    for row in rows {
        match counts.iter_mut().find(|(language, state, _)| language == row.language && *state == row.state) {
            Some((_, _, number)) => *number += 1,
            None => counts.push((row.language.to_owned(), row.state, 1)),
        }
    }
}

/// The place that translations are written to.
#[derive(Debug, Clone, Copy)]
pub(super) enum WriteTarget<'a> {
    /// Their own.
    Live,
    /// A staged run, whose keys get them once it is live.
    Staged(&'a TrackingToken),
}

/// Renamed keys whose translations are copied at once: each has a translation in every language.
pub(super) const COPIES: usize = BATCH / 10;

/// The copies of `gathered` that are `of` these items.
pub(super) fn copies(gathered: &Gathered, of: ItemFilter) -> Vec<(usize, usize)> {
    gathered.copies.iter().copied().filter(|(item, _)| of.takes(gathered, *item)).collect()
}

/// The items of these that memory has in a language.
pub(super) fn remembered(gathered: &Gathered, work: &LanguageWork, of: ItemFilter) -> Vec<usize> {
    work.remembered.iter().filter(|at| of.takes(gathered, *at)).collect()
}

/// Writes the translations that a plan has for nothing.
pub(super) struct FreeWriter<'a> {
    pub(super) cx: &'a RunContext<'a>,
    pub(super) input: &'a RunInput,
    pub(super) gathered: &'a Gathered,
    /// The id of each item's key.
    pub(super) ids: &'a [String],
    pub(super) to: WriteTarget<'a>,
}

impl FreeWriter<'_> {
    /// Writes those of renamed keys, and those that memory has. Returns how many; `None` where memory does not have all of them
    /// any more.
    pub(super) async fn write_all(&self, tx: &mut Tx, of: ItemFilter) -> Result<Option<i64>, ServiceError> {
        let mut counts = WrittenCounts::new();
        for copies in copies(self.gathered, of).chunks(COPIES) {
            self.copy_renamed(tx, copies, &mut counts).await?;
        }
        for work in &self.gathered.work {
            for places in remembered(self.gathered, work, of).chunks(BATCH) {
                if !self.recall(tx, work, places, &mut counts).await? {
                    return Ok(None);
                }
            }
        }
        Ok(Some(total(&counts)))
    }

    /// Writes translations that memory has; returns whether it still has all of them.
    pub(super) async fn recall(
        &self,
        tx: &mut Tx,
        work: &LanguageWork,
        places: &[usize],
        counts: &mut WrittenCounts,
    ) -> Result<bool, ServiceError> {
        let Self { input, gathered, .. } = self;
        let memory = ProjectMemory::of(&gathered.project);
        let languages = LanguagePair { source: &gathered.project.base_language, target: &work.language };
        let glossary =
            self.cx.parts.glossaries.between(tx, &gathered.project.id, languages.source, languages.target).await?;
        let texts = places.iter().filter_map(|at| Some((*at, input.incoming.get(*at)?.hash)));
        let texts: Vec<(usize, SourceHash)> = texts.collect();
        let mut written = 0;
        for texts in memory.batches(tx, languages, &texts, |(_, hash)| *hash).await? {
            written += self.recall_batch(tx, (&memory, languages), &glossary, texts, counts).await?;
        }
        Ok(written == places.len())
    }

    /// Writes what memory has for these items, each with the hash of its text; returns how many there are.
    async fn recall_batch(
        &self,
        tx: &mut Tx,
        (memory, languages): (&ProjectMemory, LanguagePair<'_>),
        glossary: &Arc<Glossary>,
        texts: &[(usize, SourceHash)],
        counts: &mut WrittenCounts,
    ) -> Result<usize, ServiceError> {
        let Self { cx, input, gathered, ids, .. } = self;
        let hashes: HashSet<SourceHash> = texts.iter().map(|(_, hash)| *hash).collect();
        let hashes: Vec<SourceHash> = hashes.into_iter().collect();
        let engines = gathered.engines.of_language(languages.target);
        let found = memory.recall(tx, languages, &engines, &hashes).await?;
        memory.touch(tx, languages, &engines, &hashes, cx.now).await?;
        let remembered = recalled(input, gathered, (languages.target, Arc::clone(glossary)), texts, &found);
        let rows = remembered.iter().filter_map(|recalled| {
            Some(NewTranslation {
                key_id: ids.get(recalled.item)?,
                language: languages.target,
                content: recalled.content,
                state: recalled.state,
                source_hash: input.incoming.get(recalled.item)?.hash,
                origin: Origin::Memory,
                engine: recalled.engine,
                issues: &recalled.issues,
            })
        });
        let rows: Vec<NewTranslation<'_>> = rows.collect();
        self.write(tx, &rows).await?;
        count(counts, &rows);
        Ok(rows.len())
    }

    /// Writes the translations that come along with renamed keys, if their source text is the same, save those that memory gives:
    /// a job may have made them since the plan, and each is written and counted once.
    pub(super) async fn copy_renamed(
        &self,
        tx: &mut Tx,
        copies: &[(usize, usize)],
        counts: &mut WrittenCounts,
    ) -> Result<(), ServiceError> {
        let to: HashMap<&str, usize> = copies
            .iter()
            .filter_map(|(item, gone)| Some((self.gathered.held.get(*gone)?.id.as_str(), *item)))
            .collect();
        let gone: Vec<&str> = to.keys().copied().collect();
        let found = translations::by_keys(tx, &gone).await?;
        let is_recalled = |item: usize, language: &str| {
            self.gathered.work.iter().any(|work| work.language == language && work.remembered.contains(item))
        };
        let rows = found.iter().filter_map(|copy| {
            let item = to.get(copy.key_id.as_str()).copied()?;
            let comes_along = self.input.incoming.get(item)?.hash == copy.source_hash;
            (comes_along && !is_recalled(item, &copy.language)).then_some(NewTranslation {
                key_id: self.ids.get(item)?,
                language: &copy.language,
                content: &copy.content.0,
                state: copy.state,
                source_hash: copy.source_hash,
                origin: copy.origin,
                engine: copy.engine.as_deref(),
                issues: &copy.issues.0,
            })
        });
        let rows: Vec<NewTranslation<'_>> = rows.collect();
        self.write(tx, &rows).await?;
        count(counts, &rows);
        Ok(())
    }

    async fn write(&self, tx: &mut Tx, rows: &[NewTranslation<'_>]) -> Result<(), ServiceError> {
        let (project, now) = (self.cx.runner.project(), self.cx.now);
        match self.to {
            WriteTarget::Live => translations::upsert(tx, project, rows, now).await?,
            WriteTarget::Staged(run) => staged_translations::insert(tx, run, project, rows, &[], now).await?,
        };
        Ok(())
    }
}

struct CheckedMatch<'a> {
    item: usize,
    content: &'a Content,
    engine: Option<&'a str>,
    state: State,
    issues: Vec<Issue>,
}

/// The translations from memory, each checked against its key, whose limit of length may differ from that of the
/// original.
fn recalled<'a>(
    input: &RunInput,
    gathered: &Gathered,
    (language, glossary): (&str, Arc<Glossary>),
    texts: &[(usize, SourceHash)],
    memory: &'a HashMap<SourceHash, MemoryMatch>,
) -> Vec<CheckedMatch<'a>> {
    let checker = Checker::new(&gathered.project.base_language, language).with_glossary(glossary);
    let recalled = texts.iter().filter_map(|(at, hash)| {
        let item = input.incoming.get(*at)?;
        let found = memory.get(hash)?;
        let held = gathered.classified.items.get(*at).and_then(|(_, held)| gathered.held.get((*held)?));
        let facts = Facts {
            syntax: item.syntax.or(held.and_then(|held| held.syntax)).unwrap_or_default(),
            max_length: item.max_length.or(held.and_then(|held| u32::try_from(held.max_length?).ok())),
            in_file: None,
        };
        let (state, issues) = findings::of(&checker, &item.content, &found.content, facts);
        Some(CheckedMatch { item: *at, content: &found.content, engine: found.engine.as_deref(), state, issues })
    });
    recalled.collect()
}
