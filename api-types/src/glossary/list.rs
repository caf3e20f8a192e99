//! `GET /projects/{projectId}/glossary`: the terms of a project or of its workspace. An addition to §4.

use serde::{Deserialize, Serialize};

use super::GlossaryTerm;
use crate::{Access, Endpoint, Method, NoBody, ProjectPath, Scope};

/// Lists the glossary, ordered by language and term.
///
/// A project has a list of its own, which `PUT /glossary` sets; its workspace's list holds for all of its projects. Where
/// both have a term of one language, the project's counts.
#[derive(Debug)]
pub enum List {}

string_enum! {
    /// The owner of a list of terms.
    GlossaryLevel {
        /// The project's own list.
        Project = "project",
        /// The list of the workspace, which the operator sets.
        Workspace = "workspace",
    }
}

/// Query parameters of [`List`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ListQuery {
    /// The list to read; that of the project when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(inline))]
    pub level: Option<GlossaryLevel>,
    /// The size of a page, 1 to 500; 100 when left out.
    /// A page with about 4 MiB of texts ends early, with a `nextCursor`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// `nextCursor` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A page of a glossary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Glossary {
    /// The terms, ordered by language and term.
    pub terms: Vec<GlossaryTerm>,
    /// The cursor of the next page; null at the end.
    pub next_cursor: Option<String>,
}

impl Endpoint for List {
    const NAME: &'static str = "glossary::list";
    const OPERATION_ID: &'static str = "listGlossary";
    const EXAMPLE: &'static str = include_str!("list.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/glossary";
    const SUMMARY: &'static str = "List the glossary";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = ListQuery;
    type Body = NoBody;
    type Response = Glossary;
}
