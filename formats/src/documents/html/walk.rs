//! Turns tokens into blocks of text.

use std::borrow::Cow;
use std::ops::Range;

use super::elements::{Element, element, is_read, is_unmarked, may_lack_end};
use super::tokens::{Token, read};
use crate::documents::inline::Inline;
use crate::documents::segment::{Construct, Markup};
use crate::documents::sink::Sink;
use crate::documents::tagged::is_blank;

/// A start tag while it is read.
#[derive(Default)]
struct Start {
    from: usize,
    unmarked: bool,
    /// The attributes that count: name, value and span.
    attributes: Vec<(String, String, Range<usize>)>,
}

/// An element that is left unchanged until its end tag.
struct Opaque<'v> {
    name: &'v str,
    from: usize,
    /// Elements of the same name that are open within.
    depth: usize,
    inline: bool,
}

/// Reads a piece of HTML that begins at `base` of the document.
pub(super) struct HtmlWalker<'v, 'k, 's> {
    view: &'v str,
    base: usize,
    /// In Markdown, the hidden groups of braces, in bytes of the document.
    groups: Option<&'v [Range<usize>]>,
    sink: &'k mut Sink<'s>,
    pieces: Vec<Inline<'v>>,
    start: Start,
    opaque: Option<Opaque<'v>>,
    /// The block that the text is in.
    block: Element,
}

impl<'v, 'k, 's> HtmlWalker<'v, 'k, 's> {
    pub(super) fn new(view: &'v str, base: usize, groups: Option<&'v [Range<usize>]>, sink: &'k mut Sink<'s>) -> Self {
        let (pieces, start) = (Vec::new(), Start::default());
        Self { view, base, groups, sink, pieces, start, opaque: None, block: Element::Block }
    }

    pub(super) fn run(mut self) {
        read(self.view, |token, span| self.token(&token, span));
        self.flush();
    }

    fn token(&mut self, token: &Token<'_>, span: Range<usize>) {
        match token {
            Token::Open => self.start = Start { from: span.start, ..Start::default() },
            Token::Attribute { name, value } => {
                self.start.unmarked |= is_unmarked(name, value);
                if is_read(name) || matches!(*name, "name" | "content") {
                    self.start.attributes.push(((*name).to_owned(), (*value).to_owned(), span));
                }
            }
            Token::OpenEnd { self_closing } => self.open(span.end, *self_closing),
            Token::Close => self.close(span),
            _ if self.opaque.is_some() => {}
            Token::Text(text) => self.text(text, span),
            Token::Comment => self.void(span),
            Token::Doctype => self.flush(),
        }
    }

    fn in_markdown(&self) -> bool {
        self.groups.is_some()
    }

    fn open(&mut self, end: usize, self_closing: bool) {
        let Start { from, unmarked, attributes } = std::mem::take(&mut self.start);
        let name = name(&self.view[from + 1..end]);
        if let Some(opaque) = &mut self.opaque {
            let same = opaque.name.eq_ignore_ascii_case(name);
            if !(same && may_lack_end(name)) {
                opaque.depth += usize::from(same && !self_closing);
                return;
            }
            let from = opaque.from;
            self.leave(from..from);
        }
        let component = self.in_markdown() && name.starts_with(|c: char| c.is_ascii_uppercase());
        let found = if component { Element::Block } else { element(name) };
        // Only components and foreign elements end where they begin; HTML says that others do not.
        let ended = self_closing && (component || matches!(found, Element::Code | Element::Inline));
        let lone = ended || matches!(found, Element::Void | Element::VoidBlock);
        if unmarked || matches!(found, Element::Code | Element::Opaque) {
            let inline = matches!(found, Element::Code | Element::Inline | Element::Void);
            if !inline {
                self.flush();
            }
            if !lone {
                self.opaque = Some(Opaque { name, from, depth: 0, inline });
            } else if inline {
                self.void(from..end);
            }
            return;
        }
        self.attributes(name, &attributes);
        match found {
            Element::Block | Element::Heading | Element::Title => {
                self.flush();
                self.block = found;
            }
            Element::VoidBlock => self.flush(),
            _ if lone => self.void(from..end),
            _ => {
                let range = self.place(from..end);
                self.pieces.push(Inline::ElementStart { range, name, opaque: false });
            }
        }
    }

    fn close(&mut self, span: Range<usize>) {
        let name = name(self.view[span.clone()].trim_start_matches(['<', '/']));
        if let Some(opaque) = &mut self.opaque {
            if opaque.name.eq_ignore_ascii_case(name) {
                if opaque.depth > 0 {
                    opaque.depth -= 1;
                } else {
                    let from = opaque.from;
                    self.leave(from..span.end);
                }
                return;
            }
            // The end of the element around it ends an element, too, where its own end may be left out.
            if !(may_lack_end(opaque.name) && matches!(element(name), Element::Block)) {
                return;
            }
            let from = opaque.from;
            self.leave(from..from);
        }
        let component = self.in_markdown() && name.starts_with(|c: char| c.is_ascii_uppercase());
        match element(name) {
            Element::Inline if !component => {
                let range = self.place(span);
                self.pieces.push(Inline::ElementEnd { range, name });
            }
            Element::Void | Element::Code => self.void(span),
            _ => {
                self.flush();
                self.block = Element::Block;
            }
        }
    }

    /// Ends the element that is left unchanged.
    fn leave(&mut self, range: Range<usize>) {
        if self.opaque.take().is_some_and(|opaque| opaque.inline) {
            self.void(range);
        }
    }

    fn attributes(&mut self, element: &str, attributes: &[(String, String, Range<usize>)]) {
        let description = element.eq_ignore_ascii_case("meta")
            && attributes.iter().any(|(name, value, _)| name == "name" && value.eq_ignore_ascii_case("description"));
        for (name, value, span) in attributes {
            if is_read(name) || (description && name == "content") {
                self.sink.attribute(self.view, value, span.clone(), self.base, self.groups.is_some());
            }
        }
    }

    fn text(&mut self, text: &str, span: Range<usize>) {
        let raw = &self.view[span.clone()];
        // The tokenizer passes over `</>`, which ends a fragment of MDX.
        if raw.contains("</>") {
            return self.void(span);
        }
        let groups = self.groups.unwrap_or_default();
        let document = self.place(span.clone());
        let first = groups.partition_point(|group| group.start < document.start);
        let groups = groups[first..].iter().take_while(|group| group.end <= document.end);
        let (mut at, mut rest) = (span.start, text);
        for group in groups {
            let group = group.start - self.base..group.end - self.base;
            // The decoded text between two groups is as long as the raw text, unless it has references.
            let Some((before, after)) = rest.split_once(&self.view[group.clone()]) else {
                return self.void(at..span.end);
            };
            self.push_text(at..group.start, before.to_owned().into());
            self.void(group.clone());
            (at, rest) = (group.end, after);
        }
        let same = rest == &self.view[at..span.end];
        let rest: Cow<'v, str> = if same { self.view[at..span.end].into() } else { rest.to_owned().into() };
        self.push_text(at..span.end, rest);
    }

    fn push_text(&mut self, span: Range<usize>, text: Cow<'v, str>) {
        if !text.is_empty() {
            let range = self.place(span.clone());
            self.pieces.push(Inline::Text { range, raw: &self.view[span], text });
        }
    }

    fn void(&mut self, span: Range<usize>) {
        let range = self.place(span);
        self.pieces.push(Inline::Void { range, markup: Markup::Verbatim });
    }

    fn place(&self, span: Range<usize>) -> Range<usize> {
        span.start + self.base..span.end + self.base
    }

    fn flush(&mut self) {
        if !self.pieces.is_empty() {
            pad(&mut self.pieces);
            let place = Construct::Html { in_markdown: self.in_markdown() };
            let before = self.sink.segments.len();
            self.sink.block(&self.pieces, place, self.block == Element::Heading);
            if self.block == Element::Title
                && let Some(segment) = self.sink.segments.get(before).cloned()
            {
                self.sink.take_title(&segment);
            }
            self.pieces.clear();
        }
        self.block = Element::Block;
    }
}

/// White space with a line end beside a tag becomes part of the tag, so that a tag which stands alone on its line still does
/// when the text beside it is another.
fn pad(pieces: &mut [Inline<'_>]) {
    let breaks = |blank: &str| blank.contains(['\n', '\r']);
    for at in 0..pieces.len().saturating_sub(1) {
        let [one, two] = &mut pieces[at..at + 2] else { continue };
        match (one, two) {
            (
                Inline::ElementStart { range: tag, .. }
                | Inline::ElementEnd { range: tag, .. }
                | Inline::Void { range: tag, .. },
                Inline::Text { range, raw, text },
            ) => {
                let length = raw.len() - raw.trim_start_matches(is_blank).len();
                if tag.end == range.start && breaks(&raw[..length]) && text.starts_with(is_blank) {
                    tag.end += length;
                    range.start += length;
                    *raw = &raw[length..];
                    *text = text.trim_start_matches(is_blank).to_owned().into();
                }
            }
            (Inline::Text { range, raw, text }, Inline::ElementEnd { range: tag, .. }) => {
                let length = raw.len() - raw.trim_end_matches(is_blank).len();
                if tag.start == range.end && breaks(&raw[raw.len() - length..]) && text.ends_with(is_blank) {
                    tag.start -= length;
                    range.end -= length;
                    *raw = &raw[..raw.len() - length];
                    *text = text.trim_end_matches(is_blank).to_owned().into();
                }
            }
            _ => {}
        }
    }
}

/// The name of a tag, given the text after its `<` or `</`.
fn name(rest: &str) -> &str {
    let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(rest.len());
    &rest[..end]
}
