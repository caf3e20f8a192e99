//! Taking deliveries that are due, and putting them back.

use bytes::Bytes;
use l10n_api_types::WebhookId;

use super::super::ServiceError;
use super::step::{
    DeliveryCommand, DeliveryEvent, DeliveryRules, DeliverySnapshot, DeliveryState, WebhookSnapshot, step,
};
use crate::clock::Timestamp;
use crate::store::due::{self, DueDelivery};
use crate::store::engine::DatabaseKind;
use crate::store::{Tx, deliveries, webhooks};

/// The number of a webhook's deliveries that a worker wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// The webhook.
    pub webhook_id: WebhookId,
    /// No more than these.
    pub at_most: usize,
}

/// An attempt that is to be made, with all that it needs. It belongs to this worker.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// `dlv_…`
    pub delivery_id: String,
    /// The webhook
    pub webhook_id: WebhookId,
    /// The event
    pub event_id: String,
    /// The target URL
    pub url: String,
    /// The bytes to send
    pub body: Bytes,
    /// The webhook's secret, sealed
    pub secret: Vec<u8>,
    /// The secret before it, sealed, and until when that one signs, too
    pub previous_secret: Option<(Vec<u8>, Timestamp)>,
    /// The delivery's state during the attempt
    pub(super) delivery: DeliverySnapshot,
}

impl Attempt {
    /// The number of this attempt within the delivery, from 1 on, resends included.
    #[must_use]
    pub fn number(&self) -> i64 {
        self.delivery.attempts + 1
    }

    /// The fencing token of the attempt: its result is written only with this number.
    #[must_use]
    pub fn fence(&self) -> i64 {
        self.delivery.fence
    }

    /// Returns whether a person asked for it.
    #[must_use]
    pub fn is_resend(&self) -> bool {
        self.delivery.resend
    }
}

/// The result of a claim.
#[derive(Debug, Default)]
pub struct Claimed {
    /// Attempts to make once the transaction is committed.
    pub attempts: Vec<Attempt>,
    /// Indexes of the requests whose webhooks may have more due deliveries.
    pub more: Vec<usize>,
}

/// Takes deliveries that are due. `under_way` tells which attempt of a delivery the worker is making: if the delivery
/// is due although that attempt still runs here (the clock was set), its lease is prolonged, and it is never made twice
/// at once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn claim(
    tx: &mut Tx,
    rules: &DeliveryRules,
    requests: &[ClaimRequest],
    under_way: impl Fn(&str) -> Option<i64>,
    now: Timestamp,
) -> Result<Claimed, ServiceError> {
    let mut claimed = Claimed::default();
    let mut changed: Vec<(WebhookId, String, i64, DeliverySnapshot)> = Vec::new();
    for (place, request) in requests.iter().enumerate() {
        let limit = i64::try_from(request.at_most).unwrap_or(i64::MAX);
        let due = due::first(tx, &request.webhook_id, now, limit).await?;
        if due.len() >= request.at_most {
            claimed.more.push(place);
        }
        for row in due {
            let before = DeliveryState::from(&row);
            let event = match under_way(&row.id) {
                Some(fence) => DeliveryEvent::Renewed { fence },
                None => DeliveryEvent::Claimed,
            };
            let (DeliveryState { delivery, .. }, commands) = step(rules, before, event, now);
            changed.push((row.webhook_id.clone(), row.id.clone(), before.delivery.fence, delivery));
            if commands.iter().any(|command| matches!(command, DeliveryCommand::Send { .. })) {
                claimed.attempts.push(attempt(row, delivery));
            }
        }
    }
    let written: Vec<_> =
        changed.iter().map(|(webhook, id, fence, delivery)| delivery.written(webhook, id, *fence)).collect();
    deliveries::write(tx, &written).await?;
    Ok(claimed)
}

fn attempt(row: DueDelivery, delivery: DeliverySnapshot) -> Attempt {
    Attempt {
        delivery_id: row.id,
        webhook_id: row.webhook_id,
        event_id: row.event_id,
        url: row.url,
        body: Bytes::from(row.body),
        secret: row.secret,
        previous_secret: row.previous_secret.zip(row.previous_secret_expires_at),
        delivery,
    }
}

/// Puts deliveries back whose attempts were not made or were given up, so that another worker may take them at once.
pub(crate) async fn release(
    tx: &mut Tx,
    rules: &DeliveryRules,
    attempts: &[&Attempt],
    now: Timestamp,
) -> Result<(), ServiceError> {
    let mut ids: Vec<&WebhookId> = attempts.iter().map(|attempt| &attempt.webhook_id).collect();
    ids.sort_unstable();
    ids.dedup();
    // Locked: one that is being disabled must not miss what becomes due here.
    let states = webhooks::lock_states(tx, &ids).await?;
    let mut written = Vec::with_capacity(attempts.len());
    for attempt in attempts {
        let Some(standing) = states.iter().find(|standing| standing.id == attempt.webhook_id) else { continue };
        let webhook = WebhookSnapshot { enabled: standing.enabled, failures: standing.consecutive_failures };
        let fence = attempt.fence();
        let before = DeliveryState { delivery: attempt.delivery, webhook };
        let (DeliveryState { delivery, .. }, _) = step(rules, before, DeliveryEvent::Released { fence }, now);
        written.push(delivery.written(&attempt.webhook_id, &attempt.delivery_id, fence));
    }
    deliveries::write(tx, &written).await?;
    Ok(())
}

/// Makes the deliveries due that processes took before they ended, when the server starts: an embedded datastore has
/// one server, so that no one else can be at work, and its deliveries need not wait for their leases to run out.
/// Returns the number of these deliveries; none on a shared datastore.
pub(crate) async fn release_orphans(tx: &mut Tx, now: Timestamp) -> Result<u64, ServiceError> {
    let mut orphans = 0;
    if tx.engine() == DatabaseKind::Sqlite {
        for waiting in due::waiting(tx, "", i64::MAX).await? {
            orphans += deliveries::release_all(tx, &waiting.webhook_id, now).await?;
        }
    }
    Ok(orphans)
}
