//! The parts of a key, and their contents in a language: texts, and plurals that vary by amounts.

use l10n_api_types::{Content, Plural, PluralCategory, PluralForms, State};

use super::nodes::{member, own_children, text};
use crate::files::json::Tree;

/// The most texts of a key: Xcode knows fewer devices, and a text has fewer numbers.
const MOST_PARTS: usize = 32;

/// The argument of a plural that the catalogue does not name.
const ARG: &str = "count";

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
    pub(super) fn name(&self, of: &str) -> String {
        match self {
            Self::Whole => of.to_owned(),
            Self::Cases(cases) => {
                let cases: Vec<String> = cases.iter().map(|case| format!("{}.{}", case.by, case.name)).collect();
                format!("{of}|==|{}", cases.join("."))
            }
            Self::Substitution(name) => format!("{of}|==|substitutions.{name}"),
        }
    }

    pub(super) fn arg(&self) -> &str {
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
    pub(super) fn standing(&self) -> State {
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

pub(super) fn plural(cases: &[(PluralCategory, usize, StringUnit<'_>)], arg: &str) -> Option<Content> {
    let forms: PluralForms = cases.iter().map(|(category, _, said)| (*category, said.value.1.to_owned())).collect();
    forms.contains_key(PluralCategory::Other).then(|| Content::Plural(Plural { arg: arg.to_owned(), forms }))
}

/// The texts of the source in the object of a language; none where it has no text. `None` where some of them could not be
/// translated: those of a key come and go together.
pub(super) fn asked(tree: &Tree, node: usize) -> Option<Vec<(KeyPart, Content)>> {
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
pub(super) fn place(tree: &Tree, node: usize, part: &KeyPart) -> Option<usize> {
    match part {
        KeyPart::Whole => Some(node),
        KeyPart::Cases(cases) => cases.iter().try_fold(node, |node, case| {
            member(tree, member(tree, member(tree, node, "variations")?, case.by)?, &case.name)
        }),
        KeyPart::Substitution(name) => member(tree, member(tree, node, "substitutions")?, name),
    }
}

/// The content of a place.
pub(super) fn found(tree: &Tree, node: usize) -> LocalizedContent<'_> {
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
