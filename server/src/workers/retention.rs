//! Deletes what the operator's settings keep for a time, and what people have deleted. It costs no one a pause: each batch is
//! a short transaction, and between two of them the worker rests for as long as the first one took.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::domain::ServiceError;
use crate::domain::retention::{self, Kind};
use crate::service::Service;

const EVERY: Duration = Duration::from_secs(300);

/// Sweeps until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    while shutdown.run_until_cancelled(tokio::time::sleep(EVERY)).await.is_some() {
        match shutdown.run_until_cancelled(sweep(&service)).await {
            Some(Err(error)) => tracing::warn!(?error, "cannot delete records whose time is over; trying again"),
            Some(Ok(())) => {}
            None => return,
        }
    }
}

/// Deletes all that is due.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sweep(service: &Service) -> Result<(), ServiceError> {
    for kind in Kind::ALL {
        loop {
            let began = Instant::now();
            let mut tx = service.store.begin_background_write().await?;
            let has_more = retention::sweep(&mut tx, &service.settings.retention, kind, service.clock.now()).await?;
            tx.commit().await?;
            if !has_more {
                break;
            }
            tokio::time::sleep(began.elapsed()).await;
        }
    }
    while retention::sweep_segments(&service.store, &service.settings.retention, service.clock.now()).await? {}
    purge(service).await
}

/// Deletes the rows of what people have deleted, once its time of grace is over.
async fn purge(service: &Service) -> Result<(), ServiceError> {
    loop {
        let mut tx = service.store.begin_background_write().await?;
        let due = retention::due(&mut tx, service.clock.now()).await?;
        tx.commit().await?;
        let Some(due) = due else { return Ok(()) };
        loop {
            let began = Instant::now();
            let mut tx = service.store.begin_background_write().await?;
            let has_more = retention::purge(&mut tx, &due, service.clock.now()).await?;
            tx.commit().await?;
            if !has_more {
                break;
            }
            tokio::time::sleep(began.elapsed()).await;
        }
        tracing::info!(?due, "deleted with all of its rows");
    }
}
