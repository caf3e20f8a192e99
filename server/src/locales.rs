//! What is known of languages, from ICU4X with the data of CLDR compiled in: canonical tags, names, direction, plurals.

mod known;

use std::fmt;

use icu_experimental::displaynames::DisplayNamesOptions;
use icu_experimental::displaynames::multi::LocaleDisplayNamesFormatter;
use icu_locale::{LanguageIdentifier, Locale, LocaleCanonicalizer, LocaleDirectionality, locale};
use icu_plurals::{PluralCategory as Category, PluralRuleType, PluralRules, PluralRulesOptions};
use l10n_api_types::PluralCategory;
use l10n_api_types::languages::Direction;

pub use known::{UnknownSubtag, check_known};

/// Longest tag that is looked at, in bytes.
const LONGEST_TAG: usize = 64;

/// The text is no language tag.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a BCP 47 language tag such as de or pt-BR")]
pub struct LanguageError(String);

/// The canonical form of a tag: `pt_br` → `pt-BR`, `iw` → `he`. Script, region and variants are kept, extensions too.
///
/// # Errors
///
/// When it is no BCP 47 tag with a language: `und` and private use alone name none.
pub fn canonicalize(tag: &str) -> Result<String, LanguageError> {
    let wrong = || LanguageError(tag.chars().take(LONGEST_TAG).collect());
    if tag.len() > LONGEST_TAG {
        return Err(wrong());
    }
    let mut locale: Locale = tag.replace('_', "-").parse().map_err(|_| wrong())?;
    if locale.id.language.is_unknown() {
        return Err(wrong());
    }
    LocaleCanonicalizer::new_extended().canonicalize(&mut locale);
    Ok(locale.to_string())
}

/// The language's name in English, such as `Brazilian Portuguese`; the tag itself where CLDR has no name.
#[must_use]
pub fn name(code: &str) -> String {
    let Ok(locale) = code.parse::<Locale>() else { return code.to_owned() };
    match LocaleDisplayNamesFormatter::try_new(locale!("en").into(), DisplayNamesOptions::default()) {
        Ok(names) => names.of(&locale).into_owned(),
        Err(_) => code.to_owned(),
    }
}

/// The direction that the language is written in; left to right where CLDR does not say.
#[must_use]
pub fn direction(code: &str) -> Direction {
    let directions = LocaleDirectionality::new_extended();
    match code.parse::<LanguageIdentifier>() {
        Ok(id) if directions.is_right_to_left(&id) => Direction::Rtl,
        _ => Direction::Ltr,
    }
}

/// Cardinal or ordinal plural rules of one language.
pub struct Plurals(Option<PluralRules>);

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
        let rules = code.parse::<Locale>().ok().and_then(|locale| {
            PluralRules::try_new((&locale).into(), PluralRulesOptions::default().with_type(kind)).ok()
        });
        Self(rules)
    }

    /// The categories that the language tells apart, in CLDR's order; `other` is always there.
    #[must_use]
    pub fn categories(&self) -> Vec<PluralCategory> {
        let Some(rules) = &self.0 else { return vec![PluralCategory::Other] };
        let mut categories: Vec<_> = rules.categories().map(ours).collect();
        categories.sort_unstable();
        categories
    }

    /// The category of a whole number.
    #[must_use]
    pub fn category_for(&self, number: u64) -> PluralCategory {
        self.0.as_ref().map_or(PluralCategory::Other, |rules| ours(rules.category_for(number)))
    }

    /// Whole numbers that tell every language's categories apart.
    fn samples() -> impl Iterator<Item = u64> {
        (0..=200).chain([1_000, 10_000, 100_000, 1_000_000])
    }

    /// The smallest whole number of a category; `None` where only fractions or very large numbers have it.
    #[must_use]
    pub fn sample(&self, category: PluralCategory) -> Option<u64> {
        Self::samples().find(|number| self.category_for(*number) == category)
    }
}

/// What a source language says for the numbers of a category of a target language, the likeliest first; nothing where
/// only fractions are of that category.
#[must_use]
pub fn source_categories(source: &Plurals, target: &Plurals, category: PluralCategory) -> Vec<PluralCategory> {
    // French counts 0 as `one` too, and 0 is `other` in English: 1 is what the form is there for.
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
    use super::*;

    #[test]
    fn tags_are_made_canonical_or_refused() {
        let canonical =
            [("pt_br", "pt-BR"), ("DE", "de"), ("zh-hans-cn", "zh-Hans-CN"), ("iw", "he"), ("en-XA", "en-XA")];
        for (tag, expected) in canonical {
            assert_eq!(canonicalize(tag).as_deref(), Ok(expected));
        }
        for wrong in ["", "x", "und", "x-private", "english!", "de DE", "d\u{0}e", "../de", "*", &"x".repeat(10_000)] {
            assert!(canonicalize(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn languages_have_names_directions_and_plurals() {
        assert_eq!(name("pt-BR"), "Brazilian Portuguese");
        assert_eq!(name("de"), "German");
        assert_eq!(name("qqq"), "qqq");
        assert_eq!(direction("ar"), Direction::Rtl);
        assert_eq!(direction("ja"), Direction::Ltr);
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
    fn the_worst_tags_take_no_more_stack_than_any_other() {
        use crate::small_stack::{filled, on_small_stack};

        on_small_stack(|| {
            for unit in
                ["a", "-", "_", "de-", "a-", "x-", "u-", "u-ca-", "t-", "abcde-", "1994-", "-x-a", "é", "1", "a-a-"]
            {
                for size in [LONGEST_TAG - 8, LONGEST_TAG, 1024 * 1024] {
                    for tag in [
                        filled(size, unit),
                        format!("de-{}", filled(size - 3, unit)),
                        format!("de-x-{}", filled(size - 8, unit)),
                    ] {
                        if let Ok(code) = canonicalize(&tag) {
                            let _ = (name(&code), direction(&code), Plurals::cardinal(&code).categories());
                        }
                    }
                }
            }
        });
    }
}
