//! The results of the checks of `l10n doctor`.

use serde::Serialize;

use crate::error::CliError;
use crate::exit::ExitStatus;

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum CheckStatus {
    Ok,
    Warning,
    Failed,
    /// An earlier check failed.
    Skipped,
}

#[derive(Debug, Serialize)]
pub(super) struct DoctorCheck {
    pub(super) name: &'static str,
    pub(super) verdict: CheckStatus,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fix: Option<String>,
}

/// The results so far.
#[derive(Default)]
pub(super) struct Examination {
    pub(super) checks: Vec<DoctorCheck>,
    /// Status of the first failure, which should be fixed first.
    pub(super) status: Option<ExitStatus>,
}

impl Examination {
    pub(super) fn add(
        &mut self,
        name: &'static str,
        verdict: CheckStatus,
        message: impl Into<String>,
        fix: Option<String>,
    ) {
        self.checks.push(DoctorCheck { name, verdict, message: message.into(), fix });
    }

    pub(super) fn ok(&mut self, name: &'static str, message: impl Into<String>) {
        self.add(name, CheckStatus::Ok, message, None);
    }

    pub(super) fn warn(&mut self, name: &'static str, message: impl Into<String>, fix: impl Into<String>) {
        self.add(name, CheckStatus::Warning, message, Some(fix.into()));
    }

    pub(super) fn skip(&mut self, name: &'static str, message: impl Into<String>) {
        self.add(name, CheckStatus::Skipped, message, None);
    }

    pub(super) fn fail(&mut self, name: &'static str, error: &CliError) {
        self.status.get_or_insert(error.status());
        self.add(name, CheckStatus::Failed, error.message(), error.hint());
    }

    /// Records a result and returns its value.
    pub(super) fn take<T, E: Into<CliError>>(&mut self, name: &'static str, result: Result<T, E>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.fail(name, &error.into());
                None
            }
        }
    }
}
