//! Work: what a run has to translate, what memory has already, and what the rest costs at most.

use std::collections::{HashMap, HashSet};

use l10n_api_types::{Content, Millicredits, Origin, State};

use super::incoming::Incoming;
use crate::config::Pricing;
use crate::source_hash::SourceHash;

/// Translations of one chunk, about: small enough that little is lost when a worker dies, large enough that a commit is
/// cheap beside it.
pub const CHUNK_KEYS: usize = 200;

/// How an item stands in a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stand {
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
    /// The key stays as it is.
    Left,
}

impl Stand {
    /// How a translation stands that there is: of the present source or not, so far, from there.
    #[must_use]
    pub const fn of(is_present: bool, state: State, origin: Origin) -> Self {
        match (is_present, state) {
            (true, State::Reviewed) => Self::Reviewed,
            (true, _) if is_of_a_person(state, origin) => Self::Written,
            (true, _) => Self::Fresh,
            (false, _) if is_of_a_person(state, origin) => Self::Kept,
            (false, _) => Self::Old,
        }
    }

    /// The same where an unfinished job has the item, too: it leaves what a person wrote, unless it was asked to replace it.
    #[must_use]
    pub const fn with_pending(self, replaces_people: bool) -> Self {
        match self {
            Self::Written | Self::Kept | Self::Reviewed if !replaces_people => self,
            _ => Self::Pending,
        }
    }

    /// Whether a run translates it. What a person approved and is up to date stays, also when a translation anew was asked
    /// for.
    #[must_use]
    pub const fn is_needed(self, retranslate: bool) -> bool {
        match self {
            Self::Missing | Self::Old => true,
            Self::Fresh | Self::Written | Self::Kept => retranslate,
            Self::Reviewed | Self::Pending | Self::Left => false,
        }
    }
}

/// Whether no machine may replace a translation unasked: a person wrote, imported or approved it.
#[must_use]
pub const fn is_of_a_person(state: State, origin: Origin) -> bool {
    matches!(origin, Origin::Human | Origin::Import) || matches!(state, State::Reviewed)
}

/// How every item stands in every target language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standings {
    languages: usize,
    cells: Vec<Stand>,
}

impl Standings {
    /// Everything is missing.
    #[must_use]
    pub fn new(items: usize, languages: usize) -> Self {
        Self { languages, cells: vec![Stand::Missing; items * languages] }
    }

    /// Says how an item stands.
    pub fn set(&mut self, item: usize, language: usize, stand: Stand) {
        if let Some(cell) = self.cells.get_mut(item * self.languages + language) {
            *cell = stand;
        }
    }

    /// How an item stands.
    #[must_use]
    pub fn get(&self, item: usize, language: usize) -> Stand {
        self.cells.get(item * self.languages + language).copied().unwrap_or_default()
    }

    /// The items that a run translates into a language, in order.
    #[must_use]
    pub fn needed(&self, language: usize, retranslate: bool) -> Vec<usize> {
        let items = self.cells.len().checked_div(self.languages).unwrap_or_default();
        (0..items).filter(|item| self.get(*item, language).is_needed(retranslate)).collect()
    }

    /// Texts of people that a run leaves as they are although their source has changed.
    #[must_use]
    pub fn kept(&self, retranslate: bool) -> u64 {
        let stays = |stand: &&Stand| **stand == Stand::Kept && !stand.is_needed(retranslate);
        self.cells.iter().filter(stays).count() as u64
    }
}

/// A translation that memory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// What it says.
    pub content: Content,
    /// The engine that made it; `None` for a person's or a file's.
    pub engine: Option<String>,
}

/// A text to translate once, for every item that says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Hash of the text.
    pub hash: SourceHash,
    /// Its price.
    pub price: Millicredits,
    /// The items.
    pub items: Vec<usize>,
}

/// What a run does in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LanguageWork {
    /// The language.
    pub language: String,
    /// Items to translate, those from memory included.
    pub needed: Vec<usize>,
    /// Items that memory has.
    pub remembered: Vec<(usize, Remembered)>,
    /// What is left to translate.
    pub units: Vec<Unit>,
    /// Unicode scalar values that are to be paid for.
    pub characters: u64,
    /// Price of all units.
    pub price: Millicredits,
}

impl LanguageWork {
    /// Splits what is needed into what memory has and what is to be translated, each text once.
    #[must_use]
    pub fn new(
        language: &str,
        needed: Vec<usize>,
        incoming: &[Incoming],
        memory: &HashMap<SourceHash, Remembered>,
        pricing: &Pricing,
    ) -> Self {
        let mut work = Self {
            language: language.to_owned(),
            needed: Vec::new(),
            remembered: Vec::new(),
            units: Vec::new(),
            characters: 0,
            price: Millicredits::ZERO,
        };
        let mut unit_of: HashMap<SourceHash, usize> = HashMap::new();
        for (at, item) in needed.iter().filter_map(|at| Some((*at, incoming.get(*at)?))) {
            if let Some(remembered) = memory.get(&item.hash) {
                work.remembered.push((at, remembered.clone()));
                continue;
            }
            let unit = *unit_of.entry(item.hash).or_insert_with(|| {
                let price = pricing.price(item.characters);
                work.characters += item.characters;
                work.price = work.price.saturating_add(price);
                work.units.push(Unit { hash: item.hash, price, items: Vec::new() });
                work.units.len() - 1
            });
            if let Some(unit) = work.units.get_mut(unit) {
                unit.items.push(at);
            }
        }
        work.needed = needed;
        work
    }

    /// Items to be translated by the job.
    #[must_use]
    pub fn queued(&self) -> usize {
        self.needed.len() - self.remembered.len()
    }

    /// The units in chunks of about [`CHUNK_KEYS`] items. A text that many keys say stays in one chunk, so that it is paid
    /// for once.
    #[must_use]
    pub fn chunks(&self) -> Vec<&[Unit]> {
        let (mut chunks, mut start, mut items) = (Vec::new(), 0, 0);
        for (at, unit) in self.units.iter().enumerate() {
            items += unit.items.len();
            if items >= CHUNK_KEYS || at + 1 == self.units.len() {
                chunks.extend(self.units.get(start..=at));
                (start, items) = (at + 1, 0);
            }
        }
        chunks
    }
}

/// What the work in all languages costs at most.
#[must_use]
pub fn price(work: &[LanguageWork]) -> Millicredits {
    work.iter().fold(Millicredits::ZERO, |sum, work| sum.saturating_add(work.price))
}

/// Translations that a job makes, in all languages.
#[must_use]
pub fn queued(work: &[LanguageWork]) -> usize {
    work.iter().map(LanguageWork::queued).sum()
}

/// The hashes of some items, each once, to be looked up in memory.
#[must_use]
pub fn hashes(needed: &[usize], incoming: &[Incoming]) -> Vec<SourceHash> {
    let mut seen = HashSet::with_capacity(needed.len());
    needed.iter().filter_map(|at| incoming.get(*at)).map(|item| item.hash).filter(|hash| seen.insert(*hash)).collect()
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Key;
    use proptest::prelude::*;

    use super::*;
    use crate::domain::run::incoming::from_keys;

    const PRICING: Pricing = Pricing { millicredits_per_character: 3 };

    fn input(texts: &[String]) -> Vec<Incoming> {
        from_keys(texts.iter().enumerate().map(|(n, text)| Key::text(n.to_string(), text)).collect()).unwrap()
    }

    fn texts(texts: &[&str]) -> Vec<Incoming> {
        input(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_text_is_priced_once_and_what_memory_has_is_free() {
        let input = texts(&["Save", "Läuft", "Save", "Open"]);
        let remembered = Remembered { content: Content::Text("Offen".into()), engine: None };
        let memory = HashMap::from([(input[3].hash, remembered)]);
        let work = LanguageWork::new("de", vec![0, 1, 2, 3], &input, &memory, &PRICING);
        assert_eq!(work.units.iter().map(|unit| unit.items.clone()).collect::<Vec<_>>(), [vec![0, 2], vec![1]]);
        assert_eq!((work.characters, work.price, work.queued()), (9, Millicredits(27), 3));
        assert_eq!(work.remembered.len(), 1);
    }

    #[test]
    fn what_is_fresh_or_pending_is_not_needed_and_what_a_person_approved_never_is() {
        let stands =
            [Stand::Missing, Stand::Old, Stand::Fresh, Stand::Written, Stand::Kept, Stand::Reviewed, Stand::Pending];
        let mut standings = Standings::new(stands.len(), 1);
        for (item, stand) in stands.into_iter().enumerate() {
            standings.set(item, 0, stand);
        }
        assert_eq!((standings.needed(0, false).as_slice(), standings.kept(false)), ([0, 1].as_slice(), 1));
        assert_eq!((standings.needed(0, true).as_slice(), standings.kept(true)), ([0, 1, 2, 3, 4].as_slice(), 0));
        assert!(Standings::new(3, 0).needed(0, false).is_empty());
    }

    #[test]
    fn a_text_of_a_person_is_kept_when_its_source_changes_and_one_of_a_machine_is_not() {
        use Origin::{Human, Import, Machine, Memory};
        for origin in [Human, Import, Machine, Memory] {
            for state in [State::Translated, State::NeedsReview, State::Reviewed] {
                let by_person = matches!(origin, Human | Import) || state == State::Reviewed;
                let old = if by_person { Stand::Kept } else { Stand::Old };
                let present = match state {
                    State::Reviewed => Stand::Reviewed,
                    _ if by_person => Stand::Written,
                    _ => Stand::Fresh,
                };
                assert_eq!((Stand::of(false, state, origin), Stand::of(true, state, origin)), (old, present));
                assert_eq!(old.with_pending(false), if by_person { Stand::Kept } else { Stand::Pending });
                assert_eq!(old.with_pending(true), Stand::Pending);
            }
        }
    }

    #[test]
    fn chunks_hold_about_two_hundred_items_and_never_split_a_text() {
        let many: Vec<String> = (0..450).map(|n| format!("text {n}")).chain(vec!["same".to_owned(); 300]).collect();
        let input = input(&many);
        let work = LanguageWork::new("de", (0..750).collect(), &input, &HashMap::new(), &PRICING);
        let sizes: Vec<usize> =
            work.chunks().iter().map(|units| units.iter().map(|unit| unit.items.len()).sum()).collect();
        assert_eq!(sizes, [200, 200, 350]);
        assert!(LanguageWork::new("de", Vec::new(), &input, &HashMap::new(), &PRICING).chunks().is_empty());
    }

    proptest! {
        /// RES-13: the price is the characters to be paid for times the price of one, and chunks hold each item once.
        #[test]
        fn price_characters_and_chunks_agree(texts in proptest::collection::vec("[ab]{0,3}", 1..60), known in 0..8_usize) {
            let input = input(&texts);
            let memory: HashMap<_, _> = input.iter().take(known).map(|item| {
                (item.hash, Remembered { content: item.content.clone(), engine: None })
            }).collect();
            let needed: Vec<_> = (0..input.len()).collect();
            let work = LanguageWork::new("de", needed.clone(), &input, &memory, &PRICING);
            prop_assert_eq!(work.price.0, i64::try_from(work.characters).unwrap() * 3);
            let mut all: Vec<_> = work.chunks().into_iter().flatten().flat_map(|unit| unit.items.clone()).collect();
            prop_assert_eq!(all.len(), work.queued());
            all.extend(work.remembered.iter().map(|(at, _)| *at));
            all.sort_unstable();
            prop_assert_eq!(all, needed);
            let distinct: HashSet<_> = work.units.iter().map(|unit| unit.hash).collect();
            prop_assert_eq!(distinct.len(), work.units.len());
        }
    }
}
