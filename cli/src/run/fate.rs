//! What became of a write whose answer was lost.

use std::time::Duration;

use l10n_client::api::ErrorCode;
use l10n_client::api::requests::Receipt;
use l10n_client::{Error as ClientError, Outcome};

use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::session::Session;

/// How long the receipt of a request is waited for that the server has answered, and of one that it has not.
const ANSWERED: Duration = Duration::from_secs(10);
const GONE: Duration = Duration::from_secs(60);

/// What is known of a write that failed or seems to have.
#[derive(Debug)]
pub(crate) enum Fate {
    /// Nothing was written.
    NotLanded(Box<Receipt>),
    /// It has not ended.
    Running,
    /// The server has no receipt.
    Unknown,
    /// The server could not be asked.
    NotAsked,
}

impl Fate {
    /// For programs.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::NotLanded(_) => "not_landed",
            Self::Running => "running",
            Self::Unknown => "unknown",
            Self::NotAsked => "not_asked",
        }
    }

    /// For people.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::NotLanded(receipt) => match &receipt.error {
                Some(error) => format!("the server says that nothing was written: {} ({})", error.message, error.error),
                None => "the server says that nothing was written".to_owned(),
            },
            Self::Running => "the server says that it is still at it".to_owned(),
            Self::Unknown => "the server knows nothing of it: it has most likely not arrived".to_owned(),
            Self::NotAsked => "it may have been done, and the server could not be asked".to_owned(),
        }
    }

    /// How a program ends that wanted it done.
    pub(crate) fn status(&self) -> ExitStatus {
        match self {
            Self::NotLanded(receipt) => ExitStatus::of_failed(receipt),
            Self::Running | Self::Unknown | Self::NotAsked => ExitStatus::Open,
        }
    }
}

/// Asks what became of a call that failed. A receipt is one of success: it was done all the same.
pub(crate) async fn ask_fate(
    context: &Context,
    session: &Session,
    doing: &str,
    failure: ClientError,
) -> Result<Receipt, CliError> {
    let request = failure.request_id().map(str::to_owned);
    let outcome = match &request {
        None => Ok(None),
        Some(request) => {
            context
                .printer
                .note(format!("{doing}: no good answer; asking the server what became of request {request}"));
            // A server that has answered knows at once; one that is gone may be on its way back.
            let longest = if matches!(failure, ClientError::Api(_)) { ANSWERED } else { GONE };
            session.project.outcome_of_failed_within(&failure, longest).await
        }
    };
    let error = CliError::Api { doing: doing.to_owned(), source: failure };
    let fate = match outcome {
        Ok(None) => return Err(error),
        Ok(Some(Outcome::Landed(receipt))) => {
            let id = &receipt.request_id;
            context.printer.warn(format!("{doing}: the answer was lost, but it was done, as the receipt of {id} says"));
            return Ok(receipt);
        }
        Ok(Some(Outcome::NotLanded(receipt))) => Fate::NotLanded(Box::new(receipt)),
        Ok(Some(Outcome::Running(_))) => Fate::Running,
        // It could not even write the receipt, which comes before the work.
        Ok(Some(_)) if error.api_code() == Some(&ErrorCode::Unavailable) => return Err(error),
        Ok(Some(_)) => Fate::Unknown,
        Err(_) => Fate::NotAsked,
    };
    Err(CliError::Lost { error: Box::new(error), fate, request: request.unwrap_or_default() })
}

/// What a receipt says was made, where it is of that kind.
pub(crate) fn made<'a>(receipt: &'a Receipt, kind: &str) -> Option<&'a str> {
    receipt.resource.as_ref().filter(|resource| resource.kind == kind).map(|resource| resource.id.as_str())
}
