//! Rows whose time is over, and that nothing asks for any more. Deleted a batch at a time, so that nobody waits for long;
//! processes that sweep at once leave each other's batch alone.

use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    REQUESTS = sqlite "DELETE FROM requests WHERE (project_id, id) IN \
            (SELECT project_id, id FROM requests WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
        postgres "DELETE FROM requests WHERE (project_id, id) IN \
            (SELECT project_id, id FROM requests WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
    IDEMPOTENCY_KEYS = sqlite "DELETE FROM idempotency_keys WHERE (api_key_id, text) IN \
            (SELECT api_key_id, text FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2)",
        postgres "DELETE FROM idempotency_keys WHERE (api_key_id, text) IN \
            (SELECT api_key_id, text FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2 \
            FOR UPDATE SKIP LOCKED)";
    DAILY_COUNTS = sqlite "DELETE FROM daily_counts WHERE (project_id, day, budget) IN \
            (SELECT project_id, day, budget FROM daily_counts WHERE day < $1 ORDER BY day LIMIT $2)",
        postgres "DELETE FROM daily_counts WHERE (project_id, day, budget) IN \
            (SELECT project_id, day, budget FROM daily_counts WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED)";
    REQUEST_WINDOWS = sqlite "DELETE FROM request_windows WHERE budget IN \
            (SELECT budget FROM request_windows WHERE began < $1 ORDER BY began LIMIT $2)",
        postgres "DELETE FROM request_windows WHERE budget IN \
            (SELECT budget FROM request_windows WHERE began < $1 ORDER BY began LIMIT $2 FOR UPDATE SKIP LOCKED)";
    OPERATIONS = sqlite "DELETE FROM operations WHERE id IN \
            (SELECT id FROM operations WHERE status <> 'used' AND expires_at < $1 ORDER BY expires_at LIMIT $2)",
        postgres "DELETE FROM operations WHERE id IN \
            (SELECT id FROM operations WHERE status <> 'used' AND expires_at < $1 ORDER BY expires_at LIMIT $2 \
            FOR UPDATE SKIP LOCKED)";
}

/// Deletes receipts of requests from before a time, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn requests(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, REQUESTS, before.as_millis(), most)
}

/// Deletes idempotency keys from before a time, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn idempotency_keys(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, IDEMPOTENCY_KEYS, before.as_millis(), most)
}

/// Deletes counts of days before a day, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn daily_counts(tx: &mut Tx, before: i64, most: i64) -> Result<u64, StoreError> {
    execute!(tx, DAILY_COUNTS, before, most)
}

/// Deletes windows that began before a time, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn request_windows(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, REQUEST_WINDOWS, before.as_millis(), most)
}

/// Deletes operations that were never used and whose time went by before a time, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn operations(tx: &mut Tx, before: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, OPERATIONS, before.as_millis(), most)
}
