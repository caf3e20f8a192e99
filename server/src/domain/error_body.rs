//! The body of an error for the caller: its code, its message and its extra fields (§7). A dry run shows it too.

use l10n_api_types::{ErrorBody, ErrorCode};
use serde_json::{Map, Value, json};

use super::ServiceError;

impl From<&ServiceError> for ErrorBody {
    fn from(error: &ServiceError) -> Self {
        let mut body = Self::new(error.code(), error.to_string());
        match error {
            ServiceError::InsufficientCredits { available, .. } => body.available_credits = Some(*available),
            ServiceError::SpendCapExceeded { remaining, cap, .. } => {
                body.cap_remaining = Some(*remaining);
                body.spending_cap = Some(*cap);
            }
            ServiceError::PlanLimit { feature, limit, .. } => {
                body.details = Some(details([("feature", json!(feature)), ("limit", json!(limit))]));
            }
            ServiceError::FileUnparseable { line, column, .. } => {
                body.details = Some(details([("line", json!(line)), ("column", json!(column))]));
            }
            ServiceError::DocumentUnparseable { line, column, .. } => {
                body.details = Some(details([("line", json!(line)), ("column", json!(column))]));
            }
            ServiceError::DailyLimitReached { limit, resets_at, .. } => {
                body.details = Some(details([("limit", json!(limit)), ("resetsAt", json!(resets_at))]));
            }
            ServiceError::ExternalIdExists(document) => body.details = Some(details([("docId", json!(document))])),
            ServiceError::VersionConflict(version) => body.details = Some(details([("versionId", json!(version))])),
            ServiceError::AuthorizationRequired(refusal) => body.details = Some(refusal.details()),
            _ => {}
        }
        body
    }
}

fn details<const N: usize>(facts: [(&str, Value); N]) -> Map<String, Value> {
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

impl ServiceError {
    /// The code to branch on.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidArgument(_) | Self::HeadTooLarge(_) => ErrorCode::InvalidArgument,
            Self::FormatAmbiguous(_) => ErrorCode::FormatAmbiguous,
            Self::FormatUnsupported(_) => ErrorCode::FormatUnsupported,
            Self::FileUnparseable { .. } => ErrorCode::FileUnparseable,
            Self::DocumentUnparseable { .. } => ErrorCode::DocumentUnparseable,
            Self::Unauthorized(_) => ErrorCode::Unauthorized,
            Self::InsufficientCredits { .. } => ErrorCode::InsufficientCredits,
            Self::SpendCapExceeded { .. } => ErrorCode::SpendCapExceeded,
            Self::PlanLimit { .. } => ErrorCode::PlanLimit,
            Self::Forbidden(_) => ErrorCode::Forbidden,
            Self::AuthorizationRequired(_) => ErrorCode::AuthorizationRequired,
            Self::NotFound(_) => ErrorCode::NotFound,
            Self::KeyNotFound(_) => ErrorCode::KeyNotFound,
            Self::VersionNotFound(_) => ErrorCode::VersionNotFound,
            Self::NotPublished | Self::DocumentNotPublished(_) => ErrorCode::NotPublished,
            Self::MethodNotAllowed { .. } => ErrorCode::MethodNotAllowed,
            Self::NothingToPublish => ErrorCode::NothingToPublish,
            Self::ExternalIdExists(_) => ErrorCode::ExternalIdExists,
            Self::VersionConflict(_) => ErrorCode::VersionConflict,
            Self::VersionLive(_) => ErrorCode::VersionLive,
            Self::WebhookLimit(_) => ErrorCode::WebhookLimit,
            Self::OperationLimit(_) => ErrorCode::OperationLimit,
            Self::DeliveryInFlight(_) => ErrorCode::DeliveryInFlight,
            Self::IdempotencyConflict(_) => ErrorCode::IdempotencyConflict,
            Self::IdempotencyInProgress { .. } => ErrorCode::IdempotencyInProgress,
            Self::PayloadTooLarge { .. } => ErrorCode::PayloadTooLarge,
            Self::RateLimited(_) => ErrorCode::RateLimited,
            Self::DailyLimitReached { budget, .. } => budget.code(),
            Self::Unavailable { .. } | Self::HoldNotReleased { .. } | Self::Late | Self::Busy(_) => {
                ErrorCode::Unavailable
            }
            Self::Internal(_) => ErrorCode::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use l10n_api_types::Millicredits;

    use super::*;

    /// ERR-402-1, ERR-402-2, ERR-402-3
    #[test]
    fn errors_of_money_carry_their_numbers() {
        let (needed, cap) = (Millicredits(3_000), Millicredits(1_000));
        let body = |error: ServiceError| serde_json::to_value(ErrorBody::from(&error)).unwrap();
        let refused = body(ServiceError::InsufficientCredits { available: Millicredits(7), needed });
        assert_eq!(refused["availableCredits"], 7);
        let refused = body(ServiceError::SpendCapExceeded { remaining: Millicredits(5), cap, needed });
        assert_eq!((&refused["capRemaining"], &refused["spendingCap"]), (&json!(5), &json!(1_000)));
        let refused = body(ServiceError::PlanLimit { feature: "keys", limit: 100, wanted: 101 });
        assert_eq!(refused["details"], json!({"feature": "keys", "limit": 100}));
    }

    /// ERR-500-1
    #[test]
    fn a_fault_of_the_server_shows_nothing_of_its_inside() {
        let body = ErrorBody::from(&ServiceError::internal("SELECT secret FROM api_keys"));
        assert_eq!(body.error, ErrorCode::Internal);
        assert!(!body.message.contains("SELECT"), "{}", body.message);
    }
}
