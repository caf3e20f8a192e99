//! A file that cannot be parsed.

use l10n_client::api::FormatId;
use l10n_formats::files::ParseError;

use super::failure::Failure;
use crate::exit::ExitStatus;

/// A file cannot be read. Without a correlation id no server was asked.
#[derive(Debug, thiserror::Error)]
#[error("{path}:{line}:{column}: {message}")]
pub(crate) struct BrokenFile {
    pub(crate) path: String,
    pub(crate) line: u64,
    pub(crate) column: u64,
    pub(crate) message: String,
    pub(crate) code: &'static str,
    pub(crate) correlation_id: Option<String>,
}

impl BrokenFile {
    /// A file on this machine that its format cannot read.
    pub(crate) fn local(path: impl Into<String>, format: FormatId, error: &ParseError) -> Self {
        Self {
            path: path.into(),
            line: error.line.into(),
            column: error.column.into(),
            message: format!("not a readable {format} file: {}", error.message),
            code: "file_unparseable",
            correlation_id: None,
        }
    }
}

impl Failure for BrokenFile {
    fn status(&self) -> ExitStatus {
        ExitStatus::Usage
    }

    fn code(&self) -> &str {
        self.code
    }

    fn hint(&self) -> Option<String> {
        Some("fix the file there; nothing of it was used".into())
    }

    fn correlation_id(&self) -> Option<&str> {
        self.correlation_id.as_deref()
    }
}
