//! The walk over the tokens of a file.

use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::events::Event;

use super::doctype;
use super::references::Entities;
use super::{DEEPEST, Node, Tree, XmlKind, attributes, is_allowed, is_blank, is_name};
use crate::files::error::shown;
use crate::files::spliced::ScanError;

const NO_ROOT: usize = usize::MAX;

pub(super) fn read(text: &str) -> Result<Tree<'_>, ScanError> {
    let tree = Tree { text, nodes: Vec::new(), entities: Entities::default(), attributes: Vec::new(), root: NO_ROOT };
    if let Some((at, char)) = text.char_indices().find(|(_, char)| !is_allowed(*char)) {
        return Err(tree.error(at, format!("XML cannot hold the character U+{:04X}", u32::from(char))));
    }
    TreeBuilder { tree, open: Vec::new(), has_doctype: false }.run()
}

struct TreeBuilder<'t> {
    tree: Tree<'t>,
    /// The elements around, by index.
    open: Vec<usize>,
    has_doctype: bool,
}

impl<'t> TreeBuilder<'t> {
    fn run(mut self) -> Result<Tree<'t>, ScanError> {
        let mut reader = Reader::from_str(self.tree.text);
        reader.config_mut().check_comments = true;
        let mut start = 0;
        loop {
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = usize::try_from(reader.error_position()).unwrap_or(start);
                    return Err(self.tree.error(at.min(self.tree.text.len()), told(&error)));
                }
            };
            let end = usize::try_from(reader.buffer_position()).unwrap_or(start);
            match event {
                Event::Eof => return self.done(),
                Event::Start(_) => self.element(start, end, false)?,
                Event::Empty(_) => self.element(start, end, true)?,
                Event::End(_) => self.close(start, end)?,
                Event::Text(_) => self.text(start, end)?,
                Event::CData(_) => self.inside(start, end, XmlKind::CData, "CDATA")?,
                Event::GeneralRef(reference) => {
                    self.tree.entities.check(&reference).map_err(|message| self.tree.error(start, message))?;
                    self.inside(start, end, XmlKind::Reference, "a reference")?;
                }
                Event::Comment(_) | Event::PI(_) => {
                    let is_comment = self.tree.slice(&(start..end)).starts_with("<!--");
                    self.push(start, end, if is_comment { XmlKind::Comment } else { XmlKind::Aside });
                }
                Event::Decl(_) => self.declaration(start, end)?,
                Event::DocType(_) => self.doctype(start, end)?,
            }
            start = end;
        }
    }

    fn push(&mut self, start: usize, end: usize, kind: XmlKind) {
        let after = self.tree.nodes.len() + 1;
        self.tree.nodes.push(Node { kind, range: start..end, after });
    }

    fn element(&mut self, start: usize, end: usize, is_one_tag: bool) -> Result<(), ScanError> {
        if self.open.is_empty() {
            if self.tree.root != NO_ROOT {
                return Err(self.tree.error(start, "the file has a second root element: XML has one"));
            }
            self.tree.root = self.tree.nodes.len();
        }
        if self.open.len() >= DEEPEST {
            return Err(self.tree.error(start, format!("elements lie more than {DEEPEST} deep in each other")));
        }
        let tag = self.tree.slice(&(start..end));
        let closing = if is_one_tag { "/>" } else { ">" };
        let body = tag.strip_prefix('<').and_then(|tag| tag.strip_suffix(closing)).unwrap_or_default();
        let length = body.bytes().position(is_blank).unwrap_or(body.len());
        let name = start + 1..start + 1 + length;
        if !is_name(self.tree.slice(&name)) {
            return Err(self.tree.error(start, format!("{} is no name of an element", shown(self.tree.slice(&name)))));
        }
        let found = attributes::read(&self.tree, name.end, end - closing.len())?;
        let first = self.tree.attributes.len();
        self.tree.attributes.extend(found);
        let attributes = first..self.tree.attributes.len();
        if !is_one_tag {
            self.open.push(self.tree.nodes.len());
        }
        self.push(start, end, XmlKind::Element { name, inner: end..end, attributes });
        Ok(())
    }

    fn close(&mut self, start: usize, end: usize) -> Result<(), ScanError> {
        let Some(opened) = self.open.pop() else {
            return Err(self.tree.error(start, "this closes an element that is not open"));
        };
        let after = self.tree.nodes.len();
        if let Some(node) = self.tree.nodes.get_mut(opened) {
            node.after = after;
            node.range.end = end;
            if let XmlKind::Element { inner, .. } = &mut node.kind {
                inner.end = start;
            }
        }
        Ok(())
    }

    fn text(&mut self, start: usize, end: usize) -> Result<(), ScanError> {
        let text = self.tree.slice(&(start..end));
        if let Some(at) = text.find("]]>") {
            return Err(self.tree.error(start + at, "`]]>` ends CDATA, and here is none: write `]]&gt;`"));
        }
        let blanks = text.bytes().take_while(|byte| is_blank(*byte)).count();
        if self.open.is_empty() && blanks < text.len() {
            return Err(self.tree.error(start + blanks, "text stands outside of the root element"));
        }
        self.push(start, end, XmlKind::Text);
        Ok(())
    }

    fn inside(&mut self, start: usize, end: usize, kind: XmlKind, what: &str) -> Result<(), ScanError> {
        if self.open.is_empty() {
            return Err(self.tree.error(start, format!("{what} stands outside of the root element")));
        }
        self.push(start, end, kind);
        Ok(())
    }

    /// The text is UTF-8 by now, whatever it was in the file; UTF-16 says so by its byte order mark.
    fn declaration(&mut self, start: usize, end: usize) -> Result<(), ScanError> {
        if start != 0 {
            return Err(self.tree.error(start, "the XML declaration must be the first of the file"));
        }
        let body = self.tree.slice(&(start..end));
        let name_end = start + "<?xml".len();
        if !body.ends_with("?>") {
            return Err(self.tree.error(start, "the XML declaration does not end"));
        }
        for attribute in attributes::read(&self.tree, name_end, end - 2)? {
            let value = self.tree.slice(&attribute.value).to_ascii_lowercase();
            let is_known =
                value.starts_with("utf-16") || ["utf-8", "utf8", "us-ascii", "ascii"].contains(&value.as_str());
            if self.tree.slice(&attribute.name) == "encoding" && !is_known {
                let message = format!("the file says that it is {}: save it as UTF-8, and say so", shown(&value));
                return Err(self.tree.error(attribute.value.start, message));
            }
        }
        self.push(start, end, XmlKind::Aside);
        Ok(())
    }

    fn doctype(&mut self, start: usize, end: usize) -> Result<(), ScanError> {
        if self.tree.root != NO_ROOT || std::mem::replace(&mut self.has_doctype, true) {
            return Err(self.tree.error(start, "the DOCTYPE must stand once, before the root element"));
        }
        self.tree.entities = doctype::entities(self.tree.slice(&(start..end)))
            .map_err(|(at, message)| self.tree.error(start + at, message))?;
        self.push(start, end, XmlKind::Aside);
        Ok(())
    }

    fn done(self) -> Result<Tree<'t>, ScanError> {
        let Self { tree, open, .. } = self;
        if let Some(node) = open.last().and_then(|open| tree.nodes.get(*open)) {
            return Err(tree.error(node.range.start, "the element does not end"));
        }
        if tree.root == NO_ROOT {
            return Err(tree.error(tree.text.len(), "the file has no root element"));
        }
        Ok(tree)
    }
}

/// The fault as a sentence.
fn told(error: &Error) -> String {
    match error {
        Error::Syntax(SyntaxError::UnclosedComment) => "the comment does not end".to_owned(),
        Error::Syntax(SyntaxError::UnclosedCData) => "the CDATA does not end".to_owned(),
        Error::Syntax(SyntaxError::UnclosedDoctype) => "the DOCTYPE does not end".to_owned(),
        Error::Syntax(SyntaxError::UnclosedTag) => "the tag does not end".to_owned(),
        Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
            format!("{} closes where {} is open", shown(found), shown(expected))
        }
        Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
            format!("{} closes, and is not open", shown(found))
        }
        Error::IllFormed(IllFormedError::DoubleHyphenInComment) => "a comment cannot hold `--`".to_owned(),
        Error::IllFormed(IllFormedError::UnclosedReference) => "`&` begins no reference: write `&amp;`".to_owned(),
        other => format!("the file is not XML: {other}"),
    }
}
