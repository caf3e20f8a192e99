//! `GET /projects/{projectId}/meta` (§4): a project, its state and its limits.

use serde::{Deserialize, Serialize};

use crate::languages::Language;
use crate::output_formats::OutputFormat;
use crate::{
    Access, Endpoint, FormatName, LanguageCode, Method, Millicredits, NoBody, NoQuery, ProjectId, ProjectPath, Scope,
    Timestamp, VersionId, WorkspaceId,
};

/// Reads the project's languages, output formats, counts, live version, balance and limits.
#[derive(Debug)]
pub enum Read {}

/// A project, its state and its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// The project.
    pub project_id: ProjectId,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// The workspace's handle.
    pub handle: String,
    /// The project's slug.
    pub slug: String,
    /// The project's name.
    pub name: String,
    /// The language of its sources.
    pub base_language: LanguageCode,
    /// Its languages, the base language first.
    pub languages: Vec<Language>,
    /// Its output formats, as stated by `POST /output-formats`.
    pub output_formats: Vec<OutputFormat>,
    /// The file formats that the server reads and writes.
    pub formats: Vec<FormatSupport>,
    /// Active keys.
    pub key_count: u64,
    /// Captured keys that are not accepted yet.
    pub captured_count: u64,
    /// Documents.
    pub document_count: u64,
    /// The published version; null before the first publish.
    pub live: Option<LiveVersion>,
    /// Changes since the last publish: of keys and translations, and once something is live also each change of the
    /// languages and output formats. An earlier version that was restored and is live counts as one, and so does a publish that
    /// leaves languages out.
    pub unpublished_changes: u64,
    /// Balance of the workspace.
    pub balance: Millicredits,
    /// The translation engine.
    pub engine: Engine,
    /// Limits that apply to this project.
    pub limits: Limits,
    /// Remaining budgets of the current window, day and month.
    pub remaining: Remaining,
}

/// A file format that the server reads and writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormatSupport {
    /// The format.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::FormatId))]
    pub format: FormatName,
    /// Extensions of its files, without the dot.
    pub extensions: Vec<String>,
    /// Its plural syntax: `icu`, `suffix`, `element`; `none` for formats without plurals.
    pub plurals: String,
    /// Its placeholder syntax: `icu`, `double_brace`, `brace`, `java_message`, `printf`, `ruby` (`%{x}`).
    pub placeholders: String,
}

/// The published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LiveVersion {
    /// Its id.
    pub version_id: VersionId,
    /// Its label.
    pub label: String,
    /// The time of its publish.
    pub published_at: Timestamp,
}

/// The translation engine of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Engine {
    /// Its name; the names of a chain with commas between them.
    pub name: String,
    /// Price of a character, as `limits` has it: that of the dearest engine of the chain.
    pub millicredits_per_character: Option<i64>,
    /// The languages that have another engine; left out if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<LanguageEngine>,
}

/// The translation engine of a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LanguageEngine {
    /// The language.
    pub language: LanguageCode,
    /// Its engine, as the name of the project's.
    pub name: String,
    /// Price of a character in this language.
    pub millicredits_per_character: Option<i64>,
}

/// Limits that apply to a project. `None` if there is no limit, or if the server does not report it: earlier servers
/// lack fields that later versions add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// Requests in a window of 60 seconds (§8).
    pub requests_per_minute: Option<u32>,
    /// Publishes by API key in a day (UTC).
    pub publishes_per_day: Option<u32>,
    /// Restores by API key in a day (UTC), counted apart from publishes.
    pub restores_per_day: Option<u32>,
    /// New captured keys in a day (UTC).
    pub captures_per_day: Option<u32>,
    /// Pushes of documents in a day (UTC).
    pub imports_per_day: Option<u32>,
    /// Runs of documents in a day (UTC).
    pub runs_per_day: Option<u32>,
    /// Price of translating one Unicode scalar value of source text into one language, the one where it is highest.
    pub millicredits_per_character: Option<i64>,
    /// Most keys that the plan allows.
    pub keys: Option<u64>,
    /// Most languages that the plan allows, the base language included.
    pub languages: Option<u64>,
    /// Most documents that the plan allows.
    pub documents: Option<u64>,
    /// Monthly spending cap of the workspace (UTC).
    pub spending_cap: Option<Millicredits>,
}

/// Remaining budgets; `None` as in [`Limits`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Remaining {
    /// Requests left in the current window of 60 seconds, as far as this server process knows.
    pub requests: Option<u32>,
    /// Publishes left today (UTC) for the API key.
    pub publishes: Option<u32>,
    /// Restores left today (UTC) for the API key.
    pub restores: Option<u32>,
    /// New captured keys left today (UTC).
    pub captures: Option<u32>,
    /// Pushes of documents left today (UTC).
    pub imports: Option<u32>,
    /// Runs of documents left today (UTC).
    pub runs: Option<u32>,
    /// Amount that may still be spent this month (UTC); null without a cap.
    pub cap: Option<Millicredits>,
}

impl Endpoint for Read {
    const NAME: &'static str = "meta::read";
    const OPERATION_ID: &'static str = "readMeta";
    const EXAMPLE: &'static str = include_str!("read.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/meta";
    const SUMMARY: &'static str = "Read a project, its state and its limits";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Meta;
}
