//! Delivers events to webhooks: takes what is due, sends it, writes what became of it.
//!
//! One task turns round and round: it collects the attempts that have ended, and in one transaction writes their results
//! and takes as many deliveries as there are free slots, and a few ahead of those that will be free soon. Attempts run as
//! tasks of their own, and go on while a turn is at the datastore. Everything between two turns is in the datastore, so
//! that a server may die anywhere: what it had is taken up again when its lease is over.

mod attempts;
mod backlog;
mod config;
mod schedule;
mod send;
mod slots;
mod sweep;
mod turn;

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::attempts::{AHEAD_FOR, Attempts};
use self::turn::DeliveryWorker;
use crate::domain::ServiceError;
use crate::domain::deliveries;
use crate::domain::deliveries::step::DELIVERY_LEASE_MILLIS;
use crate::egress::Timeouts;
use crate::service::Service;

pub use config::DeliveryConfig;
pub(crate) use sweep::{SweepQueue, run as run_sweep};

/// A lease outlasts the longest attempt by far: only a worker that died, or stood still, loses a delivery.
const _: () = {
    let Timeouts { open, answer } = Timeouts::SPECIFIED;
    assert!(DELIVERY_LEASE_MILLIS as u128 > AHEAD_FOR.as_millis() + open.as_millis() + answer.as_millis() + 10_000);
};

/// Time that a result waits for others, or for new deliveries, while nothing is known to be due: a steady stream then
/// needs one turn for each delivery, not two.
const GATHER: Duration = Duration::from_millis(5);

/// Makes due what a killed server had taken, before this one's worker starts. When that fails, leases run out by
/// themselves.
pub async fn release_orphans(service: &Service) {
    let given_back = async {
        let mut tx = service.store.begin_write().await?;
        let orphans = deliveries::release_orphans(&mut tx, service.clock.now()).await?;
        tx.commit().await?;
        Ok::<_, ServiceError>(orphans)
    };
    match given_back.await {
        Ok(0) => {}
        Ok(deliveries) => tracing::info!(deliveries, "retrying deliveries interrupted by an unclean shutdown"),
        Err(error) => {
            tracing::warn!(?error, "cannot retry interrupted deliveries yet; they are retried when their leases expire")
        }
    }
}

/// Delivers until `shutdown`; attempts that are under way then come to their end.
pub async fn run(service: Service, config: DeliveryConfig, finished: Arc<SweepQueue>, shutdown: CancellationToken) {
    let mut deliveries = DeliveryLoop {
        attempts: Attempts::new(&service),
        worker: DeliveryWorker::new(service, config, finished),
        config,
    };
    while !shutdown.is_cancelled() {
        let gather = if deliveries.worker.is_behind() { Duration::ZERO } else { GATHER };
        tokio::select! {
            () = shutdown.cancelled() => {}
            () = deliveries.attempts.until_ended(gather) => deliveries.turn().await,
            () = deliveries.worker.until_due() => deliveries.turn().await,
        }
    }
    deliveries.wind_down().await;
}

struct DeliveryLoop {
    attempts: Attempts,
    worker: DeliveryWorker,
    config: DeliveryConfig,
}

impl DeliveryLoop {
    /// Attempts go on meanwhile.
    async fn turn(&mut self) {
        let Self { attempts, worker, .. } = self;
        worker.accept(attempts.reports(), attempts.stale());
        let capacity = attempts.capacity();
        let taken = {
            let mut turn = pin!(worker.turn(&capacity));
            loop {
                tokio::select! {
                    taken = &mut turn => break taken,
                    () = attempts.end() => {}
                }
            }
        };
        attempts.take(taken);
    }

    /// Lets attempts end and writes their results; what takes too long is given up and put back, as is what never began.
    async fn wind_down(mut self) {
        let Self { attempts, worker, config } = &mut self;
        let until = Instant::now() + config.linger;
        let mut left = attempts.leave_ahead();
        loop {
            worker.accept(attempts.reports(), std::mem::take(&mut left));
            let written = async {
                worker.put_back().await?;
                worker.write_results().await
            };
            if let Err(error) = written.await {
                tracing::warn!(?error, "results of deliveries cannot be written yet");
                tokio::time::sleep_until(until.min(Instant::now() + config.pause)).await;
            }
            if attempts.is_empty() || tokio::time::timeout_at(until, attempts.end()).await.is_err() {
                break;
            }
        }
        let given_up = attempts.abort();
        worker.accept(attempts.reports(), given_up);
        let written = async {
            worker.write_results().await?;
            worker.put_back().await
        };
        if let Err(error) = written.await {
            tracing::warn!(
                ?error,
                "cannot write the results of some deliveries; they are retried when their leases expire"
            );
        }
    }
}
