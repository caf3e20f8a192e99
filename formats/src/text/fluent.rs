//! Selectors of Fluent, read as choices: `{ $gender -> … }` with its variants. Placeables without variants are placeholders.

use std::ops::Range;

use super::message::{Branch, Choice, ChoiceKind, DEEPEST_MESSAGE, Message, MessageError, Part};
use super::placeholders::placeable;

/// Longest selector, in bytes; after more the brace is a word.
const LONGEST_SELECTOR: usize = 256;

/// Reads a text that has selectors; `None` where it has none.
///
/// # Errors
///
/// Returns the fault and its place: a selector without its one default variant, one that is never closed, or nesting deeper
/// than 16.
pub fn parse(text: &str) -> Result<Option<Message>, MessageError> {
    let mut parser = Parser { text, at: 0 };
    let message = parser.pattern(0)?;
    Ok(message.parts.iter().any(|part| matches!(part, Part::Choice(_))).then_some(message))
}

/// The selector of a placeable with variants: its bytes, and the length up to the end of `->`.
fn selector(rest: &str) -> Option<(Range<usize>, usize)> {
    let mut in_literal = false;
    let bytes = rest.as_bytes().get(..rest.len().min(LONGEST_SELECTOR)).unwrap_or_default();
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match byte {
            b'"' => in_literal = !in_literal,
            _ if in_literal => {}
            b'{' | b'}' => return None,
            b'>' if bytes.get(at - 1) == Some(&b'-') && at > 1 => return Some((1..at - 1, at + 1)),
            _ => {}
        }
    }
    None
}

/// The variable on which a selector depends, as `$name`; empty where it is a term or a text.
fn argument(selector: &str) -> String {
    let variable = selector.split_once('$').map(|(_, after)| {
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-')).unwrap_or(after.len());
        format!("${}", after.get(..end).unwrap_or_default())
    });
    variable.unwrap_or_default()
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn error(&self, what: &'static str) -> MessageError {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        MessageError { what, at: before.chars().count() }
    }

    fn skip_blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Reads a pattern up to the end; within a variant, to the `}` or the line that ends it.
    fn pattern(&mut self, depth: usize) -> Result<Message, MessageError> {
        if depth > DEEPEST_MESSAGE {
            return Err(self.error("nested too deep"));
        }
        let start = self.at;
        let mut parts = Vec::new();
        let mut text_start = self.at;
        while let Some(next) = self.rest().find(['{', '}', '\n']) {
            self.at += next;
            let rest = self.rest();
            if rest.starts_with('{') {
                let Some((of, length)) = selector(rest) else {
                    self.at += placeable(rest).unwrap_or(1);
                    continue;
                };
                if text_start < self.at {
                    parts.push(Part::Text(text_start..self.at));
                }
                let argument = argument(rest.get(of).unwrap_or_default());
                self.at += length;
                let branches = self.variants(depth)?;
                parts.push(Part::Choice(Choice { argument, kind: ChoiceKind::Select, branches }));
                text_start = self.at;
            } else if depth > 0 && rest.starts_with('}') {
                break;
            } else {
                // A run of blanks is looked at once.
                let line = rest.trim_start_matches(char::is_whitespace);
                if depth > 0 && rest.starts_with('\n') && (line.starts_with(['[', '}']) || line.starts_with("*[")) {
                    break;
                }
                self.at += (rest.len() - line.len()).max(1);
            }
        }
        if depth == 0 {
            self.at = self.text.len();
        } else if !self.rest().starts_with(['}', '\n']) {
            return Err(self.error("a selector that is never closed"));
        }
        if text_start < self.at {
            parts.push(Part::Text(text_start..self.at));
        }
        Ok(Message { range: start..self.at, parts })
    }

    /// The variants of a selector and its closing brace.
    fn variants(&mut self, depth: usize) -> Result<Vec<Branch>, MessageError> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut defaults = 0;
        loop {
            self.skip_blanks();
            if self.rest().starts_with('}') {
                break;
            }
            if self.rest().starts_with('*') {
                defaults += 1;
                self.at += 1;
            }
            let inside = self.rest().strip_prefix('[').ok_or_else(|| self.error("a variant begins with `[`"))?;
            let length = inside
                .find(['[', ']', '{', '}', '\n'])
                .filter(|end| inside.get(*end..).is_some_and(|rest| rest.starts_with(']')))
                .ok_or_else(|| self.error("a variant's name that never ends"))?;
            let selector = inside.get(..length).unwrap_or_default().trim().to_owned();
            let start = self.at + 1;
            self.at += length + 2;
            let message = self.pattern(depth + 1)?;
            branches.push(Branch { selector, start, message });
        }
        if defaults != 1 {
            return Err(self.error("a selector needs one default variant, such as `*[other]`"));
        }
        self.at += 1;
        Ok(branches)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::small_stack::{filled, on_small_stack};

    #[test]
    fn a_selector_is_read_with_its_variants() {
        let text = "Hi { $who }, { $gender ->\n    [male] he has { $n }\n   *[other] { -brand(case: \"a\") }:\n        two lines\n} end";
        let message = parse(text).unwrap().unwrap();
        let [Part::Text(before), Part::Choice(choice), Part::Text(after)] = &message.parts[..] else {
            panic!("{message:?}")
        };
        assert_eq!((&text[before.clone()], &text[after.clone()]), ("Hi { $who }, ", " end"));
        assert_eq!(choice.argument, "$gender");
        let branches: Vec<_> = choice
            .branches
            .iter()
            .map(|branch| (branch.selector.as_str(), text[branch.message.range.clone()].trim()))
            .collect();
        let expected = [("male", "he has { $n }"), ("other", "{ -brand(case: \"a\") }:\n        two lines")];
        assert_eq!(branches, expected);
        for plain in ["", "a", "{ $n }", "{ -a } -> b", "{\"->\"}", "a\n[b]", "}", "{"] {
            assert_eq!(parse(plain), Ok(None), "{plain}");
        }
    }

    #[test]
    fn selectors_may_stand_in_variants_and_depend_on_anything() {
        let text = "{ NUMBER($n) ->\n [one] { -brand.gender ->\n  *[a] A\n }\n *[other] B\n}";
        let message = parse(text).unwrap().unwrap();
        let [Part::Choice(choice)] = &message.parts[..] else { panic!("{message:?}") };
        assert_eq!(choice.argument, "$n");
        let inner = choice.branches[0].message.parts.iter().find_map(|part| match part {
            Part::Choice(choice) => Some(choice),
            Part::Text(_) => None,
        });
        assert_eq!(inner.unwrap().argument, "");
    }

    #[test]
    fn a_broken_selector_is_refused_with_its_place() {
        for (text, expected) in [
            ("{ $n ->\n [a] A\n}", "a selector needs one default variant, such as `*[other]` at character 15"),
            (
                "{ $n ->\n *[a] A\n *[b] B\n}",
                "a selector needs one default variant, such as `*[other]` at character 24",
            ),
            ("{ $n ->\n *[a] A", "a selector that is never closed at character 9"),
            ("{ $n ->\n a }", "a variant begins with `[` at character 9"),
            ("{ $n ->\n *[a }", "a variant's name that never ends at character 10"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            let (what, _) = error.rsplit_once(" at character ").unwrap();
            assert!(expected.starts_with(what), "{error}");
        }
        assert_eq!(parse(&"{ $n ->\n *[a] ".repeat(50)).unwrap_err().what, "nested too deep");
    }

    #[test]
    fn the_worst_texts_end_soon_and_on_a_small_stack() {
        on_small_stack(|| {
            for unit in ["{", "}", "{ $n ->", "{ $n ->\n*[a] ", "\n", "\n[", "\n ", "->", "[a]\n", "{\"", " "] {
                for start in ["", "{ $n ->\n*[a] "] {
                    let _ = parse(&format!("{start}{}", filled(256 * 1024, unit)));
                }
            }
        });
    }

    proptest! {
        #[test]
        fn nothing_makes_the_parser_panic(text in "([{}\n* \\[\\]\"-]|->|\\$n|a|é){0,60}") {
            let _ = parse(&text);
        }
    }
}
