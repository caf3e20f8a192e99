//! References in text: read as characters, and written where a character needs one.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{is_allowed, is_name, with_line_feeds};
use crate::files::error::shown;

/// The entities that a file declares itself. They stay references in its texts.
#[derive(Debug, Default, Clone)]
pub(in crate::files) struct Entities {
    declared: HashSet<Box<str>>,
    /// The longest name, so that no more than that is looked at after an `&`.
    longest: usize,
    /// Texts hold tags as they are: then `&lt;` before a letter is kept, so that it is told apart from a tag.
    has_tags: bool,
}

/// The characters that a file writes as references although it need not.
#[derive(Debug, Default, Clone, Copy)]
pub(in crate::files) struct Escapes {
    pub greater: bool,
    pub quotes: bool,
}

impl Entities {
    pub(super) fn declare(&mut self, name: &str) {
        self.longest = self.longest.max(name.len());
        self.declared.insert(name.into());
    }

    /// Those to which raw text refers.
    pub(in crate::files) fn used_in(raw: &str) -> Self {
        let mut entities = Self::default();
        for (at, _) in raw.match_indices('&') {
            let rest = raw.get(at + 1..).unwrap_or_default();
            let end = rest.bytes().position(|byte| matches!(byte, b';' | b'&' | b'<' | b' '));
            let name = end.filter(|end| rest.as_bytes().get(*end) == Some(&b';')).and_then(|end| rest.get(..end));
            if let Some(name) = name.filter(|name| is_name(name) && character(name).is_none()) {
                entities.declare(name);
            }
        }
        entities
    }

    /// Returns true if there is one.
    pub(in crate::files) fn is_some_declared(&self) -> bool {
        !self.declared.is_empty()
    }

    /// The same for texts that hold tags as they are.
    pub(in crate::files) fn with_tags(&self) -> Self {
        Self { has_tags: true, ..self.clone() }
    }

    /// Says the fault of a reference, by what stands between `&` and `;`.
    pub(super) fn check(&self, name: &str) -> Result<(), String> {
        if character(name).is_some() || self.declared.contains(name) {
            return Ok(());
        }
        if name.starts_with('#') {
            return Err(format!("{} is no character that XML can hold", shown(&format!("&{name};"))));
        }
        Err(format!("the file declares no entity {}: write `&amp;` for `&`", shown(name)))
    }

    /// The length of a reference to an entity of the file's own at the start of `text`, written with any number of `amp;`
    /// after its `&`. With those, text that only looks like such a reference is told apart from one.
    pub(in crate::files) fn own_reference(&self, text: &str) -> Option<usize> {
        if self.declared.is_empty() && !self.has_tags {
            return None;
        }
        let mut rest = text.strip_prefix('&')?;
        while let Some(inner) = rest.strip_prefix("amp;") {
            rest = inner;
        }
        if self.has_tags && rest.strip_prefix("lt;").is_some_and(begins_tag) {
            return Some(text.len() - rest.len() + "lt;".len());
        }
        let end = rest.bytes().take(self.longest + 1).position(|byte| byte == b';')?;
        self.declared.contains(rest.get(..end)?).then(|| text.len() - rest.len() + end + 1)
    }

    /// The characters of raw text, with LF as line end; references to the file's own entities stay.
    pub(in crate::files) fn decoded<'t>(&self, raw: &'t str) -> Cow<'t, str> {
        if !raw.contains('&') {
            return with_line_feeds(raw);
        }
        let mut text = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(at) = rest.find('&') {
            let (before, reference) = rest.split_at(at);
            text.push_str(&with_line_feeds(before));
            if let Some(length) = self.own_reference(reference) {
                let (own, after) = reference.split_at(length);
                text.push_str(own);
                rest = after;
                continue;
            }
            let name = reference.get(1..).and_then(|inner| inner.split_once(';'));
            match name.and_then(|(name, after)| Some((character(name)?, after))) {
                Some((char, after)) => {
                    match char {
                        '<' if self.has_tags && begins_tag(after) => text.push_str("&lt;"),
                        _ => text.push(char),
                    }
                    rest = after;
                }
                None => {
                    text.push('&');
                    rest = reference.get(1..).unwrap_or_default();
                }
            }
        }
        text.push_str(&with_line_feeds(rest));
        Cow::Owned(text)
    }

    /// The text as XML holds it. A character that it cannot hold becomes U+FFFD.
    pub(in crate::files) fn encoded(&self, text: &str, escapes: Escapes) -> String {
        let mut raw = String::with_capacity(text.len() + 16);
        let mut own_end = 0;
        for (at, char) in text.char_indices() {
            if at < own_end {
                raw.push(char);
                continue;
            }
            match char {
                '&' => match self.own_reference(text.get(at..).unwrap_or_default()) {
                    Some(length) => {
                        own_end = at + length;
                        raw.push('&');
                    }
                    None => raw.push_str("&amp;"),
                },
                '<' => raw.push_str("&lt;"),
                '>' if escapes.greater || raw.ends_with("]]") => raw.push_str("&gt;"),
                '"' if escapes.quotes => raw.push_str("&quot;"),
                '\'' if escapes.quotes => raw.push_str("&apos;"),
                '\r' => raw.push_str("&#13;"),
                _ if is_allowed(char) => raw.push(char),
                _ => raw.push('\u{fffd}'),
            }
        }
        raw
    }
}

/// Returns true if `<` before the text looks like a tag.
pub(in crate::files) fn begins_tag(after: &str) -> bool {
    let name = after.strip_prefix('/').unwrap_or(after);
    name.starts_with(|char: char| char.is_ascii_alphabetic())
}

/// The character of a reference that needs no declaration.
fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#').filter(|number| number.len() <= 16)?;
            let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok().filter(|_| is_number(hex)),
                None => number.parse().ok().filter(|_| is_number(number)),
            };
            char::from_u32(code?).filter(|char| is_allowed(*char))
        }
    }
}
