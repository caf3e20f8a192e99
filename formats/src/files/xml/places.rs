//! The range of an element with what belongs to it: its lines, and the comment above it.

use std::ops::Range;

use super::{Tree, XmlKind, is_blank};

/// A range with its indentation and its line end, where nothing else stands on its lines; a comment behind it on its last
/// line belongs to it.
pub(in crate::files) fn lines_of(text: &str, range: Range<usize>) -> Range<usize> {
    let before = text.get(..range.start).unwrap_or_default();
    let indent = before.trim_end_matches([' ', '\t']);
    let after = text.get(range.end..).unwrap_or_default();
    let mut rest = after.trim_start_matches([' ', '\t']);
    while rest.starts_with("<!--") {
        let Some((_, behind)) = rest.split_once("-->") else { break };
        rest = behind.trim_start_matches([' ', '\t']);
    }
    let line_end = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
    if !(indent.is_empty() || indent.ends_with('\n')) || line_end == 0 {
        return range;
    }
    indent.len()..text.len() - rest.len() + line_end
}

/// The lines of an element with the comment directly above it, and that comment's text: one that stands on lines of its own
/// and is followed by no blank line. `before` are the nodes before the element, the nearest one last.
pub(in crate::files) fn described(tree: &Tree<'_>, before: &[usize], node: usize) -> (Range<usize>, Option<String>) {
    let range = tree.nodes.get(node).map_or(0..0, |node| node.range.clone());
    match comment_above(tree, before) {
        Some(comment) => {
            let text = tree.slice(&comment).trim_start_matches("<!--").trim_end_matches("-->");
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let text = lines.join("\n").trim().to_owned();
            (lines_of(tree.text, comment.start..range.end), Some(text).filter(|text| !text.is_empty()))
        }
        None => (lines_of(tree.text, range), None),
    }
}

fn comment_above(tree: &Tree<'_>, before: &[usize]) -> Option<Range<usize>> {
    let [.., comment, gap] = before else { return None };
    let (comment, gap) = (tree.nodes.get(*comment)?, tree.nodes.get(*gap)?);
    let gap = tree.slice(&gap.range);
    let is_near = gap.bytes().all(is_blank) && gap.matches('\n').count() < 2;
    let line = tree.text.get(..comment.range.start)?.trim_end_matches([' ', '\t']);
    let is_alone = line.is_empty() || line.ends_with('\n');
    (matches!(comment.kind, XmlKind::Comment) && is_near && is_alone).then(|| comment.range.clone())
}

/// The name of the root element, also of a file that cannot be read; empty where none can be seen.
pub(in crate::files) fn root_name(bytes: &[u8]) -> &str {
    let is_end = |char: char| char.is_whitespace() || matches!(char, '>' | '/');
    root_tag(bytes).split(is_end).next().unwrap_or_default()
}

/// The tag of the root element without its brackets, as [`root_name`].
pub(in crate::files) fn root_tag(bytes: &[u8]) -> &str {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            bytes.get(..error.valid_up_to()).and_then(|part| std::str::from_utf8(part).ok()).unwrap_or_default()
        }
    };
    let mut rest = text.trim_start();
    loop {
        let end = if rest.starts_with("<?") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else if rest.starts_with("<!") {
            let is_simple = rest.find('>') < rest.find('[').or(Some(rest.len()));
            if is_simple { ">" } else { "]" }
        } else if let Some(tag) = rest.strip_prefix('<') {
            return tag.split('>').next().unwrap_or_default();
        } else {
            return "";
        };
        let Some(at) = rest.find(end) else { return "" };
        rest = rest.get(at + end.len()..).unwrap_or_default().trim_start_matches(['>', ' ', '\t', '\r', '\n']);
    }
}
