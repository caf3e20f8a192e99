//! `POST /projects/{projectId}/publish` (§4): freeze a version of the keys, or of documents, and make it live.

use serde::{Deserialize, Serialize};

use super::{PublishAnswer, PublishTarget};
use crate::operations::OperationKind;
use crate::{
    Access, BodyKind, DailyBudget, DocumentId, DryRun, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, OperationId,
    ProjectPath, Scope, UnknownFields,
};

/// Freezes the keys and their publishable translations as a version and makes it live.
///
/// Translations in state `needs_review` are held back like missing ones. Every publish makes a version, even if nothing
/// changed; a project without keys is 409 `nothing_to_publish`. The body may be empty. A version has at most 20,000 files;
/// beyond it, 400 names the limit.
///
/// With `target: "content"` it publishes documents, each independently:
///
/// | `action` | |
/// |---|---|
/// | `published` | a new version of it is live: its source and every translation |
/// | `held` | a check holds a text back, a language is only partly translated, or a rendered text exceeds 256 KB (`docsTooLarge` counts these, too); the live version stays live |
/// | `unchanged` | the live version is up to date |
/// | `skipped` | no segment of it is translated yet |
///
/// A language into which no segment of a document is translated yet is left out of its version, unless it is live: then
/// the document is held. A publish limited to some `languages` leaves the live texts of the others as they are.
/// `versionId` of a document is its live version, or its source if it has none. `content.published` is sent if at least
/// one document was published.
#[derive(Debug)]
pub enum Create {}

/// Body of [`Create`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Publish {
    /// The target; `strings` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<PublishTarget>,
    /// A name for people, at most 200 characters; `v<N>` when left out. Versions of documents have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub label: Option<String>,
    /// The languages to include besides the base language (for documents: besides each document's own); all of the
    /// project's when left out. Strings of other languages are then no longer live; documents keep theirs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// The documents to publish; all of the project's when left out. Only with `target: "content"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_ids: Option<Vec<DocumentId>>,
    /// The approved operation that an agent's key acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<OperationId>,
}

impl Endpoint for Create {
    const NAME: &'static str = "publish::create";
    const OPERATION_ID: &'static str = "publishVersion";
    const EXAMPLE: &'static str = include_str!("create.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/publish";
    const SUMMARY: &'static str = "Publish a version of the keys, or documents";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[201];
    const ERRORS: &'static [ErrorCode] =
        &[ErrorCode::NotFound, ErrorCode::AuthorizationRequired, ErrorCode::NothingToPublish];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);
    const BODY: BodyKind = BodyKind::Optional;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const DAILY_BUDGET: Option<DailyBudget> = Some(DailyBudget::Publishes);
    const APPROVAL: Option<OperationKind> = Some(OperationKind::Publish);

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = Publish;
    type Response = PublishAnswer;
}
