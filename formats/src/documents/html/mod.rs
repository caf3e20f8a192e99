//! HTML: whole documents, and the HTML within Markdown.
//!
//! `html5gum` reads tags, text and references as the HTML standard says, with the span of each; it keeps no tree, which
//! is what unbalanced HTML needs. (`lol_html` says where elements begin but not where their attributes' values are, and
//! would write the document anew.) The nesting of elements is decided within one block.

mod bytes;
mod elements;
mod tokens;
mod walk;

use std::ops::Range;

use self::elements::{Element, element, is_unmarked};
use self::tokens::{Token, read};
use self::walk::HtmlWalker;
use super::inline::Inline;
use super::segment::{Construct, Markup, Quote, Segment};
use super::sink::Sink;

/// Reads a document of HTML.
pub(super) fn parse(sink: &mut Sink<'_>) {
    let source = sink.source;
    let start = source.len() - source.strip_prefix('\u{feff}').unwrap_or(source).len();
    HtmlWalker::new(&source[start..], start, None, sink).run();
}

/// Reads a block of HTML in Markdown that begins at `base` of the document. `groups` are the hidden groups of braces,
/// counted from `groups_base`.
pub(super) fn parse_block(view: &str, base: usize, groups: &[Range<usize>], groups_base: usize, sink: &mut Sink<'_>) {
    let first = groups.partition_point(|group| group.start + groups_base < base);
    let groups: Vec<Range<usize>> = groups[first..]
        .iter()
        .map(|group| group.start + groups_base..group.end + groups_base)
        .take_while(|group| group.end <= base + view.len())
        .collect();
    HtmlWalker::new(view, base, Some(&groups), sink).run();
}

/// The piece that a tag, comment or declaration within a paragraph of Markdown is.
pub(super) fn inline_piece(raw: &str, range: Range<usize>) -> Inline<'_> {
    let verbatim = |range| Inline::Void { range, markup: Markup::Verbatim };
    let name =
        |rest: &'_ str| rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(rest.len());
    if let Some(rest) = raw.strip_prefix("</") {
        return Inline::ElementEnd { range, name: &rest[..name(rest)] };
    }
    let rest = raw.get(1..).unwrap_or_default();
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return verbatim(range);
    }
    let name = &rest[..name(rest)];
    let found = element(name);
    if found == Element::Void || raw.ends_with("/>") {
        return verbatim(range);
    }
    let mut unmarked = false;
    if raw.contains('=') {
        read(raw, |token, _| {
            if let Token::Attribute { name, value } = token {
                unmarked |= is_unmarked(name, value);
            }
        });
    }
    Inline::ElementStart { range, name, opaque: unmarked || matches!(found, Element::Code | Element::Opaque) }
}

/// Adds a segment for each attribute of a single tag that is read by people.
pub(super) fn attributes(raw: &str, base: usize, in_markdown: bool, sink: &mut Sink<'_>) {
    if !raw.contains('=') || raw.starts_with("</") || raw.starts_with("<!") {
        return;
    }
    let mut attributes = Vec::new();
    read(raw, |token, span| {
        if let Token::Attribute { name, value } = token {
            attributes.push((name.to_owned(), value.to_owned(), span));
        }
    });
    if attributes.iter().any(|(name, value, _)| is_unmarked(name, value)) {
        return;
    }
    for (name, value, span) in attributes {
        if elements::is_read(&name) {
            sink.attribute(raw, &value, span, base, in_markdown);
        }
    }
}

impl Sink<'_> {
    /// Adds the segment of an attribute's value, whose span is that within `view`.
    fn attribute(&mut self, view: &str, value: &str, span: Range<usize>, base: usize, in_markdown: bool) {
        // An expression is not part of the document's text. What stands in braces is hidden here, as marks.
        if in_markdown && (value.starts_with('{') || value.contains('\u{7f}')) {
            return;
        }
        let quote = match span.start.checked_sub(1).and_then(|before| view.as_bytes().get(before)) {
            Some(b'"') => Quote::Double,
            Some(b'\'') => Quote::Single,
            _ => Quote::None,
        };
        let range = span.start + base..span.end + base;
        let pieces = [Inline::Text { range, raw: &view[span], text: value.into() }];
        if let Some(segment) = super::inline::segment(&pieces, Construct::Attribute { quote, in_markdown }) {
            self.add(segment);
        }
    }

    /// Takes the title of a whole document.
    fn take_title(&mut self, segment: &Segment) {
        if self.title.is_none() {
            self.title = Some(super::sink::words(segment, self.source));
        }
    }
}
