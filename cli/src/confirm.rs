//! Asks before something is lost.

use std::io::{self, IsTerminal as _};

use tokio::sync::oneshot;

use crate::error::CliError;
use crate::printer::Printer;

/// Asks on the terminal. Where there is none nobody can answer, and `--yes` is needed.
///
/// # Errors
///
/// When the answer is not yes, or there is no terminal.
pub(crate) async fn confirm(printer: &Printer, question: &str) -> Result<(), CliError> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(CliError::usage("nobody is here to ask whether this is meant", "say so with --yes"));
    }
    printer.ask(&format!("{question} [y/N] "));
    let (answer, answered) = oneshot::channel();
    // A thread of its own, which does not keep the program from ending on Ctrl-C.
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        let _ = answer.send(read.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes"));
    });
    if answered.await.unwrap_or(false) { Ok(()) } else { Err(CliError::Declined) }
}
