//! Receipts that a killed server left running.

use crate::domain::receipts;
use crate::service::Service;

/// Settles them before the first request is taken.
pub async fn settle_orphans(service: &Service) {
    let settled = async {
        let mut tx = service.store.begin_write().await?;
        let settled = receipts::settle_orphans(&mut tx, service.clock.now()).await?;
        tx.commit().await?;
        Ok::<_, crate::store::StoreError>(settled)
    };
    match settled.await {
        Ok(0) => {}
        Ok(writes) => tracing::info!(writes, "told writes of a server that was killed as failed"),
        Err(error) => tracing::warn!(?error, "receipts of a killed server run out by themselves"),
    }
}
