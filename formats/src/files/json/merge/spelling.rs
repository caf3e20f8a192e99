//! The spelling of values that come into a file from another one.

use crate::files::json::style::Style;
use crate::files::json::tree::{Kind, Tree};

/// The spelling of a file.
pub(super) struct Spelling {
    strings: Style,
    newline: &'static str,
    /// One step of indentation.
    unit: String,
    /// The separator between a name and its value.
    colon: String,
    /// True if the file has more than one line.
    has_lines: bool,
}

impl Spelling {
    pub(super) fn of(tree: &Tree) -> Self {
        let text = &tree.text;
        let first = tree.children(0).next();
        let indent = first.map(|first| indentation(tree, first)).filter(|indent| !indent.is_empty());
        let colon = first.and_then(|first| {
            let member = tree.nodes.get(first)?;
            text.get(member.key.as_ref()?.end..member.start)
        });
        Self {
            strings: tree.style,
            newline: if text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: indent.unwrap_or("  ").to_owned(),
            colon: colon.unwrap_or(": ").to_owned(),
            has_lines: text.trim_end().contains('\n') || first.is_none(),
        }
    }

    /// A string with its quotes.
    fn string(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 2);
        self.strings.write(&mut out, text);
        out
    }

    /// The indentation one step deeper.
    pub(super) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit)
    }

    /// A member; its value is already serialized.
    pub(super) fn member(&self, name: &str, value: &str) -> String {
        format!("{}{}{value}", self.string(name), self.colon)
    }

    /// A value of another file, on a line that is indented by `indent`.
    pub(super) fn value(&self, tree: &Tree, node: usize, indent: &str) -> String {
        let inner = self.deeper(indent);
        let value = &tree.nodes[node];
        let children = || tree.children(node).map(|child| (child, self.value(tree, child, &inner)));
        match &value.kind {
            Kind::Text(text) => self.string(text),
            Kind::Object => {
                let members = children().map(|(child, value)| self.member(tree.nodes[child].name(), &value));
                self.block('{', '}', &members.collect::<Vec<_>>(), indent)
            }
            Kind::Array => self.block('[', ']', &children().map(|(_, element)| element).collect::<Vec<_>>(), indent),
            Kind::Scalar => tree.text.get(value.start..value.end).unwrap_or("null").to_owned(),
        }
    }

    /// Members or elements between brackets, on a line indented by `indent`.
    pub(super) fn block(&self, open: char, close: char, inside: &[String], indent: &str) -> String {
        if inside.is_empty() {
            return format!("{open}{close}");
        }
        if !self.has_lines {
            return format!("{open}{}{close}", inside.join(", "));
        }
        let line = format!("{}{indent}{}", self.newline, self.unit);
        format!("{open}{line}{}{}{indent}{close}", inside.join(&format!(",{line}")), self.newline)
    }
}

/// The indentation of the line that starts with a member.
pub(super) fn indentation(tree: &Tree, member: usize) -> &str {
    let start = tree.nodes.get(member).map_or(0, |node| node.member_start());
    let before = tree.text.get(..start).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or("", |(_, line)| line);
    if line.trim().is_empty() { line } else { "" }
}

/// The blanks that the line of a byte begins with.
pub(super) fn line_indentation(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}
