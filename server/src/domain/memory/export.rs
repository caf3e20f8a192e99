//! `GET /memory/export`: memory as TMX, page by page.
//!
//! A page reads a bounded number of texts of bounded length, in a transaction of its own, which its caller begins and ends: between
//! two pages none is open, however slowly the file is taken.

use std::collections::BTreeMap;

use l10n_api_types::Content;
use l10n_formats::SourceHash;
use l10n_formats::files::tmx::{self, Variant};

use super::{LanguagePair, ProjectMemory, space};
use crate::domain::project_engines::ProjectEngines;
use crate::domain::{Caller, ServiceError};
use crate::engines::{EngineRegistry, Engines};
use crate::store::{Tx, languages, memory_sources, projects};

/// Most texts of a page.
const MOST: usize = 64;
/// The length of a page's texts at which it ends, in characters.
const LONG: i64 = 64 * 1024;

/// A file that is being written.
pub(crate) struct Export {
    memory: ProjectMemory,
    source: String,
    /// The target languages, each with the chain whose translations a run would take.
    targets: Vec<(String, Engines)>,
    place: ExportCursor,
}

/// The place up to which the file is written.
enum ExportCursor {
    Start,
    After(SourceHash),
    End,
}

impl Export {
    /// The memory of the caller's project, in the project's languages.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub(crate) async fn begin(tx: &mut Tx, engines: &EngineRegistry, caller: &Caller) -> Result<Self, ServiceError> {
        let project = projects::find(tx, &caller.project).await?;
        let project = project.ok_or_else(ServiceError::no_such_project)?;
        let languages = languages::list(tx, &caller.project).await?;
        let engines = ProjectEngines::find(tx, engines, &caller.project).await?;
        let targets = languages.iter().filter(|language| !language.is_base);
        Ok(Self {
            memory: ProjectMemory::of(&project),
            source: project.base_language,
            targets: targets.map(|language| (language.code.clone(), engines.of_language(&language.code))).collect(),
            place: ExportCursor::Start,
        })
    }

    /// The next part of the file; `None` once all of it was returned.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub(crate) async fn next(&mut self, tx: &mut Tx) -> Result<Option<String>, ServiceError> {
        let (mut part, after) = match self.place {
            ExportCursor::Start => (tmx::begin(&self.source), None),
            ExportCursor::After(hash) => (String::new(), Some(hash)),
            ExportCursor::End => return Ok(None),
        };
        let texts = self.texts(tx, after).await?;
        let Some((last, _)) = texts.last_key_value() else {
            part.push_str(tmx::END);
            self.place = ExportCursor::End;
            return Ok(Some(part));
        };
        self.place = ExportCursor::After(*last);
        self.write(tx, texts, &mut part).await?;
        Ok(Some(part))
    }

    /// The texts of the next page, whoever translated them, in the order of their hashes.
    async fn texts(
        &self,
        tx: &mut Tx,
        after: Option<SourceHash>,
    ) -> Result<BTreeMap<SourceHash, Content>, ServiceError> {
        let languages = LanguagePair { source: &self.source, target: "" };
        let spaces: Vec<_> = self.memory.halves(languages).map(|(scope, is_human)| space(scope, is_human)).collect();
        // A text may be in each space. The first of all of them are among the first of each.
        let mut found = BTreeMap::new();
        for (at, space) in spaces.iter().enumerate() {
            let page = memory_sources::page(tx, *space, after, i64::try_from(MOST).unwrap_or(i64::MAX)).await?;
            for text in page {
                found.entry(text.source_hash).or_insert((text.length, at));
            }
        }
        let mut length = 0;
        let mut of_spaces = vec![Vec::new(); spaces.len()];
        for (hash, (of_text, at)) in found.into_iter().take(MOST) {
            if length > 0 && length + of_text > LONG {
                break;
            }
            length += of_text;
            if let Some(of_space) = of_spaces.get_mut(at) {
                of_space.push(hash);
            }
        }
        let mut texts = BTreeMap::new();
        for (space, hashes) in spaces.iter().zip(of_spaces) {
            let sources = memory_sources::of_hashes(tx, *space, &hashes).await?;
            texts.extend(sources.into_iter().map(|source| (source.source_hash, source.source.0)));
        }
        Ok(texts)
    }

    /// Writes the units of a page: of each text the translations that a run would take.
    async fn write(
        &self,
        tx: &mut Tx,
        texts: BTreeMap<SourceHash, Content>,
        part: &mut String,
    ) -> Result<(), ServiceError> {
        let hashes: Vec<SourceHash> = texts.keys().copied().collect();
        let first = |content| vec![Variant { language: self.source.clone(), content, engine: None }];
        let mut units: BTreeMap<SourceHash, Vec<Variant>> =
            texts.into_iter().map(|(hash, content)| (hash, first(content))).collect();
        for (target, engines) in &self.targets {
            let languages = LanguagePair { source: &self.source, target };
            for (hash, found) in self.memory.recall(tx, languages, engines, &hashes).await? {
                if let Some(unit) = units.get_mut(&hash) {
                    unit.push(Variant { language: target.clone(), content: found.content, engine: found.engine });
                }
            }
        }
        units.values().filter_map(|unit| tmx::unit(unit)).for_each(|unit| part.push_str(&unit));
        Ok(())
    }
}
