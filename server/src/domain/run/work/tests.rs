use l10n_api_types::{Key, Origin, State};
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
    let sizes: Vec<usize> =
        Chunks::new(&all(own + shared), &texts).map(|chunk| chunk.iter().map(|(_, items)| items.len()).sum()).collect();
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
