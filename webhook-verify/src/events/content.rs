//! Data of `content.published` (§6).

use std::string::String;
use std::vec::Vec;

use serde::Deserialize;

/// What a publish of documents, or a rollback, did.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ContentPublished {
    /// The publish.
    pub publish_id: String,
    /// How many documents met which action.
    pub summary: Summary,
    /// The documents, at most 200. Those [`Published`](Action::Published) are pulled with `GET /content/{docId}`.
    pub documents: Vec<Document>,
    /// Whether there are more than are listed; then `GET /content` is the complete source.
    pub truncated: bool,
}

/// Documents by what a publish did with them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Summary {
    /// Documents with a new live version.
    pub docs_published: u64,
    /// Documents that a check held back.
    pub docs_held: u64,
    /// Documents that are live as they were.
    pub docs_unchanged: u64,
    /// Documents that were left out.
    pub docs_skipped: u64,
    /// Documents that were too large.
    pub docs_too_large: u64,
}

/// A document of a publish.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Document {
    /// The document.
    pub doc_id: String,
    /// What was done with it.
    pub action: Action,
    /// Its version.
    pub version_id: String,
    /// Your own name for it, when you gave it one.
    #[serde(default)]
    pub external_id: Option<String>,
}

/// What a publish did with a document.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// A new version of it is live.
    Published,
    /// A check holds it back.
    Held,
    /// Its live version is what it was.
    Unchanged,
    /// It was left out.
    Skipped,
    /// What later versions bring, as it is written.
    #[serde(untagged)]
    Other(String),
}
