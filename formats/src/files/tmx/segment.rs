//! The text of a segment, with the code of its inline tags.

use crate::files::error::shown;
use crate::files::xml::{Kind, Tree, with_line_feeds};

/// Elements that hold code.
const CODES: &[&str] = &["bpt", "ept", "ph", "it", "ut"];
/// Elements around text.
const AROUND_TEXT: &[&str] = &["hi", "sub"];

/// The text of a `seg`.
///
/// # Errors
///
/// Returns a sentence about an element that leaves a part of the text out, or that a segment cannot have.
pub(super) fn segment(tree: &Tree<'_>, seg: usize) -> Result<String, String> {
    let end = tree.nodes.get(seg).map_or(0, |node| node.after);
    let mut text = String::new();
    for (at, node) in tree.nodes.iter().enumerate().take(end).skip(seg + 1) {
        match &node.kind {
            Kind::Text => text.push_str(&with_line_feeds(tree.slice(&node.range))),
            Kind::CData => text.push_str(&with_line_feeds(tree.cdata(at))),
            Kind::Reference => {
                let raw = tree.slice(&node.range);
                let read = tree.entities.decoded(raw);
                if read == raw {
                    return Err(format!("the text has the entity {}, which the file declares itself", shown(raw)));
                }
                text.push_str(&read);
            }
            Kind::Element { .. } => {
                let name = tree.name(at);
                if CODES.contains(&name) {
                    if tree.slice(&tree.inner(at)).is_empty() {
                        return Err(format!("`<{name}>` is empty: what it stands for is missing in the text"));
                    }
                } else if !AROUND_TEXT.contains(&name) {
                    return Err(format!("a segment cannot hold the element {}", shown(name)));
                }
            }
            Kind::Comment | Kind::Aside => {}
        }
    }
    Ok(text)
}
