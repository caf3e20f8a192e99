//! The plural categories that a language uses, and plurals as ICU MessageFormat.

use std::collections::BTreeMap;

use l10n_api_types::{Content, Plural, PluralCategory, PluralForms, PluralKey};

use crate::locales::Plurals;

/// Texts by category.
pub(super) type Forms = BTreeMap<PluralCategory, String>;

/// The numbers for which a format takes the form `zero`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zero {
    /// Those of the language's category.
    Category,
    /// 0 alone, in every language (i18next, Rails).
    Exact,
}

impl Zero {
    /// The name in the API of a form that a file has.
    pub(super) fn key(self, category: PluralCategory) -> PluralKey {
        match (self, category) {
            (Self::Exact, PluralCategory::Zero) => PluralKey::Exact(0),
            _ => PluralKey::Category(category),
        }
    }

    /// The forms that a file of the format can have. Other exact numbers have no place in it.
    pub(super) fn forms(self, mut forms: PluralForms) -> Forms {
        let exact = forms.remove(PluralKey::Exact(0)).filter(|_| self == Self::Exact);
        let zero = exact.map(|text| (PluralCategory::Zero, text));
        forms.into_iter().filter_map(|(key, text)| Some((key.category()?, text))).chain(zero).collect()
    }

    /// The forms of a content that a file of the format can have; one text is the form for all numbers.
    pub(super) fn forms_of(self, content: Content) -> Forms {
        match content {
            Content::Plural(Plural { forms, .. }) => self.forms(forms),
            Content::Text(text) => Forms::from([(PluralCategory::Other, text)]),
        }
    }
}

/// The categories that `language` (BCP 47) uses for amounts or for ranks; `other` alone where the language is unknown.
fn categories(language: &str, ordinal: bool) -> Vec<PluralCategory> {
    let rules = if ordinal { Plurals::ordinal(language) } else { Plurals::cardinal(language) };
    rules.categories()
}

/// The content as one text, for formats whose plurals are ICU MessageFormat inside the text. Forms are written
/// unchanged: they were checked when they were translated.
pub(super) fn icu_text(content: Content) -> String {
    match content {
        Content::Text(text) => text,
        Content::Plural(Plural { arg, forms }) => {
            let mut text = format!("{{{arg}, plural,");
            for (key, form) in forms.iter() {
                text.push_str(&format!(" {key} {{{form}}}"));
            }
            text.push('}');
            text
        }
    }
}

/// The categories that a language needs.
pub(super) struct Needed {
    cardinal: Vec<PluralCategory>,
    ordinal: Vec<PluralCategory>,
}

impl Needed {
    pub(super) fn of(language: &str) -> Self {
        Self { cardinal: categories(language, false), ordinal: categories(language, true) }
    }

    /// The forms of a content, with the text of `other` for categories that the language needs and the content lacks.
    pub(super) fn complete(&self, content: Content, ordinal: bool, zero: Zero) -> Forms {
        let mut forms = zero.forms_of(content);
        let Some((_, other)) = forms.last_key_value() else {
            return forms;
        };
        let other = other.clone();
        for category in if ordinal { &self.ordinal } else { &self.cardinal } {
            forms.entry(*category).or_insert_with(|| other.clone());
        }
        forms
    }
}

/// A plural where the file has one text: the form that fits any number.
pub(super) fn one_text(content: Content) -> String {
    match content {
        Content::Text(text) => text,
        Content::Plural(Plural { mut forms, .. }) => forms.remove(PluralKey::OTHER).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_follow_cldr() {
        let names = |language, ordinal| {
            categories(language, ordinal).iter().map(|category| category.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("en", false), "one other");
        assert_eq!(names("en-GB", true), "one two few other");
        assert_eq!(names("ru", false), "one few many other");
        assert_eq!(names("ar", false), "zero one two few many other");
        assert_eq!(names("ja", false), "other");
        assert_eq!(names("not a language", false), "other");
    }

    #[test]
    fn a_plural_becomes_icu_in_cldr_order() {
        let forms = [(PluralCategory::Other, "{n} files".to_owned()), (PluralCategory::One, "{n} file".to_owned())];
        let content = Content::Plural(Plural { arg: "n".to_owned(), forms: forms.into() });
        assert_eq!(icu_text(content), "{n, plural, one {{n} file} other {{n} files}}");
    }

    #[test]
    fn zero_is_exact_where_the_format_says_so() {
        let forms = |keys: &[&str]| -> PluralForms {
            keys.iter().map(|key| (key.parse::<PluralKey>().unwrap(), (*key).to_owned())).collect()
        };
        let written = |zero: Zero, keys: &[&str]| -> Vec<(PluralCategory, String)> {
            zero.forms(forms(keys)).into_iter().collect()
        };
        use PluralCategory::{Other, Zero as Nought};
        let (zero, other) = ((Nought, "zero".to_owned()), (Other, "other".to_owned()));
        assert_eq!(written(Zero::Category, &["=0", "=1", "zero", "other"]), [zero.clone(), other.clone()]);
        assert_eq!(written(Zero::Exact, &["=0", "=1", "zero", "other"]), [(Nought, "=0".to_owned()), other.clone()]);
        assert_eq!(written(Zero::Exact, &["zero", "other"]), [zero, other]);
        assert_eq!((Zero::Exact.key(Nought), Zero::Category.key(Nought)), (PluralKey::Exact(0), Nought.into()));
        let content = Content::Plural(Plural { arg: "n".to_owned(), forms: forms(&["=0", "other"]) });
        assert_eq!(icu_text(content), "{n, plural, =0 {=0} other {other}}");
    }
}
