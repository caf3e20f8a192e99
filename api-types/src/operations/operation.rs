//! An operation.

use serde::{Deserialize, Serialize};

use crate::{DocumentId, LanguageCode, OperationId, RequestId, Timestamp, VersionId, WholeCredits};

string_enum! {
    /// The kind of work that an operation allows.
    OperationKind {
        /// A run: `POST /translate`, `POST /sync`, `POST /content/{docId}/run`.
        Translation = "translation",
        /// `POST /publish`.
        Publish = "publish",
        /// `POST /versions/{versionId}/restore`.
        Rollback = "rollback",
        ..Unknown
    }
}

string_enum! {
    /// The target of the work.
    OperationTarget {
        /// Keys and their translations.
        Strings = "strings",
        /// Documents.
        Content = "content",
        ..Unknown
    }
}

string_enum! {
    /// The status of an operation.
    OperationStatus {
        /// No one has decided yet.
        Pending = "pending",
        /// A person has approved it, and it has not been used.
        Approved = "approved",
        /// A person has denied it.
        Denied = "denied",
        /// It ended undecided or unused.
        Expired = "expired",
        /// The work was done; `requestId` names the request.
        Used = "used",
        /// The key that asked was revoked or has expired.
        Canceled = "canceled",
        ..Unknown
    }
}

/// A person's approval of one piece of work, asked for or given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Its id, which the real call carries as `operationId`.
    pub operation_id: OperationId,
    /// The kind of work that it allows.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub kind: OperationKind,
    /// The target of the work.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub target: OperationTarget,
    /// Its status.
    #[serde(deserialize_with = "crate::later_name::one")]
    pub status: OperationStatus,
    /// Upper bound of the run's quote, in **whole** credits (§2); null if nothing is spent.
    #[serde(rename = "max_credits")]
    pub max_credits: Option<WholeCredits>,
    /// Most keys that the run may archive; none when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_archived_keys: Option<u32>,
    /// The version to restore; null except for a rollback.
    pub version_id: Option<VersionId>,
    /// The document that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<DocumentId>,
    /// The languages that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// The agent's note.
    pub note: Option<String>,
    /// The key that asked.
    pub requested_by: RequestedBy,
    /// URL of the page on which a person decides.
    pub approval_url: String,
    /// The person who decided.
    pub decided_by: Option<String>,
    /// The time of the decision.
    pub decided_at: Option<Timestamp>,
    /// The reason of the decision, in that person's words.
    pub reason: Option<String>,
    /// The request that used it.
    pub request_id: Option<RequestId>,
    /// The time at which it was requested.
    pub created_at: Timestamp,
    /// The time at which it ends: 24 hours after the request; once approved, one hour after the decision.
    pub expires_at: Timestamp,
}

/// The key that asked for an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestedBy {
    /// The label of the API key.
    pub label: String,
}
