//! The strings of a JSON file and the keys they get.

use std::collections::HashMap;

use super::tree::{JsonKind, Tree};
use super::{Entry, ParseError, TextNodes};
use crate::files::error::shown;
use crate::files::refs::LONGEST_KEY;

/// A string that may be translated.
pub(in crate::files) struct Leaf<'a> {
    pub node: usize,
    /// Names joined with `.`.
    pub key: String,
    pub text: &'a str,
}

/// The enclosing object or array.
struct Container {
    after: usize,
    /// None once it is longer than any key may be: kept no further, so that long names cost no copies.
    key: Option<String>,
    next_index: usize,
}

/// The strings that `is_entry` takes, by node, in file order, without copies of the same name and value.
///
/// # Errors
/// A string whose key is empty, too long or holds control characters.
pub(in crate::files) fn leaves<'a>(
    tree: &'a Tree,
    is_entry: &dyn Fn(usize) -> bool,
) -> Result<Vec<Leaf<'a>>, ParseError> {
    let mut leaves = Vec::new();
    each_text(tree, is_entry, &mut |node, key, text| {
        leaves.push(Leaf { node, key: usable(tree, node, key)?, text });
        Ok(())
    })?;
    Ok(leaves)
}

/// A function that takes a text: its node, its key unless that is longer than any may be, and its characters.
type TextVisitor<'t, 'f> = dyn FnMut(usize, Option<String>, &'t str) -> Result<(), ParseError> + 'f;

/// Calls `take` with the strings that `is_entry` takes, by node, in file order, without copies of the same name and value.
pub(super) fn each_text<'t>(
    tree: &'t Tree,
    is_entry: &dyn Fn(usize) -> bool,
    take: &mut TextVisitor<'t, '_>,
) -> Result<(), ParseError> {
    let mut around: Vec<Container> = Vec::new();
    let mut copied_to = 0;
    for (index, node) in tree.nodes.iter().enumerate() {
        if index < copied_to {
            continue;
        }
        while around.last().is_some_and(|outer| outer.after <= index) {
            around.pop();
        }
        if node.copy_of.is_some() {
            copied_to = node.after;
            continue;
        }
        let is_member = around.len() > 1;
        let key = match around.last_mut() {
            None => Some(String::new()),
            Some(outer) => {
                let name = match &node.key {
                    Some(key) => key.name.to_string(),
                    None => outer.next_index.to_string(),
                };
                outer.next_index += 1;
                let joined = |outer: &String| {
                    if is_member { format!("{outer}.{name}") } else { name }
                };
                outer.key.as_ref().map(joined).filter(|key| key.len() <= LONGEST_KEY)
            }
        };
        match &node.kind {
            JsonKind::Object | JsonKind::Array => around.push(Container { after: node.after, key, next_index: 0 }),
            JsonKind::Text(text) if is_entry(index) => take(index, key, text)?,
            JsonKind::Text(_) | JsonKind::Scalar => {}
        }
    }
    Ok(())
}

fn usable(tree: &Tree, node: usize, key: Option<String>) -> Result<String, ParseError> {
    let problem = match &key {
        None => format!("is longer than {LONGEST_KEY} bytes"),
        Some(key) if key.is_empty() => "is empty".to_owned(),
        Some(key) if key.contains(char::is_control) => "holds control characters".to_owned(),
        Some(_) => return Ok(key.unwrap_or_default()),
    };
    let name = tree.nodes.get(node).map_or("", |node| node.name());
    Err(tree.error_at(node, format!("the key of this text, {}, {problem}", shown(key.as_deref().unwrap_or(name)))))
}

/// Refuses a file in which two entries have one key.
pub(in crate::files) fn check_keys(tree: &Tree, entries: &[Entry], places: &[TextNodes]) -> Result<(), ParseError> {
    let mut first: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    for (entry, place) in entries.iter().zip(places) {
        let node = match place {
            TextNodes::Text(node) => *node,
            TextNodes::Plural { members, .. } => members.iter().map(|(_, node)| *node).min().unwrap_or_default(),
        };
        if let Some(other) = first.insert(&entry.key, node) {
            let message = format!(
                "two texts have the key {}: this one and the one in line {}; rename one of them, so that a name with \
                 dots and names inside each other differ",
                shown(&entry.key),
                tree.line_of(other),
            );
            return Err(tree.error_at(node, message));
        }
    }
    Ok(())
}
