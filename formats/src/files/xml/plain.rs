//! Elements that hold text alone, without markup of their own: read, and written in their style.

use std::ops::Range;

use super::{Entities, Escapes, Tree, XmlKind, with_line_feeds};

/// The whole text is in CDATA.
const CDATA: u8 = 1;
/// There is no text, but one tag alone.
const ONE_TAG: u8 = 2;

/// The text of an element.
pub(in crate::files) struct Plain {
    pub text: String,
    /// The range that is replaced.
    pub at: Range<usize>,
    pub spelling: u8,
}

/// Reads an element that holds text alone; comments are no part of it. `None` when it holds elements.
pub(in crate::files) fn plain(tree: &Tree<'_>, node: usize) -> Option<Plain> {
    if tree.is_one_tag(node) {
        let end = tree.nodes.get(node)?.range.end;
        return Some(Plain { text: String::new(), at: end.saturating_sub(2)..end, spelling: ONE_TAG });
    }
    let (mut text, mut raw) = (String::new(), 0..0);
    let mut sections = 0;
    for child in tree.children(node) {
        let found = tree.nodes.get(child)?;
        if matches!(found.kind, XmlKind::Text | XmlKind::Reference) {
            // Beside each other: a reference and what follows are read as one.
            raw = if raw.is_empty() { found.range.clone() } else { raw.start..found.range.end };
            continue;
        }
        text.push_str(&tree.entities.decoded(tree.slice(&raw)));
        raw = 0..0;
        match found.kind {
            XmlKind::Element { .. } => return None,
            XmlKind::CData => {
                sections += 1;
                text.push_str(&with_line_feeds(tree.cdata(child)));
            }
            _ => {}
        }
    }
    text.push_str(&tree.entities.decoded(tree.slice(&raw)));
    let inner = tree.inner(node);
    let around = tree.slice(&inner);
    let inside = around.strip_prefix("<![CDATA[").and_then(|raw| raw.strip_suffix("]]>"));
    match inside {
        Some(inside) if sections == 1 && !inside.contains("]]>") => {
            let start = inner.start + "<![CDATA[".len();
            Some(Plain { text, at: start..start + inside.len(), spelling: CDATA })
        }
        _ => Some(Plain { text, at: inner, spelling: 0 }),
    }
}

/// The raw text in place of `raw`, in an element of this name.
pub(in crate::files) fn plain_spelled(
    text: &str,
    (raw, spelling): (&str, u8),
    newline: &str,
    escapes: Escapes,
    name: &str,
) -> String {
    let lines = |text: String| if newline == "\n" { text } else { text.replace('\n', newline) };
    match spelling {
        CDATA => lines(text.replace("]]>", "]]]]><![CDATA[>")),
        _ => {
            let greater = if raw.contains('>') && spelling != ONE_TAG { false } else { escapes.greater };
            let escapes = Escapes { greater: greater || raw.contains("&gt;"), ..escapes };
            let body = lines(Entities::used_in(raw).encoded(text, escapes));
            if spelling == ONE_TAG { format!(">{body}</{name}>") } else { body }
        }
    }
}
