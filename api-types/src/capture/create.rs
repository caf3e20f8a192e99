//! `POST /projects/{projectId}/capture` (§4): report keys that an app misses.

use serde::{Deserialize, Serialize};

use crate::{
    Access, BodyKind, DailyBudget, DryRun, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, ProjectPath, RequestId,
    Scope, UnknownFields,
};

/// Reports keys that an app misses.
///
/// The capture scope may be used inside a shipped app, so a report does no harm: it changes no text, is in no version,
/// costs nothing and does not count against the plan. A new key waits until a sync or a translate brings it, or until a
/// person accepts it. A project takes 5,000 new keys a day (§8); the day begins at 00:00 UTC. A call that would exceed
/// the limit is 429 `capture_quota_exceeded`, and nothing of it is written.
///
/// Pages of any origin may call it (CORS): the preflight needs no key, and refusals can be read, too. No other route
/// that needs a key is open to them.
#[derive(Debug)]
pub enum Create {}

/// Body of [`Create`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Capture))]
pub struct CreateBody {
    /// The keys, 1 to 500. A ref that appears more than once counts once; its first entry with a text is used.
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    pub keys: Vec<CapturedKey>,
}

/// A key that an app misses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapturedKey {
    /// The app's own name for it: 1 to 512 bytes of UTF-8, no control characters, case-sensitive.
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub r#ref: String,
    /// The text that the app shows instead of the key, at most 10,000 bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 10000))]
    pub text: Option<String>,
    /// The language of `text`; the project's base language when left out. A text in another language is no source text:
    /// it is kept as a note for the person who decides about the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageCode>,
    /// The place where the app missed the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<SeenAt>,
}

/// The place in an app where a key was missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeenAt {
    /// The page, at most 2,048 bytes without control characters. User information (before an `@` in the host), query
    /// and fragment are not kept, because they may hold secrets.
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

/// The outcome for the keys of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Captured {
    /// The request that reported them.
    pub request_id: RequestId,
    /// Numbers of refs by outcome.
    pub counts: CapturedCounts,
    /// The refs that are new, in the order of the call.
    pub captured: Vec<String>,
    /// New keys that the project still takes today (UTC) after this call.
    pub remaining_today: u32,
}

/// Refs of a call by outcome; each counts in exactly one field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapturedCounts {
    /// Refs that are new to the project.
    pub new: u64,
    /// Refs that the project has already, archived and captured ones included.
    pub known: u64,
    /// Refs that the project has with another text in the base language; the project's text stays.
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
    const LARGE_WORK: bool = true;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const CROSS_ORIGIN: bool = true;
    // Keys that are known are counted separately.
    const IDEMPOTENT: bool = true;
    const DAILY_BUDGET: Option<DailyBudget> = Some(DailyBudget::Captures);

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = CreateBody;
    type Response = Captured;
}
