//! Projects: finding one by the names that people use, making one, their overview, their settings.

use l10n_api_types::projects::{Project, ResolveQuery};
use l10n_api_types::{ProjectId, WorkspaceId};
use l10n_formats::locales;

use super::people::audit;
use super::provision::check_name;
use super::{Actor, Caller, ServiceError, operations};
use crate::clock::{Clock, Timestamp};
use crate::config::Settings;
use crate::ids::{IdKind, new_id};
use crate::store::audit_log::AuditAction;
use crate::store::languages::{self, Language};
use crate::store::overview::{self, ProjectOverview};
use crate::store::projects::MemorySetting;
use crate::store::{StoreError, Tx, lock, projects, workspaces};

/// Longest name, in Unicode scalar values.
pub(crate) const LONGEST_PROJECT_NAME: usize = 100;
/// Target languages that a project begins with.
const MOST_LANGUAGES: usize = 500;

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
    match project.filter(|project| project.id == caller.project) {
        Some(project) => Ok(Project { project_id: project.id, workspace_id: project.workspace_id }),
        None => Err(ServiceError::NotFound("the key belongs to no project of these names".into())),
    }
}

/// Sets the share of a project in translation memory: the entries that it gives and takes. Earlier entries stay.
///
/// # Errors
///
/// Returns an error if the datastore fails, or if there is no such project.
pub async fn set_memory(tx: &mut Tx, project: &ProjectId, memory: MemorySetting) -> Result<(), ServiceError> {
    // A run or a chunk of a job that has read the setting before ends first.
    lock::project(tx, project).await?;
    Ok(projects::set_memory(tx, project, memory).await?)
}

/// Checks the name of a project.
///
/// # Errors
///
/// A sentence that says what is wrong.
pub(super) fn check_name_for_people(name: &str) -> Result<(), String> {
    if name.is_empty() || name.chars().count() > LONGEST_PROJECT_NAME || name.chars().any(char::is_control) {
        return Err(format!("The name must be a single line of 1 to {LONGEST_PROJECT_NAME} characters"));
    }
    Ok(())
}

/// The facts about a new project, as a person types them.
#[derive(Debug, Clone, Copy)]
pub struct ProjectRequest<'a> {
    /// Name for people.
    pub name: &'a str,
    /// Name in addresses.
    pub slug: &'a str,
    /// Language tag of the source texts.
    pub base_language: &'a str,
    /// Language tags of the targets.
    pub languages: &'a [&'a str],
}

/// The reason why a project was not made.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// The name is empty, too long, or cannot be shown.
    #[error("{0}")]
    Name(String),
    /// The slug cannot be part of an address.
    #[error("{0}")]
    Slug(String),
    /// The workspace has a project with this slug.
    #[error("this workspace already has a project with this slug")]
    Taken,
    /// The base language is none.
    #[error("{0}")]
    BaseLanguage(String),
    /// A target language is none, or there are too many.
    #[error("{0}")]
    Languages(String),
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl From<StoreError> for CreateError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unique(_) => Self::Taken,
            other => Self::Service(other.into()),
        }
    }
}

/// Makes a project of a workspace with its languages.
///
/// # Errors
///
/// [`CreateError`] names the field that is wrong; `tx` must not be committed then.
pub async fn create(
    tx: &mut Tx,
    clock: &dyn Clock,
    settings: &Settings,
    workspace: &WorkspaceId,
    by: &Actor,
    new: ProjectRequest<'_>,
) -> Result<projects::Project, CreateError> {
    let name = new.name.trim();
    check_name_for_people(name).map_err(CreateError::Name)?;
    check_name("the name in addresses", new.slug).map_err(|error| CreateError::Slug(error.to_string()))?;
    let codes = codes(new)?;
    lock::workspace(tx, workspace).await?;
    let found = workspaces::find(tx, workspace).await?;
    let plan = found.map(|workspace| settings.plan(&workspace.plan)).unwrap_or_default();
    let wanted = codes.len() as u64;
    if let Some(limit) = plan.languages.filter(|limit| wanted > *limit) {
        return Err(ServiceError::PlanLimit { feature: "languages", limit, wanted }.into());
    }
    if projects::find_by_slug(tx, workspace, new.slug).await?.is_some() {
        return Err(CreateError::Taken);
    }
    let now = clock.now();
    let id = ProjectId::new(new_id(IdKind::Project, now));
    let row = projects::NewProject {
        id: &id,
        workspace_id: workspace,
        slug: new.slug,
        name,
        base_language: &codes[0],
        created_at: now,
    };
    projects::insert(tx, row).await?;
    let row = |(position, code): (i64, &String)| Language {
        code: code.clone(),
        is_base: position == 0,
        position,
        created_at: now,
    };
    let rows: Vec<_> = (0..).zip(&codes).map(row).collect();
    languages::insert(tx, &id, &rows).await?;
    let (project, subject) = (Some(&id), Some(new.slug));
    let record = audit::Record { project, action: AuditAction::ProjectCreated, subject, detail: Some(name) };
    audit::write(tx, workspace, by, now, record).await?;
    projects::find(tx, &id).await?.ok_or_else(|| ServiceError::internal("the new project is gone").into())
}

/// The base language and then the targets, canonical, each once.
fn codes(new: ProjectRequest<'_>) -> Result<Vec<String>, CreateError> {
    let known = |tag: &str| {
        let code = locales::canonicalize(tag).map_err(|error| error.to_string())?;
        locales::check_known(&code).map_err(|error| error.to_string())?;
        Ok(code)
    };
    if new.languages.len() > MOST_LANGUAGES {
        return Err(CreateError::Languages(format!("a project begins with at most {MOST_LANGUAGES} languages")));
    }
    let mut codes = vec![known(new.base_language).map_err(CreateError::BaseLanguage)?];
    for tag in new.languages {
        let code = known(tag).map_err(CreateError::Languages)?;
        if !codes.contains(&code) {
            codes.push(code);
        }
    }
    Ok(codes)
}

/// At most `most` projects of a workspace with their counts and what is waiting in them, by slug, those after the slug `after`.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn overview(
    tx: &mut Tx,
    workspace: &WorkspaceId,
    after: &str,
    most: i64,
    now: Timestamp,
) -> Result<Vec<ProjectOverview>, ServiceError> {
    Ok(overview::of_workspace(tx, workspace, after, most, now, operations::MOST_COUNTED).await?)
}

/// Names in addresses of at most `most` projects of a workspace, in order, also of archived ones.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn slugs(tx: &mut Tx, workspace: &WorkspaceId, most: i64) -> Result<Vec<String>, ServiceError> {
    Ok(projects::slugs(tx, workspace, most).await?)
}

/// The id of the project of this name in a workspace, also of an archived one.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn id_of_slug(tx: &mut Tx, workspace: &WorkspaceId, slug: &str) -> Result<Option<ProjectId>, ServiceError> {
    Ok(projects::find_by_slug(tx, workspace, slug).await?.map(|project| project.id))
}
