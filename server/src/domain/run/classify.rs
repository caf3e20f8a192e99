//! The class of each item of the input, compared with the project's keys.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use l10n_api_types::translations::{Class, Classification};
use l10n_formats::SourceHash;

use super::incoming::InputKey;
use crate::store::keys::{KeyState, StoredKey};

/// The input with its classes. Indices are those of the input, of the held keys, and of `removed`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Classified {
    /// For each item of the input, its class and the held key of the same `ref`, which may be an archived or captured one.
    pub items: Vec<(Class, Option<usize>)>,
    /// Active keys that the synced path held and holds no more.
    pub removed: Vec<usize>,
    /// Removed and new items with one text: indices of `removed` and of the input. Each is in one pair at most.
    pub renamed: Vec<(usize, usize)>,
    /// Other files that active keys of the input came from before.
    pub moved_from: BTreeSet<String>,
}

impl Classified {
    /// The number of items in each class.
    #[must_use]
    pub(crate) fn counts(&self) -> Classification {
        let mut counts = Classification { removed: self.removed.len() as u64, ..Classification::default() };
        for (class, _) in &self.items {
            match class {
                Class::New => counts.new += 1,
                Class::Changed => counts.changed += 1,
                Class::Removed => counts.removed += 1,
                _ => counts.unchanged += 1,
            }
        }
        counts
    }
}

/// Puts every item of the input in one class, and every active key of `path` that the input lacks among the removed.
///
/// A key that was archived or captured is `new` when it comes: the project did not count it. One that stays archived
/// against the code is `unchanged`. Without a `path` (a
/// translate brings a subset) nothing is removed and nothing moves.
#[must_use]
pub(crate) fn classify(incoming: &[InputKey], held: &[StoredKey], path: Option<&str>) -> Classified {
    let by_name: HashMap<&str, usize> = held.iter().enumerate().map(|(at, key)| (key.name.as_str(), at)).collect();
    let mut classified = Classified::default();
    for item in incoming {
        let at = by_name.get(item.name.as_str()).copied();
        let class = match at.and_then(|at| held.get(at)) {
            Some(_) if item.stays => Class::Unchanged,
            Some(key) if key.state == KeyState::Active => {
                if let (Some(path), Some(before)) = (path, &key.source_path)
                    && path != before
                {
                    classified.moved_from.insert(before.clone());
                }
                if key.source_hash == item.hash { Class::Unchanged } else { Class::Changed }
            }
            _ => Class::New,
        };
        classified.items.push((class, at));
    }
    if let Some(path) = path {
        let names: HashSet<&str> = incoming.iter().map(|item| item.name.as_str()).collect();
        let gone = |key: &StoredKey| {
            key.state == KeyState::Active
                && key.source_path.as_deref() == Some(path)
                && !names.contains(key.name.as_str())
        };
        classified.removed = (0..held.len()).filter(|at| held.get(*at).is_some_and(gone)).collect();
        classified.renamed = renamed(incoming, held, &classified);
    }
    classified
}

/// Pairs removed and new items of one text, first with first.
fn renamed(incoming: &[InputKey], held: &[StoredKey], classified: &Classified) -> Vec<(usize, usize)> {
    let mut gone: HashMap<SourceHash, VecDeque<usize>> = HashMap::new();
    for (index, at) in classified.removed.iter().enumerate() {
        if let Some(key) = held.get(*at) {
            gone.entry(key.source_hash).or_default().push_back(index);
        }
    }
    let new = classified.items.iter().enumerate().filter(|(_, (class, _))| *class == Class::New);
    new.filter_map(|(index, _)| Some((gone.get_mut(&incoming.get(index)?.hash)?.pop_front()?, index))).collect()
}

#[cfg(test)]
mod tests {
    use l10n_api_types::{Content, Key};
    use proptest::prelude::*;

    use super::*;
    use crate::clock::Timestamp;
    use crate::domain::run::incoming::from_keys;

    fn held(name: &str, text: &str, path: Option<&str>, state: KeyState) -> StoredKey {
        StoredKey {
            id: format!("str_{name}"),
            name: name.into(),
            namespace: None,
            source_path: path.map(Into::into),
            position: 0,
            source_hash: SourceHash::of(&Content::Text(text.into())),
            description: None,
            max_length: None,
            tags: None,
            syntax: None,
            state,
            created_at: Timestamp::from_millis(0),
            updated_at: Timestamp::from_millis(0),
        }
    }

    fn input(keys: &[(&str, &str)]) -> Vec<InputKey> {
        from_keys(keys.iter().map(|(name, text)| Key::text(*name, *text)).collect()).unwrap()
    }

    #[test]
    fn each_item_is_in_the_class_that_its_history_gives_it() {
        use KeyState::{Active, Archived, Captured};
        let held = [
            held("same", "Same", Some("en.json"), Active),
            held("edited", "Before", Some("en.json"), Active),
            held("gone", "Gone", Some("en.json"), Active),
            held("back", "Back", Some("en.json"), Archived),
            held("seen", "Seen", None, Captured),
            held("elsewhere", "Elsewhere", Some("other.json"), Active),
            held("long gone", "Long gone", Some("en.json"), Archived),
        ];
        let input = input(&[
            ("same", "Same"),
            ("edited", "After"),
            ("back", "Back"),
            ("seen", "Seen"),
            ("elsewhere", "Elsewhere"),
            ("fresh", "Fresh"),
        ]);
        let synced = classify(&input, &held, Some("en.json"));
        let classes: Vec<_> = synced.items.iter().map(|(class, at)| (class.as_str(), *at)).collect();
        assert_eq!(
            classes,
            [
                ("unchanged", Some(0)),
                ("changed", Some(1)),
                ("new", Some(3)),
                ("new", Some(4)),
                ("unchanged", Some(5)),
                ("new", None)
            ]
        );
        assert_eq!(synced.removed, [2]);
        assert_eq!(synced.moved_from, BTreeSet::from(["other.json".to_owned()]));
        let translated = classify(&input, &held, None);
        assert_eq!(translated.items, synced.items);
        assert!(translated.removed.is_empty() && translated.moved_from.is_empty());
    }

    #[test]
    fn a_key_that_went_and_one_that_came_with_its_text_are_a_rename_and_each_is_in_one_pair() {
        use KeyState::Active;
        let held = [
            held("a", "Same", Some("p"), Active),
            held("b", "Same", Some("p"), Active),
            held("c", "Other", Some("p"), Active),
        ];
        let one = classify(&input(&[("x", "Same"), ("c", "Other")]), &held, Some("p"));
        assert_eq!((one.removed.as_slice(), one.renamed.as_slice()), ([0, 1].as_slice(), [(0, 0)].as_slice()));
        let three = classify(&input(&[("x", "Same"), ("y", "Same"), ("z", "Same")]), &held, Some("p"));
        assert_eq!(three.renamed, [(0, 0), (1, 1)]);
        let changed = classify(&input(&[("c", "Same")]), &held, Some("p"));
        assert!(changed.renamed.is_empty(), "a changed key is no rename");
    }

    proptest! {
        /// DRY-2, FN-1: the classes of an input partition it, and the removed keys are those that the path held and
        /// lacks.
        #[test]
        fn every_item_is_in_exactly_one_class(
            before in proptest::collection::btree_map("[a-f]", ("[x-z]", 0..3_u8, 0..3_u8), 0..6),
            after in proptest::collection::btree_map("[a-f]", "[x-z]", 1..6),
        ) {
            let held: Vec<_> = before.iter().map(|(name, (text, state, path))| {
                let state = [KeyState::Active, KeyState::Archived, KeyState::Captured][usize::from(*state)];
                held(name, text, [None, Some("p"), Some("q")][usize::from(*path)], state)
            }).collect();
            let keys: Vec<_> = after.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            let classified = classify(&input(&keys), &held, Some("p"));
            let counts = classified.counts();
            prop_assert_eq!(counts.new + counts.changed + counts.unchanged, keys.len() as u64);
            for at in &classified.removed {
                prop_assert!(!after.contains_key(&held[*at].name));
            }
            let pairs: HashSet<_> = classified.renamed.iter().map(|(_, to)| to).collect();
            prop_assert_eq!(pairs.len(), classified.renamed.len());
        }
    }
}
