//! Makes the things of a description that do not exist yet.

use std::collections::BTreeSet;

use l10n_api_types::glossary::NewGlossaryTerm;
use l10n_api_types::{Millicredits, ProjectId, WholeCredits, WorkspaceId};
use l10n_formats::locales;
use serde::Serialize;

use super::keys::{ProvisionedKey, key};
use super::members::{ProvisionedMember, member};
use super::{Description, ProjectDescription, WorkspaceDescription, actor, check_name, invalid};
use crate::clock::{Clock, Timestamp};
use crate::config::Settings;
use crate::domain::{ServiceError, credits, glossary, project_engines, style_note, workspaces as domain_workspaces};
use crate::engines::EngineRegistry;
use crate::ids::{IdKind, new_id};
use crate::store::engine_choices::EngineChoice;
use crate::store::languages::{self, Language};
use crate::store::projects::{self, MemorySetting, NewProject, Project};
use crate::store::workspaces::{self, NewWorkspace, Workspace};
use crate::store::{Tx, ledger, lock};

/// The description again, with ids.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Provisioned {
    /// Workspaces.
    pub workspaces: Vec<ProvisionedWorkspace>,
}

/// A workspace as it now is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvisionedWorkspace {
    /// Its id.
    pub workspace_id: WorkspaceId,
    /// Name in URLs.
    pub handle: String,
    /// Plan.
    pub plan: String,
    /// Balance.
    pub balance: Millicredits,
    /// Monthly cap (UTC).
    pub spending_cap: Option<Millicredits>,
    /// The described members.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<ProvisionedMember>,
    /// The described projects.
    pub projects: Vec<ProvisionedProject>,
}

/// A project as it now is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProvisionedProject {
    /// Its id.
    pub project_id: ProjectId,
    /// Name in URLs.
    pub slug: String,
    /// Name for people.
    pub name: String,
    /// Canonical BCP 47 tag.
    pub base_language: String,
    /// Target languages, canonical.
    pub languages: Vec<String>,
    /// Translation memory that it gives to and takes from.
    pub memory: &'static str,
    /// The described keys.
    pub keys: Vec<ProvisionedKey>,
}

/// The parts of the server that provisioning uses.
#[derive(Debug, Clone, Copy)]
pub struct ProvisionParts<'a> {
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The settings, which have plans.
    pub settings: &'a Settings,
    /// The engines that projects choose from.
    pub engines: &'a EngineRegistry,
}

/// Makes the things of the description that do not exist yet.
///
/// # Errors
///
/// Returns an error that names the wrong place in the description; then nothing has been made.
pub async fn provision(
    tx: &mut Tx,
    parts: ProvisionParts<'_>,
    description: &Description,
) -> Result<Provisioned, ServiceError> {
    lock_present(tx, description).await?;
    let mut done = Provisioned { workspaces: Vec::new() };
    for (index, wanted) in description.workspaces.iter().enumerate() {
        let place = format!("workspaces[{index}]");
        done.workspaces.push(workspace(tx, parts, wanted, &place).await?);
    }
    Ok(done)
}

/// Locks the described workspaces that exist, each after its projects, which is the order of all who lock both. Two
/// descriptions may name the same workspaces in another order.
async fn lock_present(tx: &mut Tx, description: &Description) -> Result<(), ServiceError> {
    let handles: BTreeSet<&str> = description.workspaces.iter().map(|wanted| wanted.handle.as_str()).collect();
    for handle in handles.into_iter().filter(|handle| check_name("handle", handle).is_ok()) {
        if let Some(workspace) = workspaces::find_by_handle(tx, handle).await? {
            lock::whole_workspace(tx, &workspace.id).await?;
        }
    }
    Ok(())
}

async fn workspace(
    tx: &mut Tx,
    parts: ProvisionParts<'_>,
    wanted: &WorkspaceDescription,
    place: &str,
) -> Result<ProvisionedWorkspace, ServiceError> {
    let ProvisionParts { clock, settings, .. } = parts;
    check_name(&format!("{place}.handle"), &wanted.handle)?;
    let plan = wanted.plan.as_deref().unwrap_or("unlimited");
    if !settings.plans.contains_key(plan) {
        let known: Vec<_> = settings.plans.keys().map(String::as_str).collect();
        return Err(invalid(&format!("{place}.plan"), format!("there is no plan `{plan}`, only {}", known.join(", "))));
    }
    let spending_cap = wanted.spending_cap.map(|credits| Millicredits::from(WholeCredits(credits)));
    let id = match workspaces::find_by_handle(tx, &wanted.handle).await? {
        Some(Workspace { archived_at: Some(_), .. }) => {
            let message = "the workspace is archived: `l10n-server workspaces restore` takes it back";
            return Err(invalid(&format!("{place}.handle"), message));
        }
        Some(Workspace { id, .. }) => {
            if let Some(plan) = &wanted.plan {
                domain_workspaces::set_plan(tx, settings, &id, plan).await?;
            }
            if spending_cap.is_some() {
                domain_workspaces::set_cap(tx, clock.now(), &actor(), &id, spending_cap).await?;
            }
            id
        }
        None => {
            let now = clock.now();
            let id = WorkspaceId::new(new_id(IdKind::Workspace, now));
            workspaces::insert(
                tx,
                NewWorkspace { id: &id, handle: &wanted.handle, plan, spending_cap, created_at: now },
            )
            .await?;
            id
        }
    };
    let lacking = Millicredits::from(WholeCredits(wanted.credits)) - ledger::granted(tx, &id).await?;
    if lacking > Millicredits::ZERO {
        credits::grant(tx, &id, lacking, "provisioned", clock.now()).await?;
    }
    let mut members = Vec::new();
    for (index, wanted) in wanted.members.iter().enumerate() {
        let place = format!("{place}.members[{index}]");
        members.push(member(tx, clock.now(), settings, &id, wanted, &place).await?);
    }
    if let Some(terms) = &wanted.glossary {
        let terms: Vec<NewGlossaryTerm> = terms.iter().map(Into::into).collect();
        glossary::set_of_workspace(tx, &id, &terms, &format!("{place}.glossary"), clock.now()).await?;
    }
    let mut projects = Vec::new();
    for (index, project) in wanted.projects.iter().enumerate() {
        projects.push(self::project(tx, parts, &id, project, &format!("{place}.projects[{index}]")).await?);
    }
    let now = workspaces::find(tx, &id).await?.ok_or_else(|| ServiceError::internal("the workspace is gone"))?;
    Ok(ProvisionedWorkspace {
        workspace_id: id,
        handle: now.handle,
        plan: now.plan,
        balance: now.balance,
        spending_cap: now.spending_cap,
        members,
        projects,
    })
}

/// Sets the memory setting if one is given; returns the one in effect.
async fn memory(tx: &mut Tx, id: &ProjectId, wanted: Option<&str>, place: &str) -> Result<&'static str, ServiceError> {
    if let Some(wanted) = wanted {
        let setting = MemorySetting::parse(wanted)
            .ok_or_else(|| invalid(&format!("{place}.memory"), "it takes workspace, project or off"))?;
        projects::set_memory(tx, id, setting).await?;
    }
    let project = projects::find(tx, id).await?;
    let project = project.ok_or_else(|| ServiceError::internal(format!("the project {id} does not exist")))?;
    Ok(project.memory.as_str())
}

/// Sets the engines of a project, as far as they are given.
async fn engines(
    tx: &mut Tx,
    registry: &EngineRegistry,
    id: &ProjectId,
    wanted: &ProjectDescription,
    place: &str,
) -> Result<(), ServiceError> {
    if wanted.engine.is_none() && wanted.language_engines.is_none() {
        return Ok(());
    }
    let changed = |choice: &mut EngineChoice, languages: &[Language]| {
        if let Some(chain) = &wanted.engine {
            let chain = project_engines::read_chain(registry, chain);
            choice.chain = chain.map_err(|error| invalid(&format!("{place}.engine"), error))?;
        }
        if let Some(chains) = &wanted.language_engines {
            choice.languages.clear();
            for (code, chain) in chains {
                let at = format!("{place}.languageEngines.{code}");
                project_engines::read_language(
                    (registry, languages),
                    (code.as_str(), chain),
                    &at,
                    &mut choice.languages,
                )
                .map_err(ServiceError::InvalidArgument)?;
            }
        }
        Ok::<_, ServiceError>(())
    };
    project_engines::change(tx, id, changed).await?;
    Ok(())
}

async fn project(
    tx: &mut Tx,
    parts: ProvisionParts<'_>,
    workspace_id: &WorkspaceId,
    wanted: &ProjectDescription,
    place: &str,
) -> Result<ProvisionedProject, ServiceError> {
    check_name(&format!("{place}.slug"), &wanted.slug)?;
    let base = language(&wanted.base_language, &format!("{place}.baseLanguage"))?;
    let now = parts.clock.now();
    let id = match projects::find_by_slug(tx, workspace_id, &wanted.slug).await? {
        Some(Project { base_language, .. }) if base_language != base => {
            let message = format!("the project is written in `{base_language}`, and that cannot change");
            return Err(invalid(&format!("{place}.baseLanguage"), message));
        }
        Some(Project { archived_at: Some(_), .. }) => {
            let message = "the project is archived: `l10n-server projects restore` takes it back";
            return Err(invalid(&format!("{place}.slug"), message));
        }
        Some(Project { id, .. }) => {
            lock::project_to_change(tx, &id).await?;
            projects::rename(tx, &id, &wanted.name).await?;
            id
        }
        None => {
            known(&base, &format!("{place}.baseLanguage"))?;
            let id = ProjectId::new(new_id(IdKind::Project, now));
            let new = NewProject {
                id: &id,
                workspace_id,
                slug: &wanted.slug,
                name: &wanted.name,
                base_language: &base,
                created_at: now,
            };
            projects::insert(tx, new).await?;
            languages::insert(tx, &id, &[row(base.clone(), true, 0, now)]).await?;
            id
        }
    };
    let memory = memory(tx, &id, wanted.memory.as_deref(), place).await?;
    let present = languages::list(tx, &id).await?;
    let mut lacking: Vec<Language> = Vec::new();
    for (index, code) in wanted.languages.iter().enumerate() {
        let code = language(code, &format!("{place}.languages[{index}]"))?;
        if !present.iter().chain(&lacking).any(|known| known.code == code) {
            known(&code, &format!("{place}.languages[{index}]"))?;
            let position = i64::try_from(present.len() + lacking.len()).unwrap_or(i64::MAX);
            lacking.push(row(code, false, position, now));
        }
    }
    languages::insert(tx, &id, &lacking).await?;
    engines(tx, parts.engines, &id, wanted, place).await?;
    if let Some(note) = &wanted.style_note {
        let note = style_note::read(note).map_err(|error| invalid(&format!("{place}.styleNote"), error))?;
        projects::set_style_note(tx, &id, note.as_deref()).await?;
    }
    let mut keys = Vec::new();
    for (index, wanted) in wanted.keys.iter().enumerate() {
        keys.push(key(tx, now, &id, wanted, &format!("{place}.keys[{index}]")).await?);
    }
    let languages = present.into_iter().chain(lacking).filter(|known| !known.is_base).map(|known| known.code).collect();
    Ok(ProvisionedProject {
        project_id: id,
        slug: wanted.slug.clone(),
        name: wanted.name.clone(),
        base_language: base,
        languages,
        memory,
        keys,
    })
}

fn row(code: String, is_base: bool, position: i64, created_at: Timestamp) -> Language {
    Language { code, is_base, position, created_at }
}

fn language(code: &str, place: &str) -> Result<String, ServiceError> {
    locales::canonicalize(code).map_err(|error| invalid(place, error))
}

/// Only for languages that are new: a project that has one already keeps it.
fn known(code: &str, place: &str) -> Result<(), ServiceError> {
    locales::check_known(code).map_err(|error| invalid(place, error))
}
