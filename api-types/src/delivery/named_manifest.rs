//! `GET /@{handle}/{slug}/manifest` (§8): the manifest, by the names that people use.

use serde::{Deserialize, Serialize};

use super::ManifestBody;
use crate::{Access, Endpoint, ErrorCode, Method, NoBody, NoQuery};

/// Like [`Manifest`](super::Manifest), by workspace handle and project slug; counted in a window of its own.
#[derive(Debug)]
pub enum NamedManifest {}

/// Path of a public route by names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
pub struct NamedPath {
    /// Handle of the workspace.
    pub handle: String,
    /// Slug of the project.
    pub slug: String,
}

impl Endpoint for NamedManifest {
    const NAME: &'static str = "delivery::named_manifest";
    const OPERATION_ID: &'static str = "readNamedManifest";
    const EXAMPLE: &'static str = include_str!("named_manifest.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/@{handle}/{slug}/manifest";
    const SUMMARY: &'static str = "Read the manifest of the live version, by names";
    const SECTION: &'static str = "§8";
    const SUCCESS: &'static [u16] = &[200, 304];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::NotFound, ErrorCode::NotPublished];
    const ACCESS: Access = Access::Public;

    type Path = NamedPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = ManifestBody;
}
