//! The frame of bilingual formats in XML: source and translation side by side in one file.
//!
//! A dialect finds units: the source text, the place of its translation or the place where one comes, and the marks that say
//! whether the translation counts. The frame does the rest: it reads both sides, replaces translations alone, merges and adds.
//!
//! **Elements within a text** are shown as short tags, `<x id="1"/>` or `<g id="2">…</g>`: their name and the attribute that
//! tells them apart. Writing puts the whole tags of the source in their place. In such a text `&lt;` before a letter stays, so
//! that it is no tag; a text without elements shows `<` as it is. Tags that do not fit together are written as text.

mod dialect;
mod new;
mod places;
mod text;
mod unit;
mod write;

use std::collections::hash_map::Entry as Slot;
use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, FormatId, Plural, PluralCategory, State};

pub(super) use self::dialect::{Dialect, IndentedLines, attribute};
pub(super) use self::new::{NewUnit, UnitLanguages};
pub(super) use self::places::{indent_of, line_end, place_of};
pub(super) use self::text::{ElementText, Texts, escapes_of, has_elements, local};
pub(super) use self::unit::{FormsPlace, LanguagePlace, Scan, TargetText, TextEdit, TranslationUnit, UnitGroup};
pub(super) use self::write::has_blanks;
use super::error::shown;
use super::gettext::PluralForms;
use super::in_code::CatalogueEditor;
use super::spliced::{Charset, DecodedFile, ScanError};
use super::xml::{Entities, Escapes, MEDIA_TYPE, Tree};
use super::{
    EditError, Editor, Entry, FileKind, Fit, Format, Habits, Layout, LocalizationFile, Merged, ParseError, SourceTexts,
    TranslationLookup,
};

/// The argument that numbers of a plural have in the API; the files do not name it.
const ARG: &str = "n";

/// A bilingual format in XML.
pub(super) struct Bilingual<D>(pub D);

/// A file, and where each of its entries lies.
pub(super) struct Skeleton {
    source: DecodedFile,
    units: Vec<TranslationUnit>,
    groups: Vec<UnitGroup>,
    languages: Vec<LanguagePlace>,
    /// The place of a group that the file lacks.
    end: Option<usize>,
    source_language: Option<String>,
    by_id: bool,
    /// Keys are the last ones of units: the first ones do not tell them apart.
    by_lasts: bool,
    entities: Entities,
    /// For texts that show elements.
    with_tags: Entities,
    escapes: Escapes,
}

impl Skeleton {
    /// The file's text, and the place of each unit in it.
    pub(super) fn places(&self) -> (&[u8], Vec<Option<usize>>) {
        (self.source.text.as_bytes(), self.units.iter().map(|unit| Some(unit.at)).collect())
    }

    /// The language that the file names.
    fn language(&self) -> Option<&str> {
        self.languages.iter().find_map(|place| place.value.as_deref())
    }

    fn both_languages(&self) -> UnitLanguages<'_> {
        UnitLanguages { source: self.source_language.as_deref(), target: self.language(), original: None }
    }

    /// The number of forms that plurals of the file have, if one is translated.
    fn count(&self) -> Option<usize> {
        self.units.iter().find(|unit| unit.is_plural && unit.is_translated()).map(|unit| unit.says.len())
    }
}

/// Finds the forms of plurals, each number of them once.
struct FormsOf<'d, D> {
    dialect: &'d D,
    language: String,
    known: HashMap<usize, PluralForms>,
}

impl<'d, D: Dialect> FormsOf<'d, D> {
    fn new(dialect: &'d D, language: &str) -> Self {
        Self { dialect, language: super::gettext::tag_of(language), known: HashMap::new() }
    }

    fn usual(&self) -> PluralForms {
        self.dialect.forms(&self.language)
    }

    fn of(&mut self, count: usize) -> &PluralForms {
        let Self { dialect, language, known } = self;
        known.entry(count).or_insert_with(|| {
            let usual = dialect.forms(language);
            if usual.count() == count { usual } else { PluralForms::of_count(count, language) }
        })
    }
}

impl TranslationUnit {
    /// The text that is translated.
    fn asked(&self) -> Content {
        if !self.is_plural {
            return Content::Text(self.source.clone());
        }
        let forms = [PluralCategory::One, PluralCategory::Other].map(|category| (category, self.source.clone()));
        Content::Plural(Plural { arg: ARG.to_owned(), forms: forms.into() })
    }

    /// Returns true if the unit has a text for everything, of which the team is sure.
    fn is_translated(&self) -> bool {
        self.is_done() && self.is_filled()
    }

    /// Returns true if nothing in the file says that the translation does not count.
    fn is_done(&self) -> bool {
        !self.is_foreign && matches!(self.state, State::Translated | State::Reviewed)
    }

    /// Returns true if the unit has a text for everything, and be it a draft.
    fn is_drafted(&self) -> bool {
        !self.is_foreign && self.state != State::Missing && self.is_filled()
    }

    fn is_filled(&self) -> bool {
        !self.says.is_empty() && self.says.iter().all(|said| !said.text.is_empty())
    }

    /// Returns true if source and translation are those of another unit. Blanks of a source count for nothing: templates are
    /// indented as they like.
    fn says_the_same(&self, other: &Self) -> bool {
        let is_same = self.source.split_whitespace().eq(other.source.split_whitespace())
            && (self.is_plural, self.has_tags, self.is_foreign) == (other.is_plural, other.has_tags, other.is_foreign);
        is_same && self.state == other.state && self.texts() == other.texts()
    }

    fn texts(&self) -> Vec<&str> {
        self.says.iter().map(|said| said.text.as_str()).collect()
    }

    fn answer<D: Dialect>(&self, forms: &mut FormsOf<'_, D>) -> Option<Content> {
        let first = self.says.first()?;
        if !self.is_plural {
            return Some(Content::Text(first.text.clone()));
        }
        let forms = forms.of(self.says.len()).read(&self.texts());
        (!forms.is_empty()).then(|| Content::Plural(Plural { arg: ARG.to_owned(), forms: forms.into_iter().collect() }))
    }
}

impl<D: Dialect> Bilingual<D> {
    /// Reads a file: the keys of its units and their places.
    fn skeleton(&self, bytes: &[u8]) -> Result<(Vec<String>, Skeleton), ParseError> {
        let source = DecodedFile::decode(bytes, Charset::Unicode)?;
        let error = |fault: ScanError| ParseError::at(source.text.as_bytes(), fault.offset, fault.message);
        let tree = Tree::parse(&source.text).map_err(error)?;
        let Scan { units, groups, languages, source_language, end, by_id, escapes } =
            self.0.scan(&tree).map_err(error)?;
        let units = without_copies(units);
        let by_lasts = groups.len() > 1 || !are_told_apart(&units);
        let keys = keys_of(&units, by_lasts).map_err(|(at, other, key)| {
            let line = error(ScanError::at(other, "")).line;
            let key = shown(key);
            let message =
                format!("two texts have the key {key}: this one and the one in line {line}; take one of them out");
            error(ScanError::at(at, message))
        })?;
        let by_id = by_id && !(by_lasts && units.iter().any(|unit| unit.keys.len() > 1));
        let (entities, with_tags) = (tree.entities.clone(), tree.entities.with_tags());
        let skeleton = Skeleton {
            units,
            groups,
            languages,
            end,
            source_language,
            by_id,
            by_lasts,
            entities,
            with_tags,
            escapes,
            source,
        };
        Ok((keys, skeleton))
    }

    /// Reads the translations that are in; entries say their states, or not.
    fn answers(
        &self,
        bytes: &[u8],
        language: &str,
        (is_in, says_states): (fn(&TranslationUnit) -> bool, bool),
    ) -> Result<LocalizationFile, ParseError> {
        let (keys, skeleton) = self.skeleton(bytes)?;
        let mut forms = FormsOf::new(&self.0, skeleton.language().unwrap_or(language));
        let answer = |(key, unit): (String, &TranslationUnit)| {
            let state = Some(unit.state).filter(|_| says_states);
            Some(Entry { state, ..Entry::new(key, unit.answer(&mut forms)?) })
        };
        let pairs = keys.into_iter().zip(&skeleton.units).filter(|(_, unit)| is_in(unit));
        let entries: Vec<Entry> = pairs.filter_map(answer).collect();
        let open = skeleton.units.iter().filter(|unit| unit.is_filled() && !is_in(unit)).count();
        let warning =
            format!("left out, since they are not done or have elements that the source lacks: {open} translations");
        Ok(self.document(skeleton, entries, if open > 0 { vec![warning] } else { Vec::new() }))
    }

    fn document(&self, skeleton: Skeleton, entries: Vec<Entry>, warnings: Vec<String>) -> LocalizationFile {
        let language = skeleton.language().map(str::to_owned);
        LocalizationFile { entries, language, warnings, layout: Layout::Bilingual(Box::new(skeleton)) }
    }
}

/// Units, of which those that say the same under one key are one: Angular wrote files in which a text that stands in several
/// templates is there as often. Where they differ, nobody can say which of them counts.
fn without_copies(units: Vec<TranslationUnit>) -> Vec<TranslationUnit> {
    let mut places: HashMap<(usize, String), usize> = HashMap::with_capacity(units.len());
    let mut own: Vec<TranslationUnit> = Vec::with_capacity(units.len());
    for unit in units {
        let Some(key) = unit.keys.last().cloned() else { continue };
        match places.entry((unit.group, key)) {
            Slot::Occupied(slot) => match own.get_mut(*slot.get()) {
                Some(first) if first.says_the_same(&unit) => first.copies.push(unit),
                _ => own.push(unit),
            },
            Slot::Vacant(slot) => {
                slot.insert(own.len());
                own.push(unit);
            }
        }
    }
    own
}

/// Returns true if the first keys of units tell all of them apart.
fn are_told_apart(units: &[TranslationUnit]) -> bool {
    let mut seen = HashSet::with_capacity(units.len());
    units.iter().filter_map(|unit| unit.keys.first()).all(|key| seen.insert(key.as_str()))
}

/// The keys of units: the first ones, or the last ones. Of two units with one key: their places, and the key.
fn keys_of(units: &[TranslationUnit], by_lasts: bool) -> Result<Vec<String>, (usize, usize, &str)> {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(units.len());
    let mut keys = Vec::with_capacity(units.len());
    for unit in units {
        let Some(key) = (if by_lasts { unit.keys.last() } else { unit.keys.first() }) else { continue };
        if let Some(other) = places.insert(key, unit.at) {
            return Err((unit.at, other, key));
        }
        keys.push(key.clone());
    }
    Ok(keys)
}

fn unreadable(error: &ParseError) -> String {
    format!("the file cannot be read: {error}")
}

impl<D: Dialect> Format for Bilingual<D> {
    fn id(&self) -> FormatId {
        self.0.id()
    }

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn media_type(&self) -> &'static str {
        MEDIA_TYPE
    }

    fn kind(&self) -> FileKind {
        FileKind::Bilingual
    }

    fn habits(&self) -> Habits {
        self.0.habits()
    }

    fn extensions(&self) -> &'static [&'static str] {
        self.0.extensions()
    }

    fn plurals(&self) -> &'static str {
        self.0.plurals()
    }

    fn placeholders(&self) -> &'static str {
        self.0.placeholders()
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        self.0.fit(bytes)
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let (keys, skeleton) = self.skeleton(bytes)?;
        let entries = keys.into_iter().zip(&skeleton.units).map(|(key, unit)| Entry {
            description: unit.description.clone(),
            max_length: unit.max_length,
            syntax: unit.syntax,
            ..Entry::new(key, unit.asked())
        });
        let entries = entries.collect();
        Ok(self.document(skeleton, entries, Vec::new()))
    }

    fn translations(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        self.answers(bytes, language, (TranslationUnit::is_translated, false))
    }

    fn imports(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        self.answers(bytes, language, (TranslationUnit::is_drafted, true))
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        let Layout::Bilingual(found) = &skeleton.layout else { return Vec::new() };
        self.rendered(found, &skeleton.entries, language, translated)
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        let Layout::Bilingual(found) = &skeleton.layout else { return None };
        self.extended(found, added)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        let (keys, skeleton) = self.skeleton(own).map_err(|error| unreadable(&error))?;
        // The server wrote the published file. If it is not readable, it is used unchanged.
        let Ok((new_keys, new)) = self.skeleton(published) else {
            return Ok(Merged::published(published));
        };
        if skeleton.by_lasts != new.by_lasts
            && let (Ok(keys), Ok(new_keys)) = (keys_of(&skeleton.units, true), keys_of(&new.units, true))
        {
            return Ok(self.merged((&keys, &skeleton), (&new_keys, &new)));
        }
        Ok(self.merged((&keys, &skeleton), (&new_keys, &new)))
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        let (keys, skeleton) = self.skeleton(bytes).map_err(|error| unreadable(&error))?;
        let pairs = keys.into_iter().zip(&skeleton.units);
        Ok(pairs.filter(|(_, unit)| unit.is_translated()).map(|(key, _)| key).collect())
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        let document = self.parse(bytes).map_err(EditError::Unreadable)?;
        Ok(Box::new(CatalogueEditor::new(bytes, document.entries)))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        self.rendered_new(Some(language), entries, None).into_bytes()
    }

    fn render_new_beside(
        &self,
        language: Option<&str>,
        entries: &[Entry],
        source: &SourceTexts<'_>,
    ) -> Option<Vec<u8>> {
        Some(self.rendered_new(language, entries, Some(source)).into_bytes())
    }
}
