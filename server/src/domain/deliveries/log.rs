//! The log of a webhook's deliveries (§2, §8).

use l10n_api_types::WebhookId;
use l10n_api_types::deliveries::{Delivery, DeliveryStatus};
use l10n_api_types::events::EventType;

use super::super::ServiceError;
use super::{KEPT, KEPT_ATTEMPTS};
use crate::store::Tx;
use crate::store::deliveries::{self, DeliveryLogEntry};
use crate::store::delivery_attempts::{self, DeliveryAttempt};

/// The last 50 deliveries of a webhook, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn log(tx: &mut Tx, webhook_id: &WebhookId) -> Result<Vec<Delivery>, ServiceError> {
    Ok(deliveries::log(tx, webhook_id, KEPT).await?.into_iter().map(entry).collect())
}

/// Deliveries that one page looks at. The log keeps 50 that have ended; more than these wait only for an endpoint that hangs.
const LOOKED_AT: i64 = 500;

/// Sorts behind every id of a delivery.
const NEWEST: &str = "dlv~";

/// A selection of deliveries.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DeliveryFilter {
    /// Those of this status alone.
    pub(crate) status: Option<DeliveryStatus>,
    /// Those of events of this type alone.
    pub(crate) event: Option<EventType>,
}

/// At most `most` deliveries of a webhook before `before`, newest first, and the place where the next page begins, if there
/// is one. A page may be empty and have a next one, where many deliveries are none of the selection.
pub(crate) async fn page(
    tx: &mut Tx,
    webhook_id: &WebhookId,
    filter: DeliveryFilter,
    before: Option<&str>,
    most: usize,
) -> Result<(Vec<Delivery>, Option<String>), ServiceError> {
    let looked_at = deliveries::page(tx, webhook_id, LOOKED_AT, before.unwrap_or(NEWEST)).await?;
    let is_all = i64::try_from(looked_at.len()).is_ok_and(|rows| rows < LOOKED_AT);
    let end = looked_at.last().map(|last| last.id.clone()).filter(|_| !is_all);
    let is_wanted = |entry: &DeliveryLogEntry| {
        filter.status.is_none_or(|status| entry.status == status)
            && filter.event.is_none_or(|event| entry.event_type == event)
    };
    let mut wanted: Vec<Delivery> = looked_at.into_iter().filter(is_wanted).map(entry).collect();
    let next = if wanted.len() > most {
        wanted.truncate(most);
        wanted.last().map(|last| last.delivery_id.to_string())
    } else {
        end
    };
    Ok((wanted, next))
}

/// A delivery with its attempts.
#[derive(Debug)]
pub(crate) struct DeliveryDetail {
    /// The delivery.
    pub(crate) delivery: Delivery,
    /// The bytes that each attempt sends.
    pub(crate) body: Vec<u8>,
    /// The last attempts, newest first, as far as they were written down.
    pub(crate) attempts: Vec<DeliveryAttempt>,
}

/// A delivery of a webhook with its attempts.
///
/// # Errors
///
/// 404 when the webhook has no such delivery.
pub(crate) async fn detail(tx: &mut Tx, webhook_id: &WebhookId, id: &str) -> Result<DeliveryDetail, ServiceError> {
    let found = deliveries::find(tx, webhook_id, id).await?.ok_or_else(unknown)?;
    let body = deliveries::body(tx, webhook_id, id).await?;
    let attempts = delivery_attempts::list(tx, webhook_id, id, KEPT_ATTEMPTS).await?;
    Ok(DeliveryDetail { delivery: entry(found), body, attempts })
}

pub(super) fn unknown() -> ServiceError {
    ServiceError::NotFound("this webhook has no such delivery".to_owned())
}

/// A delivery as the API shows it.
pub(super) fn entry(logged: DeliveryLogEntry) -> Delivery {
    Delivery {
        delivery_id: logged.id.into(),
        event_id: logged.event_id.into(),
        event_type: logged.event_type,
        publish_id: logged.publish_id.into(),
        status: logged.status,
        attempts: u32::try_from(logged.attempts).unwrap_or(u32::MAX),
        // While an attempt is in flight it is the lease that becomes due, and what follows depends on the attempt.
        next_attempt_at: logged.due_at.filter(|_| logged.status == DeliveryStatus::Pending),
        last_status_code: logged.last_status_code.and_then(|code| u16::try_from(code).ok()),
        last_error: logged.last_error,
        last_error_kind: logged.last_error_kind,
        created_at: logged.created_at,
        last_attempt_at: logged.last_attempt_at,
        last_duration_ms: logged.last_duration_ms.and_then(|millis| u64::try_from(millis).ok()),
    }
}
