//! `GET /projects/{projectId}/requests/{requestId}` (§4): the outcome of a write.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, ErrorBody, Method, NoBody, NoQuery, ProjectId, RequestId, Timestamp};

/// Reads the receipt of a write, kept for 7 days. Any key of the project may.
///
/// `requestId` is the write's `x-correlation-id`: a client that chose its own can ask even if no answer reached it.
/// Every write whose key, scope, body and fields were valid has a receipt. Any other write, and one that never arrived,
/// is 404.
#[derive(Debug)]
pub enum Read {}

/// Path of [`Read`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct RequestPath {
    /// The project, by its id.
    pub project_id: ProjectId,
    /// The write, by its `x-correlation-id`.
    pub request_id: RequestId,
}

string_enum! {
    /// The outcome of a write.
    ReceiptStatus {
        /// It has not ended yet; ask again.
        Running = "running",
        /// It landed.
        Succeeded = "succeeded",
        /// It did not land: nothing was written.
        Failed = "failed",
        ..Unknown
    }
}

/// The receipt of a write. Its success was committed together with the data that it wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The write: the `x-correlation-id` of its response.
    pub request_id: RequestId,
    /// The endpoint, by its `operationId` in the OpenAPI document, such as `publishVersion`.
    pub kind: String,
    /// The outcome.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub status: ReceiptStatus,
    /// HTTP status of the answer; null while it runs, and if no answer was given.
    pub http_status: Option<u16>,
    /// The error body, if it failed.
    pub error: Option<ErrorBody>,
    /// The resource that it made or changed, if there is exactly one.
    pub resource: Option<Resource>,
    /// The time at which it began.
    pub created_at: Timestamp,
    /// The time at which it ended; null while it runs.
    pub finished_at: Option<Timestamp>,
}

impl Receipt {
    /// Returns true if the write has ended, whatever this version knows of its status.
    #[must_use]
    pub const fn has_ended(&self) -> bool {
        matches!(self.status, ReceiptStatus::Succeeded | ReceiptStatus::Failed) || self.finished_at.is_some()
    }
}

/// A resource that a write made or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReceiptResource))]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// The kind of resource: `translation` (a job), `version`, `webhook`, `delivery`, `operation`, `document`.
    pub kind: String,
    /// Its id.
    pub id: String,
}

impl Endpoint for Read {
    const NAME: &'static str = "requests::read";
    const OPERATION_ID: &'static str = "readRequest";
    const EXAMPLE: &'static str = include_str!("read.example.json");
    const METHOD: Method = Method::Get;
    const PATH: &'static str = "/projects/{projectId}/requests/{requestId}";
    const SUMMARY: &'static str = "Read the outcome of a write";
    const SECTION: &'static str = "§4, §7";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::AnyKey;

    type Path = RequestPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Receipt;
}
