//! Languages of a project.

mod add;

use serde::{Deserialize, Serialize};

pub use add::{Add, AddLanguages, AddedLanguages, NewLanguage};

use crate::{LanguageCode, PluralCategory};

string_enum! {
    /// Writing direction of a language.
    Direction {
        /// Left to right.
        Ltr = "ltr",
        /// Right to left.
        Rtl = "rtl",
        ..Unknown
    }
}

/// A language of a project and the progress of its translations. Counts are of active keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Language {
    /// Canonical BCP 47 tag.
    pub code: LanguageCode,
    /// Its name in English.
    pub name: String,
    /// True for the language of the project's sources; exactly one language is.
    pub is_base: bool,
    /// Writing direction of the language.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub direction: Direction,
    /// Its plural categories for cardinal numbers (CLDR).
    #[serde(deserialize_with = "crate::later_name::many")]
    pub plural_categories: Vec<PluralCategory>,
    /// Keys of the project.
    pub keys: u64,
    /// Keys with a translation in state `translated`.
    pub translated: u64,
    /// Keys with a translation in state `needs_review`.
    pub needs_review: u64,
    /// Keys with a translation in state `reviewed`.
    pub reviewed: u64,
    /// Keys whose source has changed since they were translated, whatever their state.
    pub stale: u64,
    /// Keys without a translation.
    pub missing: u64,
}
