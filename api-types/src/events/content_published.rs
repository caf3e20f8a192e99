//! Data of `content.published` (§6).

use serde::{Deserialize, Serialize};

use crate::{DocumentId, PublishId, VersionId};

string_enum! {
    /// The outcome of a publish for one document.
    DocumentAction {
        /// A new version of it is live.
        Published = "published",
        /// A check holds it back, it is only partly translated, or it is too large.
        Held = "held",
        /// Its live version did not change.
        Unchanged = "unchanged",
        /// It was left out: nothing of it is translated.
        Skipped = "skipped",
        ..Unknown
    }
}

/// The outcome of a publish of documents, or of a rollback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContentPublished {
    /// The publish.
    pub publish_id: PublishId,
    /// Numbers of documents by action.
    pub summary: ContentSummary,
    /// The documents, at most 200 (§8): published ones first, then held, unchanged and skipped ones, each group in the
    /// order of creation.
    pub documents: Vec<PublishedDocument>,
    /// True if more documents were concerned than are listed; then `GET /content` is the complete source.
    pub truncated: bool,
}

/// Numbers of documents by action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ContentSummary {
    /// Documents with a new live version.
    pub docs_published: u64,
    /// Documents that were held back, including those that are too large.
    pub docs_held: u64,
    /// Documents whose live version did not change.
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
    /// The outcome for this document.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub action: DocumentAction,
    /// Its live version, or its source if it has none.
    pub version_id: VersionId,
    /// The caller's own name for it; left out when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
}
