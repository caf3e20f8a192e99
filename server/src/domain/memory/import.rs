//! `POST /memory/import`: translations of a TMX file, for the project's own memory.
//!
//! A translation is a person's, unless it names an engine of this server; then it is that engine's. Both have entries of their
//! own, so an engine's never displaces a person's.

use std::collections::{BTreeMap, HashMap};

use l10n_api_types::memory::{ImportMemory, MOST_IMPORTED, MOST_REFUSED, MemoryImport, RefusedUnit, TMX_CAP};
use l10n_api_types::{Content, ProjectId};
use l10n_formats::SourceHash;
use l10n_formats::files::tmx::{self, ReadUnit, Variant};
use l10n_formats::locales;

use super::{Languages, Memory, TextPair, remember};
use crate::clock::Timestamp;
use crate::domain::run::file;
use crate::domain::run::incoming::check_plural;
use crate::domain::{ServiceError, glossary};
use crate::engines::EngineRegistry;
use crate::store::projects::MemorySetting;
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

/// Takes the translations of a file into a project's own memory.
///
/// # Errors
///
/// 400 for a project that keeps no memory.
pub(crate) async fn import(
    tx: &mut Tx,
    engines: &EngineRegistry,
    project: &ProjectId,
    units: &[ReadUnit],
    now: Timestamp,
) -> Result<MemoryImport, ServiceError> {
    lock::project(tx, project).await?;
    let project = projects::find(tx, project).await?;
    let project = project.ok_or_else(|| ServiceError::NotFound("there is no such project".to_owned()))?;
    let memory = Memory::of(&project);
    if memory.setting == MemorySetting::Off {
        return Err(ServiceError::InvalidArgument("this project keeps no translation memory".to_owned()));
    }
    let languages = languages::list(tx, &project.id).await?;
    let languages =
        ProjectLanguages { all: languages.into_iter().map(|one| one.code).collect(), known: HashMap::new() };
    let mut incoming = Incoming { engines, base: &project.base_language, languages, refused: Vec::new(), unchanged: 0 };
    let mut parts = Parts::new();
    for unit in units {
        incoming.add(unit, &mut parts);
    }
    let Incoming { mut refused, mut unchanged, .. } = incoming;
    let mut added = 0;
    for ((target, engine), entries) in &parts {
        let languages = Languages { source: &project.base_language, target };
        let hashes: Vec<SourceHash> = entries.keys().copied().collect();
        let held = Held::read(tx, &memory, languages, engine, &hashes).await?;
        let mut taken = Vec::new();
        for (hash, entry) in entries {
            match held.outcome(hash, entry.translation) {
                Outcome::Unchanged => unchanged += 1,
                Outcome::Refused => {
                    refused.push(refusal(entry.line, "a person has reviewed another translation, which stays"))
                }
                Outcome::Added => {
                    taken.push(TextPair { hash: *hash, source: entry.source, translation: entry.translation });
                }
            }
        }
        remember(tx, memory.own(languages), engine, &taken, now).await?;
        added += taken.len() as u64;
    }
    refused.sort_by_key(|one| one.line);
    let refused_count = refused.len() as u64;
    refused.truncate(MOST_REFUSED);
    Ok(MemoryImport { added, unchanged, refused_count, refused })
}

/// A translation of the file.
struct Entry<'f> {
    line: u32,
    source: &'f Content,
    translation: &'f Content,
}

/// The translations of a file, and those that are not taken.
struct Incoming<'a> {
    engines: &'a EngineRegistry,
    base: &'a str,
    languages: ProjectLanguages,
    refused: Vec<RefusedUnit>,
    unchanged: u64,
}

/// The entries of a file by language and engine, and by the text that they translate.
type Parts<'f> = BTreeMap<(String, &'f str), HashMap<SourceHash, Entry<'f>>>;

impl Incoming<'_> {
    fn refuse(&mut self, line: u32, message: &str) {
        self.refused.push(refusal(line, message));
    }

    fn add<'f>(&mut self, unit: &'f ReadUnit, parts: &mut Parts<'f>) {
        let mut texts = BTreeMap::new();
        for read in &unit.variants {
            let variant = match &read.variant {
                Ok(variant) => variant,
                Err(message) => {
                    self.refuse(read.line, message);
                    continue;
                }
            };
            let Some((language, is_same)) = self.languages.of(&variant.language) else {
                self.refuse(read.line, &format!("{:?} is not a language of this project", variant.language));
                continue;
            };
            let this = Placed { line: read.line, is_same, variant };
            let other = match texts.get(&language) {
                None => None,
                // The very language counts more than one of its regions.
                Some(Placed { is_same: false, .. }) if is_same => texts.insert(language.clone(), this),
                Some(_) => Some(this),
            };
            match other {
                Some(other) => self.refuse(other.line, &format!("the unit has another text in {language}")),
                None => drop(texts.entry(language).or_insert(this)),
            }
        }
        let Some(source) = texts.remove(self.base) else {
            self.refuse(unit.line, &format!("the unit has no text in the base language {}", self.base));
            return;
        };
        if texts.is_empty() {
            self.refuse(unit.line, "the unit has no translation that can be taken");
        }
        for (language, translation) in texts {
            if let Err(message) = self.translation(language, source.variant, translation, parts) {
                self.refuse(translation.line, &message);
            }
        }
    }

    fn translation<'f>(
        &mut self,
        language: String,
        source: &'f Variant,
        translation: Placed<'f>,
        parts: &mut Parts<'f>,
    ) -> Result<(), String> {
        let Placed { line, variant, .. } = translation;
        check(&source.content, &variant.content)?;
        let engine = match &variant.engine {
            None => memory::HUMAN,
            Some(name) if self.engines.has(name) => name,
            Some(name) => return Err(format!("this service has no engine {name:?}, which made the translation")),
        };
        let entry = Entry { line, source: &source.content, translation: &variant.content };
        let hash = SourceHash::of(&source.content);
        if let Some(before) = parts.entry((language, engine)).or_default().insert(hash, entry) {
            if before.translation == &variant.content {
                self.unchanged += 1;
            } else {
                self.refuse(before.line, &format!("line {line} has another translation of this text, which is taken"));
            }
        }
        Ok(())
    }
}

/// A text of a unit.
#[derive(Clone, Copy)]
struct Placed<'f> {
    line: u32,
    /// True if it names the project's language itself, not one of its regions.
    is_same: bool,
    variant: &'f Variant,
}

fn refusal(line: u32, message: &str) -> RefusedUnit {
    RefusedUnit { line: line.into(), message: message.to_owned() }
}

fn check(source: &Content, translation: &Content) -> Result<(), String> {
    match (source, translation) {
        (Content::Text(_), Content::Text(_)) => {}
        (Content::Plural(source), Content::Plural(translation)) => {
            for (plural, at) in [(source, "source"), (translation, "translation")] {
                check_plural(plural, at).map_err(|error| error.to_string())?;
            }
        }
        _ => return Err("one of the texts is a plural and the other is none".to_owned()),
    }
    if source.characters() == 0 || translation.characters() == 0 {
        return Err("one of the texts is empty".to_owned());
    }
    Ok(())
}

/// The languages of a project, by the tags of a file.
struct ProjectLanguages {
    all: Vec<String>,
    known: HashMap<String, Option<(String, bool)>>,
}

impl ProjectLanguages {
    /// The project's language that a tag stands for, and whether it is that very language rather than one of its regions.
    fn of(&mut self, tag: &str) -> Option<(String, bool)> {
        if let Some(known) = self.known.get(tag) {
            return known.clone();
        }
        let canonical = locales::canonicalize(tag).ok();
        let found = canonical.and_then(|canonical| {
            let fits = self.all.iter().filter(|code| glossary::holds_for(code, &canonical));
            // The longest tag is the closest one.
            fits.max_by_key(|code| code.len()).map(|code| (code.clone(), *code == canonical))
        });
        self.known.insert(tag.to_owned(), found.clone());
        found
    }
}

/// The entries that memory has already.
struct Held {
    own: HashMap<SourceHash, Content>,
    reviewed: HashMap<SourceHash, Content>,
}

enum Outcome {
    Added,
    Unchanged,
    Refused,
}

impl Held {
    async fn read(
        tx: &mut Tx,
        memory: &Memory,
        languages: Languages<'_>,
        engine: &str,
        hashes: &[SourceHash],
    ) -> Result<Self, ServiceError> {
        let of = |entries: Vec<memory::Entry>, engine: &str| -> HashMap<SourceHash, Content> {
            let of_engine = entries.into_iter().filter(|entry| entry.engine == engine);
            of_engine.map(|entry| (entry.source_hash, entry.content.0)).collect()
        };
        let own = of(memory::find(tx, memory.own(languages), engine, hashes).await?, engine);
        let reviewed = if engine == memory::HUMAN && memory.setting == MemorySetting::Workspace {
            of(memory::find(tx, memory.shared(languages), memory::REVIEWED, hashes).await?, memory::REVIEWED)
        } else {
            HashMap::new()
        };
        Ok(Self { own, reviewed })
    }

    fn outcome(&self, hash: &SourceHash, translation: &Content) -> Outcome {
        match (self.reviewed.get(hash), self.own.get(hash)) {
            (Some(reviewed), _) if reviewed != translation => Outcome::Refused,
            (_, Some(own)) if own == translation => Outcome::Unchanged,
            _ => Outcome::Added,
        }
    }
}
