//! Asks for confirmation before something is lost.

use std::io::{self, IsTerminal as _};

use tokio::sync::oneshot;

use crate::error::{CliError, Failure, usage};
use crate::exit::ExitStatus;
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
    let (answer, answered) = oneshot::channel();
    // A separate thread does not keep the program from ending on Ctrl-C.
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let _ = answer.send(read.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes"));
    });
    if answered.await.unwrap_or(false) { Ok(()) } else { Err(Declined.into()) }
}
