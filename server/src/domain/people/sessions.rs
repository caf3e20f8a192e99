//! Sessions: 14 days without use, 30 days in all. A cookie has the token; the datastore knows its hash alone.

use secrecy::{ExposeSecret as _, SecretString};

use super::{PeopleParts, Person, SignInClient, fields};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::ids::{IdKind, SessionId, UserId, new_id, new_token, token_hash};
pub use crate::store::sessions::SignInMethod;
use crate::store::{StoreError, Tx, sessions as rows};

const MINUTE: i64 = 60 * 1_000;
const DAY: i64 = 24 * 60 * MINUTE;

/// Time without a request after which a session ends: 14 days, in milliseconds.
pub(crate) const IDLE_MILLIS: i64 = 14 * DAY;
/// Time after which a session ends, however much it is used: 30 days, in milliseconds.
const LASTS_MILLIS: i64 = 30 * DAY;
/// Time for which a proof of who somebody is counts for what needs one: an hour, in milliseconds.
const CONFIRMED_MILLIS: i64 = 60 * MINUTE;
/// Sessions of one person; a new one ends the oldest.
const MOST: i64 = 50;

/// A session of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// `ses_…`
    pub id: SessionId,
    /// The person.
    pub person: Person,
    /// The person's choices about the looks of the dashboard, in the dashboard's words.
    pub looks: Option<String>,
    /// The proof with which it began.
    pub method: SignInMethod,
    /// The browser that has it, in its own words.
    pub user_agent: String,
    /// Its beginning.
    pub created_at: Timestamp,
    /// The last request, exact to a minute.
    pub seen_at: Timestamp,
    /// Its end, however much it is used.
    pub expires_at: Timestamp,
    /// The time at which the person last proved who they are.
    pub confirmed_at: Option<Timestamp>,
}

impl Session {
    /// Returns whether the person has proved within the last hour who they are.
    #[must_use]
    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        self.confirmed_at.is_some_and(|at| now.as_millis() - at.as_millis() < CONFIRMED_MILLIS)
    }
}

impl From<rows::Session> for Session {
    fn from(row: rows::Session) -> Self {
        Self {
            id: row.id,
            person: Person { id: row.user_id, email: row.email, name: row.name },
            looks: row.looks,
            method: row.method,
            user_agent: row.user_agent,
            created_at: row.created_at,
            seen_at: row.seen_at,
            expires_at: row.expires_at,
            confirmed_at: row.confirmed_at,
        }
    }
}

/// A session that has just begun, with its token, which is shown this once.
#[derive(Debug)]
pub struct IssuedSession {
    /// For the cookie.
    pub token: SecretString,
    /// The session.
    pub session: Session,
}

/// The session that a token belongs to, if it has not ended. Notes its use, at most once a minute.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(parts: PeopleParts<'_>, token: &str) -> Result<Option<Session>, ServiceError> {
    let Some(hash) = token_hash(token) else { return Ok(None) };
    let now = parts.clock.now();
    let found = parts.store.read_once(async |tx| rows::find(tx, &hash, now, idle_since(now)).await).await?;
    let Some(row) = found else { return Ok(None) };
    if now.as_millis() - row.seen_at.as_millis() >= MINUTE {
        match see(parts, &row.id, now).await {
            // The next request notes it.
            Err(error) if error.is_unavailable() => tracing::debug!(?error, "cannot note the use of a session"),
            noted => noted?,
        }
    }
    Ok(Some(row.into()))
}

async fn see(parts: PeopleParts<'_>, id: &SessionId, now: Timestamp) -> Result<(), StoreError> {
    let mut tx = parts.store.begin_brief_write().await?;
    rows::see(&mut tx, id, now).await?;
    tx.commit().await
}

/// The sessions of a person that have not ended, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(parts: PeopleParts<'_>, person: &Person) -> Result<Vec<Session>, ServiceError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin_read().await?;
    let found = rows::list(&mut tx, &person.id, now, idle_since(now)).await?;
    tx.rollback().await?;
    Ok(found.into_iter().map(Session::from).collect())
}

/// Ends a session: its token opens nothing any more.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end(parts: PeopleParts<'_>, session: &Session) -> Result<(), ServiceError> {
    end_one(parts, &session.person, &session.id).await.map(drop)
}

/// Ends one of a person's sessions by its id; returns whether the person has such a one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end_one(parts: PeopleParts<'_>, person: &Person, id: &SessionId) -> Result<bool, ServiceError> {
    let mut tx = parts.store.begin_brief_write().await?;
    let has_ended = rows::end(&mut tx, id, &person.id).await?;
    tx.commit().await?;
    Ok(has_ended)
}

/// Ends every session of a person: signs out everywhere. Returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn end_all(parts: PeopleParts<'_>, person: &Person) -> Result<u64, ServiceError> {
    let mut tx = parts.store.begin_brief_write().await?;
    let ended = rows::end_all(&mut tx, &person.id).await?;
    tx.commit().await?;
    Ok(ended)
}

/// Begins a session of a person who has just proved who they are. Lock the person before.
pub(super) async fn begin(
    tx: &mut Tx,
    now: Timestamp,
    person: Person,
    method: SignInMethod,
    client: &SignInClient,
) -> Result<IssuedSession, ServiceError> {
    let token = new_token();
    let token_hash = token_hash(token.expose_secret()).ok_or_else(|| ServiceError::internal("a token has no hash"))?;
    let id = SessionId::from(new_id(IdKind::Session, now));
    let (user_agent, expires_at) = (fields::user_agent(&client.user_agent), now.plus_millis(LASTS_MILLIS));
    let new = rows::NewSession {
        id: &id,
        user_id: &person.id,
        token_hash,
        method,
        user_agent: &user_agent,
        created_at: now,
        expires_at,
    };
    rows::insert(tx, new).await?;
    rows::trim(tx, &person.id, MOST).await?;
    let (created_at, seen_at, confirmed_at) = (now, now, Some(now));
    let session =
        Session { id, person, looks: None, method, user_agent, created_at, seen_at, expires_at, confirmed_at };
    Ok(IssuedSession { token, session })
}

/// Ends what lets a person in: every session.
pub(super) async fn end_every(tx: &mut Tx, user: &UserId) -> Result<(), ServiceError> {
    rows::end_all(tx, user).await?;
    Ok(())
}

/// The time since which a session must have been used at `now`.
fn idle_since(now: Timestamp) -> Timestamp {
    now.plus_millis(-IDLE_MILLIS)
}
