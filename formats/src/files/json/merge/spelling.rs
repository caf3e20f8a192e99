//! The spelling of values that come into a file from another one.

use crate::files::json::layout::FileLayout;
use crate::files::json::style::Style;
use crate::files::json::tree::{JsonKind, Tree};

/// The spelling of a file.
pub(in crate::files) struct JsonSpelling<'t> {
    strings: Style,
    layout: FileLayout<'t>,
}

impl<'t> JsonSpelling<'t> {
    pub(in crate::files) fn of(tree: &'t Tree) -> Self {
        Self { strings: tree.style, layout: FileLayout::of(tree) }
    }

    /// A string with its quotes.
    fn string(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 2);
        self.strings.write(&mut out, text);
        out
    }

    /// The indentation one step deeper.
    pub(in crate::files) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.layout.unit)
    }

    /// A member; its value is already serialized.
    pub(in crate::files) fn member(&self, name: &str, value: &str) -> String {
        format!("{}{}{value}", self.string(name), self.layout.colon)
    }

    /// A value of another file, on a line that is indented by `indent`.
    pub(in crate::files) fn value(&self, tree: &Tree, node: usize, indent: &str) -> String {
        let inner = self.deeper(indent);
        let value = &tree.nodes[node];
        let children = || tree.children(node).map(|child| (child, self.value(tree, child, &inner)));
        match &value.kind {
            JsonKind::Text(text) => self.string(text),
            JsonKind::Object => {
                let members = children().map(|(child, value)| self.member(tree.nodes[child].name(), &value));
                self.block('{', '}', &members.collect::<Vec<_>>(), indent)
            }
            JsonKind::Array => {
                self.block('[', ']', &children().map(|(_, element)| element).collect::<Vec<_>>(), indent)
            }
            JsonKind::Scalar => tree.text.get(value.start..value.end).unwrap_or("null").to_owned(),
        }
    }

    /// Members or elements between brackets, on a line indented by `indent`.
    pub(in crate::files) fn block(&self, open: char, close: char, inside: &[String], indent: &str) -> String {
        if inside.is_empty() {
            return format!("{open}{close}");
        }
        if !self.layout.has_lines {
            return format!("{open}{}{close}", inside.join(", "));
        }
        let FileLayout { newline, unit, .. } = self.layout;
        let line = format!("{newline}{indent}{unit}");
        format!("{open}{line}{}{newline}{indent}{close}", inside.join(&format!(",{line}")))
    }
}
