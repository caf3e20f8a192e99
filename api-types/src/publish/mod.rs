//! Publishing.

mod create;

use serde::{Deserialize, Serialize};

pub use create::{Create, Publish};

use crate::events::{ContentSummary, PublishedDocument};
use crate::{LanguageCode, PublishId, RequestId, Timestamp, VersionId};

string_enum! {
    /// The target of a publish.
    PublishTarget {
        /// The project's keys.
        Strings = "strings",
        /// Documents: their source and their translations.
        Content = "content",
    }
}

/// A language of a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VersionLanguage {
    /// Canonical BCP 47 tag.
    pub code: LanguageCode,
    /// True for the base language; exactly one language is.
    pub is_base: bool,
}

/// Findings of the checks among a version's translations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IssueCounts {
    /// Translations that were held back.
    pub error: u64,
    /// Translations with a warning that were published.
    pub warning: u64,
}

/// A published or restored version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The request that published or restored it.
    pub request_id: RequestId,
    /// This publish or restore.
    pub publish_id: PublishId,
    /// The version that is live now.
    pub version_id: VersionId,
    /// Its label.
    pub label: String,
    /// Keys in it.
    pub key_count: u64,
    /// Its languages, the base language first.
    pub languages: Vec<VersionLanguage>,
    /// Number of its files.
    pub files: u64,
    /// The time of its first publish.
    pub published_at: Timestamp,
    /// Findings of the checks.
    pub issues: IssueCounts,
    /// True if it was restored rather than published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restored: bool,
}

/// A publish of documents, or the rollback of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentsPublished {
    /// The request that published or rolled back.
    pub request_id: RequestId,
    /// This publish or rollback.
    pub publish_id: PublishId,
    /// Numbers of documents by action.
    pub summary: ContentSummary,
    /// The documents, at most 200 (§8): published ones first, then held, unchanged and skipped ones, each group in the
    /// order of creation.
    pub documents: Vec<PublishedDocument>,
    /// True if more documents were concerned than are listed; then `GET /content` is the complete source.
    pub truncated: bool,
    /// The time of the publish or rollback.
    pub published_at: Timestamp,
    /// True if a document was rolled back rather than published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restored: bool,
}

/// Answer of a publish or a restore: one of two shapes, told apart by what they require.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum PublishAnswer {
    /// The answer for the keys.
    Strings(Published),
    /// The answer for documents.
    Content(DocumentsPublished),
}

impl PublishAnswer {
    /// Returns the published version, if the target was the keys.
    #[must_use]
    pub fn strings(self) -> Option<Published> {
        match self {
            Self::Strings(published) => Some(published),
            Self::Content(_) => None,
        }
    }

    /// Returns the outcome for the documents, if they were the target.
    #[must_use]
    pub fn content(self) -> Option<DocumentsPublished> {
        match self {
            Self::Content(published) => Some(published),
            Self::Strings(_) => None,
        }
    }
}
