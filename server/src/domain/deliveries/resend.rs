//! Sending a delivery again, because a person asks for it (§3, §4).

use std::sync::Arc;

use l10n_api_types::deliveries::{Delivery, DeliveryStatus};
use l10n_api_types::{ProjectId, WebhookId, WorkspaceId};

use super::super::people::audit::{self, AuditAction, Record};
use super::super::{Actor, ServiceError};
use super::KEPT;
use super::log::{DeliveryFilter, entry, page, unknown};
use super::step::{DeliveryCommand, DeliveryEvent, DeliveryRules, DeliveryState, WebhookSnapshot, step};
use crate::clock::{Clock, Timestamp};
use crate::deliveries_due::DeliveriesDue;
use crate::store::deliveries::{self, DeliveryLogEntry};
use crate::store::{Store, Tx};

/// Somebody who sends deliveries of a project's webhooks again.
#[derive(Debug, Clone, Copy)]
pub struct Resender<'a> {
    /// The project.
    pub project: &'a ProjectId,
    /// Its workspace, in whose audit log it stands.
    pub workspace: &'a WorkspaceId,
    /// The one who asks.
    pub by: &'a Actor,
}

/// Asks for one attempt beside the plan, at once; asking again before it begins changes nothing.
///
/// # Errors
///
/// 404 when the webhook has no such delivery, 409 while an attempt is in flight.
pub async fn resend(
    tx: &mut Tx,
    rules: &DeliveryRules,
    deliveries_due: &Arc<DeliveriesDue>,
    clock: &dyn Clock,
    resender: Resender<'_>,
    webhook_id: &WebhookId,
    delivery_id: &str,
) -> Result<Delivery, ServiceError> {
    let Resender { project, workspace, by } = resender;
    let logged = deliveries::lock(tx, webhook_id, delivery_id).await?;
    let logged = logged.ok_or_else(unknown)?;
    // A resend is made even if the webhook is disabled, because a person asks for it.
    let before = DeliveryState { delivery: (&logged).into(), webhook: WebhookSnapshot { enabled: true, failures: 0 } };
    let now = clock.now();
    let (DeliveryState { delivery, .. }, commands) = step(rules, before, DeliveryEvent::ResendAsked, now);
    if commands.contains(&DeliveryCommand::RefuseInFlight) {
        return Err(ServiceError::DeliveryInFlight(delivery_id.to_owned()));
    }
    deliveries::write(tx, &[delivery.written(webhook_id, delivery_id, before.delivery.fence)]).await?;
    if commands.contains(&DeliveryCommand::Wake) {
        let (action, detail) = (AuditAction::DeliveryResent, Some(webhook_id.as_str()));
        let record = Record { project: Some(project), action, subject: Some(delivery_id), detail };
        audit::write(tx, workspace, by, now, record).await?;
    }
    deliveries_due.of_project_after(tx, project);
    Ok(entry(DeliveryLogEntry { status: delivery.status, due_at: delivery.due_at, resend: delivery.resend, ..logged }))
}

/// The parts of the server that resends use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResendParts<'a> {
    /// The datastore.
    pub(crate) store: &'a Store,
    /// The rules of deliveries.
    pub(crate) rules: &'a DeliveryRules,
    /// Tells the delivery worker that deliveries may be due.
    pub(crate) deliveries_due: &'a Arc<DeliveriesDue>,
    /// The source of time.
    pub(crate) clock: &'a dyn Clock,
    /// The one who asks.
    pub(crate) resender: Resender<'a>,
}

/// The result of resending what has failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Resent {
    /// Deliveries that are sent again.
    pub(crate) asked: usize,
    /// Deliveries that were left as they are: an attempt is in flight, or somebody else was quicker.
    pub(crate) skipped: usize,
    /// Failed deliveries beyond the bound of one call, or that the datastore did not take any more.
    pub(crate) left: usize,
}

/// Sends the deliveries again that are `failed` and whose last attempt began at `since` or later, the oldest first, each in
/// a transaction of its own; 50 at most, which is as many as a log keeps.
///
/// # Errors
///
/// Returns an error if the datastore fails before anything was done.
pub(crate) async fn resend_failed(
    parts: ResendParts<'_>,
    webhook_id: &WebhookId,
    since: Timestamp,
) -> Result<Resent, ServiceError> {
    let failed = DeliveryFilter { status: Some(DeliveryStatus::Failed), event: None };
    let mut tx = parts.store.begin_read().await?;
    let (mut failed, _) = page(&mut tx, webhook_id, failed, None, usize::MAX).await?;
    tx.rollback().await?;
    failed.retain(|delivery| delivery.last_attempt_at.is_some_and(|at| at >= since));
    failed.reverse();
    let most = usize::try_from(KEPT).unwrap_or_default();
    let mut done = Resent::default();
    for delivery in failed.iter().take(most) {
        match resend_one_failed(parts, webhook_id, delivery.delivery_id.as_str()).await {
            Ok(true) => done.asked += 1,
            Ok(false) => done.skipped += 1,
            // What was done is told, and the rest can be asked for again.
            Err(ServiceError::Unavailable { source, .. }) if done.asked > 0 => {
                tracing::warn!(cause = ?source, webhook = %webhook_id, "cannot send all failed deliveries again");
                break;
            }
            Err(error) => return Err(error),
        }
    }
    done.left = failed.len() - done.asked - done.skipped;
    Ok(done)
}

/// Sends a delivery again if it is still `failed`.
async fn resend_one_failed(parts: ResendParts<'_>, webhook_id: &WebhookId, id: &str) -> Result<bool, ServiceError> {
    let ResendParts { store, rules, deliveries_due, clock, resender } = parts;
    let mut tx = store.begin_write().await?;
    let present = deliveries::lock(&mut tx, webhook_id, id).await?;
    if present.is_none_or(|present| present.status != DeliveryStatus::Failed) {
        tx.rollback().await?;
        return Ok(false);
    }
    match resend(&mut tx, rules, deliveries_due, clock, resender, webhook_id, id).await {
        Ok(_) => {
            tx.commit().await?;
            Ok(true)
        }
        Err(ServiceError::DeliveryInFlight(_) | ServiceError::NotFound(_)) => {
            tx.rollback().await?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}
