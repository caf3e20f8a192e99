//! Links that sign a person in once. A person has one at most.

use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::UserId;

statements! {
    PUT = "INSERT INTO sign_in_links (user_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (user_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at, \
        expires_at = excluded.expires_at";
    FIND = "SELECT user_id FROM sign_in_links WHERE token_hash = $1 AND (expires_at IS NULL OR expires_at > $2)";
    TAKE = "DELETE FROM sign_in_links WHERE token_hash = $1 AND (expires_at IS NULL OR expires_at > $2) RETURNING user_id";
    DELETE = "DELETE FROM sign_in_links WHERE user_id = $1";
    EXPIRED = sqlite "DELETE FROM sign_in_links WHERE user_id IN \
            (SELECT user_id FROM sign_in_links WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
        postgres "DELETE FROM sign_in_links WHERE user_id IN \
            (SELECT user_id FROM sign_in_links WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
}

/// Adds a link in place of an earlier one of the person. One without an end is good until it is used.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn put(
    tx: &mut Tx,
    user: &UserId,
    token_hash: [u8; 32],
    now: Timestamp,
    expires_at: Option<Timestamp>,
) -> Result<(), StoreError> {
    let expires_at = expires_at.map(Timestamp::as_millis);
    execute!(tx, PUT, user.as_str(), &token_hash[..], now.as_millis(), expires_at).map(drop)
}

/// The person whom a link signs in, if it is good at `now`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, token_hash: &[u8; 32], now: Timestamp) -> Result<Option<UserId>, StoreError> {
    let found = fetch_optional!(tx, (String,), FIND, &token_hash[..], now.as_millis())?;
    Ok(found.map(|(user,)| user.into()))
}

/// Uses a link up; returns the person. Of two that use it at once, one gets the person.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn take(tx: &mut Tx, token_hash: &[u8; 32], now: Timestamp) -> Result<Option<UserId>, StoreError> {
    let taken = fetch_optional!(tx, (String,), TAKE, &token_hash[..], now.as_millis())?;
    Ok(taken.map(|(user,)| user.into()))
}

/// Deletes the link of a person, if there is one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, user: &UserId) -> Result<(), StoreError> {
    execute!(tx, DELETE, user.as_str()).map(drop)
}

/// Deletes links whose time was over by `now`, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn expired(tx: &mut Tx, now: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, EXPIRED, now.as_millis(), most)
}
