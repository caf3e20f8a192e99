//! Shared code of `projects`, `workspaces` and `documents`: listing, archiving, deleting and restoring, beside a
//! running server.

use crate::clock::Timestamp;
use crate::config::{Config, Overrides};
use crate::domain::lifecycle::{self, LifecycleTarget};
use crate::domain::workspaces;
use crate::service::Service;
use crate::store::lifecycle as rows;
use crate::store::{Store, StoreError, Tx};
use anyhow::Result;
use clap::Subcommand;
use serde_json::{Value, json};

use super::shared::{find_project, open_existing, print, service};
use crate::words::counted;

/// Rows that one statement reads.
const PAGE: i64 = 500;

/// An action of the life cycle.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LifecycleAction {
    Archive,
    Delete,
    Restore,
}

#[derive(Subcommand)]
pub(crate) enum WorkspacesCommand {
    /// List workspaces, archived ones too
    List {
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Hide a workspace: its projects answer as if they were gone, their jobs are canceled; `restore` takes it back
    Archive {
        /// Workspace, by its handle
        #[arg(value_name = "HANDLE")]
        name: String,
    },
    /// Archive a workspace, and delete it with its projects, memory and ledger after 30 days (`retention.deletion_grace_days`)
    Delete {
        /// Workspace, by its handle
        #[arg(value_name = "HANDLE")]
        name: String,
    },
    /// Take an archived or deleted workspace back, as long as its deletion has not begun
    Restore {
        /// Workspace, by its handle
        #[arg(value_name = "HANDLE")]
        name: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum DocumentsCommand {
    /// List a project's documents, archived ones too
    List {
        /// Project, as HANDLE/SLUG
        #[arg(long)]
        project: String,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Hide a document: it answers as if it were gone, and its external id is free; `restore` takes it back
    Archive(DocumentArgs),
    /// Archive a document, and delete it with its versions after 30 days (`retention.deletion_grace_days`)
    Delete(DocumentArgs),
    /// Take an archived or deleted document back, as long as its deletion has not begun
    Restore(DocumentArgs),
}

#[derive(clap::Args)]
pub(crate) struct DocumentArgs {
    /// Project, as HANDLE/SLUG
    #[arg(long)]
    project: String,
    /// Document, by its id: doc_…
    #[arg(value_name = "DOC_ID")]
    id: String,
}

impl WorkspacesCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let (store, service) = open(overrides).await?;
        let (verb, name) = match self {
            Self::List { json } => {
                let listed = list_workspaces(&store, json).await?;
                store.close().await;
                return print(&listed);
            }
            Self::Archive { name } => (LifecycleAction::Archive, name),
            Self::Delete { name } => (LifecycleAction::Delete, name),
            Self::Restore { name } => (LifecycleAction::Restore, name),
        };
        let mut tx = store.begin_write().await?;
        let id = workspaces::find(&mut tx, &name).await?.id;
        let said = apply(&mut tx, &service, verb, LifecycleTarget::Workspace(&id), &name).await?;
        tx.commit().await?;
        store.close().await;
        print(&said)
    }
}

impl DocumentsCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let (store, service) = open(overrides).await?;
        let (verb, document) = match self {
            Self::List { project, json } => {
                let listed = list_documents(&store, &project, json).await?;
                store.close().await;
                return print(&listed);
            }
            Self::Archive(document) => (LifecycleAction::Archive, document),
            Self::Delete(document) => (LifecycleAction::Delete, document),
            Self::Restore(document) => (LifecycleAction::Restore, document),
        };
        let mut tx = store.begin_write().await?;
        let project = find_project(&mut tx, &document.project).await?;
        let subject = LifecycleTarget::Document { project: &project, id: &document.id };
        let said = apply(&mut tx, &service, verb, subject, &document.id).await?;
        tx.commit().await?;
        store.close().await;
        print(&said)
    }
}

/// The database that the configuration names, and the parts of a server on it.
pub(crate) async fn open(overrides: &Overrides) -> Result<(Store, Service)> {
    let config = Config::load(overrides)?;
    let store = open_existing(&config).await?;
    let service = service(&config, store.clone())?;
    Ok((store, service))
}

/// Does it, and says what was done.
pub(crate) async fn apply(
    tx: &mut Tx,
    service: &Service,
    verb: LifecycleAction,
    subject: LifecycleTarget<'_>,
    name: &str,
) -> Result<String> {
    let now = service.clock.now();
    Ok(match verb {
        LifecycleAction::Archive => {
            lifecycle::archive(tx, subject, now).await?;
            format!("{name} is archived; `restore` takes it back")
        }
        LifecycleAction::Delete => {
            let at = lifecycle::delete(tx, subject, &service.settings.retention, now).await?;
            format!("{name} is archived and will be deleted at {at}; until then `restore` takes it back")
        }
        LifecycleAction::Restore => {
            lifecycle::restore(tx, subject, now).await?;
            format!("{name} is back")
        }
    })
}

async fn list_workspaces(store: &Store, as_json: bool) -> Result<String> {
    let mut tx = store.begin_read().await?;
    let all = every_page(async |after| rows::workspaces(&mut tx, after, PAGE).await, |row| &row.id).await?;
    tx.rollback().await?;
    let entry = |row: &rows::LifecycleEntry| {
        json!({
            "workspaceId": row.id, "handle": row.name, "projects": row.number, "archivedAt": row.archived_at,
            "deleteAt": row.delete_at,
        })
    };
    Ok(shown(&all, "workspaces", as_json, entry, |row| {
        format!("{}  {}{}", row.name, counted(row.number, "project"), standing(row.archived_at, row.delete_at))
    }))
}

/// Projects of one workspace or all.
pub(crate) async fn list_projects(store: &Store, workspace: Option<&str>, as_json: bool) -> Result<String> {
    let mut tx = store.begin_read().await?;
    let all = every_page(async |after| rows::projects(&mut tx, after, workspace, PAGE).await, |row| &row.id).await?;
    tx.rollback().await?;
    let entry = |row: &rows::LifecycleEntry| {
        json!({
            "projectId": row.id, "project": row.name, "keys": row.number, "archivedAt": row.archived_at,
            "deleteAt": row.delete_at,
        })
    };
    Ok(shown(&all, "projects", as_json, entry, |row| {
        format!("{}  {}{}", row.name, counted(row.number, "key"), standing(row.archived_at, row.delete_at))
    }))
}

async fn list_documents(store: &Store, project: &str, as_json: bool) -> Result<String> {
    let mut tx = store.begin_read().await?;
    let project = find_project(&mut tx, project).await?;
    let all = every_page(async |after| rows::documents(&mut tx, &project, after, PAGE).await, |row| &row.id).await?;
    tx.rollback().await?;
    let entry = |row: &rows::DocumentEntry| {
        json!({
            "docId": row.id, "externalId": row.external_id, "updatedAt": row.updated_at, "archivedAt": row.archived_at,
            "deleteAt": row.delete_at,
        })
    };
    Ok(shown(&all, "documents", as_json, entry, |row| {
        // What a caller named is shown without escapes of terminals.
        let name = row.external_id.as_deref().unwrap_or("-").escape_debug().to_string();
        format!("{}  {name}{}", row.id, standing(row.archived_at, row.delete_at))
    }))
}

/// The rows of all pages, each page asked for by the id of the last row before it.
async fn every_page<T>(
    mut page: impl AsyncFnMut(&str) -> Result<Vec<T>, StoreError>,
    id: impl Fn(&T) -> &String,
) -> Result<Vec<T>> {
    let (mut all, mut after) = (Vec::new(), String::new());
    loop {
        let rows = page(&after).await?;
        let Some(last) = rows.last() else { return Ok(all) };
        after.clone_from(id(last));
        all.extend(rows);
    }
}

fn shown<T>(rows: &[T], name: &str, as_json: bool, entry: impl Fn(&T) -> Value, line: impl Fn(&T) -> String) -> String {
    if as_json {
        return json!({ name: rows.iter().map(entry).collect::<Vec<_>>() }).to_string();
    }
    match rows {
        [] => format!("There are no {name}."),
        rows => rows.iter().map(line).collect::<Vec<_>>().join("\n"),
    }
}

fn standing(archived_at: Option<Timestamp>, delete_at: Option<Timestamp>) -> String {
    match (archived_at, delete_at) {
        (_, Some(at)) if at.as_millis() == 0 => "  being deleted".to_owned(),
        (_, Some(at)) => format!("  archived, will be deleted at {at}"),
        (Some(at), None) => format!("  archived at {at}"),
        (None, None) => String::new(),
    }
}
