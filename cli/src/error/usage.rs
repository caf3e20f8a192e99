//! Wrong arguments.

use super::failure::{CliError, Failure};
use crate::exit::ExitStatus;

/// The arguments are wrong.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct UsageError {
    message: String,
    hint: String,
}

impl Failure for UsageError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "usage"
    }

    fn hint(&self) -> Option<String> {
        Some(self.hint.clone())
    }
}

/// Makes an error about the arguments.
pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> CliError {
    UsageError { message: message.into(), hint: hint.into() }.into()
}
