//! `POST /projects/{projectId}/versions/{versionId}/restore` (§4): make an earlier version live again.

use serde::{Deserialize, Serialize};

use crate::operations::OperationKind;
use crate::publish::PublishAnswer;
use crate::{
    Access, BodyKind, DailyBudget, DryRun, Endpoint, ErrorCode, Method, NoQuery, OperationId, ProjectId, Scope,
    UnknownFields, VersionId,
};

/// Makes an earlier version live again. Keys and translations stay as they are; the version keeps its bundle URLs.
///
/// `ver_…` is a version of the keys. `cvr_…` is a published version of a document, which is rolled back:
/// `content.published` is sent for that document. A source version of a document was never published and is 404.
#[derive(Debug)]
pub enum Restore {}

/// Path of a route that belongs to a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct VersionPath {
    /// The project, by its id.
    pub project_id: ProjectId,
    /// The version, by its id.
    pub version_id: VersionId,
}

/// Body of [`Restore`]; an empty body is fine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RestoreBody {
    /// The approved operation that an agent's key acts on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<OperationId>,
}

impl Endpoint for Restore {
    const NAME: &'static str = "versions::restore";
    const OPERATION_ID: &'static str = "restoreVersion";
    const EXAMPLE: &'static str = include_str!("restore.example.json");
    const METHOD: Method = Method::Post;
    const PATH: &'static str = "/projects/{projectId}/versions/{versionId}/restore";
    const SUMMARY: &'static str = "Make an earlier version live again";
    const SECTION: &'static str = "§4";
    const SUCCESS: &'static [u16] = &[200];
    const ERRORS: &'static [ErrorCode] =
        &[ErrorCode::AuthorizationRequired, ErrorCode::VersionNotFound, ErrorCode::VersionLive];
    const ACCESS: Access = Access::Scopes(&[Scope::Publish]);
    const BODY: BodyKind = BodyKind::Optional;
    const DRY_RUN: DryRun = DryRun::Refused;
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Refused;
    const DAILY_BUDGET: Option<DailyBudget> = Some(DailyBudget::Restores);
    const APPROVAL: Option<OperationKind> = Some(OperationKind::Rollback);

    type Path = VersionPath;
    type Query = NoQuery;
    type Body = RestoreBody;
    type Response = PublishAnswer;
}
