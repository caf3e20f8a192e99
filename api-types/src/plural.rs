//! Plural forms: by category of CLDR, and for exact numbers.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::UnknownName;

string_enum! {
    /// A plural category of CLDR.
    PluralCategory {
        /// `zero`.
        Zero = "zero",
        /// `one`.
        One = "one",
        /// `two`.
        Two = "two",
        /// `few`.
        Few = "few",
        /// `many`.
        Many = "many",
        /// `other`, which every language has.
        Other = "other",
        ..Unknown
    }
}

/// The name of a plural form: a category, or one number alone (`=0`).
///
/// Exact numbers come before categories in every order, and `other` comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PluralKey {
    /// The form for this number, whatever its category in the language.
    Exact(u64),
    /// The form for the numbers of a category.
    Category(PluralCategory),
}

impl PluralKey {
    /// The form for all numbers that have none of their own.
    pub const OTHER: Self = Self::Category(PluralCategory::Other);

    /// The largest exact number.
    pub const LARGEST: u64 = 999_999_999;

    /// The category; `None` for an exact number.
    #[must_use]
    pub const fn category(self) -> Option<PluralCategory> {
        match self {
            Self::Exact(_) => None,
            Self::Category(category) => Some(category),
        }
    }
}

impl fmt::Display for PluralKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(number) => write!(f, "={number}"),
            Self::Category(category) => f.write_str(category.as_str()),
        }
    }
}

impl FromStr for PluralKey {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_prefix('=').and_then(|digits| digits.parse().ok());
        // One spelling for each number: `=1`, not `=+1` or `=01`.
        match number.filter(|number| *number <= Self::LARGEST && text == format!("={number}")) {
            Some(number) => Ok(Self::Exact(number)),
            None => {
                text.parse().map(Self::Category).map_err(|_: UnknownName| UnknownName::new(text, NAMES.iter().copied()))
            }
        }
    }
}

/// The names that an error lists.
const NAMES: &[&str] = &["zero", "one", "two", "few", "many", "other", "=0", "=1"];

impl From<PluralCategory> for PluralKey {
    fn from(category: PluralCategory) -> Self {
        Self::Category(category)
    }
}

impl From<&Self> for PluralKey {
    fn from(key: &Self) -> Self {
        *key
    }
}

impl From<&PluralCategory> for PluralKey {
    fn from(category: &PluralCategory) -> Self {
        Self::Category(*category)
    }
}

impl Serialize for PluralKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Exact(_) => serializer.collect_str(self),
            Self::Category(category) => serializer.serialize_str(category.as_str()),
        }
    }
}

impl<'de> Deserialize<'de> for PluralKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl serde::de::Visitor<'_> for Name {
            type Value = PluralKey;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a plural form")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<PluralKey, E> {
                text.parse().map_err(|_: UnknownName| E::unknown_variant(text, NAMES))
            }
        }
        deserializer.deserialize_str(Name)
    }
}

/// Texts by the name of their form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PluralForms(BTreeMap<PluralKey, String>);

impl PluralForms {
    /// The text of a form.
    pub fn get(&self, key: impl Into<PluralKey>) -> Option<&String> {
        self.0.get(&key.into())
    }

    /// The text for all numbers that have none of their own.
    #[must_use]
    pub fn other(&self) -> Option<&String> {
        self.0.get(&PluralKey::OTHER)
    }

    /// Returns true if a form is there.
    pub fn contains_key(&self, key: impl Into<PluralKey>) -> bool {
        self.0.contains_key(&key.into())
    }

    /// Sets the text of a form; returns the text that it had.
    pub fn insert(&mut self, key: impl Into<PluralKey>, text: String) -> Option<String> {
        self.0.insert(key.into(), text)
    }

    /// Takes a form out.
    pub fn remove(&mut self, key: impl Into<PluralKey>) -> Option<String> {
        self.0.remove(&key.into())
    }

    /// The forms: exact numbers first, then categories in the order of CLDR.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (PluralKey, &String)> + ExactSizeIterator {
        self.0.iter().map(|(key, text)| (*key, text))
    }

    /// The forms of categories, in the order of CLDR.
    pub fn categories(&self) -> impl DoubleEndedIterator<Item = (PluralCategory, &String)> {
        self.iter().filter_map(|(key, text)| Some((key.category()?, text)))
    }

    /// The names of the forms, in the order of [`iter`](Self::iter).
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = PluralKey> {
        self.0.keys().copied()
    }

    /// The texts, in the order of [`iter`](Self::iter).
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.0.values()
    }

    /// The number of forms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there is no form.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K: Into<PluralKey>> FromIterator<(K, String)> for PluralForms {
    fn from_iter<I: IntoIterator<Item = (K, String)>>(forms: I) -> Self {
        Self(forms.into_iter().map(|(key, text)| (key.into(), text)).collect())
    }
}

impl<K: Into<PluralKey>, const N: usize> From<[(K, String); N]> for PluralForms {
    fn from(forms: [(K, String); N]) -> Self {
        forms.into_iter().collect()
    }
}

impl IntoIterator for PluralForms {
    type Item = (PluralKey, String);
    type IntoIter = std::collections::btree_map::IntoIter<PluralKey, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// The forms of a text that depends on a number.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Plural {
    /// Name of the argument that holds the number, such as `count`: 1 to 128 bytes without white space, control
    /// characters, commas and braces.
    pub arg: String,
    /// A text for each category of the language, and for exact numbers (`=0`): at most 64. `other` is
    /// required.
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::BTreeMap<String, String>))]
    pub forms: PluralForms,
}

impl Plural {
    /// The number of forms that a key may have: the six categories and exact numbers.
    pub const MOST_FORMS: usize = 64;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forms are named by categories and by exact numbers, each in one spelling.
    #[test]
    fn a_form_has_one_name() {
        for name in ["=0", "=1", "=999999999", "zero", "other"] {
            assert_eq!(name.parse::<PluralKey>().unwrap().to_string(), name);
        }
        for name in ["=", "=01", "=+1", "=-1", "= 1", "=1000000000", "1", "Other", "=99999999999999999999999"] {
            assert!(name.parse::<PluralKey>().is_err(), "{name}");
        }
    }

    #[test]
    fn exact_numbers_come_first_and_other_last() {
        let forms: PluralForms =
            ["other", "=1", "few", "=0"].map(|name| (name.parse::<PluralKey>().unwrap(), String::new())).into();
        assert_eq!(forms.keys().map(|key| key.to_string()).collect::<Vec<_>>(), ["=0", "=1", "few", "other"]);
    }
}
