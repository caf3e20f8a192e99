//! The plural forms that Qt has for languages (`numerus.cpp` of Qt Linguist).

use crate::files::gettext::{PluralForms, PluralRule};

/// The forms of most languages.
const USUAL: &str = "nplurals=2; plural=n != 1;";

/// The rules of other languages than those with the usual one.
const RULES: [(&str, &str); 17] = [
    ("bi my zh yue dz fj gn hu id in ja jv jw ko ms na om fa su tt th bo tr vi yo za", "nplurals=1; plural=0;"),
    ("hy br fr fil pt-BR ti wa", "nplurals=2; plural=n > 1;"),
    ("lv", "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2;"),
    ("is", "nplurals=2; plural=n%10==1 && n%100!=11 ? 0 : 1;"),
    ("dv iu ik ga gv mi se sm sa", "nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;"),
    ("gd", "nplurals=4; plural=n==1 || n==11 ? 0 : n==2 || n==12 ? 1 : n > 2 && n < 20 ? 2 : 3;"),
    ("sk cs", "nplurals=3; plural=n==1 ? 0 : n>=2 && n<=4 ? 1 : 2;"),
    ("mk", "nplurals=3; plural=n%10==1 ? 0 : n%10==2 ? 1 : 2;"),
    ("lt", "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10!=0 && (n%100<10 || n%100>19) ? 1 : 2;"),
    (
        "bs be hr ru sr uk",
        "nplurals=3; plural=n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>19) ? 1 : 2;",
    ),
    ("pl", "nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>19) ? 1 : 2;"),
    ("ro mo", "nplurals=3; plural=n==1 ? 0 : n==0 || (n%100 > 0 && n%100 < 20) ? 1 : 2;"),
    ("sl", "nplurals=4; plural=n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3;"),
    ("mt", "nplurals=4; plural=n==1 ? 0 : n==0 || (n%100>=1 && n%100<=10) ? 1 : n%100>=11 && n%100<=19 ? 2 : 3;"),
    ("cy", "nplurals=5; plural=n==0 ? 0 : n==1 ? 1 : n>=2 && n<=5 ? 2 : n==6 ? 3 : 4;"),
    ("ar", "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;"),
    ("tl", "nplurals=3; plural=n<=1 ? 0 : n%10==4 || n%10==6 || n%10==9 ? 1 : 2;"),
];

/// The forms of a language (BCP 47).
pub(super) fn forms(language: &str) -> PluralForms {
    let primary = language.split('-').next().unwrap_or(language);
    let of = |tag: &str| RULES.iter().find(|(tags, _)| tags.split(' ').any(|one| one == tag)).map(|(_, rule)| *rule);
    if language.is_empty() {
        return PluralForms::of_count(2, language);
    }
    let rule = of(language).or_else(|| of(primary)).unwrap_or(USUAL);
    PluralRule::parse(rule)
        .map_or_else(|| PluralForms::of_count(2, language), |rule| PluralForms::of_rule(&rule, language))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_can_be_read_and_languages_have_their_number_of_forms() {
        assert!(RULES.iter().all(|(_, rule)| PluralRule::parse(rule).is_some()));
        let counts = [("tr", 1), ("he", 2), ("ru", 3), ("ar", 6), ("pt", 2), ("zh-Hant", 1), ("cy", 5), ("de-AT", 2)];
        for (language, count) in counts {
            assert_eq!(forms(language).count(), count, "{language}");
        }
    }
}
