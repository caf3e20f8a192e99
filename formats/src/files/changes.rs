//! Collected changes of keys and texts, for editors of formats whose keys each are one unit.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The keys of a file and the changes of them, by the indexes of their units.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The units of the keys that the file had and still has, by their current keys.
    units: HashMap<String, usize>,
    said: HashMap<usize, String>,
    named: HashMap<usize, String>,
    gone: HashSet<usize>,
    /// Keys that come in, in their order, with their texts.
    added: BTreeMap<usize, (String, String)>,
    numbers: HashMap<String, usize>,
}

impl Changes {
    /// Of a file whose units have these keys.
    pub(super) fn of<'k>(keys: impl Iterator<Item = &'k str>) -> Self {
        Self { units: keys.enumerate().map(|(at, key)| (key.to_owned(), at)).collect(), ..Self::default() }
    }

    /// The number of keys that the file had and still has.
    pub(super) fn len(&self) -> usize {
        self.units.len()
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.units.contains_key(key) || self.numbers.contains_key(key)
    }

    /// The unit of a key that the file had.
    pub(super) fn unit(&self, key: &str) -> Option<usize> {
        self.units.get(key).copied()
    }

    /// The new text of a unit.
    pub(super) fn said(&self, at: usize) -> Option<&str> {
        self.said.get(&at).map(String::as_str)
    }

    /// The new key of a unit.
    pub(super) fn named(&self, at: usize) -> Option<&str> {
        self.named.get(&at).map(String::as_str)
    }

    pub(super) fn is_gone(&self, at: usize) -> bool {
        self.gone.contains(&at)
    }

    /// The number of units that are gone.
    pub(super) fn gone(&self) -> usize {
        self.gone.len()
    }

    /// The keys that come in, with their texts.
    pub(super) fn added(&self) -> impl Iterator<Item = (&str, &str)> {
        self.added.values().map(|(key, text)| (key.as_str(), text.as_str()))
    }

    /// The text of a key that comes in.
    pub(super) fn text_of_added(&self, key: &str) -> Option<&str> {
        self.added.get(self.numbers.get(key)?).map(|(_, text)| text.as_str())
    }

    /// Gives a key that is there another text.
    pub(super) fn set(&mut self, key: &str, text: &str) {
        if let Some(at) = self.units.get(key) {
            self.said.insert(*at, text.to_owned());
        } else if let Some((_, own)) = self.numbers.get(key).and_then(|number| self.added.get_mut(number)) {
            text.clone_into(own);
        }
    }

    /// Takes a key out; returns its unit, if the file had one.
    pub(super) fn remove(&mut self, key: &str) -> Option<usize> {
        let at = self.units.remove(key);
        self.gone.extend(at);
        if let Some(number) = self.numbers.remove(key) {
            self.added.remove(&number);
        }
        at
    }

    /// Adds a key that is not there.
    pub(super) fn add(&mut self, key: &str, text: &str) {
        let number = self.added.last_key_value().map_or(0, |(last, _)| last + 1);
        self.added.insert(number, (key.to_owned(), text.to_owned()));
        self.numbers.insert(key.to_owned(), number);
    }

    /// Gives a key that is there another name, which is free; returns its unit, if the file had one.
    pub(super) fn rename(&mut self, from: &str, to: &str) -> Option<usize> {
        if let Some(number) = self.numbers.remove(from) {
            if let Some((key, _)) = self.added.get_mut(&number) {
                to.clone_into(key);
            }
            self.numbers.insert(to.to_owned(), number);
        }
        let at = self.units.remove(from)?;
        self.named.insert(at, to.to_owned());
        self.units.insert(to.to_owned(), at);
        Some(at)
    }
}
