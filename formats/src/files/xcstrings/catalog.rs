//! The texts of a string catalogue, and where they lie.

use std::collections::{BTreeSet, HashMap};

use l10n_api_types::{Content, State};

use super::localized::{KeyPart, LocalizedContent, asked, found, place, plural};
use super::nodes::{is_object, localization, member, own_children, raw, text};
use crate::files::error::shown;
use crate::files::json::Tree;
use crate::files::{Entry, ParseError, refs};
use crate::locales::is_same_tag;
use crate::template::Spelling;

/// A catalogue, taken apart.
pub(in crate::files) struct Catalog {
    pub(super) tree: Tree,
    pub(super) source_language: String,
    /// The object of the keys.
    pub(super) strings: Option<usize>,
    /// The texts that are translated, in the order of the file.
    pub(super) units: Vec<CatalogEntry>,
    /// Keys whose texts stay as they are, since they vary by more than devices, widths and amounts.
    pub(super) odd: usize,
}

/// A text of a key.
#[derive(Debug)]
pub(super) struct CatalogEntry {
    pub(super) key: String,
    /// The object of the key.
    pub(super) member: usize,
    pub(super) part: KeyPart,
    pub(super) asked: Content,
    pub(super) description: Option<String>,
    /// The team made the key in the catalogue; Xcode finds others in the code.
    pub(super) is_manual: bool,
}

impl Catalog {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, ParseError> {
        let tree = Tree::parse(bytes)?;
        let language = member(&tree, 0, "sourceLanguage").and_then(|node| text(&tree, node));
        let Some(source_language) = language.filter(|language| !language.is_empty()).map(str::to_owned) else {
            return Err(ParseError::at(bytes, 0, "the catalogue has no `sourceLanguage`"));
        };
        let strings = member(&tree, 0, "strings");
        if let Some(strings) = strings.filter(|node| !is_object(&tree, *node)) {
            return Err(tree.error_at(strings, "`strings` must be an object"));
        }
        let mut catalog = Self { tree, source_language, strings, units: Vec::new(), odd: 0 };
        catalog.find_units()?;
        Ok(catalog)
    }

    fn find_units(&mut self) -> Result<(), ParseError> {
        let Some(strings) = self.strings else { return Ok(()) };
        let tree = &self.tree;
        let (mut units, mut odd) = (Vec::new(), 0);
        let mut known: HashMap<String, usize> = HashMap::new();
        for key in own_children(tree, strings) {
            if !is_object(tree, key) {
                return Err(tree.error_at(key, "the value of a key must be an object"));
            }
            let name = tree.nodes.get(key).map(|node| node.name()).unwrap_or_default();
            let is_code = member(tree, key, "shouldTranslate").is_some_and(|node| raw(tree, node) == "false");
            let found_by = member(tree, key, "extractionState").and_then(|node| text(tree, node));
            if name.is_empty() || is_code || found_by == Some("stale") {
                continue;
            }
            let description =
                member(tree, key, "comment").and_then(|node| text(tree, node)).filter(|text| !text.trim().is_empty());
            let own =
                localization(tree, key, &self.source_language).filter(|node| own_children(tree, *node).count() > 0);
            let asked = match own {
                None => Some(vec![(KeyPart::Whole, Content::Text(name.to_owned()))]),
                Some(node) => asked(tree, node),
            };
            odd += usize::from(asked.is_none());
            for (part, asked) in asked.unwrap_or_default() {
                let key_of = refs::key_of(&part.name(name), true);
                let ref_of = key_of.map_err(|problem| {
                    tree.error_at(key, format!("the key of this text, {}, {problem}", shown(name)))
                })?;
                if let Some(other) = known.insert(ref_of.clone(), key) {
                    let line = tree.line_of(other);
                    let message = format!("two texts have the key {}: this one and one in line {line}", shown(&ref_of));
                    return Err(tree.error_at(key, message));
                }
                let (description, is_manual) = (description.map(str::to_owned), found_by == Some("manual"));
                units.push(CatalogEntry { key: ref_of, member: key, part, asked, description, is_manual });
            }
        }
        (self.units, self.odd) = (units, odd);
        Ok(())
    }

    /// The names of all keys, with their objects.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, usize)> {
        let keys = self.strings.into_iter().flat_map(|node| own_children(&self.tree, node));
        keys.filter_map(|key| Some((self.tree.nodes.get(key)?.name(), key)))
    }

    /// The texts of each key, one key after the other.
    pub(super) fn members(&self) -> impl Iterator<Item = &[CatalogEntry]> {
        self.units.chunk_by(|one, other| one.member == other.member)
    }

    /// The file's text, and the place of each text's key in it.
    pub(in crate::files) fn places(&self) -> (&[u8], Vec<Option<usize>>) {
        let start = |unit: &CatalogEntry| self.tree.nodes.get(unit.member).map(|node| node.member_start());
        (self.tree.text.as_bytes(), self.units.iter().map(start).collect())
    }

    /// The name of a language in the catalogue: as it is there, or else as Xcode writes it.
    pub(super) fn name_of_language(&self, language: &str) -> String {
        let is_there = is_same_tag(language, &self.source_language)
            || self.all_languages().any(|name| is_same_tag(name, language));
        if is_there { language.to_owned() } else { Spelling::Apple.spell(language) }
    }

    /// The object of a language in a key.
    pub(super) fn localization(&self, key: usize, language: &str) -> Option<usize> {
        localization(&self.tree, key, language)
    }

    /// The content of a text's place in a language.
    pub(super) fn found(&self, unit: &CatalogEntry, language: &str) -> LocalizedContent<'_> {
        let place = self.localization(unit.member, language).and_then(|node| place(&self.tree, node, &unit.part));
        place.map_or(LocalizedContent::Other, |node| found(&self.tree, node))
    }

    /// The text in a language; in that of the source, the one that is translated.
    pub(super) fn says(&self, unit: &CatalogEntry, language: &str) -> Option<Content> {
        if is_same_tag(language, &self.source_language) {
            return Some(unit.asked.clone());
        }
        content(&self.found(unit, language), unit)
    }

    /// Entries with the texts that are translated.
    pub(super) fn asks(&self) -> Vec<Entry> {
        let entry = |unit: &CatalogEntry| Entry {
            description: unit.description.clone(),
            ..Entry::new(unit.key.clone(), unit.asked.clone())
        };
        self.units.iter().map(entry).collect()
    }

    /// Entries with the texts in a language.
    pub(super) fn entries_in(&self, language: &str) -> Vec<Entry> {
        let language = &self.name_of_language(language);
        let entry = |unit: &CatalogEntry| Some(Entry::new(unit.key.clone(), self.says(unit, language)?));
        self.units.iter().filter_map(entry).collect()
    }

    /// Entries with the texts in a language and their states, with drafts.
    pub(super) fn drafts_in(&self, language: &str) -> Vec<Entry> {
        let language = &self.name_of_language(language);
        let entry = |unit: &CatalogEntry| {
            let (content, state) = draft(&self.found(unit, language), unit)?;
            Some(Entry { state: Some(state), ..Entry::new(unit.key.clone(), content) })
        };
        self.units.iter().filter_map(entry).collect()
    }

    /// The keys that are translated into some language.
    pub(super) fn keys_with_texts(&self) -> Vec<String> {
        let says = |unit: &&CatalogEntry| {
            let languages = member(&self.tree, unit.member, "localizations");
            let mut languages = languages.into_iter().flat_map(|node| own_children(&self.tree, node)).filter(|node| {
                self.tree.nodes.get(*node).is_some_and(|node| !is_same_tag(node.name(), &self.source_language))
            });
            languages.any(|node| {
                let place = place(&self.tree, node, &unit.part);
                place.is_some_and(|place| content(&found(&self.tree, place), unit).is_some())
            })
        };
        self.units.iter().filter(says).map(|unit| unit.key.clone()).collect()
    }

    /// The languages that the catalogue names, without that of the source.
    pub(super) fn languages(&self) -> Vec<String> {
        let others = self.all_languages().filter(|name| !is_same_tag(name, &self.source_language));
        others.collect::<BTreeSet<&str>>().into_iter().map(str::to_owned).collect()
    }

    /// The name of each language of each key.
    fn all_languages(&self) -> impl Iterator<Item = &str> {
        let keys = self.strings.into_iter().flat_map(|node| own_children(&self.tree, node));
        let nodes = keys.filter_map(|key| member(&self.tree, key, "localizations"));
        let languages = nodes.flat_map(|node| own_children(&self.tree, node));
        languages.filter_map(|node| Some(self.tree.nodes.get(node)?.name()))
    }

    /// Returns true if a language has no place for a text that could be written by itself, and nothing richer than the text.
    pub(super) fn lacks(&self, unit: &CatalogEntry, localization: usize) -> bool {
        let Some(place) = place(&self.tree, localization, &unit.part) else { return true };
        match (found(&self.tree, place), &unit.asked) {
            (LocalizedContent::Text(_), Content::Plural(_)) => true,
            (LocalizedContent::Other, _) => member(&self.tree, place, "variations").is_none(),
            _ => false,
        }
    }
}

/// The translation that stands in a place, if it is one of the text, and not a draft of one.
fn content(found: &LocalizedContent<'_>, unit: &CatalogEntry) -> Option<Content> {
    draft(found, unit).filter(|(_, state)| *state != State::NeedsReview).map(|(content, _)| content)
}

/// The translation that stands in a place, if it is one of the text, with its state.
fn draft(found: &LocalizedContent<'_>, unit: &CatalogEntry) -> Option<(Content, State)> {
    let (content, states): (_, Vec<State>) = match (found, &unit.asked) {
        (LocalizedContent::Text(said), Content::Text(_)) => {
            (Some(Content::Text(said.value.1.to_owned())), vec![said.standing()])
        }
        (LocalizedContent::Plural(cases), Content::Plural(_)) => {
            (plural(cases, unit.part.arg()), cases.iter().map(|(_, _, said)| said.standing()).collect())
        }
        _ => return None,
    };
    let is_draft = states.contains(&State::NeedsReview);
    let state = if is_draft { State::NeedsReview } else { State::Translated };
    content.filter(|_| !states.contains(&State::Missing)).map(|content| (content, state))
}
