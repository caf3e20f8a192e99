//! The commands, one file each.

mod lab;
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
}

impl Arguments {
    pub(crate) async fn run(self) -> ExitCode {
        let ended = match self.command {
            Command::Run(run) => run.run().await,
            Command::Lab(lab) => lab.run().await,
            Command::Receiver(receiver) => receiver.run().await,
        };
        ended.unwrap_or_else(|problem| {
            let mut out = std::io::stderr().lock();
            let _ = writeln!(out, "error: {:#}", problem.error);
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
