//! Archiving and deleting projects, workspaces and documents, by a person beside the server.
//!
//! Archiving hides its subject: keys, manifest and documents answer as if they were gone, and jobs are canceled. The
//! rows stay until a person restores the subject. Deleting archives the subject and deletes its rows after a grace
//! period, in which a person can restore it, too. Deliveries of earlier publishes go on.

use l10n_api_types::{ProjectId, WorkspaceId};

use super::{ServiceError, credits};
use crate::clock::Timestamp;
use crate::config::Retention;
use crate::store::lifecycle::{self, LifecycleState};
use crate::store::projects::{self, Project};
use crate::store::workspaces::Workspace;
use crate::store::{Tx, lock};

/// Milliseconds of a day.
const DAY: i64 = 24 * 60 * 60 * 1_000;

/// The subject to archive, delete or restore, by its id.
#[derive(Debug, Clone, Copy)]
pub enum LifecycleTarget<'a> {
    /// A project
    Project(&'a ProjectId),
    /// A workspace with all of its projects
    Workspace(&'a WorkspaceId),
    /// A document
    Document {
        /// Its project
        project: &'a ProjectId,
        /// Its id
        id: &'a str,
    },
}

/// Hides the subject. Nothing changes if it is archived already.
///
/// # Errors
///
/// 404 when there is no such thing; 400 when its deletion has begun, and for a project of an archived workspace.
pub async fn archive(tx: &mut Tx, subject: LifecycleTarget<'_>, now: Timestamp) -> Result<(), ServiceError> {
    let standing = locked(tx, subject).await?;
    if let LifecycleTarget::Project(id) = subject {
        check_workspace(tx, id).await?;
    }
    match standing.archived_at {
        Some(_) => Ok(()),
        None => set(tx, subject, standing, LifecycleState { archived_at: Some(now), delete_at: None }, now).await,
    }
}

/// Hides the subject and has its rows deleted after the grace period; returns the time of that. An earlier deletion
/// keeps its time.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn delete(
    tx: &mut Tx,
    subject: LifecycleTarget<'_>,
    retention: &Retention,
    now: Timestamp,
) -> Result<Timestamp, ServiceError> {
    let standing = locked(tx, subject).await?;
    if let Some(at) = standing.delete_at {
        return Ok(at);
    }
    let at = now.plus_millis(i64::from(retention.deletion_grace_days) * DAY);
    let to = LifecycleState { archived_at: standing.archived_at.or(Some(now)), delete_at: Some(at) };
    set(tx, subject, standing, to, now).await?;
    Ok(at)
}

/// Shows the subject again; canceled jobs stay canceled.
///
/// # Errors
///
/// 404 when there is no such thing; 400 when its deletion has begun, when what it is part of is archived, and for a document
/// whose external id another one has by now.
pub async fn restore(tx: &mut Tx, subject: LifecycleTarget<'_>, now: Timestamp) -> Result<(), ServiceError> {
    let standing = locked(tx, subject).await?;
    match subject {
        LifecycleTarget::Project(id) => drop(check_workspace(tx, id).await?),
        LifecycleTarget::Document { project, .. } => check_project(tx, project).await?,
        LifecycleTarget::Workspace(_) => {}
    }
    if standing.archived_at.is_none() {
        return Ok(());
    }
    set(tx, subject, standing, LifecycleState::default(), now).await
}

/// Refuses to go on with a part of an archived workspace: the part comes back with the workspace, or is deleted with it.
/// Whoever archives a workspace has its projects locked, as the caller has this one.
async fn check_workspace(tx: &mut Tx, project: &ProjectId) -> Result<(Project, Workspace), ServiceError> {
    let project = projects::find(tx, project).await?;
    let project = project.ok_or_else(|| ServiceError::NotFound("there is no such project".to_owned()))?;
    let workspace = credits::workspace(tx, &project.workspace_id).await?;
    match workspace.archived_at {
        Some(_) => Err(is_archived("workspace", &workspace.handle)),
        None => Ok((project, workspace)),
    }
}

/// Refuses to go on with a part of an archived project.
async fn check_project(tx: &mut Tx, project: &ProjectId) -> Result<(), ServiceError> {
    let (project, workspace) = check_workspace(tx, project).await?;
    match project.archived_at {
        Some(_) => Err(is_archived("project", &format!("{}/{}", workspace.handle, project.slug))),
        None => Ok(()),
    }
}

fn is_archived(what: &str, name: &str) -> ServiceError {
    let restore = format!("restore it first with `l10n-server {what}s restore {name}`");
    ServiceError::InvalidArgument(format!("the {what} {name} is archived: {restore}"))
}

/// Reads the state of the subject and locks it to the end of the transaction.
async fn locked(tx: &mut Tx, subject: LifecycleTarget<'_>) -> Result<LifecycleState, ServiceError> {
    let found = match subject {
        LifecycleTarget::Project(id) => {
            lock::project(tx, id).await?;
            lifecycle::project(tx, id).await?
        }
        LifecycleTarget::Workspace(id) => {
            lock::whole_workspace(tx, id).await?;
            lifecycle::workspace(tx, id).await?
        }
        LifecycleTarget::Document { project, id } => {
            lock::project(tx, project).await?;
            lifecycle::document(tx, project, id).await?
        }
    };
    let what = match subject {
        LifecycleTarget::Project(_) => "project",
        LifecycleTarget::Workspace(_) => "workspace",
        LifecycleTarget::Document { .. } => "document",
    };
    let standing = found.ok_or_else(|| ServiceError::NotFound(format!("there is no such {what}")))?;
    match standing.delete_at.map(Timestamp::as_millis) {
        Some(0) => Err(deletion_has_begun(what)),
        _ => Ok(standing),
    }
}

async fn set(
    tx: &mut Tx,
    subject: LifecycleTarget<'_>,
    from: LifecycleState,
    to: LifecycleState,
    now: Timestamp,
) -> Result<(), ServiceError> {
    match subject {
        LifecycleTarget::Project(id) => set_project(tx, id, to, now).await,
        LifecycleTarget::Workspace(id) => {
            for project in projects::list(tx, id).await? {
                let standing = lifecycle::project(tx, &project.id).await?.unwrap_or_default();
                // A project that was archived by itself stays so when the workspace comes back.
                if standing.delete_at.is_none() && standing.archived_at == from.archived_at {
                    let archived_at = to.archived_at;
                    set_project(tx, &project.id, LifecycleState { archived_at, delete_at: None }, now).await?;
                }
            }
            Ok(lifecycle::set_workspace(tx, id, to).await?)
        }
        LifecycleTarget::Document { id, .. } if to.archived_at.is_some() => {
            lifecycle::cancel_jobs_of_document(tx, id, now).await?;
            Ok(lifecycle::archive_document(tx, id, to).await?)
        }
        LifecycleTarget::Document { id, .. } => match lifecycle::taken(tx, id).await? {
            Some(other) => Err(ServiceError::InvalidArgument(format!(
                "document `{other}` has its external id by now: archive that one, or give it another external id"
            ))),
            // The sweep that begins to delete it waits for nobody.
            None if !lifecycle::restore_document(tx, id).await? => Err(deletion_has_begun("document")),
            None => Ok(()),
        },
    }
}

fn deletion_has_begun(what: &str) -> ServiceError {
    ServiceError::InvalidArgument(format!("the deletion of this {what} has begun"))
}

async fn set_project(tx: &mut Tx, id: &ProjectId, to: LifecycleState, now: Timestamp) -> Result<(), ServiceError> {
    if to.archived_at.is_some() {
        lifecycle::cancel_jobs_of_project(tx, id, now).await?;
    }
    Ok(lifecycle::set_project(tx, id, to).await?)
}
