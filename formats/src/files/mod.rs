//! Localization files: read into entries, written back in the file's own style.
//!
//! A [`Format`] reads a file into a [`LocalizationFile`]: its entries in file order and the skeleton, which is the file itself
//! with the places of its values. Rendering takes that skeleton and replaces values alone, so that order, indentation,
//! comments, line ends and the final newline are those of the file that the team wrote.
//!
//! Laws, held by tests for every format:
//! - rendering the contents that were read gives the file back byte for byte;
//! - reading a rendered file gives the contents that were rendered;
//! - no bytes, however broken, make a reader panic, recurse without bound or take more than linear time.
//!
//! Keys: `Entry::key` is the `ref` of the API (1 to 512 bytes, no control characters). A file whose key cannot be one,
//! or in which two values would have one key, is refused with line and column rather than read in part.

#![cfg_attr(
    not(all(feature = "toml", feature = "xml", feature = "yaml")),
    allow(dead_code, unused_imports, reason = "formats share frames, of which some have parts for few of them")
)]

#[cfg(feature = "xml")]
mod android;
mod apple_strings;
#[cfg(feature = "xml")]
mod apple_stringsdict;
mod arb;
#[cfg(feature = "xml")]
mod bilingual;
mod changes;
mod csv;
mod detect;
mod edit;
mod error;
mod explained;
mod fluent;
mod format;
mod gettext;
mod habits;
mod i18next;
mod in_code;
mod in_turn;
mod ini;
mod json;
mod members;
mod php;
mod plural;
mod properties;
#[cfg(feature = "xml")]
mod qt_ts;
mod refs;
mod registry;
#[cfg(feature = "xml")]
mod resx;
mod source_texts;
mod spliced;
#[cfg(test)]
mod tests;
#[cfg(feature = "xml")]
pub mod tmx;
#[cfg(feature = "toml")]
mod toml;
mod xcstrings;
#[cfg(feature = "xml")]
mod xliff;
#[cfg(feature = "xml")]
mod xml;
#[cfg(feature = "yaml")]
mod yaml;

use std::collections::HashSet;
use std::fmt;

use l10n_api_types::{Content, FormatId, State};

use crate::position::lines_at;
use crate::text::Syntax;

pub use self::detect::{DetectError, detect, has_known_extension, likeliest};
pub use self::edit::{EditError, Edited, Editor};
pub use self::error::ParseError;
pub use self::format::{FileKind, Fit, Format, TranslationLookup};
pub use self::habits::{Habits, LanguageFolder, TemplateFiles};
#[cfg(all(feature = "toml", feature = "xml", feature = "yaml"))]
pub use self::registry::by_id;
pub use self::registry::{all, find};
pub use self::source_texts::SourceTexts;

/// A file, read: its entries and the skeleton into which translations are written.
pub struct LocalizationFile {
    /// Translatable values in the order of the file.
    pub entries: Vec<Entry>,
    /// The language that the file itself names (`@@locale` of ARB), spelled as found.
    pub language: Option<String>,
    /// Sentences that the team should read about the file, although it can be read: at most a few.
    pub warnings: Vec<String>,
    layout: Layout,
}

impl LocalizationFile {
    /// The line of each entry in the file, from 1; nothing for entries whose place the format does not keep.
    #[must_use]
    pub fn lines(&self) -> Vec<Option<u32>> {
        let (source, places) = match &self.layout {
            Layout::Json(skeleton) => skeleton.places(),
            Layout::Spliced(skeleton) => skeleton.places_of_names(),
            Layout::Gettext(catalogue) => catalogue.places(),
            #[cfg(feature = "xml")]
            Layout::Bilingual(skeleton) => skeleton.places(),
            Layout::Csv(sheet) => sheet.places(),
            Layout::Xcstrings(catalog) => catalog.places(),
            Layout::Fluent(file) => file.places(),
        };
        // A translation file's entries are fewer than its places.
        if places.len() != self.entries.len() {
            return vec![None; self.entries.len()];
        }
        lines_at(source, &places)
    }
}

impl LocalizationFile {
    /// The keys of texts that are items of lists, not members with names of their own.
    #[must_use]
    pub fn items(&self) -> HashSet<&str> {
        let is_item: Vec<bool> = match &self.layout {
            Layout::Json(skeleton) => skeleton.items(),
            Layout::Spliced(skeleton) => skeleton.items(),
            _ => Vec::new(),
        };
        self.entries.iter().zip(is_item).filter(|(_, is_item)| *is_item).map(|(entry, _)| entry.key.as_str()).collect()
    }
}

impl fmt::Debug for LocalizationFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalizationFile")
            .field("entries", &self.entries)
            .field("language", &self.language)
            .field("warnings", &self.warnings)
            .finish_non_exhaustive()
    }
}

/// The data that a format needs, beside the entries, to write the file again. One variant per family of formats.
enum Layout {
    /// The JSON family: source bytes and the places of keys and values.
    Json(json::Skeleton),
    /// Formats whose values are replaced in the file's own bytes: the file and the places of entries and values.
    Spliced(spliced::Skeleton),
    /// Catalogues of gettext: the file and the places of entries.
    Gettext(Box<gettext::PoFile>),
    /// Bilingual files in XML: the file and the places of units.
    #[cfg(feature = "xml")]
    Bilingual(Box<bilingual::Skeleton>),
    /// Tables: the file and the rows of entries.
    Csv(Box<csv::Sheet>),
    /// String catalogues of Xcode: the file and the places of texts.
    Xcstrings(Box<xcstrings::Catalog>),
    /// Files of Fluent: the file and the places of messages.
    Fluent(Box<fluent::FluentFile>),
}

/// One translatable value of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key's name, unique in the file. Nested names are joined with `.`.
    pub key: String,
    /// The value.
    pub content: Content,
    /// The file's description of the value, for people and engines that translate it, with lines about its placeholders where
    /// the file explains them.
    pub description: Option<String>,
    /// The most characters that a translation may have, where the format can say so.
    pub max_length: Option<u32>,
    /// The plural chooses by rank (1st, 2nd), not by amount: its categories are the language's ordinal ones.
    pub ordinal: bool,
    /// The text's syntax, where the file says it; else it is the format's, [`Syntax::of_format`].
    pub syntax: Option<Syntax>,
    /// The state of a translation, where the file says it. [`Format::imports`] alone reads it.
    pub state: Option<State>,
}

impl Entry {
    /// An entry without description, limit, ordinal, syntax or state of its own.
    pub fn new(key: impl Into<String>, content: Content) -> Self {
        Self {
            key: key.into(),
            content,
            description: None,
            max_length: None,
            ordinal: false,
            syntax: None,
            state: None,
        }
    }
}

/// The result of a merge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The new content of the file.
    pub bytes: Vec<u8>,
    /// Keys of texts that the published file lacks, in file order.
    pub kept: Vec<String>,
    /// Keys of texts that went, in file order: the published file has values of another kind in their places.
    pub lost: Vec<String>,
}

impl Merged {
    /// A file from which no text went.
    fn keeping(kept: Vec<String>, bytes: Vec<u8>) -> Self {
        Self { bytes, kept, lost: Vec::new() }
    }

    /// The published file, in the place of one that has no texts.
    fn published(bytes: &[u8]) -> Self {
        Self::keeping(Vec::new(), bytes.to_vec())
    }
}

/// The way of a merge with keys that the existing file lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NewKeys {
    Come,
    StayOut,
}

/// The syntax of an entry's text in a file of this format.
#[must_use]
pub fn syntax_of(format: FormatId, entry: &Entry) -> Syntax {
    entry.syntax.unwrap_or(Syntax::of_format(format))
}
