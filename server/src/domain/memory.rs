//! Translation memory: the entries that a run takes from it, and those that it adds.
//!
//! Translations that an engine made of a project's texts are shared with the other projects of the workspace. An
//! imported translation belongs to one project alone, whoever imported it: otherwise it would reach the live files of
//! others, who cannot see it coming. Once a person has reviewed it, it is shared, too. A project may keep a memory of
//! its own, or none ([`MemorySetting`]); the setting is read in the transaction of the work, under the project's lock
//! where it writes.

use std::collections::HashMap;

use l10n_api_types::Content;
use l10n_formats::SourceHash;

use super::ServiceError;
use super::run::work::MemoryMatch;
use crate::clock::Timestamp;
use crate::store::projects::{self, MemorySetting, Project};
use crate::store::{Tx, memory as shared, project_memory as own};

/// Engine of imported and reviewed texts in a project's own memory.
const HUMAN: &str = "";

/// The memory of a project.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    project: String,
    workspace: String,
    setting: MemorySetting,
}

/// A pair of languages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Languages<'a> {
    /// The language of the sources.
    pub source: &'a str,
    /// The language of the translations.
    pub target: &'a str,
}

impl Memory {
    /// The memory that this project uses.
    #[must_use]
    pub(crate) fn of(project: &Project) -> Self {
        Self { project: project.id.clone(), workspace: project.workspace_id.clone(), setting: project.memory }
    }

    /// The memory that the project `id` uses.
    pub(crate) async fn find(tx: &mut Tx, id: &str) -> Result<Self, ServiceError> {
        let project = projects::find(tx, id).await?;
        let project = project.ok_or_else(|| ServiceError::internal(format!("the project {id} does not exist")))?;
        Ok(Self::of(&project))
    }

    /// Returns whether memory has anything for these languages. If not, texts need not be looked up, as in a first
    /// translation.
    pub(crate) async fn has_any(&self, tx: &mut Tx, languages: Languages<'_>) -> Result<bool, ServiceError> {
        Ok(match self.setting {
            MemorySetting::Off => false,
            MemorySetting::Project => own::has_any(tx, self.own(languages)).await?,
            MemorySetting::Workspace => {
                own::has_any(tx, self.own(languages)).await? || shared::has_any(tx, self.shared(languages)).await?
            }
        })
    }

    /// Returns the translations that memory has for these sources. The project's own imported and reviewed texts come
    /// first, then those that were reviewed elsewhere in the workspace, then those that `engine` made.
    pub(crate) async fn recall(
        &self,
        tx: &mut Tx,
        languages: Languages<'_>,
        engine: &str,
        hashes: &[SourceHash],
    ) -> Result<HashMap<SourceHash, MemoryMatch>, ServiceError> {
        let mut found: HashMap<SourceHash, (u8, MemoryMatch)> = HashMap::new();
        if self.setting == MemorySetting::Off || hashes.is_empty() {
            return Ok(HashMap::new());
        }
        let mut entries = own::find(tx, self.own(languages), engine, hashes).await?;
        if self.setting == MemorySetting::Workspace {
            entries.extend(shared::find(tx, self.shared(languages), engine, hashes).await?);
        }
        for entry in entries {
            let rank = match entry.engine.as_str() {
                HUMAN => 0,
                shared::REVIEWED => 1,
                _ => 2,
            };
            if found.get(&entry.source_hash).is_none_or(|(best, _)| rank < *best) {
                let engine = (rank == 2).then_some(entry.engine);
                found.insert(entry.source_hash, (rank, MemoryMatch { content: entry.content.0, engine }));
            }
        }
        Ok(found.into_iter().map(|(hash, (_, remembered))| (hash, remembered)).collect())
    }

    /// Notes that a run took these from memory, so that they are not forgotten.
    pub(crate) async fn touch(
        &self,
        tx: &mut Tx,
        languages: Languages<'_>,
        engine: &str,
        hashes: &[SourceHash],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        if self.setting == MemorySetting::Off || hashes.is_empty() {
            return Ok(());
        }
        own::touch(tx, self.own(languages), engine, hashes, now).await?;
        if self.setting == MemorySetting::Workspace {
            shared::touch(tx, self.shared(languages), engine, hashes, now).await?;
        }
        Ok(())
    }

    /// Remembers the translations of `engine`, each source at most once.
    pub(crate) async fn keep_translated(
        &self,
        tx: &mut Tx,
        languages: Languages<'_>,
        engine: &str,
        entries: &[(SourceHash, &Content)],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        match self.setting {
            MemorySetting::Workspace => shared::remember(tx, self.shared(languages), engine, entries, now).await?,
            MemorySetting::Project => own::remember(tx, self.own(languages), engine, entries, now).await?,
            MemorySetting::Off => 0,
        };
        Ok(())
    }

    /// Remembers imported translations, each source at most once: for this project alone.
    pub(crate) async fn keep_imported(
        &self,
        tx: &mut Tx,
        languages: Languages<'_>,
        entries: &[(SourceHash, &Content)],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        if self.setting != MemorySetting::Off {
            own::remember(tx, self.own(languages), HUMAN, entries, now).await?;
        }
        Ok(())
    }

    /// Remembers reviewed translations, each source at most once: for every project that shares.
    pub(crate) async fn keep_reviewed(
        &self,
        tx: &mut Tx,
        languages: Languages<'_>,
        entries: &[(SourceHash, &Content)],
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        self.keep_imported(tx, languages, entries, now).await?;
        if self.setting == MemorySetting::Workspace {
            shared::remember(tx, self.shared(languages), shared::REVIEWED, entries, now).await?;
        }
        Ok(())
    }

    fn own<'a>(&'a self, languages: Languages<'a>) -> own::ProjectMemoryScope<'a> {
        let Languages { source: source_language, target: target_language } = languages;
        own::ProjectMemoryScope { project_id: &self.project, source_language, target_language }
    }

    fn shared<'a>(&'a self, languages: Languages<'a>) -> shared::MemoryScope<'a> {
        let Languages { source: source_language, target: target_language } = languages;
        shared::MemoryScope { workspace_id: &self.workspace, source_language, target_language }
    }
}
