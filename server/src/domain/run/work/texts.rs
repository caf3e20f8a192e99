//! The distinct texts of an input.

use std::collections::HashMap;

use l10n_formats::SourceHash;

use crate::domain::run::incoming::InputKey;

/// The distinct texts of an input: one that many items say is translated and paid for once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DistinctTexts {
    /// The text of each item.
    of_item: Vec<u32>,
    /// The first item that says each text.
    first: Vec<u32>,
}

impl DistinctTexts {
    /// The distinct texts of an input.
    #[must_use]
    pub(crate) fn of(incoming: &[InputKey]) -> Self {
        let mut texts = Self { of_item: Vec::with_capacity(incoming.len()), first: Vec::new() };
        let mut known: HashMap<SourceHash, u32> = HashMap::with_capacity(incoming.len());
        for (at, item) in (0_u32..).zip(incoming) {
            let next = u32::try_from(texts.first.len()).unwrap_or(u32::MAX);
            let text = *known.entry(item.hash).or_insert(next);
            if text == next {
                texts.first.push(at);
            }
            texts.of_item.push(text);
        }
        texts
    }

    /// The number of texts.
    #[must_use]
    pub(crate) const fn len(&self) -> usize {
        self.first.len()
    }

    /// The text that an item says.
    #[must_use]
    pub(crate) fn of_item(&self, item: usize) -> usize {
        self.of_item.get(item).map_or(usize::MAX, |text| *text as usize)
    }

    /// The first item that says a text.
    #[must_use]
    pub(crate) fn first(&self, text: usize) -> usize {
        self.first.get(text).map_or(usize::MAX, |item| *item as usize)
    }
}
