//! Translation memory: the entries that a run takes from it, and those that it adds.
//!
//! Translations that an engine made of a project's texts are shared with the other projects of the workspace. An
//! imported translation belongs to one project alone, whoever imported it: otherwise it would reach the live files of
//! others, who cannot see it coming. Once a person has reviewed it, it is shared, too. No import takes the place of a
//! reviewed translation in memory. What an engine makes with hints that the project does not share is not shared either.
//! A project may keep a memory of its own, or none ([`MemorySetting`]); the setting is read in the transaction of the
//! work, under the project's lock where it writes.

mod alike;
mod export;
mod import;
mod incoming;
mod matches;
mod suggest;

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, ProjectId, WorkspaceId};
use l10n_formats::SourceHash;

pub(crate) use self::export::Export;
pub(crate) use self::import::{ImportTarget, import, read_tmx};
pub(crate) use self::matches::matches;
use self::suggest::{Suggestion, SuggestionQuery};
use super::run::work::MemoryMatch;
use super::{ServiceError, pages};
use crate::clock::Timestamp;
use crate::engines::Engines;
use crate::store::memory::{MemoryEntry, MemoryOwner, MemoryScope, MemorySpace};
use crate::store::projects::{self, MemorySetting, Project};
use crate::store::{Store, Tx, memory, memory_index, memory_sources};

/// Texts that one transaction indexes, so that no other writer waits for long.
const INDEXED_AT_ONCE: i64 = 100;

/// The memory of a project.
#[derive(Debug, Clone)]
pub(crate) struct ProjectMemory {
    project: ProjectId,
    workspace: WorkspaceId,
    setting: MemorySetting,
}

/// A pair of languages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LanguagePair<'a> {
    /// The language of the sources.
    pub source: &'a str,
    /// The language of the translations.
    pub target: &'a str,
}

/// A text and its translation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextPair<'a> {
    /// The hash of the source.
    pub hash: SourceHash,
    /// The source.
    pub source: &'a Content,
    /// The translation.
    pub translation: &'a Content,
}

impl<'a> LanguagePair<'a> {
    fn of(self, owner: MemoryOwner<'a>) -> MemoryScope<'a> {
        MemoryScope { owner, source_language: self.source, target_language: self.target }
    }
}

impl ProjectMemory {
    /// The memory that this project uses.
    #[must_use]
    pub(crate) fn of(project: &Project) -> Self {
        Self { project: project.id.clone(), workspace: project.workspace_id.clone(), setting: project.memory }
    }

    /// The memory that the project `id` uses.
    pub(crate) async fn find(tx: &mut Tx, id: &ProjectId) -> Result<Self, ServiceError> {
        let project = projects::find(tx, id).await?;
        let project = project.ok_or_else(|| ServiceError::internal(format!("the project {id} does not exist")))?;
        Ok(Self::of(&project))
    }

    /// Returns whether memory has anything for these languages. If not, texts need not be looked up, as in a first
    /// translation.
    pub(crate) async fn has_any(&self, tx: &mut Tx, languages: LanguagePair<'_>) -> Result<bool, ServiceError> {
        for scope in self.all(languages) {
            if memory::has_any(tx, scope).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns those of these sources that memory has a translation for, which [`recall`](Self::recall) would return.
    pub(crate) async fn known(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        engines: &Engines,
        hashes: &[SourceHash],
    ) -> Result<HashSet<SourceHash>, ServiceError> {
        let mut known = HashSet::new();
        for scope in self.all(languages) {
            for engine in engines.iter() {
                known.extend(memory::known(tx, scope, engine.name(), hashes).await?);
            }
        }
        Ok(known)
    }

    /// Splits texts into batches, in their order, so that what memory has for those of a batch has the room of a page.
    pub(crate) async fn batches<'a, T>(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        texts: &'a [T],
        hash: impl Fn(&T) -> SourceHash,
    ) -> Result<Vec<&'a [T]>, ServiceError> {
        let hashes: Vec<SourceHash> = texts.iter().map(&hash).collect();
        let sizes = self.sizes(tx, languages.source, &[languages.target], &hashes).await?;
        Ok(pages::batches(texts, |text| sizes.get(&hash(text)).copied().unwrap_or_default()).collect())
    }

    /// Returns the translations that memory has for these sources, which come in batches ([`batches`](Self::batches)) where they
    /// may be many. The project's own imported and reviewed texts come first, then those that were reviewed elsewhere in the
    /// workspace, then those that the engines made, in their order.
    pub(crate) async fn recall(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        engines: &Engines,
        hashes: &[SourceHash],
    ) -> Result<HashMap<SourceHash, MemoryMatch>, ServiceError> {
        let mut found: HashMap<SourceHash, (usize, MemoryMatch)> = HashMap::new();
        let mut entries = Vec::new();
        for scope in self.all(languages) {
            for engine in engines.iter() {
                entries.extend(memory::find(tx, scope, engine.name(), hashes).await?);
            }
        }
        for entry in entries {
            let rank = match entry.engine.as_str() {
                memory::HUMAN => 0,
                memory::REVIEWED => 1,
                name => 2 + engines.iter().position(|engine| engine.name() == name).unwrap_or_default(),
            };
            if found.get(&entry.source_hash).is_none_or(|(best, _)| rank < *best) {
                let engine = (rank >= 2).then_some(entry.engine);
                found.insert(entry.source_hash, (rank, MemoryMatch { content: entry.content.0, engine }));
            }
        }
        Ok(found.into_iter().map(|(hash, (_, remembered))| (hash, remembered)).collect())
    }

    /// Notes that a run took these from memory, so that they are not forgotten.
    pub(crate) async fn touch(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        engines: &Engines,
        hashes: &[SourceHash],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        for scope in self.all(languages) {
            for engine in engines.iter() {
                memory::touch(tx, scope, engine.name(), hashes, now).await?;
            }
            for is_human in [true, false] {
                memory_sources::touch(tx, space(scope, is_human), hashes, now).await?;
            }
        }
        Ok(())
    }

    /// Remembers the translations of `engine`, each source at most once: for this project alone if they are its own (true).
    pub(crate) async fn keep_translated(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        (engine, is_own): (&str, bool),
        entries: &[TextPair<'_>],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        if let Some(main) = self.main(languages) {
            let scope = if is_own { self.own(languages) } else { main };
            remember(tx, scope, &[engine], entries, now).await?;
        }
        Ok(())
    }

    /// Remembers imported translations, each source at most once: for this project alone. Where a person has reviewed another
    /// translation, that one stays.
    pub(crate) async fn keep_imported(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        entries: &[TextPair<'_>],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        if self.setting == MemorySetting::Off {
            return Ok(());
        }
        let mut entries = entries.to_vec();
        entries.sort_unstable_by_key(|entry| entry.hash);
        for entries in self.batches(tx, languages, &entries, |entry| entry.hash).await? {
            let hashes: Vec<SourceHash> = entries.iter().map(|entry| entry.hash).collect();
            let reviewed = self.reviewed(tx, languages, &hashes).await?;
            let stays = |entry: &&TextPair<'_>| reviewed.get(&entry.hash).is_some_and(|held| held != entry.translation);
            let entries: Vec<TextPair<'_>> = entries.iter().filter(|entry| !stays(entry)).copied().collect();
            remember(tx, self.own(languages), &[memory::HUMAN], &entries, now).await?;
        }
        Ok(())
    }

    /// Remembers reviewed translations, each source at most once: for every project that shares.
    pub(crate) async fn keep_reviewed(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        entries: &[TextPair<'_>],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        if self.setting == MemorySetting::Off {
            return Ok(());
        }
        remember(tx, self.own(languages), &[memory::HUMAN, memory::REVIEWED], entries, now).await?;
        if self.setting == MemorySetting::Workspace {
            remember(tx, self.shared(languages), &[memory::REVIEWED], entries, now).await?;
        }
        Ok(())
    }

    /// The translations of these sources that a person has reviewed: in this project, else elsewhere in the workspace.
    async fn reviewed(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        hashes: &[SourceHash],
    ) -> Result<HashMap<SourceHash, Content>, ServiceError> {
        let mut found = HashMap::new();
        for scope in self.all(languages) {
            let entries = memory::find(tx, scope, memory::REVIEWED, hashes).await?;
            for entry in entries.into_iter().filter(|entry| entry.engine == memory::REVIEWED) {
                found.entry(entry.source_hash).or_insert(entry.content.0);
            }
        }
        Ok(found)
    }

    /// The bytes of all translations that memory has for these sources in some languages, by whomever.
    async fn sizes(
        &self,
        tx: &mut Tx,
        source_language: &str,
        targets: &[&str],
        hashes: &[SourceHash],
    ) -> Result<HashMap<SourceHash, i64>, ServiceError> {
        let mut sizes: HashMap<SourceHash, i64> = HashMap::new();
        for scope in self.all(LanguagePair { source: source_language, target: "" }) {
            for size in memory::sizes(tx, scope.owner, source_language, targets, hashes).await? {
                let bytes = sizes.entry(size.source_hash).or_default();
                *bytes = bytes.saturating_add(size.bytes);
            }
        }
        Ok(sizes)
    }

    /// The entries of the memories that serve the project for texts with these hashes; true for the project's own.
    async fn entries(
        &self,
        tx: &mut Tx,
        languages: LanguagePair<'_>,
        hashes: &[SourceHash],
    ) -> Result<Vec<(bool, MemoryEntry)>, ServiceError> {
        let workspace = (self.setting == MemorySetting::Workspace).then_some(&self.workspace);
        let languages = (languages.source, languages.target);
        Ok(memory::of_both(tx, &self.project, workspace, languages, hashes).await?)
    }

    fn own<'a>(&'a self, languages: LanguagePair<'a>) -> MemoryScope<'a> {
        languages.of(MemoryOwner::Project(&self.project))
    }

    fn shared<'a>(&'a self, languages: LanguagePair<'a>) -> MemoryScope<'a> {
        languages.of(MemoryOwner::Workspace(&self.workspace))
    }

    /// The memory that holds what engines translate; `None` if nothing is remembered.
    fn main<'a>(&'a self, languages: LanguagePair<'a>) -> Option<MemoryScope<'a>> {
        match self.setting {
            MemorySetting::Off => None,
            MemorySetting::Project => Some(self.own(languages)),
            MemorySetting::Workspace => Some(self.shared(languages)),
        }
    }

    /// The memories that serve the project, its own first.
    fn all<'a>(&'a self, languages: LanguagePair<'a>) -> impl Iterator<Item = MemoryScope<'a>> {
        let own = (self.setting != MemorySetting::Off).then(|| self.own(languages));
        let shared = (self.setting == MemorySetting::Workspace).then(|| self.shared(languages));
        own.into_iter().chain(shared)
    }

    /// The halves of these memories: of each what people wrote or reviewed (true), then what engines made.
    fn halves<'a>(&'a self, languages: LanguagePair<'a>) -> impl Iterator<Item = (MemoryScope<'a>, bool)> {
        self.all(languages).flat_map(|scope| [true, false].map(|is_human| (scope, is_human)))
    }
}

fn space(scope: MemoryScope<'_>, is_human: bool) -> MemorySpace<'_> {
    MemorySpace { owner: scope.owner, source_language: scope.source_language, is_human }
}

/// Remembers translations with each of these marks, and the texts that they are of. The marks are those of people, or one
/// engine.
async fn remember(
    tx: &mut Tx,
    scope: MemoryScope<'_>,
    engines: &[&str],
    entries: &[TextPair<'_>],
    now: Timestamp,
) -> Result<(), ServiceError> {
    let entries = keep_sources(tx, scope, engines, entries, now).await?;
    let translations: Vec<_> = entries.iter().map(|entry| (entry.hash, entry.translation)).collect();
    for engine in engines {
        memory::remember(tx, scope, engine, &translations, now).await?;
    }
    Ok(())
}

/// Notes that translations which memory has are in use, and keeps the texts that they are of: entries of an earlier release may
/// have none.
async fn keep(
    tx: &mut Tx,
    scope: MemoryScope<'_>,
    engine: &str,
    entries: &[TextPair<'_>],
    now: Timestamp,
) -> Result<(), ServiceError> {
    let entries = keep_sources(tx, scope, &[engine], entries, now).await?;
    let hashes: Vec<SourceHash> = entries.iter().map(|entry| entry.hash).collect();
    memory::touch(tx, scope, engine, &hashes, now).await?;
    Ok(())
}

/// Keeps the texts of entries. Returns the entries in the order of their hashes, so that of two who write the same rows none
/// waits for the other in turn.
async fn keep_sources<'a>(
    tx: &mut Tx,
    scope: MemoryScope<'_>,
    engines: &[&str],
    entries: &[TextPair<'a>],
    now: Timestamp,
) -> Result<Vec<TextPair<'a>>, ServiceError> {
    let is_human = engines.iter().any(|engine| [memory::HUMAN, memory::REVIEWED].contains(engine));
    let mut entries = entries.to_vec();
    entries.sort_unstable_by_key(|entry| entry.hash);
    let sources: Vec<_> = entries.iter().map(|entry| (entry.hash, entry.source)).collect();
    memory_sources::keep(tx, space(scope, is_human), &sources, now).await?;
    Ok(entries)
}

/// Indexes the texts of memory that wait for it, so that they are found by similar ones.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn index_all(store: &Store) -> Result<(), ServiceError> {
    loop {
        let mut tx = store.begin_read().await?;
        let has_waiting = memory_index::has_waiting(&mut tx).await?;
        tx.rollback().await?;
        if !has_waiting {
            return Ok(());
        }
        let mut tx = store.begin_yielding_write().await?;
        let indexed = memory_index::index_some(&mut tx, INDEXED_AT_ONCE).await?;
        tx.commit().await?;
        if indexed == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock as _;
    use crate::testing::{TestApp, TestStore};

    crate::both_engines!(what_memory_has_for_a_batch_has_the_room_of_a_page);

    /// Before, a run read all translations of 500 texts at once, and that of a document those of all of its texts.
    async fn what_memory_has_for_a_batch_has_the_room_of_a_page(store: TestStore) {
        let app = TestApp::on(&store).await;
        let mut tx = store.begin_write().await.unwrap();
        let memory = ProjectMemory::find(&mut tx, &app.project.id).await.unwrap();
        let languages = LanguagePair { source: "en", target: "de" };
        let hashes: Vec<SourceHash> =
            ["short", "a", "b", "c", "d", "none"].map(|text| SourceHash::of(&Content::Text(text.to_owned()))).to_vec();
        // Two of them have room, and three do not.
        let (short, long) = (Content::Text("kurz".to_owned()), Content::Text("x".repeat(1_500_000)));
        for (at, hash) in hashes.iter().take(5).enumerate() {
            // Both memories serve the project.
            let scope = if at % 2 == 0 { memory.own(languages) } else { memory.shared(languages) };
            let content = if at == 0 { &short } else { &long };
            memory::remember(&mut tx, scope, "pseudo", &[(*hash, content)], app.clock.now()).await.unwrap();
        }
        let batches = memory.batches(&mut tx, languages, &hashes, |hash| *hash).await.unwrap();
        assert_eq!(batches.iter().map(|batch| batch.len()).collect::<Vec<_>>(), [3, 3]);
        assert_eq!(batches.concat(), hashes);
        let french = LanguagePair { source: "en", target: "fr" };
        assert_eq!(memory.batches(&mut tx, french, &hashes, |hash| *hash).await.unwrap().len(), 1);
    }
}
