//! Deletes deliveries that no log shows any more, and events that no delivery needs.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use l10n_api_types::WebhookId;
use tokio_util::sync::CancellationToken;

use crate::domain::ServiceError;
use crate::domain::deliveries;
use crate::service::Service;

const EVERY: Duration = Duration::from_secs(30);

/// Webhooks with deliveries that have ended since they were swept.
#[derive(Debug, Default)]
pub struct SweepQueue(Mutex<HashSet<WebhookId>>);

impl SweepQueue {
    pub(super) fn note(&self, webhook_id: &WebhookId) {
        let mut webhooks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !webhooks.contains(webhook_id) {
            webhooks.insert(webhook_id.clone());
        }
    }

    fn take(&self) -> HashSet<WebhookId> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Sweeps until `shutdown`.
pub(crate) async fn run(service: Service, finished: Arc<SweepQueue>, shutdown: CancellationToken) {
    let mut after = String::new();
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        for webhook_id in finished.take() {
            if let Err(error) = prune(&service, &webhook_id).await {
                tracing::warn!(?error, "cannot delete old deliveries; trying again");
                finished.note(&webhook_id);
            }
        }
        match sweep_events(&service, &after).await {
            // At the end the sweep begins anew.
            Ok(next) => after = next.unwrap_or_default(),
            Err(error) => tracing::warn!(?error, "cannot delete events that nobody needs; trying again"),
        }
    }
}

/// Deletes all deliveries of a webhook that have ended and are not among its last 50.
pub(crate) async fn prune(service: &Service, webhook_id: &WebhookId) -> Result<(), ServiceError> {
    loop {
        let mut tx = service.store.begin_background_write().await?;
        let pruned = deliveries::prune(&mut tx, webhook_id).await?;
        tx.commit().await?;
        if pruned == 0 {
            return Ok(());
        }
    }
}

async fn sweep_events(service: &Service, after: &str) -> Result<Option<String>, ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    let next = deliveries::sweep_events(&mut tx, after).await?;
    tx.commit().await?;
    Ok(next)
}
