//! The commands, one file each.

mod cleanup;
mod explain;
mod lab;
mod list;
mod matrix;
mod mutants;
mod nulls;
mod output;
mod preflight;
mod profile;
mod progress;
mod receiver;
mod results;
mod run;
mod stop;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use l10n_testkit::Exit;

use self::output::complain;

/// Checks a deployment against the specification of the localization service's public API
#[derive(Parser)]
#[command(version, about, max_term_width = 110, after_help = Exit::help())]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the deployment that a profile describes
    #[command(after_help = Exit::help())]
    Run(run::RunCommand),
    /// Check a server program: starts it on a database of its own
    #[command(after_help = Exit::help())]
    Lab(lab::LabCommand),
    /// Check a receiver of webhooks by acting as the sender
    Receiver(receiver::ReceiverCommand),
    /// Print the checks, one per line
    List(list::ListCommand),
    /// Show a statement, how it is checked, and the deviations that its checks find
    Explain(explain::ExplainCommand),
    /// Check that a run can begin: deployment, keys, clock, receiver; each line says what to do
    Preflight(preflight::PreflightCommand),
    /// Remove webhooks that a run has left behind, for example because it was killed
    Cleanup(cleanup::CleanupCommand),
    /// Make a badge of the result of a run
    Badge(results::BadgeCommand),
    /// Compare the results of two runs; ends with 1 if something is worse in the second
    Diff(results::DiffCommand),
    /// Print the JSON schema of results
    Schema,
    /// Print an example profile with every field explained
    Profile(profile::ProfileCommand),
    /// Print each statement with the checks that cover it and the planted deviations that they find
    Matrix(matrix::MatrixCommand),
    /// List and plant deviations, to prove the checks
    #[command(subcommand)]
    Mutants(mutants::MutantsCommand),
    /// Run every check against null servers, which implement nothing: none may pass
    Nulls(nulls::NullsCommand),
}

impl Arguments {
    pub(crate) async fn run(self) -> ExitCode {
        let ended = match self.command {
            Command::Run(run) => run.run().await,
            Command::Lab(lab) => lab.run().await,
            Command::Receiver(receiver) => receiver.run().await,
            Command::List(list) => list.run(),
            Command::Explain(explain) => explain.run(),
            Command::Preflight(preflight) => preflight.run().await,
            Command::Cleanup(cleanup) => cleanup.run().await,
            Command::Badge(badge) => badge.run(),
            Command::Diff(diff) => diff.run(),
            Command::Schema => results::schema(),
            Command::Profile(example) => example.run(),
            Command::Matrix(matrix) => matrix.run(),
            Command::Mutants(mutants) => mutants.run().await,
            Command::Nulls(nulls) => nulls.run().await,
        };
        ended.unwrap_or_else(|problem| {
            complain(&format!("error: {:#}", problem.error));
            problem.exit.into()
        })
    }
}
