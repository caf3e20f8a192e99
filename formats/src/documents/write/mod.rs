//! Translations written where their segments stand, so that they are read as the text they are.

mod front_matter;
mod html;
mod markdown;

use std::ops::Range;

use super::check::TranslationPart;
use super::segment::{Construct, Segment, Tag};

/// A part of a translation with the tag that it stands for.
#[derive(Debug, Clone, Copy)]
enum OutputPart<'s> {
    Text(&'s str),
    Open(&'s Tag),
    Close(&'s Tag),
    Void(&'s Tag),
}

/// Writes a translation in its canonical form. `raw` writes the bytes of the source that a tag stands for, with the
/// translations within them; `careful` writes emphasis so that its neighbours matter less.
pub(super) fn write(
    segment: &Segment,
    source: &str,
    parts: &[TranslationPart],
    careful: bool,
    out: &mut String,
    raw: &mut dyn FnMut(&Range<usize>, &mut String),
) {
    let parts: Vec<OutputPart<'_>> = parts
        .iter()
        .filter_map(|part| {
            Some(match part {
                TranslationPart::Text(text) => OutputPart::Text(text),
                TranslationPart::Open(number) => OutputPart::Open(segment.tag(*number)?),
                TranslationPart::Close(number) => OutputPart::Close(segment.tag(*number)?),
                TranslationPart::Void(number) => OutputPart::Void(segment.tag(*number)?),
            })
        })
        .collect();
    match segment.place {
        Construct::Paragraph | Construct::AtxHeading | Construct::SetextHeading | Construct::Cell => {
            markdown::Writer::new(segment, source, careful, out, raw).write(&parts);
        }
        Construct::Html { in_markdown } => {
            for part in parts {
                match part {
                    OutputPart::Text(text) => html::text(text, in_markdown, out),
                    OutputPart::Open(tag) | OutputPart::Void(tag) => raw(&tag.open, out),
                    OutputPart::Close(tag) => raw(&tag.close, out),
                }
            }
        }
        Construct::Attribute { quote, in_markdown } => html::attribute(&literal(&parts), quote, in_markdown, out),
        Construct::Yaml(style) => front_matter::yaml(&literal(&parts), style, out),
        Construct::Toml => front_matter::toml(&literal(&parts), out),
        Construct::Plain => {
            let text = literal(&parts);
            let line_end = line_end(source);
            for (at, line) in text.split('\n').enumerate() {
                if at > 0 {
                    out.push_str(line_end);
                }
                out.push_str(line);
            }
        }
    }
}

/// The text without markup, where there can be none.
fn literal(parts: &[OutputPart<'_>]) -> String {
    parts.iter().map(|part| if let OutputPart::Text(text) = part { text } else { "" }).collect()
}

/// The first line end of a source, LF where there is none.
fn line_end(source: &str) -> &'static str {
    match source.find(['\n', '\r']) {
        Some(at) if source[at..].starts_with("\r\n") => "\r\n",
        Some(at) if source[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}
