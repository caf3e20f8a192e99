//! A JSON file as a flat tree of places: where each key and value lies in the source.
//!
//! Standard JSON (RFC 8259) and nothing else: serde_json judges the grammar, jsonc-parser's scanner then finds the
//! tokens of text that is known to be JSON. Both, and the walk here, keep their state on the heap, so depth costs no
//! stack.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use jsonc_parser::Scanner;
use jsonc_parser::ScannerOptions;
use jsonc_parser::tokens::Token;

use super::style::Style;
use crate::files::error::{ParseError, shown};
use crate::position::line_and_column;

/// The message about a file that holds something else than an object.
pub(in crate::files) const NOT_AN_OBJECT: &str = "the file must hold one object, `{…}`";

/// Objects and arrays inside each other, at most.
pub(super) const DEEPEST_JSON: usize = 128;

/// The source and its nodes in file order; the first is the root, which is an object.
pub(in crate::files) struct Tree {
    pub text: String,
    /// The text with blanks in place of its comments, if it has any.
    code: Option<String>,
    pub style: Style,
    pub nodes: Vec<Node>,
}

/// The liberties that a file may take.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::files) struct JsonDialect {
    /// A name may stand twice with different values.
    pub copies_may_differ: bool,
    /// There may be comments, `// …` and `/* … */`.
    pub comments: bool,
}

/// A value and the key before it.
pub(in crate::files) struct Node {
    /// None for the root and in arrays.
    pub key: Option<ObjectKey>,
    pub kind: Kind,
    /// First byte of the value.
    pub start: usize,
    /// One past the last byte of the value.
    pub end: usize,
    /// The object or array around; the root is its own.
    pub parent: usize,
    /// The index of the first node that does not lie inside this one.
    pub after: usize,
    /// The member of the same name and value before this one. The two are treated alike.
    pub copy_of: Option<usize>,
}

/// The name of an object's member.
pub(in crate::files) struct ObjectKey {
    pub name: Box<str>,
    /// First byte, the opening quote.
    pub start: usize,
    /// One past the closing quote.
    pub end: usize,
}

/// The kind of a value.
pub(in crate::files) enum Kind {
    Object,
    Array,
    /// A string, decoded.
    Text(Box<str>),
    /// A number, true, false or null, which no one translates.
    Scalar,
}

impl Node {
    /// The first byte of the member: that of its key, or that of the value in an array.
    pub(in crate::files) fn member_start(&self) -> usize {
        self.key.as_ref().map_or(self.start, |key| key.start)
    }

    /// The member's name; empty in arrays.
    pub(in crate::files) fn name(&self) -> &str {
        self.key.as_ref().map_or("", |key| &key.name)
    }
}

impl Tree {
    /// Sentences that the team should read about the file, although it can be read.
    pub(in crate::files) fn warnings(&self) -> Vec<String> {
        const MOST: usize = 20;
        let copies = self.nodes.iter().filter_map(|copy| Some((copy, self.nodes.get(copy.copy_of?)?)));
        let line = |node: &Node| line_and_column(self.text.as_bytes(), node.member_start()).0;
        let say = |(copy, of): (&Node, &Node)| {
            format!(
                "the key {} is there twice with the same value, in lines {} and {}",
                shown(copy.name()),
                line(of),
                line(copy)
            )
        };
        copies.take(MOST).map(say).collect()
    }

    /// Returns true if there are texts and no numbers, `true`, `false` or `null`, as in catalogues and unlike `package.json`.
    pub(in crate::files) fn holds_texts_alone(&self) -> bool {
        let count = |is: fn(&Kind) -> bool| self.nodes.iter().filter(|node| is(&node.kind)).count();
        count(|kind| matches!(kind, Kind::Text(_))) > 0 && count(|kind| matches!(kind, Kind::Scalar)) == 0
    }

    /// The nodes directly inside a node.
    pub(in crate::files) fn children(&self, of: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes.get(of).map_or(0, |node| node.after);
        let mut next = of + 1;
        std::iter::from_fn(move || {
            let child = next;
            next = self.nodes.get(child).filter(|_| child < end)?.after;
            Some(child)
        })
    }

    /// The member of a name in an object.
    pub(in crate::files) fn child(&self, object: usize, name: &str) -> Option<usize> {
        self.children(object).find(|child| self.nodes.get(*child).is_some_and(|node| node.name() == name))
    }

    /// The characters of a text; nothing if the node is none.
    pub(in crate::files) fn text_of(&self, node: usize) -> &str {
        match self.nodes.get(node).map(|node| &node.kind) {
            Some(Kind::Text(text)) => text,
            _ => "",
        }
    }

    /// An error at the key of a node, or at its value in an array.
    pub(in crate::files) fn error_at(&self, node: usize, message: impl Into<String>) -> ParseError {
        let offset = self.nodes.get(node).map_or(0, Node::member_start);
        ParseError::at(self.text.as_bytes(), offset, message)
    }

    /// The line of a node's key, from 1.
    pub(in crate::files) fn line_of(&self, node: usize) -> u32 {
        let offset = self.nodes.get(node).map_or(0, Node::member_start);
        line_and_column(self.text.as_bytes(), offset).0
    }

    /// Returns true if a node is a member of the file's object.
    pub(super) fn is_member_of_root(&self, node: usize) -> bool {
        node != 0 && self.nodes.get(node).is_some_and(|node| node.parent == 0)
    }

    /// The text between two offsets.
    pub(in crate::files) fn slice(&self, from: usize, to: usize) -> &str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The text between two members: before the comma and behind it.
    pub(in crate::files) fn gap(&self, from: usize, to: usize) -> (&str, &str) {
        let code = self.code.as_ref().unwrap_or(&self.text);
        match code.get(from..to).and_then(|gap| gap.find(',')) {
            Some(at) => (self.slice(from, from + at), self.slice(from + at + 1, to)),
            None => ("", self.slice(from, to)),
        }
    }

    /// Reads a file.
    pub(in crate::files) fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        Self::read(bytes, JsonDialect::default())
    }

    /// Reads a file in which a name may stand twice with different values. Each of them is a member of its own.
    pub(super) fn parse_with_copies(bytes: &[u8]) -> Result<Self, ParseError> {
        Self::read(bytes, JsonDialect { copies_may_differ: true, comments: false })
    }

    /// Reads a file that may have more than standard JSON.
    pub(in crate::files) fn read(bytes: &[u8], reading: JsonDialect) -> Result<Self, ParseError> {
        let JsonDialect { copies_may_differ, comments } = reading;
        let text = utf8(bytes)?;
        let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let code = comments.then(|| without_comments(text)).flatten();
        let json = code.as_deref().unwrap_or(text).get(mark..).unwrap_or_default();
        check_grammar(bytes, mark, json)?;
        let walk = TreeBuilder {
            bytes,
            mark,
            nodes: Vec::new(),
            open: Vec::new(),
            key: None,
            copy_of: None,
            copies_may_differ,
        };
        let nodes = walk.run(json)?;
        if !matches!(nodes.first(), Some(Node { kind: Kind::Object, .. })) {
            let start = nodes.first().map_or(0, |node| node.start);
            return Err(ParseError::at(bytes, start, NOT_AN_OBJECT));
        }
        Ok(Self { style: Style::of(code.as_deref().unwrap_or(text)), text: text.to_owned(), code, nodes })
    }
}

/// The text with as many blanks in place of each comment. `None` if it has none.
fn without_comments(text: &str) -> Option<String> {
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

fn utf8(bytes: &[u8]) -> Result<&str, ParseError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(ParseError::at(bytes, 0, "the file is UTF-16: save it as UTF-8"));
    }
    std::str::from_utf8(bytes)
        .map_err(|error| ParseError::at(bytes, error.valid_up_to(), "the file is not valid UTF-8: save it as UTF-8"))
}

fn check_grammar(bytes: &[u8], mark: usize, json: &str) -> Result<(), ParseError> {
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
                Token::Number(_) | Token::Boolean(_) | Token::Null => self.scalar(Kind::Scalar, start, end)?,
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
        self.value(if is_object { Kind::Object } else { Kind::Array }, start, end);
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
            _ => self.scalar(Kind::Text(text.into()), start, end),
        }
    }

    fn scalar(&mut self, kind: Kind, start: usize, end: usize) -> Result<(), ParseError> {
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

    fn value(&mut self, kind: Kind, start: usize, end: usize) {
        let parent = self.open.last().map_or(0, |open| open.node);
        let after = self.nodes.len() + 1;
        let (key, copy_of) = (self.key.take(), self.copy_of.take());
        self.nodes.push(Node { key, kind, start, end, parent, after, copy_of });
    }
}
