//! The members of a workspace: who they are, and changing them.

use l10n_api_types::WorkspaceId;
use l10n_formats::locales;

use super::{PeopleParts, Person, audit};
use crate::clock::Timestamp;
use crate::domain::access::{Action, Role, allows};
use crate::domain::{Actor, ServiceError, pages};
use crate::ids::UserId;
use crate::store::audit_log::AuditAction;
pub use crate::store::memberships::Member;
use crate::store::{Tx, api_keys, invitations, lock, memberships as rows};

/// Members of a workspace.
pub const MOST_MEMBERS: usize = 1_000;
/// Languages that a membership names.
const MOST_LANGUAGES: usize = 200;

/// The reason why a membership was not changed.
#[derive(Debug, thiserror::Error)]
pub enum MemberError {
    /// The person is no member of the workspace.
    #[error("This person is no member of the workspace any more")]
    Unknown,
    /// The person is the last owner.
    #[error("A workspace needs an owner: make somebody else an owner first")]
    LastOwner,
    /// The one who asks may not do that, or no longer.
    #[error("Only owners may change members")]
    NotAllowed,
    /// The workspace has as many members as it may.
    #[error("A workspace has at most {MOST_MEMBERS} members")]
    TooMany,
    /// Somebody else has changed the role meanwhile.
    #[error("The role was changed meanwhile")]
    Moved,
    /// A language is not one.
    #[error("{0}")]
    Languages(String),
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(MemberError);

/// The members of a workspace, by address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(parts: PeopleParts<'_>, workspace: &WorkspaceId) -> Result<Vec<Member>, ServiceError> {
    let mut tx = parts.store.begin_read().await?;
    let found = rows::list(&mut tx, workspace).await?;
    tx.rollback().await?;
    Ok(found)
}

/// A page of members.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberPage {
    /// The members, by address.
    pub members: Vec<Member>,
    /// The address after which the next page begins, if there is one.
    pub next: Option<String>,
}

/// A page of at most `most` members of a workspace after an address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(
    parts: PeopleParts<'_>,
    workspace: &WorkspaceId,
    after: &str,
    most: usize,
) -> Result<MemberPage, ServiceError> {
    let mut tx = parts.store.begin_read().await?;
    let mut members = rows::page(&mut tx, workspace, after, pages::one_more(most)).await?;
    tx.rollback().await?;
    let next = pages::cut(&mut members, most, |last| last.email.clone());
    Ok(MemberPage { members, next })
}

/// A member of a workspace by their id.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(
    parts: PeopleParts<'_>,
    workspace: &WorkspaceId,
    member: &UserId,
) -> Result<Option<Member>, ServiceError> {
    Ok(parts.store.read_once(async |tx| rows::find(tx, workspace, member).await).await?)
}

/// The number of API keys of the workspace that a person has made and that work: their maker may still have them.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn keys_made(parts: PeopleParts<'_>, workspace: &WorkspaceId, email: &str) -> Result<i64, ServiceError> {
    let now = parts.clock.now();
    Ok(parts.store.read_once(async |tx| api_keys::made_by(tx, workspace, email, now).await).await?)
}

/// A role with the languages that it is limited to; none for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberRole<'a> {
    /// The role.
    pub role: Role,
    /// The languages of a translator or reviewer.
    pub languages: &'a [String],
}

/// Changes the role of a member, and the languages of a translator or reviewer. `shown` is the role that the one who asks was
/// shown, if they were.
///
/// # Errors
///
/// [`MemberError::LastOwner`] for the last owner, [`MemberError::NotAllowed`] for one who is no owner, [`MemberError::Moved`]
/// where the role is not the one that was shown.
pub async fn set_role(
    parts: PeopleParts<'_>,
    by: &Person,
    workspace: &WorkspaceId,
    member: &UserId,
    to: MemberRole<'_>,
    shown: Option<MemberRole<'_>>,
) -> Result<(), MemberError> {
    let role = to.role;
    let languages = checked_languages(role, Some(to.languages)).map_err(MemberError::Languages)?;
    let now = parts.clock.now();
    let mut tx = parts.store.begin_write_of(workspace).await?;
    lock::workspace(&mut tx, workspace).await?;
    require(&mut tx, workspace, by, Action::ManageMembers).await?;
    let known = rows::find(&mut tx, workspace, member).await?.ok_or(MemberError::Unknown)?;
    if (known.role, known.languages.as_ref().map(|known| &known.0)) == (role, languages.as_ref()) {
        return Ok(());
    }
    let present = known.languages.as_ref().map_or(&[][..], |known| &known.0);
    if shown.is_some_and(|shown| shown != MemberRole { role: known.role, languages: present }) {
        return Err(MemberError::Moved);
    }
    if known.role == Role::Owner && role != Role::Owner {
        keep_an_owner(&mut tx, workspace, member).await?;
    }
    if !allows(role, Action::ManageMembers) {
        withdraw_invitations(&mut tx, now, &by.actor(), workspace, &known.email).await?;
    }
    write(&mut tx, now, &by.actor(), workspace, (member, &known.email), role, languages.as_deref()).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes a member. People may remove themselves.
///
/// # Errors
///
/// [`MemberError::LastOwner`] for the last owner, [`MemberError::NotAllowed`] for another member where one is no owner.
pub async fn remove(
    parts: PeopleParts<'_>,
    by: &Person,
    workspace: &WorkspaceId,
    member: &UserId,
) -> Result<(), MemberError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin_write_of(workspace).await?;
    lock::workspace(&mut tx, workspace).await?;
    if by.id != *member {
        require(&mut tx, workspace, by, Action::ManageMembers).await?;
    }
    let known = rows::find(&mut tx, workspace, member).await?.ok_or(MemberError::Unknown)?;
    if known.role == Role::Owner {
        keep_an_owner(&mut tx, workspace, member).await?;
    }
    rows::remove(&mut tx, workspace, member).await?;
    withdraw_invitations(&mut tx, now, &by.actor(), workspace, &known.email).await?;
    let subject = Some(known.email.as_str());
    let record = audit::Record { project: None, action: AuditAction::MemberRemoved, subject, detail: None };
    audit::write(&mut tx, workspace, &by.actor(), now, record).await?;
    tx.commit().await?;
    Ok(())
}

/// Makes a person a member, or changes the role of one: for the operator, who may also demote the last owner.
///
/// # Errors
///
/// [`MemberError::TooMany`] where the workspace has as many members as it may.
pub async fn put(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    workspace: &WorkspaceId,
    person: &Person,
    role: Role,
) -> Result<(), MemberError> {
    lock::workspace(tx, workspace).await?;
    let known = rows::find(tx, workspace, &person.id).await?;
    if known.is_some_and(|known| known.role == role) {
        return Ok(());
    }
    if !allows(role, Action::ManageMembers) {
        withdraw_invitations(tx, now, by, workspace, &person.email).await?;
    }
    join(tx, now, by, workspace, person, role, None).await
}

/// Adds a member or changes one, as an invitation or the operator says. Lock the workspace before.
pub(super) async fn join(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    workspace: &WorkspaceId,
    person: &Person,
    role: Role,
    languages: Option<&[String]>,
) -> Result<(), MemberError> {
    let is_new = rows::find(tx, workspace, &person.id).await?.is_none();
    if is_new && usize::try_from(rows::count(tx, workspace).await?).unwrap_or(usize::MAX) >= MOST_MEMBERS {
        return Err(MemberError::TooMany);
    }
    invitations::forget(tx, workspace, &person.email).await?;
    write(tx, now, by, workspace, (&person.id, &person.email), role, languages).await
}

/// Withdraws the invitations of a person who may invite nobody any more: their links would let people in all the same.
async fn withdraw_invitations(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    workspace: &WorkspaceId,
    invited_by: &str,
) -> Result<(), ServiceError> {
    for email in invitations::withdraw_of(tx, workspace, invited_by, now).await? {
        let (subject, action) = (Some(email.as_str()), AuditAction::InvitationWithdrawn);
        let record = audit::Record { project: None, action, subject, detail: None };
        audit::write(tx, workspace, by, now, record).await?;
    }
    Ok(())
}

async fn write(
    tx: &mut Tx,
    now: Timestamp,
    by: &Actor,
    workspace: &WorkspaceId,
    (member, email): (&UserId, &str),
    role: Role,
    languages: Option<&[String]>,
) -> Result<(), MemberError> {
    let is_new = rows::find(tx, workspace, member).await?.is_none();
    rows::put(tx, workspace, member, role, languages, now).await?;
    let mut detail = role.as_str().to_owned();
    if let Some(languages) = languages {
        detail.push_str(&format!(": {}", languages.join(", ")));
    }
    let action = if is_new { AuditAction::MemberAdded } else { AuditAction::MemberChanged };
    let record = audit::Record { project: None, action, subject: Some(email), detail: Some(&detail) };
    Ok(audit::write(tx, workspace, by, now, record).await?)
}

/// Requires that a person may do something at this moment: the role may have changed since the page was asked for.
pub(super) async fn require(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    by: &Person,
    action: Action,
) -> Result<(), MemberError> {
    match rows::by_workspace(tx, &by.id, workspace).await? {
        Some(membership) if allows(membership.role, action) => Ok(()),
        _ => Err(MemberError::NotAllowed),
    }
}

async fn keep_an_owner(tx: &mut Tx, workspace: &WorkspaceId, member: &UserId) -> Result<(), MemberError> {
    match rows::other_owners(tx, workspace, member).await? {
        0 => Err(MemberError::LastOwner),
        _ => Ok(()),
    }
}

/// The languages of a membership, canonical: none for roles that edit all.
pub(super) fn checked_languages(role: Role, asked: Option<&[String]>) -> Result<Option<Vec<String>>, String> {
    let asked = asked.filter(|languages| !languages.is_empty());
    let Some(asked) = asked.filter(|_| matches!(role, Role::Translator | Role::Reviewer)) else { return Ok(None) };
    if asked.len() > MOST_LANGUAGES {
        return Err(format!("A member has at most {MOST_LANGUAGES} languages"));
    }
    let mut languages = Vec::with_capacity(asked.len());
    for language in asked {
        let code = locales::canonicalize(language).map_err(|error| error.to_string())?;
        if !languages.contains(&code) {
            languages.push(code);
        }
    }
    Ok(Some(languages))
}
