//! The part of a bilingual format that differs from others.

use l10n_api_types::FormatId;

use super::{NewUnit, Scan, UnitLanguages};
use crate::files::gettext::PluralForms;
use crate::files::spliced::ScanError;
use crate::files::xml::{Entities, Escapes, Tree};
use crate::files::{Fit, Habits};

/// Lines, each with its depth.
pub(in crate::files) type IndentedLines = Vec<(usize, String)>;

/// The part of a bilingual format that differs from others.
pub(in crate::files) trait Dialect: Sync {
    /// As [`Format::id`](crate::files::Format::id).
    fn id(&self) -> FormatId;

    /// As [`Format::name`](crate::files::Format::name).
    fn name(&self) -> &'static str;

    /// As [`Format::habits`](crate::files::Format::habits).
    fn habits(&self) -> Habits;

    /// As [`Format::extensions`](crate::files::Format::extensions).
    fn extensions(&self) -> &'static [&'static str];

    /// As [`Format::plurals`](crate::files::Format::plurals).
    fn plurals(&self) -> &'static str {
        "none"
    }

    /// As [`Format::placeholders`](crate::files::Format::placeholders).
    fn placeholders(&self) -> &'static str;

    /// As [`Format::fit`](crate::files::Format::fit).
    fn fit(&self, bytes: &[u8]) -> Fit;

    /// Finds the units of a file.
    ///
    /// # Errors
    /// Returns what no file of the format has.
    fn scan(&self, tree: &Tree<'_>) -> Result<Scan, ScanError>;

    /// A language as the format spells it.
    fn language(&self, tag: &str) -> String {
        tag.to_owned()
    }

    /// The plural forms of a language.
    fn forms(&self, language: &str) -> PluralForms;

    /// The lines of a new unit, with their depth below it, and the name of its group. `None` where the key cannot be written.
    fn fresh(&self, new: &NewUnit<'_>) -> Option<(String, IndentedLines)>;

    /// The lines of a new group, with their depth, before and after its units, and the depth of those.
    fn around(&self, group: &str, languages: &UnitLanguages<'_>) -> (IndentedLines, IndentedLines, usize);

    /// Returns true if groups tell keys apart only where a file has several: then units come into the one group of a file
    /// whatever its name is, and those without a group into the last one.
    fn joins_groups(&self) -> bool {
        false
    }

    /// A file in these languages with these lines for its groups.
    fn blank(&self, languages: &UnitLanguages<'_>, groups: &str) -> String;

    /// The characters that new files write as references although they need not.
    fn escapes(&self) -> Escapes;

    /// One step of indentation.
    fn indent(&self) -> &'static str;
}

/// A text as the value of an attribute in double quotes.
pub(in crate::files) fn attribute(text: &str) -> String {
    Entities::default()
        .encoded(text, Escapes { greater: true, quotes: true })
        .replace('\n', "&#10;")
        .replace('\t', "&#9;")
}
