//! Requests for several documents at a time.

use l10n_client::api::ErrorCode;

use crate::error::{BrokenFile, CliError, Failure, hint_of_code};
use crate::exit::ExitStatus;
use crate::source_files::SourceError;
use crate::target::TargetError;

/// Number of parallel requests. The server's budget is by the minute, so more of them would only be refused sooner.
pub(crate) const DOCUMENTS_AT_ONCE: usize = 4;

/// The server refused one document of several.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {message}")]
pub(crate) struct DocumentRefused {
    pub(crate) path: String,
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
    pub(crate) correlation_id: String,
}

impl Failure for DocumentRefused {
    fn status(&self) -> ExitStatus {
        ExitStatus::of_api_error(&self.code, self.code.status().unwrap_or(402))
    }

    fn code(&self) -> &str {
        self.code.as_str()
    }

    fn hint(&self) -> Option<String> {
        hint_of_code(&self.code)
    }

    fn correlation_id(&self) -> Option<&str> {
        Some(&self.correlation_id)
    }
}

/// Returns true if an error is about one document, so that the others can go on.
pub(crate) fn is_about_the_document(error: &CliError) -> bool {
    let is_local = |status| matches!(status, 400 | 404 | 409 | 413);
    match error.find::<DocumentRefused>() {
        Some(refused) => refused.code.status().is_some_and(is_local),
        None => {
            error.is::<SourceError>()
                || error.is::<TargetError>()
                || error.is::<BrokenFile>()
                || error.answer().is_some_and(|answer| is_local(answer.status))
        }
    }
}
