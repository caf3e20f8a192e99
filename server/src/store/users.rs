//! People who use the dashboard.

use std::fmt;

use super::row::Stored;
use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::UserId;

/// The hash of a password, as a PHC string. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Of a PHC string.
    #[must_use]
    pub fn new(phc: String) -> Self {
        Self(phc)
    }

    /// The PHC string.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

impl Stored for PasswordHash {
    type Raw = String;
    fn from_raw(raw: String) -> Result<Self, String> {
        Ok(Self(raw))
    }
}

row! {
    /// A person.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct User {
        /// `usr_…`
        pub id: UserId,
        /// The address, in lower case
        pub email: String,
        /// Name for people
        pub name: String,
        /// The hash of the password, if one is set
        pub password_hash: Option<PasswordHash>,
        /// From when on the person cannot sign in
        pub disabled_at: Option<Timestamp>,
        /// Since when the operator or an identity provider has vouched for the address
        pub vouched_at: Option<Timestamp>,
        /// The time at which the account was made
        pub created_at: Timestamp,
    }
}

statements! {
    INSERT = "INSERT INTO users (id, email, name, password_hash, disabled_at, vouched_at, created_at) \
        VALUES ($1, $2, $3, $4, NULL, $5, $6) ON CONFLICT (email) DO NOTHING";
    FIND = "SELECT id, email, name, password_hash, disabled_at, vouched_at, created_at FROM users WHERE id = $1";
    FIND_BY_EMAIL = "SELECT id, email, name, password_hash, disabled_at, vouched_at, created_at FROM users WHERE email = $1";
    LOCK = sqlite "SELECT id, email, name, password_hash, disabled_at, vouched_at, created_at FROM users WHERE id = $1",
        postgres "SELECT id, email, name, password_hash, disabled_at, vouched_at, created_at FROM users WHERE id = $1 \
        FOR NO KEY UPDATE";
    LIST = "SELECT id, email, name, password_hash, disabled_at, vouched_at, created_at FROM users WHERE email > $1 \
        ORDER BY email LIMIT $2";
    SET_LOOKS = "UPDATE users SET looks = $2 WHERE id = $1";
    SET_NAME = "UPDATE users SET name = $2 WHERE id = $1";
    SET_PASSWORD = "UPDATE users SET password_hash = $2 WHERE id = $1";
    SET_DISABLED = "UPDATE users SET disabled_at = $2 WHERE id = $1";
    VOUCH = "UPDATE users SET vouched_at = $2 WHERE id = $1";
}

/// The data of a new person.
#[derive(Debug, Clone, Copy)]
pub struct NewUser<'a> {
    /// `usr_…`
    pub id: &'a UserId,
    /// The address, in lower case
    pub email: &'a str,
    /// Name for people
    pub name: &'a str,
    /// The hash of the password
    pub password_hash: Option<&'a PasswordHash>,
    /// Since when the operator or an identity provider has vouched for the address
    pub vouched_at: Option<Timestamp>,
    /// Now
    pub created_at: Timestamp,
}

/// Adds a person; returns whether nobody had the address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewUser<'_>) -> Result<bool, StoreError> {
    let hash = new.password_hash.map(PasswordHash::expose);
    let (vouched_at, created_at) = (new.vouched_at.map(Timestamp::as_millis), new.created_at.as_millis());
    Ok(execute!(tx, INSERT, new.id.as_str(), new.email, new.name, hash, vouched_at, created_at)? == 1)
}

/// The person `id`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, id: &UserId) -> Result<Option<User>, StoreError> {
    fetch_optional!(tx, User, FIND, id.as_str())
}

/// The person with this address, in lower case.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find_by_email(tx: &mut Tx, email: &str) -> Result<Option<User>, StoreError> {
    fetch_optional!(tx, User, FIND_BY_EMAIL, email)
}

/// Like [`find`]; no other transaction changes the person until `tx` ends.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn lock(tx: &mut Tx, id: &UserId) -> Result<Option<User>, StoreError> {
    fetch_optional!(tx, User, LOCK, id.as_str())
}

/// At most `most` people after an address, by address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, after: &str, most: i64) -> Result<Vec<User>, StoreError> {
    fetch_all!(tx, User, LIST, after, most)
}

/// Changes what a person chose about the looks of the dashboard.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such person.
pub async fn set_looks(tx: &mut Tx, id: &UserId, looks: &str) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_LOOKS, id.as_str(), looks)?)
}

/// Changes the name for people.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such person.
pub async fn set_name(tx: &mut Tx, id: &UserId, name: &str) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_NAME, id.as_str(), name)?)
}

/// Changes the password; `None` takes it away.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such person.
pub async fn set_password(tx: &mut Tx, id: &UserId, hash: Option<&PasswordHash>) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_PASSWORD, id.as_str(), hash.map(PasswordHash::expose))?)
}

/// Keeps the person from signing in from a time on; `None` allows it again.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such person.
pub async fn set_disabled(tx: &mut Tx, id: &UserId, at: Option<Timestamp>) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, SET_DISABLED, id.as_str(), at.map(Timestamp::as_millis))?)
}

/// Notes that the operator or an identity provider vouches for the address.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such person.
pub async fn vouch(tx: &mut Tx, id: &UserId, at: Timestamp) -> Result<(), StoreError> {
    StoreError::exactly_one(execute!(tx, VOUCH, id.as_str(), at.as_millis())?)
}
