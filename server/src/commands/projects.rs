//! `l10n-server projects list|set|archive|delete|restore`, beside a running server.

use crate::config::Overrides;
use crate::domain::lifecycle::LifecycleTarget;
use crate::domain::projects;
use crate::store::projects::MemorySetting;
use anyhow::Result;
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::lifecycle::{LifecycleAction, apply, list_projects, open};
use super::shared::{find_project, print};

#[derive(Subcommand)]
pub(crate) enum Projects {
    /// List projects, archived ones too
    List {
        /// Of this workspace alone, by its handle
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
        #[arg(long, value_name = "SETTING", value_parser = memory())]
        memory: MemorySetting,
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

impl Projects {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let (store, service) = open(overrides).await?;
        let (verb, name) = match self {
            Self::List { workspace, json } => {
                let listed = list_projects(&store, workspace.as_deref(), json).await?;
                store.close().await;
                return print(&listed);
            }
            Self::Set { project: name, memory } => {
                let mut tx = store.begin_write().await?;
                let project = find_project(&mut tx, &name).await?;
                projects::set_memory(&mut tx, &project, memory).await?;
                tx.commit().await?;
                store.close().await;
                return print(&format!("{name}: memory is {}", memory.as_str()));
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
