//! Approval by a person: a call that needs one is neither an error nor a dead end.

mod decide;
mod grant;
mod needs;
mod operation_words;

use l10n_client::api::operations::{CreateBody, Operation, OperationStatus};
use l10n_client::api::{ErrorCode, OperationId};
use l10n_client::{Error, Project};

pub(crate) use decide::run_of;
pub(crate) use grant::ApprovalOutcome;
pub(crate) use needs::{NeedsApproval, PendingQuestion};

use crate::call::Call;
use crate::digest::Digest;
use crate::failure::Failure;

/// Longest reason, in characters.
const LONGEST_REASON: usize = 500;

/// Longest id of an operation.
const LONGEST_ID: usize = 64;

/// Looks for an approval: in the state that the client sends back, in the argument, or of an equal call.
pub(crate) async fn granted(call: &Call<'_>, operation_id: Option<&str>) -> Result<ApprovalOutcome, Failure> {
    if let Some(sealed) = call.request_state() {
        return decide::with_state(call, sealed).await;
    }
    if let Some(id) = operation_id {
        let is_plausible = (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_plausible {
            return Err(call.wrong("`operation_id` must be the id that the needs_approval result gave"));
        }
        return decide::with_id(call, &id.into()).await;
    }
    let project = call.project().await?;
    let Some(known) = of_equal_call(call, &project).await? else { return Ok(ApprovalOutcome::Run(None)) };
    Ok(match known.status {
        OperationStatus::Approved => ApprovalOutcome::Run(Some(known.operation_id)),
        _ => ApprovalOutcome::Ask(needs::asked(call, &known, None, 1)),
    })
}

/// Asks a person, or joins an equal call that has asked already. `texts` is the number of translations to be made.
pub(crate) async fn ask(call: &Call<'_>, texts: Option<u64>, body: CreateBody) -> Result<PendingQuestion, Failure> {
    let project = call.writing().await?;
    let work = call.work();
    let _asking = call.memory.asking(work).lock().await;
    let operation = match of_equal_call(call, &project).await? {
        Some(known) => known,
        None => {
            let asked = match project.operations().create(&body).await {
                Ok(asked) => asked,
                Err(error) => return Err(crate::write::failed(&project, error).await),
            };
            call.memory.keep_operation(call.account.key(), work, asked.operation_id.clone());
            asked
        }
    };
    Ok(needs::asked(call, &operation, texts, 1))
}

/// The operation of an equal call that is still open: pending, or approved and not used.
async fn of_equal_call(call: &Call<'_>, project: &Project) -> Result<Option<Operation>, Failure> {
    let known = known(project, call.memory.operation(call.work())).await?;
    Ok(known.filter(|known| matches!(known.status, OperationStatus::Pending | OperationStatus::Approved)))
}

async fn known(project: &Project, id: Option<OperationId>) -> Result<Option<Operation>, Failure> {
    let Some(id) = id else { return Ok(None) };
    match project.operations().get(id).await {
        Ok(known) => Ok(Some(known)),
        Err(error) if error.code() == Some(&ErrorCode::NotFound) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The operation with which an equal call was carried out already. `sent` identifies the call with its texts.
pub(crate) async fn used(call: &Call<'_>, project: &Project, sent: Digest) -> Result<Option<Operation>, Failure> {
    let known = known(project, call.memory.sent(sent)).await?;
    Ok(known.filter(|known| known.status == OperationStatus::Used))
}

/// Returns true if the call was refused because nobody has approved it.
pub(crate) fn is_missing(error: &Error) -> bool {
    let Error::Api(answer) = error else { return false };
    let reason = answer.details().and_then(|details| details.get("reason")).and_then(|reason| reason.as_str());
    answer.code == ErrorCode::AuthorizationRequired && reason.is_none_or(|reason| reason == "missing")
}

/// The model's reason, which the person reads.
pub(crate) fn reason(call: &Call<'_>, reason: &str) -> Result<String, Failure> {
    let reason = reason.trim();
    let problem = if reason.is_empty() {
        "`reason` is empty: say in one sentence why, for the person who may have to approve it"
    } else if reason.chars().count() > LONGEST_REASON {
        "`reason` is longer than 500 characters: say it in one sentence"
    } else if reason.chars().any(char::is_control) {
        "`reason` must be a single line without control characters"
    } else {
        return Ok(reason.to_owned());
    };
    Err(call.wrong(problem))
}
