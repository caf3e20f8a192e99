//! `l10n-testkit badge`, `diff` and `schema`: what is done with results of runs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use l10n_testkit::Exit;
use l10n_testkit::report::{RunResult, SCHEMA, badge, diff};

use super::output::{CommandError, print};

#[derive(Args)]
pub(crate) struct BadgeCommand {
    /// Result or JSON report of a run
    #[arg(value_name = "RESULT.json")]
    result: PathBuf,
    /// File to write; when left out: standard output
    #[arg(long, value_name = "BADGE.svg")]
    out: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct DiffCommand {
    /// Result or JSON report of the earlier run
    #[arg(value_name = "A.json")]
    before: PathBuf,
    /// Result or JSON report of the later run
    #[arg(value_name = "B.json")]
    after: PathBuf,
}

impl BadgeCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, CommandError> {
        let result = RunResult::read(&self.result).map_err(CommandError::usage)?;
        let svg = badge(&result);
        match &self.out {
            None => print(&svg)?,
            Some(path) => std::fs::write(path, svg)
                .with_context(|| format!("cannot write {}", path.display()))
                .map_err(CommandError::fault)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl DiffCommand {
    pub(crate) fn run(&self) -> Result<ExitCode, CommandError> {
        let read = |path: &PathBuf| RunResult::read(path).map_err(CommandError::usage);
        let found = diff(&read(&self.before)?, &read(&self.after)?);
        print(&found.text())?;
        Ok(if found.worse.is_empty() { Exit::Success } else { Exit::Deviates }.into())
    }
}

/// Prints the schema of results.
pub(crate) fn schema() -> Result<ExitCode, CommandError> {
    print(SCHEMA)?;
    Ok(ExitCode::SUCCESS)
}
