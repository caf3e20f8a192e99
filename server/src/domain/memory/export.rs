//! `GET /memory/export`: memory as TMX, page by page.
//!
//! A page reads a bounded number of texts, whose translations are of bounded length together, in a transaction of its own,
//! which its caller begins and ends: between two pages none is open, however slowly the file is taken.

use std::collections::BTreeMap;

use l10n_api_types::Content;
use l10n_formats::SourceHash;
use l10n_formats::files::tmx::{self, TmxVariant};

use super::{LanguagePair, ProjectMemory, space};
use crate::domain::pages::PageBudget;
use crate::domain::project_engines::ProjectEngines;
use crate::domain::{Caller, ServiceError};
use crate::engines::{EngineRegistry, Engines};
use crate::store::{Tx, languages, memory_sources, projects};

/// Most texts of a page.
const MOST: usize = 64;
/// Bytes of a page's texts and of all that memory has for them, in all languages. A page has one text in any case.
const BYTES: i64 = 1024 * 1024;

/// A file that is being written.
pub(crate) struct Export {
    memory: ProjectMemory,
    source: String,
    /// The target languages, each with the chain whose translations a run would take.
    targets: Vec<(String, Engines)>,
    place: ExportCursor,
}

/// The place up to which the file is written.
#[derive(Clone, Copy)]
pub(crate) enum ExportCursor {
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

    /// The place up to which the file is written.
    pub(crate) fn place(&self) -> ExportCursor {
        self.place
    }

    /// Lets the next part begin at a place again.
    pub(crate) fn go_back(&mut self, place: ExportCursor) {
        self.place = place;
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
                found.entry(text.source_hash).or_insert((text.bytes, at));
            }
        }
        let found: Vec<_> = found.into_iter().take(MOST).collect();
        let hashes: Vec<SourceHash> = found.iter().map(|(hash, _)| *hash).collect();
        let targets: Vec<&str> = self.targets.iter().map(|(target, _)| target.as_str()).collect();
        let translated = self.memory.sizes(tx, &self.source, &targets, &hashes).await?;
        let bytes = |(hash, (of_text, _)): &(SourceHash, (i64, usize))| {
            translated.get(hash).copied().unwrap_or_default().saturating_add(*of_text)
        };
        let fitting = PageBudget::of(BYTES).fitting(&found, bytes);
        let mut of_spaces = vec![Vec::new(); spaces.len()];
        for (hash, (_, at)) in found.into_iter().take(fitting) {
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
        let first = |content| vec![TmxVariant { language: self.source.clone(), content, engine: None }];
        let mut units: BTreeMap<SourceHash, Vec<TmxVariant>> =
            texts.into_iter().map(|(hash, content)| (hash, first(content))).collect();
        for (target, engines) in &self.targets {
            let languages = LanguagePair { source: &self.source, target };
            for (hash, found) in self.memory.recall(tx, languages, engines, &hashes).await? {
                if let Some(unit) = units.get_mut(&hash) {
                    unit.push(TmxVariant { language: target.clone(), content: found.content, engine: found.engine });
                }
            }
        }
        units.values().filter_map(|unit| tmx::unit(unit)).for_each(|unit| part.push_str(&unit));
        Ok(())
    }
}
