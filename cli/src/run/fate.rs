//! What became of a write whose answer was lost.

use l10n_client::api::requests::Receipt;
use l10n_client::{Error as ClientError, Outcome};

use crate::context::Context;
use crate::error::CliError;
use crate::exit::ExitStatus;
use crate::session::Session;

/// What is known of a write that failed or seems to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Nothing was written.
    NotLanded,
    /// It has not ended.
    Running,
    /// The server has no receipt.
    Unknown,
    /// The server could not be asked.
    NotAsked,
}

impl Fate {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::NotLanded => "not_landed",
            Self::Running => "running",
            Self::Unknown => "unknown",
            Self::NotAsked => "not_asked",
        }
    }

    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::NotLanded => "the server says that nothing was written",
            Self::Running => "the server says that it is still at it",
            Self::Unknown => "the server knows nothing of it: it has most likely not arrived",
            Self::NotAsked => "it may have been done, and the server could not be asked",
        }
    }

    /// How a program ends that wanted it done: with the failure's own status only where it is safe to do it again.
    pub(crate) fn status(self, failure: ExitStatus) -> ExitStatus {
        match self {
            Self::NotLanded => failure,
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
            session.project.outcome_of_failed(&failure).await
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
        Ok(Some(Outcome::NotLanded(_))) => Fate::NotLanded,
        Ok(Some(Outcome::Running(_))) => Fate::Running,
        Ok(Some(_)) => Fate::Unknown,
        Err(_) => Fate::NotAsked,
    };
    Err(CliError::Lost { error: Box::new(error), fate, request: request.unwrap_or_default() })
}

/// What a receipt says was made, where it is of that kind.
pub(crate) fn made<'a>(receipt: &'a Receipt, kind: &str) -> Option<&'a str> {
    receipt.resource.as_ref().filter(|resource| resource.kind == kind).map(|resource| resource.id.as_str())
}
