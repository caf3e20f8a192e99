//! An XML file as a flat tree of places: where each element, attribute, text and reference lies in the source.
//!
//! quick-xml finds the tokens, and its positions tile the file. It passes what the specification forbids: a second root,
//! attributes of one name, entities that nobody declared, characters that XML cannot hold. The walk here refuses them, and
//! whatever could make a file larger or other than it looks: entities from elsewhere, parameter entities, and entities
//! inside entities. An entity that the file's own DOCTYPE declares stays a reference, which is a placeholder of the text.
//! No entity is ever expanded. State is kept on the heap, so depth costs no stack.

mod attributes;
mod doctype;
mod layout;
mod pieces;
mod places;
mod plain;
mod references;
#[cfg(test)]
mod tests;
mod tokens;

use std::borrow::Cow;
use std::ops::Range;

use self::attributes::Attribute;
pub(in crate::files) use self::layout::{ElementLayout, copied, group_of};
pub(in crate::files) use self::pieces::{TagOrText, pieces};
pub(in crate::files) use self::places::{described, lines_of, root_name, root_tag};
pub(in crate::files) use self::plain::{Plain, plain, plain_spelled};
pub(in crate::files) use self::references::{Entities, Escapes, begins_tag};
use super::spliced::ScanError;

/// The media type of XML formats. Browsers run scripts in files that are delivered as XML, and files hold people's texts.
pub(in crate::files) const MEDIA_TYPE: &str = "application/octet-stream";

/// Elements inside each other, at most.
const DEEPEST: usize = 128;

/// The source and its nodes in file order.
pub(in crate::files) struct Tree<'t> {
    pub text: &'t str,
    pub nodes: Vec<Node>,
    pub entities: Entities,
    attributes: Vec<Attribute>,
    root: usize,
}

/// An element, a run of text, or anything else between the tags.
#[derive(Debug)]
pub(in crate::files) struct Node {
    pub kind: XmlKind,
    /// All of it: an element with its tags, CDATA and a comment with their delimiters.
    pub range: Range<usize>,
    /// The index of the first node that does not lie inside this one.
    pub after: usize,
}

/// The kind of a node.
#[derive(Debug)]
pub(in crate::files) enum XmlKind {
    Element {
        name: Range<usize>,
        /// The content; empty and at the end of the element when it is one tag alone (`<a/>`).
        inner: Range<usize>,
        attributes: Range<usize>,
    },
    /// Characters as they are.
    Text,
    CData,
    /// `&name;` or `&#1;`, as one node.
    Reference,
    Comment,
    /// The declaration, the DOCTYPE or a processing instruction.
    Aside,
}

impl<'t> Tree<'t> {
    /// Reads a file that has no byte order mark any more.
    ///
    /// # Errors
    /// Returns the fault with its place.
    pub(super) fn parse(text: &'t str) -> Result<Self, ScanError> {
        tokens::read(text)
    }

    /// The characters of a range.
    pub(super) fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The index of the root element.
    pub(super) fn root(&self) -> usize {
        self.root
    }

    /// The nodes directly inside an element, by index.
    pub(super) fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes.get(node).map_or(0, |node| node.after);
        let after = |at: usize| self.nodes.get(at).map(|node| node.after);
        std::iter::successors(Some(node + 1), move |at| after(*at)).take_while(move |at| *at < end)
    }

    /// The elements directly inside an element, by index.
    pub(super) fn elements(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.children(node).filter(|child| matches!(self.nodes[*child].kind, XmlKind::Element { .. }))
    }

    /// The elements of a name directly inside an element, by index.
    pub(super) fn elements_named<'a>(&'a self, node: usize, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        self.elements(node).filter(move |child| self.name(*child) == name)
    }

    /// The name of an element, with its prefix; empty for other nodes.
    pub(super) fn name(&self, node: usize) -> &'t str {
        match self.nodes.get(node).map(|node| &node.kind) {
            Some(XmlKind::Element { name, .. }) => self.slice(name),
            _ => "",
        }
    }

    /// The content of an element; empty for other nodes.
    pub(super) fn inner(&self, node: usize) -> Range<usize> {
        match self.nodes.get(node).map(|node| &node.kind) {
            Some(XmlKind::Element { inner, .. }) => inner.clone(),
            _ => 0..0,
        }
    }

    /// Returns true if an element is one tag alone, `<a/>`.
    pub(super) fn is_one_tag(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(|found| self.inner(node).start == found.range.end)
    }

    fn attribute_named(&self, node: usize, name: &str) -> Option<&Attribute> {
        let Some(XmlKind::Element { attributes, .. }) = self.nodes.get(node).map(|node| &node.kind) else {
            return None;
        };
        let attributes = self.attributes.get(attributes.clone()).unwrap_or_default();
        attributes.iter().find(|attribute| self.slice(&attribute.name) == name)
    }

    /// The value of an attribute, without references.
    pub(super) fn attribute(&self, node: usize, name: &str) -> Option<Cow<'t, str>> {
        let found = self.attribute_named(node, name)?;
        Some(self.entities.decoded(self.slice(&found.value)))
    }

    /// The place of an attribute's value, between its quotes.
    pub(super) fn attribute_place(&self, node: usize, name: &str) -> Option<Range<usize>> {
        self.attribute_named(node, name).map(|found| found.value.clone())
    }

    /// The place of an attribute with the blanks before it.
    pub(super) fn whole_attribute(&self, node: usize, name: &str) -> Option<Range<usize>> {
        let found = self.attribute_named(node, name)?;
        let before = self.text.get(..found.name.start).unwrap_or_default();
        Some(before.trim_end().len()..found.value.end + 1)
    }

    /// The characters of a CDATA section.
    pub(super) fn cdata(&self, node: usize) -> &'t str {
        let raw = self.nodes.get(node).map_or("", |node| self.slice(&node.range));
        raw.strip_prefix("<![CDATA[").and_then(|raw| raw.strip_suffix("]]>")).unwrap_or_default()
    }

    /// An error at an offset.
    pub(super) fn error(&self, offset: usize, message: impl Into<String>) -> ScanError {
        ScanError::at(offset, message)
    }
}

/// Line ends as an XML parser hands them over: LF alone.
pub(in crate::files) fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { Cow::Borrowed(text) }
}

/// Returns true for the characters that XML 1.0 can hold.
pub(in crate::files) fn is_allowed(char: char) -> bool {
    matches!(char, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Returns true for the blanks of XML.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Returns true if it can be a name of an element, an attribute or an entity.
fn is_name(name: &str) -> bool {
    let starts = |char: char| char.is_ascii_alphabetic() || matches!(char, '_' | ':') || char >= '\u{c0}';
    let goes_on = |char: char| starts(char) || char.is_ascii_digit() || matches!(char, '-' | '.' | '\u{b7}');
    name.starts_with(starts) && name.chars().all(goes_on)
}
