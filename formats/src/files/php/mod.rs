//! Format `php`: a PHP file that returns an array of texts, as Laravel, Yii and others have it. Nothing is executed.
//!
//! - **Keys** are the keys of the arrays from the outside inwards, joined with `.`. They may be texts, as Yii has them: then
//!   those that are new stand in the outermost array.
//! - **Texts** are strings in quotes, heredocs and nowdocs, and several with `.` between them. They keep their quotes; a text
//!   that these cannot say comes into double quotes. Line ends within a text are `\n`.
//! - **Not offered**, and kept as they are: numbers, constants, strings that interpolate, and whatever else computes.
//! - **Lists**, arrays in which an entry has no key, and arrays of which two entries share a line come and go together. Their
//!   keys have the index or name at the end.
//! - **Plurals** are parts of one text between `|`, as Laravel has them.
//! - **Descriptions** are the comments directly above a key.
//! - **Refused**: code other than `return` with an array, and before it `declare`, `namespace` and `use`; an outermost array
//!   that is a list, or that has no line for each entry.

mod lex;
mod literal;
mod moved;
mod numbers;
mod read;
mod scan;
mod spell;
#[cfg(test)]
mod tests;

use l10n_api_types::{Content, FormatId};

use super::members::laravel_parts;
use super::spliced::{AddedEntry, FileStyle, Grammar, Indent, Nesting, ReplacedValue, Scan, ScanError};
use super::{Fit, Habits};
use crate::template::Spelling;

const SINGLE: u8 = 0;
const DOUBLE: u8 = 1;
const HEREDOC: u8 = 2;
const NOWDOC: u8 = 3;
/// Several strings with `.` between them.
const JOINED: u8 = 4;

/// Groups are written `array(…)`, not `[…]`.
const LONG_ARRAYS: u8 = 1;

/// Format `php`.
pub(super) struct Php;

impl Grammar for Php {
    fn id(&self) -> FormatId {
        FormatId::Php
    }

    fn name(&self) -> &'static str {
        "PHP arrays (Laravel, Yii)"
    }

    fn media_type(&self) -> &'static str {
        "text/plain"
    }

    fn habits(&self) -> Habits {
        Habits { spelling: Spelling::Underscore, ..Habits::PLAIN }
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["php"]
    }

    fn plurals(&self) -> &'static str {
        "parts"
    }

    fn one(&self, content: Content, language: &str) -> String {
        laravel_parts(content, language)
    }

    fn placeholders(&self) -> &'static str {
        "laravel"
    }

    fn fit(&self, bytes: &[u8]) -> Fit {
        let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
        let is_php = text.get(..5).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<?php"));
        let returns = || text.windows(6).any(|word| word == b"return");
        if text.is_empty() || is_php && returns() { Fit::Plain } else { Fit::No }
    }

    fn names_are_texts(&self) -> bool {
        true
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    /// Settings are arrays, too: most of their values are no texts.
    fn holds_texts(&self, text: &str) -> bool {
        scan::scan(text).is_ok_and(|scan| {
            let others = scan.nest.map_or(0, |nest| nest.taken.len() - nest.lists.len());
            others < scan.places.len()
        })
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        spell::spelled(text, written.raw, written.spelling, written.file.newline)
    }

    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String> {
        // Names with dots lie in an array that may not be there.
        (self.dots(name).is_empty() || written.raw.contains('.')).then(|| {
            let spelling = if written.raw.starts_with('"') { DOUBLE } else { SINGLE };
            spell::spelled(name, "", spelling, written.file.newline)
        })
    }

    fn fresh(&self, _new: &AddedEntry<'_>, _file: &FileStyle) -> Option<String> {
        None
    }

    fn nesting(&self) -> Option<&dyn Nesting> {
        Some(self)
    }

    fn blank(&self, _language: &str) -> String {
        "<?php\n\nreturn [\n];\n".to_owned()
    }
}

impl Nesting for Php {
    fn leaf(
        &self,
        name: &str,
        (content, description): (&Content, Option<&str>),
        indent: Indent,
        file: &FileStyle,
    ) -> Option<String> {
        let text = match content {
            Content::Text(text) => text.clone(),
            Content::Plural(plural) => plural.forms.values().map(String::as_str).collect::<Vec<_>>().join("|"),
        };
        let newline = file.newline;
        let mut out = String::new();
        for line in description.into_iter().flat_map(str::lines) {
            // It would end the code.
            let line = line.replace("?>", "? >").replace('\r', " ");
            out.push_str(&format!("{indent}// {line}{newline}"));
        }
        let quoted = |text| spell::spelled(text, "", SINGLE, newline);
        out.push_str(&format!("{indent}{} => {},{newline}", quoted(name), quoted(&text)));
        Some(out)
    }

    fn opened(&self, name: &str, indent: Indent, file: &FileStyle) -> String {
        let bracket = if file.style == LONG_ARRAYS { "array(" } else { "[" };
        format!("{indent}{} => {bracket}{}", spell::spelled(name, "", SINGLE, file.newline), file.newline)
    }

    fn closed(&self, indent: Indent, file: &FileStyle) -> String {
        format!("{indent}{}{}", if file.style == LONG_ARRAYS { ")," } else { "]," }, file.newline)
    }

    fn first(&self, file: &FileStyle) -> &'static str {
        file.newline
    }

    fn moved(&self, whole: &str, indent: Indent, describes: bool) -> String {
        moved::moved(whole, indent, describes)
    }

    /// A name with blanks, or with nothing between dots, is a text: it is one name.
    fn dots(&self, name: &str) -> Vec<usize> {
        if name.contains(char::is_whitespace) || name.split('.').any(str::is_empty) {
            return Vec::new();
        }
        name.match_indices('.').map(|(at, _)| at).collect()
    }
}
