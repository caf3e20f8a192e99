//! The facts about two languages that the checks need, looked up once.

use std::ops::RangeInclusive;

use l10n_api_types::{PluralCategory, PluralKey};

use crate::locales::{Plurals, source_categories};

/// Facts about a source and a target language.
#[derive(Debug)]
pub(super) struct Rules {
    /// Both languages' primary subtags, such as `pt`.
    pub(super) source_base: String,
    pub(super) target_base: String,
    /// The target's tag names a script.
    pub(super) names_script: bool,
    /// Cardinal, then ordinal.
    plurals: [PluralTable; 2],
    /// The rules of both for amounts.
    source: Plurals,
    target: Plurals,
}

#[derive(Debug)]
struct PluralTable {
    categories: Vec<PluralCategory>,
    /// For each category (CLDR's order): the source's categories that its numbers have, likeliest first.
    matching: Vec<Vec<PluralCategory>>,
    /// For each category, its numbers if they are few and known.
    numbers: Vec<Vec<u64>>,
}

/// A category whose smallest number is this or larger may be left out.
const RARE: u64 = 1_000_000;

/// Most numbers of a category that a message may list one by one instead.
const MOST_LISTED: usize = 3;

impl Rules {
    pub(super) fn new(source: &str, target: &str) -> Self {
        let base = |code: &str| code.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        Self {
            source_base: base(source),
            target_base: base(target),
            names_script: target.split(['-', '_']).skip(1).any(|part| part.len() == 4),
            plurals: [
                PluralTable::new(&Plurals::cardinal(source), &Plurals::cardinal(target)),
                PluralTable::new(&Plurals::ordinal(source), &Plurals::ordinal(target)),
            ],
            source: Plurals::cardinal(source),
            target: Plurals::cardinal(target),
        }
    }

    /// The target's categories that a translation cannot do without. One that only fractions or numbers from a million
    /// have (`many` of Spanish, of Czech) falls back to `other`, and most translators leave it out.
    pub(super) fn categories(&self, ordinal: bool) -> &[PluralCategory] {
        &self.plurals[usize::from(ordinal)].categories
    }

    /// The categories of source forms that a form of the target is held against, likeliest first.
    pub(super) fn matching(&self, ordinal: bool, target: PluralCategory) -> impl Iterator<Item = PluralCategory> {
        let at = place(target).and_then(|at| self.plurals[usize::from(ordinal)].matching.get(at));
        at.into_iter().flatten().copied()
    }

    /// The source forms that a form of a plural is held against, likeliest first.
    pub(super) fn sources(&self, form: PluralKey) -> Vec<PluralKey> {
        match form {
            PluralKey::Exact(number) => vec![form, self.source.category_for(number).into()],
            PluralKey::Category(category) => self.matching(false, category).map(PluralKey::from).collect(),
        }
    }

    /// Returns true if a plural has a form for a category of the target, or one for each of its numbers. In a plural by amount
    /// `=0`, `=1` and `=2` are `zero`, `one` and `two`, as Flutter's generator reads them: it makes one form of both spellings.
    pub(super) fn is_covered(&self, ordinal: bool, category: PluralCategory, has: impl Fn(PluralKey) -> bool) -> bool {
        let exact = match category {
            PluralCategory::Zero => Some(0),
            PluralCategory::One => Some(1),
            PluralCategory::Two => Some(2),
            _ => None,
        };
        let numbers = self.numbers(ordinal, category);
        has(category.into())
            || exact.is_some_and(|number| !ordinal && has(PluralKey::Exact(number)))
            || (!numbers.is_empty() && numbers.iter().all(|number| has(PluralKey::Exact(*number))))
    }

    /// The category of a number in the target, or in the source.
    pub(super) fn category_for(&self, is_target: bool, number: u64) -> PluralCategory {
        if is_target { self.target.category_for(number) } else { self.source.category_for(number) }
    }

    /// The least and the most forms of the target: without those of fractions and of large numbers, and with them.
    pub(super) fn counts(&self) -> RangeInclusive<usize> {
        let categories = self.target.categories();
        let is_usual = |category: &&PluralCategory| self.target.sample(**category).is_some_and(|number| number < RARE);
        categories.iter().filter(is_usual).count()..=categories.len()
    }

    /// The numbers of a category of the target, when they are few; else none.
    pub(super) fn numbers(&self, ordinal: bool, category: PluralCategory) -> &[u64] {
        let at = place(category).and_then(|at| self.plurals[usize::from(ordinal)].numbers.get(at));
        at.map_or(&[], Vec::as_slice)
    }
}

impl PluralTable {
    fn new(source: &Plurals, target: &Plurals) -> Self {
        let matching = |category| {
            let mut found = source_categories(source, target, category);
            if found.is_empty() {
                found.push(category);
            }
            found
        };
        let needed = |category: &PluralCategory| {
            *category == PluralCategory::Other || target.sample(*category).is_some_and(|number| number < RARE)
        };
        let mut numbers = vec![Vec::new(); PluralCategory::ALL.len()];
        for number in Plurals::samples() {
            if let Some(numbers) = place(target.category_for(number)).and_then(|at| numbers.get_mut(at)) {
                numbers.push(number);
            }
        }
        for numbers in numbers.iter_mut().filter(|numbers| numbers.len() > MOST_LISTED) {
            numbers.clear();
        }
        Self {
            categories: target.categories().into_iter().filter(needed).collect(),
            matching: PluralCategory::ALL.iter().copied().map(matching).collect(),
            numbers,
        }
    }
}

/// Returns true if a form stands for one number, so that its text may omit the number.
pub(super) const fn is_for_one_number(form: PluralKey) -> bool {
    match form {
        PluralKey::Exact(_) => true,
        PluralKey::Category(category) => is_exact(category),
    }
}

/// The place of a category in CLDR's order.
fn place(category: PluralCategory) -> Option<usize> {
    PluralCategory::ALL.iter().position(|known| *known == category)
}

/// Returns whether a category stands for one number, so that its text may omit the number.
pub(super) const fn is_exact(category: PluralCategory) -> bool {
    matches!(category, PluralCategory::Zero | PluralCategory::One | PluralCategory::Two)
}
