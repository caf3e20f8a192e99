//! `POST /projects/{projectId}/publish` (§4): freeze a version of the keys and make it live.

use serde::{Deserialize, Serialize};

use super::{PublishTarget, Published};
use crate::{
    Access, BodyKind, DryRun, Endpoint, ErrorCode, LanguageCode, Method, NoQuery, OperationId, ProjectPath, Scope,
    UnknownFields,
};

/// Freezes the keys and their publishable translations as a version and makes it live.
///
/// Translations in state `needs_review` are held back, as missing ones are. Every publish makes a version, even when
/// nothing changed; no key at all is 409 `nothing_to_publish`. An empty body is fine.
#[derive(Debug)]
pub enum Create {}

/// Body of [`Create`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Publish {
    /// What to publish; `strings` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<PublishTarget>,
    /// A name for people, at most 200 characters; `v<N>` when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub label: Option<String>,
    /// The languages to include beside the base language; all of the project's when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// The approved operation that an agent's key acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<OperationId>,
}

impl Endpoint for Create {
    const NAME: &'static str = "publish::create";
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/publish";
    const SUMMARY: &'static str = "Publish a version of the keys";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[201];
    const ERRORS: &'static [ErrorCode] = &[ErrorCode::AuthorizationRequired, ErrorCode::NothingToPublish];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);
    const BODY: BodyKind = BodyKind::Optional;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;

    type Path = ProjectPath;
    type Query = NoQuery;
    type Body = Publish;
    type Response = Published;
}
