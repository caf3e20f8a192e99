//! Sessions of people. A token is known by its hash alone.

use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::{SessionId, UserId};

text_enum! {
    /// The proof with which a session began.
    pub enum SignInMethod {
        /// The password
        Password = "password",
        /// A link that signs in once
        Link = "link",
        /// The link of an invitation
        Invitation = "invitation",
        /// An account at an identity provider
        Identity = "identity",
    }
}

row! {
    /// A session with its person.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Session {
        /// `ses_…`
        pub id: SessionId,
        /// The person
        pub user_id: UserId,
        /// The person's address
        pub email: String,
        /// The person's name
        pub name: String,
        /// The person's choices about the looks of the dashboard
        pub looks: Option<String>,
        /// The proof with which it began
        pub method: SignInMethod,
        /// The browser that has it, in its own words
        pub user_agent: String,
        /// Its beginning
        pub created_at: Timestamp,
        /// The last request, exact to a minute
        pub seen_at: Timestamp,
        /// Its end, however much it is used
        pub expires_at: Timestamp,
        /// The time at which the person last proved who they are
        pub confirmed_at: Option<Timestamp>,
    }
}

statements! {
    INSERT = "INSERT INTO sessions (id, user_id, token_hash, method, user_agent, created_at, seen_at, expires_at, confirmed_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6, $7, $6)";
    FIND = "SELECT s.id, s.user_id, u.email, u.name, u.looks, s.method, s.user_agent, s.created_at, s.seen_at, \
        s.expires_at, s.confirmed_at FROM sessions s JOIN users u ON u.id = s.user_id \
        WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.seen_at > $3 AND u.disabled_at IS NULL";
    LIST = "SELECT s.id, s.user_id, u.email, u.name, u.looks, s.method, s.user_agent, s.created_at, s.seen_at, \
        s.expires_at, s.confirmed_at FROM sessions s JOIN users u ON u.id = s.user_id \
        WHERE s.user_id = $1 AND s.expires_at > $2 AND s.seen_at > $3 AND u.disabled_at IS NULL ORDER BY s.id DESC";
    SEE = "UPDATE sessions SET seen_at = $2 WHERE id = $1 AND seen_at < $2";
    CONFIRM = "UPDATE sessions SET confirmed_at = $2 WHERE id = $1";
    END = "DELETE FROM sessions WHERE id = $1 AND user_id = $2";
    END_ALL = "DELETE FROM sessions WHERE user_id = $1";
    END_OTHERS = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
    TRIM = "DELETE FROM sessions WHERE user_id = $1 AND id NOT IN \
        (SELECT id FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT $2)";
    EXPIRED = sqlite "DELETE FROM sessions WHERE id IN \
            (SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
        postgres "DELETE FROM sessions WHERE id IN \
            (SELECT id FROM sessions WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
    IDLE = sqlite "DELETE FROM sessions WHERE id IN \
            (SELECT id FROM sessions WHERE seen_at <= $1 ORDER BY seen_at LIMIT $2)",
        postgres "DELETE FROM sessions WHERE id IN \
            (SELECT id FROM sessions WHERE seen_at <= $1 ORDER BY seen_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
}

/// The data of a new session.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// `ses_…`
    pub id: &'a SessionId,
    /// The person
    pub user_id: &'a UserId,
    /// SHA-256 of its token
    pub token_hash: [u8; 32],
    /// The proof with which it begins
    pub method: SignInMethod,
    /// The browser that has it
    pub user_agent: &'a str,
    /// Now
    pub created_at: Timestamp,
    /// Its end
    pub expires_at: Timestamp,
}

/// Adds a session. The person has proved now who they are.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn insert(tx: &mut Tx, new: NewSession<'_>) -> Result<(), StoreError> {
    let (created_at, expires_at) = (new.created_at.as_millis(), new.expires_at.as_millis());
    let (id, user, hash, method) = (new.id.as_str(), new.user_id.as_str(), &new.token_hash[..], new.method.as_str());
    execute!(tx, INSERT, id, user, hash, method, new.user_agent, created_at, expires_at).map(drop)
}

/// The session whose token has this hash, unless it has ended by `now`, nobody has used it since `idle_since`, or its person is
/// disabled.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    tx: &mut Tx,
    token_hash: &[u8; 32],
    now: Timestamp,
    idle_since: Timestamp,
) -> Result<Option<Session>, StoreError> {
    fetch_optional!(tx, Session, FIND, &token_hash[..], now.as_millis(), idle_since.as_millis())
}

/// The sessions of a person that [`find`] would find, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(
    tx: &mut Tx,
    user: &UserId,
    now: Timestamp,
    idle_since: Timestamp,
) -> Result<Vec<Session>, StoreError> {
    fetch_all!(tx, Session, LIST, user.as_str(), now.as_millis(), idle_since.as_millis())
}

/// Notes a request of the session, if it is still there.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn see(tx: &mut Tx, id: &SessionId, at: Timestamp) -> Result<(), StoreError> {
    execute!(tx, SEE, id.as_str(), at.as_millis()).map(drop)
}

/// Notes that the person has proved who they are; returns whether the session is still there.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn confirm(tx: &mut Tx, id: &SessionId, at: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, CONFIRM, id.as_str(), at.as_millis())? == 1)
}

/// Ends a session of a person; returns whether there was one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end(tx: &mut Tx, id: &SessionId, user: &UserId) -> Result<bool, StoreError> {
    Ok(execute!(tx, END, id.as_str(), user.as_str())? == 1)
}

/// Ends all sessions of a person; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end_all(tx: &mut Tx, user: &UserId) -> Result<u64, StoreError> {
    execute!(tx, END_ALL, user.as_str())
}

/// Ends all sessions of a person but one; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end_others(tx: &mut Tx, user: &UserId, but: &SessionId) -> Result<u64, StoreError> {
    execute!(tx, END_OTHERS, user.as_str(), but.as_str())
}

/// Ends the oldest sessions of a person, so that `most` are left.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn trim(tx: &mut Tx, user: &UserId, most: i64) -> Result<u64, StoreError> {
    execute!(tx, TRIM, user.as_str(), most)
}

/// Deletes sessions that ended by `now`, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn expired(tx: &mut Tx, now: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, EXPIRED, now.as_millis(), most)
}

/// Deletes sessions that nobody has used since a time, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn idle(tx: &mut Tx, since: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, IDLE, since.as_millis(), most)
}
