//! Finding a project by the names that people use, and its settings.

use l10n_api_types::projects::{Project, ResolveQuery};

use super::{Caller, ServiceError};
use crate::store::projects::MemorySetting;
use crate::store::{Tx, lock, projects};

/// The project of these names, where it is the caller's own. Another's reads as if there were none (AMB-3).
///
/// # Errors
///
/// 400 for an empty name, 404 for one that does not lead to the caller's project.
pub(crate) async fn resolve(tx: &mut Tx, caller: &Caller, names: &ResolveQuery) -> Result<Project, ServiceError> {
    for (field, name) in [("workspace", &names.workspace), ("project", &names.project)] {
        if name.is_empty() {
            return Err(ServiceError::InvalidArgument(format!("`{field}` must not be empty")));
        }
    }
    let project = projects::find_by_handle_and_slug(tx, &names.workspace, &names.project).await?;
    match project.filter(|project| project.id == caller.project.as_str()) {
        Some(project) => Ok(Project { project_id: project.id.into(), workspace_id: project.workspace_id.into() }),
        None => Err(ServiceError::NotFound("the key belongs to no project of these names".into())),
    }
}

/// Sets the share of a project in translation memory: the entries that it gives and takes. Earlier entries stay.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn set_memory(tx: &mut Tx, project: &str, memory: MemorySetting) -> Result<(), ServiceError> {
    // A run or a chunk of a job that has read the setting before ends first.
    lock::project(tx, project).await?;
    Ok(projects::set_memory(tx, project, memory).await?)
}
