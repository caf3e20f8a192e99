//! The translations of a TMX file that a project can take, and the reasons why it cannot take others.

use std::collections::{BTreeMap, HashMap};

use l10n_api_types::memory::RefusedUnit;
use l10n_api_types::{Content, State};
use l10n_formats::SourceHash;
use l10n_formats::files::tmx::{ReadUnit, TmxVariant};
use l10n_formats::locales;
use l10n_formats::text::checks::{Checker, Facts};

use crate::domain::run::incoming::check_plural;
use crate::domain::{findings, glossary};
use crate::engines::EngineRegistry;
use crate::store::memory;

/// A translation of the file.
pub(super) struct ImportEntry<'f> {
    pub(super) line: u32,
    pub(super) source: &'f Content,
    pub(super) translation: &'f Content,
}

/// The entries of a file by language and engine, and by the text that they translate.
type EntriesByLanguage<'f> = BTreeMap<(String, &'f str), HashMap<SourceHash, ImportEntry<'f>>>;

/// The translations of a file, checked.
pub(crate) struct CheckedEntries<'f> {
    /// Those that can be taken.
    pub(super) parts: EntriesByLanguage<'f>,
    /// Those that cannot.
    pub(super) refused: Vec<RefusedUnit>,
    /// The number of those that are in the file once more.
    pub(super) unchanged: u64,
}

/// The check of a file. It stays on its thread, as plural rules do.
pub(super) struct ImportCheck<'a> {
    engines: &'a EngineRegistry,
    base: &'a str,
    languages: ProjectLanguages<'a>,
    checkers: HashMap<String, Checker>,
    refused: Vec<RefusedUnit>,
    unchanged: u64,
}

impl<'a> ImportCheck<'a> {
    /// For a project with this base language and these languages, of which the base language is one.
    pub(super) fn new(engines: &'a EngineRegistry, base: &'a str, languages: &'a [String]) -> Self {
        Self {
            engines,
            base,
            languages: ProjectLanguages { all: languages, known: HashMap::new() },
            checkers: HashMap::new(),
            refused: Vec::new(),
            unchanged: 0,
        }
    }

    pub(super) fn check<'f>(mut self, units: &'f [ReadUnit]) -> CheckedEntries<'f> {
        let mut parts = EntriesByLanguage::new();
        for unit in units {
            self.add(unit, &mut parts);
        }
        CheckedEntries { parts, refused: self.refused, unchanged: self.unchanged }
    }

    fn refuse(&mut self, line: u32, message: &str) {
        self.refused.push(refusal(line, message));
    }

    fn add<'f>(&mut self, unit: &'f ReadUnit, parts: &mut EntriesByLanguage<'f>) {
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
            let this = PlacedText { line: read.line, is_same, variant };
            let other = match texts.get(&language) {
                None => None,
                // The very language counts more than one of its regions.
                Some(PlacedText { is_same: false, .. }) if is_same => texts.insert(language.clone(), this),
                Some(_) => Some(this),
            };
            match other {
                Some(other) => {
                    self.refuse(other.line, &format!("the unit has a second text in {language}, which is left out"))
                }
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
        source: &'f TmxVariant,
        translation: PlacedText<'f>,
        parts: &mut EntriesByLanguage<'f>,
    ) -> Result<(), String> {
        let PlacedText { line, variant, .. } = translation;
        check_kinds(&source.content, &variant.content)?;
        let engine = match &variant.engine {
            None => memory::HUMAN,
            Some(name) if self.engines.has(name) => name,
            Some(name) => return Err(format!("this service has no engine {name:?}, which made the translation")),
        };
        self.check_texts(&language, &source.content, &variant.content)?;
        let entry = ImportEntry { line, source: &source.content, translation: &variant.content };
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

    /// Holds a translation against the checks: memory keeps none that they would hold back.
    fn check_texts(&mut self, language: &str, source: &Content, translation: &Content) -> Result<(), String> {
        let (base, checkers) = (self.base, &mut self.checkers);
        // Terms of a glossary are warnings alone.
        let checker = checkers.entry(language.to_owned()).or_insert_with(|| Checker::new(base, language));
        match findings::of(checker, source, translation, Facts::default()) {
            (State::NeedsReview, issues) => Err(findings::errors(&issues)),
            _ => Ok(()),
        }
    }
}

/// A text of a unit.
#[derive(Clone, Copy)]
struct PlacedText<'f> {
    line: u32,
    /// True if it names the project's language itself, not one of its regions.
    is_same: bool,
    variant: &'f TmxVariant,
}

pub(super) fn refusal(line: u32, message: &str) -> RefusedUnit {
    RefusedUnit { line: line.into(), message: message.to_owned() }
}

fn check_kinds(source: &Content, translation: &Content) -> Result<(), String> {
    match (source, translation) {
        (Content::Text(_), Content::Text(_)) => {}
        (Content::Plural(source), Content::Plural(translation)) => {
            for (plural, at) in [(source, "source"), (translation, "translation")] {
                check_plural(plural, at).map_err(|error| error.to_string())?;
            }
        }
        _ => return Err("one of the texts is a plural and the other is none".to_owned()),
    }
    if source.characters() == 0 || translation.texts().all(|text| text.trim().is_empty()) {
        return Err("one of the texts is empty".to_owned());
    }
    Ok(())
}

/// The languages of a project, by the tags of a file.
struct ProjectLanguages<'a> {
    all: &'a [String],
    known: HashMap<String, Option<(String, bool)>>,
}

impl ProjectLanguages<'_> {
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
