//! The layout of elements that come into a file.

use super::Tree;
use crate::files::spliced::{Group, Neighbour};

/// The lines of a new element.
pub(in crate::files) struct ElementLayout<'a> {
    indent: &'a str,
    unit: &'a str,
    newline: &'a str,
    has_lines: bool,
}

impl<'a> ElementLayout<'a> {
    /// The layout of the entry beside it, or of a file that has none.
    pub(in crate::files) fn beside(neighbour: Option<&Neighbour<'a>>, usual: &'a str, newline: &'a str) -> Self {
        let Some(beside) = neighbour else {
            return Self { indent: usual, unit: usual, newline, has_lines: true };
        };
        let whole = beside.place.list.clone().unwrap_or_else(|| beside.place.whole.clone());
        let text = beside.between(whole.start, whole.end);
        let length = text.len() - text.trim_start_matches([' ', '\t']).len();
        let indent = text.get(..length).unwrap_or_default();
        let unit = if indent.contains('\t') { "\t" } else { usual };
        Self { indent, unit, newline, has_lines: text.ends_with('\n') }
    }

    /// Lines with their depth below the element.
    pub(in crate::files) fn write(&self, lines: &[(usize, String)]) -> String {
        if !self.has_lines {
            return lines.iter().map(|(_, line)| line.as_str()).collect();
        }
        let line = |(depth, line): &(usize, String)| {
            format!("{}{}{line}{}", self.indent, self.unit.repeat(*depth), self.newline)
        };
        lines.iter().map(line).collect()
    }
}

/// An element of another file of the format, with the comment above it only where the file has such comments.
pub(in crate::files) fn copied(whole: &str, describes: bool) -> String {
    let text = whole.trim_start_matches([' ', '\t']);
    match text.strip_prefix("<!--").and_then(|text| text.split_once("-->")) {
        Some((_, behind)) if !describes => behind.trim_start_matches(['\r', '\n']).to_owned(),
        _ => whole.to_owned(),
    }
}

/// The one group of a file whose entries stand in this element.
pub(in crate::files) fn group_of(tree: &Tree<'_>, node: usize) -> Group {
    let end = (!tree.is_one_tag(node)).then(|| {
        let end = tree.inner(node).end;
        let line = tree.text.get(..end).unwrap_or_default().trim_end_matches([' ', '\t']);
        if line.ends_with('\n') { line.len() } else { end }
    });
    Group { prefix: String::new(), end }
}
