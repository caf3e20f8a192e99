//! Sweeps what large runs have written ahead and never made live, and moves what was made live to its place.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::domain::run;
use crate::service::Service;

const EVERY: Duration = Duration::from_secs(60);

/// Gives up what a server that was killed has left, and moves to its place what was live, before the first request is taken.
pub(crate) async fn give_up_orphans(service: &Service) {
    if let Err(error) = run::give_up_orphans(&service.store).await {
        tracing::warn!(?error, "cannot clean up interrupted runs; trying again later");
    }
    if let Err(error) = run::finish_moving(&service.store).await {
        tracing::warn!(?error, "an interrupted run is only partly applied; the sweep finishes it");
    }
}

/// Sweeps until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    let sweeps = async {
        loop {
            if let Err(error) = run::sweep(&service.store, service.clock.now()).await {
                tracing::warn!(?error, "cannot delete staged rows of a run; trying again in a minute");
            }
            tokio::time::sleep(EVERY).await;
        }
    };
    shutdown.run_until_cancelled(sweeps).await;
}
