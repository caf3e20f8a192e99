//! Memberships: what a person may do in a workspace. What a person is no member of reads as if it were not there.

use l10n_api_types::WorkspaceId;

use super::{PeopleParts, Person};
use crate::clock::Timestamp;
use crate::domain::access::{Action, Role, allows};
use crate::domain::{ServiceError, pages};
use crate::store::projects::{self, Project};
use crate::store::{StoreError, memberships as rows, operations};

/// Time after which a visit is noted once more: an hour, in milliseconds.
const SEEN_MILLIS: i64 = 60 * 60 * 1_000;

/// A membership of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The workspace's handle.
    pub handle: String,
    /// The role in it.
    pub role: Role,
    /// Languages that a translator or reviewer may edit; `None` for all.
    pub languages: Option<Vec<String>>,
    /// The hour in which the person last opened a page of the workspace.
    pub seen_at: Option<Timestamp>,
}

impl Membership {
    /// Returns whether the member may do something.
    #[must_use]
    pub fn may(&self, action: Action) -> bool {
        allows(self.role, action)
    }

    /// Returns whether the member may edit translations into a language.
    #[must_use]
    pub fn may_edit(&self, language: &str) -> bool {
        let names_it = self.languages.as_ref().is_none_or(|languages| languages.iter().any(|known| known == language));
        self.may(Action::EditTranslations) && names_it
    }
}

impl From<rows::Membership> for Membership {
    fn from(row: rows::Membership) -> Self {
        let languages = row.languages.map(|languages| languages.0);
        Self { workspace: row.workspace_id, handle: row.handle, role: row.role, languages, seen_at: row.seen_at }
    }
}

/// The memberships of a person, by handle. Archived workspaces are left out.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn workspaces(parts: PeopleParts<'_>, person: &Person) -> Result<Vec<Membership>, ServiceError> {
    let mut tx = parts.store.begin_read().await?;
    let found = rows::of_user(&mut tx, &person.id).await?;
    tx.rollback().await?;
    Ok(found.into_iter().map(Membership::from).collect())
}

/// The membership of a person in the workspace of this handle.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn in_workspace(
    parts: PeopleParts<'_>,
    person: &Person,
    handle: &str,
) -> Result<Option<Membership>, ServiceError> {
    if !pages::is_id(handle) {
        return Ok(None);
    }
    let mut tx = parts.store.begin_read().await?;
    let found = rows::by_handle(&mut tx, &person.id, handle).await?;
    tx.rollback().await?;
    Ok(found.map(Membership::from))
}

/// The project of these names, if the person is a member of its workspace and it is not archived.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn in_project(
    parts: PeopleParts<'_>,
    person: &Person,
    handle: &str,
    slug: &str,
) -> Result<Option<(Project, Membership)>, ServiceError> {
    if !pages::is_id(handle) || !pages::is_id(slug) {
        return Ok(None);
    }
    let mut tx = parts.store.begin_read().await?;
    let Some(membership) = rows::by_handle(&mut tx, &person.id, handle).await? else { return Ok(None) };
    let project = projects::find_by_slug(&mut tx, &membership.workspace_id, slug).await?;
    tx.rollback().await?;
    Ok(project.filter(|project| project.archived_at.is_none()).map(|project| (project, membership.into())))
}

/// The project of an operation, if the person is a member of its workspace and it is not archived.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn of_operation(
    parts: PeopleParts<'_>,
    person: &Person,
    operation: &str,
) -> Result<Option<(Project, Membership)>, ServiceError> {
    if !pages::is_id(operation) {
        return Ok(None);
    }
    let mut tx = parts.store.begin_read().await?;
    let Some(operation) = operations::find(&mut tx, operation).await? else { return Ok(None) };
    let project = projects::find(&mut tx, &operation.project_id).await?;
    let Some(project) = project.filter(|project| project.archived_at.is_none()) else { return Ok(None) };
    let membership = rows::by_workspace(&mut tx, &person.id, &project.workspace_id).await?;
    tx.rollback().await?;
    Ok(membership.map(|membership| (project, membership.into())))
}

/// Notes that a member has opened a page of the workspace, at most once an hour.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn see(parts: PeopleParts<'_>, person: &Person, membership: &Membership) -> Result<(), ServiceError> {
    let now = parts.clock.now();
    if membership.seen_at.is_some_and(|seen| now.as_millis() - seen.as_millis() < SEEN_MILLIS) {
        return Ok(());
    }
    match note_visit(parts, person, membership, now).await {
        // The next visit notes it.
        Err(error) if error.is_unavailable() => tracing::debug!(?error, "cannot note the visit of a member"),
        noted => noted?,
    }
    Ok(())
}

async fn note_visit(
    parts: PeopleParts<'_>,
    person: &Person,
    membership: &Membership,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut tx = parts.store.begin_brief_write().await?;
    rows::see(&mut tx, &membership.workspace, &person.id, now).await?;
    tx.commit().await
}
