//! Waiting for a person's decision, and what follows from it.

use l10n_client::Project;
use l10n_client::api::operations::{Operation, OperationStatus};
use l10n_client::api::{ErrorCode, OperationId, TrackingToken};

use super::grant::ApprovalOutcome;
use super::needs::{NeedsApproval, PendingQuestion, QUESTION, asked};
use super::operation_words::work;
use crate::call::Call;
use crate::failure::{Failure, FailureFacts};

/// Looks at an operation, each for this many seconds at most; 25 seconds in all.
const LOOKS: u32 = 5;
const SECONDS: u32 = 5;

const ANEW: &str = "If it is still wanted, call again without `operation_id`: a person is then asked again.";

/// Goes on with a call that the client sends again.
pub(super) async fn with_state(call: &Call<'_>, sealed: &str) -> Result<ApprovalOutcome, Failure> {
    let Some(state) = call.seal.open(call.whole(), sealed) else {
        return Err(call.wrong("the request state has expired or belongs to another call; call again without it"));
    };
    let id = OperationId::from(state.operation);
    let action =
        call.input_responses().and_then(|answers| answers.get(QUESTION)).and_then(|answer| answer.get("action"));
    if matches!(action.and_then(|action| action.as_str()), Some("decline" | "cancel")) {
        let operation = read(call, &id).await?;
        // Somebody else may have decided meanwhile.
        return match operation.status {
            OperationStatus::Pending => {
                Ok(ApprovalOutcome::Ask(PendingQuestion::Model(Box::new(NeedsApproval::declined(call, &operation)))))
            }
            _ => outcome(call, operation, None).await,
        };
    }
    let operation = wait(call, &id).await?;
    outcome(call, operation, Some(state.rounds)).await
}

/// Goes on with a call that names its operation.
pub(super) async fn with_id(call: &Call<'_>, id: &OperationId) -> Result<ApprovalOutcome, Failure> {
    let operation = wait(call, id).await?;
    outcome(call, operation, None).await
}

/// Waits up to 25 seconds for a decision.
async fn wait(call: &Call<'_>, id: &OperationId) -> Result<Operation, Failure> {
    let mut operation = read(call, id).await?;
    let (operations, mut progress) = (call.project().await?.operations(), call.progress());
    for look in 0..LOOKS {
        if operation.status != OperationStatus::Pending {
            break;
        }
        let message = format!("waiting for a person: {} s", look * SECONDS);
        progress.report(f64::from(look * SECONDS), None, message).await;
        tokio::select! {
            next = operations.get_after(id, SECONDS) => operation = next?,
            () = call.canceled() => break,
        }
    }
    Ok(operation)
}

async fn read(call: &Call<'_>, id: &OperationId) -> Result<Operation, Failure> {
    match call.project().await?.operations().get(id.clone()).await {
        Err(error) if error.code() == Some(&ErrorCode::NotFound) => {
            Err(FailureFacts::new("not_found", "The project has no operation with this id.", ANEW).into())
        }
        answer => Ok(answer?),
    }
}

/// `rounds` is the number of times that the client has asked, if it asks.
async fn outcome(call: &Call<'_>, operation: Operation, rounds: Option<u32>) -> Result<ApprovalOutcome, Failure> {
    let run = match operation.status {
        OperationStatus::Used => run_of(&call.project().await?, &operation).await,
        _ => None,
    };
    let told = |error: &str, message: &str, advice: &str| {
        let mut told = FailureFacts::new(error, format!("{message}: {}.", work(&operation, None)), advice)
            .detail("operation_id", operation.operation_id.to_string());
        if let Some(reason) = &operation.reason {
            told = told.detail("reason", reason.clone());
        }
        if let Some(by) = &operation.decided_by {
            told = told.detail("decided_by", by.clone());
        }
        if let Some(request) = &operation.request_id {
            told = told.detail("used_by_request", request.to_string());
        }
        if let Some(run) = &run {
            told = told.detail("tracking_token", run.to_string());
        }
        Err(told.into())
    };
    match operation.status {
        OperationStatus::Approved => Ok(ApprovalOutcome::Run(Some(operation.operation_id))),
        OperationStatus::Pending => {
            // Without rounds, the model carries the id, and goes on carrying it.
            let round = rounds.map_or(u32::MAX, |rounds| rounds.saturating_add(1));
            Ok(ApprovalOutcome::Ask(asked(call, &operation, None, round)))
        }
        OperationStatus::Denied => told(
            "approval_denied",
            "A person denied this",
            "Do not try another way. Tell the person the reason in `details`, and ask what they want instead.",
        ),
        OperationStatus::Expired => told("approval_expired", "This request, or its approval, has expired", ANEW),
        OperationStatus::Canceled => {
            told("approval_canceled", "The key that asked for this was revoked or has expired", ANEW)
        }
        OperationStatus::Used => told(
            "approval_used",
            "This approval was used already and counts only once",
            "The work is done or under way. Look at it first: get_run with the `tracking_token` in `details` if there is \
             one, otherwise get_project. For more work, call without `operation_id`.",
        ),
        status => told(
            "approval_unknown",
            &format!("The server says `{status}` of this approval, which this version does not know"),
            "Do not repeat the call. Tell the person, and that a newer version of this program would know it.",
        ),
    }
}

/// The run that an operation was used for, as its receipt says. `None` if it queued nothing, or the receipt cannot be read.
pub(crate) async fn run_of(project: &Project, operation: &Operation) -> Option<TrackingToken> {
    let request = operation.request_id.clone()?;
    let resource = project.requests().get(request).await.ok()?.resource?;
    (resource.kind == "translation").then(|| resource.id.into())
}
