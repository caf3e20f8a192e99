//! Chunks: the open items of a run as jobs take them.

use std::collections::HashMap;

use super::{DistinctTexts, IndexSet};

/// Translations of one chunk, about: small enough that little is lost when a worker dies and that other workspaces do not
/// wait for long, large enough that a commit is cheap beside it.
pub(crate) const CHUNK_KEYS: usize = 100;

/// Open items cut into chunks of about [`CHUNK_KEYS`]. A text that many items say stays in one chunk, so that it is paid for
/// once.
#[derive(Debug)]
pub(crate) struct Chunks {
    /// The open texts in the order of their first items.
    texts: Vec<u32>,
    /// The places in `items` where each text's items begin; one more than there are texts.
    starts: Vec<usize>,
    items: Vec<u32>,
    at: usize,
}

impl Chunks {
    /// Cuts these items.
    #[must_use]
    pub(crate) fn new(open: &IndexSet, texts: &DistinctTexts) -> Self {
        let mut place: HashMap<usize, usize> = HashMap::new();
        let (mut order, mut counts): (Vec<u32>, Vec<usize>) = (Vec::new(), Vec::new());
        for item in open.iter() {
            let text = texts.of_item(item);
            let at = *place.entry(text).or_insert_with(|| {
                order.push(u32::try_from(text).unwrap_or(u32::MAX));
                counts.push(0);
                counts.len() - 1
            });
            if let Some(count) = counts.get_mut(at) {
                *count += 1;
            }
        }
        let mut starts = Vec::with_capacity(counts.len() + 1);
        let mut sum = 0;
        for count in counts {
            starts.push(sum);
            sum += count;
        }
        let (mut ends, mut items) = (starts.clone(), vec![0; sum]);
        starts.push(sum);
        for item in open.iter() {
            let end = place.get(&texts.of_item(item)).and_then(|at| ends.get_mut(*at));
            let Some(end) = end else { continue };
            if let Some(cell) = items.get_mut(*end) {
                *cell = u32::try_from(item).unwrap_or(u32::MAX);
            }
            *end += 1;
        }
        Self { texts: order, starts, items, at: 0 }
    }
}

impl Iterator for Chunks {
    /// Texts, and the items that say each.
    type Item = Vec<(usize, Vec<usize>)>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut chunk, mut count) = (Vec::new(), 0);
        while count < CHUNK_KEYS
            && let Some(text) = self.texts.get(self.at)
        {
            let (start, end) = (*self.starts.get(self.at)?, *self.starts.get(self.at + 1)?);
            let items: Vec<usize> = self.items.get(start..end)?.iter().map(|item| *item as usize).collect();
            count += items.len();
            chunk.push((*text as usize, items));
            self.at += 1;
        }
        (!chunk.is_empty()).then_some(chunk)
    }
}
