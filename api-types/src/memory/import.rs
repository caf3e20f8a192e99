//! `POST /projects/{projectId}/memory/import`: translations of a TMX file. An addition to §4.

use serde::{Deserialize, Serialize};

use crate::translations::Encoding;
use crate::{Access, BodyKind, DryRun, Endpoint, ErrorCode, Method, NoQuery, ProjectPath, Scope, UnknownFields};

/// Takes the translations of a TMX file into the memory of the project.
///
/// The translations serve this project alone, until a person has reviewed it where it is used. They count as a person's, unless the
/// property `x-l10n-engine` names an engine of this service; an engine's translation never displaces a person's. A person's
/// translation replaces another one that was imported; one that a person has reviewed stays.
///
/// A unit needs a text in the project's base language and one in another language of the project. `de` of a project also takes
/// `de-DE`, if the project does not have that. Inline tags become the code that they hold. A translation that cannot be taken, or
/// in which a check finds an error, is in `refused`, and the others are taken.
#[derive(Debug)]
pub enum Import {}

/// Largest file of [`Import`] once decoded, in bytes.
pub const TMX_CAP: usize = 1024 * 1024;

/// Most translations of a file of [`Import`].
pub const MOST_IMPORTED: usize = 5_000;

/// Most elements of `refused`.
pub const MOST_REFUSED: usize = 100;

/// Body of [`Import`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportMemory {
    /// The bytes of the file, at most 1 MiB once decoded, with at most 5,000 translations. UTF-8, or UTF-16 with a byte order
    /// mark.
    pub content: String,
    /// The encoding of `content`.
    pub encoding: Encoding,
}

/// Answer of [`Import`]: numbers of translations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct MemoryImport {
    /// Translations that memory did not have, or had in other words.
    pub added: u64,
    /// Translations that memory had.
    pub unchanged: u64,
    /// Translations and units that were not taken.
    pub refused_count: u64,
    /// The first 100 of these, in the order of the file.
    pub refused: Vec<RefusedUnit>,
}

/// A part of a file that was not taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RefusedUnit {
    /// Its line, from 1.
    pub line: u64,
    /// The reason, for people.
    pub message: String,
}

impl Endpoint for Import {
    const NAME: &'static str = "memory::import";
    const OPERATION_ID: &'static str = "importMemory";
    const EXAMPLE: &'static str = include_str!("import.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/memory/import";
    const SUMMARY: &'static str = "Take translations of a TMX file into memory";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::FileUnparseable];
    const ACCESS: Access = Access::Scopes(&[Scope::Write]);
    const BODY: BodyKind = BodyKind::Required;
    // In base64, or with the escapes of JSON, a file is longer than it is.
    const BODY_CAP: usize = 2 * TMX_CAP;
    const LARGE_WORK: bool = true;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    // What was taken is there, and is unchanged the second time.
    const IDEMPOTENT: bool = true;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = ImportMemory;
    type Response = MemoryImport;
}
