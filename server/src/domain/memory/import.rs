//! `POST /memory/import`: translations of a TMX file, for the project's own memory.
//!
//! A translation is a person's, unless it names an engine of this server; then it is that engine's. Both have entries of their
//! own, so an engine's never displaces a person's.

use std::collections::HashMap;

use l10n_api_types::memory::{ImportMemory, MOST_IMPORTED, MOST_REFUSED, MemoryImport, TMX_CAP};
use l10n_api_types::{Content, ProjectId};
use l10n_formats::SourceHash;
use l10n_formats::files::tmx::{self, ReadUnit};

use super::incoming::{CheckedEntries, ImportCheck, refusal};
use super::{LanguagePair, ProjectMemory, TextPair, keep, remember};
use crate::clock::Timestamp;
use crate::compute::compute;
use crate::domain::ServiceError;
use crate::domain::run::file;
use crate::engines::EngineRegistry;
use crate::store::projects::{MemorySetting, Project};
use crate::store::{Tx, languages, lock, memory, projects};

/// Reads a file. It takes as long as the file is long and touches no datastore, so it runs before any transaction.
///
/// # Errors
///
/// 413 for a file over 1 MiB, before it is decoded; 400 for base64, for what is no TMX, and for too many translations.
pub(crate) fn read_tmx(body: ImportMemory) -> Result<Vec<ReadUnit>, ServiceError> {
    let bytes = file::decode(body.content, body.encoding, ("content", TMX_CAP))?;
    let units = tmx::read(&bytes).map_err(|error| ServiceError::FileUnparseable {
        message: format!("the file is not readable TMX: {}", error.message),
        line: error.line as usize,
        column: error.column as usize,
    })?;
    let translations: usize = units.iter().map(|unit| unit.variants.len().saturating_sub(1)).sum();
    if translations > MOST_IMPORTED {
        let message = format!("the file has {translations} translations, the limit is {MOST_IMPORTED}: split it");
        return Err(ServiceError::InvalidArgument(message));
    }
    Ok(units)
}

/// The languages of the project that a file is for.
pub(crate) struct ImportTarget {
    base: String,
    languages: Vec<String>,
}

impl ImportTarget {
    /// Reads the languages of a project. Its base language never changes, and one of the others that is added or removed
    /// before the import might as well be so after it.
    ///
    /// # Errors
    ///
    /// 404 for a project that is gone.
    pub(crate) async fn find(tx: &mut Tx, project: &ProjectId) -> Result<Self, ServiceError> {
        let project = find(tx, project).await?;
        let languages = languages::list(tx, &project.id).await?;
        Ok(Self { base: project.base_language, languages: languages.into_iter().map(|one| one.code).collect() })
    }

    /// Finds the translations of a file that can be taken. The checks take as long as the file is long, so that this comes
    /// before the transaction that writes.
    pub(crate) fn check<'f>(&self, engines: &EngineRegistry, units: &'f [ReadUnit]) -> CheckedEntries<'f> {
        compute(true, || ImportCheck::new(engines, &self.base, &self.languages).check(units))
    }
}

/// Takes the translations of a file into a project's own memory.
///
/// # Errors
///
/// 400 for a project that keeps no memory.
pub(crate) async fn import(
    tx: &mut Tx,
    project: &ProjectId,
    checked: CheckedEntries<'_>,
    now: Timestamp,
) -> Result<MemoryImport, ServiceError> {
    lock::project(tx, project).await?;
    let project = find(tx, project).await?;
    let memory = ProjectMemory::of(&project);
    if memory.setting == MemorySetting::Off {
        return Err(ServiceError::InvalidArgument("this project keeps no translation memory".to_owned()));
    }
    let CheckedEntries { parts, mut refused, mut unchanged } = checked;
    let mut added = 0;
    for ((target, engine), entries) in &parts {
        let languages = LanguagePair { source: &project.base_language, target };
        let hashes: Vec<SourceHash> = entries.keys().copied().collect();
        let held = ExistingEntries::read(tx, &memory, languages, engine, &hashes).await?;
        let (mut taken, mut known) = (Vec::new(), Vec::new());
        for (hash, entry) in entries {
            let pair = TextPair { hash: *hash, source: entry.source, translation: entry.translation };
            match held.outcome(hash, entry.translation) {
                EntryOutcome::Unchanged => known.push(pair),
                EntryOutcome::Refused => {
                    refused.push(refusal(entry.line, "a person has reviewed another translation, which stays"))
                }
                EntryOutcome::Added => taken.push(pair),
            }
        }
        remember(tx, memory.own(languages), &[*engine], &taken, now).await?;
        keep(tx, memory.own(languages), engine, &known, now).await?;
        added += taken.len() as u64;
        unchanged += known.len() as u64;
    }
    refused.sort_by_key(|one| one.line);
    let refused_count = refused.len() as u64;
    refused.truncate(MOST_REFUSED);
    Ok(MemoryImport { added, unchanged, refused_count, refused })
}

async fn find(tx: &mut Tx, id: &ProjectId) -> Result<Project, ServiceError> {
    projects::find(tx, id).await?.ok_or_else(ServiceError::no_such_project)
}

/// The entries that memory has already.
struct ExistingEntries {
    own: HashMap<SourceHash, Content>,
    reviewed: HashMap<SourceHash, Content>,
}

enum EntryOutcome {
    Added,
    Unchanged,
    Refused,
}

impl ExistingEntries {
    async fn read(
        tx: &mut Tx,
        memory: &ProjectMemory,
        languages: LanguagePair<'_>,
        engine: &str,
        hashes: &[SourceHash],
    ) -> Result<Self, ServiceError> {
        let own = memory::find(tx, memory.own(languages), engine, hashes).await?.into_iter();
        let own =
            own.filter(|entry| entry.engine == engine).map(|entry| (entry.source_hash, entry.content.0)).collect();
        let reviewed = match engine {
            memory::HUMAN => memory.reviewed(tx, languages, hashes).await?,
            _ => HashMap::new(),
        };
        Ok(Self { own, reviewed })
    }

    fn outcome(&self, hash: &SourceHash, translation: &Content) -> EntryOutcome {
        match (self.reviewed.get(hash), self.own.get(hash)) {
            (Some(reviewed), _) if reviewed != translation => EntryOutcome::Refused,
            (_, Some(own)) if own == translation => EntryOutcome::Unchanged,
            _ => EntryOutcome::Added,
        }
    }
}
