//! `GET /projects/{projectId}/operations/{operationId}` (§4): an operation and its status.

use serde::{Deserialize, Serialize};

use super::Operation;
use crate::{Access, Endpoint, Method, NoBody, OperationId, ProjectId};

/// Reads an operation, or waits until a person has decided. Any key of the project may.
#[derive(Debug)]
pub enum Read {}

/// Path of a route that belongs to an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct OperationPath {
    /// The project, by its id.
    pub project_id: ProjectId,
    /// The operation, by its id.
    pub operation_id: OperationId,
}

/// Query of [`Read`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase")]
pub struct ReadQuery {
    /// Delays the answer for up to this many seconds, 0 to 25, while the operation is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(maximum = 25))]
    pub wait_seconds: Option<u32>,
}

impl Endpoint for Read {
    const NAME: &'static str = "operations::read";
    const OPERATION_ID: &'static str = "readOperation";
    const EXAMPLE: &'static str = include_str!("read.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/operations/{operationId}";
    const SUMMARY: &'static str = "Read an operation, or wait for a person's decision";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::AnyKey;

    type Path = OperationPath;
    type Query = ReadQuery;
    type Body = NoBody;
    type Response = Operation;
}
