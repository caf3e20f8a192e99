//! Nodes of a catalogue by their names.

use crate::files::json::{JsonKind, Tree};
use crate::locales::is_same_tag;

/// The object of a language in a key.
pub(super) fn localization(tree: &Tree, key: usize, language: &str) -> Option<usize> {
    let languages = member(tree, key, "localizations")?;
    let is = |node: &usize| tree.nodes.get(*node).is_some_and(|node| is_same_tag(node.name(), language));
    own_children(tree, languages).find(is).filter(|node| is_object(tree, *node))
}

/// The members of an object, each name once.
pub(super) fn own_children(tree: &Tree, of: usize) -> impl Iterator<Item = usize> + '_ {
    let is_own = |node: &usize| tree.nodes.get(*node).is_some_and(|node| node.key.is_some() && node.copy_of.is_none());
    tree.children(of).filter(is_own)
}

/// The member of an object.
pub(super) fn member(tree: &Tree, of: usize, name: &str) -> Option<usize> {
    own_children(tree, of).find(|node| tree.nodes.get(*node).is_some_and(|node| node.name() == name))
}

pub(super) fn text(tree: &Tree, node: usize) -> Option<&str> {
    match &tree.nodes.get(node)?.kind {
        JsonKind::Text(text) => Some(text),
        _ => None,
    }
}

pub(super) fn is_object(tree: &Tree, node: usize) -> bool {
    matches!(tree.nodes.get(node).map(|node| &node.kind), Some(JsonKind::Object))
}

/// A value as it stands in the file.
pub(super) fn raw(tree: &Tree, node: usize) -> &str {
    tree.nodes.get(node).map_or("", |node| tree.slice(node.start, node.end))
}
