//! `GET /projects/{projectId}/memory/export`: memory as a TMX file. An addition to §4.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, Method, NoBody, NoQuery, ProjectPath, Scope};

/// Reads the translations that memory has for the project as a file in TMX 1.4.
///
/// The file has a unit for each text that memory knows in the project's base language, with the translation into each of the
/// project's languages that a run would take: what a person wrote, imported or reviewed, else what an engine made. The property
/// `x-l10n-engine` names the engine then. A plural has its form for `other` as its segment and its other parts as properties.
/// Texts with characters that XML cannot hold are left out.
///
/// The file is sent while it is read. One that does not end with `</tmx>` is not whole.
#[derive(Debug)]
pub enum Export {}

/// Bytes of a TMX file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = Binary))]
#[serde(transparent)]
pub struct TmxFile(pub Vec<u8>);

impl Endpoint for Export {
    const NAME: &'static str = "memory::export";
    const OPERATION_ID: &'static str = "exportMemory";
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/memory/export";
    const SUMMARY: &'static str = "Read translation memory as a TMX file";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);
    // Browsers run scripts in files that are delivered as XML.
    const MEDIA_TYPE: &'static str = "application/octet-stream";

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = TmxFile;
}
