//! Flags of the commands that spend credits, ask for approval or may be run again.

use std::time::Duration;

use clap::Args;
use l10n_client::api::Millicredits;

use super::values::{credits, duration, idempotency_key, language};

/// The cost limit of a run, and the wait for it.
#[derive(Debug, Clone, Args)]
pub(crate) struct SpendArgs {
    /// Print what would happen and what it would cost; change nothing
    #[arg(long, conflicts_with_all = ["request_approval", "operation_id"])]
    pub(crate) dry_run: bool,
    /// Do nothing if it would cost more than this many credits
    #[arg(long, value_name = "CREDITS", value_parser = credits)]
    pub(crate) max_credits: Option<Millicredits>,
    /// Do not wait for the translations
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Target languages, such as de,fr [default: all of the project]
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = language)]
    pub(crate) languages: Vec<String>,
    #[command(flatten)]
    pub(crate) approval: ApprovalArgs,
}

/// A person's approval: an existing one, or a new one to request.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ApprovalArgs {
    /// Ask a person first, wait for the approval, then go on
    #[arg(long, conflicts_with = "operation_id", help_heading = "Approval (an AI agent's key needs one)")]
    pub(crate) request_approval: bool,
    /// Note for the person who decides
    #[arg(
        long,
        value_name = "TEXT",
        requires = "request_approval",
        help_heading = "Approval (an AI agent's key needs one)"
    )]
    pub(crate) note: Option<String>,
    /// Longest wait for the approval, such as 90s, 30m or 2h [default: 30m]
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "request_approval", help_heading = "Approval (an AI agent's key needs one)")]
    pub(crate) approval_timeout: Option<Duration>,
    /// Use an existing approval
    #[arg(long, value_name = "ID", help_heading = "Approval (an AI agent's key needs one)")]
    pub(crate) operation_id: Option<String>,
}

/// An idempotency key, so that a script may run a command again.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct OnceArgs {
    /// Do it only once, even if it runs several times with this key in 24 hours; later runs print the first result
    #[arg(long, value_name = "KEY", value_parser = idempotency_key)]
    pub(crate) idempotency_key: Option<String>,
}
