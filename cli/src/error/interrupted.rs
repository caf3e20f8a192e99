//! The end by a signal.

use super::failure::Failure;
use crate::exit::ExitStatus;

/// Ctrl-C was pressed, or another signal asked the program to end.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

impl Failure for Interrupted {
    fn status(&self) -> ExitStatus {
        ExitStatus::Interrupted
    }

    fn code(&self) -> &str {
        "interrupted"
    }

    fn hint(&self) -> Option<String> {
        Some("work that the server has queued goes on; see `l10n status`".into())
    }
}
