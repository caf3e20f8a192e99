//! What a run finds: the keys that the project holds, how their translations stand, what memory has.
//!
//! Keys are looked up by the file's path and by their refs, never by going through the project, so a run takes as long in
//! a project of 200,000 other keys as in an empty one.

use std::collections::{HashMap, HashSet};

use l10n_api_types::{FormatId, Millicredits};

use super::Cx;
use super::classify::{Classified, classify};
use super::incoming::Incoming;
use super::work::{self, LanguageWork, Remembered, Stand, Standings, hashes, is_of_a_person};
use crate::domain::ServiceError;
use crate::source_hash::SourceHash;
use crate::store::keys::{self, Held, KeyState};
use crate::store::projects::Project;
use crate::store::translations::{self, Translation};
use crate::store::{Tx, jobs, memory};

/// The input of a run in the base language.
pub(super) struct Input {
    /// The keys.
    pub incoming: Vec<Incoming>,
    /// The file that they came in.
    pub file: Option<SourceFile>,
    /// The target languages.
    pub targets: Vec<String>,
    /// Whether to translate anew what is up to date.
    pub retranslate: bool,
    /// Whether to archive what the path holds no more.
    pub archive: bool,
    /// Pending code changes that it settles.
    pub settled: Vec<String>,
    /// What a person should know already.
    pub warnings: Vec<String>,
}

/// The file of a sync.
pub(super) struct SourceFile {
    pub path: String,
    pub format: FormatId,
    pub namespace: Option<String>,
    pub bytes: Vec<u8>,
    pub sha256: [u8; 32],
}

/// What a run found, and what follows from it.
pub(super) struct Gathered {
    pub project: Project,
    pub held: Vec<Held>,
    pub classified: Classified,
    /// Translations that come along with a renamed key: the item, and the translation of the key that went.
    pub copies: Vec<(usize, Translation)>,
    /// What is to be done in each target language.
    pub work: Vec<LanguageWork>,
    /// Texts of people that stay although their source has changed, in all target languages.
    pub kept: u64,
}

impl Gathered {
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
    cx: &Cx<'_>,
    project: Project,
    input: &Input,
) -> Result<Gathered, ServiceError> {
    let path = input.file.as_ref().map(|file| file.path.as_str());
    let held = held(tx, &project.id, &input.incoming, path).await?;
    let classified = classify(&input.incoming, &held, path);
    let mut standings = standings(tx, &project.id, input, &held, &classified).await?;
    let copies = renamed_copies(tx, input, &held, &classified, &mut standings).await?;
    let kept = standings.kept(input.retranslate);
    let mut work = Vec::with_capacity(input.targets.len());
    for (at, language) in input.targets.iter().enumerate() {
        let needed = standings.needed(at, input.retranslate);
        let memory = match input.retranslate {
            true => HashMap::new(),
            false => {
                let pair = memory::Pair {
                    workspace_id: &project.workspace_id,
                    source_language: &project.base_language,
                    target_language: language,
                };
                recall(tx, pair, cx.service.engine.name(), &hashes(&needed, &input.incoming)).await?
            }
        };
        work.push(LanguageWork::new(language, needed, &input.incoming, &memory, &cx.service.settings.pricing));
    }
    Ok(Gathered { project, held, classified, copies, work, kept })
}

/// The keys that the path holds, and those that the input names wherever they are.
async fn held(
    tx: &mut Tx,
    project_id: &str,
    incoming: &[Incoming],
    path: Option<&str>,
) -> Result<Vec<Held>, ServiceError> {
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

async fn standings(
    tx: &mut Tx,
    project_id: &str,
    input: &Input,
    held: &[Held],
    classified: &Classified,
) -> Result<Standings, ServiceError> {
    let mut standings = Standings::new(input.incoming.len(), input.targets.len());
    let languages: HashMap<&str, usize> =
        input.targets.iter().enumerate().map(|(at, language)| (language.as_str(), at)).collect();
    let mut item_of: HashMap<&str, (usize, SourceHash)> = HashMap::new();
    for (at, (item, (_, key))) in input.incoming.iter().zip(&classified.items).enumerate() {
        if item.stays {
            (0..input.targets.len()).for_each(|language| standings.set(at, language, Stand::Left));
        } else if let Some(key) = key.and_then(|key| held.get(key)) {
            item_of.insert(&key.id, (at, item.hash));
        }
    }
    if item_of.is_empty() || languages.is_empty() {
        return Ok(standings);
    }
    let mut ids: Vec<&str> = item_of.keys().copied().collect();
    // Ids sort by creation, so that neighbours lie on one page of the datastore.
    ids.sort_unstable();
    for standing in translations::standings(tx, &ids).await? {
        if let (Some((item, hash)), Some(language)) =
            (item_of.get(standing.key_id.as_str()), languages.get(standing.language.as_str()))
        {
            standings.set(*item, *language, Stand::of(standing.source_hash == *hash, standing.state, standing.origin));
        }
    }
    for chunk in jobs::pending(tx, project_id).await? {
        let Some(language) = languages.get(chunk.language.as_str()) else { continue };
        for unit in &chunk.items.0 {
            for (item, hash) in unit.keys.iter().filter_map(|key| item_of.get(key.as_str())) {
                if *hash == unit.hash {
                    standings.set(*item, *language, standings.get(*item, *language).with_pending(chunk.retranslate));
                }
            }
        }
    }
    Ok(standings)
}

/// Translations of keys that went, for the keys that came with the same text.
async fn renamed_copies(
    tx: &mut Tx,
    input: &Input,
    held: &[Held],
    classified: &Classified,
    standings: &mut Standings,
) -> Result<Vec<(usize, Translation)>, ServiceError> {
    let mut to: HashMap<&str, usize> = HashMap::new();
    for (removed, item) in &classified.renamed {
        // A key that comes back from the archive has translations of its own.
        let was = classified.items.get(*item).and_then(|(_, was)| held.get((*was)?));
        if was.is_some_and(|was| was.state == KeyState::Archived) {
            continue;
        }
        if let Some(key) = classified.removed.get(*removed).and_then(|at| held.get(*at)) {
            to.insert(&key.id, *item);
        }
    }
    let ids: Vec<&str> = to.keys().copied().collect();
    let mut copies = Vec::new();
    for translation in translations::by_keys(tx, &ids).await? {
        let Some(item) = to.get(translation.key_id.as_str()).copied() else { continue };
        let Some(hash) = input.incoming.get(item).map(|item| item.hash) else { continue };
        if translation.source_hash != hash {
            continue;
        }
        if let Some(language) = input.targets.iter().position(|language| *language == translation.language) {
            // What comes along from a person stays also where a translation anew was asked for.
            let by_person = is_of_a_person(translation.state, translation.origin);
            standings.set(item, language, if by_person { Stand::Left } else { Stand::Fresh });
        }
        copies.push((item, translation));
    }
    Ok(copies)
}

/// What memory has: a person's translation before an engine's.
pub(in crate::domain) async fn recall(
    tx: &mut Tx,
    pair: memory::Pair<'_>,
    engine: &str,
    hashes: &[SourceHash],
) -> Result<HashMap<SourceHash, Remembered>, ServiceError> {
    let mut found: HashMap<SourceHash, Remembered> = HashMap::new();
    for entry in memory::find(tx, pair, engine, hashes).await? {
        let is_human = entry.engine == memory::HUMAN;
        let remembered = Remembered { content: entry.content.0, engine: (!is_human).then_some(entry.engine) };
        if is_human || !found.contains_key(&entry.source_hash) {
            found.insert(entry.source_hash, remembered);
        }
    }
    Ok(found)
}
