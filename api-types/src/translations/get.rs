//! `GET /projects/{projectId}/translations` (§4), in four variants: a job, a key, a version's files, a list.

use serde::{Deserialize, Serialize};

use super::Encoding;
use crate::{
    Access, Content, Endpoint, ErrorCode, FormatId, Key, LanguageCode, Method, Millicredits, NoBody, Plural,
    ProjectPath, Scope, State, Timestamp, TrackingToken, Translation, VersionId,
};

/// Reads translations. Which parameter is there decides what is read, and which scopes may:
///
/// | parameter | reads | scopes |
/// |---|---|---|
/// | `trackingToken` | a translation job: [`Job`] | `read` or `translate` |
/// | `ref` | one key with all its translations: [`KeyDetail`] | `read` or `translate` |
/// | `version` | the files of a published version: [`VersionFiles`] | `read` |
/// | none of them | the keys: [`KeyList`] | `read` |
///
/// Two of them are 400 `invalid_argument`.
#[derive(Debug)]
pub enum Get {}

/// Query parameters of [`Get`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase")]
pub struct GetQuery {
    /// Poll this job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub tracking_token: Option<TrackingToken>,
    /// With `trackingToken`: answer when the job has ended, or after so many seconds, 0 to 25.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 0, maximum = 25))]
    pub wait_seconds: Option<u32>,
    /// Read this key, also when it is archived or was only captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    /// Read the files of this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub version: Option<VersionId>,
    /// With `version` or in the list: this language alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub language: Option<LanguageCode>,
    /// With `version`: files of this format alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FormatId>,
    /// With `version`: `false` leaves the files' contents out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<bool>,
    /// In the list: keys that have a translation in this state (in `language`, where that is given).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// In the list: keys that have a stale translation (`true`) or none (`false`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<bool>,
    /// In the list: keys of this namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// In the list: keys whose ref starts so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// In the list: keys that changed, or whose translations did, at this time or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, format = DateTime))]
    pub updated_since: Option<Timestamp>,
    /// In the list and of a job's translations: how many, 1 to 500; 100 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// `nextCursor` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

/// Answer of [`Get`]: one of four shapes, told apart by what they require.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum TranslationsAnswer {
    /// For `trackingToken`.
    Job(Box<Job>),
    /// For `version`.
    Version(Box<VersionFiles>),
    /// For `ref`.
    Key(Box<KeyDetail>),
    /// For none of them.
    List(Box<KeyList>),
}

string_enum! {
    /// What has become of a job.
    JobStatus {
        /// No worker has begun.
        Queued = "queued",
        /// A worker is at it.
        Running = "running",
        /// All of it was translated.
        Completed = "completed",
        /// It ended, and some of it failed; what failed was not charged.
        Partial = "partial",
        /// It ended, and all of it failed; nothing was charged.
        Failed = "failed",
        /// It was canceled.
        Canceled = "canceled",
    }
}

impl JobStatus {
    /// Whether nothing more will come.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Queued | Self::Running)
    }
}

string_enum! {
    /// What a job translates.
    JobKind {
        /// Keys.
        Strings = "strings",
        /// Segments of a document.
        Content = "content",
    }
}

/// How far a job has come, in translations (a key in a language is one).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// All of them.
    pub total: u64,
    /// Those that ended well, or that were no longer wanted when their turn came: the source had changed, the key was
    /// archived, a file or a person had brought a translation. Those were not charged.
    pub done: u64,
    /// Those that failed.
    pub failed: u64,
    /// Those among `done` that a check holds back.
    pub needs_review: u64,
}

/// A translation job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Its token.
    pub tracking_token: TrackingToken,
    /// What it translates.
    pub kind: JobKind,
    /// What has become of it.
    pub status: JobStatus,
    /// How far it has come.
    pub progress: Progress,
    /// Price that was quoted.
    pub estimated_credits: Millicredits,
    /// What has been charged so far, at most `estimatedCredits`.
    pub credits_charged: Millicredits,
    /// Balance of the workspace.
    pub balance: Millicredits,
    /// When to ask again, in milliseconds; 0 once it has ended.
    pub poll_after_ms: u64,
    /// What it has translated so far, in pages.
    pub translations: Vec<JobTranslation>,
    /// What failed and why, at most 1,000.
    pub failures: Vec<Failure>,
    /// Where the next page of `translations` starts; null at the end.
    pub next_cursor: Option<String>,
    /// When it was queued.
    pub created_at: Timestamp,
    /// When it ended; null before.
    pub finished_at: Option<Timestamp>,
}

/// A translation that a job made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobTranslation {
    /// The key; of a document, the hash of the segment.
    pub r#ref: String,
    /// The language.
    pub language: LanguageCode,
    /// The text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The plural forms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plural: Option<Plural>,
    /// Its state.
    pub state: State,
}

/// A translation that failed. It was not charged; the next run takes it up again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Failure {
    /// The key; of a document, the hash of the segment.
    pub r#ref: String,
    /// The language.
    pub language: LanguageCode,
    /// What went wrong, to branch on: `placeholders_lost`, `engine_refused`, `engine_unavailable`, `source_invalid`;
    /// `insufficient_credits` or `spend_cap_exceeded` where the job waited for more than 35 minutes and the workspace no
    /// longer covers it (§7 rule 2).
    pub error: String,
    /// What went wrong, for people.
    pub message: String,
}

/// One key with all its translations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeyDetail {
    /// Its name.
    pub r#ref: String,
    /// Its text in the base language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its plural forms in the base language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plural: Option<Plural>,
    /// What a translator should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Longest translation allowed, in Unicode scalar values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// The part of the project that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// Labels for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The file that it was synced from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Whether it was archived: it is in no new version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// Whether it was only captured: an app misses it, it waits for a decision, and it is in no list and no version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
    /// One entry for each target language (in a list narrowed by `language`, for that one).
    pub translations: Vec<Translation>,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl KeyDetail {
    /// What it says in the base language; `None` when the answer held neither field.
    #[must_use]
    pub fn content(&self) -> Option<Content> {
        Key { text: self.text.clone(), plural: self.plural.clone(), ..Key::default() }.content().ok()
    }
}

/// A page of active keys, in the order of their refs by bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct KeyList {
    /// The keys.
    pub keys: Vec<KeyDetail>,
    /// Where the next page starts; null at the end.
    pub next_cursor: Option<String>,
}

/// The files of a published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VersionFiles {
    /// The version.
    pub version_id: VersionId,
    /// Its label.
    pub label: String,
    /// Keys in it.
    pub key_count: u64,
    /// When it was published.
    pub published_at: Timestamp,
    /// Its languages, the base language first.
    pub languages: Vec<crate::publish::VersionLanguage>,
    /// Its files.
    pub files: Vec<VersionFile>,
}

/// A file of a published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VersionFile {
    /// Its path, relative.
    pub path: String,
    /// Its language.
    pub language: LanguageCode,
    /// Its namespace; null when it holds several.
    pub namespace: Option<String>,
    /// Its format.
    pub format: FormatId,
    /// How `content` travels.
    pub encoding: Encoding,
    /// Its bytes; left out with `content=false`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, in lowercase hex.
    pub sha256: String,
}

impl Endpoint for Get {
    const NAME: &'static str = "translations::get";
    const OPERATION_ID: &'static str = "readTranslations";
    const EXAMPLE: &'static str = include_str!("get.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/translations";
    const SUMMARY: &'static str = "Read a translation job, a key, a version's files or the keys";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::NotFound, ErrorCode::KeyNotFound, ErrorCode::VersionNotFound];
    const ACCESS: Access = Access::Scopes(&[Scope::Read, Scope::Translate]);

    type Path = ProjectPath;
    type Query = GetQuery;
    type Body = NoBody;
    type Response = TranslationsAnswer;

    fn accepted_scopes(query: &GetQuery, _body: &NoBody) -> &'static [Scope] {
        let own_work = query.tracking_token.is_some() || query.r#ref.is_some();
        if own_work && query.version.is_none() { &[Scope::Read, Scope::Translate] } else { &[Scope::Read] }
    }
}
