//! `POST /projects/{projectId}/capture` (§4): report keys that an app misses.

use serde::{Deserialize, Serialize};

use crate::{
    Access, BodyKind, DryRun, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, ProjectPath, RequestId, Scope,
    UnknownFields,
};

/// Reports keys that an app misses.
///
/// The key of this scope may sit in the app, so nothing that is reported here does harm: it changes no text, is in no
/// version, costs nothing and does not count against the plan. What is new waits until a sync or a translate brings it, or
/// until a person accepts it. A project takes 5,000 new keys a day (§8), which begins at 00:00 UTC; a call that would go
/// beyond them is 429 `capture_quota_exceeded`, and nothing of it is written.
///
/// Pages of any origin may call it (CORS): the preflight needs no key, and refusals can be read, too. No other route that
/// takes a key is open to them.
#[derive(Debug)]
pub enum Create {}

/// Body of [`Create`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Capture))]
pub struct CreateBody {
    /// The keys, 1 to 500. A ref that is there more than once counts once; the first that has a text speaks for it.
    #[cfg_attr(feature = "openapi", schema(min_items = 1, max_items = 500))]
    pub keys: Vec<CapturedKey>,
}

/// A key that an app misses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapturedKey {
    /// The app's own name for it: 1 to 512 bytes of UTF-8, no control characters, case-sensitive.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub r#ref: String,
    /// What the app shows in its place, at most 10,000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 10000))]
    pub text: Option<String>,
    /// The language of `text`; the project's base language when left out. A text in another language is no source text: it
    /// is kept as a note for whoever decides about the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageCode>,
    /// Where the app missed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<SeenAt>,
}

/// Where an app missed a key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeenAt {
    /// The page, at most 2,048 bytes without control characters. What stands before an `@` in its host, after `?` and
    /// after `#` is not kept: it may be a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 2048))]
    pub url: Option<String>,
    /// The file of the app's code, at most 512 bytes without control characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 512))]
    pub file: Option<String>,
    /// The line in `file`, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    pub line: Option<u32>,
}

/// What became of the keys of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Captured {
    /// The request that reported them.
    pub request_id: RequestId,
    /// How many they were.
    pub counts: CapturedCounts,
    /// The refs that are new, in the order of the call.
    pub captured: Vec<String>,
    /// New keys that the project takes today (UTC) after this call.
    pub remaining_today: u32,
}

/// Refs of a call; each is one of the three.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapturedCounts {
    /// The project had not heard of them.
    pub new: u64,
    /// The project has them, archived and captured ones included.
    pub known: u64,
    /// The project has them with another text in the base language, which stays.
    pub conflicting: u64,
}

impl Endpoint for Create {
    const NAME: &'static str = "capture::create";
    const OPERATION_ID: &'static str = "captureKeys";
    const EXAMPLE: &'static str = include_str!("create.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/capture";
    const SUMMARY: &'static str = "Report keys that an app misses";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::CaptureQuotaExceeded];
    const ACCESS: Access = Access::Scopes(&[Scope::Capture]);
    const BODY: BodyKind = BodyKind::Required;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const CROSS_ORIGIN: bool = true;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = CreateBody;
    type Response = Captured;
}
