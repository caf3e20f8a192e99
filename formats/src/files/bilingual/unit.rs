//! Units of a bilingual file: a source text and the place of its translation.

use std::ops::Range;

use l10n_api_types::State;

use crate::files::xml::Escapes;
use crate::text::Syntax;

/// The result of a scan.
#[derive(Debug, Default)]
pub(in crate::files) struct Scan {
    /// In the order of the file.
    pub units: Vec<TranslationUnit>,
    /// In the order of the file.
    pub groups: Vec<UnitGroup>,
    /// The places where the file names its language.
    pub languages: Vec<LanguagePlace>,
    /// The language of its sources, where it says so.
    pub source_language: Option<String>,
    /// The place of a group that the file lacks.
    pub end: Option<usize>,
    /// Names of units are ids of their own, not made of the texts.
    pub by_id: bool,
    /// The characters that the file writes as references although it need not.
    pub escapes: Escapes,
}

/// A place, and what comes there.
pub(in crate::files) type TextEdit = (Range<usize>, String);

/// A source text, its translation, and all that is known about both.
#[derive(Debug)]
pub(in crate::files) struct TranslationUnit {
    /// The key, and the one to take where the file has several groups, or first keys do not tell all units apart. At least
    /// one.
    pub keys: Vec<String>,
    /// The place that messages name.
    pub at: usize,
    /// The index of its group.
    pub group: usize,
    /// The id of what it stands in with others; a file has that once.
    pub part_of: Option<String>,
    /// All that comes into a file that lacks the unit: its lines with their ends. Units may share it.
    pub whole: Range<usize>,
    /// The source text.
    pub source: String,
    pub is_plural: bool,
    pub description: Option<String>,
    pub max_length: Option<u32>,
    /// The syntax of the text, where the file says it.
    pub syntax: Option<Syntax>,
    /// The source has elements: its texts show them as tags.
    pub has_tags: bool,
    /// The tags of the source and then of the translation, short and whole, in their order.
    pub tags: Vec<(String, String)>,
    /// The translation: one text, or one for each form. A place where a text comes is an empty one.
    pub says: Vec<TargetText>,
    /// The place of all forms of a plural.
    pub forms: Option<FormsPlace>,
    /// The state that the file says of the translation.
    pub state: State,
    /// The translation has elements that the source lacks, so that it could not be written again.
    pub is_foreign: bool,
    /// The changes that say that the translation counts, and no more than that: nobody has approved a new text yet.
    pub done: Vec<TextEdit>,
    /// The changes that say that there is no translation.
    pub open: Vec<TextEdit>,
    /// Later units of the file that say the same under the same key. They get what this one gets.
    pub copies: Vec<TranslationUnit>,
}

/// A text of a translation.
#[derive(Debug, Clone)]
pub(in crate::files) struct TargetText {
    pub text: String,
    /// The bytes that are replaced.
    pub at: Range<usize>,
    /// The text before and after, where the file has no element yet, or one tag alone.
    pub around: (String, String),
    /// A new element says that its blanks count, where the text has such.
    pub says_blanks: bool,
    pub is_cdata: bool,
}

/// The place of the forms of a plural.
#[derive(Debug, Clone)]
pub(in crate::files) struct FormsPlace {
    pub at: Range<usize>,
    /// The text before the first form and after the last one, where the file has no element yet, or one tag alone.
    pub around: (String, String),
    /// The text before and after the text of each form, with its tags and layout.
    pub form: (String, String),
    /// The layout after the last form.
    pub end: String,
}

/// Units that stand together.
#[derive(Debug)]
pub(in crate::files) struct UnitGroup {
    pub name: String,
    /// All that stands before its units when it comes into a file that lacks it.
    pub head: Range<usize>,
    pub tail: Range<usize>,
    /// The end of the group in the file.
    pub after: usize,
    /// The place of a unit if the group has none yet. `None` where there is no such place.
    pub end: Option<usize>,
}

/// A place where a file names its language.
#[derive(Debug)]
pub(in crate::files) struct LanguagePlace {
    pub at: Range<usize>,
    /// The language that stands there.
    pub value: Option<String>,
    /// The text before and after the language, where the file names none.
    pub around: (&'static str, &'static str),
}
