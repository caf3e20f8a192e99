//! Receipts: the outcome of a write.

use std::time::Duration;

use l10n_api_types::requests::{Read, Receipt, ReceiptStatus, RequestPath};
use l10n_api_types::{ErrorCode, NoBody, NoQuery, RequestId};

use crate::error::{Error, Result};
use crate::project::Project;
use crate::wait::WaitOptions;

/// Longest wait for a request that is still running.
const LONGEST_RUN: Duration = Duration::from_secs(60);

/// Pause between two requests for a receipt.
const PAUSE: Duration = Duration::from_millis(500);

/// Receipts of writes. Made by [`Project::requests`].
#[derive(Debug, Clone)]
pub struct Requests {
    pub(crate) project: Project,
}

impl Project {
    /// The receipts of its writes.
    #[must_use]
    pub fn requests(&self) -> Requests {
        Requests { project: self.clone() }
    }
}

impl Requests {
    /// `GET /projects/{projectId}/requests/{requestId}` (§4): reads the outcome of a write, by its `x-correlation-id`.
    ///
    /// # Errors
    ///
    /// `not_found`, even for a request of another project.
    pub async fn get(&self, request: impl Into<RequestId>) -> Result<Receipt> {
        let path = RequestPath { project_id: self.project.id().clone(), request_id: request.into() };
        self.project.call::<Read>(&path, &NoQuery {}, &NoBody {}).await
    }
}

/// The outcome of a write.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// It was carried out.
    Landed(Receipt),
    /// It was not carried out: nothing was written.
    NotLanded(Receipt),
    /// It had not ended within the time limit, or when the server went down for longer than that.
    Running(Receipt),
    /// The server has no receipt: the request has not arrived, was refused before it began (because of its key, scope
    /// or a field), or is older than 7 days. Or a newer server says that it ended in a way that this version does not know.
    Unknown,
}

impl Project {
    /// Finds the outcome of a write, by its `x-correlation-id`; waits up to a minute for one that is still running.
    ///
    /// A receipt of success is committed with the write itself, so this is certain even if no answer came.
    ///
    /// ```no_run
    /// # async fn example(project: l10n_client::Project) -> Result<(), l10n_client::Error> {
    /// use l10n_client::Outcome;
    /// use l10n_client::api::publish::Publish;
    ///
    /// match project.publish(&Publish::default()).await {
    ///     Ok(version) => println!("{} is live", version.label),
    ///     Err(error) => match error.request_id() {
    ///         // Nothing was done.
    ///         None => return Err(error),
    ///         Some(request) => match project.outcome_of(request).await? {
    ///             Outcome::Landed(receipt) => println!("it is live all the same: {:?}", receipt.resource),
    ///             Outcome::NotLanded(_) => println!("nothing was written: publish again"),
    ///             other => println!("look at the versions first: {other:?}"),
    ///         },
    ///     },
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of every read, except `not_found`, which is [`Outcome::Unknown`].
    pub async fn outcome_of(&self, request: impl Into<RequestId>) -> Result<Outcome> {
        self.outcome_within(request, LONGEST_RUN).await
    }

    /// Like [`outcome_of`](Self::outcome_of), with this time limit.
    ///
    /// # Errors
    ///
    /// The errors of [`outcome_of`](Self::outcome_of).
    pub async fn outcome_within(&self, request: impl Into<RequestId>, longest: Duration) -> Result<Outcome> {
        let (requests, request) = (self.requests(), request.into());
        let ask = |_| async { known(requests.get(request.clone()).await) };
        let first = ask(0).await;
        let healing = first.as_ref().is_err_and(|error| self.may_ask_again_after(error));
        if !healing && !first.as_ref().is_ok_and(is_running) {
            return first.map(Outcome::of);
        }
        // The time limit also applies to a server that went down during the request.
        let options = WaitOptions::default().timeout(longest).failure_tolerance(longest).without_hold();
        match options.poll(self, ask, |receipt| is_running(receipt).then_some(PAUSE)).await {
            Ok(Ok(last) | Err(Some(last))) => Ok(Outcome::of(last)),
            Ok(Err(None)) => first.map(Outcome::of),
            // The server stays down for longer than the time limit, and was still working on it before.
            Err(error) if error.is_retryable() && first.is_ok() => first.map(Outcome::of),
            Err(error) => Err(error),
        }
    }

    /// Like [`outcome_of`](Self::outcome_of), for a failed call, whichever of its requests was carried out. `None` for
    /// reads, and if certainly nothing was done.
    ///
    /// # Errors
    ///
    /// The errors of [`outcome_of`](Self::outcome_of).
    pub async fn outcome_of_failed(&self, call: &Error) -> Result<Option<Outcome>> {
        self.outcome_of_failed_within(call, LONGEST_RUN).await
    }

    /// Like [`outcome_of_failed`](Self::outcome_of_failed), with this time limit for each request.
    ///
    /// # Errors
    ///
    /// The errors of [`outcome_of`](Self::outcome_of).
    pub async fn outcome_of_failed_within(&self, call: &Error, longest: Duration) -> Result<Option<Outcome>> {
        let mut whole = None;
        for request in call.request_ids() {
            match (self.outcome_within(request.as_str(), longest).await?, &whole) {
                (landed @ (Outcome::Landed(_) | Outcome::Running(_)), _) => return Ok(Some(landed)),
                // An unknown request leaves the outcome of the call unknown.
                (Outcome::NotLanded(_), Some(Outcome::Unknown)) => {}
                (other, _) => whole = Some(other),
            }
        }
        Ok(whole)
    }
}

impl Outcome {
    fn of(receipt: Option<Receipt>) -> Self {
        let Some(receipt) = receipt else { return Self::Unknown };
        match receipt.status {
            ReceiptStatus::Succeeded => Self::Landed(receipt),
            ReceiptStatus::Failed => Self::NotLanded(receipt),
            _ if receipt.has_ended() => Self::Unknown,
            _ => Self::Running(receipt),
        }
    }
}

fn is_running(receipt: &Option<Receipt>) -> bool {
    receipt.as_ref().is_some_and(|receipt| !receipt.has_ended())
}

/// A missing receipt is an answer, too.
fn known(answer: Result<Receipt>) -> Result<Option<Receipt>> {
    match answer {
        Err(error) if error.code() == Some(&ErrorCode::NotFound) => Ok(None),
        answer => answer.map(Some),
    }
}
