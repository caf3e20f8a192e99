//! Data of `strings.published` (§6).

use std::string::String;
use std::vec::Vec;

use serde::Deserialize;

/// The version that is live now. Its files are read with `GET /translations?version=<versionId>`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StringsPublished {
    /// The version.
    pub version_id: String,
    /// Its label, which may be empty.
    pub label: String,
    /// Keys in it.
    pub key_count: u64,
    /// Its languages.
    pub languages: Vec<Language>,
}

/// A language of a version.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Language {
    /// BCP 47.
    pub code: String,
    /// True for the language from which the others are translated.
    pub is_base: bool,
}
