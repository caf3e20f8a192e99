//! Format `toml`: catalogues of go-i18n and Hugo, and plain TOML.
//!
//! - **Keys** are the names of a text and of the tables around it, joined with `.`. A new name with a dot is written as one name
//!   in quotes, which meets no table.
//! - **Messages** are tables of go-i18n: nothing but `description`, `hash`, `id` and plural categories. One with `other` alone is
//!   a text, one with more a plural. They may be tables of their own, lines such as `key.one`, or stand between braces with
//!   `other` at the end. Without `other` they stay as they are.
//! - **Texts** keep their quotes: `"…"`, `'…'`, `"""…"""` and `'''…'''`. What literal quotes cannot say comes into double ones.
//! - **Tables** with a category and names beside it that no message has hold texts that come and go together.
//! - **Not offered**: numbers, dates, arrays, arrays of tables, and other tables between braces.
//! - **Descriptions** are `description`, or the comments directly above. Those that begin the file are the file's.

mod rows;
mod scan;
mod sound;
mod spell;
#[cfg(test)]
mod tests;

use l10n_api_types::{Content, FormatId};

use super::Habits;
use super::spliced::{AddedEntry, FileStyle, Grammar, Neighbour, ReplacedValue, Scan, ScanError};

/// The argument that numbers of a plural have in the API.
const ARG: &str = "count";

/// The longest sign with blanks around it that a new entry takes from its neighbour.
const LONGEST_SIGN: usize = 16;

const BASIC: u8 = 0;
const LITERAL: u8 = 1;
/// `"""`.
const LINES: u8 = 2;
/// `'''`.
const LITERAL_LINES: u8 = 3;
/// Added to the others where the name of the entry stands in each of its lines.
const DOTTED: u8 = 8;

/// Format `toml`.
pub(super) struct Toml;

impl Grammar for Toml {
    fn id(&self) -> FormatId {
        FormatId::Toml
    }

    fn name(&self) -> &'static str {
        "TOML (go-i18n, Hugo)"
    }

    fn media_type(&self) -> &'static str {
        "application/toml"
    }

    fn habits(&self) -> Habits {
        Habits::PLAIN
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["toml"]
    }

    fn plurals(&self) -> &'static str {
        "element"
    }

    fn placeholders(&self) -> &'static str {
        "double_brace"
    }

    fn one_form_is_text(&self) -> bool {
        true
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn holds_texts(&self, text: &str) -> bool {
        // Files of settings have numbers, lists and the like.
        !scan::has_other_values(text)
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        let FileStyle { newline, escapes, .. } = written.file;
        spell::spelled(text, written.raw, written.spelling & !DOTTED, newline, escapes)
    }

    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String> {
        (written.spelling & DOTTED == 0).then(|| spell::key(name, written.raw))
    }

    fn fresh(&self, new: &AddedEntry<'_>, file: &FileStyle) -> Option<String> {
        let basic = |text: &str| spell::basic(text, file.escapes);
        let layout = EntryLayout::of(new.neighbour, new.is_table);
        let (indent, sign, newline) = (layout.indent, layout.sign, file.newline);
        let line = |key: &str, text: &str| format!("{indent}{key}{sign}{}{newline}", basic(text));
        let key = spell::key(new.name, "");
        let mut out = String::new();
        if new.is_table {
            if new.neighbour.is_some_and(|beside| beside.place.arg.is_none()) {
                out.push_str(newline);
            }
            out.push_str(&format!("[{key}]{newline}"));
            if let Some(description) = new.description {
                out.push_str(&line("description", description));
            }
        } else {
            for text in new.description.into_iter().flat_map(str::lines) {
                out.push_str(&format!("{indent}# {text}{newline}"));
            }
        }
        match new.content {
            Content::Text(text) if new.is_table => out.push_str(&line("other", text)),
            Content::Text(text) => out.push_str(&line(&key, text)),
            Content::Plural(plural) => {
                plural.forms.other()?;
                for (category, text) in plural.forms.categories() {
                    let name = if new.is_table { category.as_str().to_owned() } else { format!("{key}.{category}") };
                    out.push_str(&line(&name, text));
                }
            }
        }
        Some(out)
    }

    fn header(&self, prefix: &str, file: &FileStyle) -> Option<String> {
        let parts: Vec<String> = prefix.strip_suffix('.')?.split('.').map(|part| spell::key(part, "")).collect();
        Some(format!("{0}[{1}]{0}", file.newline, parts.join(".")))
    }

    fn blank(&self, _language: &str) -> String {
        String::new()
    }
}

/// The layout that a new entry takes from the one beside it.
struct EntryLayout<'a> {
    indent: &'a str,
    sign: &'a str,
}

impl<'a> EntryLayout<'a> {
    fn of(beside: Option<Neighbour<'a>>, is_table: bool) -> Self {
        let found = beside.and_then(|beside| {
            let value = beside.place.values.first()?;
            let (from, to) = match &value.form {
                Some(form) if is_table => (form.category_at.clone(), value.at.start),
                None if !is_table => (beside.place.name_at.clone(), value.at.start),
                _ => return None,
            };
            let before = beside.between(0, from.start);
            let blanks = before.trim_end_matches([' ', '\t']);
            let indent = beside.between(blanks.len(), from.start);
            let sign = beside.between(from.end, to);
            let is_line = blanks.is_empty() || blanks.ends_with('\n');
            (is_line && indent.len() <= LONGEST_SIGN && sign.len() <= LONGEST_SIGN && sign.trim() == "=")
                .then_some(EntryLayout { indent, sign })
        });
        found.unwrap_or(EntryLayout { indent: "", sign: " = " })
    }
}
