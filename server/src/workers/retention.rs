//! Deletes what the operator's settings keep for a time, and what people have deleted. It costs no one a pause: each batch is
//! a short transaction, and between two of them the worker rests for as long as the first one took. Of what cannot be deleted,
//! the log says so, and the rest goes all the same.

use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use crate::domain::ServiceError;
use crate::domain::retention::{self, RetainedKind, SweptProjects};
use crate::service::Service;
use crate::store::purge::PurgeTarget;

const EVERY: Duration = Duration::from_secs(300);

/// Sweeps until `shutdown`.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    let sweeps = async {
        loop {
            tokio::time::sleep(EVERY).await;
            // It has logged each of its errors.
            let _ = sweep(&service).await;
        }
    };
    shutdown.run_until_cancelled(sweeps).await;
}

/// Deletes all that is due. An error with one kind of records, with those of one project, or with one thing that people have
/// deleted, is logged and does not keep the others.
///
/// # Errors
///
/// Returns the first error.
pub async fn sweep(service: &Service) -> Result<(), ServiceError> {
    let mut first = Ok(());
    for kind in RetainedKind::ALL {
        if let Err(error) = sweep_kind(service, kind).await {
            tracing::warn!(?error, ?kind, "cannot delete records whose time is over; trying again in five minutes");
            first = first.and(Err(error));
        }
    }
    if let Err(error) = sweep_segments(service).await {
        tracing::warn!(?error, "cannot delete texts that no document has; trying again in five minutes");
        first = first.and(Err(error));
    }
    if let Err(error) = purge_due(service, &mut first).await {
        tracing::warn!(?error, "cannot find out what people have deleted; trying again in five minutes");
        first = first.and(Err(error));
    }
    first
}

async fn sweep_kind(service: &Service, kind: RetainedKind) -> Result<(), ServiceError> {
    let mut projects = SweptProjects::default();
    loop {
        let began = Instant::now();
        match sweep_some(service, kind, &mut projects).await {
            Ok(true) => retention::rest(began).await,
            Ok(false) => return projects.end(),
            Err(error) => projects.fail(error)?,
        }
    }
}

async fn sweep_some(service: &Service, kind: RetainedKind, projects: &mut SweptProjects) -> Result<bool, ServiceError> {
    projects.begin();
    let mut tx = service.store.begin_background_write().await?;
    let now = service.clock.now();
    let has_more = retention::sweep(&mut tx, &service.settings.retention, kind, now, projects).await?;
    tx.commit().await?;
    Ok(has_more)
}

async fn sweep_segments(service: &Service) -> Result<(), ServiceError> {
    let mut projects = SweptProjects::default();
    let settings = &service.settings.retention;
    while retention::sweep_segments(&service.store, settings, service.clock.now(), &mut projects).await? {}
    projects.end()
}

/// Deletes the rows of what people have deleted, once its time of grace is over. An error with one of them becomes the `first`
/// unless there was one before.
async fn purge_due(service: &Service, first: &mut Result<(), ServiceError>) -> Result<(), ServiceError> {
    loop {
        let mut tx = service.store.begin_read().await?;
        let due = retention::due(&mut tx, service.clock.now()).await?;
        tx.rollback().await?;
        let mut is_any_gone = false;
        for due in due {
            match purge(service, &due).await {
                Ok(()) => is_any_gone = true,
                Err(error) => {
                    tracing::warn!(?error, ?due, "cannot delete all of its rows; trying again in five minutes");
                    if first.is_ok() {
                        *first = Err(error);
                    }
                }
            }
        }
        if !is_any_gone {
            return Ok(());
        }
    }
}

async fn purge(service: &Service, due: &PurgeTarget) -> Result<(), ServiceError> {
    let mut tx = service.store.begin_background_write().await?;
    let is_begun = retention::begin_purge(&mut tx, due, service.clock.now()).await?;
    tx.commit().await?;
    if !is_begun {
        return Ok(());
    }
    loop {
        let began = Instant::now();
        let mut tx = service.store.begin_background_write().await?;
        let has_more = retention::purge(&mut tx, due, service.clock.now()).await?;
        tx.commit().await?;
        if !has_more {
            break;
        }
        retention::rest(began).await;
    }
    tracing::info!(?due, "deleted with all of its rows");
    Ok(())
}
