//! Writing i18next files: a name per plural category.

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, Plural, PluralCategory};

use crate::files::json::{self, Edits, Skeleton, TextNodes, Tree, edit_text, fresh};
use crate::files::plural::{Forms, Needed, Zero, one_text};
use crate::files::{Entry, Layout, LocalizationFile, TranslationLookup};

pub(super) fn render(skeleton: &LocalizationFile, language: &str, translated: &TranslationLookup<'_>) -> Vec<u8> {
    let Layout::Json(Skeleton { tree, places }) = &skeleton.layout else { return Vec::new() };
    let needed = Needed::of(language);
    let mut edits = Edits::of(tree);
    for (entry, place) in skeleton.entries.iter().zip(places) {
        let content = translated(&entry.key);
        match (place, content) {
            (_, Some(content)) if content == entry.content => {}
            (TextNodes::Plural { name, members }, Some(content)) => {
                edit_forms(&mut edits, tree, name, members, needed.complete(content, entry.ordinal, Zero::Exact));
            }
            (TextNodes::Text(_), content) => edit_text(&mut edits, tree, place, content.map(one_text)),
            (TextNodes::Plural { .. }, None) => edit_text(&mut edits, tree, place, None),
        }
    }
    edits.write(tree)
}

pub(super) fn extended(skeleton: &LocalizationFile, added: &[Entry]) -> Option<Vec<u8>> {
    let Layout::Json(Skeleton { tree, .. }) = &skeleton.layout else { return None };
    let mut texts: Vec<(String, String)> = Vec::with_capacity(added.len());
    for entry in added {
        match entry.content.clone() {
            Content::Text(text) => texts.push((entry.key.clone(), text)),
            Content::Plural(Plural { forms, .. }) => {
                let name = entry.key.strip_suffix("_other").unwrap_or(&entry.key);
                texts.extend(
                    Zero::Exact.forms(forms).into_iter().map(|(category, text)| (member(name, category), text)),
                );
            }
        }
    }
    json::extended(tree, texts)
}

pub(super) fn render_new(language: &str, entries: &[Entry]) -> Vec<u8> {
    let needed = Needed::of(language);
    let mut texts: Vec<(String, String)> = Vec::with_capacity(entries.len());
    for entry in entries {
        match entry.content.clone() {
            Content::Text(text) => texts.push((entry.key.clone(), text)),
            plural @ Content::Plural(_) => {
                // The key of a plural that stands beside a text of its name, see the format's rules.
                let name = entry.key.strip_suffix("_other").unwrap_or(&entry.key);
                let forms = needed.complete(plural, entry.ordinal, Zero::Exact);
                texts.extend(forms.into_iter().map(|(category, text)| (member(name, category), text)));
            }
        }
    }
    let names: HashSet<String> = texts.iter().map(|(name, _)| name.clone()).collect();
    let mut file = fresh::Object::default();
    for (name, text) in texts {
        file.nested_text(&name, text, &|name| names.contains(name));
    }
    file.write()
}

fn member(name: &str, category: PluralCategory) -> String {
    format!("{name}_{}", category.as_str())
}

/// Writes forms into the members that are there, leaves out those that have none, and adds the rest beside the category
/// before them, or else after them.
fn edit_forms(edits: &mut Edits, tree: &Tree, name: &str, members: &[(PluralCategory, usize)], mut forms: Forms) {
    let mut stays: HashMap<PluralCategory, usize> = HashMap::new();
    for (category, node) in members {
        match forms.remove(category) {
            Some(text) => {
                edits.replace(tree, *node, text);
                stays.insert(*category, *node);
            }
            None => edits.remove(*node),
        }
    }
    for (category, text) in forms {
        let before = stays.iter().filter(|(other, _)| **other < category).max();
        let after = stays.iter().filter(|(other, _)| **other > category).min();
        match (before, after) {
            (Some((_, node)), _) => edits.add_after(*node, member(name, category), text),
            (None, Some((_, node))) => edits.add_before(*node, member(name, category), text),
            (None, None) => {}
        }
    }
}
