//! The log of a webhook's deliveries (§2, §8).

use l10n_api_types::deliveries::{Delivery, DeliveryStatus};

use super::super::ServiceError;
use super::KEPT;
use crate::store::Tx;
use crate::store::deliveries::{self, DeliveryLogEntry};

/// The last 50 deliveries of a webhook, newest first.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn log(tx: &mut Tx, webhook_id: &str) -> Result<Vec<Delivery>, ServiceError> {
    Ok(deliveries::log(tx, webhook_id, KEPT).await?.into_iter().map(entry).collect())
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
