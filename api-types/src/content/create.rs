//! `POST /projects/{projectId}/content` (§4): push a new document.

use serde::{Deserialize, Serialize};

use super::{DocumentFormat, PushAnswer, PushBody};
use crate::{
    Access, BodyKind, DailyBudget, DryRun, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, ProjectPath, Scope,
    UnknownFields,
};

/// Body cap of the routes that take a document, in bytes: 256 KB (§8). The cap itself passes.
pub const CONTENT_BODY_CAP: usize = 256 * 1024;

/// Takes in a new document, or up to 100 at once as `documents`. Nothing is translated and nothing is paid for until a
/// document is run.
///
/// Each document that is written counts as one of the day's imports, together with those of [`Update`](super::Update). Of a
/// call with `documents`, those beyond the limit fail with `import_quota_exceeded`, and the others are written: the answer
/// is 200 with a result for each.
#[derive(Debug)]
pub enum Create {}

/// A document to push.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewDocument {
    /// A title for people, one line of at most 500 characters; when left out, the document's own title is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 500))]
    pub title: Option<String>,
    /// Your own name for it, such as the path of its file: 1 to 512 bytes without control characters, unique in the
    /// project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub external_id: Option<String>,
    /// The document's format.
    pub format: DocumentFormat,
    /// The language that it is written in, one of the project's; the base language when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<LanguageCode>,
    /// Its text.
    pub body: String,
}

impl NewDocument {
    /// A document of this format and text, in the base language and without a name.
    #[must_use]
    pub fn new(format: DocumentFormat, body: impl Into<String>) -> Self {
        Self { title: None, external_id: None, format, language: None, body: body.into() }
    }
}

impl Endpoint for Create {
    const NAME: &'static str = "content::create";
    const OPERATION_ID: &'static str = "createDocument";
    const EXAMPLE: &'static str = include_str!("create.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/content";
    const SUMMARY: &'static str = "Push a new document";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[201, 200];
    const ERRORS: &'static [ErrorCode] = &[
        ErrorCode::DocumentUnparseable,
        ErrorCode::PlanLimit,
        ErrorCode::ExternalIdExists,
        ErrorCode::ImportQuotaExceeded,
    ];
    const ACCESS: Access = Access::Scopes(&[Scope::Write]);
    const BODY: BodyKind = BodyKind::Required;
    const BODY_CAP: usize = CONTENT_BODY_CAP;
    const LARGE_WORK: bool = true;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const DAILY_BUDGET: Option<DailyBudget> = Some(DailyBudget::Imports);

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = PushBody;
    type Response = PushAnswer;
}
