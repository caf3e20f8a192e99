//! `GET /projects/{projectId}/requests/{requestId}` (§4): what became of a write.

use serde::{Deserialize, Serialize};

use crate::{Access, Endpoint, ErrorBody, Method, NoBody, NoQuery, ProjectId, RequestId, Timestamp};

/// Reads the receipt of a write, kept for 7 days. Any key of the project may.
///
/// `requestId` is the write's `x-correlation-id`: a client that chose its own can ask although no answer has reached it.
/// There is a receipt for every write whose key, scope, body and fields were in order; for another, and for one that never
/// arrived, 404.
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
    /// What became of a write.
    ReceiptStatus {
        /// It has not ended yet; ask again.
        Running = "running",
        /// It landed.
        Succeeded = "succeeded",
        /// It did not land: nothing was written.
        Failed = "failed",
    }
}

/// The receipt of a write. That it succeeded was committed together with what it wrote.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// The write: the `x-correlation-id` of its response.
    pub request_id: RequestId,
    /// The endpoint, by its `operationId` in the OpenAPI document, such as `publishVersion`.
    pub kind: String,
    /// What became of it.
    pub status: ReceiptStatus,
    /// HTTP status of the answer; null while it runs, and where none was given.
    pub http_status: Option<u16>,
    /// The body of the error that it failed with.
    pub error: Option<ErrorBody>,
    /// What it made or changed, where that is one thing.
    pub resource: Option<Resource>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ended; null while it runs.
    pub finished_at: Option<Timestamp>,
}

/// What a write made or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ReceiptResource))]
#[serde(rename_all = "camelCase")]
pub struct Resource {
    /// What it is: `translation` (a job), `version`, `webhook`, `delivery`, `operation`, `document`.
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
    const SUMMARY: &'static str = "Find out what became of a write";
    const SECTION: &'static str = "§4, §7";
    const SUCCESS: &'static [u16] = &[200];
    const ACCESS: Access = Access::AnyKey;

    type Path = RequestPath;
    type Query = NoQuery;
    type Body = NoBody;
    type Response = Receipt;
}
