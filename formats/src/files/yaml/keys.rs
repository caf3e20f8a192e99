//! The keys of a mapping.

use std::collections::HashMap;

/// The keys of a mapping, and their places. Most mappings have a few, which need no hashes.
#[derive(Default)]
pub(super) struct Keys<'k> {
    few: Vec<(&'k str, usize)>,
    more: HashMap<&'k str, usize>,
}

impl<'k> Keys<'k> {
    const FEW: usize = 16;

    /// Adds a key; gives the place of the same one before it.
    pub(super) fn insert(&mut self, name: &'k str, at: usize) -> Option<usize> {
        if let Some((_, other)) = self.few.iter().find(|(few, _)| *few == name) {
            return Some(*other);
        }
        if self.few.len() < Self::FEW {
            self.few.push((name, at));
            return None;
        }
        self.more.insert(name, at)
    }
}
