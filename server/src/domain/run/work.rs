//! Work: the items that a run has to translate, those that memory has already, and the price of the rest, an upper
//! bound.

use std::collections::HashMap;

use l10n_api_types::{Content, Millicredits, Origin, State};
use l10n_formats::SourceHash;

use super::incoming::InputKey;
use crate::config::Rate;

/// Translations of one chunk, about: small enough that little is lost when a worker dies and that other workspaces do not
/// wait for long, large enough that a commit is cheap beside it.
pub(crate) const CHUNK_KEYS: usize = 100;

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

/// A translation that memory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemoryMatch {
    /// Its text.
    pub content: Content,
    /// The engine that made it; `None` for a person's or a file's.
    pub engine: Option<String>,
}

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

#[cfg(test)]
mod tests {
    use l10n_api_types::Key;
    use proptest::prelude::*;

    use super::*;
    use crate::domain::run::incoming::from_keys;

    const RATE: Rate = Rate(3);

    fn input(texts: &[String]) -> Vec<InputKey> {
        from_keys(texts.iter().enumerate().map(|(n, text)| Key::text(n.to_string(), text)).collect()).unwrap()
    }

    fn texts(texts: &[&str]) -> Vec<InputKey> {
        input(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    fn places(of: usize, places: &[usize]) -> IndexSet {
        let mut some = IndexSet::none_of(of);
        places.iter().for_each(|place| assert!(some.insert(*place)));
        some
    }

    fn all(count: usize) -> IndexSet {
        places(count, &(0..count).collect::<Vec<_>>())
    }

    #[test]
    fn a_text_is_priced_once_and_what_memory_has_is_free() {
        let input = texts(&["Save", "Läuft", "Save", "Open"]);
        let texts = DistinctTexts::of(&input);
        let work = LanguageWork::new("de", all(4), &input, &texts, &places(3, &[2]), RATE);
        assert_eq!(Chunks::new(&work.open(), &texts).flatten().collect::<Vec<_>>(), [(0, vec![0, 2]), (1, vec![1])]);
        assert_eq!((work.characters, work.price, work.queued()), (9, Millicredits(27), 3));
        assert_eq!(work.remembered, places(4, &[3]));
    }

    #[test]
    fn what_is_fresh_or_pending_is_not_needed_and_what_a_person_approved_never_is() {
        let statuses = [
            TranslationStatus::Missing,
            TranslationStatus::Old,
            TranslationStatus::Fresh,
            TranslationStatus::Written,
            TranslationStatus::Kept,
            TranslationStatus::Reviewed,
            TranslationStatus::Pending,
        ];
        let mut matrix = StatusMatrix::new(statuses.len(), 1);
        for (item, status) in statuses.into_iter().enumerate() {
            matrix.set(item, 0, status);
        }
        assert_eq!((matrix.needed(0, false), matrix.kept(false)), (places(7, &[0, 1]), 1));
        assert_eq!(matrix.pending(), 1);
        assert_eq!((matrix.needed(0, true), matrix.kept(true)), (places(7, &[0, 1, 2, 3, 4]), 0));
        assert_eq!(StatusMatrix::new(3, 0).needed(0, false).len(), 0);
    }

    #[test]
    fn a_text_of_a_person_is_kept_when_its_source_changes_and_one_of_a_machine_is_not() {
        use Origin::{Human, Import, Machine, Memory};
        for origin in [Human, Import, Machine, Memory] {
            for state in [State::Translated, State::NeedsReview, State::Reviewed] {
                let by_person = matches!(origin, Human | Import) || state == State::Reviewed;
                let old = if by_person { TranslationStatus::Kept } else { TranslationStatus::Old };
                let present = match state {
                    State::Reviewed => TranslationStatus::Reviewed,
                    _ if by_person => TranslationStatus::Written,
                    _ => TranslationStatus::Fresh,
                };
                assert_eq!(
                    (TranslationStatus::of(false, state, origin), TranslationStatus::of(true, state, origin)),
                    (old, present)
                );
                assert_eq!(
                    old.with_pending(false),
                    if by_person { TranslationStatus::Kept } else { TranslationStatus::Pending }
                );
                assert_eq!(old.with_pending(true), TranslationStatus::Pending);
            }
        }
    }

    #[test]
    fn chunks_hold_about_so_many_items_and_never_split_a_text() {
        let (own, shared) = (CHUNK_KEYS * 5 / 2, CHUNK_KEYS * 2);
        let many: Vec<String> = (0..own).map(|n| format!("text {n}")).chain(vec!["same".to_owned(); shared]).collect();
        let input = input(&many);
        let texts = DistinctTexts::of(&input);
        let sizes: Vec<usize> = Chunks::new(&all(own + shared), &texts)
            .map(|chunk| chunk.iter().map(|(_, items)| items.len()).sum())
            .collect();
        assert_eq!(sizes, [CHUNK_KEYS, CHUNK_KEYS, CHUNK_KEYS / 2 + shared]);
        assert!(Chunks::new(&IndexSet::none_of(own + shared), &texts).next().is_none());
    }

    proptest! {
        /// RES-13: the price is the characters to be paid for times the price of one, and chunks hold each item once.
        #[test]
        fn price_characters_and_chunks_agree(texts in proptest::collection::vec("[ab]{0,3}", 1..60), known in 0..8_usize) {
            let input = input(&texts);
            let distinct = DistinctTexts::of(&input);
            let known_texts: Vec<usize> = (0..known.min(distinct.len())).collect();
            let needed = all(input.len());
            let memory = places(distinct.len(), &known_texts);
            let work = LanguageWork::new("de", needed.clone(), &input, &distinct, &memory, RATE);
            prop_assert_eq!(work.price.0, i64::try_from(work.characters).unwrap() * 3);
            let mut seen: Vec<usize> = Vec::new();
            let mut paid = 0;
            for (text, items) in Chunks::new(&work.open(), &distinct).flatten() {
                prop_assert!(items.iter().all(|item| distinct.of_item(*item) == text));
                paid += input[distinct.first(text)].characters;
                seen.extend(items);
            }
            prop_assert_eq!((seen.len(), paid), (work.queued(), work.characters));
            seen.extend(work.remembered.iter());
            seen.sort_unstable();
            prop_assert_eq!(seen, needed.iter().collect::<Vec<_>>());
        }
    }
}
