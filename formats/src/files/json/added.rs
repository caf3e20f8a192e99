//! The spelling of members that are added to a JSON file, which follows the blanks around them.

use super::layout::{self, FileLayout, line_indentation};
use super::tree::Tree;

/// The blanks of an object, for members that come into it.
pub(super) struct ObjectStyle<'t> {
    tree: &'t Tree,
    /// Between lines; `None` where the object stands on one line.
    newline: Option<&'static str>,
    /// Indentation of the line that the object's members stand on.
    indent: String,
    /// One step of indentation.
    unit: &'t str,
    /// Between a name and its value.
    colon: &'t str,
    /// Inside the brackets of an object on one line.
    pad: &'t str,
}

impl<'t> ObjectStyle<'t> {
    /// The style of an object of the file.
    pub(super) fn of(tree: &'t Tree, object: usize) -> Self {
        let FileLayout { newline, unit, colon, has_lines } = FileLayout::of(tree);
        match tree.children(object).next() {
            Some(first) => {
                let blank = blank(tree, object, first);
                let has_lines = blank.contains('\n');
                Self {
                    tree,
                    newline: has_lines.then_some(newline),
                    indent: layout::indentation(tree, first).to_owned(),
                    unit,
                    colon: layout::colon(tree, first),
                    pad: if has_lines { "" } else { blank },
                }
            }
            None => {
                let line = tree.nodes.get(object).map_or("", |node| line_indentation(&tree.text, node.start));
                let indent = format!("{line}{unit}");
                Self { tree, newline: has_lines.then_some(newline), indent, unit, colon, pad: "" }
            }
        }
    }

    /// The value of a new member: a text, inside objects of these names.
    pub(super) fn value(&self, names: &[&str], text: &str) -> String {
        self.nested(names, text, &self.indent)
    }

    /// An object that was empty, with a text inside objects of these names.
    pub(super) fn filled(&self, names: &[&str], text: &str) -> String {
        let outer = self.indent.strip_suffix(self.unit).unwrap_or_default();
        self.nested(names, text, outer)
    }

    /// `indent` is that of the line on which the value begins.
    fn nested(&self, names: &[&str], text: &str, indent: &str) -> String {
        let mut out = String::new();
        for (depth, name) in names.iter().enumerate() {
            out.push('{');
            self.line(&mut out, indent, depth + 1);
            self.tree.style.write(&mut out, name);
            out.push_str(self.colon);
        }
        self.tree.style.write(&mut out, text);
        for depth in (0..names.len()).rev() {
            self.line(&mut out, indent, depth);
            out.push('}');
        }
        out
    }

    fn line(&self, out: &mut String, indent: &str, depth: usize) {
        match self.newline {
            Some(newline) => {
                out.push_str(newline);
                out.push_str(indent);
                (0..depth).for_each(|_| out.push_str(self.unit));
            }
            None => out.push_str(self.pad),
        }
    }
}

/// Between the opening bracket and the first member.
fn blank(tree: &Tree, object: usize, first: usize) -> &str {
    let of = |node: usize| tree.nodes.get(node);
    let found =
        of(object).zip(of(first)).and_then(|(object, first)| tree.text.get(object.start + 1..first.member_start()));
    found.unwrap_or_default()
}
