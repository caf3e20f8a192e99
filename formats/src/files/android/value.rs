//! Reads the text of an element, as aapt2 does.

use std::ops::Range;

use crate::files::spliced::{PluralVariant, TextValue};
use crate::files::xml::{Entities, Escapes, Tree, XmlKind, begins_tag, with_line_feeds};

/// The whole text is in quotes.
pub(super) const QUOTED: u8 = 1;
/// The whole text is in CDATA.
pub(super) const CDATA: u8 = 2;
/// The text has elements in it.
pub(super) const TAGS: u8 = 4;
/// There is no text, but `<string/>`.
pub(super) const EMPTY_STRING: u8 = 8;
/// There is no text, but `<item/>`.
pub(super) const EMPTY_ITEM: u8 = 16;

/// Returns true for the blanks that aapt2 takes together.
pub(super) fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t'..='\r')
}

/// Returns true if a tag with this name shows text in another way. `xliff:g` only says something about it.
pub(super) fn is_style(name: &str) -> bool {
    name.split_once(':').is_none_or(|(_, name)| name != "g")
}

/// Returns true for a reference to another resource in place of a text.
pub(super) fn is_reference(tree: &Tree<'_>, node: usize) -> bool {
    let raw = tree.slice(&tree.inner(node)).trim_matches(is_blank);
    let is_name = |name: &str| {
        let is_part = |char: char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-' | ':' | '/' | '*' | '+');
        !name.is_empty() && name.chars().all(is_part)
    };
    match (raw.strip_prefix('@'), raw.strip_prefix('?')) {
        (Some(name), _) => is_name(name) && (name.contains('/') || name == "null" || name == "empty"),
        (None, Some(name)) => is_name(name) && name.starts_with(|char: char| char.is_alphabetic() || char == '*'),
        (None, None) => false,
    }
}

/// Reads the texts of one file.
pub(super) struct Texts<'t> {
    tree: &'t Tree<'t>,
    /// For texts that hold tags.
    with_tags: Entities,
}

impl<'t> Texts<'t> {
    pub(super) fn of(tree: &'t Tree<'t>) -> Self {
        Self { tree, with_tags: tree.entities.with_tags() }
    }

    /// The text of an element and its style.
    pub(super) fn read(&self, node: usize, form: Option<PluralVariant>) -> TextValue {
        let tree = self.tree;
        let after = tree.nodes.get(node).map_or(node, |found| found.after);
        if tree.is_one_tag(node) {
            let end = tree.nodes.get(node).map_or(0, |found| found.range.end);
            let spelling = if tree.name(node) == "item" { EMPTY_ITEM } else { EMPTY_STRING };
            return TextValue { text: String::new(), at: end.saturating_sub(2)..end, spelling, form };
        }
        let below = || tree.nodes.iter().enumerate().take(after).skip(node + 1);
        let is_element = |kind: &XmlKind| matches!(kind, XmlKind::Element { .. });
        let has_tags = below().any(|(_, found)| is_element(&found.kind));
        let has_style = below().any(|(at, found)| is_element(&found.kind) && is_style(tree.name(at)));
        let mut spelling = if has_tags { TAGS } else { 0 };
        let mut at = tree.inner(node);
        // What stands around a text with tags may show, once it has other tags.
        if !has_tags || is_in_quotes(tree.slice(&trimmed(tree, at.clone()))) && !has_style {
            at = trimmed(tree, at);
        }
        if let Some(inside) = self.only_cdata(node) {
            spelling |= CDATA;
            at = trimmed(tree, inside);
        }
        if !has_style && is_in_quotes(tree.slice(&at)) {
            spelling |= QUOTED;
            at = at.start + 1..at.end - 1;
        }
        TextValue { text: self.decoded(node, !has_style, has_tags), at, spelling, form }
    }

    /// The characters of CDATA sections beside which nothing but blanks stands.
    fn only_cdata(&self, node: usize) -> Option<Range<usize>> {
        let tree = self.tree;
        let mut found: Option<Range<usize>> = None;
        let mut is_apart = false;
        for child in tree.children(node) {
            let node = tree.nodes.get(child)?;
            match node.kind {
                XmlKind::CData if is_apart => return None,
                XmlKind::CData => {
                    let start = found.map_or(node.range.start + "<![CDATA[".len(), |found| found.start);
                    found = Some(start..node.range.end - "]]>".len());
                }
                XmlKind::Text if tree.slice(&node.range).chars().all(is_blank) => is_apart = found.is_some(),
                _ => return None,
            }
        }
        found
    }

    fn decoded(&self, node: usize, trims: bool, has_tags: bool) -> String {
        let tree = self.tree;
        let entities = if has_tags { &self.with_tags } else { &tree.entities };
        let after = tree.nodes.get(node).map_or(node, |found| found.after);
        let mut cook =
            Unescaper { text: String::new(), is_quoted: false, had_blank: trims, ends_blank: false, has_tags };
        let mut open: Vec<usize> = Vec::new();
        let mut raw = 0..0;
        let mut at = node + 1;
        loop {
            while let Some(opened) = open.pop_if(|opened| tree.nodes.get(*opened).is_none_or(|found| found.after <= at))
            {
                cook.append(&entities.decoded(tree.slice(&raw)));
                raw = 0..0;
                let end = tree.nodes.get(opened).map_or(0, |found| found.range.end);
                cook.tag(tree.slice(&(tree.inner(opened).end..end)), is_style(tree.name(opened)));
            }
            let Some(found) = tree.nodes.get(at).filter(|_| at < after) else { break };
            if matches!(found.kind, XmlKind::Text | XmlKind::Reference) {
                // Beside each other: a reference and what follows are read as one.
                raw = if raw.is_empty() { found.range.clone() } else { raw.start..found.range.end };
                at += 1;
                continue;
            }
            cook.append(&entities.decoded(tree.slice(&raw)));
            raw = 0..0;
            match found.kind {
                XmlKind::Element { .. } if tree.is_one_tag(at) => {
                    cook.tag(tree.slice(&found.range), is_style(tree.name(at)))
                }
                XmlKind::Element { .. } => {
                    cook.tag(tree.slice(&(found.range.start..tree.inner(at).start)), is_style(tree.name(at)));
                    open.push(at);
                }
                XmlKind::CData if has_tags => {
                    let raw = Entities::default().encoded(tree.cdata(at), Escapes::default());
                    cook.append(&entities.decoded(&raw));
                }
                XmlKind::CData => cook.append(&with_line_feeds(tree.cdata(at))),
                _ => {}
            }
            at += 1;
        }
        cook.append(&entities.decoded(tree.slice(&raw)));
        if trims && cook.ends_blank {
            cook.text.pop();
        }
        cook.text
    }
}

fn trimmed(tree: &Tree<'_>, range: Range<usize>) -> Range<usize> {
    let raw = tree.slice(&range);
    let start = range.start + raw.len() - raw.trim_start_matches(is_blank).len();
    start..start + raw.trim_matches(is_blank).len()
}

/// Returns true if quotes stand around the whole and nowhere else in its text.
fn is_in_quotes(raw: &str) -> bool {
    let Some(inside) = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) else { return false };
    let (mut is_escaped, mut is_tag) = (false, false);
    for byte in inside.bytes() {
        match byte {
            b'<' => is_tag = true,
            b'>' => is_tag = false,
            _ if is_tag => {}
            b'"' if !is_escaped => return false,
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    !is_escaped && !is_tag
}

/// The unescaping of aapt2.
struct Unescaper {
    text: String,
    is_quoted: bool,
    had_blank: bool,
    /// The last character is a blank of the file's layout.
    ends_blank: bool,
    has_tags: bool,
}

impl Unescaper {
    fn tag(&mut self, raw: &str, is_style: bool) {
        self.text.push_str(raw);
        self.ends_blank = false;
        if is_style {
            self.is_quoted = false;
            self.had_blank = false;
        }
    }

    fn append(&mut self, text: &str) {
        let mut chars = text.chars();
        while let Some(char) = chars.next() {
            if !self.is_quoted && is_blank(char) {
                if !self.had_blank {
                    self.text.push(' ');
                    self.ends_blank = true;
                }
                self.had_blank = true;
                continue;
            }
            self.had_blank = false;
            self.ends_blank = false;
            match char {
                '\\' => {
                    let rest = chars.as_str();
                    match chars.next() {
                        Some('n') => self.text.push('\n'),
                        Some('t') => self.text.push('\t'),
                        Some('u') => {
                            let (char, length) = code(chars.as_str());
                            chars = rest.get(1 + length..).unwrap_or_default().chars();
                            match char {
                                '<' if self.has_tags && begins_tag(chars.as_str()) => self.text.push_str("&lt;"),
                                _ => self.text.push(char),
                            }
                        }
                        Some(char) => self.text.push(char),
                        None => {}
                    }
                }
                '"' => self.is_quoted = !self.is_quoted,
                _ => self.text.push(char),
            }
        }
    }
}

/// The character of the digits after `\u`, and their number with those of a second half.
fn code(text: &str) -> (char, usize) {
    let unit = |text: &str| {
        let length = text.bytes().take(4).take_while(u8::is_ascii_hexdigit).count();
        let digits = text.get(..length).unwrap_or_default();
        (u32::from_str_radix(digits, 16).unwrap_or(0xfffd), length)
    };
    let (first, length) = unit(text);
    if (0xd800..0xdc00).contains(&first)
        && let Some(rest) = text.get(length..).and_then(|rest| rest.strip_prefix("\\u"))
        && let (second @ 0xdc00..0xe000, more) = unit(rest)
    {
        let char = char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
        return (char.unwrap_or('\u{fffd}'), length + 2 + more);
    }
    (char::from_u32(first).unwrap_or('\u{fffd}'), length)
}
