//! The texts that an engine is to see, each once.

use std::collections::HashMap;

use super::BatchItem;
use super::leaf::MaskedLeaf;
use super::pipeline::SourceText;

/// Each text that the engine is to see, once.
#[derive(Default)]
pub(super) struct EngineTexts {
    pub(super) items: Vec<(MaskedLeaf, BatchItem)>,
    /// For each of them the first that differs from it in its plural form alone.
    pub(super) alike: Vec<usize>,
    known: HashMap<DistinctText, usize>,
    /// The first text of each, whatever its plural form.
    firsts: HashMap<DistinctText, usize>,
}

/// A text with all that its translation depends on.
type DistinctText = (MaskedLeaf, Option<String>, Option<u32>);

impl EngineTexts {
    /// Adds a text, if it is not there yet, and returns its place.
    pub(super) fn add(&mut self, leaf: &MaskedLeaf, unit: &SourceText) -> usize {
        let next = self.items.len();
        let index = *self.known.entry(Self::key(leaf, unit)).or_insert(next);
        if index == next {
            // Which branches meet in one text is not known here: none may be longer than its source.
            let own = || u32::try_from(leaf.text.chars().count()).unwrap_or(u32::MAX);
            let max_length = unit.facts.max_length.map(|most| if leaf.in_message { own() } else { most });
            let alike = MaskedLeaf { plural: None, ..leaf.clone() };
            self.alike.push(*self.firsts.entry(Self::key(&alike, unit)).or_insert(index));
            let item = BatchItem {
                description: unit.description.clone(),
                max_length,
                plural: leaf.plural,
                ..BatchItem::of(leaf.segments())
            };
            self.items.push((leaf.clone(), item));
        }
        index
    }

    fn key(leaf: &MaskedLeaf, unit: &SourceText) -> DistinctText {
        (leaf.clone(), unit.description.clone(), unit.facts.max_length)
    }
}
