//! Exit statuses: one number for each kind of outcome, so that scripts need not parse messages.

use std::process::ExitCode;

use l10n_client::api::ErrorCode;
use l10n_client::api::operations::OperationStatus;
use l10n_client::api::requests::Receipt;

/// Exit status. A failure never ends with 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Success.
    Success,
    /// An unexpected failure.
    Unexpected,
    /// Wrong usage or configuration: fix the call, `l10n.toml` or the named file.
    Usage,
    /// Code and server differ: `l10n check`, and a sync that would pay for translations that local files have.
    OutOfDate,
    /// The key is missing, wrong, or lacks a scope.
    Auth,
    /// Credits, spending cap or plan are not sufficient.
    Credits,
    /// The request budget is used up.
    RateLimited,
    /// The server's state does not allow it.
    Conflict,
    /// The server does not answer or is temporarily unavailable.
    Unavailable,
    /// A person must approve it first.
    ApprovalNeeded,
    /// A part succeeded and a part failed.
    Partial,
    /// A person has denied it.
    Denied,
    /// The approval has ended: it has expired, was used, or the requesting key was revoked.
    ApprovalOver,
    /// The outcome of a write is unknown: check it before you repeat the write.
    Open,
    /// The checks found errors in translations (`l10n lint`).
    Findings,
    /// Ended by a signal, such as Ctrl-C.
    Interrupted,
}

impl ExitStatus {
    /// Every status with its meaning, for the help text.
    pub const ALL: &'static [(Self, &'static str)] = &[
        (Self::Success, "ok"),
        (Self::Unexpected, "unexpected failure"),
        (Self::Usage, "wrong usage or configuration"),
        (Self::OutOfDate, "code and server differ"),
        (Self::Auth, "authentication or scope"),
        (Self::Credits, "credits, spending cap or plan"),
        (Self::RateLimited, "rate limit"),
        (Self::Conflict, "conflict with the server's state"),
        (Self::Unavailable, "server unavailable"),
        (Self::ApprovalNeeded, "a person must approve it"),
        (Self::Partial, "partial failure"),
        (Self::Denied, "a person has denied it"),
        (Self::ApprovalOver, "the approval has ended: expired, used or canceled"),
        (Self::Open, "outcome unknown"),
        (Self::Findings, "checks found errors"),
        (Self::Interrupted, "interrupted"),
    ];

    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Unexpected => 1,
            Self::Usage => 2,
            Self::OutOfDate => 3,
            Self::Auth => 4,
            Self::Credits => 5,
            Self::RateLimited => 6,
            Self::Conflict => 7,
            Self::Unavailable => 8,
            Self::ApprovalNeeded => 9,
            Self::Partial => 10,
            Self::Denied => 11,
            Self::ApprovalOver => 12,
            Self::Open => 13,
            Self::Findings => 14,
            Self::Interrupted => 130,
        }
    }

    /// The status for an error code of the API; for an unknown code, by its HTTP status.
    #[must_use]
    pub fn of_api_error(code: &ErrorCode, http_status: u16) -> Self {
        match code {
            ErrorCode::AuthorizationRequired => Self::ApprovalNeeded,
            // "Not published yet" is a state to change, not a wrong name.
            ErrorCode::NotPublished => Self::Conflict,
            _ => match http_status {
                400 | 404 | 413 => Self::Usage,
                401 | 403 => Self::Auth,
                402 => Self::Credits,
                409 => Self::Conflict,
                429 => Self::RateLimited,
                502..=504 => Self::Unavailable,
                _ => Self::Unexpected,
            },
        }
    }

    /// The status for a failed write.
    #[must_use]
    pub fn of_failed(receipt: &Receipt) -> Self {
        match (&receipt.error, receipt.http_status) {
            (Some(error), Some(status)) => Self::of_api_error(&error.error, status),
            // The server went down during the request.
            _ => Self::Unavailable,
        }
    }

    /// The status for a decided or ended operation.
    #[must_use]
    pub const fn of_operation(status: OperationStatus) -> Self {
        match status {
            OperationStatus::Approved => Self::Success,
            OperationStatus::Pending => Self::ApprovalNeeded,
            OperationStatus::Denied => Self::Denied,
            OperationStatus::Expired | OperationStatus::Used | OperationStatus::Canceled => Self::ApprovalOver,
            // Of a newer server.
            _ => Self::Open,
        }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status.code())
    }
}

#[cfg(test)]
mod tests {
    use l10n_client::api::operations::Operation;

    use super::*;

    #[test]
    fn every_error_code_of_the_api_has_a_status_that_is_not_success() {
        for code in ErrorCode::ALL {
            let status = ExitStatus::of_api_error(code, code.status().unwrap());
            assert_ne!(status, ExitStatus::Success, "{code}");
        }
        assert_eq!(ExitStatus::of_api_error(&ErrorCode::Unauthorized, 401), ExitStatus::Auth);
        assert_eq!(ExitStatus::of_api_error(&ErrorCode::AuthorizationRequired, 403), ExitStatus::ApprovalNeeded);
        assert_eq!(ExitStatus::of_api_error(&ErrorCode::SpendCapExceeded, 402), ExitStatus::Credits);
        assert_eq!(ExitStatus::of_api_error(&ErrorCode::VersionLive, 409), ExitStatus::Conflict);
        assert_eq!(ExitStatus::of_api_error(&ErrorCode::Unavailable, 503), ExitStatus::Unavailable);
        assert_eq!(ExitStatus::of_api_error(&ErrorCode::Internal, 500), ExitStatus::Unexpected);
        assert_eq!(ExitStatus::of_api_error(&ErrorCode::from("from_the_future"), 409), ExitStatus::Conflict);
    }

    /// ENV-12: an operation that a newer server ended in a way of its own is no success, and no reason to ask again.
    #[test]
    fn a_status_of_a_later_version_leaves_it_open() {
        let at = "2027-01-15T08:00:00.000Z";
        let operation: Operation = serde_json::from_value(serde_json::json!({
            "operationId": "op_1", "kind": "publish", "target": "strings", "status": "delegated", "createdAt": at,
            "expiresAt": at, "requestedBy": {"label": "agent"}, "approvalUrl": "https://l10n.example.com/",
        }))
        .unwrap();
        assert_eq!(ExitStatus::of_operation(operation.status), ExitStatus::Open);
        assert_eq!(operation.status.as_str(), "delegated");
    }

    #[test]
    fn numbers_are_distinct_and_those_of_the_documentation() {
        let numbers: Vec<u8> = ExitStatus::ALL.iter().map(|(status, _)| status.code()).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 130]);
    }
}
