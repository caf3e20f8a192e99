//! Output of the commands, and their failures.

use std::io::Write as _;

use l10n_testkit::Exit;

/// The reason why a command gives no verdict, and its exit code.
pub(crate) struct CommandError {
    pub(super) exit: Exit,
    pub(super) error: anyhow::Error,
}

impl CommandError {
    /// A wrong argument or profile.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self { exit: Exit::Usage, error: error.into() }
    }

    /// A failure of the suite or its surroundings.
    pub(crate) fn fault(error: impl Into<anyhow::Error>) -> Self {
        Self { exit: Exit::Fault, error: error.into() }
    }
}

/// A line on standard error.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints to standard output. A closed pipe (`| head`) is not an error.
pub(crate) fn print(text: &str) -> Result<(), CommandError> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(CommandError::fault(error)),
        _ => Ok(()),
    }
}
