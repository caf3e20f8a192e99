//! Sending a delivery again, because a person asks for it (§3, §4).

use std::sync::Arc;

use l10n_api_types::ProjectId;
use l10n_api_types::deliveries::Delivery;

use super::super::ServiceError;
use super::log::entry;
use super::step::{Command, DeliveryRules, Event, State, Webhook, step};
use crate::clock::Clock;
use crate::deliveries_due::DeliveriesDue;
use crate::store::Tx;
use crate::store::deliveries::{self, DeliveryLogEntry};

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
    project: &ProjectId,
    webhook_id: &str,
    delivery_id: &str,
) -> Result<Delivery, ServiceError> {
    let logged = deliveries::lock(tx, webhook_id, delivery_id).await?;
    let logged = logged.ok_or_else(|| ServiceError::NotFound("this webhook has no such delivery".to_owned()))?;
    // A resend is made even if the webhook is disabled, because a person asks for it.
    let before = State { delivery: (&logged).into(), webhook: Webhook { enabled: true, failures: 0 } };
    let (State { delivery, .. }, commands) = step(rules, before, Event::ResendAsked, clock.now());
    if commands.contains(&Command::RefuseInFlight) {
        return Err(ServiceError::DeliveryInFlight(delivery_id.to_owned()));
    }
    deliveries::write(tx, &[delivery.written(webhook_id, delivery_id, before.delivery.lease)]).await?;
    deliveries_due.of_project_after(tx, project.as_str());
    Ok(entry(DeliveryLogEntry { status: delivery.status, due_at: delivery.due_at, resend: delivery.resend, ..logged }))
}
