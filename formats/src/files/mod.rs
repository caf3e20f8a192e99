//! Localization files: read into entries, written back in the file's own hand.
//!
//! A [`Format`] reads a file into a [`Document`]: its entries in file order and the skeleton, which is the file itself
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

use std::fmt;
use std::io;

use l10n_api_types::{Content, FormatId, State};

use crate::position::lines_at;
use crate::template::{Template, TemplateError};
use crate::text::Syntax;

pub use self::detect::{DetectError, detect, has_known_extension, likeliest};
pub use self::edit::{EditError, Edited, Editor};
pub use self::error::ParseError;
pub use self::habits::{Habits, LanguageFolder, TemplateFiles};
#[cfg(all(feature = "toml", feature = "xml", feature = "yaml"))]
pub use self::registry::by_id;
pub use self::registry::{all, find};
pub use self::source_texts::SourceTexts;

/// A file, read: its entries and the skeleton into which translations are written.
pub struct Document {
    /// Translatable values in the order of the file.
    pub entries: Vec<Entry>,
    /// The language that the file itself names (`@@locale` of ARB), spelled as found.
    pub language: Option<String>,
    /// Sentences that the team should read about the file, although it can be read: at most a few.
    pub warnings: Vec<String>,
    layout: Layout,
}

impl Document {
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

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
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
    Gettext(Box<gettext::Catalogue>),
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

/// The translation of a key; `None` leaves the key out of the rendered file.
pub type Translated<'a> = dyn Fn(&str) -> Option<Content> + 'a;

/// A localization file format. Implementations hold no state.
pub trait Format: Sync {
    /// The format's name in the API.
    fn id(&self) -> FormatId;

    /// The format's name for people: `ARB (Flutter)`.
    fn name(&self) -> &'static str {
        self.id().as_str()
    }

    /// The media type of its files, with the charset where the type does not fix it. Files that browsers could take for pages
    /// keep this one.
    fn media_type(&self) -> &'static str {
        "application/octet-stream"
    }

    /// The languages that a file holds; of a format with files of several kinds, those of a new one.
    fn kind(&self) -> Kind {
        Kind::Monolingual
    }

    /// The languages that this file holds.
    fn kind_of(&self, _document: &Document) -> Kind {
        self.kind()
    }

    /// Reads the template of the paths of its files. It has no place for the language where one file holds all of them.
    ///
    /// # Errors
    /// Returns the reason why the path is no such template.
    fn template(&self, path: &str) -> Result<Template, TemplateError> {
        match self.kind() {
            Kind::Multilingual => Template::parse_for_all_languages(path),
            Kind::Monolingual | Kind::Bilingual => Template::parse(path),
        }
    }

    /// The places in which teams keep its files.
    fn habits(&self) -> Habits {
        Habits::PLAIN
    }

    /// File name extensions, lower-case, without the dot.
    fn extensions(&self) -> &'static [&'static str];

    /// The format's spelling of plurals (`GET /meta`): `icu` inside the text, `suffix` of the key, `none`.
    fn plurals(&self) -> &'static str;

    /// The usual spelling of placeholders in the format's files (`GET /meta`): `icu`, `double_brace`,
    /// `java_message`, `printf`, `ruby`.
    fn placeholders(&self) -> &'static str;

    /// Returns how well the content fits the format. It is called only where several formats share an extension.
    fn fit(&self, bytes: &[u8]) -> Fit;

    /// Returns true if a file holds texts to translate, unlike settings or data of the same syntax.
    fn holds_texts(&self, bytes: &[u8]) -> bool {
        self.parse(bytes).is_ok_and(|document| !document.entries.is_empty())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Returns the fault, with line and column, both from 1; columns count characters.
    fn parse(&self, bytes: &[u8]) -> Result<Document, ParseError>;

    /// Reads a file in a language that texts are translated into: its entries are those with a translation, which is their
    /// content. `language` (BCP 47) counts where the file names none. The content of a file with one language is its text.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    fn translations(&self, bytes: &[u8], _language: &str) -> Result<Document, ParseError> {
        self.parse(bytes)
    }

    /// As [`translations`](Self::translations), with those among them that the file calls drafts
    /// ([`State::NeedsReview`]), and each with its state.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    fn imports(&self, bytes: &[u8], language: &str) -> Result<Document, ParseError> {
        self.translations(bytes, language)
    }

    /// Writes the skeleton with other values, in `language` (BCP 47). Entries without a translation are left out, and
    /// the file looks as if they had never been there. Bilingual files keep them, with an empty translation. If the format spells plural categories as keys, those that the
    /// language needs are added.
    fn render(&self, skeleton: &Document, language: &str, translated: &Translated<'_>) -> Vec<u8>;

    /// Writes one language into a file that holds several, as [`render`](Self::render) writes a file; what the file says in
    /// others stays. In the language of its source, entries without a text go with all their translations. `None` where the
    /// file has no place for another language.
    fn put_language(&self, _file: &Document, _language: &str, _translated: &Translated<'_>) -> Option<Vec<u8>> {
        None
    }

    /// Writes the skeleton with entries that it lacks, in its own hand, where their names lead to. `None` when it holds
    /// nothing whose hand could be followed. `parse` may still refuse the result, when a name clashes.
    fn extend(&self, skeleton: &Document, added: &[Entry]) -> Option<Vec<u8>>;

    /// Merges a published file into the existing one, `own`. That keeps its order, layout, comments and the texts that the
    /// published file lacks; values that differ are replaced, and what it lacks is added after its nearest predecessor in
    /// the published file. A file without new content keeps every byte.
    ///
    /// # Errors
    /// Returns a message if the existing file cannot be read.
    fn merge(&self, own: &[u8], published: &[u8]) -> Result<Merged, String>;

    /// As [`merge`](Self::merge), of what a file with several languages says in some of them. Keys that the existing file lacks
    /// stay out of it, since it is that of the source. A file with one language is merged whole.
    ///
    /// # Errors
    /// As [`merge`](Self::merge).
    fn merge_languages(&self, own: &[u8], published: &[u8], _languages: &[&str]) -> Result<Merged, String> {
        self.merge(own, published)
    }

    /// The languages that a file with several has translations in, spelled as found.
    fn languages(&self, _document: &Document) -> Vec<String> {
        Vec::new()
    }

    /// Lists the keys of a file's texts, in file order; of a file that holds the source as well those that it
    /// translates.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read.
    fn text_keys(&self, bytes: &[u8]) -> Result<Vec<String>, String>;

    /// Reads a file whose texts are to be changed one by one.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be read.
    fn editor(&self, bytes: &[u8]) -> Result<Box<dyn Editor + '_>, EditError>;

    /// Writes a file in the format's canonical hand: two spaces, entries in the given order, a final newline.
    /// Of two entries with one key the first is written.
    fn render_new(&self, language: &str, entries: &[Entry]) -> Vec<u8>;

    /// As [`render_new`](Self::render_new), with the texts of the source beside the entries, which are their translations into
    /// `language`; without one, with those of the source alone. `None` for formats that have no place for both, or whose keys
    /// are the texts of the source.
    fn render_new_beside(
        &self,
        _language: Option<&str>,
        _entries: &[Entry],
        _source: &SourceTexts<'_>,
    ) -> Option<Vec<u8>> {
        None
    }

    /// As [`render_new`](Self::render_new), of entries whose keys differ. A format that can write them as they come does so:
    /// then a file of any size takes next to no memory.
    ///
    /// # Errors
    /// Returns the error of `out`.
    fn write_new(
        &self,
        language: &str,
        entries: &mut dyn Iterator<Item = Entry>,
        out: &mut dyn io::Write,
    ) -> io::Result<()> {
        let entries: Vec<Entry> = entries.collect();
        out.write_all(&self.render_new(language, &entries))
    }
}

/// The languages that a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One: each language has a file of its own.
    Monolingual,
    /// The source and, beside each of its texts, a translation.
    Bilingual,
    /// All: one file has the source and every translation.
    Multilingual,
}

/// The degree to which a content fits a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Another format of the same extension says more about the file.
    No,
    /// The content says nothing against it.
    Plain,
    /// The content bears signs of this format and of another one.
    Unclear,
    /// The content bears signs of this format alone.
    Signs,
}

/// The syntax of an entry's text in a file of this format.
#[must_use]
pub fn syntax_of(format: FormatId, entry: &Entry) -> Syntax {
    entry.syntax.unwrap_or(Syntax::of_format(format))
}
