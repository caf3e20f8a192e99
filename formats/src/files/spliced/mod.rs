//! The frame of formats whose values are replaced in the file's own bytes.
//!
//! A format gives a [`Grammar`]: a scanner that finds the places of entries and values, and the spelling of values, names
//! and new entries. The frame does the rest, once for all: reading and rendering, adding, merging into an existing file,
//! changing single texts, encodings, line ends and keys.
//!
//! - Values that differ are replaced. Entries without a translation go with what belongs to them. All other bytes stay.
//! - New entries come after the nearest one before them, in its layout and with its line end.
//! - Two entries of one key are refused with line and column.

mod additions;
mod comments;
mod edit;
mod grammar;
mod insert;
mod merge;
mod nest;
mod source;
mod splices;
mod write;

use std::collections::HashMap;

use l10n_api_types::{Content, FormatId, Plural};

pub(super) use self::comments::described;
pub(super) use self::grammar::{
    AddedEntry, FileStyle, Grammar, Group, InRow, Neighbour, Place, PluralVariant, ReplacedValue, Scan, ScanError,
    Tables, TextValue,
};
pub(super) use self::nest::{Indent, Nest, NestedGroup, Nesting, ReplacedPart};
pub(super) use self::source::{Charset, DecodedFile, Encoding};
pub(super) use self::splices::Splices;

use self::edit::SplicedEditor;
use self::insert::skeleton_of;
use super::error::shown;
use super::plural::Zero;
use super::{
    EditError, Editor, Entry, Fit, Format, Habits, Layout, LocalizationFile, Merged, ParseError, TranslationLookup,
    refs,
};

/// A format of this family.
pub(super) struct Spliced<G>(pub(super) G);

/// A file, and where each of its entries lies.
pub(super) struct Skeleton {
    source: DecodedFile,
    /// As many as the document has entries, in the same order.
    places: Vec<Place>,
    groups: Vec<Group>,
    escapes: bool,
    style: u8,
    /// For formats whose groups lie inside each other.
    nest: Option<Box<Nest>>,
    /// For formats in which an entry may be a table of its own.
    tables: Option<Box<Tables>>,
}

impl Skeleton {
    /// Returns true for the group of entries that are tables of their own.
    fn is_of_tables(&self, group: usize) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.group == group)
    }

    /// Returns true if something has a name that is no text and cannot become one.
    fn is_taken(&self, name: &str) -> bool {
        self.tables.as_ref().is_some_and(|tables| tables.taken.contains(name))
    }

    /// The way in which the file is written at an offset.
    fn style_at(&self, offset: usize) -> FileStyle {
        FileStyle {
            encoding: self.source.encoding,
            escapes: self.escapes,
            style: self.style,
            newline: self.source.newline_at(offset),
        }
    }

    /// The file's text, and the place of each entry in it.
    pub(super) fn places_of_names(&self) -> (&[u8], Vec<Option<usize>>) {
        (self.source.text.as_bytes(), self.places.iter().map(|place| Some(place.name_at.start)).collect())
    }

    /// Tells for each entry whether it is an item of a list. Texts between braces come and go together, too, but have names.
    pub(super) fn items(&self) -> Vec<bool> {
        let is_numbered = |name: &str| {
            let last = name.rsplit(['.', '[']).next().unwrap_or_default();
            last.trim_end_matches(']').parse::<usize>().is_ok()
        };
        self.places.iter().map(|place| place.list.is_some() && is_numbered(&place.name)).collect()
    }

    /// Returns true if some entries come and go together.
    #[cfg(test)]
    pub(super) fn has_lists(&self) -> bool {
        self.places.iter().any(|place| place.list.is_some())
    }

    /// The text of an entry with all that belongs to it.
    #[cfg(test)]
    pub(super) fn whole(&self, at: usize) -> &str {
        self.source.get(&self.places[at].whole)
    }
}

impl<G: Grammar> Spliced<G> {
    /// Reads a file.
    fn document(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        let source = DecodedFile::decode(bytes, self.0.charset())?;
        let error = |offset: usize, message: String| ParseError::at(source.text.as_bytes(), offset, message);
        let scan = self.0.scan(&source.text).map_err(|fault| error(fault.offset, fault.message))?;
        let Scan { mut places, groups, language, warnings, escapes, style, nest, tables } = scan;
        let mut entries = Vec::with_capacity(places.len());
        let mut fault = None;
        for place in &mut places {
            let key = match refs::key_of(&place.name, self.0.names_are_texts()) {
                Ok(key) => key,
                Err(problem) => {
                    let message = format!("the key of this text, {}, {problem}", shown(&place.name));
                    fault = Some((place.name_at.start, message));
                    break;
                }
            };
            let description = place.description.take().filter(|text| !text.contains('\0'));
            let content = content(place, self.0.one_form_is_text(), self.0.zero());
            let syntax = self.0.syntax(&content, language.is_some());
            entries.push(Entry { description, syntax, ..Entry::new(key, content) });
            if let Some(value) = place.values.iter().find(|value| value.text.contains('\0')) {
                fault = Some((value.at.start, "the text holds the character NUL".to_owned()));
                break;
            }
        }
        // The first fault of the file is told.
        if let Some((key, first, second)) = twice(&entries, &places) {
            let line = error(first, String::new()).line;
            let message = format!(
                "two texts have the key {}: this one and the one in line {line}; take one of them out",
                shown(key)
            );
            return Err(error(second, message));
        }
        if let Some((at, message)) = fault {
            return Err(error(at, message));
        }
        Ok(LocalizationFile {
            entries,
            language,
            warnings,
            layout: Layout::Spliced(Skeleton {
                source,
                places,
                groups,
                escapes,
                style,
                nest: nest.map(Box::new),
                tables,
            }),
        })
    }
}

/// The first key that two entries have, and the places of their names.
fn twice<'e>(entries: &'e [Entry], places: &[Place]) -> Option<(&'e str, usize, usize)> {
    let mut first: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    entries.iter().zip(places).find_map(|(entry, place)| {
        let other = first.insert(&entry.key, place.name_at.start)?;
        Some((entry.key.as_str(), other, place.name_at.start))
    })
}

fn content(place: &Place, one_form_is_text: bool, zero: Zero) -> Content {
    let Some(arg) = place.arg.as_ref().filter(|_| place.values.len() > 1 || !one_form_is_text) else {
        return Content::Text(place.values.first().map(|value| value.text.clone()).unwrap_or_default());
    };
    let forms =
        place.values.iter().filter_map(|value| Some((zero.key(value.form.as_ref()?.category), value.text.clone())));
    Content::Plural(Plural { arg: arg.clone(), forms: forms.collect() })
}

impl<G: Grammar> Format for Spliced<G> {
    fn id(&self) -> FormatId {
        self.0.id()
    }

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn media_type(&self) -> &'static str {
        self.0.media_type()
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

    fn holds_texts(&self, bytes: &[u8]) -> bool {
        let document = self.document(bytes);
        document.is_ok_and(|document| {
            !document.entries.is_empty()
                && skeleton_of(&document).is_some_and(|skeleton| self.0.holds_texts(&skeleton.source.text))
        })
    }

    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError> {
        self.document(bytes)
    }

    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
        skeleton_of(skeleton).map(|found| self.rendered(found, skeleton, language, translated)).unwrap_or_default()
    }

    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        let (bytes, is_all) = self.extended(skeleton_of(skeleton)?, added);
        is_all.then_some(bytes)
    }

    fn extend_where_it_can(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        Some(self.extended(skeleton_of(skeleton)?, added).0)
    }

    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String> {
        self.merged(own, published)
    }

    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String> {
        let document = self.document(bytes).map_err(|error| format!("the file cannot be read: {error}"))?;
        Ok(document.entries.into_iter().map(|entry| entry.key).collect())
    }

    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError> {
        Ok(Box::new(SplicedEditor::read(self, bytes)?))
    }

    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8> {
        self.rendered_new(language, entries).unwrap_or_default()
    }
}
