//! The glossary: terms with their translations, words that stay, and words that nobody is to write.

mod list;
mod set;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use list::{Glossary, GlossaryLevel, List, ListQuery};
pub use set::{GlossarySet, NewGlossaryTerm, Set, SetGlossary};

use crate::{GlossaryTermId, LanguageCode};

/// Most terms of a project's list, and of a workspace's.
pub const MOST_GLOSSARY_TERMS: usize = 5_000;

string_enum! {
    /// The rule that a term of the glossary states.
    GlossaryRule {
        /// The translation of a source that has the term has the one of `translations`.
        Translate = "translate",
        /// The translation of a source that has the term has it, too, untranslated.
        Keep = "keep",
        /// No translation into the term's language has the term.
        Forbidden = "forbidden",
        ..Unknown
    }
}

/// A term of a glossary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct GlossaryTerm {
    /// Its id; it stays the same while term and language do.
    pub term_id: GlossaryTermId,
    /// The term, as texts have it.
    pub term: String,
    /// Its language: that of the sources, or for a `forbidden` term that of the translations that are not to have it.
    pub language: LanguageCode,
    /// Its translations, by language. A translation for `es` holds for `es-MX`, too, unless there is one for `es-MX`.
    pub translations: BTreeMap<LanguageCode, String>,
    /// The rule that it states.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub rule: GlossaryRule,
    /// True if only this spelling counts, with these capitals.
    pub case_sensitive: bool,
    /// A note for those who translate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
