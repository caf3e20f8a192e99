//! Retention of deliveries and events: they stay as long as a log shows them or they are under way.

use l10n_api_types::WebhookId;

use super::super::ServiceError;
use crate::store::{Tx, deliveries, events};

/// Deliveries that a log shows (§8).
pub(crate) const KEPT: i64 = 50;

/// Attempts of a delivery that are kept: the planned ones, and some that people asked for.
pub(crate) const KEPT_ATTEMPTS: i64 = 20;

/// Rows that one transaction deletes at most, so that others need not wait for long.
const AT_ONCE: i64 = 500;

/// Deletes deliveries of a webhook that have ended and are not among its last 50, with events that no other delivery
/// needs; returns how many deliveries. Some are left where there are very many: as many as a transaction deletes.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn prune(tx: &mut Tx, webhook_id: &WebhookId) -> Result<usize, ServiceError> {
    let Some(last) = deliveries::first_beyond(tx, webhook_id, KEPT).await? else { return Ok(0) };
    let mut orphans = deliveries::prune(tx, webhook_id, &last, AT_ONCE).await?;
    let pruned = orphans.len();
    orphans.sort_unstable();
    orphans.dedup();
    events::delete_unused(tx, &orphans).await?;
    Ok(pruned)
}

/// Deletes events after `after`, by id, that no delivery needs (their webhooks were deleted); returns where to go on, or
/// `None` at the end.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sweep_events(tx: &mut Tx, after: &str) -> Result<Option<String>, ServiceError> {
    let page = events::page(tx, after, AT_ONCE).await?;
    events::delete_unused(tx, &page).await?;
    Ok(page.last().cloned())
}
