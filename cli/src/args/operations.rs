//! `l10n operations`, `l10n requests`, and the flags of commands that may need a person's approval.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use l10n_client::api::Millicredits;
use l10n_client::api::operations::{OperationKind, OperationTarget};

use super::values::{credits, duration, language};

fn kind() -> impl TypedValueParser<Value = OperationKind> {
    PossibleValuesParser::new(OperationKind::ALL.iter().map(|kind| kind.as_str())).try_map(|name| name.parse())
}

fn target() -> impl TypedValueParser<Value = OperationTarget> {
    PossibleValuesParser::new(OperationTarget::ALL.iter().map(|target| target.as_str())).try_map(|name| name.parse())
}

#[derive(Debug, Args)]
pub(crate) struct OperationsArgs {
    #[command(subcommand)]
    pub(crate) command: OperationsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OperationsCommand {
    /// Ask a person to approve a run, a publish or a restore
    Request(RequestOperationArgs),
    /// Wait until a person has decided
    Wait(WaitOperationArgs),
    /// Show an operation and its status
    Show(OperationArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "An operation is pending for 24 hours; an approval counts for one hour and one piece of work.\n\nExamples:\n  l10n operations request --kind publish --note \"Release 2.1\"\n  l10n operations request --kind translation --max-credits 5 --languages de,fr\n  l10n operations request --kind rollback --version v11"
)]
pub(crate) struct RequestOperationArgs {
    /// Kind of work
    #[arg(long, value_name = "KIND", value_parser = kind())]
    pub(crate) kind: OperationKind,
    /// Upper bound of the run's price, rounded up to whole credits; for a translation
    #[arg(long, value_name = "CREDITS", value_parser = credits, required_if_eq("kind", "translation"))]
    pub(crate) max_credits: Option<Millicredits>,
    /// Maximum number of keys that a sync with --on-removed archive may archive; for a translation [default: none]
    #[arg(long, value_name = "N")]
    pub(crate) max_archived_keys: Option<u32>,
    /// Version to restore, by its id or label; for a rollback
    #[arg(long, value_name = "VERSION", required_if_eq("kind", "rollback"))]
    pub(crate) version: Option<String>,
    /// Only these languages [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    /// Target of the work [default: strings]
    #[arg(long, value_name = "TARGET", value_parser = target())]
    pub(crate) target: Option<OperationTarget>,
    /// Note for the person who decides
    #[arg(long, value_name = "TEXT")]
    pub(crate) note: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Exit status: 0 approved · 11 denied · 12 ended (expired, used, canceled) · 9 still pending after the longest wait.\n\nExample:\n  l10n operations wait op_… --approval-timeout 2h"
)]
pub(crate) struct WaitOperationArgs {
    /// Id of the operation
    #[arg(value_name = "ID")]
    pub(crate) id: String,
    /// Longest wait, such as 90s, 30m or 2h [default: 30m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) approval_timeout: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct OperationArgs {
    /// Id of the operation
    #[arg(value_name = "ID")]
    pub(crate) id: String,
}

#[derive(Debug, Args)]
pub(crate) struct RequestsArgs {
    #[command(subcommand)]
    pub(crate) command: RequestsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RequestsCommand {
    /// Show the outcome of a write, by its correlation id
    #[command(
        after_help = "Receipts are kept for 7 days. Exit status: 0 it succeeded · 13 it still runs, or the server has no receipt · else nothing was written, and the status is that of its failure."
    )]
    Show {
        /// Correlation id of the request, as printed or sent
        #[arg(value_name = "ID")]
        id: String,
    },
}
