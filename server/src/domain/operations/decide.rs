//! A person decides.

use l10n_api_types::operations::{Operation, OperationStatus};

use super::state::{Event, State};
use super::{LONGEST_NOTE, entry, is_showable};
use crate::domain::ServiceError;
use crate::service::Service;
use crate::store::operations::{self as rows, Decision};

/// A person's decision.
#[derive(Debug, Clone, Copy)]
pub struct OperationDecision<'a> {
    /// Allowed, or refused.
    pub is_approved: bool,
    /// The person who decides.
    pub by: &'a str,
    /// The reason, in the person's words.
    pub reason: Option<&'a str>,
}

/// The reason why nothing was decided.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// There is no such operation.
    #[error("there is no operation `{}`", .0.escape_debug())]
    Unknown(String),
    /// It waits for no decision any more. The message shows its present status.
    #[error("operation `{}` waits for no decision: {}", .0.operation_id, ended(.0))]
    Over(Box<Operation>),
    /// A name or a reason that nobody could be shown.
    #[error("{0} has 1 to {LONGEST_NOTE} characters, and no control characters but line feeds and tabs")]
    Unshowable(&'static str),
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// Decides an operation that is pending, and wakes the calls of this process that wait for it.
///
/// # Errors
///
/// [`DecideError::Over`] for one that is not pending: the first decision stands.
pub async fn decide(service: &Service, id: &str, verdict: OperationDecision<'_>) -> Result<Operation, DecideError> {
    let OperationDecision { is_approved, by, reason } = verdict;
    let reason = reason.filter(|reason| !reason.is_empty());
    if by.is_empty() || !is_showable(by) {
        return Err(DecideError::Unshowable("the name of who decides"));
    }
    if reason.is_some_and(|reason| !is_showable(reason)) {
        return Err(DecideError::Unshowable("the reason"));
    }
    let mut tx = service.store.begin_write().await.map_err(ServiceError::from)?;
    let row = rows::lock(&mut tx, id).await.map_err(ServiceError::from)?;
    let row = row.ok_or_else(|| DecideError::Unknown(id.to_owned()))?;
    let now = service.clock.now();
    let event = if is_approved { Event::Approved } else { Event::Denied };
    let Ok(State { status, expires_at }) = State::from(&row).after(event, now) else {
        return Err(DecideError::Over(Box::new(entry(&service.settings, row, now))));
    };
    let decision = Decision { status, by, at: now, reason, expires_at };
    if !rows::decide(&mut tx, id, decision).await.map_err(ServiceError::from)? {
        return Err(ServiceError::internal(format!("the operation {id} was locked and changed")).into());
    }
    let row = rows::find(&mut tx, id).await.map_err(ServiceError::from)?;
    let row = row.ok_or_else(|| DecideError::Unknown(id.to_owned()))?;
    service.operation_decided.wake_all_after(&mut tx);
    tx.commit().await.map_err(ServiceError::from)?;
    Ok(entry(&service.settings, row, now))
}

/// The end of an operation, in words for people.
fn ended(operation: &Operation) -> String {
    let by = operation.decided_by.as_deref().unwrap_or("someone").escape_debug();
    let at = operation.decided_at.map(|at| format!(" at {at}")).unwrap_or_default();
    match operation.status {
        OperationStatus::Pending => "it is pending".to_owned(),
        OperationStatus::Approved => format!("{by} approved it{at}"),
        OperationStatus::Denied => format!("{by} denied it{at}"),
        OperationStatus::Used => format!("{by} approved it{at}, and it was used"),
        OperationStatus::Expired => format!("its time went by at {}", operation.expires_at),
        OperationStatus::Canceled => "the key that asked for it was revoked".to_owned(),
    }
}
