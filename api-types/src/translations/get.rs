//! `GET /projects/{projectId}/translations` (§4), in four variants: a job, a key, a version's files, a list.

use serde::{Deserialize, Serialize};

use super::Encoding;
use crate::{
    Access, Content, Endpoint, ErrorCode, FormatId, FormatName, Key, LanguageCode, Method, Millicredits, NoBody,
    Plural, ProjectPath, Scope, State, Timestamp, TrackingToken, Translation, VersionId,
};

/// Reads translations. The parameter decides which kind of answer is given and which scopes may ask for it:
///
/// | parameter | reads | scopes |
/// |---|---|---|
/// | `trackingToken` | a translation job: [`Job`] | `read` or `translate` |
/// | `ref` | one key with all its translations: [`KeyDetail`] | `read` or `translate` |
/// | `version` | the files of a published version: [`VersionFiles`] | `read` |
/// | none of them | the keys: [`KeyList`] | `read` |
///
/// More than one of them is 400 `invalid_argument`.
#[derive(Debug)]
pub enum Get {}

/// Query parameters of [`Get`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(rename_all = "camelCase")]
pub struct GetQuery {
    /// Reads this job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub tracking_token: Option<TrackingToken>,
    /// With `trackingToken`: waits until the job has ended, at most this many seconds, 0 to 25.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 0, maximum = 25))]
    pub wait_seconds: Option<u32>,
    /// Reads this key, even if it is archived or only captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#ref: Option<String>,
    /// Reads the files of this version, with at most 32 MiB of contents; 400 if the selected files have more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub version: Option<VersionId>,
    /// With `version` or in the list: only this language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>))]
    pub language: Option<LanguageCode>,
    /// With `version`: only files of this format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<FormatId>,
    /// With `version`: `false` leaves out the files' contents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<bool>,
    /// In the list: only keys that have a translation in this state (in `language`, if given).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<State>,
    /// In the list: only keys that have a stale translation (`true`) or none (`false`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<bool>,
    /// In the list: only keys of this namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
    /// In the list: only keys whose ref starts with this text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// In the list: only keys with this text in their ref, their source or one of their translations (the one into
    /// `language`, if given), in any case: `straße` finds `STRASSE`, `ä` finds `Ä`. 1 to 500 characters, none of them a
    /// control character; an empty text is as good as none.
    ///
    /// A request looks through a bounded number of keys: a page may hold fewer keys than `limit`, or none, while
    /// `nextCursor` says that there is more to look through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(max_length = 500))]
    pub query: Option<String>,
    /// In the list: only keys that changed, or whose translations did, at this time or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(value_type = Option<String>, format = DateTime))]
    pub updated_since: Option<Timestamp>,
    /// In the list and for a job's translations: the size of a page, 1 to 500; 100 when left out. A page may hold less, or
    /// nothing, while `nextCursor` says that more follow: it ends at about 4 MiB of texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", param(minimum = 1, maximum = 500))]
    pub limit: Option<u32>,
    /// `nextCursor` of the previous page.
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
    /// The status of a job.
    JobStatus {
        /// No worker has started it yet.
        Queued = "queued",
        /// A worker is translating.
        Running = "running",
        /// All translations succeeded.
        Completed = "completed",
        /// It ended, and some translations failed; these were not charged.
        Partial = "partial",
        /// It ended, and all translations failed; nothing was charged.
        Failed = "failed",
        /// It was canceled.
        Canceled = "canceled",
        ..Unknown
    }
}

impl JobStatus {
    /// Returns true if the job has ended. [`Job::has_ended`] also knows it of a status of a later version.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Partial | Self::Failed | Self::Canceled)
    }
}

string_enum! {
    /// The content that a job translates.
    JobKind {
        /// Keys.
        Strings = "strings",
        /// Segments of a document.
        Content = "content",
        ..Unknown
    }
}

/// The progress of a job, in translations (a key in a language is one).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// All translations of the job.
    pub total: u64,
    /// Translations that succeeded or were no longer wanted when their turn came: the source had changed, the key was
    /// archived, or a file or a person had brought a translation. The latter were not charged.
    pub done: u64,
    /// Translations that failed.
    pub failed: u64,
    /// Translations among `done` that a check holds back.
    pub needs_review: u64,
}

/// A translation job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// Its token.
    pub tracking_token: TrackingToken,
    /// The content that it translates.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub kind: JobKind,
    /// Its status.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub status: JobStatus,
    /// Its progress.
    pub progress: Progress,
    /// The quoted price.
    pub estimated_credits: Millicredits,
    /// Amount charged so far, at most `estimatedCredits`.
    pub credits_charged: Millicredits,
    /// Balance of the workspace.
    pub balance: Millicredits,
    /// Time to wait before asking again, in milliseconds; 0 once it has ended.
    pub poll_after_ms: u64,
    /// The translations made so far, in pages.
    pub translations: Vec<JobTranslation>,
    /// Failed translations, at most 1,000.
    pub failures: Vec<Failure>,
    /// The cursor of the next page of `translations`; null at the end.
    pub next_cursor: Option<String>,
    /// The time at which it was queued.
    pub created_at: Timestamp,
    /// The time at which it ended; null before.
    pub finished_at: Option<Timestamp>,
}

impl Job {
    /// Returns true if it has ended, whatever this version knows of its status.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        self.status.is_final() || self.finished_at.is_some()
    }
}

/// A translation that a job made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobTranslation {
    /// The key; for a document, the hash of the segment.
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
    #[serde(deserialize_with = "crate::later_name::one")]
    pub state: State,
}

/// A translation that failed. It was not charged; the next run takes it up again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Failure {
    /// The key; for a document, the hash of the segment.
    pub r#ref: String,
    /// The language.
    pub language: LanguageCode,
    /// The reason, to branch on: `placeholders_lost`, `engine_refused`, `engine_unavailable`, `source_invalid`;
    /// `engine_quota_exhausted` where what was paid for at the engine is used up;
    /// `insufficient_credits` or `spend_cap_exceeded` if the job waited for more than 35 minutes and the workspace can
    /// no longer pay for it (§7 rule 2).
    pub error: String,
    /// The reason, for people.
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
    /// The note for translators.
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
    /// The file of the last sync that brought it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// True if it is archived: it is in no new version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// True if it is only captured: an app misses it, no one has decided about it yet, and it is in no list and no
    /// version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub captured: bool,
    /// One entry for each target language (in a list narrowed by `language`, for that one).
    pub translations: Vec<Translation>,
    /// The time of its last change.
    pub updated_at: Timestamp,
}

impl KeyDetail {
    /// The content in the base language; `None` if the answer held neither field.
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
    /// The cursor of the next page; null at the end.
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
    /// The time of its publish.
    pub published_at: Timestamp,
    /// Its languages, the base language first.
    pub languages: Vec<crate::publish::VersionLanguage>,
    /// Its files.
    pub files: Vec<VersionFile>,
}

/// A file of a published version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VersionFile {
    /// Its path, relative.
    pub path: String,
    /// Its language.
    pub language: LanguageCode,
    /// True if it holds the texts of all languages of the version; `language` is the base language then. Left out where it
    /// holds one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub holds_all_languages: bool,
    /// Its namespace; null when it holds several.
    pub namespace: Option<String>,
    /// Its format.
    #[cfg_attr(feature = "openapi", schema(value_type = crate::FormatId))]
    pub format: FormatName,
    /// The encoding of `content`.
    #[serde(deserialize_with = "crate::later_name::one")]
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
    const ERRORS: &'static [ErrorCode] =
        &[ErrorCode::FormatUnsupported, ErrorCode::NotFound, ErrorCode::KeyNotFound, ErrorCode::VersionNotFound];
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
