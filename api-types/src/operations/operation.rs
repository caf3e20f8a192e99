//! An operation.

use serde::{Deserialize, Serialize};

use crate::{DocumentId, LanguageCode, OperationId, RequestId, Timestamp, VersionId, WholeCredits};

string_enum! {
    /// What an operation allows.
    OperationKind {
        /// A run: `POST /translate`, `POST /sync`, `POST /content/{docId}/run`.
        Translation = "translation",
        /// `POST /publish`.
        Publish = "publish",
        /// `POST /versions/{versionId}/restore`.
        Rollback = "rollback",
    }
}

string_enum! {
    /// What the work is done on.
    OperationTarget {
        /// Keys and their translations.
        Strings = "strings",
        /// Documents.
        Content = "content",
    }
}

string_enum! {
    /// How an operation stands.
    OperationStatus {
        /// No one has decided yet.
        Pending = "pending",
        /// A person has allowed it, and it has not been used.
        Approved = "approved",
        /// A person has refused it.
        Denied = "denied",
        /// Its time went by, undecided or unused.
        Expired = "expired",
        /// The work was done; `requestId` names the request.
        Used = "used",
        /// The key that asked was revoked.
        Canceled = "canceled",
    }
}

/// A person's approval of one piece of work, asked for or given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Its id, which the real call carries as `operationId`.
    pub operation_id: OperationId,
    /// What it allows.
    pub kind: OperationKind,
    /// What the work is done on.
    pub target: OperationTarget,
    /// How it stands.
    pub status: OperationStatus,
    /// Most that the run may be quoted, in **whole** credits (§2); null where nothing is spent.
    #[serde(rename = "max_credits")]
    pub max_credits: Option<WholeCredits>,
    /// Most keys that the run may archive; left out, it may archive none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_archived_keys: Option<u32>,
    /// The version to be restored; null but for a rollback.
    pub version_id: Option<VersionId>,
    /// The document that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<DocumentId>,
    /// The languages that it is limited to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<LanguageCode>>,
    /// What the agent says about it.
    pub note: Option<String>,
    /// Who asked.
    pub requested_by: RequestedBy,
    /// Where a person decides.
    pub approval_url: String,
    /// Who decided.
    pub decided_by: Option<String>,
    /// When.
    pub decided_at: Option<Timestamp>,
    /// Why, in that person's words.
    pub reason: Option<String>,
    /// The request that used it.
    pub request_id: Option<RequestId>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it ends: 24 hours after it was asked for; once approved, one hour after the decision.
    pub expires_at: Timestamp,
}

/// Who asked for an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct RequestedBy {
    /// The label of the API key.
    pub label: String,
}
