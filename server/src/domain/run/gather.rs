//! Gathers the data of a run: the keys that the project holds, the standing of their translations, and the texts in
//! memory.
//!
//! Keys are looked up by the file's path and by their refs, never by going through the project, so a run takes as long in
//! a project of 200,000 other keys as in an empty one.

use std::collections::{HashMap, HashSet};

use l10n_api_types::translations::Class;
use l10n_api_types::{FormatId, Millicredits, ProjectId};
use l10n_formats::SourceHash;

use super::RunContext;
use super::classify::{Classified, classify};
use super::incoming::InputKey;
use super::work::{self, DistinctTexts, IndexSet, LanguageWork, StatusMatrix, TranslationStatus, is_of_a_person};
use crate::compute::{MANY, compute};
use crate::domain::ServiceError;
use crate::domain::memory::{LanguagePair, ProjectMemory};
use crate::domain::project_engines::ProjectEngines;
use crate::engines::Engines;
use crate::store::glossary::GlossaryRevision;
use crate::store::keys::{self, KeyState, StoredKey};
use crate::store::projects::Project;
use crate::store::{Tx, glossary, job_chunks, pending_items, translations};

/// Keys, and texts of memory, that are looked up at once.
pub(in crate::domain) const BATCH: usize = 500;

/// The input of a run in the base language.
pub(super) struct RunInput {
    /// The keys.
    pub incoming: Vec<InputKey>,
    /// The file that they came in.
    pub file: Option<SyncedFile>,
    /// The target languages.
    pub targets: Vec<String>,
    /// True to translate anew texts whose translations are up to date.
    pub retranslate: bool,
    /// True to archive keys that the path no longer holds.
    pub archive: bool,
    /// True if the keys are the project's own, as it holds them: the run registers nothing.
    pub is_held: bool,
    /// The only items to translate, each with the place of its target language; `None`: all that need it.
    pub only: Option<HashSet<(usize, usize)>>,
    /// Pending code changes that it settles.
    pub settled: Vec<String>,
    /// Warnings for a person, from before the run.
    pub warnings: Vec<String>,
}

/// The file of a sync.
pub(super) struct SyncedFile {
    pub path: String,
    pub format: FormatId,
    pub namespace: Option<String>,
    pub holds_all_languages: bool,
    pub bytes: Vec<u8>,
    pub sha256: [u8; 32],
}

/// The data that a run found, and the work that follows from it.
pub(super) struct Gathered {
    pub project: Project,
    /// Its engines.
    pub engines: ProjectEngines,
    pub held: Vec<StoredKey>,
    pub classified: Classified,
    /// Keys that went whose translations come along with an item: its place, and the key that went among the held ones.
    pub copies: Vec<(usize, usize)>,
    /// The distinct texts of the input.
    pub texts: DistinctTexts,
    /// The work in each target language.
    pub work: Vec<LanguageWork>,
    /// Texts of people that stay although their source has changed, in all target languages.
    pub kept: u64,
    /// Translations that an unfinished job makes already, in all target languages.
    pub pending: u64,
    /// The glossary before anything was checked by it.
    pub terms: GlossaryRevision,
}

impl Gathered {
    /// Returns whether the project has no key yet for this item of the input.
    pub(super) fn is_new(&self, at: usize) -> bool {
        self.classified.items.get(at).is_none_or(|(_, held)| held.is_none())
    }

    /// Price of everything that is to be translated.
    pub(super) fn price(&self) -> Millicredits {
        work::price(&self.work)
    }

    /// Translations that a job makes.
    pub(super) fn queued(&self) -> usize {
        work::queued(&self.work)
    }
}

/// Looks everything up and plans the work.
pub(super) async fn gather(
    tx: &mut Tx,
    cx: &RunContext<'_>,
    project: Project,
    input: &RunInput,
) -> Result<Gathered, ServiceError> {
    let terms = glossary::revision(tx, &project.id).await?;
    let path = input.file.as_ref().map(|file| file.path.as_str());
    let held = held(tx, &project.id, &input.incoming, path).await?;
    let is_long = input.incoming.len() >= MANY;
    let classified = compute(is_long, || classified(input, &held, path));
    let mut statuses = statuses(tx, &project.id, input, &held, &classified).await?;
    keep_only(input, &mut statuses);
    let copies = renamed_copies(tx, input, &held, &classified, &mut statuses).await?;
    let (kept, pending, texts) =
        compute(is_long, || (statuses.kept(input.retranslate), statuses.pending(), DistinctTexts::of(&input.incoming)));
    let memory = ProjectMemory::of(&project);
    let engines = ProjectEngines::find(tx, cx.parts.engines, &project.id).await?;
    let mut work = Vec::with_capacity(input.targets.len());
    for (at, language) in input.targets.iter().enumerate() {
        let needed = compute(is_long, || statuses.needed(at, input.retranslate));
        let chain = engines.of_language(language);
        let known = match input.retranslate {
            true => IndexSet::default(),
            false => {
                let languages = LanguagePair { source: &project.base_language, target: language };
                known(tx, (&memory, languages), &chain, &needed, &input.incoming, &texts).await?
            }
        };
        let rate = cx.parts.settings.pricing.dearest(chain.names());
        work.push(compute(is_long, || LanguageWork::new(language, needed, &input.incoming, &texts, &known, rate)));
    }
    Ok(Gathered { project, engines, held, classified, copies, texts, work, kept, pending, terms })
}

/// The keys that the path holds, and those that the input names wherever they are.
async fn held(
    tx: &mut Tx,
    project_id: &ProjectId,
    incoming: &[InputKey],
    path: Option<&str>,
) -> Result<Vec<StoredKey>, ServiceError> {
    let mut held = match path {
        Some(path) => keys::held_by_path(tx, project_id, path).await?,
        None => Vec::new(),
    };
    let here: HashSet<&str> = held.iter().map(|key| key.name.as_str()).collect();
    let elsewhere: Vec<&str> =
        incoming.iter().map(|item| item.name.as_str()).filter(|name| !here.contains(name)).collect();
    held.extend(keys::held_by_refs(tx, project_id, &elsewhere).await?);
    Ok(held)
}

async fn statuses(
    tx: &mut Tx,
    project_id: &ProjectId,
    input: &RunInput,
    held: &[StoredKey],
    classified: &Classified,
) -> Result<StatusMatrix, ServiceError> {
    let mut statuses = StatusMatrix::new(input.incoming.len(), input.targets.len());
    let languages: HashMap<&str, usize> =
        input.targets.iter().enumerate().map(|(at, language)| (language.as_str(), at)).collect();
    let mut item_of: HashMap<&str, (usize, SourceHash)> = HashMap::new();
    compute(input.incoming.len() >= MANY, || {
        for (at, (item, (_, key))) in input.incoming.iter().zip(&classified.items).enumerate() {
            let is_gone = input.is_held && key.is_none();
            if item.stays || is_gone {
                (0..input.targets.len()).for_each(|language| statuses.set(at, language, TranslationStatus::Left));
            } else if let Some(key) = key.and_then(|key| held.get(key)) {
                item_of.insert(&key.id, (at, item.hash));
            }
        }
    });
    if item_of.is_empty() || languages.is_empty() {
        return Ok(statuses);
    }
    let mut ids: Vec<&str> = item_of.keys().copied().collect();
    // Ids sort by creation, so that neighbours lie on one page of the datastore.
    ids.sort_unstable();
    let mut add =
        |key: &str, language: &str, hash: SourceHash, change: &dyn Fn(bool, TranslationStatus) -> TranslationStatus| {
            if let (Some((item, present)), Some(language)) = (item_of.get(key), languages.get(language)) {
                let status = change(*present == hash, statuses.get(*item, *language));
                statuses.set(*item, *language, status);
            }
        };
    // In batches: of many keys in many languages, all that is known of them would fill the memory.
    for ids in ids.chunks(BATCH) {
        for found in translations::states(tx, ids).await? {
            let status =
                |is_present: bool, _: TranslationStatus| TranslationStatus::of(is_present, found.state, found.origin);
            add(&found.key_id, &found.language, found.source_hash, &status);
        }
        for found in pending_items::of_keys(tx, project_id, ids).await? {
            add(&found.item, &found.language, found.hash, &pending(found.retranslate));
        }
    }
    for chunk in job_chunks::pending_without_slots(tx, project_id).await? {
        for unit in &chunk.items.0 {
            for key in &unit.keys {
                add(key, &chunk.language, unit.hash, &pending(chunk.retranslate));
            }
        }
    }
    Ok(statuses)
}

/// The classes of the items. A key that has changed since it was read, or has gone, is none of the project's own input any more.
fn classified(input: &RunInput, held: &[StoredKey], path: Option<&str>) -> Classified {
    let mut classified = classify(&input.incoming, held, path);
    if input.is_held {
        for (class, key) in &mut classified.items {
            *key = key.filter(|_| *class == Class::Unchanged);
            *class = Class::Unchanged;
        }
    }
    classified
}

/// Leaves alone all items but the only ones that the run is about.
fn keep_only(input: &RunInput, statuses: &mut StatusMatrix) {
    let Some(only) = &input.only else { return };
    for item in 0..input.incoming.len() {
        for language in (0..input.targets.len()).filter(|language| !only.contains(&(item, *language))) {
            statuses.set(item, language, TranslationStatus::Left);
        }
    }
}

/// Adjusts the standing of an item for an unfinished job that has its text.
fn pending(replaces_people: bool) -> impl Fn(bool, TranslationStatus) -> TranslationStatus {
    move |is_present, status| if is_present { status.with_pending(replaces_people) } else { status }
}

/// Keys that went, for the keys that came with the same text and take their translations along.
async fn renamed_copies(
    tx: &mut Tx,
    input: &RunInput,
    held: &[StoredKey],
    classified: &Classified,
    statuses: &mut StatusMatrix,
) -> Result<Vec<(usize, usize)>, ServiceError> {
    let (mut to, mut copies): (HashMap<&str, usize>, _) = (HashMap::new(), Vec::new());
    for (removed, item) in &classified.renamed {
        // A key that comes back from the archive has translations of its own.
        let was = classified.items.get(*item).and_then(|(_, was)| held.get((*was)?));
        if was.is_some_and(|was| was.state == KeyState::Archived) {
            continue;
        }
        let gone = classified.removed.get(*removed).copied();
        if let Some((at, key)) = gone.and_then(|at| Some((at, held.get(at)?))) {
            to.insert(&key.id, *item);
            copies.push((*item, at));
        }
    }
    let mut ids: Vec<&str> = to.keys().copied().collect();
    ids.sort_unstable();
    for ids in ids.chunks(BATCH) {
        for found in translations::states(tx, ids).await? {
            let Some(item) = to.get(found.key_id.as_str()).copied() else { continue };
            if input.incoming.get(item).is_none_or(|item| item.hash != found.source_hash) {
                continue;
            }
            if let Some(language) = input.targets.iter().position(|language| *language == found.language) {
                // A person's translation that comes along stays even if a new one was asked for.
                let by_person = is_of_a_person(found.state, found.origin);
                statuses.set(
                    item,
                    language,
                    if by_person { TranslationStatus::Left } else { TranslationStatus::Fresh },
                );
            }
        }
    }
    Ok(copies)
}

/// The needed texts that memory has.
pub(in crate::domain) async fn known(
    tx: &mut Tx,
    (memory, languages): (&ProjectMemory, LanguagePair<'_>),
    engines: &Engines,
    needed: &IndexSet,
    incoming: &[InputKey],
    texts: &DistinctTexts,
) -> Result<IndexSet, ServiceError> {
    let (mut seen, mut known) = (IndexSet::none_of(texts.len()), IndexSet::none_of(texts.len()));
    if !memory.has_any(tx, languages).await? {
        return Ok(known);
    }
    let mut wanted = needed.iter().map(|item| texts.of_item(item)).filter(|text| seen.insert(*text)).peekable();
    while wanted.peek().is_some() {
        let batch: Vec<(usize, SourceHash)> = wanted
            .by_ref()
            .take(BATCH)
            .filter_map(|text| Some((text, incoming.get(texts.first(text))?.hash)))
            .collect();
        let hashes: Vec<SourceHash> = batch.iter().map(|(_, hash)| *hash).collect();
        let found = memory.known(tx, languages, engines, &hashes).await?;
        for (text, _) in batch.iter().filter(|(_, hash)| found.contains(hash)) {
            known.insert(*text);
        }
    }
    Ok(known)
}
