//! Settings of a project that people change: its name, the label of its versions, its share in translation memory, its engines, and how
//! its translations are to sound.

use std::fmt::Write as _;

use l10n_api_types::{ProjectId, WorkspaceId};

use super::people::audit;
use super::publish::default_label;
pub(crate) use super::publish::default_label::LONGEST_DEFAULT_LABEL;
use super::{Actor, ServiceError, project_engines, projects as rules, style_note};
use crate::clock::Timestamp;
use crate::engines::EngineRegistry;
use crate::store::audit_log::AuditAction;
use crate::store::engine_choices::{self, EngineChoice};
use crate::store::languages::Language;
use crate::store::projects::{self, MemorySetting};
use crate::store::{Tx, lock};

/// The settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectSettings {
    /// Name for people.
    pub name: String,
    /// The label of versions whose publisher gives none; `None` for `v` and the number.
    pub default_label: Option<String>,
    /// Its share in translation memory.
    pub memory: MemorySetting,
    /// Its engine, or a chain of them with commas between the names; empty for that of the server.
    pub engine: String,
    /// The engines of languages that have their own, a line for each: `de: deepl, model`.
    pub language_engines: String,
    /// The note on the style of its translations; empty for none.
    pub style_note: String,
}

/// The reason why settings were not changed.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The name is empty, too long, or cannot be shown.
    #[error("{0}")]
    Name(String),
    /// The label cannot be one.
    #[error("{0}")]
    Label(String),
    /// The server has no such engine.
    #[error("{0}")]
    Engine(String),
    /// The server has no such engine, or the project no such language.
    #[error("{0}")]
    LanguageEngines(String),
    /// The note is too long, or cannot be shown.
    #[error("{0}")]
    StyleNote(String),
    /// Somebody else has changed the same setting meanwhile, to something else.
    #[error("a setting was changed meanwhile")]
    Moved,
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(SettingsError);

/// The settings of a project.
///
/// # Errors
///
/// 404 when there is no such project.
pub async fn find(tx: &mut Tx, id: &ProjectId) -> Result<ProjectSettings, ServiceError> {
    let project = projects::find(tx, id).await?;
    let project = project.ok_or_else(ServiceError::no_such_project)?;
    let engines = engine_choices::find(tx, id).await?;
    Ok(ProjectSettings {
        name: project.name,
        default_label: project.default_label,
        memory: project.memory,
        engine: project_engines::written(&engines.chain),
        language_engines: project_engines::written_languages(&engines.languages),
        style_note: projects::style_note(tx, id).await?.unwrap_or_default(),
    })
}

impl ProjectSettings {
    /// The settings that somebody wants who was shown these and typed `typed`, where they are `now` by now: what was not changed
    /// stays as it is now. `None` where both have changed a setting, each to something else.
    pub(crate) fn merge(&self, typed: &Self, now: &Self) -> Option<Self> {
        let text = |of: fn(&Self) -> &str| {
            let (shown, typed, now) = (of(self), of(typed), of(now));
            if is_same(typed, shown) {
                return Some(now.to_owned());
            }
            (is_same(now, shown) || is_same(now, typed)).then(|| typed.to_owned())
        };
        let label = text(|it| it.default_label.as_deref().unwrap_or_default())?;
        let memory = match typed.memory == self.memory {
            true => now.memory,
            false if now.memory == self.memory || now.memory == typed.memory => typed.memory,
            false => return None,
        };
        Some(Self {
            name: text(|it| &it.name)?,
            default_label: Some(label).filter(|label| !label.is_empty()),
            memory,
            engine: text(|it| &it.engine)?,
            language_engines: text(|it| &it.language_engines)?,
            style_note: text(|it| &it.style_note)?,
        })
    }
}

/// Compares texts as forms bring them: without white space at their ends, and with the line ends of this server.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let lines = |text: &str| text.trim().replace("\r\n", "\n");
    lines(one) == lines(other)
}

/// Changes the settings of a project, for somebody who was shown `shown`. What they have not changed stays as it is by now, and
/// is not written.
///
/// # Errors
///
/// [`SettingsError`]; nothing was written then.
pub async fn change(
    tx: &mut Tx,
    now: Timestamp,
    registry: &EngineRegistry,
    (workspace, id): (&WorkspaceId, &ProjectId),
    by: &Actor,
    (shown, to): (&ProjectSettings, &ProjectSettings),
) -> Result<(), SettingsError> {
    rules::check_name_for_people(&to.name).map_err(SettingsError::Name)?;
    default_label::check(to.default_label.as_deref().unwrap_or_default()).map_err(SettingsError::Label)?;
    style_note::read(&to.style_note).map_err(SettingsError::StyleNote)?;
    lock::project_to_change(tx, id).await?;
    let from = find(tx, id).await?;
    let to = &shown.merge(to, &from).ok_or(SettingsError::Moved)?;
    let note = style_note::read(&to.style_note).map_err(SettingsError::StyleNote)?;
    let mut changes = Vec::new();
    if from.name != to.name {
        projects::rename(tx, id, &to.name).await?;
        changes.push(format!("name: {}", to.name));
    }
    if from.default_label != to.default_label {
        projects::set_default_label(tx, id, to.default_label.as_deref()).await?;
        changes.push(format!("label of versions: {}", to.default_label.as_deref().unwrap_or("v{number}")));
    }
    if from.memory != to.memory {
        rules::set_memory(tx, id, to.memory).await?;
        changes.push(format!("translation memory: {}", to.memory.as_str()));
    }
    if (&from.engine, &from.language_engines) != (&to.engine, &to.language_engines) {
        changes.push(change_engines(tx, registry, id, &from, to).await?);
    }
    if from.style_note != note.as_deref().unwrap_or_default() {
        projects::set_style_note(tx, id, note.as_deref()).await?;
        changes.push(format!("style note: {}", note.as_deref().unwrap_or("none")));
    }
    if changes.is_empty() {
        return Ok(());
    }
    let detail = changes.join(", ");
    let (project, action) = (Some(id), AuditAction::ProjectChanged);
    let record = audit::Record { project, action, subject: None, detail: Some(&detail) };
    Ok(audit::write(tx, workspace, by, now, record).await?)
}

/// Changes the engines; what stays as it was is not looked at, though the server may not have it any more. Returns the words of
/// the log.
async fn change_engines(
    tx: &mut Tx,
    registry: &EngineRegistry,
    id: &ProjectId,
    from: &ProjectSettings,
    to: &ProjectSettings,
) -> Result<String, SettingsError> {
    let changed = |choice: &mut EngineChoice, languages: &[Language]| {
        if from.engine != to.engine {
            choice.chain = project_engines::read_chain(registry, &to.engine).map_err(SettingsError::Engine)?;
        }
        if from.language_engines != to.language_engines {
            choice.languages = project_engines::read_languages((registry, languages), &to.language_engines)
                .map_err(SettingsError::LanguageEngines)?;
        }
        Ok::<_, SettingsError>(())
    };
    let choice = project_engines::change(tx, id, changed).await?;
    let mut said = match choice.chain.as_slice() {
        [] => "engine: that of the server".to_owned(),
        chain => format!("engine: {}", project_engines::written(chain)),
    };
    for (code, chain) in &choice.languages {
        let _ = write!(said, "; {code}: {}", project_engines::written(chain));
    }
    Ok(said)
}
