//! Accounts at identity providers by which people sign in.

use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::UserId;

statements! {
    INSERT = "INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (issuer, subject) DO NOTHING";
    FIND = "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2";
    OF_USER = "SELECT COUNT(*) FROM identities WHERE user_id = $1 AND issuer = $2";
    DELETE = "DELETE FROM identities WHERE user_id = $1 AND issuer = $2";
    DELETE_ALL = "DELETE FROM identities WHERE user_id = $1";
}

/// Links an account at a provider to a person; returns whether nobody had it.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(
    tx: &mut Tx,
    issuer: &str,
    subject: &str,
    user: &UserId,
    now: Timestamp,
) -> Result<bool, StoreError> {
    Ok(execute!(tx, INSERT, issuer, subject, user.as_str(), now.as_millis())? == 1)
}

/// The person whom an account at a provider belongs to.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, issuer: &str, subject: &str) -> Result<Option<UserId>, StoreError> {
    let found = fetch_optional!(tx, (String,), FIND, issuer, subject)?;
    Ok(found.map(|(user,)| user.into()))
}

/// Returns whether a person has an account at a provider.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn has_one(tx: &mut Tx, user: &UserId, issuer: &str) -> Result<bool, StoreError> {
    let (number,) = fetch_one!(tx, (i64,), OF_USER, user.as_str(), issuer)?;
    Ok(number > 0)
}

/// Takes a provider's accounts from a person; returns whether there was one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(tx: &mut Tx, user: &UserId, issuer: &str) -> Result<bool, StoreError> {
    Ok(execute!(tx, DELETE, user.as_str(), issuer)? > 0)
}

/// Takes all providers' accounts from a person.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete_all(tx: &mut Tx, user: &UserId) -> Result<(), StoreError> {
    execute!(tx, DELETE_ALL, user.as_str()).map(drop)
}
