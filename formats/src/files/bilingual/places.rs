//! Places in an XML file where texts and elements come.

use std::ops::Range;

use crate::files::xml::Tree;

/// The offset after the line end that follows an offset at once.
pub(in crate::files) fn line_end(tree: &Tree<'_>, at: usize) -> usize {
    let rest = tree.text.get(at..).unwrap_or_default();
    at + if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) }
}

/// A place for a text, and what comes around it, where the element is one tag alone.
pub(in crate::files) fn place_of(tree: &Tree<'_>, node: usize, at: Range<usize>) -> (Range<usize>, (String, String)) {
    if !tree.is_one_tag(node) {
        return (at, (String::new(), String::new()));
    }
    let end = tree.nodes.get(node).map_or(at.end, |found| found.range.end);
    let tag = tree.text.get(..end.saturating_sub(2)).unwrap_or_default();
    (tag.trim_end().len()..end, (">".to_owned(), format!("</{}>", tree.name(node))))
}

/// The line end and the indentation before an element that stands on a line of its own.
pub(in crate::files) fn indent_of(tree: &Tree<'_>, node: Option<usize>) -> String {
    let start = node.and_then(|node| tree.nodes.get(node)).map_or(0, |found| found.range.start);
    let before = tree.text.get(..start).unwrap_or_default();
    let line = before.trim_end_matches([' ', '\t']);
    let newline = if line.ends_with("\r\n") { "\r\n" } else { "\n" };
    if line.ends_with('\n') {
        format!("{newline}{}", before.get(line.len()..).unwrap_or_default())
    } else {
        String::new()
    }
}
