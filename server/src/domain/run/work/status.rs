//! The standing of items in the target languages.

use l10n_api_types::{Origin, State};

use super::IndexSet;

/// The standing of an item in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TranslationStatus {
    /// There is no translation.
    #[default]
    Missing,
    /// There is one of an earlier source.
    Old,
    /// There is one of the present source.
    Fresh,
    /// There is one of the present source that a person wrote or imported.
    Written,
    /// There is one of the present source, and a person has approved it.
    Reviewed,
    /// There is one of an earlier source that a person wrote, imported or approved.
    Kept,
    /// An unfinished job will make one of the present source.
    Pending,
    /// A run leaves the key alone.
    Left,
}

impl TranslationStatus {
    /// The standing of a translation, by whether it is of the present source, its state and its origin, without jobs.
    #[must_use]
    pub(crate) const fn of(is_present: bool, state: State, origin: Origin) -> Self {
        match (is_present, state) {
            (true, State::Reviewed) => Self::Reviewed,
            (true, _) if is_of_a_person(state, origin) => Self::Written,
            (true, _) => Self::Fresh,
            (false, _) if is_of_a_person(state, origin) => Self::Kept,
            (false, _) => Self::Old,
        }
    }

    /// The same where an unfinished job has the item, too: it leaves a person's text, unless it was asked to replace
    /// it.
    #[must_use]
    pub(crate) const fn with_pending(self, replaces_people: bool) -> Self {
        match self {
            Self::Written | Self::Kept | Self::Reviewed if !replaces_people => self,
            _ => Self::Pending,
        }
    }

    /// Returns whether a run translates it. An up-to-date translation that a person approved stays, even if a new
    /// translation was asked for.
    #[must_use]
    pub(crate) const fn is_needed(self, retranslate: bool) -> bool {
        match self {
            Self::Missing | Self::Old => true,
            Self::Fresh | Self::Written | Self::Kept => retranslate,
            Self::Reviewed | Self::Pending | Self::Left => false,
        }
    }
}

/// Returns whether no machine may replace a translation unasked: a person wrote, imported or approved it.
#[must_use]
pub(crate) const fn is_of_a_person(state: State, origin: Origin) -> bool {
    matches!(origin, Origin::Human | Origin::Import) || matches!(state, State::Reviewed)
}

/// The standing of every item in every target language, a byte for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatusMatrix {
    items: usize,
    cells: Vec<TranslationStatus>,
}

impl StatusMatrix {
    /// Everything is missing.
    #[must_use]
    pub(crate) fn new(items: usize, languages: usize) -> Self {
        Self { items, cells: vec![TranslationStatus::Missing; items * languages] }
    }

    /// Says how an item stands.
    pub(crate) fn set(&mut self, item: usize, language: usize, status: TranslationStatus) {
        if item < self.items
            && let Some(cell) = self.cells.get_mut(language * self.items + item)
        {
            *cell = status;
        }
    }

    /// The standing of an item.
    #[must_use]
    pub(crate) fn get(&self, item: usize, language: usize) -> TranslationStatus {
        self.cells.get(language * self.items + item).copied().unwrap_or_default()
    }

    /// The items that a run translates into a language.
    #[must_use]
    pub(crate) fn needed(&self, language: usize, retranslate: bool) -> IndexSet {
        let mut needed = IndexSet::none_of(self.items);
        for (item, status) in self.cells.iter().skip(language * self.items).take(self.items).enumerate() {
            if status.is_needed(retranslate) {
                needed.insert(item);
            }
        }
        needed
    }

    /// The number of translations that an unfinished job makes already.
    #[must_use]
    pub(crate) fn pending(&self) -> u64 {
        self.cells.iter().filter(|status| **status == TranslationStatus::Pending).count() as u64
    }

    /// The number of people's texts that a run keeps although their source has changed.
    #[must_use]
    pub(crate) fn kept(&self, retranslate: bool) -> u64 {
        let stays = |status: &&TranslationStatus| **status == TranslationStatus::Kept && !status.is_needed(retranslate);
        self.cells.iter().filter(stays).count() as u64
    }
}
