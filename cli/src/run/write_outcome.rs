//! The outcome of a write whose answer was lost.

use std::time::Duration;

use l10n_client::api::ErrorCode;
use l10n_client::api::operations::OperationKind;
use l10n_client::api::requests::Receipt;
use l10n_client::{Error as ClientError, Outcome};
use serde_json::Value;

use crate::context::Context;
use crate::error::{CallError, CliError, Failure, hint_of_code};
use crate::exit::ExitStatus;
use crate::session::Session;

/// Longest wait for the receipt of a request that the server has answered, and of one that it has not.
const ANSWERED: Duration = Duration::from_secs(10);
const GONE: Duration = Duration::from_secs(60);

/// The outcome of a write that failed or seems to have failed.
#[derive(Debug)]
enum WriteOutcome {
    /// Nothing was written.
    NotLanded(Box<Receipt>),
    /// It has not ended.
    Running,
    /// The server has no receipt.
    Unknown,
    /// The server could not be asked.
    NotAsked,
}

impl WriteOutcome {
    /// The outcome's name in JSON.
    const fn name(&self) -> &'static str {
        match self {
            Self::NotLanded(_) => "not_landed",
            Self::Running => "running",
            Self::Unknown => "unknown",
            Self::NotAsked => "not_asked",
        }
    }

    /// The outcome in words.
    fn words(&self) -> String {
        match self {
            Self::NotLanded(receipt) => match &receipt.error {
                Some(error) => format!("nothing was written: {} ({})", error.message, error.error),
                None => "nothing was written".to_owned(),
            },
            Self::Running => "the server is still working on it".to_owned(),
            Self::Unknown => {
                "the server has no record of it: it did not arrive, was refused before it began, or is more \
                              than 7 days old"
                    .to_owned()
            }
            Self::NotAsked => "it may have been done, and the server could not be asked".to_owned(),
        }
    }

    /// The exit status of the command.
    fn status(&self) -> ExitStatus {
        match self {
            Self::NotLanded(receipt) => ExitStatus::of_failed(receipt),
            Self::Running | Self::Unknown | Self::NotAsked => ExitStatus::Open,
        }
    }
}

/// The answer of a write was lost.
#[derive(Debug, thiserror::Error)]
#[error("{error}; {}", outcome.words())]
struct LostAnswer {
    error: CallError,
    outcome: WriteOutcome,
    request: String,
}

impl Failure for LostAnswer {
    fn status(&self) -> ExitStatus {
        self.outcome.status()
    }

    fn code(&self) -> &str {
        self.error.code()
    }

    fn hint(&self) -> Option<String> {
        Some(match &self.outcome {
            WriteOutcome::NotLanded(receipt) => match receipt.error.as_ref().map(|error| &error.error) {
                None | Some(ErrorCode::Internal | ErrorCode::Unavailable) => "it is safe to run it again".to_owned(),
                Some(code) => hint_of_code(code)?,
            },
            WriteOutcome::Running => format!("check later with `l10n requests show {}`", self.request),
            WriteOutcome::Unknown | WriteOutcome::NotAsked => {
                let look = match self.error.source.endpoint().and_then(|endpoint| endpoint.approval) {
                    Some(OperationKind::Publish | OperationKind::Rollback) => "`l10n versions` shows the live version",
                    _ => "or run it again: finished work is free",
                };
                format!("ask again with `l10n requests show {}`; {look}", self.request)
            }
        })
    }

    fn correlation_id(&self) -> Option<&str> {
        self.error.correlation_id()
    }

    fn details(&self) -> Vec<(&'static str, Value)> {
        vec![("outcome", self.outcome.name().into())]
    }
}

/// Returns true if the server is still working on a write whose answer was lost.
pub(super) fn is_running(error: &CliError) -> bool {
    error.find::<LostAnswer>().is_some_and(|lost| matches!(lost.outcome, WriteOutcome::Running))
}

/// Asks for the outcome of a failed call. Returns a receipt if the write succeeded all the same.
pub(crate) async fn ask_outcome(
    context: &Context,
    session: &Session,
    doing: &str,
    failure: ClientError,
) -> Result<Receipt, CliError> {
    let request = failure.request_id().map(str::to_owned);
    let answer = match &request {
        None => Ok(None),
        Some(request) => {
            context
                .printer
                .note(format!("{doing}: no usable answer; asking the server for the outcome of request {request}"));
            // A server that has answered knows the outcome at once; one that is down may be restarting.
            let longest = if matches!(failure, ClientError::Api(_)) { ANSWERED } else { GONE };
            session.project.outcome_of_failed_within(&failure, longest).await
        }
    };
    let error = CallError { doing: doing.to_owned(), source: failure };
    let outcome = match answer {
        Ok(None) => return Err(error.into()),
        Ok(Some(Outcome::Landed(receipt))) => {
            let id = &receipt.request_id;
            context
                .printer
                .warn(format!("{doing}: the answer was lost, but it succeeded according to the receipt of {id}"));
            return Ok(receipt);
        }
        Ok(Some(Outcome::NotLanded(receipt))) => WriteOutcome::NotLanded(Box::new(receipt)),
        Ok(Some(Outcome::Running(_))) => WriteOutcome::Running,
        // The server could not even write the receipt, which comes before the work.
        Ok(Some(_)) if error.source.code() == Some(&ErrorCode::Unavailable) => return Err(error.into()),
        Ok(Some(_)) => WriteOutcome::Unknown,
        Err(_) => WriteOutcome::NotAsked,
    };
    Err(LostAnswer { error, outcome, request: request.unwrap_or_default() }.into())
}

/// The id of the resource that a receipt names, if it is of that kind.
pub(super) fn made<'a>(receipt: &'a Receipt, kind: &str) -> Option<&'a str> {
    receipt.resource.as_ref().filter(|resource| resource.kind == kind).map(|resource| resource.id.as_str())
}
