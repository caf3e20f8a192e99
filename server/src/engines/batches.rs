//! The batches in which an engine is asked for texts: within its limits, halved where one is too large or has a text in it
//! that the engine does not take.

use std::collections::VecDeque;

use super::{BatchItem, BatchLimits, TextSegment};

/// Single texts that an engine may not take, before all that is left is given up where it has taken none at all.
const MOST_BAD: u32 = 3;

/// Batches that wait for their turn, of texts by their places.
pub(super) struct Batches {
    waiting: VecDeque<Vec<usize>>,
    taken: bool,
    bad: u32,
}

impl Batches {
    /// Splits texts into batches within the limits; a text over them alone makes a batch of its own. Behind them come those of
    /// `last` as they are.
    pub(super) fn new<'a>(
        limits: BatchLimits,
        texts: impl Iterator<Item = (usize, &'a BatchItem)>,
        last: Vec<Vec<usize>>,
    ) -> Self {
        let mut waiting: VecDeque<Vec<usize>> = VecDeque::new();
        let (mut characters, mut bytes) = (0, 0);
        for (text, item) in texts {
            let (more_characters, more_bytes) = size(item);
            match waiting.back_mut() {
                Some(batch)
                    if batch.len() < limits.max_items
                        && characters + more_characters <= limits.max_characters
                        && bytes + more_bytes <= limits.max_bytes =>
                {
                    batch.push(text);
                    characters += more_characters;
                    bytes += more_bytes;
                }
                _ => {
                    waiting.push_back(vec![text]);
                    (characters, bytes) = (more_characters, more_bytes);
                }
            }
        }
        waiting.extend(last);
        Self { waiting, taken: false, bad: 0 }
    }

    /// The next one.
    pub(super) fn next(&mut self) -> Option<Vec<usize>> {
        self.waiting.pop_front()
    }

    /// Puts a batch back before all others.
    pub(super) fn again(&mut self, batch: Vec<usize>) {
        self.waiting.push_front(batch);
    }

    /// Puts batches behind all others.
    pub(super) fn put_last(&mut self, batches: Vec<Vec<usize>>) {
        self.waiting.extend(batches);
    }

    /// Notes that the engine took a batch.
    pub(super) fn taken(&mut self) {
        self.taken = true;
    }

    /// Puts the halves of a batch that the engine did not take before all others, and returns the texts that are given up:
    /// a text alone, and all that are left once the engine seems to take nothing.
    pub(super) fn halve(&mut self, mut batch: Vec<usize>, is_bad: bool) -> Vec<usize> {
        if batch.len() > 1 {
            let second = batch.split_off(batch.len() / 2);
            self.waiting.push_front(second);
            self.waiting.push_front(batch);
            return Vec::new();
        }
        self.bad += u32::from(is_bad);
        if !self.taken && self.bad >= MOST_BAD {
            batch.extend(self.waiting.drain(..).flatten());
        }
        batch
    }
}

/// Unicode scalar values of a text, without its placeholders, and bytes with them.
fn size(item: &BatchItem) -> (usize, usize) {
    let sizes = item.segments.iter().map(|segment| match segment {
        TextSegment::Text(text) => (text.chars().count(), text.len()),
        TextSegment::Placeholder { original, .. } => (0, original.len()),
    });
    sizes.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
}
