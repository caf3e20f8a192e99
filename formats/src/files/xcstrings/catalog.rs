//! The texts of a string catalogue, and where they lie.

use std::collections::{BTreeSet, HashMap};

use l10n_api_types::{Content, Plural, PluralCategory, PluralForms, State};

use crate::files::error::shown;
use crate::files::json::{Kind, Tree};
use crate::files::{Entry, ParseError, refs};
use crate::locales::is_same_tag;
use crate::template::Spelling;

/// The most texts of a key: Xcode knows fewer devices, and a text has fewer numbers.
const MOST_PARTS: usize = 32;

/// The argument of a plural that the catalogue does not name.
const ARG: &str = "count";

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

/// The part of a key that a text is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeyPart {
    Whole,
    /// The text for one device, for one width, or for one of both, from the outside in.
    Cases(Vec<Variation>),
    /// The text for one of the numbers in another one.
    Substitution(String),
}

/// A device or a width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variation {
    /// `device` or `width`.
    pub(super) by: &'static str,
    pub(super) name: String,
}

/// The variations that are texts of their own.
const VARIATIONS: [&str; 2] = ["device", "width"];

impl KeyPart {
    /// The name of the text, as Xcode writes it when it exports a catalogue.
    fn name(&self, of: &str) -> String {
        match self {
            Self::Whole => of.to_owned(),
            Self::Cases(cases) => {
                let cases: Vec<String> = cases.iter().map(|case| format!("{}.{}", case.by, case.name)).collect();
                format!("{of}|==|{}", cases.join("."))
            }
            Self::Substitution(name) => format!("{of}|==|substitutions.{name}"),
        }
    }

    fn arg(&self) -> &str {
        match self {
            Self::Whole | Self::Cases(_) => ARG,
            Self::Substitution(name) => name,
        }
    }
}

/// The state and the value of a `stringUnit`.
#[derive(Debug, Clone, Copy)]
pub(super) struct StringUnit<'t> {
    pub(super) state: Option<(usize, &'t str)>,
    pub(super) value: (usize, &'t str),
}

impl StringUnit<'_> {
    /// The state of the translation.
    fn standing(&self) -> State {
        match self.state.map(|(_, state)| state) {
            _ if self.value.1.is_empty() => State::Missing,
            Some("new") => State::Missing,
            Some("needs_review" | "stale") => State::NeedsReview,
            _ => State::Translated,
        }
    }
}

/// The content of a text's place.
#[derive(Debug)]
pub(super) enum LocalizedContent<'t> {
    Text(StringUnit<'t>),
    /// The category, its object, and its text.
    Plural(Vec<(PluralCategory, usize, StringUnit<'t>)>),
    /// Nothing, or something else.
    Other,
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

fn plural(cases: &[(PluralCategory, usize, StringUnit<'_>)], arg: &str) -> Option<Content> {
    let forms: PluralForms = cases.iter().map(|(category, _, said)| (*category, said.value.1.to_owned())).collect();
    forms.contains_key(PluralCategory::Other).then(|| Content::Plural(Plural { arg: arg.to_owned(), forms }))
}

/// The texts of the source in the object of a language; none where it has no text. `None` where some of them could not be
/// translated: those of a key come and go together.
fn asked(tree: &Tree, node: usize) -> Option<Vec<(KeyPart, Content)>> {
    let substitutions = member(tree, node, "substitutions");
    let mut places: Vec<(KeyPart, usize)> = Vec::new();
    cases(tree, node, &[], &mut places)?;
    let numbers = substitutions.into_iter().flat_map(|node| own_children(tree, node)).take(MOST_PARTS + 1);
    places.extend(numbers.map(|number| (KeyPart::Substitution(name_of(tree, number)), number)));
    if places.len() > MOST_PARTS {
        return None;
    }
    let is_alone = places.len() == 1;
    let mut asked = Vec::with_capacity(places.len());
    for (part, place) in places {
        match found(tree, place) {
            LocalizedContent::Text(said) if said.value.1.is_empty() && is_alone => {}
            LocalizedContent::Text(said) if !said.value.1.is_empty() => {
                asked.push((part, Content::Text(said.value.1.to_owned())));
            }
            LocalizedContent::Plural(cases) => {
                let content = plural(&cases, part.arg())?;
                asked.push((part, content));
            }
            LocalizedContent::Text(_) | LocalizedContent::Other => return None,
        }
    }
    Some(asked)
}

/// The places of the texts of an object: its own one, or those of its devices and widths. `None` where there are too many, or an
/// object varies in two ways at once.
fn cases(tree: &Tree, node: usize, path: &[Variation], places: &mut Vec<(KeyPart, usize)>) -> Option<()> {
    let variations = member(tree, node, "variations");
    let by = VARIATIONS.into_iter().find_map(|by| Some((by, member(tree, variations?, by)?)));
    let Some((by, inside)) = by else {
        places.push((if path.is_empty() { KeyPart::Whole } else { KeyPart::Cases(path.to_vec()) }, node));
        return (places.len() <= MOST_PARTS).then_some(());
    };
    let is_one = variations.is_some_and(|node| own_children(tree, node).count() == 1);
    if !is_one || path.iter().any(|case| case.by == by) || own_children(tree, inside).next().is_none() {
        return None;
    }
    for child in own_children(tree, inside) {
        let case = Variation { by, name: name_of(tree, child) };
        cases(tree, child, &[path, &[case]].concat(), places)?;
    }
    Some(())
}

fn name_of(tree: &Tree, node: usize) -> String {
    tree.nodes.get(node).map(|node| node.name().to_owned()).unwrap_or_default()
}

/// The place of a part in the object of a language.
fn place(tree: &Tree, node: usize, part: &KeyPart) -> Option<usize> {
    match part {
        KeyPart::Whole => Some(node),
        KeyPart::Cases(cases) => cases.iter().try_fold(node, |node, case| {
            member(tree, member(tree, member(tree, node, "variations")?, case.by)?, &case.name)
        }),
        KeyPart::Substitution(name) => member(tree, member(tree, node, "substitutions")?, name),
    }
}

/// The content of a place.
fn found(tree: &Tree, node: usize) -> LocalizedContent<'_> {
    let variations = member(tree, node, "variations");
    match (member(tree, node, "stringUnit"), variations) {
        (Some(unit), None) => said(tree, unit).map_or(LocalizedContent::Other, LocalizedContent::Text),
        (None, Some(variations)) => {
            let mut kinds = own_children(tree, variations);
            match (member(tree, variations, "plural"), kinds.next(), kinds.next()) {
                (Some(cases), Some(_), None) => {
                    cases_of(tree, cases).map_or(LocalizedContent::Other, LocalizedContent::Plural)
                }
                _ => LocalizedContent::Other,
            }
        }
        _ => LocalizedContent::Other,
    }
}

fn cases_of(tree: &Tree, cases: usize) -> Option<Vec<(PluralCategory, usize, StringUnit<'_>)>> {
    let case = |node: usize| {
        let category = PluralCategory::ALL
            .iter()
            .find(|category| Some(category.as_str()) == tree.nodes.get(node).map(|node| node.name()))?;
        Some((*category, node, said(tree, member(tree, node, "stringUnit")?)?))
    };
    let cases: Option<Vec<_>> = own_children(tree, cases).map(case).collect();
    cases.filter(|cases| !cases.is_empty())
}

fn said(tree: &Tree, unit: usize) -> Option<StringUnit<'_>> {
    let value = member(tree, unit, "value")?;
    let state = member(tree, unit, "state").and_then(|node| Some((node, text(tree, node)?)));
    Some(StringUnit { state, value: (value, text(tree, value)?) })
}

fn localization(tree: &Tree, key: usize, language: &str) -> Option<usize> {
    let languages = member(tree, key, "localizations")?;
    let is = |node: &usize| tree.nodes.get(*node).is_some_and(|node| is_same_tag(node.name(), language));
    own_children(tree, languages).find(is).filter(|node| is_object(tree, *node))
}

/// The members of an object, each name once.
pub(super) fn own_children(tree: &Tree, of: usize) -> impl Iterator<Item = usize> + '_ {
    let is_own = |node: &usize| tree.nodes.get(*node).is_some_and(|node| node.key.is_some() && node.copy_of.is_none());
    tree.children(of).filter(is_own)
}

pub(super) fn member(tree: &Tree, of: usize, name: &str) -> Option<usize> {
    own_children(tree, of).find(|node| tree.nodes.get(*node).is_some_and(|node| node.name() == name))
}

fn text(tree: &Tree, node: usize) -> Option<&str> {
    match &tree.nodes.get(node)?.kind {
        Kind::Text(text) => Some(text),
        _ => None,
    }
}

fn is_object(tree: &Tree, node: usize) -> bool {
    matches!(tree.nodes.get(node).map(|node| &node.kind), Some(Kind::Object))
}

/// A value as it stands in the file.
pub(super) fn raw(tree: &Tree, node: usize) -> &str {
    tree.nodes.get(node).map_or("", |node| tree.slice(node.start, node.end))
}
