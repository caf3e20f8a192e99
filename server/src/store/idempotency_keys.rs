//! `Idempotency-Key`s of an API key, each with the write that it was used for and, once there is one, its answer.

use l10n_api_types::{ProjectId, RequestId};

use super::{StoreError, Tx};
use crate::clock::Timestamp;

row! {
    /// A key in use.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct KeyUse {
        /// The write that it was used for
        pub request_id: RequestId,
        /// SHA-256 of what was asked for
        pub fingerprint: [u8; 32],
        /// HTTP status of the answer; none while there is no answer
        pub http_status: Option<i64>,
        /// The answer's body, sealed; none, too, where it is not kept
        pub reply: Option<Vec<u8>>,
        /// Since when
        pub created_at: Timestamp,
    }
}

row! {
    /// An answer that is kept, for sealing it anew.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct StoredAnswer {
        /// The API key
        pub api_key_id: String,
        /// The text of the `Idempotency-Key`
        pub text: String,
        /// The write, whose id is part of the seal
        pub request_id: RequestId,
        /// The sealed body
        pub reply: Vec<u8>,
    }
}

statements! {
    INSERT = "INSERT INTO idempotency_keys (api_key_id, text, project_id, request_id, fingerprint, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (api_key_id, text) DO NOTHING";
    FIND = "SELECT request_id, fingerprint, http_status, reply, created_at FROM idempotency_keys \
        WHERE api_key_id = $1 AND text = $2";
    TAKE_OVER = "UPDATE idempotency_keys SET request_id = $3, fingerprint = $4, created_at = $5, http_status = NULL, reply = NULL \
        WHERE api_key_id = $1 AND text = $2 AND request_id = $6";
    ANSWER = "UPDATE idempotency_keys SET http_status = $4, reply = $5 \
        WHERE api_key_id = $1 AND text = $2 AND request_id = $3 AND http_status IS NULL";
    FORGET = "DELETE FROM idempotency_keys WHERE api_key_id = $1 AND text = $2 AND request_id = $3 AND http_status IS NULL";
    KEPT = "SELECT api_key_id, text, request_id, reply FROM idempotency_keys \
        WHERE reply IS NOT NULL AND (api_key_id, text) > ($1, $2) ORDER BY api_key_id, text LIMIT $3";
    FORGET_REPLIES = sqlite "UPDATE idempotency_keys SET reply = NULL WHERE (api_key_id, text) IN \
            (SELECT api_key_id, text FROM (SELECT api_key_id, text, created_at, \
            SUM(LENGTH(reply)) OVER (ORDER BY created_at DESC, api_key_id, text) AS total \
            FROM idempotency_keys WHERE project_id = $1 AND reply IS NOT NULL) kept \
            WHERE total > $2 ORDER BY created_at LIMIT $3)",
        // Locked in one order, and what another process is forgetting is left to it.
        postgres "UPDATE idempotency_keys SET reply = NULL WHERE (api_key_id, text) IN \
            (SELECT api_key_id, text FROM idempotency_keys WHERE (api_key_id, text) IN \
            (SELECT api_key_id, text FROM (SELECT api_key_id, text, created_at, \
            SUM(LENGTH(reply)) OVER (ORDER BY created_at DESC, api_key_id, text) AS total \
            FROM idempotency_keys WHERE project_id = $1 AND reply IS NOT NULL) kept \
            WHERE total > $2 ORDER BY created_at LIMIT $3) ORDER BY api_key_id, text FOR UPDATE SKIP LOCKED)";
    SET_REPLY = "UPDATE idempotency_keys SET reply = $3 WHERE api_key_id = $1 AND text = $2 AND request_id = $4";
}

/// The name of a key in use.
#[derive(Debug, Clone, Copy)]
pub struct IdempotencyKeyName<'a> {
    /// The API key that it counts for
    pub api_key_id: &'a str,
    /// The client's text
    pub text: &'a str,
}

/// The use of a key.
#[derive(Debug, Clone, Copy)]
pub struct NewKeyUse<'a> {
    /// The project of the API key
    pub project_id: &'a ProjectId,
    /// The write
    pub request_id: &'a RequestId,
    /// SHA-256 of what is asked for
    pub fingerprint: &'a [u8; 32],
    /// Now
    pub created_at: Timestamp,
}

/// Uses a key; returns whether it was free. Another transaction that uses the same one is waited for.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, name: IdempotencyKeyName<'_>, used: NewKeyUse<'_>) -> Result<bool, StoreError> {
    let (fingerprint, at) = (used.fingerprint.as_slice(), used.created_at.as_millis());
    Ok(execute!(
        tx,
        INSERT,
        name.api_key_id,
        name.text,
        used.project_id.as_str(),
        used.request_id.as_str(),
        fingerprint,
        at
    )? == 1)
}

/// The earlier use of a key.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, name: IdempotencyKeyName<'_>) -> Result<Option<KeyUse>, StoreError> {
    fetch_optional!(tx, KeyUse, FIND, name.api_key_id, name.text)
}

/// Uses a key that was used by the write `before`, which no longer counts; returns whether no one else came first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn take_over(
    tx: &mut Tx,
    name: IdempotencyKeyName<'_>,
    used: NewKeyUse<'_>,
    before: &RequestId,
) -> Result<bool, StoreError> {
    let (fingerprint, at) = (used.fingerprint.as_slice(), used.created_at.as_millis());
    Ok(execute!(tx, TAKE_OVER, name.api_key_id, name.text, used.request_id.as_str(), fingerprint, at, before.as_str())?
        == 1)
}

/// Keeps the answer of the write that uses a key; its status alone where there is no `reply`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn answer(
    tx: &mut Tx,
    name: IdempotencyKeyName<'_>,
    request_id: &RequestId,
    http_status: u16,
    reply: Option<&[u8]>,
) -> Result<(), StoreError> {
    let status = i64::from(http_status);
    execute!(tx, ANSWER, name.api_key_id, name.text, request_id.as_str(), status, reply).map(drop)
}

/// Frees a key whose write got no answer that is worth keeping.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn forget(tx: &mut Tx, name: IdempotencyKeyName<'_>, request_id: &RequestId) -> Result<(), StoreError> {
    execute!(tx, FORGET, name.api_key_id, name.text, request_id.as_str()).map(drop)
}

/// Forgets the oldest answers of a project, `most` at most, that with all later ones have more than `bound` bytes; their
/// keys stay in use. Returns how many were forgotten.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn forget_replies(tx: &mut Tx, project_id: &ProjectId, bound: i64, most: i64) -> Result<u64, StoreError> {
    execute!(tx, FORGET_REPLIES, project_id.as_str(), bound, most)
}

/// The next kept answers after a key.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn kept(tx: &mut Tx, after: IdempotencyKeyName<'_>, limit: i64) -> Result<Vec<StoredAnswer>, StoreError> {
    fetch_all!(tx, StoredAnswer, KEPT, after.api_key_id, after.text, limit)
}

/// Replaces a kept answer by the same one, sealed anew.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn set_reply(tx: &mut Tx, kept: &StoredAnswer) -> Result<(), StoreError> {
    execute!(tx, SET_REPLY, &kept.api_key_id, &kept.text, &kept.reply, kept.request_id.as_str()).map(drop)
}
