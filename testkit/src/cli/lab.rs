//! `l10n-testkit lab`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use l10n_testkit::lab::{self, LabConfig};

use super::output::CommandError;
use super::run::{RunArguments, go, probe};

#[derive(Args)]
pub(crate) struct LabCommand {
    /// The program l10n-server; a build with `--features lab` has a movable clock and takes --rules
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,
    /// postgres://… of an empty database; when left out: SQLite in a temporary folder
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// Number of server processes on the database
    #[arg(long, default_value_t = 1)]
    processes: usize,
    /// Number of projects that checks use at once
    #[arg(long, default_value_t = 6)]
    lanes: u16,
    /// Give the server rules that deviate from the specification's
    #[arg(long, value_name = "JSON")]
    rules: Option<String>,
    #[command(flatten)]
    how: RunArguments,
}

impl LabCommand {
    pub(crate) async fn run(self) -> Result<ExitCode, CommandError> {
        let Self { server, database_url, processes, lanes, rules, how } = self;
        let plan = LabConfig { database_url, processes, lanes, rules, ..LabConfig::new(server) };
        probe(&how.report)?;
        let lab = lab::Lab::start(&plan).await.map_err(CommandError::fault)?;
        let reports = how.report.clone();
        let earlier = how.earlier()?;
        let mut options = how.options()?;
        // The lab's projects are nobody's, and go away with it.
        options.burn_budgets = true;
        options.origin.command = Some(format!("l10n-testkit lab --server {}", plan.server.display()));
        let engine = if plan.database_url.is_some() { "PostgreSQL" } else { "SQLite" };
        let processes = plan.processes;
        options.origin.profile =
            Some(format!("of a lab: {engine}, {processes} process{}", if processes == 1 { "" } else { "es" }));
        go(lab.profile.clone(), options, &reports, earlier).await
    }
}
