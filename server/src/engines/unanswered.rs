//! Texts that an engine gave no answer for. One of them may be the cause, such as a text at which a service fails: they are asked
//! for after all others, in ever smaller batches, so that it ends alone. An engine that is down is given up soon all the same.

use std::collections::BTreeMap;

/// Most requests without an answer in a row after which the engine is asked for others. One such text makes no more of them,
/// since the other half of its batch is asked for in between.
const MOST_IN_A_ROW: u32 = 2;

/// Most requests without an answer, in all attempts, after which the engine is asked for others at once. So many find one text
/// among a thousand.
const MOST: u32 = 10;

/// The texts that an engine gave no answer for, by their places, and what is known of it since.
#[derive(Debug, Default)]
pub(super) struct Unanswered {
    /// For each text the number of the batch in which it is asked for next. Higher numbers have their turn later.
    batches: BTreeMap<usize, u32>,
    next: u32,
    requests: u32,
    in_a_row: u32,
    /// True if the engine has answered in this attempt, and at all.
    has_answered: bool,
    has_ever_answered: bool,
}

impl Unanswered {
    /// Begins an attempt.
    pub(super) fn begin(&mut self) {
        (self.in_a_row, self.has_answered) = (0, false);
    }

    /// Returns true if the engine has answered in any attempt.
    pub(super) fn has_ever_answered(&self) -> bool {
        self.has_ever_answered
    }

    /// The batches of those of these texts that got no answer, in their turn, and the other texts.
    pub(super) fn split(&self, texts: &[usize]) -> (Vec<usize>, Vec<Vec<usize>>) {
        let mut others = Vec::new();
        let mut batches: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for text in texts {
            match self.batches.get(text) {
                Some(number) => batches.entry(*number).or_default().push(*text),
                None => others.push(*text),
            }
        }
        (others, batches.into_values().collect())
    }

    /// Notes that the engine answered for a batch.
    pub(super) fn answered(&mut self, batch: &[usize]) {
        (self.in_a_row, self.has_answered, self.has_ever_answered) = (0, true, true);
        for text in batch {
            self.batches.remove(text);
        }
    }

    /// Notes that a batch got no answer. Returns its halves where the engine may be asked for others in this attempt: it answers,
    /// and the batch is a part of one that got none before.
    pub(super) fn failed(&mut self, batch: &[usize]) -> Option<Vec<Vec<usize>>> {
        let is_part = batch.iter().any(|text| self.batches.contains_key(text));
        self.requests += 1;
        self.in_a_row += 1;
        let halves: Vec<_> = batch.chunks(batch.len().div_ceil(2).max(1)).map(<[usize]>::to_vec).collect();
        halves.iter().for_each(|half| self.put_last(half));
        let may_go_on = is_part && self.has_answered && self.in_a_row <= MOST_IN_A_ROW && self.requests <= MOST;
        may_go_on.then_some(halves)
    }

    /// Has a batch asked for after all others.
    pub(super) fn put_last(&mut self, batch: &[usize]) {
        self.next += 1;
        self.batches.extend(batch.iter().map(|text| (*text, self.next)));
    }
}
