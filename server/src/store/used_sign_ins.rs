//! Answers of identity providers that were used.

use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    INSERT = "INSERT INTO used_sign_ins (state_hash, expires_at) VALUES ($1, $2) ON CONFLICT (state_hash) DO NOTHING";
    EXPIRED = sqlite "DELETE FROM used_sign_ins WHERE state_hash IN \
            (SELECT state_hash FROM used_sign_ins WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
        postgres "DELETE FROM used_sign_ins WHERE state_hash IN \
            (SELECT state_hash FROM used_sign_ins WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
}

/// Notes the use of an answer; returns whether it is the first. Of two at once, one is.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, state_hash: &[u8; 32], expires_at: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, INSERT, &state_hash[..], expires_at.as_millis())? == 1)
}

/// Deletes at most `most` notes whose time is over at `now`; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn expired(tx: &mut Tx, now: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, EXPIRED, now.as_millis(), most)
}
