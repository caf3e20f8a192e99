//! The plural forms of a catalogue, and the categories of CLDR that they stand for.

use l10n_api_types::PluralCategory::{self, Few, Many, One, Other, Two, Zero};

use super::expression::Expression;
use crate::files::plural::Forms;
use crate::locales::Plurals;

/// The most forms of a catalogue. No language has more than 6.
const MOST: usize = 16;

/// The value of `Plural-Forms`: a number of forms, and an expression that chooses one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::files) struct PluralRule {
    count: usize,
    expression: Expression,
}

impl PluralRule {
    /// Reads `nplurals=2; plural=n != 1;`. `None` where it is none, or chooses a form that is not there.
    pub(in crate::files) fn parse(value: &str) -> Option<Self> {
        let (count, rest) = value.trim().strip_prefix("nplurals")?.split_once(';')?;
        let count = count.trim().strip_prefix('=')?.trim().parse().ok().filter(|count| (1..=MOST).contains(count))?;
        let expression = rest.trim().strip_prefix("plural")?.trim_start().strip_prefix('=')?.trim();
        let expression = Expression::parse(expression.strip_suffix(';').unwrap_or(expression))?;
        let rule = Self { count, expression };
        Plurals::samples().all(|amount| rule.index(amount).is_some()).then_some(rule)
    }

    fn index(&self, amount: u64) -> Option<usize> {
        usize::try_from(self.expression.value(amount)?).ok().filter(|index| *index < self.count)
    }
}

/// The forms of a catalogue in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::files) struct PluralForms {
    /// The category of each `msgstr`.
    categories: Vec<PluralCategory>,
    /// The `msgstr` of each category of the language.
    indexes: Vec<(PluralCategory, usize)>,
}

impl PluralForms {
    /// The forms of a rule. A form stands for the category of most of its amounts; one that no amount has stands for the first
    /// category that is left, such as that of fractions.
    pub(in crate::files) fn of_rule(rule: &PluralRule, language: &str) -> Self {
        let plurals = Plurals::cardinal(language);
        let known = plurals.categories();
        let mut counts = vec![vec![0_usize; known.len()]; rule.count];
        for amount in Plurals::samples() {
            let category = plurals.category_for(amount);
            let place = known.iter().position(|one| *one == category);
            if let Some(count) = rule.index(amount).and_then(|index| counts.get_mut(index)?.get_mut(place?)) {
                *count += 1;
            }
        }
        let most = |counts: &[usize]| {
            let best = counts.iter().copied().max().filter(|best| *best > 0)?;
            counts.iter().position(|count| *count == best)
        };
        let found: Vec<Option<PluralCategory>> =
            counts.iter().map(|counts| known.get(most(counts)?).copied()).collect();
        let mut left = known.iter().filter(|category| !found.contains(&Some(**category)));
        let categories: Vec<PluralCategory> =
            found.iter().map(|found| found.or_else(|| left.next().copied()).unwrap_or(Other)).collect();
        let last = rule.count.saturating_sub(1);
        let indexes = known.iter().enumerate().map(|(place, category)| {
            let of_amounts: Vec<usize> = counts.iter().map(|counts| counts.get(place).copied().unwrap_or(0)).collect();
            let index = most(&of_amounts).or_else(|| categories.iter().position(|one| one == category));
            (*category, index.unwrap_or(last))
        });
        Self { indexes: indexes.collect(), categories }
    }

    /// The forms of a catalogue that states no rule, with so many forms.
    pub(in crate::files) fn of_count(count: usize, language: &str) -> Self {
        let own = PluralRule::parse(&rule_of(language)).map(|rule| Self::of_rule(&rule, language));
        own.filter(|own| own.categories.len() == count).unwrap_or_else(|| {
            let categories: Vec<PluralCategory> = (1..count).map(|_| One).chain([Other]).collect();
            Self { indexes: vec![(One, 0), (Other, count.saturating_sub(1))], categories }
        })
    }

    pub(in crate::files) fn count(&self) -> usize {
        self.categories.len()
    }

    /// The forms of the texts of an entry.
    pub(in crate::files) fn read(&self, texts: &[&str]) -> Forms {
        let of = |(category, index): &(PluralCategory, usize)| Some((*category, (*texts.get(*index)?).to_owned()));
        self.indexes.iter().filter_map(of).collect()
    }

    /// The forms of those categories alone that have a text of their own.
    pub(in crate::files) fn read_own(&self, texts: &[&str]) -> Forms {
        let own = self.categories.iter().zip(texts).map(|(category, text)| (*category, (*text).to_owned()));
        own.collect()
    }

    /// A text for each `msgstr`: that of its category, with whether it is there or another one stands in.
    pub(in crate::files) fn write(&self, forms: &Forms) -> Vec<(String, bool)> {
        let other = forms.last_key_value().map(|(_, text)| text.as_str()).unwrap_or_default();
        let text = |category| match forms.get(category) {
            Some(text) => (text.clone(), true),
            None => (other.to_owned(), false),
        };
        self.categories.iter().map(text).collect()
    }
}

/// Rules with the categories of their forms. A language has the first one that agrees with CLDR about all amounts.
const RULES: [(&[PluralCategory], &str); 26] = [
    (&[Other], "0"),
    (&[One, Other], "n != 1"),
    (&[One, Other], "n > 1"),
    (&[One, Other], "n % 10 != 1 || n % 100 == 11"),
    (&[One, Other], "n % 10 == 4 || n % 10 == 6 || n % 10 == 9"),
    (&[One, Other], "n >= 2 && (n < 11 || n > 99)"),
    (&[One, Many, Other], "n == 1 ? 0 : n != 0 && n % 1000000 == 0 ? 1 : 2"),
    (&[One, Many, Other], "n < 2 ? 0 : n % 1000000 == 0 ? 1 : 2"),
    (
        &[One, Few, Many],
        "n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2",
    ),
    (
        &[One, Few, Other],
        "n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2",
    ),
    (&[One, Few, Many], "n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2"),
    (&[One, Few, Other], "n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2"),
    (
        &[One, Few, Other],
        "n % 10 == 1 && (n % 100 < 11 || n % 100 > 19) ? 0 : n % 10 >= 2 && (n % 100 < 11 || n % 100 > 19) ? 1 : 2",
    ),
    (&[Zero, One, Other], "n % 10 == 0 || (n % 100 >= 11 && n % 100 <= 19) ? 0 : n % 10 == 1 && n % 100 != 11 ? 1 : 2"),
    (&[Zero, One, Other], "n == 0 ? 0 : n == 1 ? 1 : 2"),
    (&[One, Few, Other], "n == 1 ? 0 : n == 0 || (n % 100 >= 1 && n % 100 <= 19) ? 1 : 2"),
    (&[One, Few, Other], "n < 2 ? 0 : n <= 10 ? 1 : 2"),
    (&[One, Two, Other], "n == 1 ? 0 : n == 2 ? 1 : 2"),
    (&[One, Two, Few, Other], "n % 100 == 1 ? 0 : n % 100 == 2 ? 1 : n % 100 == 3 || n % 100 == 4 ? 2 : 3"),
    (
        &[One, Two, Few, Other],
        "n == 1 || n == 11 ? 0 : n == 2 || n == 12 ? 1 : (n >= 3 && n <= 10) || (n >= 13 && n <= 19) ? 2 : 3",
    ),
    (&[One, Two, Few, Other], "n % 10 == 1 ? 0 : n % 10 == 2 ? 1 : n % 20 == 0 ? 2 : 3"),
    (&[One, Two, Few, Many, Other], "n == 1 ? 0 : n == 2 ? 1 : n >= 3 && n <= 6 ? 2 : n >= 7 && n <= 10 ? 3 : 4"),
    (
        &[One, Two, Few, Many, Other],
        "n == 1 ? 0 : n == 2 ? 1 : n == 0 || (n % 100 >= 3 && n % 100 <= 10) ? 2 : n % 100 >= 11 && n % 100 <= 19 ? 3 : 4",
    ),
    (
        &[One, Two, Few, Many, Other],
        "n % 10 == 1 && n % 100 != 11 && n % 100 != 71 && n % 100 != 91 ? 0 \
         : n % 10 == 2 && n % 100 != 12 && n % 100 != 72 && n % 100 != 92 ? 1 \
         : (n % 10 == 3 || n % 10 == 4 || n % 10 == 9) && (n % 100 < 10 || n % 100 > 19) && (n % 100 < 70 || n % 100 > 79) \
         && n % 100 < 90 ? 2 : n != 0 && n % 1000000 == 0 ? 3 : 4",
    ),
    (
        &[Zero, One, Two, Few, Many, Other],
        "n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5",
    ),
    (&[Zero, One, Two, Few, Many, Other], "n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n == 3 ? 3 : n == 6 ? 4 : 5"),
];

/// The value of `Plural-Forms` for a new catalogue: the categories of CLDR without those that only fractions have. Two forms
/// as in English where no rule agrees with CLDR.
pub(super) fn rule_of(language: &str) -> String {
    let plurals = Plurals::cardinal(language);
    let agrees = |(categories, expression): &&(&[PluralCategory], &str)| {
        let Some(expression) = Expression::parse(expression) else { return false };
        let form = |amount| categories.get(usize::try_from(expression.value(amount)?).ok()?).copied();
        Plurals::samples().all(|amount| form(amount) == Some(plurals.category_for(amount)))
    };
    let (count, expression) =
        RULES.iter().find(agrees).map_or((2, "n != 1"), |(categories, expression)| (categories.len(), *expression));
    format!("nplurals={count}; plural={expression};")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(value: &str, language: &str) -> PluralForms {
        PluralForms::of_rule(&PluralRule::parse(value).unwrap(), language)
    }

    const LANGUAGES: &str = "af ak am an ar as ast az be bg bm bn bo br bs ca ceb cs cy da de dsb dz ee el en eo es et eu \
        fa ff fi fil fo fr fur fy ga gd gl gsw gu guw gv ha haw he hi hr hsb hu hy ia id ig io is it iu ja jv ka kab kk kl km \
        kn ko ks ksh ku ky lag lb lg ln lo lt lv mg mk ml mn mr ms mt my nb ne nl nn nso om or os pa pl ps pt pt-PT rm ro ru \
        sc scn sd se sg sh shi si sk sl sma so sq sr ss st sv sw ta te th ti tk tl tn to tr ts tzm ug uk ur uz ve vi vun wa wo \
        xh yi yo yue zh zu";

    #[test]
    fn every_language_has_a_rule_that_agrees_with_cldr() {
        for language in LANGUAGES.split_whitespace() {
            let plurals = Plurals::cardinal(language);
            let rule = PluralRule::parse(&rule_of(language)).unwrap();
            let own = PluralForms::of_rule(&rule, language);
            for amount in Plurals::samples() {
                let category = rule.index(amount).and_then(|index| own.categories.get(index));
                assert_eq!(category, Some(&plurals.category_for(amount)), "{amount} in {language}");
            }
        }
        assert_eq!(rule_of("ru").get(..11), Some("nplurals=3;"));
        assert_eq!(rule_of("de"), "nplurals=2; plural=n != 1;");
        assert_eq!(rule_of("xx-unknown"), "nplurals=1; plural=0;");
    }

    #[test]
    fn forms_of_files_stand_for_categories() {
        let russian = "nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : \
            n%10==0 || (n%10>=5 && n%10<=9) || (n%100>=11 && n%100<=14)? 2 : 3);";
        assert_eq!(forms(russian, "ru").categories, [One, Few, Many, Other]);
        let czech = "nplurals=4; plural=(n == 1 && n % 1 == 0) ? 0 : (n >= 2 && n <= 4 && n % 1 == 0) ? 1: (n % 1 != 0 ) ? 2 : 3;";
        assert_eq!(forms(czech, "cs").categories, [One, Few, Many, Other]);
        assert_eq!(forms("nplurals=2; plural=n != 1", "es").categories, [One, Other]);
        assert_eq!(forms("nplurals = 1 ; plural = 0", "tr").categories, [Other]);
        assert_eq!(forms("nplurals=2; plural=(n > 1);", "fr").categories, [One, Other]);
        assert_eq!(forms("nplurals=2; plural=n != 1;", "fr").categories, [One, Other]);
    }

    #[test]
    fn every_category_of_the_language_has_a_text() {
        let spanish = forms("nplurals=2; plural=n != 1", "es");
        let read = spanish.read(&["a", "b"]);
        assert_eq!(read, Forms::from([(One, "a".into()), (Many, "b".into()), (Other, "b".into())]));
        let russian = PluralForms::of_rule(&PluralRule::parse(&rule_of("ru")).unwrap(), "ru");
        let read = russian.read(&["a", "b", "c"]);
        assert_eq!(read.get(&Other).map(String::as_str), Some("c"));
        assert_eq!(russian.read_own(&["a", "b", "c"]).len(), 3);
        assert_eq!(PluralForms::of_count(3, "ru"), russian);
        assert_eq!(
            PluralForms::of_count(2, "ru").read(&["a", "b"]),
            Forms::from([(One, "a".into()), (Other, "b".into())])
        );
    }

    #[test]
    fn what_chooses_a_form_that_is_not_there_is_no_rule() {
        for value in [
            "",
            "nplurals=INTEGER; plural=EXPRESSION;",
            "nplurals=2; plural=n",
            "nplurals=0; plural=0",
            "nplurals=99; plural=0",
        ] {
            assert_eq!(PluralRule::parse(value), None, "{value}");
        }
    }
}
