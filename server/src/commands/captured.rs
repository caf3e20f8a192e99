//! `l10n-server captured list|accept|discard`: what apps miss, beside a running server.

use crate::config::{Config, Overrides};
use crate::domain::code_changes::edit::Edit;
use crate::domain::{ProjectChange, capture};
use crate::store::Tx;
use crate::store::audit_log::AuditAction;
use crate::store::keys::Key;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use super::shared::{ActorArgs, existing_project, find_project, open_existing, print, project_change, service};

#[derive(Subcommand)]
pub(crate) enum CapturedCommand {
    /// List the keys that are waiting for a decision
    List {
        /// Project, as HANDLE/SLUG
        #[arg(long)]
        project: String,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Accept captured keys; the code gets them with `l10n pull-changes`
    Accept {
        #[command(flatten)]
        which: CapturedFilter,
        /// The key's text, instead of the captured one; for one key
        #[arg(long, value_name = "TEXT", conflicts_with = "all")]
        text: Option<String>,
        /// Source file that the keys belong to, as synced
        #[arg(long, value_name = "PATH")]
        file: Option<String>,
        #[command(flatten)]
        by: ActorArgs,
    },
    /// Forget captured keys
    Discard {
        #[command(flatten)]
        which: CapturedFilter,
        #[command(flatten)]
        by: ActorArgs,
    },
}

#[derive(Args)]
pub(crate) struct CapturedFilter {
    /// Project, as HANDLE/SLUG
    #[arg(long)]
    project: String,
    /// Keys, by their refs
    #[arg(value_name = "REF", required_unless_present = "all", conflicts_with = "all")]
    refs: Vec<String>,
    /// All keys that are waiting
    #[arg(long)]
    all: bool,
}

impl CapturedCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let store = open_existing(&config).await?;
        let service = service(&config, store.clone())?;
        let mut tx = store.begin_write().await?;
        let output = match self {
            Self::List { project, json } => {
                let project = find_project(&mut tx, &project).await?;
                listed(&capture::waiting(&mut tx, &project).await?, json)
            }
            Self::Accept { which, text, file, by } => {
                if text.is_some() && which.refs.len() != 1 {
                    bail!("--text is for one key");
                }
                let (project, by) = (existing_project(&mut tx, &which.project).await?, by.operator()?);
                let change = project_change(&service, &project, &by);
                accept(&mut tx, change, &which, text.as_deref(), file.as_deref()).await?
            }
            Self::Discard { which, by } => {
                let (project, by) = (existing_project(&mut tx, &which.project).await?, by.operator()?);
                let change = project_change(&service, &project, &by);
                let names = match which.all {
                    true => capture::waiting(&mut tx, change.project).await?.into_iter().map(|key| key.name).collect(),
                    false => which.refs,
                };
                let discarded = capture::discard(&mut tx, change.project, &names).await?;
                if discarded > 0 {
                    capture::record(&mut tx, change, AuditAction::CapturedDiscarded, &names).await?;
                }
                format!("{discarded} discarded")
            }
        };
        tx.commit().await?;
        store.close().await;
        print(&output)
    }
}

async fn accept(
    tx: &mut Tx,
    change: ProjectChange<'_>,
    which: &CapturedFilter,
    text: Option<&str>,
    file: Option<&str>,
) -> Result<String> {
    let ProjectChange { clock, settings, project, by, .. } = change;
    let edit = Edit { clock, settings, project, by: by.person().unwrap_or_default() };
    let mut textless = 0;
    let names = if which.all {
        let (with_text, without): (Vec<Key>, Vec<Key>) =
            capture::waiting(tx, project).await?.into_iter().partition(|key| key.characters > 0);
        textless = without.len();
        with_text.into_iter().map(|key| key.name).collect()
    } else {
        which.refs.clone()
    };
    for name in &names {
        capture::accept(tx, &edit, name, text, file).await?;
    }
    if !names.is_empty() {
        capture::record(tx, change, AuditAction::CapturedAccepted, &names).await?;
    }
    Ok(match textless {
        0 => format!("{} accepted", names.len()),
        _ => {
            format!("{} accepted; {textless} still waiting because they have no text: set it with --text", names.len())
        }
    })
}

fn listed(keys: &[Key], json: bool) -> String {
    let text = |key: &Key| {
        let (text, _) = key.source.0.clone().into_fields();
        text.filter(|text| !text.is_empty())
    };
    if json {
        let keys: Vec<_> = keys
            .iter()
            .map(|key| {
                json!({
                    "ref": key.name, "text": text(key), "description": key.description, "capturedAt": key.created_at,
                })
            })
            .collect();
        return json!({ "keys": keys }).to_string();
    }
    let lines = keys.iter().map(|key| {
        // What an app sent is shown without line breaks and escapes of terminals.
        let shown = text(key).map_or("-".to_owned(), |text| format!("{text:?}"));
        let note = key.description.as_deref().map(|note| format!("  {note:?}")).unwrap_or_default();
        format!("{}  {shown}{note}", key.name.escape_debug())
    });
    lines.collect::<Vec<_>>().join("\n")
}
