//! Adding members to a JSON file that it has not held.

use std::collections::HashMap;

use super::splice::Edits;
use super::tree::{JsonKind, Tree};

/// Writes the file with more strings, by their joined names, each at the end of the innermost object that its name leads
/// into. `None` when the file holds nothing whose spacing could be followed.
pub(in crate::files) fn extended(tree: &Tree, texts: Vec<(String, String)>) -> Option<Vec<u8>> {
    let objects = Objects::of(tree);
    let mut edits = Edits::of(tree);
    for (name, text) in texts {
        let (last, rest) = objects.end_for(&name)?;
        edits.add_after(last, rest.to_owned(), text);
    }
    Some(edits.write(tree))
}

/// The objects of a file that hold something.
struct Objects<'t> {
    /// By the object around and the member's name.
    by_name: HashMap<(usize, &'t str), usize>,
    /// The last member of each.
    last: HashMap<usize, usize>,
}

impl<'t> Objects<'t> {
    fn of(tree: &'t Tree) -> Self {
        let mut objects = Self { by_name: HashMap::new(), last: HashMap::new() };
        for (index, node) in tree.nodes.iter().enumerate() {
            if !matches!(node.kind, JsonKind::Object) {
                continue;
            }
            if let Some(last) = tree.children(index).last() {
                objects.last.insert(index, last);
                objects.by_name.insert((node.parent, node.name()), index);
            }
        }
        objects
    }

    /// The last member of the innermost object that a name leads into, and the rest of the name from there.
    fn end_for<'n>(&self, name: &'n str) -> Option<(usize, &'n str)> {
        let (mut object, mut rest) = (0, name);
        while let Some((next, left)) = self.inner(object, rest) {
            (object, rest) = (next, left);
        }
        Some((*self.last.get(&object)?, rest))
    }

    fn inner<'n>(&self, object: usize, rest: &'n str) -> Option<(usize, &'n str)> {
        rest.match_indices('.').rev().find_map(|(at, _)| {
            let (name, left) = (rest.get(..at)?, rest.get(at + 1..)?);
            let next = *self.by_name.get(&(object, name))?;
            (next != object && !left.is_empty()).then_some((next, left))
        })
    }
}
