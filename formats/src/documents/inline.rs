//! Turns the inline markup of a block into a segment: the nesting of tags, their numbers, and the text between.

use std::borrow::Cow;
use std::ops::Range;

use super::segment::{Construct, Markup, Segment, Tag};
use super::tagged::{is_blank, is_margin, masked, push_collapsed};
use crate::text::Syntax;
use crate::text::message::is_message;

/// A piece of a block in the order of the source. Ranges are bytes of the source.
#[derive(Debug)]
pub(super) enum Inline<'s> {
    /// Text: `raw` as the source has it, `text` as readers see it.
    Text { range: Range<usize>, raw: &'s str, text: Cow<'s, str> },
    /// A line end that means the same as a blank.
    LineEnd,
    /// The beginning of markup that wraps; its end always follows.
    Open { range: Range<usize>, markup: Markup },
    /// The end of the innermost such markup.
    Close { range: Range<usize> },
    /// Markup that wraps nothing.
    Void { range: Range<usize>, markup: Markup },
    /// The start tag of an element, which may never end.
    ElementStart { range: Range<usize>, name: &'s str, opaque: bool },
    /// The end tag of an element, which may never have begun.
    ElementEnd { range: Range<usize>, name: &'s str },
}

/// Most open elements that are searched for the one that an end tag ends. The limit bounds the time of unbalanced ones.
const DEEPEST: usize = 64;

/// The segment of a block; `None` when it holds no letter outside of markup.
pub(super) fn segment(pieces: &[Inline<'_>], place: Construct) -> Option<Segment> {
    let letters =
        |piece: &Inline<'_>| matches!(piece, Inline::Text { text, .. } if text.chars().any(char::is_alphabetic));
    if !pieces.iter().any(letters) {
        return None;
    }
    let partners = partners(pieces);
    let keep_lines = place == Construct::Plain;
    let builder = Builder::run(pieces, &partners, keep_lines, false);
    let builder = if is_message(&builder.text, Syntax::Mixed) {
        Builder::run(pieces, &partners, keep_lines, true)
    } else {
        builder
    };
    builder.letters.then(|| Segment::new(builder.text, builder.start..builder.end, place, builder.tags))
}

/// For each piece that opens or closes, the piece that closes or opens it.
fn partners(pieces: &[Inline<'_>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; pieces.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Inline::Open { .. } | Inline::ElementStart { .. } => open.push(at),
            Inline::Close { .. } => {
                while let Some(start) = open.pop() {
                    if matches!(pieces[start], Inline::Open { .. }) {
                        (partners[start], partners[at]) = (Some(at), Some(start));
                        break;
                    }
                }
            }
            Inline::ElementEnd { name, .. } => {
                let within =
                    open.iter().rev().take(DEEPEST).take_while(|&&start| !matches!(pieces[start], Inline::Open { .. }));
                let is_its_start = |start: usize| match &pieces[start] {
                    Inline::ElementStart { name: begun, .. } => begun.eq_ignore_ascii_case(name),
                    _ => false,
                };
                if let Some(depth) = within.enumerate().find(|(_, start)| is_its_start(**start)).map(|(depth, _)| depth)
                {
                    let start = open[open.len() - 1 - depth];
                    open.truncate(open.len() - 1 - depth);
                    (partners[start], partners[at]) = (Some(at), Some(start));
                }
            }
            Inline::Text { .. } | Inline::LineEnd | Inline::Void { .. } => {}
        }
    }
    partners
}

struct Builder {
    text: String,
    /// Literal text since the last tag.
    literal: String,
    tags: Vec<Tag>,
    /// Open tags, the innermost last.
    open: Vec<u32>,
    start: usize,
    end: usize,
    letters: bool,
    /// Line ends are part of the text.
    keep_lines: bool,
    /// Braces are written as tags, lest the text be taken for an ICU message.
    no_braces: bool,
}

impl Builder {
    fn run(pieces: &[Inline<'_>], partners: &[Option<usize>], keep_lines: bool, no_braces: bool) -> Self {
        let mut builder = Self {
            text: String::new(),
            literal: String::new(),
            tags: Vec::new(),
            open: Vec::new(),
            start: usize::MAX,
            end: 0,
            letters: false,
            keep_lines,
            no_braces,
        };
        let blank = |piece: &Inline<'_>| match piece {
            Inline::Text { text, .. } => text.chars().all(is_margin),
            Inline::LineEnd => true,
            _ => false,
        };
        let first = pieces.iter().position(|piece| !blank(piece)).unwrap_or(pieces.len());
        let last = pieces.iter().rposition(|piece| !blank(piece)).map_or(first, |last| last + 1);
        let mut at = first;
        while at < last {
            at = builder.piece(pieces, partners, at, (at == first, at + 1 == last));
        }
        builder.flush();
        builder
    }

    /// Adds the piece at `at`; where to go on.
    fn piece(
        &mut self,
        pieces: &[Inline<'_>],
        partners: &[Option<usize>],
        at: usize,
        (first, last): (bool, bool),
    ) -> usize {
        match &pieces[at] {
            Inline::Text { range, raw, text } => {
                let start = if first { raw.len() - raw.trim_start_matches(is_margin).len() } else { 0 };
                let end = if last { raw.len() - raw.trim_end_matches(is_margin).len() } else { 0 };
                self.cover(range.start + start..range.end.saturating_sub(end));
                let text = if first { text.trim_start_matches(is_margin) } else { text };
                let text = if last { text.trim_end_matches(is_margin) } else { text };
                // A blank that begins a line is not part of the text.
                let begins = self.literal.is_empty() && self.text.ends_with("/>");
                let broke = begins && self.tags.last().is_some_and(|tag| tag.markup == Markup::Break);
                let text = if broke { text.trim_start_matches(is_blank) } else { text };
                if self.keep_lines {
                    self.literal.push_str(text);
                } else {
                    push_collapsed(&mut self.literal, text);
                }
            }
            Inline::LineEnd => push_collapsed(&mut self.literal, " "),
            Inline::Void { range, markup } => self.void(range.clone(), markup.clone()),
            Inline::Open { range, .. } | Inline::ElementStart { range, .. } => {
                let Some(partner) = partners[at] else {
                    self.void(range.clone(), Markup::Verbatim);
                    return at + 1;
                };
                let (Inline::Close { range: end } | Inline::ElementEnd { range: end, .. }) = &pieces[partner] else {
                    return at + 1;
                };
                let opaque = matches!(&pieces[at], Inline::ElementStart { opaque: true, .. });
                let blank =
                    |piece: &Inline<'_>| matches!(piece, Inline::Text { text, .. } if text.chars().all(is_blank));
                if opaque || pieces[at + 1..partner].iter().all(blank) {
                    self.void(range.start..end.end, Markup::Verbatim);
                    return partner + 1;
                }
                let markup = match &pieces[at] {
                    Inline::Open { markup, .. } => markup.clone(),
                    _ => Markup::Verbatim,
                };
                let number = self.tag(range.clone(), end.clone(), true, markup);
                self.text.push_str(&format!("<{number}>"));
                self.open.push(number);
            }
            Inline::Close { range } | Inline::ElementEnd { range, .. } => {
                if partners[at].is_none() {
                    self.void(range.clone(), Markup::Verbatim);
                    return at + 1;
                }
                self.flush();
                self.cover(range.clone());
                if let Some(number) = self.open.pop() {
                    self.text.push_str(&format!("</{number}>"));
                }
            }
        }
        at + 1
    }

    fn cover(&mut self, range: Range<usize>) {
        self.start = self.start.min(range.start);
        self.end = self.end.max(range.end);
    }

    fn void(&mut self, range: Range<usize>, markup: Markup) {
        let number = self.tag(range, 0..0, false, markup);
        self.text.push_str(&format!("<{number}/>"));
    }

    fn tag(&mut self, open: Range<usize>, close: Range<usize>, wraps: bool, markup: Markup) -> u32 {
        self.flush();
        self.cover(open.clone());
        self.number(Tag { open, close, wraps, parent: self.open.last().copied().unwrap_or(0), markup })
    }

    fn number(&mut self, tag: Tag) -> u32 {
        self.tags.push(tag);
        u32::try_from(self.tags.len()).unwrap_or(u32::MAX)
    }

    /// Ends a run of literal text: a part of it that looks like a tag, and is none, becomes one.
    fn flush(&mut self) {
        let literal = std::mem::take(&mut self.literal);
        self.letters |= literal.chars().any(char::is_alphabetic);
        let mut from = 0;
        for (at, character) in masked(&literal, self.no_braces) {
            self.text.push_str(&literal[from..at]);
            from = at + 1;
            let parent = self.open.last().copied().unwrap_or(0);
            let markup = Markup::Literal(character);
            let number = self.number(Tag { open: 0..0, close: 0..0, wraps: false, parent, markup });
            self.text.push_str(&format!("<{number}/>"));
        }
        self.text.push_str(&literal[from..]);
        self.literal = literal;
        self.literal.clear();
    }
}
