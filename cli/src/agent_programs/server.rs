//! A server as files name it, and the reasons why a file is left as it is.

use std::path::PathBuf;

use crate::error::Failure;
use crate::exit::ExitStatus;

/// A server as a file names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    /// The name in the list.
    pub(crate) name: String,
    /// The program that is started, with the argument `mcp`.
    pub(crate) command: String,
    /// Variables of its environment.
    pub(crate) env: Vec<(String, String)>,
}

/// The content of a file after the server was added.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ConfigEdit {
    /// The file has the server already.
    Same,
    /// The new content.
    Text(String),
}

/// A file cannot be changed by program.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum EditError {
    #[error("it cannot be read: {0}")]
    Syntax(String),
    #[error("`{0}` in it is not a list of servers by name")]
    List(&'static str),
    #[error("it has a server `{0}` with other settings")]
    Taken(String),
}

/// A file was left as it is.
#[derive(Debug, thiserror::Error)]
#[error("{path} was not changed: {source}", path = path.display())]
pub(crate) struct NotChanged {
    pub(crate) path: PathBuf,
    pub(crate) source: EditError,
}

impl Failure for NotChanged {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        "not_changed"
    }

    fn hint(&self) -> Option<String> {
        Some(match self.source {
            EditError::Taken(_) => "remove that server from the file, or choose another name with --name".into(),
            _ => "run the command without --write, and add by hand what it prints".into(),
        })
    }
}
