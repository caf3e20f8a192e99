//! Accounts at an identity provider, by which people sign in.
//!
//! A provider names an account by its subject, which it gives to nobody else. An address is looked at once, when the account
//! comes for the first time, and only where the operator trusts the provider with that.

use super::sessions::{self, IssuedSession, Session, SignInMethod};
use super::{PeopleParts, SignInClient, fields, users as accounts};
use crate::clock::Timestamp;
use crate::config::Oidc;
use crate::domain::ServiceError;
use crate::ids::{UserId, token_hash};
use crate::store::audit_log::AuditAction;
use crate::store::users::{self, User};
use crate::store::{Tx, identities as rows, sessions as session_rows, used_sign_ins};

/// Time within which the provider's answer must come: 10 minutes, in milliseconds.
pub const ANSWER_MILLIS: i64 = 10 * 60 * 1_000;
/// Time by which clocks of the provider and of this server may differ: a minute, in milliseconds.
const SKEW_MILLIS: i64 = 60 * 1_000;

/// The account that a provider has vouched for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The account there.
    pub subject: String,
    /// The address, if the provider says that it has verified it.
    pub verified_email: Option<String>,
    /// The time at which the person last proved to the provider who they are, if it says so.
    pub authenticated_at: Option<Timestamp>,
}

/// An answer of the provider: the account, and the state to which it belongs.
#[derive(Debug, Clone, Copy)]
pub struct ProviderAnswer<'a> {
    /// The account.
    pub identity: &'a Identity,
    /// The state, which counts once.
    pub state: &'a str,
    /// The time at which the person was sent to the provider.
    pub begun_at: Timestamp,
}

/// The reason why an account at a provider opens nothing.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The answer was used before.
    #[error("the answer of the identity provider was used before")]
    Replayed,
    /// It belongs to nobody who may sign in.
    #[error("no account of this dashboard belongs to this account of the identity provider")]
    Unknown,
    /// Its address is none of those that may sign in.
    #[error("addresses of this domain may not sign in with the identity provider")]
    Domain,
    /// It belongs to somebody else.
    #[error("the account of the identity provider belongs to another person")]
    Taken,
    /// The person has not proved anew who they are.
    #[error("the identity provider has not asked the person anew")]
    NotFresh,
    /// The person could not sign in any more.
    #[error("set a password first, or you cannot sign in again")]
    LastWay,
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(IdentityError);

/// Signs in the person whom the account belongs to. One that comes for the first time is linked to the account of its verified
/// address, where the settings say so.
///
/// # Errors
///
/// [`IdentityError`]; nothing is written then.
pub async fn sign_in(
    parts: PeopleParts<'_>,
    settings: &Oidc,
    answered: ProviderAnswer<'_>,
    client: &SignInClient,
) -> Result<IssuedSession, IdentityError> {
    let identity = answered.identity;
    check_domain(settings, identity)?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin_brief_write().await?;
    let (user, is_linked) = match rows::find(&mut tx, &identity.issuer, &identity.subject).await? {
        Some(user) => (enabled(&mut tx, &user).await?, true),
        None => (by_address(&mut tx, settings, identity).await?, false),
    };
    use_up(&mut tx, answered, now).await?;
    if !is_linked {
        // Whoever made the account may have been somebody else, whose password and sessions end here.
        accounts::vouch(&mut tx, &user, now).await?;
        put(&mut tx, identity, &user, now).await?;
    }
    let mut begun = sessions::begin(&mut tx, now, user.into(), SignInMethod::Identity, client).await?;
    // A provider that lets somebody in without asking has not proved anew who it is.
    if let Some(at) = identity.authenticated_at.filter(|at| *at < now) {
        session_rows::confirm(&mut tx, &begun.session.id, at).await?;
        begun.session.confirmed_at = Some(at);
    }
    tx.commit().await?;
    Ok(begun)
}

/// Links the account to the person of a session. Require before that the person has confirmed that it is them.
///
/// # Errors
///
/// [`IdentityError::Taken`] for one that belongs to somebody else.
pub async fn link(
    parts: PeopleParts<'_>,
    settings: &Oidc,
    answered: ProviderAnswer<'_>,
    session: &Session,
) -> Result<(), IdentityError> {
    let identity = answered.identity;
    check_domain(settings, identity)?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin_brief_write().await?;
    let user = enabled(&mut tx, &session.person.id).await?;
    match rows::find(&mut tx, &identity.issuer, &identity.subject).await? {
        Some(owner) if owner == user.id => return Ok(()),
        Some(_) => return Err(IdentityError::Taken),
        None => {}
    }
    use_up(&mut tx, answered, now).await?;
    put(&mut tx, identity, &user, now).await?;
    tx.commit().await?;
    Ok(())
}

/// Takes the provider's accounts from a person; returns whether there was one.
///
/// # Errors
///
/// [`IdentityError::LastWay`] where the person has no password.
pub async fn unlink(parts: PeopleParts<'_>, settings: &Oidc, session: &Session) -> Result<bool, IdentityError> {
    let mut tx = parts.store.begin_brief_write().await?;
    let user = enabled(&mut tx, &session.person.id).await?;
    if !rows::delete(&mut tx, &user.id, &settings.issuer).await? {
        return Ok(false);
    }
    if user.password_hash.is_none() {
        return Err(IdentityError::LastWay);
    }
    let actor = session.person.actor();
    accounts::record(&mut tx, parts.clock.now(), &actor, &user, AuditAction::IdentityUnlinked).await?;
    tx.commit().await?;
    Ok(true)
}

/// Confirms that a session is still the person's, who has just proved it to the provider.
///
/// # Errors
///
/// [`IdentityError::NotFresh`] where the provider has not asked them, [`IdentityError::Taken`] for somebody else's account.
pub async fn confirm(
    parts: PeopleParts<'_>,
    answered: ProviderAnswer<'_>,
    session: &Session,
) -> Result<Session, IdentityError> {
    let identity = answered.identity;
    let since = answered.begun_at.plus_millis(-SKEW_MILLIS);
    if identity.authenticated_at.is_none_or(|at| at < since) {
        return Err(IdentityError::NotFresh);
    }
    let now = parts.clock.now();
    let mut tx = parts.store.begin_brief_write().await?;
    let user = enabled(&mut tx, &session.person.id).await?;
    if rows::find(&mut tx, &identity.issuer, &identity.subject).await?.as_ref() != Some(&user.id) {
        return Err(IdentityError::Taken);
    }
    use_up(&mut tx, answered, now).await?;
    if !session_rows::confirm(&mut tx, &session.id, now).await? {
        return Err(IdentityError::Unknown);
    }
    tx.commit().await?;
    Ok(Session { confirmed_at: Some(now), ..session.clone() })
}

/// The ways by which a person can prove who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proofs {
    /// A password is set.
    pub password: bool,
    /// An account at the provider is linked.
    pub provider: bool,
}

/// The ways by which the person of a session can prove who they are.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn proofs(
    parts: PeopleParts<'_>,
    settings: Option<&Oidc>,
    session: &Session,
) -> Result<Proofs, ServiceError> {
    let mut tx = parts.store.begin_brief_read().await?;
    let id = &session.person.id;
    let password = users::find(&mut tx, id).await?.is_some_and(|user| user.password_hash.is_some());
    let provider = match settings {
        Some(settings) => rows::has_one(&mut tx, id, &settings.issuer).await?,
        None => false,
    };
    tx.rollback().await?;
    Ok(Proofs { password, provider })
}

fn check_domain(settings: &Oidc, identity: &Identity) -> Result<(), IdentityError> {
    let domains = &settings.allowed_email_domains;
    let domain = identity.verified_email.as_deref().and_then(|email| email.rsplit_once('@')).map(|(_, domain)| domain);
    let is_allowed = domain.is_some_and(|domain| domains.contains(&domain.to_lowercase()));
    if domains.is_empty() || is_allowed { Ok(()) } else { Err(IdentityError::Domain) }
}

/// The person, locked, unless they are disabled.
async fn enabled(tx: &mut Tx, id: &UserId) -> Result<User, IdentityError> {
    let user = users::lock(tx, id).await?.filter(|user| user.disabled_at.is_none());
    user.ok_or(IdentityError::Unknown)
}

/// The person with the address that the provider has verified.
async fn by_address(tx: &mut Tx, settings: &Oidc, identity: &Identity) -> Result<User, IdentityError> {
    let email = identity.verified_email.as_deref().filter(|_| settings.link_verified_email);
    let email = email.and_then(|email| fields::email(email).ok()).ok_or(IdentityError::Unknown)?;
    let found = users::find_by_email(tx, &email).await?.ok_or(IdentityError::Unknown)?;
    enabled(tx, &found.id).await
}

/// Notes the use of an answer.
async fn use_up(tx: &mut Tx, answered: ProviderAnswer<'_>, now: Timestamp) -> Result<(), IdentityError> {
    let hash = token_hash(answered.state).ok_or(IdentityError::Replayed)?;
    match used_sign_ins::insert(tx, &hash, now.plus_millis(ANSWER_MILLIS)).await? {
        true => Ok(()),
        false => Err(IdentityError::Replayed),
    }
}

/// Links an account that belongs to nobody, and tells the person's workspaces.
async fn put(tx: &mut Tx, identity: &Identity, user: &User, now: Timestamp) -> Result<(), IdentityError> {
    if !rows::insert(tx, &identity.issuer, &identity.subject, &user.id, now).await? {
        return Err(IdentityError::Taken);
    }
    let person = super::Person::from(user.clone());
    Ok(accounts::record(tx, now, &person.actor(), user, AuditAction::IdentityLinked).await?)
}
