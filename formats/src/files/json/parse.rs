//! Reading a JSON file.
//!
//! Standard JSON (RFC 8259) and nothing else: serde_json judges the grammar, jsonc-parser's scanner then finds the
//! tokens of text that is known to be JSON. Both, and the walk here, keep their state on the heap, so depth costs no
//! stack.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use jsonc_parser::Scanner;
use jsonc_parser::ScannerOptions;
use jsonc_parser::tokens::Token;

use super::tree::{DEEPEST_JSON, JsonKind, Node, ObjectKey};
use crate::files::error::{ParseError, shown};
use crate::position::line_and_column;

/// The text with as many blanks in place of each comment. `None` if it has none.
pub(super) fn without_comments(text: &str) -> Option<String> {
    let mut code = String::with_capacity(text.len());
    let (mut rest, mut found) = (text, false);
    while let Some(at) = rest.find(['"', '/']) {
        let (before, from) = rest.split_at(at);
        code.push_str(before);
        let (length, is_comment) = match from.as_bytes() {
            [b'"', ..] => (string_length(from), false),
            [b'/', b'/', ..] => (from.find(['\n', '\r']).unwrap_or(from.len()), true),
            [b'/', b'*', inside @ ..] => match inside.windows(2).position(|end| end == b"*/") {
                Some(end) => (end + 4, true),
                None => (from.len(), false),
            },
            _ => (1, false),
        };
        let (piece, after) = from.split_at_checked(length).unwrap_or((from, ""));
        match is_comment {
            true => code
                .extend(piece.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' })),
            false => code.push_str(piece),
        }
        found |= is_comment;
        rest = after;
    }
    code.push_str(rest);
    found.then_some(code)
}

/// The length of the string that a text begins with, or of the text where that has no end.
fn string_length(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The text of a file.
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, ParseError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(ParseError::at(bytes, 0, "the file is UTF-16: save it as UTF-8"));
    }
    std::str::from_utf8(bytes)
        .map_err(|error| ParseError::at(bytes, error.valid_up_to(), "the file is not valid UTF-8: save it as UTF-8"))
}

/// Checks that `json`, which begins behind `mark` bytes of a file, is JSON.
pub(super) fn check_grammar(bytes: &[u8], mark: usize, json: &str) -> Result<(), ParseError> {
    if json.trim_ascii().is_empty() {
        return Err(ParseError::at(bytes, bytes.len(), "the file is empty: an empty catalogue is `{}`"));
    }
    let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(json) else {
        return Ok(());
    };
    let said = error.to_string();
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
    let mut offset = if error.is_eof() { json.len() } else { offset_of(json, error.line(), error.column()) };
    let rest = json.get(offset..).unwrap_or_default();
    if said.starts_with("control character") {
        // serde_json names the last character that it took, which may be the one before.
        offset += rest.find(|character| character < ' ').unwrap_or_default();
    }
    let before = json.get(..offset).unwrap_or_default().trim_ascii_end();
    let message = match rest.as_bytes().first() {
        Some(b'/' | b'#') => "comments are not part of JSON",
        Some(b'\'') => "strings take double quotes",
        Some(b'}' | b']') if before.ends_with(',') => "a comma after the last value is not part of JSON",
        _ => said,
    };
    Err(ParseError::at(bytes, mark + offset, message))
}

/// serde_json counts lines by LF and columns in bytes, from 1, where 0 is the line end before.
fn offset_of(json: &str, line: usize, column: usize) -> usize {
    let start: usize = json.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut offset = (start + column.saturating_sub(1)).min(json.len());
    while !json.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// The nodes of `json`, which is known to be JSON and begins behind `mark` bytes of a file, in their order.
pub(super) fn nodes(bytes: &[u8], mark: usize, json: &str, copies_may_differ: bool) -> Result<Vec<Node>, ParseError> {
    let (nodes, open) = (Vec::new(), Vec::new());
    TreeBuilder { bytes, mark, nodes, open, key: None, copy_of: None, copies_may_differ }.run(json)
}

struct TreeBuilder<'a> {
    bytes: &'a [u8],
    /// Bytes before the JSON: a byte order mark or nothing.
    mark: usize,
    nodes: Vec<Node>,
    open: Vec<OpenNode>,
    /// The member's name that was read last, and the member that had it before.
    key: Option<ObjectKey>,
    copy_of: Option<usize>,
    /// True if a name may stand twice with different values.
    copies_may_differ: bool,
}

/// An object or array that is not closed yet.
struct OpenNode {
    node: usize,
    is_object: bool,
    names: HashMap<Box<str>, usize>,
}

impl TreeBuilder<'_> {
    fn run(mut self, json: &str) -> Result<Vec<Node>, ParseError> {
        let options = ScannerOptions {
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let mut scanner = Scanner::new(json, &options);
        loop {
            let token = scanner.scan().map_err(|error| {
                ParseError::at(self.bytes, self.mark + error.range().start, error.kind().to_string())
            })?;
            let Some(token) = token else {
                return Ok(self.nodes);
            };
            let (start, end) = (self.mark + scanner.token_start(), self.mark + scanner.token_end());
            match token {
                Token::OpenBrace => self.open(start, end, true)?,
                Token::OpenBracket => self.open(start, end, false)?,
                Token::CloseBrace | Token::CloseBracket => self.close(end)?,
                Token::String(text) => self.string(start, end, &text)?,
                Token::Number(_) | Token::Boolean(_) | Token::Null => self.scalar(JsonKind::Scalar, start, end)?,
                // Between tokens the grammar, judged before, leaves nothing to check.
                _ => {}
            }
        }
    }

    fn open(&mut self, start: usize, end: usize, is_object: bool) -> Result<(), ParseError> {
        if self.open.len() == DEEPEST_JSON {
            let message = format!("objects and arrays lie more than {DEEPEST_JSON} deep in each other");
            return Err(ParseError::at(self.bytes, start, message));
        }
        let node = self.nodes.len();
        self.value(if is_object { JsonKind::Object } else { JsonKind::Array }, start, end);
        self.open.push(OpenNode { node, is_object, names: HashMap::new() });
        Ok(())
    }

    fn close(&mut self, end: usize) -> Result<(), ParseError> {
        let after = self.nodes.len();
        let Some(open) = self.open.pop() else { return Ok(()) };
        if let Some(node) = self.nodes.get_mut(open.node) {
            node.end = end;
            node.after = after;
        }
        self.check_copy(open.node)
    }

    fn string(&mut self, start: usize, end: usize, text: &str) -> Result<(), ParseError> {
        if text.contains('\0') {
            return Err(ParseError::at(self.bytes, start, "the string holds the character NUL (\\u0000)"));
        }
        match self.open.last_mut() {
            Some(open) if open.is_object && self.key.is_none() => {
                self.copy_of = match open.names.entry(text.into()) {
                    Slot::Occupied(first) => Some(*first.get()),
                    Slot::Vacant(slot) => {
                        slot.insert(self.nodes.len());
                        None
                    }
                };
                self.key = Some(ObjectKey { name: text.into(), start, end });
                Ok(())
            }
            _ => self.scalar(JsonKind::Text(text.into()), start, end),
        }
    }

    fn scalar(&mut self, kind: JsonKind, start: usize, end: usize) -> Result<(), ParseError> {
        self.value(kind, start, end);
        self.check_copy(self.nodes.len() - 1)
    }

    /// A name may stand twice where both say the same: real files have such copies, and no one loses by them.
    fn check_copy(&mut self, index: usize) -> Result<(), ParseError> {
        let Some((copy, of)) = self.nodes.get(index).and_then(|copy| Some((copy, self.nodes.get(copy.copy_of?)?)))
        else {
            return Ok(());
        };
        if self.bytes.get(copy.start..copy.end) == self.bytes.get(of.start..of.end) {
            return Ok(());
        }
        if self.copies_may_differ {
            if let Some(copy) = self.nodes.get_mut(index) {
                copy.copy_of = None;
            }
            return Ok(());
        }
        let line = line_and_column(self.bytes, of.member_start()).0;
        let message = format!("the key {} is there twice, in line {line} with another value", shown(copy.name()));
        Err(ParseError::at(self.bytes, copy.member_start(), message))
    }

    fn value(&mut self, kind: JsonKind, start: usize, end: usize) {
        let parent = self.open.last().map_or(0, |open| open.node);
        let after = self.nodes.len() + 1;
        let (key, copy_of) = (self.key.take(), self.copy_of.take());
        self.nodes.push(Node { key, kind, start, end, parent, after, copy_of });
    }
}
