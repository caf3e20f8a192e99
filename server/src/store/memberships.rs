//! Memberships: who may do what in a workspace.

use l10n_api_types::WorkspaceId;

use super::row::{Json, to_json};
use super::{StoreError, Tx};
use crate::clock::Timestamp;
use crate::ids::UserId;

text_enum! {
    /// A role in a workspace. Each may do what those before it may.
    #[derive(PartialOrd, Ord)]
    pub enum Role {
        /// Sees
        Viewer = "viewer",
        /// Edits translations
        Translator = "translator",
        /// Marks translations as reviewed
        Reviewer = "reviewer",
        /// Publishes, and manages projects
        Manager = "manager",
        /// Manages members and credits, and deletes
        Owner = "owner",
    }
}

impl Role {
    /// Every role, the least first.
    pub const ALL: [Self; 5] = [Self::Viewer, Self::Translator, Self::Reviewer, Self::Manager, Self::Owner];

    /// The role of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

row! {
    /// A membership of a person, with the workspace's name.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Membership {
        /// The workspace
        pub workspace_id: WorkspaceId,
        /// The workspace's handle
        pub handle: String,
        /// The role in it
        pub role: Role,
        /// Languages that a translator or reviewer may edit; `None` for all
        pub languages: Option<Json<Vec<String>>>,
        /// The hour in which the person last opened a page of the workspace
        pub seen_at: Option<Timestamp>,
    }
}

row! {
    /// A member of a workspace.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Member {
        /// The person
        pub user_id: UserId,
        /// The person's address
        pub email: String,
        /// The person's name
        pub name: String,
        /// The role
        pub role: Role,
        /// Languages that a translator or reviewer may edit; `None` for all
        pub languages: Option<Json<Vec<String>>>,
        /// From when on the person cannot sign in
        pub disabled_at: Option<Timestamp>,
        /// Since when the person is a member
        pub created_at: Timestamp,
        /// The hour in which the person last opened a page of the workspace
        pub seen_at: Option<Timestamp>,
    }
}

statements! {
    OF_USER = "SELECT m.workspace_id, w.handle, m.role, m.languages, m.seen_at FROM memberships m \
        JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = $1 AND w.archived_at IS NULL ORDER BY w.handle";
    OF_USER_BY_HANDLE = "SELECT m.workspace_id, w.handle, m.role, m.languages, m.seen_at FROM workspaces w \
        JOIN memberships m ON m.workspace_id = w.id WHERE w.handle = $2 AND m.user_id = $1 AND w.archived_at IS NULL";
    OF_USER_BY_ID = "SELECT m.workspace_id, w.handle, m.role, m.languages, m.seen_at FROM memberships m \
        JOIN workspaces w ON w.id = m.workspace_id WHERE m.workspace_id = $2 AND m.user_id = $1 AND w.archived_at IS NULL";
    LIST = "SELECT m.user_id, u.email, u.name, m.role, m.languages, u.disabled_at, m.created_at, m.seen_at FROM memberships m \
        JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 ORDER BY u.email";
    PAGE = "SELECT m.user_id, u.email, u.name, m.role, m.languages, u.disabled_at, m.created_at, m.seen_at FROM memberships m \
        JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND u.email > $2 ORDER BY u.email LIMIT $3";
    FIND = "SELECT m.user_id, u.email, u.name, m.role, m.languages, u.disabled_at, m.created_at, m.seen_at FROM memberships m \
        JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND m.user_id = $2";
    OTHER_OWNERS = "SELECT COUNT(*) FROM memberships m JOIN users u ON u.id = m.user_id \
        WHERE m.workspace_id = $1 AND m.user_id <> $2 AND m.role = 'owner' AND u.disabled_at IS NULL";
    COUNT = "SELECT COUNT(*) FROM memberships WHERE workspace_id = $1";
    PUT = "INSERT INTO memberships (workspace_id, user_id, role, languages, created_at) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role, languages = excluded.languages";
    SEE = "UPDATE memberships SET seen_at = $3 WHERE workspace_id = $1 AND user_id = $2 AND (seen_at IS NULL OR seen_at < $3)";
    REMOVE = "DELETE FROM memberships WHERE workspace_id = $1 AND user_id = $2";
}

/// The memberships of a person in workspaces that are not archived, by handle.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_user(tx: &mut Tx, user: &UserId) -> Result<Vec<Membership>, StoreError> {
    fetch_all!(tx, Membership, OF_USER, user.as_str())
}

/// The membership of a person in the workspace of this handle, unless it is archived.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn by_handle(tx: &mut Tx, user: &UserId, handle: &str) -> Result<Option<Membership>, StoreError> {
    fetch_optional!(tx, Membership, OF_USER_BY_HANDLE, user.as_str(), handle)
}

/// The membership of a person in the workspace of this id, unless it is archived.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn by_workspace(
    tx: &mut Tx,
    user: &UserId,
    workspace: &WorkspaceId,
) -> Result<Option<Membership>, StoreError> {
    fetch_optional!(tx, Membership, OF_USER_BY_ID, user.as_str(), workspace.as_str())
}

/// The members of a workspace, by address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn list(tx: &mut Tx, workspace: &WorkspaceId) -> Result<Vec<Member>, StoreError> {
    fetch_all!(tx, Member, LIST, workspace.as_str())
}

/// At most `most` members of a workspace after an address, by address.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn page(tx: &mut Tx, workspace: &WorkspaceId, after: &str, most: i64) -> Result<Vec<Member>, StoreError> {
    fetch_all!(tx, Member, PAGE, workspace.as_str(), after, most)
}

/// Notes that a member has opened a page of the workspace.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn see(tx: &mut Tx, workspace: &WorkspaceId, user: &UserId, now: Timestamp) -> Result<(), StoreError> {
    execute!(tx, SEE, workspace.as_str(), user.as_str(), now.as_millis()).map(drop)
}

/// A member of a workspace.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn find(tx: &mut Tx, workspace: &WorkspaceId, user: &UserId) -> Result<Option<Member>, StoreError> {
    fetch_optional!(tx, Member, FIND, workspace.as_str(), user.as_str())
}

/// The number of owners of a workspace beside a person, without those who cannot sign in. Lock the workspace before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn other_owners(tx: &mut Tx, workspace: &WorkspaceId, user: &UserId) -> Result<i64, StoreError> {
    Ok(fetch_one!(tx, (i64,), OTHER_OWNERS, workspace.as_str(), user.as_str())?.0)
}

/// The number of members of a workspace. Lock the workspace before.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn count(tx: &mut Tx, workspace: &WorkspaceId) -> Result<i64, StoreError> {
    Ok(fetch_one!(tx, (i64,), COUNT, workspace.as_str())?.0)
}

/// Makes a person a member, or changes the role of one.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such person or workspace.
pub async fn put(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    user: &UserId,
    role: Role,
    languages: Option<&[String]>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let languages = languages.map(|languages| to_json("memberships.languages", languages)).transpose()?;
    execute!(tx, PUT, workspace.as_str(), user.as_str(), role.as_str(), languages, now.as_millis()).map(drop)
}

/// Removes a member; returns whether there was one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn remove(tx: &mut Tx, workspace: &WorkspaceId, user: &UserId) -> Result<bool, StoreError> {
    Ok(execute!(tx, REMOVE, workspace.as_str(), user.as_str())? == 1)
}
