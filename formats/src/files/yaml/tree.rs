//! A YAML document as a tree whose nodes know their places.

use std::borrow::Cow;
use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use crate::files::spliced::ScanError;

/// Nodes in each other: deeper files are refused, so that recursion is bounded.
const DEEPEST: usize = 128;

/// A node of the document.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) kind: YamlKind<'t>,
    /// Without anchor, tag, comment and the last line end.
    pub(super) at: Range<usize>,
    /// Something may refer to it.
    pub(super) is_anchored: bool,
    /// It has a tag that says something else than that it is a string.
    pub(super) is_tagged: bool,
    /// A tag says that it is a string.
    pub(super) is_string: bool,
    /// Between brackets or braces, or written with them.
    pub(super) is_flow: bool,
}

#[derive(Debug)]
pub(super) enum YamlKind<'t> {
    /// Keys and values in turn.
    Map(Vec<usize>),
    Seq(Vec<usize>),
    /// The text is the file's own where nothing in it is written otherwise.
    Scalar(Cow<'t, str>, ScalarStyle),
    Alias,
}

#[derive(Debug)]
pub(super) struct Tree<'t> {
    pub(super) text: &'t str,
    pub(super) nodes: Vec<Node<'t>>,
    /// The end of the document, before its marker `...`.
    pub(super) end: usize,
    /// A block text has the blank lines that follow it: then an entry takes those after it along, or they would come to the text.
    keeps_blank_lines: bool,
}

impl<'t> Tree<'t> {
    /// Reads the only document of a file; a file without one has no nodes.
    pub(super) fn parse(text: &'t str) -> Result<Self, ScanError> {
        let mut builder = Builder {
            tree: Self { text, nodes: Vec::new(), end: text.len(), keeps_blank_lines: false },
            offsets: Offsets::of(text),
            open: Vec::new(),
            cursor: 0,
            documents: 0,
        };
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| {
                ScanError::at(builder.offsets.at(error.marker()), format!("this is not YAML: {}", error.info()))
            })?;
            builder.take(event, &span.start, &span.end)?;
        }
        Ok(builder.tree)
    }

    pub(super) fn node(&self, at: usize) -> Option<&Node<'t>> {
        self.nodes.get(at)
    }

    /// The pairs of a mapping.
    pub(super) fn pairs(&self, at: usize) -> impl Iterator<Item = (&Node<'t>, usize, &Node<'t>)> {
        let children: &[usize] = match self.node(at).map(|node| &node.kind) {
            Some(YamlKind::Map(children)) => children,
            _ => &[],
        };
        children
            .as_chunks::<2>()
            .0
            .iter()
            .filter_map(|[key, value]| Some((self.node(*key)?, *value, self.node(*value)?)))
    }

    /// The beginning of the line in which an offset lies.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        self.text.get(..offset).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
    }

    /// The end of the line in which an offset lies, with its line end.
    pub(super) fn line_end(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |length| offset + length + 1)
    }

    /// The end of the lines of an entry or a group whose last line this offset lies in, with the blank lines that go with it.
    pub(super) fn lines_end(&self, offset: usize) -> usize {
        let end = self.line_end(offset);
        if self.keeps_blank_lines { self.after_blank_lines(end) } else { end }
    }

    /// The end of the blank lines that follow the beginning of a line.
    fn after_blank_lines(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or_default();
        let blank = rest.split_inclusive('\n').take_while(|line| line.trim_ascii().is_empty());
        offset + blank.map(str::len).sum::<usize>()
    }
}

struct Builder<'t> {
    tree: Tree<'t>,
    offsets: Offsets,
    /// Collections that are not at their end.
    open: Vec<usize>,
    /// The end of what was read.
    cursor: usize,
    documents: usize,
}

impl<'t> Builder<'t> {
    fn take(&mut self, event: Event<'_>, start: &Marker, end: &Marker) -> Result<(), ScanError> {
        let (from, to) = (self.offsets.at(start), self.offsets.at(end));
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(ScanError::at(from, "a file holds one YAML document; here begins another one"));
                }
                self.cursor = self.cursor.max(to);
            }
            Event::Alias(_) => {
                self.push(YamlKind::Alias, from..to, (0, None), false);
                self.cursor = to;
            }
            Event::MappingStart(anchor, tag) => {
                self.begin(YamlKind::Map(Vec::new()), from, (anchor, tag.as_deref()))?
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(YamlKind::Seq(Vec::new()), from, (anchor, tag.as_deref()))?
            }
            Event::MappingEnd | Event::SequenceEnd => {
                let Some(node) = self.open.pop().and_then(|at| self.tree.nodes.get_mut(at)) else { return Ok(()) };
                let closes =
                    node.is_flow && self.tree.text.get(from..).is_some_and(|rest| rest.starts_with([']', '}']));
                self.cursor = if closes { to.max(self.cursor) } else { self.cursor };
                node.at.end = self.cursor.max(node.at.start);
            }
            Event::Scalar(text, style, anchor, tag) => {
                let at = self.scalar(style, from..to, anchor != 0 || tag.is_some())?;
                self.cursor = at.end.max(self.cursor);
                if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
                    let header = self.tree.text.get(at.start..self.tree.line_end(at.start)).unwrap_or_default();
                    let header = header.split(char::is_whitespace).next().unwrap_or_default();
                    let keeps = header.contains('+');
                    if keeps && !self.tree.text.get(at.end..).is_some_and(|rest| rest.contains('\n')) {
                        let message = "a text with `+` ends the file without a line end: add one";
                        return Err(ScanError::at(at.start, message));
                    }
                    self.tree.keeps_blank_lines |= keeps;
                }
                let is_flow = self.is_in_flow();
                let text = self.shared(style, &at, text);
                self.push(YamlKind::Scalar(text, style), at, (anchor, tag.as_deref()), is_flow);
            }
            Event::DocumentEnd if self.tree.text.get(from..).is_some_and(|rest| rest.starts_with("...")) => {
                self.tree.end = from;
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn is_in_flow(&self) -> bool {
        self.open.last().and_then(|at| self.tree.node(*at)).is_some_and(|node| node.is_flow)
    }

    fn begin(&mut self, kind: YamlKind<'t>, from: usize, properties: (usize, Option<&Tag>)) -> Result<(), ScanError> {
        if self.open.len() >= DEEPEST {
            return Err(ScanError::at(from, format!("mappings and lists lie more than {DEEPEST} deep in each other")));
        }
        let start = if properties.0 != 0 || properties.1.is_some() { self.after_properties(from) } else { from };
        let is_flow = self.is_in_flow() || self.tree.text.get(start..).is_some_and(|rest| rest.starts_with(['{', '[']));
        let at = self.push(kind, start..start, properties, is_flow);
        self.cursor = self.cursor.max(start);
        self.open.push(at);
        Ok(())
    }

    fn push(
        &mut self,
        kind: YamlKind<'t>,
        at: Range<usize>,
        (anchor, tag): (usize, Option<&Tag>),
        is_flow: bool,
    ) -> usize {
        let is_string = tag.is_some_and(|tag| {
            (tag.handle.is_empty() && tag.suffix == "!") || (tag.is_yaml_core_schema() && tag.suffix == "str")
        });
        let new = self.tree.nodes.len();
        let is_tagged = tag.is_some() && !is_string;
        self.tree.nodes.push(Node { kind, at, is_anchored: anchor != 0, is_tagged, is_string, is_flow });
        if let Some(YamlKind::Map(children) | YamlKind::Seq(children)) =
            self.open.last().and_then(|at| self.tree.nodes.get_mut(*at)).map(|node| &mut node.kind)
        {
            children.push(new);
        }
        new
    }

    /// The text of a scalar: that of the file where it is the same.
    fn shared(&self, style: ScalarStyle, at: &Range<usize>, read: Cow<'_, str>) -> Cow<'t, str> {
        let inside = match style {
            ScalarStyle::Plain => at.clone(),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => at.start + 1..at.end.saturating_sub(1),
            ScalarStyle::Literal | ScalarStyle::Folded => return Cow::Owned(read.into_owned()),
        };
        match self.tree.text.get(inside).filter(|raw| *raw == read) {
            Some(raw) => Cow::Borrowed(raw),
            None => Cow::Owned(read.into_owned()),
        }
    }

    /// The place of a scalar, from the one that the parser tells.
    fn scalar(&self, style: ScalarStyle, span: Range<usize>, has_properties: bool) -> Result<Range<usize>, ScanError> {
        let text = self.tree.text;
        let lost = || ScanError::at(span.start, "the place of this text is not clear");
        match style {
            ScalarStyle::Literal | ScalarStyle::Folded => self.block(span.end).ok_or_else(lost),
            ScalarStyle::Plain => {
                let start = if has_properties { self.after_properties(span.start).min(span.end) } else { span.start };
                Ok(start..span.end.max(start))
            }
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let start = if has_properties { self.after_properties(span.start) } else { span.start };
                let quote = text.get(start..).and_then(|rest| rest.chars().next()).filter(|c| matches!(c, '"' | '\''));
                let quote = quote.ok_or_else(lost)?;
                let mut bytes = text.as_bytes().iter().enumerate().skip(start + 1);
                while let Some((at, byte)) = bytes.next() {
                    match byte {
                        b'\\' if quote == '"' => {
                            bytes.next();
                        }
                        b'\'' if quote == '\'' && text.as_bytes().get(at + 1) == Some(&b'\'') => {
                            bytes.next();
                        }
                        byte if char::from(*byte) == quote => return Ok(start..at + 1),
                        _ => {}
                    }
                }
                Err(lost())
            }
        }
    }

    /// The place of a block scalar that ends before an offset: from `|` or `>` to the end of its last line, without the blank
    /// lines after it.
    fn block(&self, end: usize) -> Option<Range<usize>> {
        let text = self.tree.text;
        let mut start = self.cursor;
        loop {
            let rest = text.get(start..)?;
            match rest.chars().next()? {
                '|' | '>' => break,
                '&' | '!' => start = self.after_property(start),
                '#' => start = self.tree.line_end(start),
                c if c.is_whitespace() || matches!(c, ':' | '-' | '?') => start += c.len_utf8(),
                _ => return None,
            }
        }
        let head = self.tree.line_end(start);
        let header = text.get(start..head)?;
        let indicator = header.find(|c: char| c.is_whitespace()).unwrap_or(header.len());
        let mut end = end.max(start);
        if header.get(..indicator)?.contains('+') && end > head {
            // All line ends are of the text, the last one of the file.
            end = if text.get(self.tree.line_start(end)..end)?.trim().is_empty() {
                self.tree.line_start(end)
            } else {
                end
            };
            let kept = text.get(..end)?;
            let kept = kept.strip_suffix('\n').unwrap_or(kept);
            return Some(start..kept.strip_suffix('\r').unwrap_or(kept).len().max(start + indicator));
        }
        loop {
            if end <= head {
                return Some(start..start + indicator);
            }
            let line = self.tree.line_start(end);
            let is_blank = text.get(line..end)?.chars().all(|c| matches!(c, ' ' | '\r' | '\t'));
            if !is_blank {
                return Some(start..text.get(..end)?.strip_suffix('\r').map_or(end, str::len));
            }
            end = line.checked_sub(1)?;
        }
    }

    /// The offset after anchors and tags that begin at one.
    fn after_properties(&self, from: usize) -> usize {
        let mut at = from;
        while self.tree.text.get(at..).is_some_and(|rest| rest.starts_with(['&', '!'])) {
            at = self.after_property(at);
            while let Some(c) = self.tree.text.get(at..).and_then(|rest| rest.chars().next()) {
                match c {
                    '#' => at = self.tree.line_end(at),
                    ' ' | '\t' | '\r' | '\n' => at += 1,
                    _ => break,
                }
            }
        }
        at
    }

    /// The end of the anchor or tag at an offset.
    fn after_property(&self, at: usize) -> usize {
        let rest = self.tree.text.get(at..).unwrap_or_default();
        at + rest.find([' ', '\t', '\r', '\n', ',', '[', ']', '{', '}']).unwrap_or(rest.len())
    }
}

/// Byte offsets of characters.
struct Offsets(Option<Vec<u32>>, usize);

impl Offsets {
    fn of(text: &str) -> Self {
        let wide = (!text.is_ascii())
            .then(|| text.char_indices().map(|(at, _)| u32::try_from(at).unwrap_or(u32::MAX)).collect());
        Self(wide, text.len())
    }

    fn at(&self, marker: &Marker) -> usize {
        match &self.0 {
            None => marker.index().min(self.1),
            Some(all) => all.get(marker.index()).map_or(self.1, |at| usize::try_from(*at).unwrap_or(self.1)),
        }
    }
}
