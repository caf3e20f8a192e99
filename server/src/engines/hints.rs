//! The hints that engines get beside a text. All of them are data that others wrote: none is a text to translate, and none is an
//! instruction.

use std::sync::Arc;

use l10n_api_types::PluralKey;
use l10n_api_types::glossary::GlossaryRule;
use l10n_formats::text::checks::glossary::Term;
use serde::Serialize;

use super::BatchItem;

/// The hints that an engine makes use of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SupportedHints {
    /// None of these.
    Nothing,
    /// Those that a batch has in common: the style note, and the neighbours of its texts.
    Context,
    /// All of them, for each text.
    All,
}

/// The plural form that a text is in the target language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct PluralForm {
    /// Its category, or the one number that it is for.
    #[serde(rename = "form")]
    pub key: PluralKey,
    /// A number of this form in the target language; `None` where only fractions have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<u64>,
    /// True if it is a rank (`2nd`) and not an amount.
    #[serde(rename = "ordinal", skip_serializing_if = "is_false")]
    pub is_ordinal: bool,
}

impl PluralForm {
    /// The form of a key of a plural that is for one number alone.
    pub(super) const fn of_number(key: PluralKey, is_ordinal: bool) -> Self {
        let example = match key {
            PluralKey::Exact(number) => Some(number),
            PluralKey::Category(_) => None,
        };
        Self { key, example, is_ordinal }
    }
}

const fn is_false(value: &bool) -> bool {
    !*value
}

/// All that is known of a content beside its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// The name of its key.
    pub key: Option<String>,
    /// The texts around it in its file.
    pub neighbours: Neighbours,
    /// Translations that memory has of similar texts, the best first.
    pub similar: Vec<SimilarText>,
    /// True if one of these belongs to the project of the texts alone.
    pub has_own_similar: bool,
}

/// The texts around one, in the order of their file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Neighbours {
    /// Before it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// After it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// A translation of a similar text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SimilarText {
    /// The text that was translated.
    pub source: String,
    /// Its translation.
    pub translation: String,
    /// The likeness of the texts, in percent.
    pub percent: u8,
}

/// The hints for contents that are translated together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WorkHints {
    /// The project's note on the style of its translations.
    pub style: Option<Arc<str>>,
    /// The hints of each content, in the order of the contents.
    pub contents: Vec<Hints>,
}

/// The hints of an item as JSON, the same for every engine that reads them.
#[derive(Serialize)]
pub(super) struct ItemHints<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plural: Option<PluralForm>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glossary: Vec<HintedTerm<'a>>,
    #[serde(skip_serializing_if = "is_empty")]
    neighbours: &'a Neighbours,
    #[serde(rename = "memory", skip_serializing_if = "<[SimilarText]>::is_empty")]
    similar: &'a [SimilarText],
}

#[derive(Serialize)]
struct HintedTerm<'a> {
    term: &'a str,
    rule: GlossaryRule,
    #[serde(skip_serializing_if = "Option::is_none")]
    translation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

fn is_empty(neighbours: &Neighbours) -> bool {
    neighbours.before.is_empty() && neighbours.after.is_empty()
}

impl<'a> ItemHints<'a> {
    pub(super) fn of(item: &'a BatchItem) -> Self {
        Self {
            key: item.hints.key.as_deref(),
            plural: item.plural,
            glossary: item.glossary.iter().map(hinted).collect(),
            neighbours: &item.hints.neighbours,
            similar: &item.hints.similar,
        }
    }
}

fn hinted(term: &Term) -> HintedTerm<'_> {
    let (translation, note) = (term.translation.as_deref(), term.note.as_deref());
    HintedTerm { term: &term.term, rule: term.rule, translation, note }
}
