//! One turn of the worker: what it does in the datastore.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::WebhookId;
use tokio::time::Instant;

use super::attempts::ClaimedAttempt;
use super::backlog::{Destination, WebhookBacklog};
use super::config::DeliveryConfig;
use super::schedule::Schedule;
use super::slots::{Capacity, Share};
use super::sweep::SweepQueue;

use crate::deliveries_due::DueWebhooks;
use crate::domain::ServiceError;
use crate::domain::deliveries::{self, Attempt, AttemptReport, ClaimRequest, Claimed, Finished};
use crate::service::Service;
use crate::store::Tx;
use crate::store::due;

/// Looking at all webhooks takes no more than this part of the time, however many wait.
const LOOK_SHARE: u32 = 20;
/// Factor of the polling interval while no delivery waits: a writer of a delivery tells the worker of its own process.
const IDLE: u32 = 4;
/// … but what another process wrote is not found later than this.
const LONGEST_POLL: Duration = Duration::from_secs(5);
/// Time that due deliveries wait for others that fall due a little later, so that thousands do not make a turn each.
const GATHER_PLANNED: Duration = Duration::from_millis(50);

/// The worker at the datastore: what is to be written, and what is known to be due.
pub(super) struct DeliveryWorker {
    service: Service,
    config: DeliveryConfig,
    sweepable: Arc<SweepQueue>,
    backlog: WebhookBacklog,
    /// Deliveries that will be due.
    schedule: Schedule,
    /// Deliveries that were taken and of whose attempts nothing is known yet, with the numbers of these.
    fences: HashMap<String, i64>,
    /// Results to write: kept here until they are committed.
    reports: Vec<AttemptReport>,
    /// Deliveries to put back: likewise.
    left: Vec<Arc<Attempt>>,
    /// The time of the next look at all webhooks, since other processes may have written due deliveries.
    look_at: Instant,
    /// The time of the next turn, at the latest.
    turn_at: Instant,
    /// Hints about due deliveries.
    due: DueWebhooks,
}

impl DeliveryWorker {
    pub(super) fn new(service: Service, config: DeliveryConfig, sweepable: Arc<SweepQueue>) -> Self {
        Self {
            service,
            config,
            sweepable,
            backlog: WebhookBacklog::default(),
            schedule: Schedule::default(),
            fences: HashMap::new(),
            reports: Vec::new(),
            left: Vec::new(),
            look_at: Instant::now(),
            turn_at: Instant::now(),
            due: DueWebhooks::default(),
        }
    }

    /// Until it is time to look, or somebody says that it is.
    pub(super) async fn until_due(&mut self) {
        tokio::select! {
            () = self.service.deliveries_due.notified() => {}
            () = tokio::time::sleep_until(self.turn_at) => {}
        }
    }

    /// Returns true if a delivery is known to be due.
    pub(super) fn is_behind(&self) -> bool {
        !self.backlog.is_empty()
    }

    /// Takes over what attempts met, and what is not to be attempted.
    pub(super) fn accept(&mut self, reports: Vec<AttemptReport>, left: Vec<Arc<Attempt>>) {
        for attempt in reports.iter().map(|report| &report.attempt).chain(&left) {
            self.fences.remove(&attempt.delivery_id);
        }
        self.reports.extend(reports);
        self.left.extend(left);
    }

    /// Writes results and takes deliveries. When the datastore fails, everything stays as it is, and the next turn comes a
    /// little later.
    pub(super) async fn turn(&mut self, capacity: &Capacity) -> Vec<ClaimedAttempt> {
        self.due.add(self.service.deliveries_due.take());
        match self.transact(capacity).await {
            Ok(Some(taken)) => {
                self.due = DueWebhooks::default();
                self.plan_turn();
                taken
            }
            // Another worker had some of them: without these, at once.
            Ok(None) => {
                self.turn_at = Instant::now();
                Vec::new()
            }
            Err(error) => {
                tracing::warn!(?error, results = self.reports.len(), "the delivery worker waits for the datastore");
                tokio::time::sleep(self.config.pause).await;
                self.turn_at = Instant::now();
                Vec::new()
            }
        }
    }

    /// The next turn comes when it is time to look, or when something that is known falls due.
    fn plan_turn(&mut self) {
        let now = Instant::now();
        let next = self.schedule.next().map(|due_at| due_at.as_millis() - self.service.clock.now().as_millis());
        let next = next
            .map(|millis| now + Duration::from_millis(u64::try_from(millis).unwrap_or_default()).max(GATHER_PLANNED));
        self.turn_at = next.map_or(self.look_at, |next| next.min(self.look_at));
    }

    /// `None` when some of the results were lost; they are dropped, and nothing was written.
    async fn transact(&mut self, capacity: &Capacity) -> Result<Option<Vec<ClaimedAttempt>>, ServiceError> {
        self.put_back().await?;
        self.schedule.fall_due(self.service.clock.now(), &mut self.backlog);
        let everywhere = self.due.everywhere || Instant::now() >= self.look_at;
        // When nobody says that there is work, looking must not hold up those who write.
        let aside = everywhere && !self.due.everywhere;
        if aside {
            let mut tx = self.service.store.begin_read().await?;
            self.look(&mut tx).await?;
            tx.rollback().await?;
        }
        let looks = !aside && !self.due.is_empty();
        if !looks && self.reports.is_empty() && !capacity.suffices(&self.backlog) {
            return Ok(Some(Vec::new()));
        }
        let mut tx = self.service.store.begin_ahead().await?;
        // After waiting for the transaction: nothing that happened before it is in the future.
        let now = self.service.clock.now();
        if !self.finish(&mut tx).await? {
            tx.rollback().await?;
            return Ok(None);
        }
        if looks && everywhere {
            self.look(&mut tx).await?;
        } else if looks {
            self.look_at_projects(&mut tx).await?;
        }
        let shares = capacity.share(&mut self.backlog);
        let request = |share: &Share| ClaimRequest { webhook_id: share.to.webhook.clone(), at_most: share.at_most };
        let requests: Vec<ClaimRequest> = shares.iter().map(request).collect();
        let claimed = if requests.is_empty() {
            Claimed::default()
        } else {
            let fences = &self.fences;
            deliveries::claim(
                &mut tx,
                &self.service.delivery_rules,
                &requests,
                |delivery| fences.get(delivery).copied(),
                now,
            )
            .await?
        };
        tx.commit().await?;
        self.written();
        if !claimed.attempts.is_empty() {
            // No event goes out of a publish that a loss of power could undo.
            self.service.store.settle().await?;
        }
        let at = Instant::now();
        let destinations: HashMap<&WebhookId, &Arc<Destination>> =
            shares.iter().map(|share| (&share.to.webhook, &share.to)).collect();
        let mut taken = Vec::with_capacity(claimed.attempts.len());
        for attempt in claimed.attempts {
            let Some(to) = destinations.get(&attempt.webhook_id) else { continue };
            self.fences.insert(attempt.delivery_id.clone(), attempt.fence());
            taken.push(ClaimedAttempt { attempt: Arc::new(attempt), to: Arc::clone(to), at });
        }
        for (place, share) in shares.iter().enumerate() {
            if !claimed.more.contains(&place) {
                self.backlog.remove(&share.to);
            }
        }
        Ok(Some(taken))
    }

    /// Finds out which webhooks have something due, and when the others will have.
    async fn look(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        const PAGE: i64 = 1_000;
        let (now, begun) = (self.service.clock.now(), Instant::now());
        let mut after = String::new();
        // A look names the earliest delivery of each webhook alone; those that hints have told of follow soon.
        self.schedule.forget_after(now.plus_millis(self.delay()));
        let mut nothing_waits = true;
        loop {
            let page = due::waiting(tx, &after, PAGE).await?;
            nothing_waits &= page.is_empty();
            let whole = i64::try_from(page.len()).is_ok_and(|rows| rows == PAGE);
            if let Some(last) = page.last() {
                last.webhook_id.as_str().clone_into(&mut after);
            }
            self.schedule.add(page, now, &mut self.backlog);
            if !whole {
                break;
            }
        }
        let poll = if nothing_waits { self.config.poll * IDLE } else { self.config.poll };
        self.look_at = begun + poll.max((begun.elapsed() * LOOK_SHARE).min(LONGEST_POLL));
        Ok(())
    }

    /// Like [`look`](Self::look), at the webhooks of the projects that a hint names.
    async fn look_at_projects(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        let now = self.service.clock.now();
        for project in &self.due.projects {
            let waiting = due::waiting_of(tx, project).await?;
            if self.delay() > 0 {
                // An earlier delivery of the webhook may hide the one that was just written.
                self.schedule.add_at(&waiting, now.plus_millis(self.delay()));
            }
            self.schedule.add(waiting, now, &mut self.backlog);
        }
        Ok(())
    }

    /// Milliseconds from an event to its deliveries.
    fn delay(&self) -> i64 {
        i64::try_from(self.service.seen_by_all.as_millis()).unwrap_or_default()
    }

    /// Writes the results, as far as the transaction is committed; `false` when it must not be.
    async fn finish(&mut self, tx: &mut Tx) -> Result<bool, ServiceError> {
        if self.reports.is_empty() {
            return Ok(true);
        }
        match deliveries::finish(tx, &self.service.delivery_rules, &self.reports).await? {
            Finished::Written { disabled } => {
                for webhook in disabled {
                    tracing::warn!(
                        webhook = webhook.as_str(),
                        "a webhook is disabled: three deliveries in a row failed"
                    );
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
                        tracing::info!(webhook = webhook_id.as_str(), delivery = delivery_id, "a result came too late");
                    }
                    keep
                });
                Ok(false)
            }
        }
    }

    /// The results are committed.
    fn written(&mut self) {
        if !self.reports.is_empty() {
            // A failed attempt has planned another, so that the long interval of an idle worker is over.
            self.look_at = self.look_at.min(Instant::now() + self.config.poll);
        }
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
            deliveries::release(&mut tx, &self.service.delivery_rules, &attempts, self.service.clock.now()).await?;
            tx.commit().await?;
            self.left.clear();
        }
        Ok(())
    }
}
