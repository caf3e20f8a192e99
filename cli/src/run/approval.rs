//! A person's approval: requested, awaited, used.

use std::fmt;
use std::time::Duration;

use l10n_client::WaitOptions;
use l10n_client::api::operations::{CreateBody, Operation, OperationStatus};
use l10n_client::api::{Millicredits, OperationId, WholeCredits};
use serde_json::Value;

use super::decision::{how_to_decide, how_to_use};
use crate::args::ApprovalArgs;
use crate::context::Context;
use crate::error::{CliError, Doing as _, Failure};
use crate::exit::ExitStatus;
use crate::progress::Progress;
use crate::session::Session;
use crate::words::time;

/// Default limit of the wait for a person.
pub(crate) const APPROVAL_WAIT: Duration = Duration::from_secs(1_800);

/// An operation that does not allow the work.
#[derive(Debug)]
struct NotApproved {
    operation: Box<Operation>,
    /// The command that continues after the approval.
    again: String,
}

/// Returns an approval for one piece of work: the one that the flags name, or a new one.
pub(crate) async fn obtain(
    context: &Context,
    session: &Session,
    args: &ApprovalArgs,
    ask: CreateBody,
) -> Result<Option<OperationId>, CliError> {
    if !args.request_approval {
        return Ok(args.operation_id.as_deref().map(OperationId::from));
    }
    let asked = request(context, session, &CreateBody { note: args.note.clone().or(ask.note.clone()), ..ask }).await?;
    let decided = wait_for_decision(context, session, &asked.operation_id, args.approval_timeout).await?;
    approved(decided, None).map(Some)
}

/// Requests approval and prints how a person decides, in every mode: otherwise no one would know.
pub(crate) async fn request(context: &Context, session: &Session, ask: &CreateBody) -> Result<Operation, CliError> {
    let asked = session.project.operations().create(ask).await.doing("asking for approval")?;
    context.printer.say(format!("Waiting for a person to approve {}", asked.operation_id));
    for line in how_to_decide(&asked) {
        context.printer.say(line);
    }
    Ok(asked)
}

/// Waits and returns the operation after the decision or at the time limit.
pub(crate) async fn wait_for_decision(
    context: &Context,
    session: &Session,
    id: &OperationId,
    longest: Option<Duration>,
) -> Result<Operation, CliError> {
    let _bar = Progress::new(&context.printer, "Waiting for approval", 0);
    let options = WaitOptions::default().timeout(longest.unwrap_or(APPROVAL_WAIT));
    session.project.operations().wait(id.clone(), &options).await.doing(format!("waiting for the operation {id}"))
}

/// The id of an approved operation. `again` is the command that uses it, if it is not the usual one.
pub(crate) fn approved(operation: Operation, again: Option<String>) -> Result<OperationId, CliError> {
    if operation.status == OperationStatus::Approved {
        return Ok(operation.operation_id);
    }
    let again = again.unwrap_or_else(|| how_to_use(&operation));
    Err(NotApproved { operation: Box::new(operation), again }.into())
}

/// Converts to the unit of `max_credits`, rounded up.
pub(crate) fn whole_credits(amount: Millicredits) -> WholeCredits {
    let whole = amount.0.max(0) / 1_000 + i64::from(amount.0.max(0) % 1_000 > 0);
    WholeCredits(u32::try_from(whole).unwrap_or(u32::MAX))
}

impl fmt::Display for NotApproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operation = &self.operation;
        let id = &operation.operation_id;
        let by = operation.decided_by.as_deref().unwrap_or("a person");
        match operation.status {
            OperationStatus::Pending => write!(f, "no one has decided about {id} yet"),
            OperationStatus::Denied => match &operation.reason {
                Some(reason) => write!(f, "{by} has denied {id}: {reason}"),
                None => write!(f, "{by} has denied {id}"),
            },
            OperationStatus::Expired if operation.decided_at.is_some() => {
                write!(f, "{id} was approved and not used before {}", time(operation.expires_at))
            }
            OperationStatus::Expired => write!(f, "{id} expired at {}, undecided", time(operation.expires_at)),
            OperationStatus::Canceled => write!(f, "{id} is canceled: the key that asked was revoked or has expired"),
            OperationStatus::Used => write!(f, "{id} has been used"),
            status => write!(f, "{id} is {status}"),
        }
    }
}

impl std::error::Error for NotApproved {}

impl Failure for NotApproved {
    fn status(&self) -> ExitStatus {
        ExitStatus::of_operation(self.operation.status)
    }

    fn code(&self) -> &str {
        "not_approved"
    }

    fn details(&self) -> Vec<(&'static str, Value)> {
        vec![("operationId", self.operation.operation_id.as_str().into())]
    }

    fn hint(&self) -> Option<String> {
        let id = &self.operation.operation_id;
        Some(match self.operation.status {
            OperationStatus::Pending => {
                format!("continue to wait with `l10n operations wait {id}`; after the approval, run: {}", self.again)
            }
            OperationStatus::Denied => {
                "talk to that person, or ask again with a --note that gives the reason".to_owned()
            }
            OperationStatus::Used => match &self.operation.request_id {
                Some(request) => format!("see its use with `l10n requests show {request}`; ask again for more"),
                None => "ask again: an approval counts for one piece of work".to_owned(),
            },
            OperationStatus::Expired | OperationStatus::Canceled | OperationStatus::Approved => "ask again".to_owned(),
            _ => format!("see it with `l10n operations show {id}`, and install a newer `l10n`"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_approval_is_asked_for_in_whole_credits_that_suffice() {
        let whole = |amount| whole_credits(Millicredits(amount)).0;
        assert_eq!([0, 1, 999, 1_000, 1_001].map(whole), [0, 1, 1, 1, 2]);
        assert_eq!((whole(-5), whole(i64::MAX)), (0, u32::MAX));
    }
}
