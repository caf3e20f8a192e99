//! `POST /projects/{projectId}/content/{docId}/run` (§4): translate a document.

use serde::{Deserialize, Serialize};

use super::DocumentPath;
use crate::operations::OperationKind;
use crate::translations;
use crate::{
    Access, BodyKind, DailyBudget, DryRun, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, OperationId, Scope,
    UnknownFields,
};

/// Body cap of [`Run`], in bytes: 8 KB (§8). The cap itself passes.
pub const RUN_BODY_CAP: usize = 8 * 1024;

/// Translates a document's present source, segment by segment. Segments that are already translated in any document of
/// the project, and those in translation memory, are free of charge.
///
/// The answer is that of [`Translate`](translations::Translate), its items being the distinct segments: `ref` is the
/// segment's hash, `new` one that lacks a translation in a target language, `changed` one that is translated anew
/// (`retranslate`), `unchanged` any other. Poll `GET /translations?trackingToken=`, where `kind` is `content`.
///
/// 202 when work was queued, 200 when there was none and for a dry run. It counts as one of the day's runs unless it is dry.
#[derive(Debug)]
pub enum Run {}

/// Body of [`Run`]; an empty body is fine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunBody {
    /// `true` reports what would happen and what it would cost, and writes nothing.
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
    /// The target languages, at least one; all of the project's when left out.
    #[cfg_attr(feature = "openapi", schema(min_items = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// `true` translates every segment again, even where a translation is up to date, and without translation memory.
    /// Segments of an unfinished job stay with that job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retranslate: Option<bool>,
    /// The approved operation that an agent's key acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<OperationId>,
}

impl Endpoint for Run {
    const NAME: &'static str = "content::run";
    const OPERATION_ID: &'static str = "runDocument";
    const EXAMPLE: &'static str = include_str!("run.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/content/{docId}/run";
    const SUMMARY: &'static str = "Translate a document";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200, 202];
    const ERRORS: &'static [ErrorCode] = &[
        ErrorCode::NotFound,
        ErrorCode::InsufficientCredits,
        ErrorCode::SpendCapExceeded,
        ErrorCode::AuthorizationRequired,
        ErrorCode::RunQuotaExceeded,
    ];
    const ACCESS: Access = Access::Scopes(&[Scope::Translate]);
    const BODY: BodyKind = BodyKind::Optional;
    const BODY_CAP: usize = RUN_BODY_CAP;
    const DRY_RUN: DryRun = DryRun::Body;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const DAILY_BUDGET: Option<DailyBudget> = Some(DailyBudget::Runs);
    const APPROVAL: Option<OperationKind> = Some(OperationKind::Translation);

    type Path = DocumentPath;
    type Query = NoQuery;
    type Body = RunBody;
    type Response = translations::Run;
}
