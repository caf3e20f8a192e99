//! Receipts that a killed server left running, and the lease of this one.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::domain::receipts;
use crate::service::Service;

/// Much shorter than a lease: how long a dead process's writes wait beyond it, and how often a lease is looked after.
const EVERY: Duration = Duration::from_secs(5);

/// Looks after them until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        keep_up(&service).await;
    }
}

async fn keep_up(service: &Service) {
    match receipts::keep_up(&service.receipts()).await {
        Ok(0) => {}
        Ok(writes) => tracing::info!(writes, "reported writes as failed: the lease of their server process expired"),
        Err(error) => tracing::warn!(?error, "cannot check the leases of server processes; trying again"),
    }
}

/// Settles them before the first request is taken.
pub async fn settle_orphans(service: &Service) {
    let settled = async {
        let mut tx = service.store.begin_background_write().await?;
        let settled = receipts::settle_orphans(&mut tx, &service.process, service.clock.now()).await?;
        tx.commit().await?;
        Ok::<_, crate::store::StoreError>(settled)
    };
    match settled.await {
        Ok(0) => {}
        Ok(writes) => tracing::info!(writes, "reported interrupted writes as failed"),
        Err(error) => tracing::warn!(
            ?error,
            "cannot report interrupted writes as failed yet; it happens when their leases expire"
        ),
    }
    keep_up(service).await;
}
