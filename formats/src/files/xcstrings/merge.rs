//! Merging a published catalogue into an existing one.

use std::collections::HashMap;

use l10n_api_types::Content;

use super::catalog::Catalog;
use super::new_keys::fresh;
use super::nodes::{member, own_children, raw};
use super::style::{CatalogStyle, JsonValue};
use super::write::{MissingPolicy, with_language};
use crate::files::{Merged, NewKeys};
use crate::locales::is_same_tag;

/// Merges one language of a published catalogue into the existing one, and adds the keys that it lacks.
pub(super) fn merged(own: &Catalog, new: &Catalog, language: &str, keys: NewKeys) -> Merged {
    let (there, here) = (&new.name_of_language(language), &own.name_of_language(language));
    let said: HashMap<&str, Content> =
        new.units.iter().filter_map(|unit| Some((unit.key.as_str(), new.says(unit, there)?))).collect();
    let mut edits = with_language(own, language, &|key| said.get(key).cloned(), MissingPolicy::Keep);
    let tree = &own.tree;
    let style = CatalogStyle::of(tree);
    let places: HashMap<&str, usize> = match own.strings {
        Some(strings) => {
            own_children(tree, strings).filter_map(|node| Some((tree.nodes.get(node)?.name(), node))).collect()
        }
        None => HashMap::new(),
    };
    let mut last = None;
    for units in new.members().filter(|_| keys == NewKeys::Come) {
        let Some(unit) = units.first() else { continue };
        let name = new.tree.nodes.get(unit.member).map(|node| node.name()).unwrap_or_default();
        if let Some(there) = places.get(name) {
            last = Some(*there);
            continue;
        }
        let (Some(content), [_]) = (said.get(unit.key.as_str()), units) else { continue };
        let facts = ["comment", "extractionState"].into_iter().filter_map(|fact| {
            let node = member(&new.tree, unit.member, fact)?;
            Some((fact.to_owned(), JsonValue::Raw(raw(&new.tree, node).to_owned())))
        });
        let translation = Some((here.as_str(), content.clone())).filter(|_| !is_same_tag(here, &own.source_language));
        let fresh = fresh(&unit.key, &unit.asked, facts.collect(), &own.source_language, translation);
        let Some((name, value)) = fresh else { continue };
        let value = style.written(&value, 2);
        let first = own.strings.and_then(|strings| tree.children(strings).next());
        match (last, first) {
            (Some(last), _) => edits.add_raw_after(last, name, value),
            (None, Some(first)) => edits.add_raw_before(first, name, value),
            (None, None) => {}
        }
    }
    let kept = own.units.iter().filter(|unit| own.says(unit, here).is_some() && !said.contains_key(unit.key.as_str()));
    let kept = kept.map(|unit| unit.key.clone()).collect();
    Merged::keeping(kept, edits.write(tree))
}
