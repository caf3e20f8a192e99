//! Format `yaml`: catalogues of Ruby on Rails, and plain YAML.
//!
//! - **Keys** are the names from the outside inwards, joined with `.`. A file with one root key that is a language is one of
//!   Rails: the root is no part of the keys, and it is renamed in files of other languages.
//! - **Plurals** are mappings of nothing but plural categories, with `other`. `zero` is one of the categories.
//! - **Lists**, and mappings between braces, come and go together: their keys have the index or name at the end. New texts named
//!   0, 1 and so on come as a list.
//! - **Texts** keep their quotes. A bare one that would be something else than a string for any reader, of YAML 1.1 as Ruby has
//!   it or of 1.2, comes into double quotes. `|` and `>` keep their header and indentation.
//! - **Not offered**: numbers, booleans, dates, symbols (`:year`), aliases, what has a tag of its own, and in files of Rails what
//!   is no text for people: `date.formats`, `date.order`, `time.formats` and `number.….format`. Anchors, tags and merge keys
//!   stay.
//! - **Refused**: several documents, keys with `?`, and a file that is a list or one `{…}`.
//! - **Placeholders** in files of Rails are those of Ruby; elsewhere they may be any.
//! - **Descriptions** are the comments directly above a key. Those that begin the file are the file's.

mod keys;
mod kinds;
mod scan;
mod spell;
#[cfg(test)]
mod tests;
mod tree;
mod value;

use l10n_api_types::{Content, FormatId, PluralCategory};

use super::Habits;
use super::plural::Zero;
use super::spliced::{AddedEntry, FileStyle, Grammar, Indent, Nesting, ReplacedValue, Scan, ScanError};
use crate::locales::{Plurals, is_tag_like};
use crate::text::Syntax;

/// The argument that numbers of a plural have, in Rails and in the API.
const ARG: &str = "count";

const PLAIN: u8 = 0;
const SINGLE: u8 = 1;
const DOUBLE: u8 = 2;
/// `|` or `>`.
const BLOCK: u8 = 3;
/// As it is, between brackets or braces.
const FLOW: u8 = 4;

/// Format `yaml`.
pub(super) struct Yaml;

impl Grammar for Yaml {
    fn id(&self) -> FormatId {
        FormatId::Yaml
    }

    fn name(&self) -> &'static str {
        "YAML (Rails)"
    }

    fn media_type(&self) -> &'static str {
        "application/yaml"
    }

    fn habits(&self) -> Habits {
        Habits::PLAIN
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["yml", "yaml"]
    }

    fn plurals(&self) -> &'static str {
        "element"
    }

    fn zero(&self) -> Zero {
        Zero::Exact
    }

    fn placeholders(&self) -> &'static str {
        "ruby"
    }

    fn syntax(&self, _content: &Content, has_language: bool) -> Option<Syntax> {
        has_language.then_some(Syntax::Ruby)
    }

    fn scan(&self, text: &str) -> Result<Scan, ScanError> {
        scan::scan(text)
    }

    fn holds_texts(&self, text: &str) -> bool {
        scan::scan(text)
            .is_ok_and(|scan| scan.language.is_some() || scan.nest.is_some_and(|nest| nest.taken.is_empty()))
    }

    fn spell(&self, text: &str, written: &ReplacedValue<'_>) -> String {
        spell::spelled(text, written.raw, written.spelling, written.file.newline, written.file.escapes)
    }

    fn spell_name(&self, name: &str, written: &ReplacedValue<'_>) -> Option<String> {
        // Names with a dot lie in a mapping that may not be there.
        (!name.contains('.') || written.raw.contains('.')).then(|| spell::key(name, written.raw))
    }

    fn fresh(&self, _new: &AddedEntry<'_>, _file: &FileStyle) -> Option<String> {
        None
    }

    fn nesting(&self) -> Option<&dyn Nesting> {
        Some(self)
    }

    fn takes_blank_lines(&self, written: &str) -> bool {
        let header = written.lines().next().unwrap_or_default();
        header.starts_with(['|', '>'])
            && header.split(char::is_whitespace).next().is_some_and(|mark| mark.contains('+'))
    }

    fn blank(&self, language: &str) -> String {
        if is_language(language) { format!("{}:\n", spell::key(language, "")) } else { String::new() }
    }
}

impl Nesting for Yaml {
    fn leaf(
        &self,
        name: &str,
        (content, description): (&Content, Option<&str>),
        indent: Indent,
        file: &FileStyle,
    ) -> Option<String> {
        let newline = file.newline;
        let text = |text: &str| spell::spelled(text, "", PLAIN, newline, false);
        let mut out = String::new();
        for line in description.into_iter().flat_map(str::lines) {
            out.push_str(&format!("{indent}# {line}{newline}"));
        }
        let key = spell::key(name, "");
        match content {
            Content::Text(said) => out.push_str(&format!("{indent}{key}: {}{newline}", text(said))),
            Content::Plural(plural) => {
                plural.forms.other()?;
                out.push_str(&format!("{indent}{key}:{newline}"));
                for (category, said) in self.zero().forms(plural.forms.clone()) {
                    out.push_str(&format!("{indent}  {}: {}{newline}", category.as_str(), text(&said)));
                }
            }
        }
        Some(out)
    }

    fn opened(&self, name: &str, indent: Indent, file: &FileStyle) -> String {
        format!("{indent}{}:{}", spell::key(name, ""), file.newline)
    }

    fn list(
        &self,
        name: &str,
        (texts, description): (&[&str], Option<&str>),
        [indent, inner]: [Indent; 2],
        file: &FileStyle,
    ) -> Option<String> {
        let comment =
            description.into_iter().flat_map(str::lines).map(|line| format!("{indent}# {line}{}", file.newline));
        let item = |text: &&str| {
            let text = spell::spelled(text, "", PLAIN, file.newline, false);
            format!("{inner}- {text}{}", file.newline)
        };
        Some(comment.chain([self.opened(name, indent, file)]).chain(texts.iter().map(item)).collect())
    }

    fn moved(&self, whole: &str, indent: Indent, describes: bool) -> String {
        let is_comment = |line: &&str| !describes && line.trim_start().starts_with('#');
        let mut lines = whole.lines().skip_while(is_comment).peekable();
        let own = lines.peek().map_or(0, |line| line.len() - line.trim_start_matches(' ').len());
        let mut out = String::new();
        for line in lines {
            let blanks = line.len() - line.trim_start_matches(' ').len();
            if !line.trim().is_empty() {
                out.push_str(&" ".repeat((blanks + indent.column).saturating_sub(own)));
                out.push_str(line.get(blanks..).unwrap_or_default());
            }
            out.push('\n');
        }
        out
    }

    fn is_plural(&self, names: &mut dyn Iterator<Item = &str>) -> bool {
        let mut has_other = false;
        for name in names {
            if !PluralCategory::ALL.iter().any(|category| category.as_str() == name) {
                return false;
            }
            has_other |= name == PluralCategory::Other.as_str();
        }
        has_other
    }

    fn language(&self, raw: &str, language: &str) -> String {
        let language = if raw.contains('_') { language.replace('-', "_") } else { language.to_owned() };
        spell::key(&language, raw)
    }
}

/// Languages of three letters that have no plurals.
const WITHOUT_PLURALS: [&str; 11] = ["hnj", "jbo", "kde", "kea", "lkt", "nqo", "osa", "sah", "ses", "tpi", "yue"];

/// Returns true if a root key is a language: one of two letters, or one of three that CLDR knows.
fn is_language(name: &str) -> bool {
    let primary = name.split(['-', '_']).next().unwrap_or_default();
    let is_known = || WITHOUT_PLURALS.contains(&primary) || Plurals::cardinal(primary).categories().len() > 1;
    is_tag_like(name) && primary.bytes().all(|byte| byte.is_ascii_lowercase()) && (primary.len() == 2 || is_known())
}

/// Returns true for names under which Rails keeps what is no text for people.
fn is_setting(name: &str) -> bool {
    let under = |group: &str| name.strip_prefix(group).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    ["date.formats", "date.order", "time.formats"].into_iter().any(under)
        || name.strip_prefix("number.").is_some_and(|rest| rest.split('.').any(|part| part == "format"))
}
