//! Finds the texts of an i18next file that are the forms of one plural.

use std::collections::{BTreeMap, HashMap, HashSet};

use l10n_api_types::PluralCategory;

use crate::files::json::{JsonKind, Leaf, Tree};

/// Between a name and the category of an ordinal plural.
const ORDINAL: &str = "_ordinal";

/// The forms of one plural.
pub(super) struct PluralGroup {
    /// The key of the entry.
    pub key: String,
    /// The members' name in their object, without `_` and category.
    pub name: String,
    pub ordinal: bool,
    /// Category and index into the leaves, in CLDR's order.
    pub members: Vec<(PluralCategory, usize)>,
}

impl PluralGroup {
    /// The leaf that comes first in the file.
    pub(super) fn first(&self) -> usize {
        self.members.iter().map(|(_, leaf)| *leaf).min().unwrap_or_default()
    }
}

/// A name without its plural suffix, and the category; ordinal names keep `_ordinal`.
fn split(name: &str) -> Option<(&str, PluralCategory)> {
    let (name, category) = name.rsplit_once('_')?;
    let category = PluralCategory::ALL.iter().copied().find(|known| known.as_str() == category)?;
    let bare = name.strip_suffix(ORDINAL).unwrap_or(name);
    (!bare.is_empty()).then_some((name, category))
}

/// The plurals of a file, in file order of their first members.
pub(super) fn groups(tree: &Tree, leaves: &[Leaf<'_>]) -> Vec<PluralGroup> {
    let mut found: BTreeMap<(usize, &str), BTreeMap<PluralCategory, usize>> = BTreeMap::new();
    // Names without a plural suffix: where one of them begins like a lone `_other`, that is a context.
    let mut plain: HashMap<usize, Vec<&str>> = HashMap::new();
    // Keys, and how many leaves bear them: `a.b` and a `b` within `a` have the same.
    let mut texts: HashMap<&str, usize> = HashMap::new();
    for (at, leaf) in leaves.iter().enumerate() {
        let Some(node) = tree.nodes.get(leaf.node) else {
            continue;
        };
        *texts.entry(&leaf.key).or_default() += 1;
        match split(node.name()) {
            Some((name, category)) => {
                found.entry((node.parent, name)).or_default().insert(category, at);
            }
            None => plain.entry(node.parent).or_default().push(node.name()),
        }
    }
    plain.values_mut().for_each(|names| names.sort_unstable());
    // Members that no one translates but whose names a plural might need.
    let mut other_values: HashSet<(usize, &str)> = HashSet::new();
    for node in &tree.nodes {
        if !matches!(node.kind, JsonKind::Text(_)) && split(node.name()).is_some() {
            other_values.insert((node.parent, node.name()));
        }
    }

    let is_plural = |(parent, name): (usize, &str), forms: &BTreeMap<PluralCategory, usize>| {
        let Some(other) = forms.get(&PluralCategory::Other) else {
            return false;
        };
        let counts = || leaves.get(*other).is_some_and(|leaf| counts(leaf.text));
        let beside_contexts = || plain.get(&parent).is_some_and(|names| any_begins(names, name));
        forms.len() > 1 || name.ends_with(ORDINAL) || counts() || !beside_contexts()
    };
    // Every category must be free to write, or taken by its own form alone: rendering could make a name stand twice.
    let is_free = |(parent, name): (usize, &str), key: &str, category: PluralCategory, own: usize| {
        !other_values.contains(&(parent, format!("{name}_{}", category.as_str()).as_str()))
            && texts.get(format!("{key}_{}", category.as_str()).as_str()).is_none_or(|taken| *taken == own)
    };
    let mut groups: Vec<PluralGroup> = found
        .into_iter()
        .filter(|(place, forms)| is_plural(*place, forms))
        .filter_map(|(place @ (_, name), forms)| {
            let other = leaves.get(*forms.get(&PluralCategory::Other)?)?;
            let key = other.key.strip_suffix("_other")?;
            let own = |category| usize::from(forms.contains_key(&category));
            if !PluralCategory::ALL.iter().copied().all(|category| is_free(place, key, category, own(category))) {
                return None;
            }
            Some(PluralGroup {
                key: if texts.contains_key(key) { other.key.clone() } else { key.to_owned() },
                name: name.to_owned(),
                ordinal: name.ends_with(ORDINAL),
                members: forms.into_iter().collect(),
            })
        })
        .collect();
    groups.sort_unstable_by_key(PluralGroup::first);
    groups
}

/// Returns whether the text shows the number: `{{count}}`, `{{ count, number }}`, `{{- count}}`.
fn counts(text: &str) -> bool {
    text.split("{{").skip(1).any(|inside| {
        let inside = inside.trim_start_matches(|c: char| c == '-' || c.is_whitespace());
        inside.strip_prefix(super::COUNT).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Returns whether one of the sorted names begins with `name` and `_`.
fn any_begins(names: &[&str], name: &str) -> bool {
    let after = |other: &str| other.strip_prefix(name).map(|rest| rest.starts_with('_'));
    let begin = names.partition_point(|other| match after(other) {
        Some(true) => false,
        Some(false) => other.get(name.len()..).unwrap_or_default() < "_",
        None => *other < name,
    });
    names.get(begin).is_some_and(|other| after(other) == Some(true))
}
