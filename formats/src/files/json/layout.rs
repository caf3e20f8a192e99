//! The layout of a JSON file: its line breaks, its indentation, and what stands between a name and its value.

use super::tree::Tree;

/// The layout of a file, as its first member shows it.
pub(in crate::files) struct FileLayout<'t> {
    /// Between lines.
    pub newline: &'static str,
    /// One step of indentation.
    pub unit: &'t str,
    /// The separator between a name and its value.
    pub colon: &'t str,
    /// True if the file has more than one line, or no member that would show otherwise.
    pub has_lines: bool,
}

impl<'t> FileLayout<'t> {
    pub(in crate::files) fn of(tree: &'t Tree) -> Self {
        let first = tree.children(0).next();
        let unit = first.map(|first| indentation(tree, first)).filter(|unit| !unit.is_empty());
        Self {
            newline: if tree.text.contains("\r\n") { "\r\n" } else { "\n" },
            unit: unit.unwrap_or("  "),
            colon: first.map_or(": ", |first| colon(tree, first)),
            has_lines: tree.text.trim_end().contains('\n') || first.is_none(),
        }
    }
}

/// The separator between a member's name and its value.
pub(in crate::files) fn colon(tree: &Tree, member: usize) -> &str {
    let found = tree.nodes.get(member).and_then(|node| tree.text.get(node.key.as_ref()?.end..node.start));
    found.unwrap_or(": ")
}

/// The indentation of the line that starts with a member; nothing where something stands before it.
pub(in crate::files) fn indentation(tree: &Tree, member: usize) -> &str {
    let start = tree.nodes.get(member).map_or(0, |node| node.member_start());
    let before = tree.text.get(..start).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or("", |(_, line)| line);
    if line.trim().is_empty() { line } else { "" }
}

/// A blank between members without the comments in it: the line break and the indentation after them.
pub(in crate::files) fn without_comment(blank: &str) -> &str {
    if blank.trim().is_empty() {
        return blank;
    }
    let Some(end) = blank.rfind('\n') else { return " " };
    let start = if blank.get(..end).is_some_and(|before| before.ends_with('\r')) { end - 1 } else { end };
    let line = blank.get(start..).unwrap_or_default();
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}

/// The blanks that the line of a byte begins with.
pub(super) fn line_indentation(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}
