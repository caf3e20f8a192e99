//! `GET /projects/resolve` (§4): resolve the names that people use to the id that paths carry.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, ErrorCode, Method, NoBody, NoQuery, ProjectId, WorkspaceId};

/// Finds a project by its workspace's handle and its own slug.
///
/// A name that does not exist, and one of a project that the key does not belong to, are both 404 `not_found`.
/// The route is not under a project and does not count against a project's request budget.
#[derive(Debug)]
pub enum Resolve {}

/// Query parameters of [`Resolve`]; both are needed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ResolveQuery {
    /// Handle of the workspace.
    #[cfg_attr(feature = "openapi", param(min_length = 1))]
    pub workspace: String,
    /// Slug of the project.
    #[cfg_attr(feature = "openapi", param(min_length = 1))]
    pub project: String,
}

/// Ids of a project and its workspace (§2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ProjectReference))]
#[serde(rename_all = "camelCase")]
pub struct Project {
    /// The project.
    pub project_id: ProjectId,
    /// The workspace that it belongs to.
    pub workspace_id: WorkspaceId,
}

impl Endpoint for Resolve {
    const NAME: &'static str = "projects::resolve";
    const OPERATION_ID: &'static str = "resolveProject";
    const EXAMPLE: &'static str = include_str!("resolve.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/resolve";
    const SUMMARY: &'static str = "Find a project by workspace handle and project slug";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::NotFound];
    const ACCESS: Access = Access::AnyKey;

    type Path = NoQuery;
    type Query = ResolveQuery;
    type Body = NoBody;
    type Response = Project;
}
