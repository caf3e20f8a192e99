//! The tables and lines of a TOML file, and their places.

use std::borrow::Cow;
use std::ops::Range;

use ::toml::de::DeTable;
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{Event, EventKind, RecursionGuard, parse_document};
use toml_parser::{ParseError, Raw, Source, Span};

use super::sound::is_plainly_sound;
use super::{BASIC, LINES, LITERAL, LITERAL_LINES};
use crate::files::spliced::ScanError;

/// Arrays and inline tables that lie inside each other.
const DEEPEST: u32 = 64;

/// Parts of a name.
const MOST_PARTS: usize = 64;

/// A table, or the lines before the first one.
#[derive(Default)]
pub(super) struct Section {
    pub(super) header: Option<TableHeader>,
    pub(super) rows: Vec<TomlRow>,
}

/// The line that begins a table.
pub(super) struct TableHeader {
    pub(super) path: Vec<String>,
    /// The name between the brackets.
    pub(super) name_at: Range<usize>,
    pub(super) is_array: bool,
    /// The line with its end.
    pub(super) line: Range<usize>,
}

/// A line `key = value`; a value may take several.
pub(super) struct TomlRow {
    pub(super) key: Vec<String>,
    pub(super) key_at: Range<usize>,
    /// The last part of the key.
    pub(super) last_at: Range<usize>,
    pub(super) value: TomlItem,
    /// The lines with their end; within braces, the pair.
    pub(super) lines: Range<usize>,
}

/// A value.
pub(super) enum TomlItem {
    Text {
        text: String,
        at: Range<usize>,
        spelling: u8,
    },
    /// The pairs of a table between braces whose values are all texts.
    Pairs(Vec<TomlRow>),
    /// A value that is no text.
    Other,
}

/// Reads a file.
pub(super) fn sections(text: &str) -> Result<Vec<Section>, ScanError> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut events: Vec<Event> = Vec::with_capacity(tokens.len());
    let mut error: Option<ParseError> = None;
    let mut receiver = |event: Event| {
        if !matches!(event.kind(), EventKind::Whitespace | EventKind::Comment | EventKind::Newline) {
            events.push(event);
        }
    };
    parse_document(&tokens, &mut RecursionGuard::new(&mut receiver, DEEPEST), &mut error);
    if let Some(error) = error {
        return Err(fault(&error));
    }
    let mut reader = Reader { text, source, events: &events, at: 0 };
    let sections = reader.read()?;
    if is_plainly_sound(text, &sections) {
        return Ok(sections);
    }
    // Names that meet, numbers and dates are judged by the reader that others use.
    match DeTable::parse(text) {
        Ok(_) => Ok(sections),
        Err(error) => Err(ScanError::at(error.span().map_or(0, |span| span.start), error.message())),
    }
}

fn fault(error: &ParseError) -> ScanError {
    let at = error.unexpected().or_else(|| error.context()).map_or(0, |span| span.start());
    ScanError::at(at, error.description())
}

/// The parts of a name, its place and that of its last part.
type DottedName = (Vec<String>, Range<usize>, Range<usize>);

struct Reader<'t> {
    text: &'t str,
    source: Source<'t>,
    events: &'t [Event],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Event> {
        let event = self.events.get(self.at).copied();
        self.at += 1;
        event
    }

    fn read(&mut self) -> Result<Vec<Section>, ScanError> {
        let mut sections = vec![Section::default()];
        while let Some(event) = self.events.get(self.at).copied() {
            match event.kind() {
                EventKind::StdTableOpen | EventKind::ArrayTableOpen => {
                    self.at += 1;
                    let is_array = event.kind() == EventKind::ArrayTableOpen;
                    let (path, name_at, _) = self.key()?;
                    let close = self.next().map_or(event.span().end(), |close| close.span().end());
                    let line = self.line_start(event.span().start())..self.line_end(close);
                    let header = Some(TableHeader { path, name_at, is_array, line });
                    sections.push(Section { header, rows: Vec::new() });
                }
                EventKind::SimpleKey => {
                    let mut row = self.row()?;
                    row.lines = self.line_start(row.lines.start)..self.line_end(row.lines.end);
                    if let Some(section) = sections.last_mut() {
                        section.rows.push(row);
                    }
                }
                _ => self.at += 1,
            }
        }
        Ok(sections)
    }

    /// Reads a name.
    fn key(&mut self) -> Result<DottedName, ScanError> {
        let (mut parts, mut at, mut last) = (Vec::with_capacity(1), None, 0..0);
        while let Some(event) = self.events.get(self.at).copied() {
            match event.kind() {
                EventKind::SimpleKey => {
                    last = range(event.span());
                    let from = at.get_or_insert(last.clone()).start;
                    at = Some(from..last.end);
                    if parts.len() >= MOST_PARTS {
                        let message = format!("the name has more than {MOST_PARTS} parts");
                        return Err(ScanError::at(from, message));
                    }
                    let mut part = Cow::Borrowed("");
                    let mut error = None;
                    if let Some(raw) = self.source.get(event) {
                        raw.decode_key(&mut part, &mut error);
                    }
                    if let Some(error) = error {
                        return Err(fault(&error));
                    }
                    parts.push(part.into_owned());
                }
                EventKind::KeySep => {}
                _ => break,
            }
            self.at += 1;
        }
        Ok((parts, at.unwrap_or_default(), last))
    }

    /// Reads a pair, outside of braces or within.
    fn row(&mut self) -> Result<TomlRow, ScanError> {
        let (key, key_at, last_at) = self.key()?;
        // The equals sign.
        self.at += 1;
        let (value, end) = self.value()?;
        let lines = key_at.start..end;
        Ok(TomlRow { key, key_at, last_at, value, lines })
    }

    /// Reads a value; gives its end.
    fn value(&mut self) -> Result<(TomlItem, usize), ScanError> {
        let Some(event) = self.next() else { return Ok((TomlItem::Other, self.text.len())) };
        match event.kind() {
            EventKind::Scalar => Ok((self.scalar(event)?, event.span().end())),
            EventKind::InlineTableOpen => {
                let mut pairs: Option<Vec<TomlRow>> = Some(Vec::new());
                while let Some(event) = self.events.get(self.at).copied() {
                    match event.kind() {
                        EventKind::SimpleKey => {
                            let row = self.row()?;
                            pairs = pairs.filter(|_| matches!(row.value, TomlItem::Text { .. }));
                            if let Some(pairs) = &mut pairs {
                                pairs.push(row);
                            }
                        }
                        EventKind::InlineTableClose => break,
                        _ => self.at += 1,
                    }
                }
                let end = self.next().map_or(self.text.len(), |close| close.span().end());
                Ok((pairs.map_or(TomlItem::Other, TomlItem::Pairs), end))
            }
            EventKind::ArrayOpen => {
                let (mut open, mut end) = (1_usize, event.span().end());
                while let Some(event) = self.next() {
                    match event.kind() {
                        EventKind::ArrayOpen => open += 1,
                        EventKind::ArrayClose => open -= 1,
                        _ => {}
                    }
                    if open == 0 {
                        end = event.span().end();
                        break;
                    }
                }
                Ok((TomlItem::Other, end))
            }
            _ => Ok((TomlItem::Other, event.span().end())),
        }
    }

    fn scalar(&self, event: Event) -> Result<TomlItem, ScanError> {
        let at = range(event.span());
        let Some(encoding) = event.encoding() else { return Ok(TomlItem::Other) };
        let spelling = match encoding {
            Encoding::BasicString => BASIC,
            Encoding::LiteralString => LITERAL,
            Encoding::MlBasicString => LINES,
            Encoding::MlLiteralString => LITERAL_LINES,
        };
        // The line ends of a text are not those of its file.
        let mut raw = Cow::Borrowed(self.text.get(at.clone()).unwrap_or_default());
        if raw.contains('\r') {
            raw = Cow::Owned(raw.replace("\r\n", "\n"));
        }
        let (mut text, mut error) = (Cow::Borrowed(""), None);
        let kind = Raw::new_unchecked(&raw, Some(encoding), Span::new_unchecked(0, raw.len()))
            .decode_scalar(&mut text, &mut error);
        match (error, kind) {
            (Some(error), _) => Err(ScanError::at(at.start, error.description())),
            (None, ScalarKind::String) => Ok(TomlItem::Text { text: text.into_owned(), at, spelling }),
            (None, _) => Ok(TomlItem::Other),
        }
    }

    fn line_start(&self, offset: usize) -> usize {
        self.text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
    }

    fn line_end(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |length| offset + length + 1)
    }
}

fn range(span: Span) -> Range<usize> {
    span.start()..span.end()
}
