//! Accounts of people, as the operator manages them beside the server.

use secrecy::SecretString;

use super::links::{self, LinkValidity};
use super::memberships::Membership;
use super::{Person, audit, fields, sessions};
use crate::clock::Timestamp;
use crate::domain::{Actor, ServiceError};
use crate::ids::{IdKind, UserId, new_id};
use crate::store::audit_log::AuditAction;
use crate::store::users::{self as rows, NewUser, User};
use crate::store::{Tx, identities, memberships, sign_in_links};

/// Makes an account for this address where there is none, and returns it with `true` if it is new. The operator vouches for the
/// address: an account that was made by an invitation keeps its memberships, and loses its password and sessions.
///
/// # Errors
///
/// 400 for an address or a name that cannot be one.
pub async fn create(tx: &mut Tx, now: Timestamp, email: &str, name: &str) -> Result<(Person, bool), ServiceError> {
    let email = fields::email(email)?;
    let display_name = fields::name(name, &email)?;
    let id = UserId::from(new_id(IdKind::User, now));
    let new = NewUser {
        id: &id,
        email: &email,
        name: &display_name,
        password_hash: None,
        vouched_at: Some(now),
        created_at: now,
    };
    if rows::insert(tx, new).await? {
        return Ok((Person { id, email, name: display_name }, true));
    }
    let user = locked(tx, &email).await?;
    vouch(tx, &user, now).await?;
    if name.trim().is_empty() {
        return Ok((user.into(), false));
    }
    rows::set_name(tx, &user.id, &display_name).await?;
    Ok((Person { id: user.id, email, name: display_name }, false))
}

/// Makes a link that signs the person of this address in once; an earlier one is no longer good.
///
/// # Errors
///
/// 404 for an address that nobody has, 400 for a person who is disabled.
pub async fn sign_in_link(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    email: &str,
    validity: LinkValidity,
) -> Result<SecretString, ServiceError> {
    let user = locked(tx, &fields::email(email)?).await?;
    if user.disabled_at.is_some() {
        let message = format!("{} is disabled: `l10n-server users enable` allows signing in again", user.email);
        return Err(ServiceError::InvalidArgument(message));
    }
    vouch(tx, &user, now).await?;
    record(tx, now, by, &user, AuditAction::SignInLinkMade).await?;
    links::make(tx, &user.id, now, validity).await
}

/// Keeps a person from signing in, and ends their sessions. The memberships stay. Returns whether the person could sign in.
///
/// # Errors
///
/// 404 for an address that nobody has.
pub async fn disable(tx: &mut Tx, now: Timestamp, by: &Actor, email: &str) -> Result<bool, ServiceError> {
    let user = locked(tx, &fields::email(email)?).await?;
    if user.disabled_at.is_some() {
        return Ok(false);
    }
    rows::set_disabled(tx, &user.id, Some(now)).await?;
    sessions::end_every(tx, &user.id).await?;
    sign_in_links::delete(tx, &user.id).await?;
    record(tx, now, by, &user, AuditAction::UserDisabled).await?;
    Ok(true)
}

/// Lets a person sign in again. Returns whether the person was disabled.
///
/// # Errors
///
/// 404 for an address that nobody has.
pub async fn enable(tx: &mut Tx, now: Timestamp, by: &Actor, email: &str) -> Result<bool, ServiceError> {
    let user = locked(tx, &fields::email(email)?).await?;
    if user.disabled_at.is_none() {
        return Ok(false);
    }
    rows::set_disabled(tx, &user.id, None).await?;
    record(tx, now, by, &user, AuditAction::UserEnabled).await?;
    Ok(true)
}

/// At most `most` people after an address, by address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, after: &str, most: i64) -> Result<Vec<User>, ServiceError> {
    Ok(rows::list(tx, after, most).await?)
}

/// The memberships of a person in workspaces that are not archived, by handle.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn memberships(tx: &mut Tx, user: &UserId) -> Result<Vec<Membership>, ServiceError> {
    Ok(memberships::of_user(tx, user).await?.into_iter().map(Membership::from).collect())
}

/// Changes the name that others see of a person.
///
/// # Errors
///
/// 400 for a name that is too long or cannot be shown.
pub async fn rename(parts: super::PeopleParts<'_>, person: &Person, name: &str) -> Result<Person, ServiceError> {
    let name = fields::name(name, &person.email)?;
    let mut tx = parts.store.begin_brief_write().await?;
    rows::set_name(&mut tx, &person.id, &name).await?;
    tx.commit().await?;
    Ok(Person { name, ..person.clone() })
}

/// Longest text about looks, in bytes.
const LONGEST_LOOKS: usize = 100;

/// Keeps a person's choices about the looks of the dashboard, in the dashboard's words, for all browsers.
///
/// # Errors
///
/// 400 for more than 100 bytes.
pub async fn set_looks(parts: super::PeopleParts<'_>, person: &Person, looks: &str) -> Result<(), ServiceError> {
    if looks.len() > LONGEST_LOOKS {
        return Err(ServiceError::InvalidArgument(format!("looks have at most {LONGEST_LOOKS} bytes")));
    }
    let mut tx = parts.store.begin_brief_write().await?;
    rows::set_looks(&mut tx, &person.id, looks).await?;
    Ok(tx.commit().await?)
}

async fn locked(tx: &mut Tx, email: &str) -> Result<User, ServiceError> {
    let found = match rows::find_by_email(tx, email).await? {
        Some(user) => rows::lock(tx, &user.id).await?,
        None => None,
    };
    found.ok_or_else(|| {
        ServiceError::NotFound(format!("nobody has the address {email}; `l10n-server users list` shows who there is"))
    })
}

/// Notes that the address is the person's. Whoever made the account before may have been somebody else.
pub(super) async fn vouch(tx: &mut Tx, user: &User, now: Timestamp) -> Result<(), ServiceError> {
    if user.vouched_at.is_none() {
        rows::vouch(tx, &user.id, now).await?;
        rows::set_password(tx, &user.id, None).await?;
        identities::delete_all(tx, &user.id).await?;
        sessions::end_every(tx, &user.id).await?;
    }
    Ok(())
}

/// Tells each workspace of the person.
pub(super) async fn record(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    user: &User,
    action: AuditAction,
) -> Result<(), ServiceError> {
    for membership in memberships::of_user(tx, &user.id).await? {
        let record = audit::Record { project: None, action, subject: Some(&user.email), detail: None };
        audit::write(tx, &membership.workspace_id, by, now, record).await?;
    }
    Ok(())
}
