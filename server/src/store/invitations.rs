//! Invitations to workspaces. A token is known by its hash alone.

use l10n_api_types::WorkspaceId;

use super::memberships::Role;
use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::InvitationId;

row! {
    /// An invitation with the workspace's name.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Invitation {
        /// `inv_…`
        pub id: InvitationId,
        /// The workspace
        pub workspace_id: WorkspaceId,
        /// The workspace's handle
        pub handle: String,
        /// The invited address, in lower case
        pub email: String,
        /// The role that the person will have
        pub role: Role,
        /// Languages that a translator or reviewer may edit; `None` for all
        pub languages: Option<Json<Vec<String>>>,
        /// The address of the person who invited
        pub invited_by: String,
        /// The time at which it was made
        pub created_at: Timestamp,
        /// Its end
        pub expires_at: Timestamp,
    }
}

statements! {
    PUT = "INSERT INTO invitations (id, workspace_id, token_hash, email, role, languages, invited_by, created_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (workspace_id, email) DO UPDATE SET id = excluded.id, \
        token_hash = excluded.token_hash, role = excluded.role, languages = excluded.languages, \
        invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at";
    FIND = "SELECT i.id, i.workspace_id, w.handle, i.email, i.role, i.languages, i.invited_by, i.created_at, i.expires_at \
        FROM invitations i JOIN workspaces w ON w.id = i.workspace_id \
        WHERE i.token_hash = $1 AND i.expires_at > $2 AND w.archived_at IS NULL";
    LIST = "SELECT i.id, i.workspace_id, w.handle, i.email, i.role, i.languages, i.invited_by, i.created_at, i.expires_at \
        FROM invitations i JOIN workspaces w ON w.id = i.workspace_id \
        WHERE i.workspace_id = $1 AND i.expires_at > $2 ORDER BY i.email";
    COUNT = "SELECT COUNT(*) FROM invitations WHERE workspace_id = $1";
    WITHDRAW = "DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 RETURNING email";
    WITHDRAW_OF = "DELETE FROM invitations WHERE workspace_id = $1 AND invited_by = $2 AND expires_at > $3 RETURNING email";
    TAKE = "DELETE FROM invitations WHERE token_hash = $1 AND expires_at > $2";
    FORGET = "DELETE FROM invitations WHERE workspace_id = $1 AND email = $2";
    EXPIRED = sqlite "DELETE FROM invitations WHERE id IN \
            (SELECT id FROM invitations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
        postgres "DELETE FROM invitations WHERE id IN \
            (SELECT id FROM invitations WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)";
}

/// The data of a new invitation.
#[derive(Debug, Clone, Copy)]
pub struct NewInvitation<'a> {
    /// `inv_…`
    pub id: &'a InvitationId,
    /// The workspace
    pub workspace_id: &'a WorkspaceId,
    /// SHA-256 of its token
    pub token_hash: [u8; 32],
    /// The invited address, in lower case
    pub email: &'a str,
    /// The role that the person will have
    pub role: Role,
    /// Languages that a translator or reviewer may edit; `None` for all
    pub languages: Option<&'a [String]>,
    /// The address of the person who invites
    pub invited_by: &'a str,
    /// Now
    pub created_at: Timestamp,
    /// Its end
    pub expires_at: Timestamp,
}

/// Adds an invitation in place of an earlier one of the same address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn put(tx: &mut Tx, new: NewInvitation<'_>) -> Result<(), StoreError> {
    let languages = new.languages.map(|languages| to_json("invitations.languages", languages)).transpose()?;
    execute!(
        tx,
        PUT,
        new.id.as_str(),
        new.workspace_id.as_str(),
        &new.token_hash[..],
        new.email,
        new.role.as_str(),
        &languages,
        new.invited_by,
        new.created_at.as_millis(),
        new.expires_at.as_millis(),
    )
    .map(drop)
}

/// The invitation whose token has this hash, if it is good at `now` and its workspace is not archived.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, token_hash: &[u8; 32], now: Timestamp) -> Result<Option<Invitation>, StoreError> {
    fetch_optional!(tx, Invitation, FIND, &token_hash[..], now.as_millis())
}

/// The invitations of a workspace that are good at `now`, by address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, workspace: &WorkspaceId, now: Timestamp) -> Result<Vec<Invitation>, StoreError> {
    fetch_all!(tx, Invitation, LIST, workspace.as_str(), now.as_millis())
}

/// The number of invitations of a workspace, also of those whose time is over. Lock the workspace before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, workspace: &WorkspaceId) -> Result<i64, StoreError> {
    Ok(fetch_one!(tx, (i64,), COUNT, workspace.as_str())?.0)
}

/// Deletes an invitation; returns the invited address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn withdraw(tx: &mut Tx, workspace: &WorkspaceId, id: &InvitationId) -> Result<Option<String>, StoreError> {
    Ok(fetch_optional!(tx, (String,), WITHDRAW, workspace.as_str(), id.as_str())?.map(|(email,)| email))
}

/// Deletes the invitations that a person has made and that are good at `now`; returns the invited addresses, in their order.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn withdraw_of(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    invited_by: &str,
    now: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let deleted = fetch_all!(tx, (String,), WITHDRAW_OF, workspace.as_str(), invited_by, now.as_millis())?;
    let mut emails: Vec<String> = deleted.into_iter().map(|(email,)| email).collect();
    emails.sort();
    Ok(emails)
}

/// Uses an invitation up; returns whether it was there. Of two that use it at once, one is told so.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn take(tx: &mut Tx, token_hash: &[u8; 32], now: Timestamp) -> Result<bool, StoreError> {
    Ok(execute!(tx, TAKE, &token_hash[..], now.as_millis())? == 1)
}

/// Deletes the invitation of an address; returns whether there was one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn forget(tx: &mut Tx, workspace: &WorkspaceId, email: &str) -> Result<bool, StoreError> {
    Ok(execute!(tx, FORGET, workspace.as_str(), email)? == 1)
}

/// Deletes invitations whose time was over by `now`, `most` at most; returns how many.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn expired(tx: &mut Tx, now: Timestamp, most: i64) -> Result<u64, StoreError> {
    execute!(tx, EXPIRED, now.as_millis(), most)
}
