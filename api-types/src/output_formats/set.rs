//! `POST /projects/{projectId}/output-formats` (§4): set the files of a version.

use serde::{Deserialize, Serialize};

use super::{EmptyAs, OutputFormat};
use crate::{
    Access, BodyKind, DryRun, Endpoint, ErrorCode, FormatId, Method, NoQuery, OutputFormatId, ProjectPath, Scope,
    UnknownFields,
};

/// Sets the whole list of output formats. Formats that it leaves out are removed; translations are not affected.
///
/// Without any output format, a version has one file for each synced source file and language, beside the source.
#[derive(Debug)]
pub enum Set {}

/// Body of [`Set`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SetOutputFormats {
    /// 0 to 50 output formats, no two of which may render to one path.
    pub output_formats: Vec<NewOutputFormat>,
}

/// An output format to set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewOutputFormat {
    /// The file format.
    pub format: FormatId,
    /// Relative template with `{language}` (or `{languageUnderscore}`, `{androidLanguage}`, `{appleLanguage}`) and, to
    /// split by namespace, `{namespace}`. No `..`, no leading `/`, at most 512 bytes. One file of `xcstrings` holds
    /// all languages: its path has no place for the language. One of `csv` does so where its path has none.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub path: String,
    /// The entry for a key without a translation; `skip` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty_as: Option<EmptyAs>,
    /// The namespaces that it includes; all of them when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespaces: Option<Vec<String>>,
}

impl NewOutputFormat {
    /// A format for all namespaces, which skips keys without a translation.
    #[must_use]
    pub fn new(format: FormatId, path: impl Into<String>) -> Self {
        Self { format, path: path.into(), empty_as: None, namespaces: None }
    }
}

/// Answer of [`Set`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct OutputFormatsSet {
    /// Output formats that this call added.
    pub added: Vec<OutputFormatId>,
    /// Output formats that it removed.
    pub removed: Vec<OutputFormatId>,
    /// Output formats that existed already (same format and path, whatever else changed).
    pub unchanged: Vec<OutputFormatId>,
    /// The list as it now stands.
    pub output_formats: Vec<OutputFormat>,
}

impl Endpoint for Set {
    const NAME: &'static str = "output_formats::set";
    const OPERATION_ID: &'static str = "setOutputFormats";
    const EXAMPLE: &'static str = include_str!("set.example.json");
    const METHOD: crate::Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/output-formats";
    const SUMMARY: &'static str = "Set the output formats";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::FormatUnsupported];
    const ACCESS: Access = Access::Scopes(&[Scope::Write]);
    const BODY: BodyKind = BodyKind::Required;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    // It sets the whole list.
    const IDEMPOTENT: bool = true;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = SetOutputFormats;
    type Response = OutputFormatsSet;
}
