//! Sets of places in a list.

/// A set of places in a list, a bit for each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct IndexSet {
    words: Vec<u64>,
    count: usize,
}

impl IndexSet {
    /// The empty set for a list of `places` places.
    #[must_use]
    pub(crate) fn none_of(places: usize) -> Self {
        Self { words: vec![0; places.div_ceil(64)], count: 0 }
    }

    /// Adds a place; `false` when it was there before.
    pub(crate) fn insert(&mut self, place: usize) -> bool {
        let Some(word) = self.words.get_mut(place / 64) else { return false };
        let bit = 1 << (place % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        self.count += usize::from(is_new);
        is_new
    }

    /// Returns whether a place is in the set.
    #[must_use]
    pub(crate) fn contains(&self, place: usize) -> bool {
        self.words.get(place / 64).is_some_and(|word| word & (1 << (place % 64)) != 0)
    }

    /// The number of places in the set.
    #[must_use]
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    /// The places in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |(at, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word & (1 << bit) != 0).map(move |bit| at * 64 + bit)
        };
        self.words.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits)
    }

    /// The places that `other` lacks.
    #[must_use]
    pub(crate) fn without(&self, other: &Self) -> Self {
        let others = other.words.iter().copied().chain(std::iter::repeat(0));
        let words: Vec<u64> = self.words.iter().zip(others).map(|(word, other)| word & !other).collect();
        let count = words.iter().map(|word| word.count_ones() as usize).sum();
        Self { words, count }
    }
}
