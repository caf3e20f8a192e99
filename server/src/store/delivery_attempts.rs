//! Attempts of deliveries: what was sent, and what came back.

use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::DeliveryErrorKind;

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// An attempt that has ended.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct DeliveryAttempt {
        /// From 1 on, resends included
        pub number: i64,
        /// True if a person asked for it
        pub resend: bool,
        /// The time at which it began
        pub began_at: Timestamp,
        /// Its duration
        pub duration_ms: i64,
        /// HTTP status of the answer
        pub status_code: Option<i64>,
        /// Its failure, for people
        pub error: Option<String>,
        /// Its failure, to branch on
        pub error_kind: Option<DeliveryErrorKind>,
        /// The URL that it went to
        pub url: String,
        /// Lines of the request's head; `None` where nothing was sent
        pub headers: Option<String>,
        /// The first bytes of the answer's body; `None` where there was no answer
        pub answer: Option<Vec<u8>>,
        /// True if the answer had more
        pub answer_cut: bool,
    }
}

statements! {
    INSERT = values "INSERT INTO delivery_attempts (webhook_id, delivery_id, number, resend, began_at, duration_ms, status_code, \
        error, error_kind, url, headers, answer, answer_cut) VALUES"
        each "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" then "ON CONFLICT DO NOTHING";
    TRIM = "DELETE FROM delivery_attempts WHERE webhook_id = $1 AND delivery_id = $2 AND number <= $3";
    LIST = "SELECT number, resend, began_at, duration_ms, status_code, error, error_kind, url, headers, answer, answer_cut \
        FROM delivery_attempts WHERE webhook_id = $1 AND delivery_id = $2 ORDER BY number DESC LIMIT $3";
}

/// Writes attempts, each with its webhook and its delivery.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, attempts: &[(&WebhookId, &str, DeliveryAttempt)]) -> Result<(), StoreError> {
    execute_values!(tx, INSERT, [], attempts, |(webhook_id, delivery_id, attempt)| [
        webhook_id.as_str(),
        *delivery_id,
        attempt.number,
        attempt.resend,
        attempt.began_at.as_millis(),
        attempt.duration_ms,
        attempt.status_code,
        &attempt.error,
        attempt.error_kind.map(DeliveryErrorKind::as_str),
        &attempt.url,
        &attempt.headers,
        &attempt.answer,
        attempt.answer_cut,
    ])
    .map(drop)
}

/// Deletes the attempts of a delivery up to this number.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn trim(tx: &mut Tx, webhook_id: &WebhookId, delivery_id: &str, up_to: i64) -> Result<(), StoreError> {
    execute!(tx, TRIM, webhook_id.as_str(), delivery_id, up_to).map(drop)
}

/// The last attempts of a delivery, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    webhook_id: &WebhookId,
    delivery_id: &str,
    limit: i64,
) -> Result<Vec<DeliveryAttempt>, StoreError> {
    fetch_all!(tx, DeliveryAttempt, LIST, webhook_id.as_str(), delivery_id, limit)
}
