//! `GET /projects/{projectId}/credential` (§2, §4): the scopes and kind of the calling key.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, Method, NoBody, NoQuery, ProjectPath, Scope};

/// Reads the scopes and the kind of the calling key.
#[derive(Debug)]
pub enum Read {}

/// The rights of a key. The field names are the specification's own, not camelCase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Credential {
    /// The scopes that the key holds; `["admin"]` for a key that holds `admin`.
    #[serde(deserialize_with = "crate::later_name::many")]
    pub scopes: Vec<Scope>,
    /// True for the key of an AI agent, which needs a person's approval before it spends or publishes.
    pub requires_operation_approval: bool,
}

impl Endpoint for Read {
    const NAME: &'static str = "credential::read";
    const OPERATION_ID: &'static str = "readCredential";
    const EXAMPLE: &'static str = include_str!("read.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/credential";
    const SUMMARY: &'static str = "Read the scopes and kind of the calling key";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::AnyKey;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Credential;
}
