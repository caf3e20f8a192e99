//! Something on this machine that cannot be read.

use std::io;
use std::path::Path;

use super::failure::{CliError, Failure};
use crate::exit::ExitStatus;

/// A local file, or something like one, could not be read.
#[derive(Debug, thiserror::Error)]
#[error("{what} could not be read: {source}")]
pub(crate) struct ReadError {
    pub(crate) what: String,
    pub(crate) source: io::Error,
}

impl Failure for ReadError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "read_failed"
    }

    fn hint(&self) -> Option<String> {
        Some("check the path and its permissions".into())
    }
}

/// Makes an error for a local file that could not be read.
pub(crate) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> CliError {
    let what = path.display().to_string();
    move |source| ReadError { what, source }.into()
}
