//! Text of Markdown.

use std::ops::Range;

use super::OutputPart;
use crate::documents::markdown::is_module_line;
use crate::documents::segment::{Construct, Markup, Segment, Tag};

/// Writes a translation into a block of Markdown.
pub(super) struct Writer<'s, 'o> {
    segment: &'s Segment,
    source: &'s str,
    /// Emphasis is written so that it is read alike beside any character.
    careful: bool,
    out: &'o mut String,
    raw: &'o mut dyn FnMut(&Range<usize>, &mut String),
    /// The segment has more than one line, or another line below belongs to it.
    lines: bool,
    /// The next character begins a line.
    line_start: bool,
    /// Delimiters that are open, as they were written.
    open: Vec<Option<String>>,
    /// The start of each open label's text in `out`.
    labels: Vec<usize>,
}

/// The classes of characters that the rules of emphasis tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CharClass {
    Blank,
    Word,
    Mark,
}

fn side(character: Option<char>) -> CharClass {
    match character {
        None => CharClass::Blank,
        Some(character) if character.is_whitespace() => CharClass::Blank,
        Some(character) if character.is_alphanumeric() => CharClass::Word,
        Some(_) => CharClass::Mark,
    }
}

/// Returns whether a character that begins with this byte may need an escape where it begins no line and stands at
/// neither end of a text.
const fn may_be_mark(byte: u8) -> bool {
    // 0xc2 begins the blank that does not break.
    matches!(byte, b'\\' | b'*' | b'`' | b'[' | b']' | b'~' | b'{' | b'}' | b'_' | b'<' | b'|' | b'#' | b'&' | 0xc2)
}

impl<'s, 'o> Writer<'s, 'o> {
    pub(super) fn new(
        segment: &'s Segment,
        source: &'s str,
        careful: bool,
        out: &'o mut String,
        raw: &'o mut dyn FnMut(&Range<usize>, &mut String),
    ) -> Self {
        let breaks = segment.tags.iter().any(|tag| tag.markup == Markup::Break);
        let lines = breaks || segment.place == Construct::SetextHeading;
        let line_start = match segment.place {
            Construct::AtxHeading => false,
            // The first cell of a row without a `|` before it.
            Construct::Cell => {
                let before = source[..segment.range.start].bytes().rev();
                before.into_iter().find(|byte| matches!(byte, b'\n' | b'\r' | b'|')) != Some(b'|')
            }
            _ => true,
        };
        Self { segment, source, careful, out, raw, lines, line_start, open: Vec::new(), labels: Vec::new() }
    }

    pub(super) fn write(mut self, parts: &[OutputPart<'s>]) {
        for at in 0..parts.len() {
            match parts[at] {
                OutputPart::Text(text) => self.text(text, parts, at),
                OutputPart::Open(tag) => self.open(tag, parts, at),
                OutputPart::Close(tag) => self.close(tag),
                OutputPart::Void(tag) => {
                    self.guard(tag, parts, at);
                    (self.raw)(&tag.open, self.out);
                    self.line_start = tag.markup == Markup::Break;
                }
            }
        }
    }

    fn open(&mut self, tag: &Tag, parts: &[OutputPart<'_>], at: usize) {
        self.guard(tag, parts, at);
        let raw = &self.source[tag.open.clone()];
        if tag.markup == Markup::Delimiter {
            let mut written = raw.to_owned();
            if self.careful && !raw.starts_with('~') {
                let other = if raw.starts_with('*') { "_" } else { "*" };
                let outer = self.open.iter().rev().flatten().next();
                if self.out.ends_with(&raw[..1]) || outer.is_some_and(|outer| outer.starts_with(&raw[..1])) {
                    written = other.repeat(raw.len());
                }
            }
            self.out.push_str(&written);
            self.open.push(Some(written));
        } else {
            (self.raw)(&tag.open, self.out);
            self.open.push(None);
            if matches!(tag.markup, Markup::Label(_)) {
                self.labels.push(self.out.len());
            }
        }
        self.line_start = false;
    }

    fn close(&mut self, tag: &Tag) {
        match (self.open.pop().flatten(), &tag.markup) {
            (Some(written), _) => self.out.push_str(&written),
            (None, Markup::Label(label)) => {
                let start = self.labels.pop().unwrap_or_default();
                if self.out.get(start..) == self.source.get(tag.open.end..tag.close.start) {
                    (self.raw)(&tag.close, self.out);
                } else {
                    self.out.push_str("][");
                    self.out.push_str(label);
                    self.out.push(']');
                }
            }
            _ => (self.raw)(&tag.close, self.out),
        }
        self.line_start = false;
    }

    /// HTML that begins a line may begin a block, unless the line has already begun: with a blank, which is no text there.
    fn guard(&mut self, tag: &Tag, parts: &[OutputPart<'_>], at: usize) {
        let html = self.line_start && self.source[tag.open.clone()].starts_with('<');
        // HTML that began a line in the source began no block.
        let began = match at.checked_sub(1).map(|before| parts[before]) {
            None => tag.open.start == self.segment.range.start,
            Some(OutputPart::Void(before)) => before.open.end == tag.open.start,
            Some(_) => false,
        };
        if html && !began {
            self.out.push_str("&#32;");
        }
    }

    fn text(&mut self, text: &str, parts: &[OutputPart<'_>], at: usize) {
        let module = at == 0 && self.segment.place == Construct::Paragraph && is_module_line(text);
        let last = text.len() - text.chars().next_back().map_or(0, char::len_utf8);
        let before_bracket = match parts.get(at + 1) {
            Some(OutputPart::Open(tag) | OutputPart::Void(tag)) => self.source[tag.open.clone()].starts_with('['),
            _ => false,
        };
        let (mut digits, mut from) = (0, 0);
        while from < text.len() {
            if from > 0 && !self.line_start {
                let plain = text[from..last].bytes().position(may_be_mark).unwrap_or(last - from);
                self.out.push_str(&text[from..from + plain]);
                from += plain;
            }
            let Some(character) = text[from..].chars().next() else { break };
            let before = text[..from].chars().next_back();
            let after = text[from + character.len_utf8()..].chars().next();
            let beside = (from == 0 && self.beside_delimiter(parts, at, character, true))
                || (from == last && self.beside_delimiter(parts, at, character, false));
            // A backslash hides no brace from one that is open before it.
            let brace = self.careful && matches!(character, '{' | '}');
            if beside || brace || (module && from == 0) {
                self.out.push_str(&format!("&#{};", u32::from(character)));
            } else if character == '&' && after.is_none_or(|after| after == '#' || after.is_ascii_alphanumeric()) {
                self.out.push_str("&amp;");
            } else if character == '\u{a0}' {
                self.out.push_str("&nbsp;");
            } else {
                if self.is_mark(character, before, after, digits, before_bracket) {
                    self.out.push('\\');
                }
                self.out.push(character);
            }
            let counts = self.line_start && character.is_ascii_digit();
            digits = if counts { digits + 1 } else { 0 };
            self.line_start &= counts;
            from += character.len_utf8();
        }
    }

    /// Returns whether a character would be read as markup. `digits` counts the digits before it since the beginning of
    /// the line; `before_bracket` says whether a bracket of markup follows the text.
    fn is_mark(
        &self,
        character: char,
        before: Option<char>,
        after: Option<char>,
        digits: usize,
        before_bracket: bool,
    ) -> bool {
        let word = |character: Option<char>| side(character) == CharClass::Word;
        match character {
            '\\' | '*' | '`' | '[' | ']' | '~' | '{' | '}' => true,
            '_' => !(word(before) && word(after)),
            '<' => after.is_none_or(|after| after.is_ascii_alphabetic() || matches!(after, '/' | '!' | '?' | '>')),
            '|' => self.lines || self.line_start || self.segment.place == Construct::Cell,
            '!' => after.is_none() && before_bracket,
            '(' | ':' if before.is_none() && self.out.ends_with(']') => true,
            '#' => self.line_start || (self.segment.place == Construct::AtxHeading && !word(before)),
            '>' | '+' | '-' | '=' | ':' => self.line_start,
            '.' | ')' => self.line_start && digits > 0,
            _ => false,
        }
    }

    /// Returns whether the first (or last) character of a text has to be written as a reference, because of the
    /// emphasis before (or after) it. The rules of emphasis take references for punctuation.
    fn beside_delimiter(&self, parts: &[OutputPart<'_>], at: usize, character: char, first: bool) -> bool {
        let neighbour = |at: usize, step: isize| at.checked_add_signed(step).and_then(|at| parts.get(at));
        let step = if first { -1 } else { 1 };
        let (opens, tag) = match neighbour(at, step) {
            Some(OutputPart::Open(tag)) => (true, tag),
            Some(OutputPart::Close(tag)) => (false, tag),
            _ => return false,
        };
        if tag.markup != Markup::Delimiter {
            return false;
        }
        let own = side(Some(character));
        // Within emphasis only blanks are wrong.
        if opens == first {
            return own == CharClass::Blank;
        }
        // Not all marks outside of ASCII are punctuation in the rules of emphasis.
        if own == CharClass::Blank || (own == CharClass::Mark && character.is_ascii()) {
            return false;
        }
        let delimiter = &self.source[tag.open.clone()];
        let not_in_words = delimiter.starts_with('_') || delimiter == "~";
        // The class of the character on the other side of all delimiters in a row.
        let mut beyond = at;
        let other = loop {
            let Some(next) = beyond.checked_add_signed(step) else { break CharClass::Mark };
            beyond = next;
            match parts.get(beyond) {
                Some(OutputPart::Open(tag) | OutputPart::Close(tag)) if tag.markup == Markup::Delimiter => {}
                Some(OutputPart::Text(text)) => {
                    break side(if first { text.chars().next_back() } else { text.chars().next() });
                }
                _ => break CharClass::Mark,
            }
        };
        not_in_words || self.careful || other != CharClass::Word
    }
}
