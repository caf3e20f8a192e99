//! `GET /projects/{projectId}/meta` (§4): what a project is and how it stands.

use serde::{Deserialize, Serialize};

use crate::languages::Language;
use crate::output_formats::OutputFormat;
use crate::{
    Access, Endpoint, FormatId, LanguageCode, Method, Millicredits, NoBody, NoQuery, ProjectId, ProjectPath, Scope,
    Timestamp, VersionId, WorkspaceId,
};

/// Reads the project's languages, output formats, counts, live version, balance and limits.
#[derive(Debug)]
pub enum Read {}

/// A project and how it stands.
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
    /// The language that its sources are written in.
    pub base_language: LanguageCode,
    /// Its languages, the base language first.
    pub languages: Vec<Language>,
    /// Its output formats, as stated by `POST /output-formats`.
    pub output_formats: Vec<OutputFormat>,
    /// The file formats that the server reads and writes.
    pub formats: Vec<FormatSupport>,
    /// Active keys.
    pub key_count: u64,
    /// Captured keys that wait to be accepted.
    pub captured_count: u64,
    /// Documents.
    pub document_count: u64,
    /// The published version; null before the first publish.
    pub live: Option<LiveVersion>,
    /// Keys and translations that changed since the last publish.
    pub unpublished_changes: u64,
    /// Balance of the workspace.
    pub balance: Millicredits,
    /// The engine that translates.
    pub engine: Engine,
    /// Limits that apply to this project.
    pub limits: Limits,
    /// What is left of the budgets that run out: of the present window, the day and the month.
    pub remaining: Remaining,
}

/// A file format that the server reads and writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormatSupport {
    /// The format.
    pub format: FormatId,
    /// Extensions of its files, without the dot.
    pub extensions: Vec<String>,
    /// How it spells plurals: `icu`, `suffix`.
    pub plurals: String,
    /// How it spells placeholders: `icu`, `double_brace`.
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
    /// When it was published.
    pub published_at: Timestamp,
}

/// The engine that translates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Engine {
    /// Its name.
    pub name: String,
}

/// Limits that apply to a project. `None`: there is no limit, or a server that this one is new to does not say it; a field
/// that a later version adds is no reason to refuse what an earlier server answers.
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
    /// Price of translating one Unicode scalar value of source text into one language.
    pub millicredits_per_character: Option<i64>,
    /// Keys that the plan holds.
    pub keys: Option<u64>,
    /// Languages that the plan holds, the base language included.
    pub languages: Option<u64>,
    /// Documents that the plan holds.
    pub documents: Option<u64>,
    /// Monthly spending cap of the workspace (UTC).
    pub spending_cap: Option<Millicredits>,
}

/// What is left of the budgets that run out; `None` as in [`Limits`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Remaining {
    /// Requests that the present window of 60 seconds still takes, as far as this server process knows.
    pub requests: Option<u32>,
    /// Publishes by API key that are left today (UTC).
    pub publishes: Option<u32>,
    /// Restores by API key that are left today (UTC).
    pub restores: Option<u32>,
    /// New captured keys that are left today (UTC).
    pub captures: Option<u32>,
    /// Pushes of documents that are left today (UTC).
    pub imports: Option<u32>,
    /// Runs of documents that are left today (UTC).
    pub runs: Option<u32>,
    /// What may still be spent this month (UTC); null without a cap.
    pub cap: Option<Millicredits>,
}

impl Endpoint for Read {
    const NAME: &'static str = "meta::read";
    const OPERATION_ID: &'static str = "readMeta";
    const EXAMPLE: &'static str = include_str!("read.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/meta";
    const SUMMARY: &'static str = "Read what a project is and how it stands";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::Scopes(&[Scope::Read]);

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Meta;
}
