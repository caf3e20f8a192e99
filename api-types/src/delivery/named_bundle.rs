//! `GET /@{handle}/{slug}/bundles/{versionId}/{path}` (§8): one published file, by the names that people use.

use serde::{Deserialize, Serialize};

use super::FileBytes;
use crate::{Access, Endpoint, ErrorCode, Method, NoBody, NoQuery, VersionId};

/// Like [`Bundle`](super::Bundle), by workspace handle and project slug; counted in a window of its own.
#[derive(Debug)]
pub enum NamedBundle {}

/// Path of [`NamedBundle`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct NamedBundlePath {
    /// Handle of the workspace.
    pub handle: String,
    /// Slug of the project.
    pub slug: String,
    /// The version, by its id, or `live`.
    pub version_id: VersionId,
    /// The file's path, as in the manifest.
    pub path: String,
}

impl Endpoint for NamedBundle {
    const NAME: &'static str = "delivery::named_bundle";
    const OPERATION_ID: &'static str = "readNamedBundle";
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/@{handle}/{slug}/bundles/{versionId}/{*path}";
    const SUMMARY: &'static str = "Read a published file, by names";
    const SECTION: &'static str = "§8";
    const SUCCESS: &'static [u16] = &[200, 304];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::NotFound, ErrorCode::NotPublished, ErrorCode::VersionNotFound];
    const ACCESS: Access = Access::Public;
    const MEDIA_TYPE: &'static str = "*/*";

    type Path = NamedBundlePath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = FileBytes;
}
