//! Proofs of who somebody is. An unknown account and a wrong password cost and say the same.

use std::time::Duration;

use secrecy::zeroize::Zeroizing;

use super::attempts::{self, SignInAttempt};
use super::passwords::LONGEST_PASSWORD;
use super::sessions::{self, IssuedSession, Session, SignInMethod};
use super::{PeopleParts, Person, SignInClient, fields};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::ids::{UserId, token_hash};
use crate::store::users::{self, User};
use crate::store::{StoreError, Tx, sign_in_links};

/// The reason why somebody was not signed in.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    /// No account has this address and password. Nobody is told which of them is wrong.
    #[error("The email address or the password is wrong")]
    Wrong,
    /// There were too many failures; an attempt before the end of the wait is not looked at.
    #[error("Too many attempts failed: try again in {} minutes", .wait.as_secs().div_ceil(60))]
    TooMany {
        /// Time until the next attempt.
        wait: Duration,
    },
    /// The datastore, or too many people at once.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(SignInError);

/// Signs somebody in who knows the password.
///
/// # Errors
///
/// [`SignInError::Wrong`] for an unknown account, a wrong password and a disabled person alike.
pub async fn with_password(
    parts: PeopleParts<'_>,
    email: &str,
    password: &str,
    client: &SignInClient,
) -> Result<IssuedSession, SignInError> {
    // A text that is no address is an account that nobody has.
    let email = fields::email(email).unwrap_or_default();
    let attempt = SignInAttempt::to_sign_in(&email, client.address);
    let client_name = attempts::network(client.address).to_string();
    let found = async |tx: &mut Tx| users::find_by_email(tx, &email).await;
    let user = prove(parts, &attempt, client_name, password, found).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin_brief_write().await?;
    attempt.succeed(&mut tx).await?;
    let person = unchanged(&mut tx, &user).await?.ok_or(SignInError::Wrong)?;
    let session = sessions::begin(&mut tx, now, person, SignInMethod::Password, client).await?;
    tx.commit().await?;
    Ok(session)
}

/// Signs the person in whom a link is for, once. `None` for a link that was used, replaced or is too old, and for a person who
/// is disabled.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn with_link(
    parts: PeopleParts<'_>,
    token: &str,
    client: &SignInClient,
) -> Result<Option<IssuedSession>, ServiceError> {
    let Some(hash) = token_hash(token) else { return Ok(None) };
    let now = parts.clock.now();
    let Some(user) = owner(parts, &hash, now).await? else { return Ok(None) };
    let mut tx = parts.store.begin_brief_write().await?;
    // The person before the link: the order of all who change both.
    let user = users::lock(&mut tx, &user).await?.filter(|user| user.disabled_at.is_none());
    let Some(user) = user else { return Ok(None) };
    if sign_in_links::take(&mut tx, &hash, now).await?.is_none() {
        return Ok(None);
    }
    let session = sessions::begin(&mut tx, now, user.into(), SignInMethod::Link, client).await?;
    tx.commit().await?;
    Ok(Some(session))
}

/// Returns whether a link would sign somebody in now, and leaves it as it is.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn is_good_link(parts: PeopleParts<'_>, token: &str) -> Result<bool, ServiceError> {
    match token_hash(token) {
        Some(hash) => Ok(owner(parts, &hash, parts.clock.now()).await?.is_some()),
        None => Ok(false),
    }
}

/// The person whom a link would sign in.
async fn owner(parts: PeopleParts<'_>, hash: &[u8; 32], now: Timestamp) -> Result<Option<UserId>, ServiceError> {
    // A stranger who guesses writes nothing.
    Ok(parts.store.read_once(async |tx| sign_in_links::find(tx, hash, now).await).await?)
}

/// Confirms with the password that the session is still the person's; returns the session as it is now.
///
/// # Errors
///
/// [`SignInError::Wrong`] for a wrong password, also of a person who has none.
pub async fn confirm(parts: PeopleParts<'_>, session: &Session, password: &str) -> Result<Session, SignInError> {
    let (user, attempt) = prove_again(parts, session, password).await?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin_brief_write().await?;
    attempt.succeed(&mut tx).await?;
    unchanged(&mut tx, &user).await?.ok_or(SignInError::Wrong)?;
    if !crate::store::sessions::confirm(&mut tx, &session.id, now).await? {
        return Err(SignInError::Wrong);
    }
    tx.commit().await?;
    Ok(Session { confirmed_at: Some(now), ..session.clone() })
}

/// Looks at the password of a person who has a session. The attempt is counted: whoever commits the rest takes it back.
pub(super) async fn prove_again(
    parts: PeopleParts<'_>,
    session: &Session,
    password: &str,
) -> Result<(User, SignInAttempt), SignInError> {
    let id = &session.person.id;
    let attempt = SignInAttempt::to_confirm(id);
    let found = async |tx: &mut Tx| users::find(tx, id).await;
    let user = prove(parts, &attempt, id.to_string(), password, found).await?;
    Ok((user, attempt))
}

/// Counts an attempt, finds who it is about, and looks at the password.
async fn prove(
    parts: PeopleParts<'_>,
    attempt: &SignInAttempt,
    client: String,
    password: &str,
    find: impl AsyncFnOnce(&mut Tx) -> Result<Option<User>, StoreError>,
) -> Result<User, SignInError> {
    // Who has to wait takes nothing but a look.
    let mut tx = parts.store.begin_brief_read().await?;
    let wait = attempt.wait(&mut tx, parts.clock.now()).await?;
    tx.rollback().await?;
    if let Some(wait) = wait {
        return Err(SignInError::TooMany { wait });
    }
    let turn = parts.hashing.turn(client).await?;
    let mut tx = parts.store.begin_brief_write().await?;
    let now = parts.clock.now();
    if !attempt.take(&mut tx, now).await? {
        tx.rollback().await?;
        let mut tx = parts.store.begin_brief_read().await?;
        let wait = attempt.wait(&mut tx, now).await?.unwrap_or(Duration::from_secs(1));
        return Err(SignInError::TooMany { wait });
    }
    let user = find(&mut tx).await?;
    tx.commit().await?;
    let user = user.filter(|user| user.disabled_at.is_none());
    // No password is that long.
    let password = if password.len() > LONGEST_PASSWORD { "" } else { password };
    let hash = user.as_ref().and_then(|user| user.password_hash.clone());
    let is_right = turn.verify(Zeroizing::new(password.to_owned()), hash).await?;
    user.filter(|_| is_right).ok_or(SignInError::Wrong)
}

/// The person, locked, if the password is still the one that was looked at and nobody has disabled them meanwhile.
pub(super) async fn unchanged(tx: &mut Tx, user: &User) -> Result<Option<Person>, StoreError> {
    let found = users::lock(tx, &user.id).await?;
    let same = found.filter(|now| now.disabled_at.is_none() && now.password_hash == user.password_hash);
    Ok(same.map(Person::from))
}
