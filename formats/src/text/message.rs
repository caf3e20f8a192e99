//! ICU MessageFormat, as far as a translation needs it: the places of its texts, and the arguments of its plurals and
//! selects.
//!
//! Only texts with a plural, select or selectordinal argument are messages in this sense; `{name}` alone is a placeholder
//! like any other. Apostrophes quote as in ICU: `'{'` is a brace, `''` an apostrophe, any other apostrophe itself.

use std::collections::HashSet;
use std::ops::Range;

use super::{Syntax, placeholders};

/// Deepest nesting that is read.
pub(super) const DEEPEST_MESSAGE: usize = 16;

/// A parsed message: its parts in order. Ranges are bytes of the whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The bytes that it takes.
    pub range: Range<usize>,
    /// Texts and choices, in order.
    pub parts: Vec<Part>,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text with simple placeholders.
    Text(Range<usize>),
    /// An argument that chooses between messages.
    Choice(Choice),
}

/// The kind of value that a choice depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChoiceKind {
    /// An amount.
    Plural,
    /// A rank.
    Ordinal,
    /// A word.
    Select,
}

/// An argument that chooses between messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Name of the argument.
    pub argument: String,
    /// The kind of the argument's value.
    pub kind: ChoiceKind,
    /// Its branches, in order.
    pub branches: Vec<Branch>,
}

/// One branch of a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Branch {
    /// `one`, `=0`, `female`.
    pub selector: String,
    /// The first byte of the selector.
    pub start: usize,
    /// The text of the branch.
    pub message: Message,
}

/// A fault in a message, and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} at character {at}")]
pub struct MessageError {
    /// The fault.
    pub what: &'static str,
    /// Unicode scalar values before the fault.
    pub at: usize,
}

/// Returns whether a text of this syntax holds a choice, and is therefore a message.
#[must_use]
pub fn is_message(text: &str, syntax: Syntax) -> bool {
    syntax.has_choices() && text.match_indices('{').any(|(at, _)| choice_head(&text[at..]).is_some())
}

/// Parses a message.
///
/// # Errors
///
/// Returns the fault and its place; nesting deeper than 16 is a fault, too.
pub fn parse(text: &str) -> Result<Message, MessageError> {
    let mut parser = Parser { text, at: 0 };
    let message = parser.message(0, false)?;
    if parser.at < text.len() {
        return Err(parser.error("`}` without `{`"));
    }
    Ok(message)
}

/// The head of a choice, `{name, plural,`: its argument, kind and length.
fn choice_head(rest: &str) -> Option<(&str, ChoiceKind, usize)> {
    let rest = rest.strip_prefix('{')?;
    let window = &rest.as_bytes()[..rest.len().min(256)];
    let first = window.iter().position(|byte| matches!(byte, b',' | b'{' | b'}'))?;
    let second = first + 1 + window.get(first + 1..)?.iter().position(|byte| matches!(byte, b',' | b'{' | b'}'))?;
    if window[first] != b',' || window[second] != b',' {
        return None;
    }
    let name = rest[..first].trim();
    let kind = match rest[first + 1..second].trim() {
        "plural" => ChoiceKind::Plural,
        "selectordinal" => ChoiceKind::Ordinal,
        "select" => ChoiceKind::Select,
        _ => return None,
    };
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some((name, kind, second + 2))
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, what: &'static str) -> MessageError {
        MessageError { what, at: self.text[..self.at].chars().count() }
    }

    /// Reads a message up to the end, or to the `}` that ends a branch.
    fn message(&mut self, depth: usize, in_plural: bool) -> Result<Message, MessageError> {
        if depth > DEEPEST_MESSAGE {
            return Err(self.error("nested too deep"));
        }
        let start = self.at;
        let mut parts = Vec::new();
        let mut text_start = self.at;
        while let Some(character) = self.rest().chars().next() {
            match character {
                '}' => break,
                '\'' => self.at += quoted(self.rest(), in_plural).ok_or_else(|| self.error("quote that never ends"))?,
                '{' => {
                    if let Some((argument, kind, length)) = choice_head(self.rest()) {
                        let argument = argument.to_owned();
                        if text_start < self.at {
                            parts.push(Part::Text(text_start..self.at));
                        }
                        self.at += length;
                        let branches = self.branches(depth, kind)?;
                        parts.push(Part::Choice(Choice { argument, kind, branches }));
                        text_start = self.at;
                    } else {
                        self.at += placeholders::argument(self.rest())
                            .ok_or_else(|| self.error("`{` that begins no argument"))?;
                    }
                }
                other => self.at += other.len_utf8(),
            }
        }
        if text_start < self.at {
            parts.push(Part::Text(text_start..self.at));
        }
        Ok(Message { range: start..self.at, parts })
    }

    /// The branches of a choice and its closing brace.
    fn branches(&mut self, depth: usize, kind: ChoiceKind) -> Result<Vec<Branch>, MessageError> {
        let mut branches = Vec::new();
        let mut selectors = HashSet::new();
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            if self.rest().starts_with('}') {
                break;
            }
            if kind != ChoiceKind::Select && self.rest().starts_with("offset:") {
                self.at += "offset:".len();
                self.at +=
                    self.rest().len() - self.rest().trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).len();
                continue;
            }
            let start = self.at;
            let length =
                self.rest().find(|c: char| c.is_whitespace() || matches!(c, '{' | '}')).unwrap_or(self.rest().len());
            if length == 0 {
                return Err(self.error("a branch needs a selector such as `other`"));
            }
            let selector = &self.rest()[..length];
            if !selectors.insert(selector) {
                return Err(self.error("two branches with one selector"));
            }
            self.at += length;
            self.at += self.rest().len() - self.rest().trim_start().len();
            if !self.rest().starts_with('{') {
                return Err(self.error("a branch needs `{`"));
            }
            self.at += 1;
            let message = self.message(depth + 1, kind != ChoiceKind::Select)?;
            if !self.rest().starts_with('}') {
                return Err(self.error("a branch that is never closed"));
            }
            self.at += 1;
            branches.push(Branch { selector: selector.to_owned(), start, message });
        }
        if !selectors.contains("other") {
            return Err(self.error("a choice needs the branch `other`"));
        }
        self.at += 1;
        Ok(branches)
    }
}

/// Length of the apostrophe or quoted part at the beginning of `rest`; `None` when a quote never ends, or when `rest`
/// begins with something else.
#[must_use]
pub fn quoted(rest: &str, in_plural: bool) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    let opens = inside.starts_with(['{', '}']) || (in_plural && inside.starts_with('#'));
    if inside.starts_with('\'') {
        return Some(2);
    }
    if !opens {
        return Some(1);
    }
    let mut at = 0;
    loop {
        at += inside[at..].find('\'')?;
        if !inside[at + 1..].starts_with('\'') {
            return Some(at + 2);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_plural_is_read_with_its_branches() {
        let text = "You have {n, plural, offset:1 =0 {no files} one {# file in {folder}} other {# files}}.";
        let message = parse(text).unwrap();
        let [Part::Text(before), Part::Choice(choice), Part::Text(after)] = &message.parts[..] else {
            panic!("{message:?}")
        };
        assert_eq!((&text[before.clone()], &text[after.clone()]), ("You have ", "."));
        assert_eq!((choice.argument.as_str(), choice.kind), ("n", ChoiceKind::Plural));
        let branches: Vec<_> = choice
            .branches
            .iter()
            .map(|branch| (branch.selector.as_str(), &text[branch.message.range.clone()]))
            .collect();
        assert_eq!(branches, [("=0", "no files"), ("one", "# file in {folder}"), ("other", "# files")]);
    }

    #[test]
    fn only_texts_with_a_choice_are_messages() {
        for syntax in [Syntax::Mixed, Syntax::Icu, Syntax::I18next] {
            assert!(is_message("{g, select, female {she} other {they}}", syntax));
            assert!(is_message("{n,selectordinal,one{#st}other{#th}}", syntax));
        }
        assert!(!is_message("{n,selectordinal,one{#st}other{#th}}", Syntax::Fluent));
        for text in ["", "{name}", "{n, number}", "{n, plural}", "it's {{x}}", "{", "{a, b, c}"] {
            assert!(!is_message(text, Syntax::Mixed), "{text}");
        }
    }

    #[test]
    fn a_broken_message_is_refused_with_the_place() {
        let cases = [
            ("{n, plural, one {a}}", "a choice needs the branch `other` at character 19"),
            ("é{n, plural, other {a}", "a branch needs a selector such as `other` at character 22"),
            ("{n, plural, other {a", "a branch that is never closed at character 20"),
            ("{n, plural, other {a}} }", "`}` without `{` at character 23"),
            ("{n, plural, other {'{a}}", "quote that never ends at character 19"),
            ("{n, plural, other {a} other {b}}", "two branches with one selector at character 22"),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).unwrap_err().to_string(), expected, "{text}");
        }
        assert_eq!(parse(&"{n, plural, other {".repeat(50)).unwrap_err().what, "nested too deep");
    }

    #[test]
    fn apostrophes_quote_as_in_icu() {
        assert!(parse("it's {n, plural, other {'{'#'}' isn''t '#'}}").is_ok());
    }

    proptest! {
        #[test]
        fn nothing_makes_the_parser_panic(text in "([{}#', ]|n|plural|select|other|=1|é){0,40}") {
            let _ = (is_message(&text, Syntax::Mixed), parse(&text));
        }
    }
}
