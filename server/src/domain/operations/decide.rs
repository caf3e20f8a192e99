//! A person decides.

use l10n_api_types::operations::{Operation, OperationStatus};

use super::state::{OperationEvent, OperationState};
use super::{LONGEST_OPERATION_NOTE, entry, is_showable};
use crate::clock::Clock;
use crate::config::Settings;
use crate::domain::people::audit::{self, AuditAction, Record};
use crate::domain::{Actor, ServiceError};
use crate::signal::Signal;
use crate::store::Tx;
use crate::store::operations::{self as rows, StoredDecision};
use crate::store::projects::Project;

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
    #[error(
        "{0} must be 1 to {LONGEST_OPERATION_NOTE} characters long, without control characters other than line feeds and tabs"
    )]
    Unshowable(&'static str),
    /// The datastore.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store_error!(DecideError);

/// The parts of the server that a decision uses.
#[derive(Debug, Clone, Copy)]
pub struct DecisionParts<'a> {
    /// The source of time.
    pub clock: &'a dyn Clock,
    /// The settings, which have the address of the dashboard.
    pub settings: &'a Settings,
    /// Tells those of this process who wait for a decision.
    pub decided: &'a Signal,
}

/// Decides an operation that is pending; the commit wakes the calls of this process that wait for it.
///
/// # Errors
///
/// [`DecideError::Over`] for one that is not pending: the first decision stands.
pub async fn decide(
    tx: &mut Tx,
    parts: DecisionParts<'_>,
    id: &str,
    verdict: OperationDecision<'_>,
) -> Result<Operation, DecideError> {
    let OperationDecision { is_approved, by, reason } = verdict;
    let reason = reason.filter(|reason| !reason.is_empty());
    if by.is_empty() || !is_showable(by) {
        return Err(DecideError::Unshowable("the name of who decides"));
    }
    if reason.is_some_and(|reason| !is_showable(reason)) {
        return Err(DecideError::Unshowable("the reason"));
    }
    let row = rows::lock(tx, id).await?.ok_or_else(|| DecideError::Unknown(id.to_owned()))?;
    let now = parts.clock.now();
    let event = if is_approved { OperationEvent::Approved } else { OperationEvent::Denied };
    let Ok(OperationState { status, expires_at }) = OperationState::from(&row).after(event, now) else {
        return Err(DecideError::Over(Box::new(entry(parts.settings, row, now))));
    };
    let decision = StoredDecision { status, by, at: now, reason, expires_at };
    if !rows::decide(tx, id, decision).await? {
        return Err(ServiceError::internal(format!("the operation {id} was locked and changed")).into());
    }
    let row = rows::find(tx, id).await?.ok_or_else(|| DecideError::Unknown(id.to_owned()))?;
    parts.decided.wake_all_after(tx);
    Ok(entry(parts.settings, row, now))
}

/// The person who decides in the dashboard, and the project in which they may.
#[derive(Debug, Clone, Copy)]
pub struct Decider<'a> {
    /// The project of the operation.
    pub project: &'a Project,
    /// The person.
    pub actor: &'a Actor,
}

/// Decides an operation of a project for a person who has signed in, and tells the audit log.
///
/// # Errors
///
/// [`DecideError::Unknown`] for an operation of another project, [`DecideError::Over`] for one that is not pending.
pub async fn decide_as(
    tx: &mut Tx,
    parts: DecisionParts<'_>,
    by: Decider<'_>,
    id: &str,
    is_approved: bool,
    reason: Option<&str>,
) -> Result<Operation, DecideError> {
    let found = rows::find(tx, id).await?.filter(|row| row.project_id == by.project.id);
    let label = found.ok_or_else(|| DecideError::Unknown(id.to_owned()))?.label;
    let name = by.actor.person().ok_or_else(|| DecideError::Unknown(id.to_owned()))?;
    let decided = decide(tx, parts, id, OperationDecision { is_approved, by: name, reason }).await?;
    let action = if is_approved { AuditAction::OperationApproved } else { AuditAction::OperationDenied };
    let detail = format!("{} ({label})", decided.kind);
    let record = Record { project: Some(&by.project.id), action, subject: Some(id), detail: Some(&detail) };
    audit::write(tx, &by.project.workspace_id, by.actor, parts.clock.now(), record).await?;
    Ok(decided)
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
        OperationStatus::Canceled => "the key that asked for it was revoked or has expired".to_owned(),
        status => format!("it is {status}"),
    }
}
