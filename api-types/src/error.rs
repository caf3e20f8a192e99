//! Errors of the API (§7): every one is JSON with a code to branch on and a message for people.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Millicredits;

macro_rules! error_codes {
    ($($(#[$meta:meta])* $variant:ident = $text:literal / $status:literal,)+) => {
        /// The code of an error, to branch on (§7). The message beside it is for people and may change.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $($(#[$meta])* $variant,)+
            /// A code that this version does not know.
            Other(String),
        }

        impl ErrorCode {
            /// Every code that this version knows, in the order of its status.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The code's name on the wire.
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self { $(Self::$variant => $text,)+ Self::Other(text) => text }
            }

            /// The HTTP status that carries this code; `None` for a code that this version does not know.
            #[must_use]
            pub const fn status(&self) -> Option<u16> {
                match self { $(Self::$variant => Some($status),)+ Self::Other(_) => None }
            }
        }

        impl From<&str> for ErrorCode {
            fn from(text: &str) -> Self {
                match text { $($text => Self::$variant,)+ other => Self::Other(other.to_owned()) }
            }
        }
    };
}

error_codes! {
    /// Malformed request; nothing was written. The message names the field.
    InvalidArgument = "invalid_argument" / 400,
    /// `POST /sync`: the file's format could not be told from its name and content; say it in `file.format`.
    FormatAmbiguous = "format_ambiguous" / 400,
    /// The format, or the kind of the file of `POST /sync`, is none that the service knows; the message names those that it
    /// does.
    FormatUnsupported = "format_unsupported" / 400,
    /// `POST /sync`: the file cannot be read; `details` has its `line` and `column`, both counted from 1.
    FileUnparseable = "file_unparseable" / 400,
    /// A document cannot be read; `details` has the `line` and `column`, both counted from 1.
    DocumentUnparseable = "document_unparseable" / 400,
    /// Key missing, invalid, or of another project.
    Unauthorized = "unauthorized" / 401,
    /// The workspace's balance is too low; `availableCredits` is the amount that remains.
    InsufficientCredits = "insufficient_credits" / 402,
    /// The monthly cap refuses the work; `capRemaining` and `spendingCap` say why.
    SpendCapExceeded = "spend_cap_exceeded" / 402,
    /// The plan refuses the work; `details` names the feature and its limit.
    PlanLimit = "plan_limit" / 402,
    /// The key lacks the scope that the route needs.
    Forbidden = "forbidden" / 403,
    /// An agent's key needs an approved operation for this, or the named operation does not allow it; `details.reason`
    /// says why.
    AuthorizationRequired = "authorization_required" / 403,
    /// Project, route or resource does not exist.
    NotFound = "not_found" / 404,
    /// The project has no key with that ref.
    KeyNotFound = "key_not_found" / 404,
    /// The project has no version with that id.
    VersionNotFound = "version_not_found" / 404,
    /// The project, or the document in that language, has not been published yet.
    NotPublished = "not_published" / 404,
    /// The path exists, but not with this method; `Allow` lists its methods.
    MethodNotAllowed = "method_not_allowed" / 405,
    /// The project has no key yet.
    NothingToPublish = "nothing_to_publish" / 409,
    /// Another document of the project has that `externalId`; `details.docId` names it.
    ExternalIdExists = "external_id_exists" / 409,
    /// The document's source is no longer the version that `ifVersionId` names; `details.versionId` is the current one.
    VersionConflict = "version_conflict" / 409,
    /// That version is the live one already.
    VersionLive = "version_live" / 409,
    /// The project holds five webhooks already; delete one first.
    WebhookLimit = "webhook_limit" / 409,
    /// As many requests of the key as there may be wait for a person's decision already; wait for some of them to be decided.
    OperationLimit = "operation_limit" / 409,
    /// An attempt of this delivery is in flight; wait for its end.
    DeliveryInFlight = "delivery_in_flight" / 409,
    /// The `Idempotency-Key` was used with another request, or the answer of the first is no longer kept.
    IdempotencyConflict = "idempotency_conflict" / 409,
    /// The first request with that `Idempotency-Key` is still running; `Retry-After` says when to ask again.
    IdempotencyInProgress = "idempotency_in_progress" / 409,
    /// The body is over the route's cap.
    PayloadTooLarge = "payload_too_large" / 413,
    /// A request budget is used up; wait for `Retry-After` seconds.
    RateLimited = "rate_limited" / 429,
    /// The daily limit of new captured keys is reached, or the call would exceed it; it resets at 00:00 UTC.
    CaptureQuotaExceeded = "capture_quota_exceeded" / 429,
    /// The daily import limit of documents is reached; it resets at 00:00 UTC.
    ImportQuotaExceeded = "import_quota_exceeded" / 429,
    /// The daily run limit of documents is reached; it resets at 00:00 UTC.
    RunQuotaExceeded = "run_quota_exceeded" / 429,
    /// Unexpected failure; the write may or may not have landed.
    Internal = "internal" / 500,
    /// The datastore is unavailable; the message says what to run again.
    Unavailable = "unavailable" / 503,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ErrorCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ErrorCode {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from(String::deserialize(deserializer)?.as_str()))
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for ErrorCode {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some("The code of the error, to branch on (§7)."))
            .enum_values(Some(Self::ALL.iter().map(|code| code.as_str().to_owned())))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for ErrorCode {}

/// Body of every error (§7).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// The code, to branch on.
    pub error: ErrorCode,
    /// A message for people: what went wrong, where, and what to do.
    pub message: String,
    /// `insufficient_credits`: the balance less live holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_credits: Option<Millicredits>,
    /// `spend_cap_exceeded`: the amount that may still be spent this month (UTC).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap_remaining: Option<Millicredits>,
    /// `spend_cap_exceeded`: the monthly cap of the workspace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spending_cap: Option<Millicredits>,
    /// Facts of this error, by code: `plan_limit` `{feature, limit}`, `file_unparseable` `{line, column}`,
    /// `authorization_required` `{reason, operationId}`.
    ///
    /// Reasons are `missing` (no `operationId` was sent; `kind` and `target` say what to ask for), `not_found`,
    /// `other_key` (another key asked for it), `not_approved` (with its `status`), `expired`, `used` (with the
    /// `requestId` of the write), `kind`, `target` and `version` (with the allowed value), `languages` (those that it
    /// does not allow), `left_out` (the `languages` that are live, that it would keep live and that the publish leaves
    /// out) and `max_credits` (with the allowed amount, in whole credits, and the run's `estimatedCredits`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub details: Option<serde_json::Map<String, serde_json::Value>>,
}

impl ErrorBody {
    /// A body with a code and a message, without further fields.
    pub fn new(error: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            error,
            message: message.into(),
            available_credits: None,
            cap_remaining: None,
            spending_cap: None,
            details: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ERR-2, ERR-3: codes are lower snake case; an unknown one is kept, whatever the message says.
    #[test]
    fn codes_travel_by_name_and_unknown_ones_are_kept() {
        for code in ErrorCode::ALL {
            assert!(code.as_str().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{code}");
            assert_eq!(&ErrorCode::from(code.as_str()), code);
            assert!(code.status().is_some());
        }
        let body: ErrorBody = serde_json::from_str(r#"{"error":"brand_new","message":"?","more":1}"#).unwrap();
        assert_eq!(body.error, ErrorCode::Other("brand_new".into()));
        let body: ErrorBody = serde_json::from_str(r#"{"error":"forbidden","message":"unauthorized"}"#).unwrap();
        assert_eq!(body.error, ErrorCode::Forbidden);
    }
}
