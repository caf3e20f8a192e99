//! `GET /projects/{projectId}/versions`: published versions, newest first. An addition to §4: a restore needs an id.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, Method, NoBody, ProjectPath, Scope, Timestamp, VersionId};

/// Lists the project's versions, newest first.
#[derive(Debug)]
pub enum List {}

/// Query parameters of [`List`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ListQuery {
    /// The size of a page, 1 to 500; 100 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// `nextCursor` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Its id.
    pub version_id: VersionId,
    /// Its number in the project, counted from 1. It is unique, while labels may repeat.
    pub number: u64,
    /// Its label.
    pub label: String,
    /// Keys in it.
    pub key_count: u64,
    /// The time of its publish.
    pub published_at: Timestamp,
    /// True for the live version.
    pub live: bool,
}

/// A page of versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Versions {
    /// The versions, newest first.
    pub versions: Vec<Version>,
    /// The cursor of the next page; null at the end.
    pub next_cursor: Option<String>,
}

impl Endpoint for List {
    const NAME: &'static str = "versions::list";
    const OPERATION_ID: &'static str = "listVersions";
    const EXAMPLE: &'static str = include_str!("list.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/versions";
    const SUMMARY: &'static str = "List published versions";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = ListQuery;
    type Body = NoBody;
    type Response = Versions;
}
