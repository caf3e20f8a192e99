//! `GET /projects/{projectId}/manifest` (§4): the contents of the live version.

use serde::{Deserialize, Serialize};

use crate::languages::Direction;
use crate::{
    Access, Endpoint, ErrorCode, FormatName, LanguageCode, Method, NoBody, NoQuery, ProjectId, ProjectPath, Timestamp,
    VersionId,
};

/// Reads the contents of the live version; 404 `not_published` before the first publish.
///
/// `Cache-Control: public, max-age=60, stale-while-revalidate=600`, with an `ETag`.
#[derive(Debug)]
pub enum Manifest {}

/// The contents of the live version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = Manifest))]
#[serde(rename_all = "camelCase")]
pub struct ManifestBody {
    /// The project.
    pub project_id: ProjectId,
    /// The live version.
    pub version_id: VersionId,
    /// Its label.
    pub label: String,
    /// The time of its publish.
    pub published_at: Timestamp,
    /// The base language.
    pub base_language: LanguageCode,
    /// Its languages, the base language first.
    pub languages: Vec<ManifestLanguage>,
    /// Its files.
    pub files: Vec<ManifestFile>,
}

/// A language of the live version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ManifestLanguage {
    /// Canonical BCP 47 tag.
    pub code: LanguageCode,
    /// True for the base language; exactly one language is.
    pub is_base: bool,
    /// Writing direction of the language.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub direction: Direction,
}

/// A file of the live version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ManifestFile {
    /// Its path, relative.
    pub path: String,
    /// Its language.
    pub language: LanguageCode,
    /// True if it holds the texts of all languages of the version; `language` is the base language then. Left out where it
    /// holds one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub holds_all_languages: bool,
    /// Its namespace; null when it holds several.
    pub namespace: Option<String>,
    /// Its format.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::FormatId))]
    pub format: FormatName,
    /// Absolute URL of its bytes, which never change.
    pub url: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, in lowercase hex.
    pub sha256: String,
}

impl Endpoint for Manifest {
    const NAME: &'static str = "delivery::manifest";
    const OPERATION_ID: &'static str = "readManifest";
    const EXAMPLE: &'static str = include_str!("manifest.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/manifest";
    const SUMMARY: &'static str = "Read the manifest of the live version";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200, 304];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::NotFound, ErrorCode::NotPublished];
    const ACCESS: Access = Access::Public;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = ManifestBody;
}
