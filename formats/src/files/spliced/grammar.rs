//! The part of a format that differs from others: the frame does the rest.

use std::collections::HashSet;
use std::ops::Range;

use l10n_api_types::{Content, FormatId, PluralCategory};

use super::nest::{Nest, Nesting};
use super::source::{Charset, Encoding};
use crate::files::plural::{Zero, icu_text, one_text};
use crate::files::{Fit, Habits};
use crate::text::Syntax;

/// A format whose values are replaced in the file's own bytes.
///
/// It finds the places of entries and values, and writes values, names and new entries. All offsets are those of the
/// decoded text, without the byte order mark.
pub(in crate::files) trait Grammar: Sync {
    /// As [`Format::id`](crate::files::Format::id).
    fn id(&self) -> FormatId;

    /// As [`Format::name`](crate::files::Format::name).
    fn name(&self) -> &'static str;

    /// As [`Format::media_type`](crate::files::Format::media_type).
    fn media_type(&self) -> &'static str;

    /// As [`Format::habits`](crate::files::Format::habits).
    fn habits(&self) -> Habits;

    /// As [`Format::extensions`](crate::files::Format::extensions).
    fn extensions(&self) -> &'static [&'static str];

    /// As [`Format::plurals`](crate::files::Format::plurals).
    fn plurals(&self) -> &'static str {
        "none"
    }

    /// The numbers for which it takes the form `zero`.
    fn zero(&self) -> Zero {
        Zero::Category
    }

    /// As [`Format::placeholders`](crate::files::Format::placeholders).
    fn placeholders(&self) -> &'static str;

    /// As [`Format::fit`](crate::files::Format::fit).
    fn fit(&self, _bytes: &[u8]) -> Fit {
        Fit::Plain
    }

    /// Returns true if what could be a plural is a text where it has the form `other` alone.
    fn one_form_is_text(&self) -> bool {
        false
    }

    /// The encodings that its files have.
    fn charset(&self) -> Charset {
        Charset::Unicode
    }

    /// Returns true if names are texts: then keys write control characters as escapes.
    fn names_are_texts(&self) -> bool {
        false
    }

    /// Finds the entries of a file.
    ///
    /// # Errors
    /// Returns what no file of the format has.
    fn scan(&self, text: &str) -> Result<Scan, ScanError>;

    /// The text of a value, in the style of the one that it replaces.
    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String;

    /// The name of an entry within its group, in the style of the one that it replaces. `None` where the format
    /// cannot say it, or not there.
    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String>;

    /// A new entry with its line end, laid out like its neighbour. `None` where the format cannot say it.
    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String>;

    /// The list that a name lies in, and its place there, for formats that write a list as one element: `a[0]`.
    fn item<'n>(&self, _name: &'n str) -> Option<(&'n str, usize)> {
        None
    }

    /// A new list of texts, as [`fresh`](Self::fresh) writes an entry; `new` is its first item.
    fn fresh_list(&self, _name: &str, _texts: &[&str], _new: &AddedEntry<'_>, _file: &FileStyle) -> Option<String> {
        None
    }

    /// The text of an entry of one file, with all that belongs to it, as it comes into another one. `None` where
    /// [`fresh`](Self::fresh) writes it.
    fn copied(&self, _whole: &str, _describes: bool) -> Option<String> {
        None
    }

    /// The beginning of a group that the file lacks, by its prefix. `None` where names are written whole.
    fn header(&self, _prefix: &str, _file: &FileStyle) -> Option<String> {
        None
    }

    /// The writing of entries whose groups lie inside each other. `None` where groups stand side by side.
    fn nesting(&self) -> Option<&dyn Nesting> {
        None
    }

    /// The syntax of a text, where the text or its file says it: a file of one language may, which `has_language` tells.
    fn syntax(&self, _content: &Content, _has_language: bool) -> Option<Syntax> {
        None
    }

    /// As [`Format::holds_texts`](crate::files::Format::holds_texts), of a text that was read and has entries.
    fn holds_texts(&self, _text: &str) -> bool {
        true
    }

    /// A translation of `source` as this format wants it, where that is more than an escape.
    fn adapted(&self, _source: &str, translation: String) -> String {
        translation
    }

    /// A content where the file has one text, in `language` (BCP 47).
    fn one(&self, content: Content, _language: &str) -> String {
        if self.plurals() == "icu" { icu_text(content) } else { one_text(content) }
    }

    /// Returns true if the blank lines after a value, as the file has it, are part of its text.
    fn takes_blank_lines(&self, _written: &str) -> bool {
        false
    }

    /// A file without entries.
    fn blank(&self, language: &str) -> String;
}

/// A fault of a file, and the offset where it is.
#[derive(Debug)]
pub(in crate::files) struct ScanError {
    pub(in crate::files) offset: usize,
    pub(in crate::files) message: String,
}

impl ScanError {
    /// A fault at an offset.
    pub(in crate::files) fn at(offset: usize, message: impl Into<String>) -> Self {
        Self { offset, message: message.into() }
    }
}

/// The result of a scan.
#[derive(Debug, Default)]
pub(in crate::files) struct Scan {
    /// In the order of the file.
    pub(in crate::files) places: Vec<Place>,
    /// In the order of the file; at least one.
    pub(in crate::files) groups: Vec<Group>,
    pub(in crate::files) language: Option<String>,
    pub(in crate::files) warnings: Vec<String>,
    /// The file writes all characters beyond ASCII as escapes.
    pub(in crate::files) escapes: bool,
    /// The format's own number of the way in which the file is written.
    pub(in crate::files) style: u8,
    /// For formats whose groups lie inside each other.
    pub(in crate::files) nest: Option<Nest>,
    /// For formats in which an entry may be a table of its own.
    pub(in crate::files) tables: Option<Box<Tables>>,
}

/// Entries that are tables of their own, beside others that are lines of one.
#[derive(Debug, Default)]
pub(in crate::files) struct Tables {
    /// The group of such entries. Its prefix is empty, and its end is the end of the file.
    pub(in crate::files) group: usize,
    /// Names of what is no text and cannot become one.
    pub(in crate::files) taken: HashSet<String>,
    /// Names that no further group can have or lie in.
    pub(in crate::files) closed: HashSet<String>,
}

/// Entries whose names begin alike because they stand together: a section, a table, an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::files) struct Group {
    /// The beginning of the names: empty, or with the dot at its end.
    pub(in crate::files) prefix: String,
    /// The place of an entry if the group has none yet. `None` where there is no such place.
    pub(in crate::files) end: Option<usize>,
}

/// An entry of a file, and where it lies.
#[derive(Debug)]
pub(in crate::files) struct Place {
    /// The whole name, which begins with the prefix of its group.
    pub(in crate::files) name: String,
    /// The index of its group.
    pub(in crate::files) group: usize,
    /// The place of the rest of the name.
    pub(in crate::files) name_at: Range<usize>,
    pub(in crate::files) description: Option<String>,
    /// All that goes when the entry goes: its lines with their ends, and the comment that belongs to it.
    pub(in crate::files) whole: Range<usize>,
    /// One, or one for each plural category.
    pub(in crate::files) values: Vec<TextValue>,
    /// The argument of a plural.
    pub(in crate::files) arg: Option<String>,
    /// The list that the entry is an element of. If one of its elements has no translation, the whole list goes.
    pub(in crate::files) list: Option<Range<usize>>,
}

/// A text of an entry.
#[derive(Debug)]
pub(in crate::files) struct TextValue {
    /// Unescaped.
    pub(in crate::files) text: String,
    /// The bytes that are replaced.
    pub(in crate::files) at: Range<usize>,
    /// The format's own number of the way in which it is written.
    pub(in crate::files) spelling: u8,
    /// For one form of a plural.
    pub(in crate::files) form: Option<PluralVariant>,
}

/// One form of a plural.
#[derive(Debug, Clone)]
pub(in crate::files) struct PluralVariant {
    pub(in crate::files) category: PluralCategory,
    /// The place of the name of the category.
    pub(in crate::files) category_at: Range<usize>,
    /// All that goes when the form goes, with its line end.
    pub(in crate::files) whole: Range<usize>,
    /// For one that stands in a row with others.
    pub(in crate::files) in_row: Option<InRow>,
}

/// A form between others that a mark separates, as in `{one: a, other: b}`.
#[derive(Debug, Clone)]
pub(in crate::files) struct InRow {
    /// Its name and value alone.
    pub(in crate::files) bare: Range<usize>,
    /// The text that separates it from others: `, `.
    pub(in crate::files) mark: String,
    /// The mark before it goes with it, and not the one after it.
    pub(in crate::files) is_after_mark: bool,
}

/// The way in which a file is written.
#[derive(Debug, Clone, Copy)]
pub(in crate::files) struct FileStyle {
    pub(in crate::files) encoding: Encoding,
    /// The file writes all characters beyond ASCII as escapes.
    pub(in crate::files) escapes: bool,
    /// The number that the scanner gave to the file.
    pub(in crate::files) style: u8,
    /// The line end of the place.
    pub(in crate::files) newline: &'static str,
}

/// A value or name that is replaced.
#[derive(Debug)]
pub(in crate::files) struct ReplacedValue<'a> {
    /// The bytes that stand there.
    pub(in crate::files) raw: &'a str,
    /// The number that the scanner gave to the value, for a name that of its first value.
    pub(in crate::files) spelling: u8,
    pub(in crate::files) file: FileStyle,
}

/// An entry that comes into a file.
#[derive(Debug)]
pub(in crate::files) struct AddedEntry<'a> {
    /// The rest of the name after the prefix of the group.
    pub(in crate::files) name: &'a str,
    pub(in crate::files) content: &'a Content,
    pub(in crate::files) description: Option<&'a str>,
    /// The entry whose layout it follows.
    pub(in crate::files) neighbour: Option<Neighbour<'a>>,
    /// It is a table of its own.
    pub(in crate::files) is_table: bool,
}

/// An entry of the file beside a new one.
#[derive(Debug, Clone, Copy)]
pub(in crate::files) struct Neighbour<'a> {
    pub(in crate::files) place: &'a Place,
    /// The text of the file.
    pub(in crate::files) text: &'a str,
}

impl<'a> Neighbour<'a> {
    /// The text between two offsets of the file.
    pub(in crate::files) fn between(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }
}
