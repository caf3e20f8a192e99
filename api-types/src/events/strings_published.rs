//! Data of `strings.published` (§6).

use serde::{Deserialize, Serialize};

use crate::VersionId;
use crate::publish::VersionLanguage;

/// The version that is live now. Its files are read with `GET /translations?version=<versionId>`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StringsPublished {
    /// The version.
    pub version_id: VersionId,
    /// Its label.
    pub label: String,
    /// Keys in it.
    pub key_count: u64,
    /// Its languages, the base language first.
    pub languages: Vec<VersionLanguage>,
}
