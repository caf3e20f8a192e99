//! `GET /projects/{projectId}/content` (§4): the documents.

use serde::{Deserialize, Serialize};

use super::{Document, DocumentState};
use crate::{Access, Endpoint, Method, NoBody, ProjectPath, Scope, Timestamp};

/// Lists the project's documents in the order of their creation, without their texts.
#[derive(Debug)]
pub enum List {}

/// Query parameters of [`List`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase")]
pub struct ListQuery {
    /// Only the document with this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_id: Option<String>,
    /// Only documents with this state in at least one language. Such a page may hold fewer than `limit` although more
    /// follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<DocumentState>,
    /// Only documents that changed or were published at this time or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, format = DateTime))]
    pub updated_since: Option<Timestamp>,
    /// The size of a page, 1 to 500; 100 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// `nextCursor` of the previous page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// A page of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Documents {
    /// The documents.
    pub documents: Vec<Document>,
    /// The cursor of the next page; null at the end.
    pub next_cursor: Option<String>,
}

impl Endpoint for List {
    const NAME: &'static str = "content::list";
    const OPERATION_ID: &'static str = "listDocuments";
    const EXAMPLE: &'static str = include_str!("list.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/content";
    const SUMMARY: &'static str = "List documents";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = ListQuery;
    type Body = NoBody;
    type Response = Documents;
}
