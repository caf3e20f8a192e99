//! The entries that are proposed, and what is left out.

use std::collections::BTreeSet;

use l10n_client::api::FormatId;

/// Files that one entry of `l10n.toml` covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileGroup {
    /// `locales/{language}/{namespace}.json`, or the one source: `res/values/strings.xml`.
    pub(crate) source: String,
    /// The pattern of the translations, where that of the source does not have the language.
    pub(crate) output: Option<String>,
    pub(crate) format: FormatId,
    /// The languages as the paths spell them.
    pub(crate) languages: BTreeSet<String>,
    pub(crate) files: usize,
    /// The reason why it is taken.
    pub(crate) why: String,
}

/// A file or pattern that is left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LeftOut {
    pub(crate) path: String,
    pub(crate) why: String,
}
