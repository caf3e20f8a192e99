//! The spelling of members that are added to a JSON file, which follows the blanks around them.

use super::tree::{Node, Tree};

/// The blanks of an object, for members that come into it.
pub(super) struct ObjectStyle<'t> {
    tree: &'t Tree,
    /// Between lines; `None` where the object stands on one line.
    newline: Option<&'static str>,
    /// Indentation of the line that the object's members stand on.
    indent: String,
    /// One step of indentation.
    unit: String,
    /// Between a name and its value.
    colon: String,
    /// Inside the brackets of an object on one line.
    pad: &'t str,
}

impl<'t> ObjectStyle<'t> {
    /// The hand of an object of the file.
    pub(super) fn of(tree: &'t Tree, object: usize) -> Self {
        let text = &tree.text;
        let first_of = |of: usize| {
            tree.nodes.get(of).and_then(|node| Some((node, tree.nodes.get(of + 1).filter(|_| node.after > of + 1)?)))
        };
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let root_unit = first_of(0).map(|(root, first)| indentation(blank(tree, root, first)));
        let unit = root_unit.filter(|unit| !unit.is_empty()).unwrap_or("  ").to_owned();
        let colon = |node: &Node| node.key.as_ref().and_then(|key| text.get(key.end..node.start));
        match first_of(object) {
            Some((node, first)) => {
                let blank = blank(tree, node, first);
                let has_lines = blank.contains('\n');
                Self {
                    tree,
                    newline: has_lines.then_some(newline),
                    indent: indentation(blank).to_owned(),
                    unit,
                    colon: colon(first).unwrap_or(": ").to_owned(),
                    pad: if has_lines { "" } else { blank },
                }
            }
            None => {
                let has_lines = text.trim_end().contains('\n') || object == 0;
                let line = tree.nodes.get(object).map_or("", |node| line_indentation(text, node.start));
                Self {
                    tree,
                    newline: has_lines.then_some(newline),
                    indent: format!("{line}{unit}"),
                    unit,
                    colon: first_of(0).and_then(|(_, first)| colon(first)).unwrap_or(": ").to_owned(),
                    pad: "",
                }
            }
        }
    }

    /// The value of a new member: a text, inside objects of these names.
    pub(super) fn value(&self, names: &[&str], text: &str) -> String {
        self.nested(names, text, &self.indent)
    }

    /// An object that was empty, with a text inside objects of these names.
    pub(super) fn filled(&self, names: &[&str], text: &str) -> String {
        let outer = self.indent.strip_suffix(self.unit.as_str()).unwrap_or_default();
        self.nested(names, text, outer)
    }

    /// `indent` is that of the line on which the value begins.
    fn nested(&self, names: &[&str], text: &str, indent: &str) -> String {
        let mut out = String::new();
        for (depth, name) in names.iter().enumerate() {
            out.push('{');
            self.line(&mut out, indent, depth + 1);
            self.tree.style.write(&mut out, name);
            out.push_str(&self.colon);
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
                (0..depth).for_each(|_| out.push_str(&self.unit));
            }
            None => out.push_str(self.pad),
        }
    }
}

/// Between the opening bracket and the first member.
fn blank<'t>(tree: &'t Tree, object: &Node, first: &Node) -> &'t str {
    tree.text.get(object.start + 1..first.member_start()).unwrap_or_default()
}

/// The last line of a blank; nothing where it has one line.
fn indentation(blank: &str) -> &str {
    blank.rsplit_once('\n').map_or("", |(_, last)| last)
}

/// The blanks that the line of a byte begins with.
fn line_indentation(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}
