//! `l10n-server projects list|set|archive|delete|restore`, beside a running server.

use std::fmt::Write as _;

use crate::config::Overrides;
use crate::domain::lifecycle::LifecycleTarget;
use crate::domain::project_engines::{self, ProjectEngines, read_chain, read_language, written};
use crate::domain::{projects, style_note};
use crate::service::Service;
use crate::store::Tx;
use crate::store::engine_choices::EngineChoice;
use crate::store::languages::Language;
use crate::store::projects::{MemorySetting, set_style_note};
use anyhow::{Result, anyhow};
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use l10n_api_types::ProjectId;

use super::lifecycle::{LifecycleAction, apply, list_projects, open};
use super::shared::{find_project, print};

#[derive(Subcommand)]
pub(crate) enum ProjectsCommand {
    /// List projects, archived ones too
    List {
        /// Only this workspace, by its handle
        #[arg(long, value_name = "HANDLE")]
        workspace: Option<String>,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Change settings of a project
    Set {
        /// Project, as HANDLE/SLUG
        #[arg(value_name = "HANDLE/SLUG")]
        project: String,
        /// Translation memory that the project gives to and takes from: that of its `workspace`, of the `project` alone, or
        /// `off`. Whatever it is, imported texts serve their own project alone until a person has reviewed them
        #[arg(long, value_name = "SETTING", value_parser = memory(), required_unless_present_any = ["chain", "language_chain", "style_note"])]
        memory: Option<MemorySetting>,
        /// Engine of the project, or a chain of them with commas between the names, as in the setting `engine`; empty for that
        /// of the server. `l10n-server engines list` lists those of the configuration
        #[arg(long, value_name = "NAMES")]
        chain: Option<String>,
        /// Engine or chain of one language, such as `ja=model,deepl`; `ja=` takes it away. May be given several times
        #[arg(long, value_name = "LANGUAGE=NAMES", value_parser = language_chain)]
        language_chain: Vec<(String, String)>,
        /// Note on the style of the translations, at most 1,000 characters, for engines that can make use of it; empty for none
        #[arg(long, value_name = "TEXT")]
        style_note: Option<String>,
    },
    /// Hide a project: its keys and files answer as if it were gone, its jobs are canceled; `restore` takes it back
    Archive {
        /// Project, as HANDLE/SLUG
        #[arg(value_name = "HANDLE/SLUG")]
        project: String,
    },
    /// Archive a project, and delete it with all that it has after 30 days (`retention.deletion_grace_days`)
    Delete {
        /// Project, as HANDLE/SLUG
        #[arg(value_name = "HANDLE/SLUG")]
        project: String,
    },
    /// Take an archived or deleted project back, as long as its deletion has not begun
    Restore {
        /// Project, as HANDLE/SLUG
        #[arg(value_name = "HANDLE/SLUG")]
        project: String,
    },
}

fn memory() -> impl TypedValueParser<Value = MemorySetting> {
    PossibleValuesParser::new(MemorySetting::ALL.map(MemorySetting::as_str))
        .try_map(|name| MemorySetting::parse(&name).ok_or("no such setting"))
}

fn language_chain(text: &str) -> Result<(String, String), String> {
    let (language, names) = text.split_once('=').ok_or("it takes LANGUAGE=NAMES, such as ja=model")?;
    Ok((language.to_owned(), names.to_owned()))
}

/// Changes the engines of a project, and says which it has.
async fn set_engines(
    tx: &mut Tx,
    service: &Service,
    project: &ProjectId,
    chain: Option<&str>,
    of_languages: &[(String, String)],
) -> Result<String> {
    let changed = |choice: &mut EngineChoice, languages: &[Language]| {
        if let Some(names) = chain {
            choice.chain = read_chain(&service.engines, names).map_err(|error| anyhow!("--chain: {error}"))?;
        }
        for (code, names) in of_languages {
            read_language((&service.engines, languages), (code, names), "--language-chain", &mut choice.languages)
                .map_err(|error| anyhow!(error))?;
        }
        Ok::<_, anyhow::Error>(())
    };
    let choice = project_engines::change(tx, project, changed).await?;
    let engines = ProjectEngines::find(tx, &service.engines, project).await?;
    let mut said = format!("engine is {}", engines.chain().name());
    for (code, chain) in &choice.languages {
        let _ = write!(said, "; of {code}: {}", written(chain));
    }
    Ok(said)
}

impl ProjectsCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let (store, service) = open(overrides).await?;
        let (verb, name) = match self {
            Self::List { workspace, json } => {
                let listed = list_projects(&store, workspace.as_deref(), json).await?;
                store.close().await;
                return print(&listed);
            }
            Self::Set { project: name, memory, chain, language_chain, style_note: note } => {
                let mut tx = store.begin_write().await?;
                let project = find_project(&mut tx, &name).await?;
                let mut said = Vec::new();
                if let Some(memory) = memory {
                    projects::set_memory(&mut tx, &project, memory).await?;
                    said.push(format!("{name}: memory is {}", memory.as_str()));
                }
                if chain.is_some() || !language_chain.is_empty() {
                    let engines = set_engines(&mut tx, &service, &project, chain.as_deref(), &language_chain).await?;
                    said.push(format!("{name}: {engines}"));
                }
                if let Some(note) = note {
                    let note = style_note::read(&note).map_err(|error| anyhow!("--style-note: {error}"))?;
                    set_style_note(&mut tx, &project, note.as_deref()).await?;
                    let has = if note.is_some() { "there is a style note" } else { "there is no style note" };
                    said.push(format!("{name}: {has}"));
                }
                tx.commit().await?;
                store.close().await;
                return print(&said.join("\n"));
            }
            Self::Archive { project } => (LifecycleAction::Archive, project),
            Self::Delete { project } => (LifecycleAction::Delete, project),
            Self::Restore { project } => (LifecycleAction::Restore, project),
        };
        let mut tx = store.begin_write().await?;
        let id = find_project(&mut tx, &name).await?;
        let said = apply(&mut tx, &service, verb, LifecycleTarget::Project(&id), &name).await?;
        tx.commit().await?;
        store.close().await;
        print(&said)
    }
}
