//! Publishing.

mod create;

use serde::{Deserialize, Serialize};

pub use create::{Create, Publish};

use crate::{LanguageCode, PublishId, RequestId, Timestamp, VersionId};

string_enum! {
    /// What a publish freezes.
    PublishTarget {
        /// The project's keys.
        Strings = "strings",
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
