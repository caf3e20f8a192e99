//! Delivers events to webhooks: takes what is due, sends it, writes what became of it.
//!
//! One task turns round and round: it collects the attempts that have ended, and in one transaction writes their results
//! and takes as many deliveries as there are free slots. Everything between two turns is in the datastore, so that a server
//! may die anywhere: what it had is taken up again when its lease is over. Attempts run as tasks of their own.

mod send;
mod slots;
mod sweep;
mod turn;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::slots::{Backlog, Slots};
use crate::domain::ServiceError;
use crate::domain::deliveries::step::LEASE_MILLIS;
use crate::domain::deliveries::{self, Attempt, Failure, Outcome, Report};
use crate::egress::Patience;
use crate::service::Service;

pub use sweep::{Finished, prune, run as run_sweep};

/// A lease outlasts the longest attempt by far: only a worker that died, or stood still, loses a delivery.
const _: () = {
    let Patience { open, answer } = Patience::SPECIFIED;
    assert!(LEASE_MILLIS as u128 > open.as_millis() + answer.as_millis() + 10_000);
};

/// How patient the worker is. These are durations of the machine, not of the service's clock.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How often it looks for deliveries that no one told it of.
    pub poll: Duration,
    /// How long it waits after the datastore has failed it.
    pub pause: Duration,
    /// How long attempts may go on when the server is about to end; then they are given up, and made again later.
    pub linger: Duration,
}

impl Default for Pace {
    /// An attempt takes 15 seconds at most, so that none need be given up.
    fn default() -> Self {
        Self { poll: Duration::from_millis(500), pause: Duration::from_millis(500), linger: Duration::from_secs(20) }
    }
}

/// Makes due what a killed server had taken, before this one's worker starts. When that fails, leases run out by
/// themselves.
pub async fn give_back_orphans(service: &Service) {
    let given_back = async {
        let mut tx = service.store.begin_write().await?;
        let orphans = deliveries::give_back_orphans(&mut tx, service.clock.now()).await?;
        tx.commit().await?;
        Ok::<_, ServiceError>(orphans)
    };
    match given_back.await {
        Ok(0) => {}
        Ok(deliveries) => tracing::info!(deliveries, "makes the attempts of a server that was killed again"),
        Err(error) => tracing::warn!(?error, "the deliveries of a killed server wait for their leases to run out"),
    }
}

/// Delivers until `shutdown`; attempts that are under way then come to their end.
pub async fn run(service: Service, pace: Pace, finished: Arc<Finished>, shutdown: CancellationToken) {
    let mut worker = Worker::new(service, pace, finished);
    while !shutdown.is_cancelled() {
        worker.wait(&shutdown).await;
        if !shutdown.is_cancelled() {
            worker.turn().await;
        }
    }
    worker.wind_down().await;
}

/// An attempt under way.
struct UnderWay {
    attempt: Arc<Attempt>,
    host: String,
}

struct Worker {
    service: Service,
    pace: Pace,
    finished: Arc<Finished>,
    slots: Slots,
    /// What is known to be due.
    backlog: Backlog,
    tasks: JoinSet<Outcome>,
    under_way: HashMap<Id, UnderWay>,
    /// Deliveries under way, with the numbers of their attempts.
    fences: HashMap<String, i64>,
    /// What is to be written: kept here until it is committed.
    reports: Vec<Report>,
    /// When to look for what is due, at the latest.
    look_at: Instant,
    /// Someone said that something is due.
    told: bool,
}

impl Worker {
    fn new(service: Service, pace: Pace, finished: Arc<Finished>) -> Self {
        Self {
            slots: Slots::new(&service.settings.webhooks),
            service,
            pace,
            finished,
            backlog: Backlog::new(),
            tasks: JoinSet::new(),
            under_way: HashMap::new(),
            fences: HashMap::new(),
            reports: Vec::new(),
            look_at: Instant::now(),
            told: false,
        }
    }

    /// Waits until there is something to do, and collects what has ended.
    async fn wait(&mut self, shutdown: &CancellationToken) {
        tokio::select! {
            () = shutdown.cancelled() => {}
            Some(ended) = self.tasks.join_next_with_id() => self.ended(ended),
            () = self.service.deliveries_due.notified() => self.told = true,
            () = tokio::time::sleep_until(self.look_at) => {}
        }
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.ended(ended);
        }
    }

    fn start(&mut self, attempt: Attempt, host: String) {
        self.slots.take(&attempt.webhook_id, &host);
        self.fences.insert(attempt.delivery_id.clone(), attempt.fence());
        let attempt = Arc::new(attempt);
        let (service, under_way) = (self.service.clone(), Arc::clone(&attempt));
        let task = self.tasks.spawn(async move { send::send(&service, &under_way).await });
        self.under_way.insert(task.id(), UnderWay { attempt, host });
    }

    fn ended(&mut self, ended: Result<(Id, Outcome), JoinError>) {
        let (id, outcome) = match ended {
            Ok((id, outcome)) => (id, Some(outcome)),
            Err(error) => (error.id(), None),
        };
        let Some(UnderWay { attempt, host }) = self.under_way.remove(&id) else { return };
        self.slots.free(&attempt.webhook_id, &host);
        self.fences.remove(&attempt.delivery_id);
        let outcome = outcome.unwrap_or_else(|| {
            let at = self.service.clock.now();
            let failure = Failure { kind: None, reason: "the server failed at this attempt".to_owned() };
            Outcome { status: None, failure: Some(failure), began_at: at, ended_at: at, took_ms: 0 }
        });
        self.reports.push(Report { attempt, outcome });
    }

    /// Lets attempts end and writes their results; what takes too long is given up and put back.
    async fn wind_down(mut self) {
        let until = Instant::now() + self.pace.linger;
        while let Ok(Some(ended)) = tokio::time::timeout_at(until, self.tasks.join_next_with_id()).await {
            self.ended(ended);
            while let Some(ended) = self.tasks.try_join_next_with_id() {
                self.ended(ended);
            }
            if let Err(error) = self.write_results().await {
                tracing::warn!(?error, "results of deliveries cannot be written yet");
                tokio::time::sleep_until(until.min(Instant::now() + self.pace.pause)).await;
            }
        }
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.ended(ended);
        }
        self.tasks.abort_all();
        if let Err(error) = self.put_back().await {
            tracing::warn!(?error, "some deliveries wait for their leases to run out, then they are made again");
        }
    }
}
