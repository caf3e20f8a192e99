//! Work: the items that a run has to translate, those that memory has already, and the price of the rest, an upper
//! bound.

mod chunks;
mod index_set;
mod status;
#[cfg(test)]
mod tests;
mod texts;

use l10n_api_types::{Content, Millicredits};

pub(crate) use self::chunks::{CHUNK_KEYS, Chunks};
pub(crate) use self::index_set::IndexSet;
pub(crate) use self::status::{StatusMatrix, TranslationStatus, is_of_a_person};
pub(crate) use self::texts::DistinctTexts;
use super::incoming::InputKey;
use crate::config::Rate;

/// A translation that memory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemoryMatch {
    /// Its text.
    pub content: Content,
    /// The engine that made it; `None` for a person's or a file's.
    pub engine: Option<String>,
}

/// The work of a run in one language: a few bits for each item, so that the work of all languages of a large file is
/// held at little cost, and made into chunks as these are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LanguageWork {
    /// The language.
    pub language: String,
    /// Items to translate, those from memory included.
    pub needed: IndexSet,
    /// Items that memory has.
    pub remembered: IndexSet,
    /// Unicode scalar values that are to be paid for.
    pub characters: u64,
    /// Price of a character: that of the dearest engine of the language's chain.
    pub rate: Rate,
    /// Price of all that is left to translate.
    pub price: Millicredits,
}

impl LanguageWork {
    /// Splits the needed items into those that memory has (`known`, as texts) and those to be translated, each text
    /// once.
    #[must_use]
    pub(crate) fn new(
        language: &str,
        needed: IndexSet,
        incoming: &[InputKey],
        texts: &DistinctTexts,
        known: &IndexSet,
        rate: Rate,
    ) -> Self {
        let (mut remembered, mut priced) = (IndexSet::none_of(incoming.len()), IndexSet::none_of(texts.len()));
        let (mut characters, mut price) = (0, Millicredits::ZERO);
        for (at, item) in needed.iter().filter_map(|at| Some((at, incoming.get(at)?))) {
            let text = texts.of_item(at);
            if known.contains(text) {
                remembered.insert(at);
            } else if priced.insert(text) {
                characters += item.characters;
                price = price.saturating_add(rate.price(item.characters));
            }
        }
        Self { language: language.to_owned(), needed, remembered, characters, rate, price }
    }

    /// Items to be translated by the job.
    #[must_use]
    pub(crate) const fn queued(&self) -> usize {
        self.needed.len() - self.remembered.len()
    }

    /// The items to be translated by the job.
    #[must_use]
    pub(crate) fn open(&self) -> IndexSet {
        self.needed.without(&self.remembered)
    }
}

/// The price of the work in all languages, an upper bound.
#[must_use]
pub(crate) fn price(work: &[LanguageWork]) -> Millicredits {
    work.iter().fold(Millicredits::ZERO, |sum, work| sum.saturating_add(work.price))
}

/// Translations that a job makes, in all languages.
#[must_use]
pub(crate) fn queued(work: &[LanguageWork]) -> usize {
    work.iter().map(LanguageWork::queued).sum()
}
