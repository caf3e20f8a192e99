//! `l10n-server credits grant|cap|plan|ledger`: a workspace's money, beside a running server.

use crate::config::{Config, Overrides};
use crate::domain::{credits, workspaces};
use crate::store::ledger::{self, RecordedEntry};
use crate::store::workspaces::Workspace;
use crate::store::{Tx, holds};
use anyhow::{Result, bail};
use clap::Subcommand;
use l10n_api_types::{Millicredits, Timestamp, TrackingToken};
use serde_json::json;

use super::shared::{ActorArgs, open_existing, print, service};

/// Characters of a note.
const MOST_NOTE: usize = 200;

#[derive(Subcommand)]
pub(crate) enum CreditsCommand {
    /// Give a workspace credits
    Grant {
        /// Handle or id of the workspace
        workspace: String,
        /// Credits, such as 100 or 2.5
        #[arg(value_parser = amount, allow_negative_numbers = true)]
        amount: Millicredits,
        /// The reason, for the ledger
        #[arg(long, default_value = "granted")]
        note: String,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Set how many credits a workspace may spend in a month (UTC)
    Cap {
        /// Handle or id of the workspace
        workspace: String,
        /// Credits, such as 100 or 2.5; none for no cap
        #[arg(value_parser = cap, allow_negative_numbers = true)]
        amount: CreditCap,
        #[command(flatten)]
        by: ActorArgs,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Set the plan that bounds keys, languages and documents of a workspace's projects
    Plan {
        /// Handle or id of the workspace
        workspace: String,
        /// unlimited, free, or a plan of the configuration
        name: String,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show the last movements of a workspace's credits, the newest first
    Ledger {
        /// Handle or id of the workspace
        workspace: String,
        /// Number of movements
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
}

/// A cap, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CreditCap(Option<Millicredits>);

impl CreditsCommand {
    pub(crate) async fn run(self, overrides: &Overrides) -> Result<()> {
        let config = Config::load(overrides)?;
        let store = open_existing(&config).await?;
        let service = service(&config, store.clone())?;
        let now = service.clock.now();
        let mut tx = store.begin_write().await?;
        let output = match self {
            Self::Grant { workspace, amount, note, json } => {
                if note.chars().count() > MOST_NOTE || note.chars().any(char::is_control) {
                    bail!("--note takes up to {MOST_NOTE} characters, none of them a control character");
                }
                let workspace = workspaces::find(&mut tx, &workspace).await?;
                let balance = credits::grant(&mut tx, &workspace.id, amount, &note, now).await?;
                let workspace = Workspace { balance, ..workspace };
                let said = format!("{} has {balance} credits after a grant of {amount}", workspace.handle);
                if json { terms(&workspace) } else { said }
            }
            Self::Cap { workspace, amount: CreditCap(cap), by, json } => {
                let workspace = workspaces::find(&mut tx, &workspace).await?;
                let workspace = workspaces::set_cap(&mut tx, now, &by.operator()?, &workspace.id, cap).await?;
                let said = match cap {
                    Some(cap) => format!("{} may spend {cap} credits in a month (UTC)", workspace.handle),
                    None => format!("{} has no monthly cap", workspace.handle),
                };
                if json { terms(&workspace) } else { said }
            }
            Self::Plan { workspace, name, json } => {
                let workspace = workspaces::find(&mut tx, &workspace).await?;
                let workspace = workspaces::set_plan(&mut tx, &service.settings, &workspace.id, &name).await?;
                if json { terms(&workspace) } else { format!("{} has the plan {name}", workspace.handle) }
            }
            Self::Ledger { workspace, limit, json } => {
                let workspace = workspaces::find(&mut tx, &workspace).await?;
                show_ledger(&mut tx, &workspace, limit, now, json).await?
            }
        };
        tx.commit().await?;
        store.close().await;
        print(&output)
    }
}

fn terms(workspace: &Workspace) -> String {
    let Workspace { id, handle, plan, spending_cap, balance, .. } = workspace;
    let terms = json!({
        "workspaceId": id, "handle": handle, "plan": plan, "balance": balance, "spendingCap": spending_cap,
    });
    terms.to_string()
}

async fn show_ledger(tx: &mut Tx, workspace: &Workspace, limit: u32, now: Timestamp, json: bool) -> Result<String> {
    let entries = ledger::last(tx, &workspace.id, limit.into()).await?;
    let held = holds::live_total(tx, &workspace.id, now).await?;
    if json {
        let entries: Vec<_> = entries.iter().map(entry).collect();
        let ledger = json!({
            "workspaceId": workspace.id, "handle": workspace.handle, "balance": workspace.balance, "held": held,
            "entries": entries,
        });
        return Ok(ledger.to_string());
    }
    let lines = entries.iter().map(|entry| {
        let why = entry.note.as_deref().or(entry.job_id.as_ref().map(TrackingToken::as_str)).unwrap_or_default();
        format!("{}  {:6}  {:>16}  {why}", entry.created_at, entry.kind.as_str(), entry.amount)
    });
    let balance = format!("{}: balance {}, of which running jobs hold {held}", workspace.handle, workspace.balance);
    Ok(std::iter::once(balance).chain(lines).collect::<Vec<_>>().join("\n"))
}

fn entry(entry: &RecordedEntry) -> serde_json::Value {
    json!({
        "entryId": entry.id, "kind": entry.kind.as_str(), "amount": entry.amount, "trackingToken": entry.job_id,
        "note": entry.note, "createdAt": entry.created_at,
    })
}

/// Whole credits with three decimals at most.
fn amount(text: &str) -> Result<Millicredits, String> {
    let wrong = || format!("`{text}` is not an amount of credits such as 100 or 2.5, with three decimals at most");
    credits::amount(text).ok_or_else(wrong)
}

fn cap(text: &str) -> Result<CreditCap, String> {
    if text == "none" { Ok(CreditCap(None)) } else { amount(text).map(|amount| CreditCap(Some(amount))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_whole_credits_with_three_decimals_at_most() {
        let taken = ["0", "1", "2.5", "0.001", "10.25", "999999999999.999"].map(|text| amount(text).map(|a| a.0));
        assert_eq!(taken, [Ok(0), Ok(1_000), Ok(2_500), Ok(1), Ok(10_250), Ok(999_999_999_999_999)]);
        for text in ["", ".5", "1.", "1.2345", "-1", "+1", "1e3", "1,5", " 1", "١", "1000000000000"] {
            assert!(amount(text).unwrap_err().contains("three decimals"), "{text}");
        }
        assert_eq!(cap("none"), Ok(CreditCap(None)));
        assert_eq!(cap("0"), Ok(CreditCap(Some(Millicredits::ZERO))));
    }
}
