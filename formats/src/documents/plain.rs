//! Plain text: paragraphs between blank lines. Line ends within a paragraph are part of its text.

use super::inline::{Inline, segment};
use super::segment::Construct;
use super::sink::Sink;
use super::tagged::{is_margin, plain};

/// Reads a document of plain text.
pub(super) fn parse(sink: &mut Sink<'_>) {
    let source = sink.source;
    let mut paragraph: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in source.split_inclusive(['\n', '\r']) {
        let content = line.trim_matches(is_margin);
        // The line end CRLF comes as two.
        let half = line == "\n" && source[..at].ends_with('\r');
        if !content.is_empty() {
            let from = at + (line.len() - line.trim_start_matches(is_margin).len());
            let to = at + line.trim_end_matches(is_margin).len();
            paragraph = Some((paragraph.map_or(from, |(from, _)| from), to));
        } else if !half && let Some((from, to)) = paragraph.take() {
            add(from, to, sink);
        }
        at += line.len();
    }
    if let Some((from, to)) = paragraph {
        add(from, to, sink);
    }
}

fn add(from: usize, to: usize, sink: &mut Sink<'_>) {
    let raw = &sink.source[from..to];
    let pieces = [Inline::Text { range: from..to, raw, text: plain(raw).into() }];
    if let Some(segment) = segment(&pieces, Construct::Plain) {
        sink.add(segment);
    }
}
