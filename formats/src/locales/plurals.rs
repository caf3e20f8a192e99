//! The plural rules of languages.

use std::fmt;
use std::sync::OnceLock;

use icu_locale::{Locale, LocaleCanonicalizer};
use icu_plurals::{PluralCategory as Category, PluralRuleType, PluralRules, PluralRulesOptions};
use l10n_api_types::PluralCategory;

/// Cardinal or ordinal plural rules of one language. Old codes (`iw`, `in`, `mo`, `sh`) have the rules of those of today.
pub struct Plurals {
    rules: Option<PluralRules>,
    /// The categories of the smallest numbers. Checks ask for the same ones again and again.
    smallest: OnceLock<[PluralCategory; SMALLEST]>,
}

/// Numbers whose categories are kept: those of [`Plurals::samples`] that stand in a row.
const SMALLEST: usize = 201;

impl fmt::Debug for Plurals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.categories()).finish()
    }
}

impl Plurals {
    /// Rules for amounts: `1 file`, `2 files`.
    #[must_use]
    pub fn cardinal(code: &str) -> Self {
        Self::of(code, PluralRuleType::Cardinal)
    }

    /// Rules for ranks: `1st`, `2nd`.
    #[must_use]
    pub fn ordinal(code: &str) -> Self {
        Self::of(code, PluralRuleType::Ordinal)
    }

    fn of(code: &str, kind: PluralRuleType) -> Self {
        let rules = code.parse::<Locale>().ok().and_then(|mut locale| {
            // The data lacks old codes.
            LocaleCanonicalizer::new_extended().canonicalize(&mut locale);
            // No language has rules for each of its scripts, and from `sr-Latn` no way leads to those of `sr`.
            locale.id.script = None;
            PluralRules::try_new((&locale).into(), PluralRulesOptions::default().with_type(kind)).ok()
        });
        Self { rules, smallest: OnceLock::new() }
    }

    /// The categories that the language tells apart, in CLDR's order; `other` is always there.
    #[must_use]
    pub fn categories(&self) -> Vec<PluralCategory> {
        let Some(rules) = &self.rules else { return vec![PluralCategory::Other] };
        let mut categories: Vec<_> = rules.categories().map(ours).collect();
        categories.sort_unstable();
        categories
    }

    /// The category of a whole number.
    #[must_use]
    pub fn category_for(&self, number: u64) -> PluralCategory {
        let of =
            |number: u64| self.rules.as_ref().map_or(PluralCategory::Other, |rules| ours(rules.category_for(number)));
        let smallest = self.smallest.get_or_init(|| std::array::from_fn(|number| of(number as u64)));
        usize::try_from(number).ok().and_then(|place| smallest.get(place).copied()).unwrap_or_else(|| of(number))
    }

    /// Whole numbers that tell every language's categories apart.
    pub(crate) fn samples() -> impl Iterator<Item = u64> {
        (0..SMALLEST as u64).chain([1_000, 1_001, 10_000, 100_000, 1_000_000])
    }

    /// The smallest whole number of a category; `None` where only fractions or very large numbers have it.
    #[must_use]
    pub fn sample(&self, category: PluralCategory) -> Option<u64> {
        Self::samples().find(|number| self.category_for(*number) == category)
    }
}

/// Returns the categories that a source language has for the numbers of a target language's category, the likeliest
/// first; none where only fractions are of that category.
#[must_use]
pub fn source_categories(source: &Plurals, target: &Plurals, category: PluralCategory) -> Vec<PluralCategory> {
    // French counts 0 as `one` too, and 0 is `other` in English: the form is there for 1.
    let of_one = (category == PluralCategory::One && target.category_for(1) == category).then_some(1);
    let mut found = Vec::new();
    for number in of_one.into_iter().chain(Plurals::samples()) {
        if target.category_for(number) == category {
            let said = source.category_for(number);
            if !found.contains(&said) {
                found.push(said);
            }
        }
    }
    found
}

/// The cardinal plural categories of a language, in CLDR's order.
#[must_use]
pub fn plural_categories(code: &str) -> Vec<PluralCategory> {
    Plurals::cardinal(code).categories()
}

const fn ours(category: Category) -> PluralCategory {
    match category {
        Category::Zero => PluralCategory::Zero,
        Category::One => PluralCategory::One,
        Category::Two => PluralCategory::Two,
        Category::Few => PluralCategory::Few,
        Category::Many => PluralCategory::Many,
        Category::Other => PluralCategory::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::RENAMED;
    use super::*;

    #[test]
    fn languages_have_plural_rules() {
        use PluralCategory::{Few, Many, One, Other, Two, Zero};
        assert_eq!(plural_categories("ru"), [One, Few, Many, Other]);
        assert_eq!(plural_categories("ar"), [Zero, One, Two, Few, Many, Other]);
        assert_eq!(plural_categories("ja"), [Other]);
        assert_eq!(Plurals::ordinal("en").categories(), [One, Two, Few, Other]);
        let russian = Plurals::cardinal("ru");
        assert_eq!((russian.sample(One), russian.sample(Few), russian.sample(Many)), (Some(1), Some(2), Some(0)));
        assert_eq!(russian.sample(Other), None);
        let english = Plurals::cardinal("en");
        assert_eq!(source_categories(&english, &russian, One), [One, Other]);
        assert_eq!(source_categories(&english, &russian, Few), [Other]);
        assert_eq!(source_categories(&english, &russian, Other), []);
        assert_eq!(source_categories(&english, &Plurals::cardinal("fr"), One), [One, Other]);
    }

    #[test]
    fn old_codes_have_the_rules_of_those_of_today() {
        use PluralCategory::{Few, One, Other, Two};
        for (old, new) in RENAMED {
            for (old, new) in [(old.to_owned(), new.to_owned()), (format!("{old}-ZZ"), format!("{new}-ZZ"))] {
                for rules in [Plurals::cardinal, Plurals::ordinal] {
                    let (old, new) = (rules(&old), rules(&new));
                    assert_eq!(old.categories(), new.categories());
                    assert!(Plurals::samples().all(|number| old.category_for(number) == new.category_for(number)));
                }
            }
        }
        assert_eq!(plural_categories("iw"), [One, Two, Other]);
        assert_eq!(plural_categories("in"), [Other]);
        assert_eq!(plural_categories("mo"), [One, Few, Other]);
    }

    #[test]
    fn a_script_changes_no_rules() {
        use PluralCategory::{Few, Many, One, Other};
        for tag in ["sr", "sr-Latn", "sr-Latn-BA", "sr-Cyrl-BA", "sh", "sh-BA", "hr"] {
            assert_eq!(plural_categories(tag), [One, Few, Other], "{tag}");
            assert_eq!(Plurals::cardinal(tag).category_for(22), Few, "{tag}");
        }
        assert_eq!(plural_categories("zh-Hant-TW"), [Other]);
        assert_eq!(plural_categories("uz-Cyrl"), [One, Other]);
        // A region does: 0 is `one` in Brazil alone.
        let of_none = |tag| (plural_categories(tag), Plurals::cardinal(tag).category_for(0));
        assert_eq!(of_none("pt-Latn-BR"), (vec![One, Many, Other], One));
        assert_eq!(of_none("pt-Latn-PT"), (vec![One, Many, Other], Other));
    }
}
