//! Failed attempts to prove who one is, counted for all server processes. A window begins with its first failure.

use super::{StoreError, Tx};
use crate::clock::Timestamp;

/// SHA-256 of an account or of a client's address.
pub type Subject = [u8; 32];

row! {
    /// The failures of a subject.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Failures {
        /// The first of the window
        pub began: Timestamp,
        /// Their number in the window
        pub failures: i64,
    }
}

statements! {
    FIND = "SELECT began, failures FROM sign_in_failures WHERE subject = $1";
    TAKE = "INSERT INTO sign_in_failures (subject, began, failures) VALUES ($1, $2, 1) ON CONFLICT (subject) DO UPDATE SET \
        began = CASE WHEN sign_in_failures.began <= $3 THEN excluded.began ELSE sign_in_failures.began END, \
        failures = CASE WHEN sign_in_failures.began <= $3 THEN 1 ELSE sign_in_failures.failures + 1 END \
        WHERE sign_in_failures.began <= $3 OR sign_in_failures.failures < $4 RETURNING failures";
    GIVE_BACK = "UPDATE sign_in_failures SET failures = failures - 1 WHERE subject = $1 AND failures > 0";
    FORGET = "DELETE FROM sign_in_failures WHERE subject = $1";
    EXPIRED = sqlite "DELETE FROM sign_in_failures WHERE subject IN \
            (SELECT subject FROM sign_in_failures WHERE began <= $1 ORDER BY began LIMIT $2)",
        postgres "DELETE FROM sign_in_failures WHERE subject IN \
            (SELECT subject FROM sign_in_failures WHERE began <= $1 ORDER BY began LIMIT $2 FOR UPDATE SKIP LOCKED)";
}

/// The failures of a subject, in a window that may be over.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, subject: &Subject) -> Result<Option<Failures>, StoreError> {
    fetch_optional!(tx, Failures, FIND, &subject[..])
}

/// Counts one failure, unless the window that began after `over` has `limit` of them already; returns whether it was counted.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn take(
    tx: &mut Tx,
    subject: &Subject,
    now: Timestamp,
    over: Timestamp,
    limit: i64,
) -> Result<bool, StoreError> {
    Ok(fetch_optional!(tx, (i64,), TAKE, &subject[..], now.as_millis(), over.as_millis(), limit)?.is_some())
}

/// Takes one failure back.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn give_back(tx: &mut Tx, subject: &Subject) -> Result<(), StoreError> {
    execute!(tx, GIVE_BACK, &subject[..]).map(drop)
}

/// Forgets the failures of a subject.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn forget(tx: &mut Tx, subject: &Subject) -> Result<(), StoreError> {
    execute!(tx, FORGET, &subject[..]).map(drop)
}

/// Deletes counts whose window was over by a time, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn expired(tx: &mut Tx, began: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, EXPIRED, began.as_millis(), most)
}
