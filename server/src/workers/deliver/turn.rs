//! One turn of the worker: what it does in the datastore.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use tokio::time::Instant;

use super::attempts::Taken;
use super::slots::{Backlog, Room};
use super::{Finished as Sweepable, Pace};
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::deliveries::{self, Attempt, Claimed, Finished, Report};
use crate::service::Service;
use crate::store::Tx;
use crate::store::due::{self, Waiting};

/// The worker at the datastore: what is to be written, and what is known to be due.
pub(super) struct Desk {
    service: Service,
    pace: Pace,
    sweepable: Arc<Sweepable>,
    backlog: Backlog,
    /// The webhook that was served last.
    last: String,
    /// Deliveries that were taken and of whose attempts nothing is known yet, with the numbers of these.
    fences: HashMap<String, i64>,
    /// What is to be written: kept here until it is committed.
    reports: Vec<Report>,
    /// What is to be put back: likewise.
    left: Vec<Arc<Attempt>>,
    /// When to look for what is due, at the latest.
    look_at: Instant,
    /// Someone said that something is due.
    told: bool,
}

impl Desk {
    pub(super) fn new(service: Service, pace: Pace, sweepable: Arc<Sweepable>) -> Self {
        Self {
            service,
            pace,
            sweepable,
            backlog: Backlog::new(),
            last: String::new(),
            fences: HashMap::new(),
            reports: Vec::new(),
            left: Vec::new(),
            look_at: Instant::now(),
            told: false,
        }
    }

    /// Until it is time to look, or somebody says that it is.
    pub(super) async fn until_due(&mut self) {
        tokio::select! {
            () = self.service.deliveries_due.notified() => self.told = true,
            () = tokio::time::sleep_until(self.look_at) => {}
        }
    }

    /// Whether something is known to be due.
    pub(super) fn is_behind(&self) -> bool {
        !self.backlog.is_empty()
    }

    /// Takes over what attempts met, and what is not to be attempted.
    pub(super) fn accept(&mut self, reports: Vec<Report>, left: Vec<Arc<Attempt>>) {
        for attempt in reports.iter().map(|report| &report.attempt).chain(&left) {
            self.fences.remove(&attempt.delivery_id);
        }
        self.reports.extend(reports);
        self.left.extend(left);
    }

    /// Writes results and takes deliveries. When the datastore fails, everything stays as it is, and the next turn comes a
    /// little later.
    pub(super) async fn turn(&mut self, room: &Room) -> Vec<Taken> {
        let looks = self.told || Instant::now() >= self.look_at;
        match self.transact(room, looks).await {
            Ok(Some(taken)) => {
                self.told &= !looks;
                taken
            }
            // Another worker had some of them: without these, at once.
            Ok(None) => {
                self.look_at = Instant::now();
                Vec::new()
            }
            Err(error) => {
                tracing::warn!(?error, results = self.reports.len(), "the delivery worker waits for the datastore");
                tokio::time::sleep(self.pace.pause).await;
                self.look_at = Instant::now();
                Vec::new()
            }
        }
    }

    /// `None` when some of the results were lost; they are dropped, and nothing was written.
    async fn transact(&mut self, room: &Room, looks: bool) -> Result<Option<Vec<Taken>>, ServiceError> {
        self.put_back().await?;
        // When nobody says that there is work, looking must not hold up those who write.
        let aside = looks && !self.told && self.reports.is_empty();
        if aside {
            let mut tx = self.service.store.begin_read().await?;
            self.look(&mut tx).await?;
            tx.rollback().await?;
        }
        if (aside || !looks) && self.reports.is_empty() && !room.suffices(&self.backlog) {
            return Ok(Some(Vec::new()));
        }
        let mut tx = self.service.store.begin_ahead().await?;
        // After waiting for the transaction: nothing that happened before it is in the future.
        let now = self.service.clock.now();
        if !self.finish(&mut tx).await? {
            tx.rollback().await?;
            return Ok(None);
        }
        if looks && !aside {
            self.look(&mut tx).await?;
        }
        let wishes = room.share(&self.backlog, &mut self.last);
        let claimed = if wishes.is_empty() {
            Claimed::default()
        } else {
            let fences = &self.fences;
            deliveries::claim(&mut tx, &wishes, |delivery| fences.get(delivery).copied(), now).await?
        };
        tx.commit().await?;
        self.written();
        let at = Instant::now();
        let mut taken = Vec::with_capacity(claimed.attempts.len());
        for attempt in claimed.attempts {
            self.fences.insert(attempt.delivery_id.clone(), attempt.fence());
            let host = self.backlog.get(&attempt.webhook_id).cloned().unwrap_or_default();
            taken.push(Taken { attempt: Arc::new(attempt), host, at });
        }
        for (place, wish) in wishes.iter().enumerate() {
            if !claimed.more.contains(&place) {
                self.backlog.remove(&wish.webhook_id);
            }
        }
        Ok(Some(taken))
    }

    /// Finds out which webhooks have something due, and when the next one will have.
    async fn look(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        const PAGE: i64 = 1_000;
        let (now, begun) = (self.service.clock.now(), Instant::now());
        let mut next: Option<Timestamp> = None;
        let mut after = String::new();
        loop {
            let page = due::waiting(tx, &after, PAGE).await?;
            let whole = i64::try_from(page.len()).is_ok_and(|rows| rows == PAGE);
            if let Some(last) = page.last() {
                after.clone_from(&last.webhook_id);
            }
            for Waiting { webhook_id, host, due_at } in page {
                if due_at <= now {
                    self.backlog.insert(webhook_id, host);
                } else {
                    next = Some(next.map_or(due_at, |next| next.min(due_at)));
                }
            }
            if !whole {
                break;
            }
        }
        let until_next = next.and_then(|next| u64::try_from(next.as_millis() - now.as_millis()).ok());
        let until_next = until_next.map_or(self.pace.poll, std::time::Duration::from_millis);
        self.look_at = begun + until_next.min(self.pace.poll);
        Ok(())
    }

    /// Writes the results, as far as the transaction is committed; `false` when it must not be.
    async fn finish(&mut self, tx: &mut Tx) -> Result<bool, ServiceError> {
        if self.reports.is_empty() {
            return Ok(true);
        }
        match deliveries::finish(tx, &self.reports).await? {
            Finished::Written { disabled } => {
                for webhook in disabled {
                    tracing::warn!(webhook, "a webhook is disabled: three deliveries in a row failed");
                }
                Ok(true)
            }
            Finished::Lost(places) => {
                let lost: BTreeSet<usize> = places.into_iter().collect();
                let mut place = 0;
                self.reports.retain(|report| {
                    let keep = !lost.contains(&place);
                    place += 1;
                    if !keep {
                        let Attempt { webhook_id, delivery_id, .. } = &*report.attempt;
                        tracing::info!(webhook = webhook_id, delivery = delivery_id, "a result came too late");
                    }
                    keep
                });
                Ok(false)
            }
        }
    }

    /// The results are committed.
    fn written(&mut self) {
        for report in self.reports.drain(..) {
            self.sweepable.note(&report.attempt.webhook_id);
        }
    }

    /// Writes the results and takes nothing.
    pub(super) async fn write_results(&mut self) -> Result<(), ServiceError> {
        while !self.reports.is_empty() {
            let mut tx = self.service.store.begin_ahead().await?;
            if self.finish(&mut tx).await? {
                tx.commit().await?;
                self.written();
            } else {
                tx.rollback().await?;
            }
        }
        Ok(())
    }

    /// Puts back what was not attempted.
    pub(super) async fn put_back(&mut self) -> Result<(), ServiceError> {
        if !self.left.is_empty() {
            let attempts: Vec<&Attempt> = self.left.iter().map(|attempt| &**attempt).collect();
            let mut tx = self.service.store.begin_ahead().await?;
            deliveries::give_back(&mut tx, &attempts, self.service.clock.now()).await?;
            tx.commit().await?;
            self.left.clear();
        }
        Ok(())
    }
}
