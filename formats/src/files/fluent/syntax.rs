//! Reads the syntax of Fluent 1.0: the places of messages, attributes and patterns.
//!
//! Each function returns `None` where the text is not Fluent; what begins there is junk up to the next line that can begin an
//! entry. Placeables lie at most 24 deep in each other.

use std::ops::Range;

/// A message or a term.
#[derive(Debug)]
pub(super) struct FluentMessage {
    pub is_term: bool,
    /// With the hyphen of a term.
    pub id: Range<usize>,
    /// The comment directly above.
    pub comment: Option<String>,
    /// Its lines with their ends, and the comment above.
    pub whole: Range<usize>,
    /// The offset behind the `=`.
    pub equals_end: usize,
    pub value: Option<PatternValue>,
    pub attributes: Vec<FluentAttribute>,
}

#[derive(Debug)]
pub(super) struct FluentAttribute {
    pub id: Range<usize>,
    /// Its lines with their ends.
    pub whole: Range<usize>,
    /// Blanks before its dot.
    pub column: usize,
    pub part: PatternValue,
}

/// A pattern with the blanks before it, from the `=` on.
#[derive(Debug)]
pub(super) struct PatternValue {
    pub at: Range<usize>,
    pub pattern: FluentPattern,
}

/// Text with placeables.
#[derive(Debug)]
pub(super) struct FluentPattern {
    /// From its first character to its last one that is no blank.
    pub at: Range<usize>,
    /// The outermost ones.
    pub placeables: Vec<Range<usize>>,
    /// All of it is one choice by the value of a variable.
    pub choice: Option<FluentChoice>,
    /// Something in it chooses between variants.
    pub has_choice: bool,
}

#[derive(Debug)]
pub(super) struct FluentChoice {
    /// The name of the variable.
    pub argument: Range<usize>,
    pub variants: Vec<FluentVariant>,
}

#[derive(Debug)]
pub(super) struct FluentVariant {
    pub key: Range<usize>,
    pub is_default: bool,
    pub pattern: FluentPattern,
}

/// The messages of a file, and the places of what is none.
pub(super) fn read(text: &str) -> (Vec<FluentMessage>, Vec<usize>) {
    let mut reader = Reader::of(text);
    let (mut messages, mut junk) = (Vec::new(), Vec::new());
    let mut comment: Option<(usize, Vec<Range<usize>>)> = None;
    while reader.at < text.len() {
        let line = reader.at;
        reader.spaces();
        if reader.end_line() {
            comment = None;
            continue;
        }
        let above = comment.take();
        if reader.at == text.len() {
            break;
        }
        reader.at = line;
        if let Some((level, said)) = reader.comment() {
            if level == 1 {
                let (start, mut lines) = above.unwrap_or((line, Vec::new()));
                lines.push(said);
                comment = Some((start, lines));
            }
            continue;
        }
        reader.at = line;
        match reader.message() {
            Some(mut message) => {
                if let Some((start, lines)) = above {
                    let lines: Vec<&str> = lines.iter().filter_map(|line| text.get(line.clone())).collect();
                    message.comment = Some(lines.join("\n").trim().to_owned()).filter(|text| !text.is_empty());
                    message.whole.start = start;
                }
                messages.push(message);
            }
            None => {
                junk.push(line);
                reader.at = line;
                reader.skip_junk();
            }
        }
    }
    (messages, junk)
}

/// Returns true if a name can be that of a message, an attribute or a variable.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(is_name)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

pub(super) struct Reader<'t> {
    pub bytes: &'t [u8],
    pub at: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn takes(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// The length of the line end at an offset.
    fn line_end(&self, at: usize) -> usize {
        match (self.bytes.get(at), self.bytes.get(at + 1)) {
            (Some(b'\n'), _) => 1,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => 0,
        }
    }

    /// Goes over a line end, if one is here.
    fn end_line(&mut self) -> bool {
        let length = self.line_end(self.at);
        self.at += length;
        length > 0
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len() || self.line_end(self.at) > 0
    }

    pub(super) fn spaces(&mut self) -> usize {
        let from = self.at;
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
        self.at - from
    }

    /// Goes over blanks and line ends. Returns true if a line ended.
    pub(super) fn blank(&mut self) -> bool {
        let mut ended = false;
        loop {
            self.spaces();
            if !self.end_line() {
                return ended;
            }
            ended = true;
        }
    }

    fn skip_line(&mut self) {
        while !self.is_at_end() {
            self.at += 1;
        }
        self.end_line();
    }

    fn skip_junk(&mut self) {
        loop {
            self.skip_line();
            match self.peek() {
                None | Some(b'#' | b'-') => return,
                Some(byte) if byte.is_ascii_alphabetic() => return,
                _ => {}
            }
        }
    }

    /// The number of its signs, and its text.
    fn comment(&mut self) -> Option<(usize, Range<usize>)> {
        let from = self.at;
        while self.at - from < 3 && self.takes(b'#').is_some() {}
        let level = self.at - from;
        if level == 0 || !(self.is_at_end() || self.takes(b' ').is_some()) {
            return None;
        }
        let start = self.at;
        while !self.is_at_end() {
            self.at += 1;
        }
        let said = start..self.at;
        self.end_line();
        Some((level, said))
    }

    pub(super) fn identifier(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        self.peek().filter(u8::is_ascii_alphabetic)?;
        while self.peek().is_some_and(is_name) {
            self.at += 1;
        }
        Some(from..self.at)
    }

    fn message(&mut self) -> Option<FluentMessage> {
        let start = self.at;
        let is_term = self.takes(b'-').is_some();
        self.identifier()?;
        let id = start..self.at;
        self.spaces();
        self.takes(b'=')?;
        let equals_end = self.at;
        let value = self.part()?;
        let mut attributes = Vec::new();
        loop {
            let before = self.at;
            match self.attribute() {
                Some(attribute) => attributes.push(attribute),
                None => {
                    // What is no attribute is junk behind the message.
                    self.at = before;
                    break;
                }
            }
        }
        if value.is_none() && (is_term || attributes.is_empty()) {
            return None;
        }
        self.spaces();
        if !self.is_at_end() {
            return None;
        }
        self.end_line();
        Some(FluentMessage { is_term, id, comment: None, whole: start..self.at, equals_end, value, attributes })
    }

    /// The attribute that comes next, if one does.
    fn attribute(&mut self) -> Option<FluentAttribute> {
        if !self.blank() || self.peek() != Some(b'.') {
            return None;
        }
        let dot = self.at;
        let column = self.bytes.get(..dot)?.iter().rev().take_while(|byte| **byte == b' ').count();
        self.takes(b'.')?;
        let id = self.identifier()?;
        self.spaces();
        self.takes(b'=')?;
        let part = self.part()??;
        self.spaces();
        if !self.is_at_end() {
            return None;
        }
        let whole = dot - column..self.at + self.line_end(self.at);
        Some(FluentAttribute { id, whole, column, part })
    }

    fn part(&mut self) -> Option<Option<PatternValue>> {
        let from = self.at;
        let pattern = self.pattern(0)?;
        Some(pattern.map(|pattern| PatternValue { at: from..pattern.at.end, pattern }))
    }

    /// A pattern, if one is here; it ends before the line end behind it, or before what cannot be one.
    pub(super) fn pattern(&mut self, depth: usize) -> Option<Option<FluentPattern>> {
        self.spaces();
        let (mut at, mut placeables, mut inside, mut has_choice) = (None::<Range<usize>>, Vec::new(), None, false);
        loop {
            let from = self.at;
            match self.peek() {
                None | Some(b'}') => break,
                Some(b'{') => {
                    let found = self.placeable_within(depth)?;
                    has_choice |= found.has_choice;
                    inside = found.choice;
                    placeables.push(from..self.at);
                    at = Some(at.map_or(from, |at| at.start)..self.at);
                }
                Some(_) if self.line_end(from) > 0 => {
                    if !self.goes_on() {
                        break;
                    }
                }
                Some(_) => {
                    let mut end = None;
                    while !self.is_at_end() && !matches!(self.peek(), Some(b'{' | b'}')) {
                        self.at += 1;
                        end = if self.bytes.get(self.at - 1) == Some(&b' ') { end } else { Some(self.at) };
                    }
                    if let Some(end) = end {
                        at = Some(at.map_or(from, |at| at.start)..end);
                    }
                }
            }
        }
        let Some(at) = at else { return Some(None) };
        let choice = inside.filter(|_| placeables.as_slice() == [at.clone()]);
        Some(Some(FluentPattern { at, placeables, choice, has_choice }))
    }

    /// Goes from a line end to the next line of the pattern, if it has one.
    fn goes_on(&mut self) -> bool {
        let before = self.at;
        let mut line = self.at;
        loop {
            if !self.end_line() {
                break;
            }
            line = self.at;
            self.spaces();
        }
        let goes_on = match self.peek() {
            None | Some(b'}') => false,
            Some(b'{') => true,
            Some(b'[' | b'*' | b'.') => false,
            Some(_) => self.at > line,
        };
        if !goes_on {
            self.at = before;
        }
        goes_on
    }
}
