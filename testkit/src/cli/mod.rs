//! The commands, one file each.

mod cleanup;
mod explain;
mod lab;
mod list;
mod matrix;
mod mutants;
mod nulls;
mod preflight;
mod profile;
mod progress;
mod receiver;
mod run;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tells whether a deployment keeps the specification of the localization service's public API
#[derive(Parser)]
#[command(version, about, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the deployment that a profile describes
    Run(run::Run),
    /// Check a server program that is started for it, on a database of its own
    Lab(lab::Lab),
    /// Check a receiver of webhooks: plays the sender
    Receiver(receiver::Receiver),
    /// Print the checks, one a line
    List(list::List),
    /// Say what a statement asks for, how it is checked, and which deviations its checks find
    Explain(explain::Explain),
    /// Look whether a run can begin: the deployment, keys, clock, receiver; each line says what to do
    Preflight(preflight::Preflight),
    /// Remove webhooks that a run has left, such as one that was killed
    Cleanup(cleanup::Cleanup),
    /// Print an example of a profile with every field explained
    Profile(profile::Example),
    /// Print statement by statement which checks cover it and which planted deviations they find
    Matrix(matrix::Matrix),
    /// Deviations that are planted to prove the checks
    #[command(subcommand)]
    Mutants(mutants::Mutants),
    /// Run every check against servers that keep nothing: none of them may pass
    Nulls(nulls::Nulls),
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
            Command::Profile(example) => example.run(),
            Command::Matrix(matrix) => matrix.run(),
            Command::Mutants(mutants) => mutants.run().await,
            Command::Nulls(nulls) => nulls.run().await,
        };
        ended.unwrap_or_else(|problem| {
            complain(&format!("error: {:#}", problem.error));
            ExitCode::from(problem.code)
        })
    }
}

/// Why a command gives no verdict, and the exit code that says so.
pub(crate) struct Problem {
    code: u8,
    error: anyhow::Error,
}

impl Problem {
    /// What was asked for, or the profile, cannot be: 2.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self { code: 2, error: error.into() }
    }

    /// The suite or its surroundings fail: 4.
    pub(crate) fn fault(error: impl Into<anyhow::Error>) -> Self {
        Self { code: 4, error: error.into() }
    }
}

/// A line on standard error.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints to standard output. A reader that went away (`| head`) is no fault.
pub(crate) fn print(text: &str) -> Result<(), Problem> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Problem::fault(error)),
        _ => Ok(()),
    }
}
