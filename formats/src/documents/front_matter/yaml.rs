//! Front matter in YAML.

use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};

use super::value;
use crate::documents::DocumentError;
use crate::documents::segment::{Construct, YamlStyle};
use crate::documents::sink::Sink;

/// Reads a mapping that begins at `base` of the document.
pub(super) fn parse(block: &str, base: usize, sink: &mut Sink<'_>) -> Result<(), DocumentError> {
    let mut offsets = Offsets { block, characters: 0, bytes: 0 };
    let (mut depth, mut key) = (0_usize, None::<String>);
    // Of the pairs at the top level: the next node is a value.
    let mut expects_value = false;
    let mut is_mapping = false;
    // Between braces a plain scalar may hold less.
    let flow = block.trim_start().starts_with('{');
    for event in Parser::new_from_str(block) {
        let (event, span) = event.map_err(|error| {
            let offset = base + Offsets { block, characters: 0, bytes: 0 }.of(error.marker());
            DocumentError::at(sink.source, offset, format!("the front matter is not valid YAML: {}", error.info()))
        })?;
        match event {
            Event::MappingStart(..) | Event::SequenceStart(..) => {
                is_mapping |= depth == 0 && matches!(event, Event::MappingStart(..));
                depth += 1;
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                depth = depth.saturating_sub(1);
                if depth == 1 {
                    expects_value = !expects_value;
                }
                continue;
            }
            Event::Scalar(text, style, anchor, tag) if depth == 1 && is_mapping => {
                if expects_value && anchor == 0 && tag.is_none() {
                    let range = offsets.of(&span.start)..offsets.of(&span.end);
                    if let (Some(key), Some((range, style))) = (&key, scalar(block, range, style)) {
                        let style = if flow && style == YamlStyle::Plain { YamlStyle::Double } else { style };
                        value(key, &text, range.start + base..range.end + base, Construct::Yaml(style), sink);
                    }
                } else {
                    key = Some(text.into_owned());
                }
            }
            Event::Alias(_) if depth == 1 => {}
            _ => continue,
        }
        expects_value = !expects_value;
    }
    Ok(())
}

/// The range of a scalar, with its quotes or indicator and without the line end after it, and its style.
fn scalar(block: &str, range: Range<usize>, style: ScalarStyle) -> Option<(Range<usize>, YamlStyle)> {
    let raw = block.get(range.clone())?;
    match style {
        ScalarStyle::Plain => Some((range, YamlStyle::Plain)),
        ScalarStyle::SingleQuoted => Some((range, YamlStyle::Single)),
        ScalarStyle::DoubleQuoted => Some((range, YamlStyle::Double)),
        ScalarStyle::Literal | ScalarStyle::Folded => {
            // The span begins after the line of the indicator.
            let line = block[..range.start].trim_end_matches([' ', '\t', '\r', '\n']);
            let start = line.rfind(['|', '>'])?;
            let between = &line[start + 1..];
            let indicator = between.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-'));
            let end = range.start + raw.trim_end().len();
            (indicator && end > start).then_some((start..end, YamlStyle::Block))
        }
    }
}

/// Byte offsets of the parser's characters, which come in order.
struct Offsets<'b> {
    block: &'b str,
    characters: usize,
    bytes: usize,
}

impl Offsets<'_> {
    fn of(&mut self, marker: &Marker) -> usize {
        if marker.index() < self.characters {
            (self.characters, self.bytes) = (0, 0);
        }
        let more = marker.index() - self.characters;
        self.bytes +=
            self.block[self.bytes..].char_indices().nth(more).map_or(self.block.len() - self.bytes, |(at, _)| at);
        self.characters = marker.index();
        self.bytes
    }
}
