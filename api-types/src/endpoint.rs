//! The declaration of an endpoint, which server, client and OpenAPI document share.

use serde::Deserialize;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::operations::OperationKind;
use crate::{DailyBudget, ErrorCode, ProjectId, Scope};

/// Default body cap of a route, in bytes (§8). A body of exactly this size passes.
pub const DEFAULT_BODY_CAP: usize = 1024 * 1024;

/// HTTP method of an endpoint. `GET` routes answer `HEAD` too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Reads.
    Get,
    /// Writes.
    Post,
    /// Replaces.
    Put,
    /// Changes some fields.
    Patch,
    /// Deletes.
    Delete,
}

impl Method {
    /// The method's name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// The callers that an endpoint admits (§4, §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anyone: keys are not checked (§5.8).
    Public,
    /// Any key of the project, whatever its scopes.
    AnyKey,
    /// A key of the project that holds at least one of these scopes. [`Endpoint::accepted_scopes`] may narrow them once
    /// the request has been read.
    Scopes(&'static [Scope]),
}

/// The JSON body that an endpoint takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// None; a body that is sent is ignored.
    None,
    /// A JSON object; an empty body stands for `{}`.
    Optional,
    /// A JSON object.
    Required,
}

/// The place of the preview flag `dryRun` in a request (§4, Credits and previews).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DryRun {
    /// As the query parameter `?dryRun=true`.
    Query,
    /// As a boolean field of the body.
    Body,
    /// Not accepted: the flag, in any place and spelling, is 400 `invalid_argument`.
    Refused,
    /// The flag is ignored.
    Unchecked,
}

/// The treatment of body fields and query parameters that an endpoint does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownFields {
    /// 400 `invalid_argument`, naming the field and the nearest known one.
    Refused,
    /// Ignored.
    Ignored,
}

/// The way to repeat a request that was refused with 503, or whose outcome is unknown (§7 rule 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rerun {
    /// The request itself, once its outcome is known or it is harmless to repeat.
    Request,
    /// The work is run again from the source files: the endpoint classifies its whole input again, so that finished work
    /// costs nothing, and a stored request may be out of date.
    FromSources,
}

/// A type that has a schema when the feature `openapi` is on.
#[cfg(feature = "openapi")]
pub trait Schema: utoipa::ToSchema {}
#[cfg(feature = "openapi")]
impl<T: utoipa::ToSchema> Schema for T {}
/// A type that has a schema when the feature `openapi` is on.
#[cfg(not(feature = "openapi"))]
pub trait Schema {}
#[cfg(not(feature = "openapi"))]
impl<T> Schema for T {}

/// A type whose fields are described as parameters when the feature `openapi` is on.
#[cfg(feature = "openapi")]
pub trait Parameters: utoipa::IntoParams {}
#[cfg(feature = "openapi")]
impl<T: utoipa::IntoParams> Parameters for T {}
/// A type whose fields are described as parameters when the feature `openapi` is on.
#[cfg(not(feature = "openapi"))]
pub trait Parameters {}
#[cfg(not(feature = "openapi"))]
impl<T> Parameters for T {}

/// One endpoint of the API, declared once.
///
/// Paths are relative to the base URL, which ends in the version segment `v1` (§4). `{name}` stands for the field `name`
/// of [`Endpoint::Path`] (camelCase); `{*path}` for one that may contain slashes.
pub trait Endpoint: Send + Sync + 'static {
    /// `resource::verb`: the name of the endpoint in this workspace.
    const NAME: &'static str;
    /// A camelCase verb and noun: the name of the endpoint for callers. It is the `operationId` in `openapi.json` and the
    /// `kind` of a receipt.
    const OPERATION_ID: &'static str;
    /// One exchange as JSON: `{"request", "status", "response"}`, for the OpenAPI document. Parts that an endpoint
    /// lacks are left out.
    const EXAMPLE: &'static str = "{}";
    /// HTTP method.
    const METHOD: Method;
    /// Path template.
    const PATH: &'static str;
    /// One line for people.
    const SUMMARY: &'static str;
    /// Section of the specification (`docs/spec.md`), such as `§4`.
    const SECTION: &'static str;
    /// Status codes of success, the usual one first.
    const SUCCESS: &'static [u16];
    /// Error codes of this endpoint beyond those that every route of its [`Access`] may answer.
    const ERRORS: &'static [ErrorCode] = &[];
    /// The callers that it admits.
    const ACCESS: Access;
    /// The body that it takes.
    const BODY: BodyKind = BodyKind::None;
    /// Largest body, in bytes; one byte more is 413 `payload_too_large` (§8).
    const BODY_CAP: usize = DEFAULT_BODY_CAP;
    /// True if the work grows with the body. A server may then work on few large ones at a time.
    const LARGE_WORK: bool = false;
    /// The place of the preview flag.
    const DRY_RUN: DryRun = DryRun::Unchecked;
    /// The treatment of unknown fields.
    const UNKNOWN_FIELDS: UnknownFields = UnknownFields::Ignored;
    /// Media type of a successful response. A `Response` is sent as JSON only if this is `application/json`.
    const MEDIA_TYPE: &'static str = "application/json";

    /// True if pages of other origins may call it although it takes a key. Public endpoints are open to them in any
    /// case.
    const CROSS_ORIGIN: bool = false;

    /// True if doing it twice has the effect of doing it once, so that it may be resent while its outcome is unknown. Every
    /// `GET` is; a write that declares it says why.
    const IDEMPOTENT: bool = matches!(Self::METHOD, Method::Get);
    /// The way to repeat it after 503 (§7 rule 1).
    const RERUN: Rerun = Rerun::Request;
    /// The daily budget that it takes from, besides the budget of requests (§8).
    const DAILY_BUDGET: Option<DailyBudget> = None;
    /// True if the answer holds a secret that no later answer shows: a lost answer loses the secret.
    const MAKES_SECRET: bool = false;
    /// The kind of operation that a person has to approve before an agent's key may call it (§5.7).
    const APPROVAL: Option<OperationKind> = None;

    /// Values of the path template.
    type Path: Serialize + DeserializeOwned + Send + Sync + Parameters;
    /// Query parameters.
    type Query: Serialize + DeserializeOwned + Send + Sync + Parameters;
    /// Body of the request.
    type Body: Serialize + DeserializeOwned + Send + Sync + Schema;
    /// Body of a successful response.
    type Response: Serialize + DeserializeOwned + Send + Sync + Schema;

    /// The scopes of which the key must hold one, now that the request has been read. Only two routes depend on the
    /// request.
    fn accepted_scopes(_query: &Self::Query, _body: &Self::Body) -> &'static [Scope] {
        match Self::ACCESS {
            Access::Scopes(scopes) => scopes,
            Access::Public | Access::AnyKey => &[],
        }
    }
}

/// No query parameters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct NoQuery {}

/// No body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NoBody {}

/// Path of a route that belongs to a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Path))]
#[serde(rename_all = "camelCase")]
pub struct ProjectPath {
    /// The project, by its id.
    pub project_id: ProjectId,
}
