//! Formats: the operations that each has, and the answers that it gives about itself.

use std::io;

use l10n_api_types::{Content, FormatId};

use super::{EditError, Editor, Entry, Habits, LocalizationFile, Merged, ParseError, SourceTexts};
use crate::template::{Template, TemplateError};

/// The translation of a key; `None` leaves the key out of the rendered file.
pub type TranslationLookup<'a> = dyn Fn(&str) -> Option<Content> + 'a;

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
    fn kind(&self) -> FileKind {
        FileKind::Monolingual
    }

    /// The languages that this file holds.
    fn kind_of(&self, _document: &LocalizationFile) -> FileKind {
        self.kind()
    }

    /// Reads the template of the paths of its files. It has no place for the language where one file holds all of them.
    ///
    /// # Errors
    /// Returns the reason why the path is no such template.
    fn template(&self, path: &str) -> Result<Template, TemplateError> {
        match self.kind() {
            FileKind::Multilingual => Template::parse_for_all_languages(path),
            FileKind::Monolingual | FileKind::Bilingual => Template::parse(path),
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
    fn parse(&self, bytes: &[u8]) -> Result<LocalizationFile, ParseError>;

    /// Reads a file in a language that texts are translated into: its entries are those with a translation, which is their
    /// content. `language` (BCP 47) counts where the file names none. The content of a file with one language is its text.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    fn translations(&self, bytes: &[u8], _language: &str) -> Result<LocalizationFile, ParseError> {
        self.parse(bytes)
    }

    /// As [`translations`](Self::translations), with those among them that the file calls drafts
    /// ([`NeedsReview`](l10n_api_types::State::NeedsReview)), and each with its state.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    fn imports(&self, bytes: &[u8], language: &str) -> Result<LocalizationFile, ParseError> {
        self.translations(bytes, language)
    }

    /// Writes the skeleton with other values, in `language` (BCP 47). Entries without a translation are left out, and
    /// the file looks as if they had never been there. Bilingual files keep them, with an empty translation. If the format spells
    /// plural categories as keys, those that the language needs are added.
    fn render(&self, skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8>;

    /// Writes one language into a file that holds several, as [`render`](Self::render) writes a file; what the file says in
    /// others stays. In the language of its source, entries without a text go with all their translations. `None` where the
    /// file has no place for another language.
    fn put_language(
        &self,
        _file: &LocalizationFile,
        _language: &str,
        _translated: &TranslationLookup<'_>,
    ) -> Option<Vec<u8>> {
        None
    }

    /// Writes the skeleton with entries that it lacks, in its own style, where their names lead to. `None` when it holds
    /// nothing whose style could be followed. `parse` may still refuse the result, when a name clashes.
    fn extend(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>>;

    /// As [`extend`](Self::extend), without the entries for which the file has no place: those within its lists, those whose
    /// names are groups of it, and those that the format cannot say. Reading the file tells which came.
    fn extend_where_it_can(&self, skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
        self.extend(skeleton, added)
    }

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
    fn languages(&self, _document: &LocalizationFile) -> Vec<String> {
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

    /// Writes a file in the format's canonical style: two spaces, entries in the given order, a final newline.
    /// Of two entries with one key the first is written. Entries that the format cannot say are left out.
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
pub enum FileKind {
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
