//! Marks holds whose 35 minutes are over as released. Nothing depends on it: a dead hold counts nowhere.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::domain::ServiceError;
use crate::service::Service;
use crate::store::holds;

const EVERY: Duration = Duration::from_secs(60);

/// Sweeps until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        match sweep(&service).await {
            Ok(0) => {}
            Ok(released) => tracing::info!(released, "released holds whose time was over"),
            Err(error) => tracing::warn!(?error, "cannot release holds whose time is over; trying again"),
        }
    }
}

/// Sweeps once; returns how many holds were released.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sweep(service: &Service) -> Result<u64, ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    let released = holds::release_dead(&mut tx, service.clock.now()).await?;
    tx.commit().await?;
    Ok(released)
}
