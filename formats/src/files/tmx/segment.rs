//! The text of a segment, with the code of its inline tags, and of a property.

use std::borrow::Cow;

use crate::files::error::shown;
use crate::files::xml::{Node, Tree, XmlKind, with_line_feeds};

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
    let mut text = String::new();
    for (at, node) in inside(tree, seg) {
        if !matches!(node.kind, XmlKind::Element { .. }) {
            text.push_str(&characters(tree, at, node).map_err(|fault| format!("the text {fault}"))?);
            continue;
        }
        let name = tree.name(at);
        if CODES.contains(&name) {
            if tree.slice(&tree.inner(at)).is_empty() {
                return Err(format!("`<{name}>` is empty: what it stands for is missing in the text"));
            }
        } else if !AROUND_TEXT.contains(&name) {
            return Err(format!("a segment cannot hold the element {}", shown(name)));
        }
    }
    Ok(text)
}

/// The text of a `prop`.
///
/// # Errors
///
/// Returns the end of a sentence whose subject is the property: it holds elements, which it cannot have, or an entity.
pub(super) fn property(tree: &Tree<'_>, prop: usize) -> Result<String, String> {
    let mut text = String::new();
    for (at, node) in inside(tree, prop) {
        if matches!(node.kind, XmlKind::Element { .. }) {
            return Err("holds elements".to_owned());
        }
        text.push_str(&characters(tree, at, node)?);
    }
    Ok(text)
}

/// The nodes inside of an element, at whatever depth.
fn inside<'n>(tree: &'n Tree<'_>, node: usize) -> impl Iterator<Item = (usize, &'n Node)> {
    let end = tree.nodes.get(node).map_or(0, |node| node.after);
    tree.nodes.iter().enumerate().take(end).skip(node + 1)
}

/// The characters of a node that is no element; those of a comment are none.
///
/// # Errors
///
/// Returns the end of a sentence about an entity that the file declares itself: none is expanded.
fn characters<'t>(tree: &Tree<'t>, at: usize, node: &Node) -> Result<Cow<'t, str>, String> {
    Ok(match &node.kind {
        XmlKind::Text => with_line_feeds(tree.slice(&node.range)),
        XmlKind::CData => with_line_feeds(tree.cdata(at)),
        XmlKind::Reference => {
            let raw = tree.slice(&node.range);
            let read = tree.entities.decoded(raw);
            if read == raw {
                return Err(format!("has the entity {}, which the file declares itself", shown(raw)));
            }
            read
        }
        XmlKind::Element { .. } | XmlKind::Comment | XmlKind::Aside => Cow::Borrowed(""),
    })
}
