//! Markdown: CommonMark with tables, footnotes, strikethrough, task lists and alerts, front matter, and MDX as far as it
//! must be left alone.
//!
//! `pulldown-cmark` finds the constructs; its offsets alone are used, so that nothing is written in another style.

mod blocks;
mod braces;

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Options, Parser};

use super::sink::Sink;
use super::{DocumentError, front_matter};

pub(super) use self::blocks::is_module_line;

/// Reads a document of Markdown.
pub(super) fn parse(sink: &mut Sink<'_>) -> Result<(), DocumentError> {
    let start = front_matter::parse(sink)?;
    let source = &sink.source[start..];
    let (groups, view) = view(source);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_GFM;
    let parser = Parser::new_ext(&view, options).into_offset_iter();
    let mut blocks = blocks::Blocks::new(&view, start, &groups, sink);
    for (event, range) in parser {
        blocks.event(event, range);
    }
    blocks.finish();
    Ok(())
}

/// A source as the parser gets it. Braces mean nothing to Markdown, so it sees marks of the same length instead.
pub(super) fn view(source: &str) -> (Vec<Range<usize>>, Cow<'_, str>) {
    let groups = braces::groups(source);
    let view = if groups.is_empty() { source.into() } else { braces::hidden(source, &groups).into() };
    (groups, view)
}
