//! Sending a delivery again, because a person asks for it (§3, §4).

use l10n_api_types::deliveries::{Delivery, DeliveryStatus};

use super::super::ServiceError;
use super::log::entry;
use super::step::{Command, Event, State, Webhook, step};
use crate::mutants;
use crate::service::Service;
use crate::store::Tx;
use crate::store::deliveries::{self, Logged};

/// Asks for one attempt beside the plan, at once; asking again before it begins changes nothing. Whoever calls it tells
/// `service.deliveries_due` after the commit.
///
/// # Errors
///
/// 404 when the webhook has no such delivery, 409 while an attempt is in flight.
pub async fn resend(
    tx: &mut Tx,
    service: &Service,
    webhook_id: &str,
    delivery_id: &str,
) -> Result<Delivery, ServiceError> {
    let logged = deliveries::lock(tx, webhook_id, delivery_id).await?;
    let logged = logged.ok_or_else(|| ServiceError::NotFound("this webhook has no such delivery".to_owned()))?;
    let planted = match logged.status {
        DeliveryStatus::Delivered => mutants::on("resend_refuses_delivered"),
        DeliveryStatus::Failed => mutants::on("resend_refuses_failed"),
        DeliveryStatus::Pending | DeliveryStatus::Delivering => false,
    };
    // Whether the webhook is enabled does not matter: asked for is asked for.
    let before = State { delivery: (&logged).into(), webhook: Webhook { enabled: true, failures: 0 } };
    let (State { delivery, .. }, commands) = step(before, Event::ResendAsked, service.clock.now());
    let in_flight = commands.contains(&Command::RefuseInFlight) && !mutants::on("resend_in_flight");
    if in_flight || planted {
        return Err(ServiceError::DeliveryInFlight(delivery_id.to_owned()));
    }
    deliveries::write(tx, &[delivery.written(webhook_id, delivery_id, before.delivery.lease)]).await?;
    Ok(entry(Logged { status: delivery.status, due_at: delivery.due_at, resend: delivery.resend, ..logged }))
}
