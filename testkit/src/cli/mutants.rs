//! `l10n-testkit mutants`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Subcommand};
use l10n_testkit::campaign::{Campaign, MutantOutcome, select};
use l10n_testkit::lab::LabConfig;

use super::output::{CommandError, complain};
use super::stop::StopRequests;

#[derive(Subcommand)]
pub(crate) enum MutantsCommand {
    /// List the deviations that can be planted
    List {
        /// Only deviations with this id, statement or check; * matches anything
        patterns: Vec<String>,
    },
    /// Plant one deviation after the other, and expect its checks to fail
    Run(MutantsRunCommand),
}

#[derive(Args)]
pub(crate) struct MutantsRunCommand {
    /// The program l10n-server, built with `--features lab`
    #[arg(long, value_name = "PROGRAM")]
    server: PathBuf,
    /// postgres://… of a database, for one mutant at a time; when left out: SQLite in a temporary folder
    #[arg(long, value_name = "URL")]
    database_url: Option<String>,
    /// Number of server processes on the database
    #[arg(long, default_value_t = 1)]
    processes: usize,
    /// Number of projects that the checks of each mutant use at once
    #[arg(long, default_value_t = 6)]
    lanes: u16,
    /// Only deviations with this id, statement or check; * matches anything; may be repeated
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// Only every n-th of them
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Number of mutants at once
    #[arg(long, default_value_t = 4)]
    jobs: usize,
    /// Time limit for an answer or a delivery, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,
    /// Run every check that needs no waiting, and list which others fail
    #[arg(long)]
    collateral: bool,
    /// Write the kill matrix to this file, and as JSON beside it
    #[arg(long, value_name = "FILE.md")]
    report: Option<PathBuf>,
}

impl MutantsCommand {
    pub(crate) async fn run(self) -> Result<ExitCode, CommandError> {
        match self {
            Self::List { patterns } => list(&patterns),
            Self::Run(run) => run.run().await,
        }
    }
}

fn list(patterns: &[String]) -> Result<ExitCode, CommandError> {
    let mut out = std::io::stdout().lock();
    for mutant in chosen(patterns)? {
        let (id, breaks, plant, killers) = (mutant.id, mutant.breaks, mutant.plant, mutant.killed_by.join(", "));
        writeln!(out, "{id}\n    breaks {breaks}, {plant:?}: {}\n    killed by {killers}", mutant.says)
            .map_err(CommandError::fault)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn chosen(patterns: &[String]) -> Result<Vec<&'static l10n_testkit::mutants::Mutant>, CommandError> {
    for pattern in patterns {
        if select(std::slice::from_ref(pattern)).is_empty() {
            return Err(CommandError::usage(anyhow::anyhow!("no mutant, statement or check matches `{pattern}`")));
        }
    }
    Ok(select(patterns))
}

impl MutantsRunCommand {
    async fn run(self) -> Result<ExitCode, CommandError> {
        // Servers of two mutants would take each other's work on one database.
        let jobs = if self.database_url.is_some() { 1 } else { self.jobs };
        let (processes, database_url, lanes) = (self.processes, self.database_url, self.lanes);
        let plan = LabConfig { processes, database_url, lanes, ..LabConfig::new(self.server) };
        let mutants = chosen(&self.only)?.into_iter().step_by(self.every.max(1)).collect();
        let timeout = Duration::from_secs(self.timeout);
        let campaign = Campaign { plan, mutants, jobs, collateral: self.collateral, timeout };
        let print = |line: &str| {
            let _ = writeln!(std::io::stdout().lock(), "{line}");
        };
        let mut stops = StopRequests::new();
        let ended = tokio::select! {
            ended = campaign.run(print) => ended,
            // Its servers end with it; half a matrix is none.
            () = stops.next() => {
                complain("interrupted: nothing was written");
                return Ok(ExitCode::from(130));
            }
        };
        let matrix = ended.map_err(CommandError::fault)?;
        if let Some(report) = &self.report {
            matrix.write(report).map_err(CommandError::fault)?;
        }
        print(&matrix.summary());
        Ok(ExitCode::from(if matrix.count(|outcome| matches!(outcome, MutantOutcome::Obstructed(_))) > 0 {
            4
        } else if matrix.count(|outcome| matches!(outcome, MutantOutcome::Survived(_))) > 0 {
            1
        } else if matrix.count(|outcome| *outcome == MutantOutcome::Killed) == 0 {
            3
        } else {
            0
        }))
    }
}
