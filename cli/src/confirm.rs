//! Asks for confirmation before something is lost.

use std::io::{self, IsTerminal as _, Stdin};

use crate::error::{CliError, Failure, usage};
use crate::exit::ExitStatus;
use crate::input::from_stdin;
use crate::printer::Printer;

/// The person answered no.
#[derive(Debug, thiserror::Error)]
#[error("canceled; nothing was done")]
struct Declined;

impl Failure for Declined {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "declined"
    }

    fn hint(&self) -> Option<String> {
        None
    }
}

/// Asks on the terminal. Without a terminal no one can answer, and `--yes` is needed.
///
/// # Errors
///
/// Returns an error if the answer is not yes, or if there is no terminal.
pub(crate) async fn confirm(printer: &Printer, question: &str) -> Result<(), CliError> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(usage("there is no terminal to ask for confirmation", "confirm with --yes"));
    }
    printer.ask(&format!("{question} [y/N] "));
    let answer = |stdin: Stdin| {
        let mut line = String::new();
        stdin.read_line(&mut line).map(|_| line)
    };
    let answer = from_stdin(answer).await.unwrap_or_default();
    if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") { Ok(()) } else { Err(Declined.into()) }
}
