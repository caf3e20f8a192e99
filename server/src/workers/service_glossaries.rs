//! Removes glossaries at translation services once their lists have changed or are gone.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::domain::{ServiceError, glossary};
use crate::service::Service;

const EVERY: Duration = Duration::from_secs(60);

/// Sweeps until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        match shutdown.run_until_cancelled(sweep(&service)).await {
            Some(Err(error)) => tracing::warn!(?error, "cannot remove glossaries at services; trying again"),
            Some(Ok(())) => {}
            None => return,
        }
    }
}

/// Sweeps once.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sweep(service: &Service) -> Result<(), ServiceError> {
    glossary::sweep_services(&service.store, &*service.clock, &service.engines).await
}
