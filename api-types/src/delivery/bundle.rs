//! `GET /projects/{projectId}/bundles/{versionId}/{path}` (§4): one published file.

use serde::{Deserialize, Serialize};

use super::FileBytes;
use crate::{Access, Endpoint, ErrorCode, Method, NoBody, NoQuery, ProjectId, VersionId};

/// Reads one file of a version; `live` in place of the version id reads the live one's.
///
/// `ETag` is the SHA-256 of the bytes; `If-None-Match` gives 304. By version: `Cache-Control: public, max-age=31536000,
/// immutable`; `live`: `public, max-age=60, stale-while-revalidate=600`.
#[derive(Debug)]
pub enum Bundle {}

/// Path of [`Bundle`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct BundlePath {
    /// The project, by its id.
    pub project_id: ProjectId,
    /// The version, by its id, or `live`.
    pub version_id: VersionId,
    /// The file's path, as in the manifest.
    pub path: String,
}

impl Endpoint for Bundle {
    const NAME: &'static str = "delivery::bundle";
    const OPERATION_ID: &'static str = "readBundle";
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/bundles/{versionId}/{*path}";
    const SUMMARY: &'static str = "Read a published file";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200, 304];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::NotFound, ErrorCode::NotPublished, ErrorCode::VersionNotFound];
    const ACCESS: Access = Access::Public;
    const MEDIA_TYPE: &'static str = "*/*";

    type Path = BundlePath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = FileBytes;
}
