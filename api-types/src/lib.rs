//! Every route, body, error, event, id and unit of money of the localization service's public HTTP API.
//!
//! An endpoint is `resource::verb` and is declared once, in `<resource>/<verb>.rs`, by implementing [`Endpoint`] for a
//! type that names it. That declaration mounts the server's handler, drives the client's call and writes the operation
//! into `openapi.json`, so the three cannot drift apart. [`for_each_endpoint!`] lists them all.
//!
//! Sections (§) refer to the specification, `docs/spec.md` of the repository. It states the rules; the documentation of the
//! types in this crate has the fields.
//!
//! - JSON is camelCase; the specification's own exceptions (`requires_operation_approval`, error codes) stay.
//! - Amounts of money in responses are [`Millicredits`]; times are [`Timestamp`]; ids are opaque strings with a prefix.
//! - Responses may gain fields: readers ignore unknown ones. They may name file formats that a reader does not know
//!   ([`FormatName`]), codes of errors ([`ErrorCode::Other`]), and values of every set that answers have: its variant
//!   `Unknown` keeps the name ([`LaterName`]). Requests are read strictly.
//! - Before 1.0 a minor version may add fields to any struct here. Code that makes a request by `Default` or `new` and struct
//!   update (`NewDocument { title, ..NewDocument::new(format, body) }`), and takes answers apart with `..`, goes on compiling.

#[macro_use]
mod macros;

pub mod capture;
pub mod content;
pub mod credential;
mod daily_budget;
pub mod deliveries;
pub mod delivery;
mod endpoint;
mod endpoint_info;
mod error;
pub mod events;
mod format_name;
pub mod glossary;
pub mod health;
mod ids;
mod key;
pub mod languages;
mod later_name;
pub mod memory;
pub mod meta;
mod money;
#[cfg(feature = "openapi")]
pub mod openapi;
pub mod operations;
pub mod output_formats;
pub mod pending_code_changes;
mod plural;
pub mod projects;
pub mod publish;
pub mod requests;
mod scope;
mod time;
pub mod translations;
mod unknown_name;
pub mod unpublished_changes;
pub mod versions;
pub mod webhooks;

pub use daily_budget::DailyBudget;
pub use endpoint::{
    Access, BodyKind, DEFAULT_BODY_CAP, DryRun, Endpoint, Method, NoBody, NoQuery, Parameters, ProjectPath, Rerun,
    Schema, UnknownFields,
};
pub use endpoint_info::{Addressed, EndpointInfo};
pub use error::{ErrorBody, ErrorCode};
pub use format_name::FormatName;
pub use ids::{
    ApiKeyId, ChangeId, DeliveryId, DocumentId, EventId, GlossaryTermId, OperationId, OutputFormatId, ProjectId,
    PublishId, RequestId, TrackingToken, VersionId, WebhookId, WorkspaceId,
};
pub use key::{
    Check, Content, FormatId, Issue, Key, KeyContentError, LanguageCode, Origin, Severity, State, Translation,
};
pub use later_name::LaterName;
pub use money::{Millicredits, WholeCredits};
pub use plural::{Plural, PluralCategory, PluralForms, PluralKey};
pub use scope::{KeyKind, Scope};
pub use time::{ParseTimestampError, Timestamp};
pub use unknown_name::UnknownName;

/// Header that every response carries and every request may carry: the id of this exchange (§4).
///
/// A caller's own value is kept if it is 1 to 128 characters of `A-Za-z0-9._-`; otherwise the server makes a new one.
pub const CORRELATION_ID_HEADER: &str = "x-correlation-id";

/// Header of a write that names it for the next 24 hours: if the same request comes again with the same key, it is not
/// done again but gets the first answer. 1 to 255 visible ASCII characters, best a random UUID; it counts for one API
/// key.
///
/// The same key with another method, path, query or body is 409 `idempotency_conflict`. While the first request runs,
/// it is 409 `idempotency_in_progress`, whose `Retry-After` says when to ask again. Answers that the rules gave are
/// replayed, errors included. After 401, 403, 429 and any 5xx, which did nothing, the key is free again. It is also
/// free within 60 seconds after the server process that carried the request out has ended.
///
/// An answer over 64 KiB is replayed without its list: `items` is empty and `itemsTruncated` true, or `documents` and
/// `truncated`. An answer that is still longer is not kept. Beyond a bound for each project (16 MiB unless the operator
/// sets another) the oldest answers are forgotten before their 24 hours are over. Such a key stays in use: it is 409
/// `idempotency_conflict`, and the message names the receipt of the first request.
pub const IDEMPOTENCY_KEY_HEADER: &str = "idempotency-key";

/// The beginning of every API key.
pub const API_KEY_PREFIX: &str = "eik_";

/// Longest delay of an answer that a caller may ask for, in seconds (`waitSeconds`).
pub const LONGEST_WAIT_SECONDS: u32 = 25;

/// Header of a replayed answer: `true` (see [`IDEMPOTENCY_KEY_HEADER`]).
pub const IDEMPOTENCY_REPLAYED_HEADER: &str = "idempotency-replayed";

/// The examples of README.md, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
