//! `l10n-testkit cleanup`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use l10n_testkit::Exit;
use l10n_testkit::runner::{Leftovers, clean_up, redact};

use super::output::{CommandError, complain, print};
use super::run::ProfileFile;

#[derive(Args)]
pub(crate) struct CleanupCommand {
    #[command(flatten)]
    profile: ProfileFile,
    #[command(flatten)]
    of: LeftoversArguments,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct LeftoversArguments {
    /// Remove the leftovers of the run with this id
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// Remove the leftovers of the run with this journal
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Remove every webhook that the suite has ever registered at its own receiver, and no other
    #[arg(long)]
    any_run: bool,
}

impl CleanupCommand {
    pub(crate) async fn run(self) -> Result<ExitCode, CommandError> {
        let profile = self.profile.read()?;
        let leftovers = match (self.of.run, self.of.journal) {
            (Some(run), _) => Leftovers::Run(run),
            (None, Some(journal)) => Leftovers::Journal(journal),
            (None, None) => Leftovers::AnyRun,
        };
        let (removed, failed) = clean_up(&profile, &leftovers).await.map_err(CommandError::usage)?;
        for one in &failed {
            complain(&redact(&profile, &format!("not removed: {one}")));
        }
        print(&format!("webhooks removed: {removed}\n"))?;
        Ok(if failed.is_empty() { ExitCode::SUCCESS } else { Exit::Fault.into() })
    }
}
