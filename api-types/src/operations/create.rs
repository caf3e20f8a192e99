//! `POST /projects/{projectId}/operations` (§4): ask a person.

use serde::{Deserialize, Serialize};

use super::{Operation, OperationKind, OperationTarget};
use crate::{
    Access, BodyKind, DocumentId, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, ProjectPath, Scope, VersionId,
    WholeCredits,
};

/// Asks a person to approve a run, a publish or a rollback.
///
/// The operation counts for the key that asked, and for one call. A field that the kind does not take is 400.
///
/// For a translation it takes scope `translate`, for a publish or a rollback `publish` (§4). Any key may ask, not an
/// agent's alone.
#[derive(Debug)]
pub enum Create {}

/// Body of [`Create`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = NewOperation))]
#[serde(rename_all = "camelCase")]
pub struct CreateBody {
    /// The kind of work.
    pub kind: OperationKind,
    /// The target of the work. When left out: `content` if `docId` is there or `versionId` is a document's (`cvr_…`),
    /// else `strings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<OperationTarget>,
    /// Upper bound of the run's quote, in **whole** credits (§2). Required for a translation, refused for the others.
    #[serde(rename = "max_credits", default, skip_serializing_if = "Option::is_none")]
    pub max_credits: Option<WholeCredits>,
    /// Most keys that a sync with `onRemoved: archive` may archive. Only for a translation of strings; when left out,
    /// the run may archive none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_archived_keys: Option<u32>,
    /// The version to restore. Required for a rollback, refused for the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version_id: Option<VersionId>,
    /// Limits a translation or publish to these languages of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// Limits a translation or publish of documents to this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<DocumentId>,
    /// A note for the person who decides, at most 1,000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 1000))]
    pub note: Option<String>,
}

impl CreateBody {
    /// A request for this kind of work, without limits or note.
    #[must_use]
    pub const fn new(kind: OperationKind) -> Self {
        Self {
            kind,
            target: None,
            max_credits: None,
            max_archived_keys: None,
            version_id: None,
            languages: None,
            doc_id: None,
            note: None,
        }
    }
}

impl Endpoint for Create {
    const NAME: &'static str = "operations::create";
    const OPERATION_ID: &'static str = "createOperation";
    const EXAMPLE: &'static str = include_str!("create.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/operations";
    const SUMMARY: &'static str = "Ask a person to approve a run, a publish or a rollback";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[201];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::VersionNotFound, ErrorCode::OperationLimit];
    const ACCESS: Access = Access::Scopes(&[Scope::Translate, Scope::Publish]);
    const BODY: BodyKind = BodyKind::Required;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = CreateBody;
    type Response = Operation;

    fn accepted_scopes(_query: &NoQuery, body: &CreateBody) -> &'static [Scope] {
        match body.kind {
            OperationKind::Translation => &[Scope::Translate],
            OperationKind::Publish | OperationKind::Rollback | OperationKind::Unknown(_) => &[Scope::Publish],
        }
    }
}
