//! `GET /projects/{projectId}/content/{docId}` (§4): a document with its text.

use serde::{Deserialize, Serialize};

use super::{Document, DocumentPath};
use crate::{Access, Endpoint, ErrorCode, LanguageCode, Method, NoBody, Scope, VersionId};

/// Reads a document with its text. The parameters decide which text `body` is:
///
/// | parameters | `body` |
/// |---|---|
/// | none | the present source |
/// | `language` | the published text in that language; 404 `not_published` when there is none |
/// | `language` and `draft=true` | the text that the next publish would take, with the source where a translation is missing; `problems` lists what would keep it from being published |
/// | `version` (and `language`) | that version of the source, or that published version (in `language`) |
#[derive(Debug)]
pub enum Read {}

/// Query parameters of [`Read`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct ReadQuery {
    /// The language of `body`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub language: Option<LanguageCode>,
    /// Read this version of the document: `cvr_…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub version: Option<VersionId>,
    /// `true` reads the unpublished state. Not together with `version`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<bool>,
}

impl Endpoint for Read {
    const NAME: &'static str = "content::read";
    const OPERATION_ID: &'static str = "readDocument";
    const EXAMPLE: &'static str = include_str!("read.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/content/{docId}";
    const SUMMARY: &'static str = "Read a document";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::NotFound, ErrorCode::NotPublished, ErrorCode::VersionNotFound];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = DocumentPath;
    type Query = ReadQuery;
    type Body = NoBody;
    type Response = Document;
}
