//! The webhooks of a project.

use l10n_api_types::webhooks::{Webhook, Webhooks};
use l10n_api_types::{ProjectId, WebhookId};

use super::{entry, find, rows};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::deliveries::KEPT;
use crate::store::Tx;
pub(crate) use crate::store::webhooks::RecentDeliveries;

/// All of them, enabled or not, in the order of their registration.
pub(crate) async fn list(tx: &mut Tx, project: &ProjectId, now: Timestamp) -> Result<Webhooks, ServiceError> {
    let webhooks = rows::list(tx, project).await?;
    Ok(Webhooks { webhooks: webhooks.into_iter().map(|row| entry(row, now)).collect() })
}

/// A webhook with what a person wants to know about it.
#[derive(Debug, Clone)]
pub(crate) struct ManagedWebhook {
    /// The webhook.
    pub(crate) webhook: Webhook,
    /// The host of its URL, by which people tell webhooks apart.
    pub(crate) host: String,
    /// The time at which it was disabled, where it is and that was written down.
    pub(crate) disabled_at: Option<Timestamp>,
}

impl ManagedWebhook {
    /// A webhook at `now`.
    pub(crate) fn of(row: rows::Webhook, now: Timestamp) -> Self {
        let disabled_at = row.disabled_at.filter(|_| !row.enabled);
        Self { host: row.host.clone(), disabled_at, webhook: entry(row, now) }
    }
}

/// One of them, with the last deliveries that its log shows in numbers.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub(crate) async fn managed(
    tx: &mut Tx,
    project: &ProjectId,
    id: &WebhookId,
    now: Timestamp,
) -> Result<(ManagedWebhook, RecentDeliveries), ServiceError> {
    let row = find(tx, project, id).await?;
    let recent = rows::recent_of(tx, id, KEPT).await?;
    Ok((ManagedWebhook::of(row, now), recent))
}

/// All of them in the order of their registration, with the last deliveries that their logs show in numbers.
pub(crate) async fn overview(
    tx: &mut Tx,
    project: &ProjectId,
    now: Timestamp,
) -> Result<Vec<(ManagedWebhook, RecentDeliveries)>, ServiceError> {
    let webhooks = rows::list(tx, project).await?;
    // Both come from the one state that a reading transaction sees.
    let recent = rows::recent(tx, project, KEPT).await?;
    Ok(webhooks.into_iter().map(|row| ManagedWebhook::of(row, now)).zip(recent).collect())
}
