//! Server processes that carry writes out, each with the end of its lease.

use super::{StoreError, Tx};
use crate::clock::Timestamp;

statements! {
    RENEW = "INSERT INTO server_processes (id, leased_until) VALUES ($1, $2) \
        ON CONFLICT (id) DO UPDATE SET leased_until = excluded.leased_until";
    FIND = "SELECT leased_until FROM server_processes WHERE id = $1";
    EXPIRED = sqlite "SELECT id FROM server_processes WHERE leased_until <= $1 ORDER BY id LIMIT $2",
        postgres "SELECT id FROM server_processes WHERE leased_until <= $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED";
    DELETE = "DELETE FROM server_processes WHERE id = $1";
    DELETE_OTHERS = "DELETE FROM server_processes WHERE id <> $1";
}

/// Begins or prolongs the lease of a process.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn renew(tx: &mut Tx, id: &str, until: Timestamp) -> Result<(), StoreError> {
    execute!(tx, RENEW, id, until.as_millis()).map(drop)
}

/// The end of a process's lease; none for a process that was given up or has never had one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn leased_until(tx: &mut Tx, id: &str) -> Result<Option<Timestamp>, StoreError> {
    Ok(fetch_optional!(tx, (i64,), FIND, id)?.map(|(until,)| Timestamp::from_millis(until)))
}

/// Some processes whose lease has run out, held to the end of `tx`; those that another process is giving up are left out.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn expired(tx: &mut Tx, now: Timestamp, most: i64) -> Result<Vec<String>, StoreError> {
    Ok(fetch_all!(tx, (String,), EXPIRED, now.as_millis(), most)?.into_iter().map(|(id,)| id).collect())
}

/// Forgets a process.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, id: &str) -> Result<(), StoreError> {
    execute!(tx, DELETE, id).map(drop)
}

/// Forgets every other process: for the one server of a datastore.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_others(tx: &mut Tx, id: &str) -> Result<(), StoreError> {
    execute!(tx, DELETE_OTHERS, id).map(drop)
}
