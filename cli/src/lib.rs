//! Command line of the localization service, as a library for its own tests and for `xtask`.

mod agent_programs;
mod args;
mod atomic;
mod clock;
mod commands;
mod config;
mod confirm;
mod context;
mod detect_files;
mod document_files;
mod document_output;
mod error;
mod exit;
mod glossary_file;
mod hash;
mod input;
mod language_table;
mod links;
mod local_texts;
mod lookup;
mod network;
mod pattern_error;
mod printer;
mod progress;
mod published_version;
mod pull_merge;
mod pull_paths;
mod pull_plan;
mod receiver;
mod run;
mod session;
mod settings;
mod signals;
mod source_files;
mod streams;
mod table;
mod target;
mod unpublished;
mod wait_notes;
mod words;

use std::future::poll_fn;
use std::pin::pin;
use std::process::ExitCode;
use std::task::Poll;

use clap::{CommandFactory as _, Parser as _};
use serde_json::json;

pub use exit::ExitStatus;

use crate::args::{Cli, Command};
use crate::atomic::WriteError;
use crate::context::Context;
use crate::error::{CliError, Interrupted, ReadError};
use crate::printer::{ColorChoice, Printer};
use crate::signals::first_signal;

/// The declaration of the command line, for man pages and completions.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program on the process's own arguments.
#[must_use]
pub fn run() -> ExitCode {
    match Cli::try_parse() {
        Ok(cli) => start(cli).into(),
        Err(error) => not_understood(&error).into(),
    }
}

fn start(cli: Cli) -> ExitStatus {
    let global = cli.global;
    let printer = Printer::new(global.quiet, global.json, global.color).with_json_lines(cli.command.ends_by_itself());
    log(global.verbose, &printer);
    let outcome = (|| {
        let folder = std::env::current_dir().map_err(error::unreadable(".".as_ref()))?;
        let context = Context { printer: printer.clone(), folder, global };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|source| ReadError { what: "the runtime".into(), source })?;
        let outcome = runtime.block_on(unless_interrupted(&context, cli.command));
        // What cannot be interrupted, such as a look for a host's address, is not waited for.
        runtime.shutdown_background();
        outcome
    })();
    let status = match outcome {
        Ok(status) => status,
        Err(error) => {
            printer.error(&error);
            error.status()
        }
    };
    match printer.unwritten() {
        Some(error) => not_written(&printer, error, status),
        None => status,
    }
}

/// Says that a result was not written, which is no success.
fn not_written(printer: &Printer, error: WriteError, status: ExitStatus) -> ExitStatus {
    let error = CliError::from(error);
    printer.error_text(&error);
    if status == ExitStatus::Success { error.status() } else { status }
}

/// Runs a command until it ends or a signal comes: what it has begun, such as half a file, is cleared away then.
async fn unless_interrupted(context: &Context, command: Command) -> Result<ExitStatus, CliError> {
    // A listener has cleanup to do before it ends, and a server for agents none: a manager of services expects that the
    // signal itself ends it.
    if command.ends_by_itself() || matches!(command, Command::Mcp(_)) {
        return commands::dispatch(context, command).await;
    }
    let mut work = pin!(commands::dispatch(context, command));
    // As long as a command does not wait for anything, the signal itself ends it; some never wait.
    if let Poll::Ready(outcome) = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await {
        return outcome;
    }
    let signal = first_signal().map_err(|source| ReadError { what: "signals".into(), source })?;
    tokio::select! {
        biased;
        Ok(()) = signal => Err(Interrupted.into()),
        outcome = work => outcome,
    }
}

/// Prints clap's output. Help and version are successes; anything else is wrong usage, reported as JSON with `--json`.
fn not_understood(error: &clap::Error) -> ExitStatus {
    let printed = error.print();
    if !error.use_stderr() {
        return match printer::written(printed) {
            Ok(()) => ExitStatus::Success,
            Err(error) => not_written(&Printer::new(false, false, ColorChoice::Auto), error, ExitStatus::Success),
        };
    }
    if std::env::args_os().any(|argument| argument == "--json") {
        let text = error.to_string();
        let message = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let status = ExitStatus::Usage;
        let object = json!({ "error": { "code": "usage", "message": message, "exitCode": status.code() } });
        Printer::new(false, true, ColorChoice::Never).json(&object);
    }
    ExitStatus::Usage
}

/// Logs to stderr: each request with `-v`, libraries' messages with `-vv`. Without it, only long waits.
fn log(verbose: u8, printer: &Printer) {
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::util::SubscriberInitExt as _;

    let filter = match verbose {
        0 => return tracing_subscriber::registry().with(wait_notes::WaitNotes::new(printer.clone())).init(),
        1 => "l10n_client=trace",
        _ => "debug,l10n_client=trace",
    };
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::new(filter))
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .with_target(verbose > 1)
        .without_time()
        .init();
}
