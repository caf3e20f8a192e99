//! `PUT /projects/{projectId}/content/{docId}` (§4): push a document's new text.

use serde::{Deserialize, Serialize};

use super::{CONTENT_BODY_CAP, Document, DocumentPath};
use crate::{
    Access, BodyKind, DailyBudget, DryRun, Endpoint, ErrorCode, Method, NoQuery, Scope, UnknownFields, VersionId,
};

/// Replaces a document's text. An unchanged text makes no new source version. The published version stays as it is
/// until the next publish.
///
/// It counts as one of the day's imports, together with those of [`Create`](super::Create).
#[derive(Debug)]
pub enum Update {}

/// Body of [`Update`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct DocumentUpdate {
    /// Its text.
    pub body: String,
    /// Another title, one line of at most 500 characters; when left out, the title stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 500))]
    pub title: Option<String>,
    /// Another name of your own; when left out, it stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, max_length = 512))]
    pub external_id: Option<String>,
    /// The `sourceVersionId` that you have; if the document has another one by now, the call is 409 `version_conflict`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_version_id: Option<VersionId>,
}

impl Endpoint for Update {
    const NAME: &'static str = "content::update";
    const OPERATION_ID: &'static str = "updateDocument";
    const EXAMPLE: &'static str = include_str!("update.example.json");
    const METHOD: Method = Method::Put;
    const PATH: &'static str = "/projects/{projectId}/content/{docId}";
    const SUMMARY: &'static str = "Push a document's new text";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] = &[
        ErrorCode::DocumentUnparseable,
        ErrorCode::NotFound,
        ErrorCode::ExternalIdExists,
        ErrorCode::VersionConflict,
        ErrorCode::ImportQuotaExceeded,
    ];
    const ACCESS: Access = Access::Scopes(&[Scope::Write]);
    const BODY: BodyKind = BodyKind::Required;
    const BODY_CAP: usize = CONTENT_BODY_CAP;
    const LARGE_WORK: bool = true;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const DAILY_BUDGET: Option<DailyBudget> = Some(DailyBudget::Imports);

    type Path = DocumentPath;
    type Query = NoQuery;
    type Body = DocumentUpdate;
    type Response = Document;
}
