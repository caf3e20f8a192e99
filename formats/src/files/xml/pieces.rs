//! Tags in a text that shows them, and the text between.

use super::begins_tag;

/// A tag, or a text without tags.
pub(in crate::files) struct TagOrText<'t> {
    pub raw: &'t str,
    pub is_tag: bool,
}

impl<'t> TagOrText<'t> {
    /// The name of the tag.
    pub(in crate::files) fn name(&self) -> &'t str {
        let name = self.raw.trim_start_matches(['<', '/']);
        name.split(|char: char| char.is_whitespace() || matches!(char, '>' | '/')).next().unwrap_or_default()
    }
}

/// Tags and the text between them. `None` when something looks like a tag and is none.
pub(in crate::files) fn pieces(text: &str) -> Option<Vec<TagOrText<'_>>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest.get(from..)?.find('<').map(|at| at + from) {
        let tag = rest.get(at..)?;
        if !begins_tag(tag.get(1..)?) {
            from = at + 1;
            continue;
        }
        let end = tag_end(tag)?;
        if at > 0 {
            pieces.push(TagOrText { raw: rest.get(..at)?, is_tag: false });
        }
        pieces.push(TagOrText { raw: tag.get(..end)?, is_tag: true });
        (rest, from) = (tag.get(end..)?, 0);
    }
    if !rest.is_empty() {
        pieces.push(TagOrText { raw: rest, is_tag: false });
    }
    Some(pieces)
}

fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'<') => return None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}
