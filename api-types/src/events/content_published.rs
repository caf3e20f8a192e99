//! Data of `content.published` (§6).

use serde::{Deserialize, Serialize};

use crate::{DocumentId, PublishId, VersionId};

string_enum! {
    /// What a publish did with a document.
    DocumentAction {
        /// A new version of it is live.
        Published = "published",
        /// A check holds it back, it is translated in part only, or it is too large.
        Held = "held",
        /// Its live version is what it is.
        Unchanged = "unchanged",
        /// It was left out: nothing of it is translated.
        Skipped = "skipped",
    }
}

/// What a publish of documents, or a rollback, did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContentPublished {
    /// The publish.
    pub publish_id: PublishId,
    /// How many documents met which action.
    pub summary: ContentSummary,
    /// The documents, at most 200 (§8): those that moved first, then those that were held back, those that stay as they
    /// are and those that were left out, each in the order in which they were made.
    pub documents: Vec<PublishedDocument>,
    /// Whether more documents were concerned than are listed; then `GET /content` is the complete source.
    pub truncated: bool,
}

/// Documents by what a publish did with them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContentSummary {
    /// Documents with a new live version.
    pub docs_published: u64,
    /// Documents that were held back, those that are too large among them.
    pub docs_held: u64,
    /// Documents that are live as they are.
    pub docs_unchanged: u64,
    /// Documents that were left out.
    pub docs_skipped: u64,
    /// Documents that were too large to publish.
    pub docs_too_large: u64,
}

/// A document of a publish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PublishedDocument {
    /// The document.
    pub doc_id: DocumentId,
    /// What was done with it.
    pub action: DocumentAction,
    /// The version of it that is live; its source where none is.
    pub version_id: VersionId,
    /// The caller's own name for it; left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
}
