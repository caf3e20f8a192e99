//! The batches in which an engine is asked for texts: within its limits, halved where one is too large or has a text in it
//! that the engine does not take.

use std::collections::VecDeque;

use super::{BatchItem, BatchLimits, TextSegment};

/// The places, in quarters of all texts that are left, of the ones that are asked for alone after a text that an engine did not
/// take, while it has taken none at all. If it takes none of these either, all that is left is given up. They lie apart,
/// since bad texts often stand side by side.
const SAMPLES: [usize; 3] = [4, 2, 1];

/// Batches that wait for their turn, of texts by their places.
pub(super) struct Batches {
    waiting: VecDeque<Vec<usize>>,
    taken: bool,
    /// Texts that the engine did not take alone.
    bad: usize,
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
        if is_bad && !self.taken {
            match SAMPLES.get(self.bad) {
                Some(quarters) => self.put_sample_first(*quarters),
                None => batch.extend(self.waiting.drain(..).flatten()),
            }
            self.bad += 1;
        }
        batch
    }

    /// Puts the text at so many quarters of those that are left before all others, alone.
    fn put_sample_first(&mut self, quarters: usize) {
        let count: usize = self.waiting.iter().map(Vec::len).sum();
        let mut place = count.saturating_sub(1) * quarters / 4;
        let Some(batch) = self.waiting.iter_mut().find(|batch| {
            let is_here = place < batch.len();
            place -= if is_here { 0 } else { batch.len() };
            is_here
        }) else {
            return;
        };
        let sample = batch.remove(place);
        self.waiting.retain(|batch| !batch.is_empty());
        self.waiting.push_front(vec![sample]);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks for a hundred texts in batches of so many, of an engine that does not take these: those that are given up, and the
    /// number of requests.
    fn given_up(most: usize, is_bad: impl Fn(usize) -> bool) -> (Vec<usize>, usize) {
        let item = BatchItem::of(vec![TextSegment::Text("Save".to_owned())]);
        let texts = (0..100).map(|text| (text, &item));
        let mut batches = Batches::new(BatchLimits::of(most, 1_000), texts, Vec::new());
        let (mut given_up, mut asked) = (Vec::new(), vec![0; 100]);
        let mut requests = 0;
        while let Some(batch) = batches.next() {
            requests += 1;
            if batch.iter().any(|text| is_bad(*text)) {
                given_up.extend(batches.halve(batch, true));
            } else {
                batch.into_iter().for_each(|text| asked[text] += 1);
                batches.taken();
            }
        }
        given_up.iter().for_each(|text| asked[*text] += 1);
        assert_eq!(asked, [1; 100], "each text is taken or given up, once");
        given_up.sort_unstable();
        (given_up, requests)
    }

    #[test]
    fn up_to_three_texts_that_an_engine_does_not_take_fail_alone_wherever_they_stand() {
        let places: Vec<usize> = (0..4).chain((9..99).step_by(10)).chain([24, 25, 50, 74, 75, 98]).collect();
        for most in [1, 25, 50, 100] {
            for first in &places {
                for second in &places {
                    for third in &places {
                        let mut bad = vec![*first, *second, *third];
                        bad.sort_unstable();
                        bad.dedup();
                        assert_eq!(given_up(most, |text| bad.contains(&text)).0, bad, "batches of {most}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_engine_that_takes_nothing_is_given_up_soon() {
        for most in [1, 25, 50, 100] {
            let (given_up, requests) = given_up(most, |_| true);
            assert_eq!(given_up.len(), 100);
            assert!(requests <= 10, "{requests} requests, batches of {most}");
        }
    }
}
