//! Publishing.

mod create;

use serde::{Deserialize, Serialize};

pub use create::{Create, Publish};

use crate::events::{ContentSummary, PublishedDocument};
use crate::{LanguageCode, PublishId, RequestId, Timestamp, VersionId};

string_enum! {
    /// What a publish freezes.
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
    /// Whether it is the base language; exactly one is.
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
    /// The request that did it.
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
    /// When it was first published.
    pub published_at: Timestamp,
    /// Findings of the checks.
    pub issues: IssueCounts,
    /// Whether it was restored rather than published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restored: bool,
}

/// A publish of documents, or the rollback of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentsPublished {
    /// The request that did it.
    pub request_id: RequestId,
    /// This publish or rollback.
    pub publish_id: PublishId,
    /// How many documents met which action.
    pub summary: ContentSummary,
    /// The documents, at most 200 (§8): those that moved first, then those that were held back, those that stay as they
    /// are and those that were left out, each in the order in which they were made.
    pub documents: Vec<PublishedDocument>,
    /// Whether more documents were concerned than are listed; then `GET /content` is the complete source.
    pub truncated: bool,
    /// When it was done.
    pub published_at: Timestamp,
    /// Whether a document was rolled back rather than published.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restored: bool,
}

/// Answer of a publish or a restore: one of two shapes, told apart by what they require.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum PublishAnswer {
    /// Of the keys.
    Strings(Published),
    /// Of documents.
    Content(DocumentsPublished),
}

impl PublishAnswer {
    /// The version of the keys, when it is one.
    #[must_use]
    pub fn strings(self) -> Option<Published> {
        match self {
            Self::Strings(published) => Some(published),
            Self::Content(_) => None,
        }
    }

    /// What became of the documents, when it is about documents.
    #[must_use]
    pub fn content(self) -> Option<DocumentsPublished> {
        match self {
            Self::Content(published) => Some(published),
            Self::Strings(_) => None,
        }
    }
}
