//! Invitations: links to hand on, good for 7 days and for one person.

use l10n_api_types::WorkspaceId;
use secrecy::{ExposeSecret as _, SecretString};

use super::members::{self, MemberError};
use super::memberships::Membership;
use super::passwords::{self, PasswordError};
use super::sessions::{self, IssuedSession, Session, SignInMethod};
use super::{PeopleParts, Person, SignInClient, attempts, audit, fields};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::access::{Action, Role};
use crate::ids::{IdKind, InvitationId, UserId, new_id, new_token, token_hash};
use crate::store::audit_log::AuditAction;
pub use crate::store::invitations::Invitation;
use crate::store::users::{self, NewUser};
use crate::store::{Tx, invitations as rows, lock, memberships};

/// Time in which an invitation can be accepted: 7 days, in milliseconds.
const LASTS_MILLIS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// Invitations of a workspace that wait.
pub const MOST_INVITATIONS: usize = 200;

/// An invitation that was just made, with its token, which is shown this once.
#[derive(Debug)]
pub struct IssuedInvitation {
    /// For the link.
    pub token: SecretString,
    /// The invitation.
    pub invitation: Invitation,
    /// True if the address had been invited before: that link is no longer good.
    pub replaces: bool,
}

/// The reason why nobody was invited.
#[derive(Debug, thiserror::Error)]
pub enum InviteError {
    /// The address is none.
    #[error("{0}")]
    Email(String),
    /// A language is none.
    #[error("{0}")]
    Languages(String),
    /// The person is a member already.
    #[error("This person is a member of the workspace already")]
    Member,
    /// The one who asks may not do that, or no longer.
    #[error("Only owners may invite members")]
    NotAllowed,
    /// Too many invitations wait.
    #[error("At most {MOST_INVITATIONS} invitations wait at a time: withdraw one first")]
    TooMany,
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// The reason why an invitation was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// It was used or withdrawn, or is too old.
    #[error("This invitation is no longer good: ask for a new one")]
    Gone,
    /// It is for another address than that of the person who has signed in.
    #[error("This invitation is for {0}: sign in with that address")]
    OtherAddress(String),
    /// The address has an account: its person has to sign in.
    #[error("This address has an account: sign in to accept the invitation")]
    HasAccount,
    /// The name cannot be shown.
    #[error("{0}")]
    Name(String),
    /// The password of the new account.
    #[error(transparent)]
    Password(PasswordError),
    /// The workspace has as many members as it may.
    #[error("The workspace has as many members as it may have: ask its owner")]
    Full,
    /// The datastore, or too many people at once.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(InviteError, AcceptError);

impl From<MemberError> for AcceptError {
    fn from(error: MemberError) -> Self {
        match error {
            MemberError::Service(error) => Self::Service(error),
            MemberError::TooMany => Self::Full,
            _ => Self::Gone,
        }
    }
}

/// Invites somebody, in place of an earlier invitation of the same address.
///
/// # Errors
///
/// [`InviteError`] tells which field is wrong.
pub async fn create(
    parts: PeopleParts<'_>,
    by: &Person,
    workspace: &WorkspaceId,
    email: &str,
    role: Role,
    languages: Option<&[String]>,
) -> Result<IssuedInvitation, InviteError> {
    let email = fields::email(email).map_err(|error| InviteError::Email(error.to_string()))?;
    let languages = members::checked_languages(role, languages).map_err(InviteError::Languages)?;
    let (now, token) = (parts.clock.now(), new_token());
    let hash = token_hash(token.expose_secret()).ok_or_else(|| ServiceError::internal("a token has no hash"))?;
    let mut tx = parts.store.begin_write_of(workspace).await?;
    lock::workspace(&mut tx, workspace).await?;
    members::require(&mut tx, workspace, by, Action::ManageMembers).await.map_err(|error| match error {
        MemberError::Service(error) => InviteError::Service(error),
        _ => InviteError::NotAllowed,
    })?;
    if let Some(user) = users::find_by_email(&mut tx, &email).await?
        && memberships::find(&mut tx, workspace, &user.id).await?.is_some()
    {
        return Err(InviteError::Member);
    }
    let replaces = rows::forget(&mut tx, workspace, &email).await?;
    if usize::try_from(rows::count(&mut tx, workspace).await?).unwrap_or(usize::MAX) >= MOST_INVITATIONS {
        return Err(InviteError::TooMany);
    }
    let id = InvitationId::from(new_id(IdKind::Invitation, now));
    let new = rows::NewInvitation {
        id: &id,
        workspace_id: workspace,
        token_hash: hash,
        email: &email,
        role,
        languages: languages.as_deref(),
        invited_by: &by.email,
        created_at: now,
        expires_at: now.plus_millis(LASTS_MILLIS),
    };
    rows::put(&mut tx, new).await?;
    record(&mut tx, now, by, workspace, AuditAction::Invited, (&email, Some(role.as_str()))).await?;
    let invitation = rows::find(&mut tx, &hash, now).await?;
    let invitation = invitation.ok_or_else(|| ServiceError::NotFound("there is no such workspace".to_owned()))?;
    tx.commit().await?;
    Ok(IssuedInvitation { token, invitation, replaces })
}

/// The invitations of a workspace that wait, by address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(parts: PeopleParts<'_>, workspace: &WorkspaceId) -> Result<Vec<Invitation>, ServiceError> {
    let mut tx = parts.store.begin_read().await?;
    let found = rows::list(&mut tx, workspace, parts.clock.now()).await?;
    tx.rollback().await?;
    Ok(found)
}

/// Withdraws an invitation; returns whether the workspace had it.
///
/// # Errors
///
/// [`MemberError::NotAllowed`] for one who is no owner.
pub async fn withdraw(
    parts: PeopleParts<'_>,
    by: &Person,
    workspace: &WorkspaceId,
    id: &InvitationId,
) -> Result<bool, MemberError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin_write_of(workspace).await?;
    members::require(&mut tx, workspace, by, Action::ManageMembers).await?;
    let Some(email) = rows::withdraw(&mut tx, workspace, id).await? else { return Ok(false) };
    record(&mut tx, now, by, workspace, AuditAction::InvitationWithdrawn, (&email, None)).await?;
    tx.commit().await?;
    Ok(true)
}

/// An invitation as the one who was invited sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenInvitation {
    /// The invitation.
    pub invitation: Invitation,
    /// True if the address has an account, whose person has to sign in.
    pub has_account: bool,
}

/// The invitation that a token belongs to. `None` for one that was used or withdrawn, or is too old.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(parts: PeopleParts<'_>, token: &str) -> Result<Option<OpenInvitation>, ServiceError> {
    let Some(hash) = token_hash(token) else { return Ok(None) };
    let mut tx = parts.store.begin_brief_read().await?;
    let Some(invitation) = rows::find(&mut tx, &hash, parts.clock.now()).await? else { return Ok(None) };
    let has_account = users::find_by_email(&mut tx, &invitation.email).await?.is_some();
    tx.rollback().await?;
    Ok(Some(OpenInvitation { invitation, has_account }))
}

/// Accepts an invitation as the person who has signed in.
///
/// # Errors
///
/// [`AcceptError::OtherAddress`] for somebody else.
pub async fn accept(parts: PeopleParts<'_>, session: &Session, token: &str) -> Result<Membership, AcceptError> {
    let now = parts.clock.now();
    let (mut tx, invitation) = take(parts, token, now).await?;
    if invitation.email != session.person.email {
        return Err(AcceptError::OtherAddress(invitation.email));
    }
    let membership = join(&mut tx, now, &session.person, invitation).await?;
    tx.commit().await?;
    Ok(membership)
}

/// Accepts an invitation with a new account, and signs its person in.
///
/// # Errors
///
/// [`AcceptError::HasAccount`] where the address has an account.
pub async fn accept_with_account(
    parts: PeopleParts<'_>,
    token: &str,
    name: &str,
    password: &str,
    client: &SignInClient,
) -> Result<(IssuedSession, Membership), AcceptError> {
    let open = find(parts, token).await?.ok_or(AcceptError::Gone)?;
    let email = open.invitation.email;
    // What is typed is judged first: whoever holds the link learns that there is no account by making one, and not before.
    let name = fields::name(name, &email).map_err(|error| AcceptError::Name(error.to_string()))?;
    passwords::check(password).map_err(AcceptError::Password)?;
    if open.has_account {
        return Err(AcceptError::HasAccount);
    }
    let client_name = attempts::network(client.address).to_string();
    let password_hash = passwords::hashed(parts, client_name, password).await?;
    let now = parts.clock.now();
    let (mut tx, invitation) = take(parts, token, now).await?;
    let id = UserId::from(new_id(IdKind::User, now));
    let (password_hash, vouched_at) = (Some(&password_hash), None);
    let new = NewUser { id: &id, email: &email, name: &name, password_hash, vouched_at, created_at: now };
    if !users::insert(&mut tx, new).await? {
        return Err(AcceptError::HasAccount);
    }
    let person = Person { id, email, name };
    let membership = join(&mut tx, now, &person, invitation).await?;
    let session = sessions::begin(&mut tx, now, person, SignInMethod::Invitation, client).await?;
    tx.commit().await?;
    Ok((session, membership))
}

/// Uses an invitation up in a transaction that holds its workspace.
async fn take(parts: PeopleParts<'_>, token: &str, now: Timestamp) -> Result<(Tx, Invitation), AcceptError> {
    let hash = token_hash(token).ok_or(AcceptError::Gone)?;
    let found = parts.store.read_once(async |tx| rows::find(tx, &hash, now).await).await?;
    let invitation = found.ok_or(AcceptError::Gone)?;
    let mut tx = parts.store.begin_write_of(&invitation.workspace_id).await?;
    lock::workspace(&mut tx, &invitation.workspace_id).await?;
    // Somebody may have used it up or withdrawn it meanwhile; nothing of it changes before.
    match rows::take(&mut tx, &hash, now).await? {
        true => Ok((tx, invitation)),
        false => Err(AcceptError::Gone),
    }
}

async fn join(tx: &mut Tx, now: Timestamp, person: &Person, invitation: Invitation) -> Result<Membership, AcceptError> {
    let Invitation { workspace_id: workspace, handle, role, languages, .. } = invitation;
    // A member keeps the role that they have: nobody is demoted by accepting.
    if let Some(known) = memberships::by_workspace(tx, &person.id, &workspace).await? {
        return Ok(known.into());
    }
    let languages = languages.map(|languages| languages.0);
    members::join(tx, now, &person.actor(), &workspace, person, role, languages.as_deref()).await?;
    Ok(Membership { workspace, handle, role, languages, seen_at: None })
}

async fn record(
    tx: &mut Tx,
    now: Timestamp,
    by: &Person,
    workspace: &WorkspaceId,
    action: AuditAction,
    (subject, detail): (&str, Option<&str>),
) -> Result<(), ServiceError> {
    let record = audit::Record { project: None, action, subject: Some(subject), detail };
    audit::write(tx, workspace, &by.actor(), now, record).await
}
