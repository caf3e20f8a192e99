//! `l10n-server operations list|approve|deny`: a person decides what agents' keys ask for, beside a running server.

use crate::config::{Config, Overrides};
use crate::domain;
use crate::domain::operations::{self, DecideError, Decider};
use crate::service::Service;
use crate::store::{Tx, projects};
use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use l10n_api_types::operations::{Operation, OperationKind, OperationStatus};

use super::shared::{ActorArgs, find_project, open_existing, print, service};
use crate::words::counted;

#[derive(Subcommand)]
pub(crate) enum OperationsCommand {
    /// List operations, newest first
    List(ListArgs),
    /// Allow the key that asked to do this once, within an hour
    Approve {
        /// Operation, as `operations list` prints it: op_…
        id: String,
        #[command(flatten)]
        by: ActorArgs,
        /// Note for the one who asked
        #[arg(long)]
        note: Option<String>,
    },
    /// Refuse it
    Deny {
        /// Operation, as `operations list` prints it: op_…
        id: String,
        #[command(flatten)]
        by: ActorArgs,
        /// The reason
        #[arg(long)]
        reason: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Only this project, as HANDLE/SLUG
    #[arg(long)]
    project: Option<String>,
    /// Only this status: pending, approved, denied, expired, used, canceled
    #[arg(long)]
    status: Option<OperationStatus>,
    /// Maximum number to list
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl OperationsCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let store = open_existing(&config).await?;
        let service = service(&config, store.clone())?;
        let output = match self {
            Self::List(list) => list.run(&service).await?,
            Self::Approve { id, by, note } => {
                let by = by.name()?;
                let operation = decide(&service, &id, by, true, note.as_deref()).await?;
                format!(
                    "{id} is approved: {} of key \"{}\", once, until {}",
                    work(&operation),
                    operation.requested_by.label.escape_debug(),
                    operation.expires_at
                )
            }
            Self::Deny { id, by, reason } => {
                let by = by.name()?;
                decide(&service, &id, by, false, reason.as_deref()).await?;
                format!("{id} is denied")
            }
        };
        store.close().await;
        print(&output)
    }
}

async fn decide(service: &Service, id: &str, by: String, is_approved: bool, reason: Option<&str>) -> Result<Operation> {
    let (mut tx, actor) = (service.store.begin_write().await?, domain::Actor::Operator { name: by });
    let project = match crate::store::operations::find(&mut tx, id).await? {
        Some(row) => projects::find(&mut tx, &row.project_id).await?,
        None => None,
    };
    let Some(project) = project else {
        bail!("{}; `l10n-server operations list` shows their ids", DecideError::Unknown(id.to_owned()));
    };
    let by = Decider { project: &project, actor: &actor };
    match operations::decide_as(&mut tx, service.decisions(), by, id, is_approved, reason).await {
        Ok(operation) => {
            tx.commit().await.context("nothing was decided")?;
            Ok(operation)
        }
        Err(error @ DecideError::Unknown(_)) => bail!("{error}; `l10n-server operations list` shows their ids"),
        Err(error) => Err(error).context("nothing was decided"),
    }
}

impl ListArgs {
    async fn run(&self, service: &Service) -> Result<String> {
        let mut tx = service.store.begin_read().await?;
        let found = self.find(&mut tx, service).await?;
        tx.rollback().await?;
        if self.json {
            let mut operations = Vec::with_capacity(found.len());
            for (project, operation) in &found {
                let mut entry = serde_json::to_value(operation)?;
                entry["project"] = serde_json::json!(project);
                operations.push(entry);
            }
            return Ok(serde_json::json!({ "operations": operations }).to_string());
        }
        if found.is_empty() {
            return Ok("There are no such operations.".to_owned());
        }
        let lines: Vec<_> = found.iter().map(|(project, operation)| line(project, operation)).collect();
        Ok(lines.join("\n"))
    }

    async fn find(&self, tx: &mut Tx, service: &Service) -> Result<Vec<(String, Operation)>> {
        let project = match &self.project {
            Some(name) => Some(find_project(tx, name).await?),
            None => None,
        };
        Ok(operations::list(tx, &service.settings, service.clock.now(), project.as_ref(), self.status, self.limit)
            .await?)
    }
}

/// One operation for people. What agents wrote is shown so that it cannot do anything to the terminal.
fn line(project: &str, operation: &Operation) -> String {
    let mut line = format!(
        "{}  {:8}  {project}  {}  by key \"{}\"",
        operation.operation_id,
        operation.status.as_str(),
        work(operation),
        operation.requested_by.label.escape_debug(),
    );
    match operation.status {
        OperationStatus::Pending | OperationStatus::Approved => {
            line.push_str(&format!("  until {}", operation.expires_at));
        }
        OperationStatus::Denied | OperationStatus::Used => {
            if let (Some(by), Some(at)) = (&operation.decided_by, operation.decided_at) {
                line.push_str(&format!("  decided by {} at {at}", by.escape_debug()));
            }
        }
        _ => {}
    }
    for (name, text) in [("note", &operation.note), ("reason", &operation.reason)] {
        if let Some(text) = text {
            line.push_str(&format!("\n    {name}: {}", text.escape_debug()));
        }
    }
    line
}

/// A short description of an operation's work.
fn work(operation: &Operation) -> String {
    let mut work = match (operation.kind, &operation.max_credits, &operation.version_id) {
        (OperationKind::Translation, Some(most), _) => {
            format!("translation of {} for at most {} credits", operation.target, most.0)
        }
        (OperationKind::Rollback, _, Some(version)) => format!("rollback to {version}"),
        (kind, _, _) => format!("{kind} of {}", operation.target),
    };
    if let Some(most) = operation.max_archived_keys {
        work.push_str(&format!(", archiving at most {}", counted(most, "key")));
    }
    if let Some(document) = &operation.doc_id {
        work.push_str(&format!(", {document} alone"));
    }
    if let Some(languages) = &operation.languages {
        let languages: Vec<_> = languages.iter().map(l10n_api_types::LanguageCode::as_str).collect();
        work.push_str(&format!(", {} alone", languages.join(", ")));
    }
    work
}
