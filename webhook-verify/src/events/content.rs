//! Data of `content.published` (§6).

use std::string::String;
use std::vec::Vec;

use serde::Deserialize;

/// The outcome of a publish of documents, or of a rollback.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ContentPublished {
    /// The publish.
    pub publish_id: String,
    /// Numbers of documents by action.
    pub summary: Summary,
    /// The documents, at most 200. Pull those that are [`Published`](Action::Published) with `GET /content/{docId}`.
    pub documents: Vec<Document>,
    /// True if there are more documents than listed; then `GET /content` is the complete source.
    pub truncated: bool,
}

/// Numbers of documents by action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Summary {
    /// Documents with a new live version.
    pub docs_published: u64,
    /// Documents that a check held back.
    pub docs_held: u64,
    /// Documents whose live version did not change.
    pub docs_unchanged: u64,
    /// Documents that were skipped.
    pub docs_skipped: u64,
    /// Documents that were too large to publish.
    pub docs_too_large: u64,
}

/// A document of a publish.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Document {
    /// The document.
    pub doc_id: String,
    /// The outcome for this document.
    pub action: Action,
    /// Its version.
    pub version_id: String,
    /// Your own name for it, if you gave it one.
    #[serde(default)]
    pub external_id: Option<String>,
}

/// The outcome of a publish for one document.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Action {
    /// A new version of it is live.
    Published,
    /// A check holds it back.
    Held,
    /// Its live version did not change.
    Unchanged,
    /// No segment of it is translated.
    Skipped,
    /// An action of a later version, unchanged.
    #[serde(untagged)]
    Other(String),
}
