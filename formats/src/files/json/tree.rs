//! A JSON file as a flat tree of places: where each key and value lies in the source.

use super::parse::{check_grammar, nodes, utf8, without_comments};
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
    pub kind: JsonKind,
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
pub(in crate::files) enum JsonKind {
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
        let count = |is: fn(&JsonKind) -> bool| self.nodes.iter().filter(|node| is(&node.kind)).count();
        count(|kind| matches!(kind, JsonKind::Text(_))) > 0 && count(|kind| matches!(kind, JsonKind::Scalar)) == 0
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
            Some(JsonKind::Text(text)) => text,
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
        let nodes = nodes(bytes, mark, json, copies_may_differ)?;
        if !matches!(nodes.first(), Some(Node { kind: JsonKind::Object, .. })) {
            let start = nodes.first().map_or(0, |node| node.start);
            return Err(ParseError::at(bytes, start, NOT_AN_OBJECT));
        }
        Ok(Self { style: Style::of(code.as_deref().unwrap_or(text)), text: text.to_owned(), code, nodes })
    }
}
