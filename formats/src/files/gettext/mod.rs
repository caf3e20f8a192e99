//! Format `gettext`: catalogues of GNU gettext, PO and POT.
//!
//! - **Source and translation** stand side by side. As a source the file's texts are the `msgid`, with `msgid_plural` as the form
//!   `other`; as a translation they are the `msgstr`. Empty ones are missing, and those with
//!   the flag `fuzzy` are drafts.
//! - **Keys** are the `msgid`, behind `msgctxt␄` where the entry has one.
//! - **Plurals**: the catalogue's own `Plural-Forms` says which category each `msgstr[N]` is. A catalogue in a new language gets
//!   a rule with the categories that CLDR has for whole numbers.
//! - **Rendering** writes `msgstr` into the source. What has no translation keeps its entry, with an empty `msgstr`.
//! - **Merging** replaces `msgstr` alone; order, comments, header, obsolete entries and wrapping stay. A translation takes out
//!   the flag `fuzzy` and the lines `#|`. What the version does not translate is not added.
//! - **Placeholders** are those of the flag: `python-format` reads `%(name)s`, `no-c-format` reads none. Without one they may be
//!   any.
//! - **Line ends** at the edges of a translation become those of its `msgid`, since msgfmt refuses others.
//! - **Changes of source texts** are not written: the texts stand in the code, from which the file is made.

mod expression;
mod forms;
mod header;
mod scan;
#[cfg(test)]
mod tests;
mod text;
mod write;

use std::collections::HashMap;

use l10n_api_types::{Content, FormatId, Plural, PluralCategory, State};

pub(super) use self::forms::{PluralForms, PluralRule};
pub(super) use self::header::tag_of;
use self::scan::{PoEntry, Scan, scan};
use self::text::PoStyle;
use super::error::shown;
use super::in_code::CatalogueEditor;
use super::plural::Forms;
use super::spliced::{Charset, DecodedFile};
use super::{
    EditError, Editor, Entry, FileKind, Fit, Format, Habits, Layout, LocalizationFile, Merged, ParseError,
    TemplateFiles, TranslationLookup, refs,
};

/// Format `gettext`.
pub(super) struct Gettext;

/// The argument that numbers of a plural have in the API; the file does not name it.
const ARG: &str = "count";

/// A file, and where each of its entries lies.
pub(super) struct PoFile {
    source: DecodedFile,
    /// As many as the document has entries, in the same order.
    units: Vec<PoEntry>,
    header: Option<PoEntry>,
    width: Option<usize>,
}

impl PoFile {
    /// The file's text, and the place of each entry in it.
    pub(super) fn places(&self) -> (&[u8], Vec<Option<usize>>) {
        (self.source.text.as_bytes(), self.units.iter().map(|unit| Some(unit.id.at.start)).collect())
    }

    fn header(&self) -> &str {
        let header = self.header.as_ref().and_then(|unit| unit.says.first());
        header.map(|said| said.text.as_str()).unwrap_or_default()
    }

    /// The way in which the file is written at an offset.
    fn style_at(&self, offset: usize) -> PoStyle {
        PoStyle { newline: self.source.newline_at(offset), width: self.width }
    }

    /// The forms of an entry with so many `msgstr`, in a file that names no other language than `language`.
    fn forms(&self, rule: Option<&forms::PluralRule>, count: usize, language: &str) -> PluralForms {
        let language = tag_of(header::language(self.header()).unwrap_or(language));
        match rule {
            Some(rule) => PluralForms::of_rule(rule, &language),
            None => PluralForms::of_count(count, &language),
        }
    }
}

/// Finds the forms of entries, each number of them once.
struct FormsOf<'c> {
    catalogue: &'c PoFile,
    rule: Option<forms::PluralRule>,
    language: &'c str,
    known: HashMap<usize, PluralForms>,
}

impl<'c> FormsOf<'c> {
    fn new(catalogue: &'c PoFile, language: &'c str) -> Self {
        Self { rule: header::rule(catalogue.header()), catalogue, language, known: HashMap::new() }
    }

    fn of(&mut self, count: usize) -> &PluralForms {
        let Self { catalogue, rule, language, known } = self;
        known.entry(count).or_insert_with(|| catalogue.forms(rule.as_ref(), count, language))
    }
}

impl PoEntry {
    /// The key of the entry.
    fn key(&self) -> Result<String, &'static str> {
        refs::key_in(self.context.as_ref().map(|said| said.text.as_str()), &self.id.text)
    }

    /// The text that is translated.
    fn asked(&self) -> Content {
        let Some(plural) = &self.plural else { return Content::Text(self.id.text.clone()) };
        let forms = [(PluralCategory::One, self.id.text.clone()), (PluralCategory::Other, plural.text.clone())];
        Content::Plural(Plural { arg: ARG.to_owned(), forms: forms.into() })
    }

    /// Returns true if the entry has a text for everything, of which the team is sure.
    fn is_translated(&self) -> bool {
        !self.is_fuzzy && self.is_filled()
    }

    fn is_filled(&self) -> bool {
        self.says.iter().all(|said| !said.text.is_empty())
    }

    fn texts(&self) -> Vec<&str> {
        self.says.iter().map(|said| said.text.as_str()).collect()
    }

    /// The translation, if the entry has one, and be it a draft.
    fn answer(&self, forms: &mut FormsOf<'_>) -> Option<Content> {
        let first = self.says.first().filter(|_| self.is_filled())?;
        if self.plural.is_none() {
            return Some(Content::Text(first.text.clone()));
        }
        let forms: Forms = forms.of(self.says.len()).read(&self.texts());
        (!forms.is_empty()).then(|| Content::Plural(Plural { arg: ARG.to_owned(), forms: forms.into_iter().collect() }))
    }
}

/// Reads a file.
fn read(bytes: &[u8]) -> Result<(Vec<String>, PoFile), ParseError> {
    let source = DecodedFile::decode(bytes, Charset::Unicode)?;
    let error = |offset: usize, message: String| ParseError::at(source.text.as_bytes(), offset, message);
    let Scan { units, header, wrapped } = scan(&source.text).map_err(|fault| error(fault.offset, fault.message))?;
    let mut first: HashMap<String, usize> = HashMap::with_capacity(units.len());
    let mut keys = Vec::with_capacity(units.len());
    for unit in &units {
        let at = unit.id.at.start;
        let key = unit.key().map_err(|problem| error(at, format!("the key of this text {problem}")))?;
        if let Some(other) = first.insert(key.clone(), at) {
            let line = error(other, String::new()).line;
            return Err(error(
                at,
                format!(
                    "two texts have the key {}: this one and the one in line {line}; take one of them out",
                    shown(&key)
                ),
            ));
        }
        let said = [&unit.id].into_iter().chain(&unit.plural).chain(&unit.says);
        if let Some(said) = said.into_iter().find(|said| said.text.contains('\0')) {
            return Err(error(said.at.start, "the text holds the character NUL".to_owned()));
        }
        keys.push(key);
    }
    let catalogue = PoFile { width: text::width(wrapped), source, units, header };
    if let (Some(charset), Some(header)) = (header::foreign_charset(catalogue.header()), &catalogue.header) {
        let message = format!(
            "the header says that the file is in {}: convert it with `msgconv --to-code=UTF-8`",
            shown(charset)
        );
        return Err(ParseError::at(catalogue.source.text.as_bytes(), header.id.at.start, message));
    }
    Ok((keys, catalogue))
}

fn unreadable(error: &ParseError) -> String {
    format!("the file cannot be read: {error}")
}

impl Format for Gettext {
    fn id(&self) -> FormatId {
        FormatId::Gettext
    }

    fn name(&self) -> &'static str {
        "Gettext (PO, POT)"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn kind(&self) -> FileKind {
        FileKind::Bilingual
    }

    fn habits(&self) -> Habits {
        let templates = Some(TemplateFiles { extension: "pot", translated: "po" });
        Habits { templates, ..Habits::UNIX }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["po", "pot"]
    }

    fn plurals(&self) -> &'static str {
        "rule"
    }

    fn placeholders(&self) -> &'static str {
        "printf"
    }

    fn fit(&self, _bytes: &[u8]) -> Fit {
        Fit::Plain
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let (keys, catalogue) = read(bytes)?;
        let entries = keys.into_iter().zip(&catalogue.units).map(|(key, unit)| Entry {
            description: unit.description.clone().filter(|text| !text.contains('\0')),
            max_length: unit.max_length,
            syntax: unit.syntax,
            ..Entry::new(key, unit.asked())
        });
        Ok(LocalizationFile {
            entries: entries.collect(),
            language: header::language(catalogue.header()).map(str::to_owned),
            warnings: Vec::new(),
            layout: Layout::Gettext(Box::new(catalogue)),
        })
    }

    fn translations(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        let mut document = self.imports(bytes, language)?;
        document.entries.retain(|entry| entry.state != Some(State::NeedsReview));
        document.entries.iter_mut().for_each(|entry| entry.state = None);
        if let Layout::Gettext(catalogue) = &document.layout {
            let fuzzy = catalogue.units.iter().filter(|unit| unit.is_fuzzy).count();
            let warning = format!("left out, since they have the flag `fuzzy`: {fuzzy} translations");
            document.warnings.extend(Some(warning).filter(|_| fuzzy > 0));
        }
        Ok(document)
    }

    fn imports(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        let (keys, catalogue) = read(bytes)?;
        let mut forms = FormsOf::new(&catalogue, language);
        let answer = |(key, unit): (String, &PoEntry)| {
            let state = if unit.is_fuzzy { State::NeedsReview } else { State::Translated };
            Some(Entry { state: Some(state), ..Entry::new(key, unit.answer(&mut forms)?) })
        };
        let entries: Vec<Entry> = keys.into_iter().zip(&catalogue.units).filter_map(answer).collect();
        Ok(LocalizationFile {
            entries,
            language: header::language(catalogue.header()).map(str::to_owned),
            warnings: Vec::new(),
            layout: Layout::Gettext(Box::new(catalogue)),
        })
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        let Layout::Gettext(catalogue) = &skeleton.layout else { return Vec::new() };
        write::rendered(catalogue, &skeleton.entries, language, translated)
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        let Layout::Gettext(catalogue) = &skeleton.layout else { return None };
        write::extended(catalogue, added)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        let (keys, catalogue) = read(own).map_err(|error| unreadable(&error))?;
        // The server wrote the published file. If it is not readable, it is used unchanged.
        let Ok((new_keys, new)) = read(published) else {
            return Ok(Merged::published(published));
        };
        Ok(write::merged((keys, &catalogue), (new_keys, &new)))
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        let (keys, catalogue) = read(bytes).map_err(|error| unreadable(&error))?;
        let pairs = keys.into_iter().zip(&catalogue.units);
        Ok(pairs.filter(|(_, unit)| unit.is_translated()).map(|(key, _)| key).collect())
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        let document = self.parse(bytes).map_err(EditError::Unreadable)?;
        Ok(Box::new(CatalogueEditor::new(bytes, document.entries)))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        write::rendered_new(language, entries).into_bytes()
    }
}
