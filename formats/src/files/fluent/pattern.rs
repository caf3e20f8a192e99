//! The texts of patterns: read without their indentation, and written so that they are read again.
//!
//! Characters that Fluent would take away or read as something else stand in a placeable of their own, `{" "}`: blanks at the
//! edges of a text, characters that cannot begin a line, and braces that are none of a placeable. Reading shows such placeables
//! as the characters that they are, if writing puts them back.

use l10n_api_types::{Content, Plural, PluralCategory, PluralForms, PluralKey};

use super::syntax::{FluentChoice, FluentPattern, PatternValue, Reader, is_identifier};
use crate::files::plural::{Needed, Zero};

/// The indentation of lines of a pattern below what they belong to.
pub(super) const STEP: usize = 4;

/// The content of a pattern. `None` where it chooses between variants otherwise than by the categories of a number, or between
/// more than a plural has forms.
pub(super) fn content_of(text: &str, part: &PatternValue) -> Option<Content> {
    let pattern = &part.pattern;
    if !pattern.has_choice {
        return Some(Content::Text(text_of(text, pattern)));
    }
    plural_of(text, pattern.choice.as_ref()?).map(Content::Plural)
}

fn plural_of(text: &str, choice: &FluentChoice) -> Option<Plural> {
    let mut forms = PluralForms::default();
    let mut default = None;
    for variant in &choice.variants {
        let key = key_of(text.get(variant.key.clone())?)?;
        if variant.pattern.has_choice || forms.contains_key(key) {
            return None;
        }
        let said = text_of(text, &variant.pattern);
        if variant.is_default {
            default = Some((key.category()?, said.clone()));
        }
        forms.insert(key, said);
    }
    let (category, said) = default?;
    // In languages without it, another category stands for all other numbers.
    if !forms.contains_key(PluralKey::OTHER) {
        forms.insert(PluralKey::OTHER, said);
    } else if category != PluralCategory::Other {
        return None;
    }
    let arg = text.get(choice.argument.clone())?.to_owned();
    (forms.len() <= Plural::MOST_FORMS).then_some(Plural { arg, forms })
}

/// The key of a variant: a category, or a number for itself alone.
fn key_of(key: &str) -> Option<PluralKey> {
    let category = PluralCategory::ALL.iter().find(|category| category.as_str() == key);
    let is_one = |number: &u64| *number <= PluralKey::LARGEST && number.to_string() == key;
    let number = || key.parse().ok().filter(is_one).map(PluralKey::Exact);
    category.map(|category| PluralKey::Category(*category)).or_else(number)
}

fn text_of(text: &str, pattern: &FluentPattern) -> String {
    let raw = without_indentation(text, pattern);
    if !raw.contains("{\"") {
        return raw;
    }
    for is_full in [true, false] {
        let shown = unescaped(&raw, is_full);
        if shown != raw && meant(&escaped(&shown)) == meant(&raw) {
            return shown;
        }
    }
    raw
}

fn without_indentation(text: &str, pattern: &FluentPattern) -> String {
    let raw = text.get(pattern.at.clone()).unwrap_or_default();
    if !raw.contains('\n') {
        return raw.to_owned();
    }
    let before = text.get(..pattern.at.start).unwrap_or_default();
    let first = before.rsplit('\n').next().unwrap_or_default();
    let own = Some(first.len()).filter(|_| all_blanks(first));
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut placeables = pattern.placeables.iter().peekable();
    let mut lines: Vec<(&str, bool)> = Vec::new();
    let mut start = pattern.at.start;
    for line in raw.split('\n') {
        while placeables.next_if(|placeable| placeable.end <= start).is_some() {}
        let is_inside = placeables.peek().is_some_and(|placeable| placeable.start < start);
        lines.push((line.strip_suffix('\r').unwrap_or(line), is_inside));
        start += line.len() + 1;
    }
    let later = || lines.iter().skip(1).filter(|(line, _)| !all_blanks(line));
    let of_text = later().filter(|(_, is_inside)| !is_inside).map(|(line, _)| blanks(line)).chain(own).min();
    let common = of_text.or_else(|| later().map(|(line, _)| blanks(line)).min()).unwrap_or_default();
    let mut out = String::with_capacity(raw.len());
    for (at, (line, is_inside)) in lines.iter().enumerate() {
        if at == 0 {
            // A first line that stands further to the right than others keeps those blanks.
            out.push_str(&" ".repeat(own.unwrap_or(common).saturating_sub(common)));
            out.push_str(line);
            continue;
        }
        out.push('\n');
        if *is_inside || !all_blanks(line) {
            out.push_str(line.get(common.min(blanks(line))..).unwrap_or_default());
        }
    }
    out
}

/// Characters that have a placeable of their own, with what stands in its quotes.
const ESCAPES: [(char, &str); 7] =
    [('{', "{"), ('}', "}"), ('[', "["), ('*', "*"), ('.', "."), ('\r', "\\u000D"), ('\t', "\\u0009")];

/// The pattern with some placeables of a string literal replaced. `shown` gets what stands before one, after the last one, and
/// the inside and what stands behind if the placeable holds nothing else; it returns what is shown in its place.
fn with_literals<'p>(
    pattern: &'p str,
    mut shown: impl FnMut(&str, Option<(&'p str, &'p str)>) -> Option<String>,
) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once("{\"") {
        out.push_str(before);
        let inside = after.find('"').and_then(|end| Some((after.get(..end)?, after.get(end..)?.strip_prefix("\"}")?)));
        match (shown(before, inside), inside) {
            (Some(shown), Some((_, behind))) => {
                out.push_str(&shown);
                rest = behind;
            }
            _ => {
                out.push_str("{\"");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The character that has a placeable of its own with this inside.
fn escape_of(inside: &str) -> Option<char> {
    ESCAPES.iter().find(|(_, escape)| *escape == inside).map(|(c, _)| *c)
}

/// Returns true if nothing but blanks is there.
fn all_blanks(text: &str) -> bool {
    text.bytes().all(|byte| byte == b' ')
}

/// The text with the characters of placeables that hold nothing else: of all such, or of those alone that may stand anywhere.
fn unescaped(raw: &str, is_full: bool) -> String {
    let has_lines = raw.contains('\n');
    // Nothing stands on the line so far, and nothing but blanks.
    let (mut is_start, mut is_blank) = (true, true);
    with_literals(raw, |before, placeable| {
        let line = before.rsplit('\n').next().unwrap_or_default();
        let is_new = line.len() < before.len();
        let starts = line.is_empty() && (is_new || is_start);
        let blank = all_blanks(line) && (is_new || is_blank);
        (is_start, is_blank) = (false, false);
        let (inside, behind) = placeable?;
        match escape_of(inside) {
            Some('[' | '*' | '.') if !(is_full && blank && has_lines) => None,
            Some(c) => Some(c.to_string()),
            None => (is_full && all_blanks(inside) && (starts || behind.is_empty())).then(|| inside.to_owned()),
        }
    })
}

/// The characters that a pattern says, with those that stand in placeables of their own told apart from placeables.
fn meant(pattern: &str) -> String {
    with_literals(pattern, |_, placeable| {
        let (inside, _) = placeable?;
        let said = escape_of(inside).map(String::from).or_else(|| all_blanks(inside).then(|| inside.to_owned()))?;
        // No text holds NUL.
        Some(said.replace('{', "\0(").replace('}', "\0)"))
    })
}

fn literal(out: &mut String, inside: &str) {
    out.push_str("{\"");
    out.push_str(inside);
    out.push_str("\"}");
}

/// The text as a pattern without its indentation.
fn escaped(text: &str) -> String {
    // Not all programs count the indentation of lines that begin with a placeable.
    let is_anchor = |line: &str| line.starts_with(|c| !matches!(c, ' ' | '{' | '}' | '[' | '*' | '.'));
    let is_anchored = text.split('\n').any(is_anchor);
    let mut out = String::with_capacity(text.len() + 16);
    if text.is_empty() {
        literal(&mut out, "");
        return out;
    }
    if text.bytes().all(|byte| byte == b'\t') {
        text.chars().for_each(|_| literal(&mut out, "\\u0009"));
        return out;
    }
    // Placeables are read with the indentation that their lines will have.
    let wide = text.replace('\n', "\n    ");
    let has_lines = text.contains('\n');
    let mut reader = Reader::of(&wide);
    let (mut at, mut begins_line) = (0, true);
    while let Some(rest) = wide.get(at..).filter(|rest| begins_line || !rest.is_empty()) {
        if std::mem::take(&mut begins_line) {
            at += begin_line(&mut out, rest, (at == 0, has_lines, is_anchored));
            continue;
        }
        let Some(c) = rest.chars().next() else { break };
        match c {
            '\n' => {
                out.push('\n');
                at += 1 + STEP;
                begins_line = true;
                continue;
            }
            '{' => {
                reader.at = at;
                if reader.placeable() {
                    out.push_str(&wide.get(at..reader.at).unwrap_or_default().replace("\n    ", "\n"));
                    at = reader.at;
                    continue;
                }
                literal(&mut out, "{");
            }
            '}' => literal(&mut out, "}"),
            '\r' => literal(&mut out, "\\u000D"),
            ' ' => {
                let blanks = rest.len() - rest.trim_start_matches(' ').len();
                let run = rest.get(..blanks).unwrap_or_default();
                if blanks == rest.len() {
                    literal(&mut out, run)
                } else {
                    out.push_str(run)
                }
                at += blanks;
                continue;
            }
            c => out.push(c),
        }
        at += c.len_utf8();
    }
    out
}

/// Writes the beginning of a line; gives the length of what it wrote.
fn begin_line(out: &mut String, rest: &str, (is_first, has_lines, is_anchored): (bool, bool, bool)) -> usize {
    let line = rest.split('\n').next().unwrap_or_default();
    let is_last = line.len() == rest.len();
    let blanks = line.len() - line.trim_start_matches(' ').len();
    let run = line.get(..blanks).unwrap_or_default();
    if blanks == line.len() {
        if blanks > 0 || is_first || is_last {
            literal(out, run);
        }
        return blanks;
    }
    if (is_first || !is_anchored) && blanks > 0 {
        literal(out, run);
        return blanks;
    }
    out.push_str(run);
    match line.get(blanks..).and_then(|line| line.chars().next()) {
        Some(c @ ('[' | '*' | '.')) if has_lines => {
            literal(out, c.encode_utf8(&mut [0; 4]));
            blanks + 1
        }
        _ => blanks,
    }
}

/// The place of a content that is written.
pub(super) struct PatternPlace<'a> {
    /// The bytes that stand there, from the `=` on.
    pub raw: &'a str,
    /// The indentation of new lines.
    pub indent: usize,
    pub newline: &'a str,
}

impl PatternPlace<'_> {
    /// The content with the blanks before it.
    pub(super) fn written(&self, content: &Content) -> String {
        match content {
            Content::Text(text) => self.text(&escaped(text)),
            Content::Plural(plural) => self.plural(plural),
        }
    }

    fn text(&self, escaped: &str) -> String {
        let blanks = self.raw.len() - self.raw.trim_start_matches([' ', '\r', '\n']).len();
        let lead = self.raw.get(..blanks).unwrap_or_default();
        let own = lead.rsplit_once('\n').map(|(_, indent)| indent.len());
        if escaped.contains('\n') {
            return self.lines(escaped, own.filter(|own| *own > 0).unwrap_or(self.indent));
        }
        let lead = match own {
            Some(0) => " ",
            Some(_) if escaped.starts_with(['[', '*', '.']) => " ",
            None if self.raw.is_empty() => " ",
            _ => lead,
        };
        format!("{lead}{escaped}")
    }

    fn lines(&self, escaped: &str, indent: usize) -> String {
        let mut out = String::new();
        for line in escaped.split('\n') {
            out.push_str(self.newline);
            if !line.is_empty() {
                out.push_str(&" ".repeat(indent));
                out.push_str(line);
            }
        }
        out
    }

    fn plural(&self, Plural { arg, forms }: &Plural) -> String {
        let argument: String = arg.chars().filter(|c| c.is_ascii() && is_identifier(&format!("a{c}"))).collect();
        let argument = if is_identifier(&argument) { argument.as_str() } else { "n" };
        let line = |indent: usize, text: &str| format!("{}{}{text}", self.newline, " ".repeat(indent));
        let mut out = line(self.indent, &format!("{{ ${argument} ->"));
        for (key, text) in forms.iter() {
            let (column, mark) = if key == PluralKey::OTHER { (STEP - 1, "*") } else { (STEP, "") };
            let key = key.to_string();
            out.push_str(&line(self.indent + column, &format!("{mark}[{}]", key.trim_start_matches('='))));
            let escaped = escaped(text);
            if escaped.contains('\n') {
                out.push_str(&self.lines(&escaped, self.indent + 2 * STEP));
            } else {
                out.push(' ');
                out.push_str(&escaped);
            }
        }
        out.push_str(&line(self.indent, "}"));
        out
    }
}

/// The content in a language: a plural with the forms that it needs.
pub(super) fn complete(content: Content, needed: &Needed) -> Content {
    match content {
        Content::Text(text) => Content::Text(text),
        Content::Plural(plural) => {
            let mut forms = plural.forms.clone();
            for (category, text) in needed.complete(Content::Plural(plural.clone()), false, Zero::Category) {
                if !forms.contains_key(category) {
                    forms.insert(category, text);
                }
            }
            Content::Plural(Plural { arg: plural.arg, forms })
        }
    }
}
