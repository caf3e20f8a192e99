//! Front matter: YAML between `---` and `---` (or `...`), TOML between `+++` and `+++`, at the very beginning of a document.
//!
//! A block that is not closed is not front matter. A block that is closed but cannot be read is an error: it would stop
//! the build of the site, too, and taking it for text would have keys translated.
//!
//! Of its values the strings of [`KEYS`] at the top level are translatable. They are text without markup.

mod toml;
mod yaml;

use std::ops::Range;

use super::DocumentError;
use super::inline::{Inline, segment};
use super::segment::Construct;
use super::sink::Sink;

/// The keys whose values are read by people, as the generators of static sites name them.
const KEYS: [&str; 12] = [
    "title",
    "description",
    "summary",
    "subtitle",
    "excerpt",
    "tagline",
    "caption",
    "linkTitle",
    "shortTitle",
    "sidebarTitle",
    "sidebar_label",
    "pagination_label",
];

/// Reads the front matter of a document; where the rest begins.
pub(super) fn parse(sink: &mut Sink<'_>) -> Result<usize, DocumentError> {
    let source = sink.source;
    let mark = source.len() - source.strip_prefix('\u{feff}').unwrap_or(source).len();
    let Some((fence, first)) = first_line(&source[mark..]) else { return Ok(mark) };
    let start = mark + first;
    let Some((length, last)) = closing(&source[start..], fence) else { return Ok(mark) };
    let block = &source[start..start + length];
    if fence == "---" {
        yaml::parse(block, start, sink)?
    } else {
        toml::parse(block, start, sink)?
    }
    Ok(start + length + last)
}

/// The fence that a document begins with, and the length of its line.
fn first_line(source: &str) -> Option<(&'static str, usize)> {
    let fence = ["---", "+++"].into_iter().find(|fence| source.starts_with(fence))?;
    let line = source.split_inclusive('\n').next()?;
    (line.ends_with('\n') && line[fence.len()..].trim_matches(blank).is_empty()).then_some((fence, line.len()))
}

/// The length of the text before the closing fence, and that of the fence's line.
fn closing(source: &str, fence: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let content = line.trim_end_matches(blank);
        if content == fence || (fence == "---" && content == "...") {
            return Some((at, line.len()));
        }
        at += line.len();
    }
    None
}

const fn blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// Adds the value of a key, if people read it.
fn value(key: &str, text: &str, range: Range<usize>, place: Construct, sink: &mut Sink<'_>) {
    if !KEYS.contains(&key) {
        return;
    }
    if key == "title" && sink.title.is_none() && !text.trim().is_empty() {
        sink.title = Some(text.trim().to_owned());
    }
    let pieces = [Inline::Text { range: range.clone(), raw: "", text: text.into() }];
    if let Some(mut segment) = segment(&pieces, place) {
        segment.range = range;
        sink.add(segment);
    }
}
