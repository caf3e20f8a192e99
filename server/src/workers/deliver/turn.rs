//! One turn of the worker: what it does in the datastore.

use std::collections::BTreeSet;

use tokio::time::Instant;

use super::Worker;
use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::domain::deliveries::{self, Attempt, Claimed, Finished};
use crate::store::Tx;
use crate::store::deliveries::Waiting;

impl Worker {
    /// Writes results, takes deliveries and starts their attempts. When the datastore fails, everything stays as it is, and
    /// the next turn comes a little later.
    pub(super) async fn turn(&mut self) {
        let begun = Instant::now();
        let looks = self.told || begun >= self.look_at;
        match self.transact(looks).await {
            Ok(Some(claimed)) => {
                self.told &= !looks;
                for (attempt, host) in claimed {
                    self.start(attempt, host);
                }
            }
            // Another worker had some of them: without these, at once.
            Ok(None) => self.look_at = Instant::now(),
            Err(error) => {
                tracing::warn!(?error, results = self.reports.len(), "the delivery worker waits for the datastore");
                tokio::time::sleep(self.pace.pause).await;
                self.look_at = Instant::now();
            }
        }
    }

    /// `None` when some of the results were lost; they are dropped, and nothing was written.
    async fn transact(&mut self, looks: bool) -> Result<Option<Vec<(Attempt, String)>>, ServiceError> {
        // When nobody says that there is work, looking must not hold up those who write.
        let aside = looks && !self.told && self.reports.is_empty();
        if aside {
            let mut tx = self.service.store.begin_read().await?;
            self.look(&mut tx).await?;
            tx.rollback().await?;
        }
        if (aside || !looks) && self.reports.is_empty() && !self.slots.suffice(&self.backlog) {
            return Ok(Some(Vec::new()));
        }
        let now = self.service.clock.now();
        let mut tx = self.service.store.begin_write().await?;
        if !self.finish(&mut tx).await? {
            tx.rollback().await?;
            return Ok(None);
        }
        if looks && !aside {
            self.look(&mut tx).await?;
        }
        let wishes = self.slots.share(&self.backlog);
        let claimed = if wishes.is_empty() {
            Claimed::default()
        } else {
            let fences = &self.fences;
            deliveries::claim(&mut tx, &wishes, |delivery| fences.get(delivery).copied(), now).await?
        };
        tx.commit().await?;
        self.written();
        let mut attempts = Vec::with_capacity(claimed.attempts.len());
        for attempt in claimed.attempts {
            let host = self.backlog.get(&attempt.webhook_id).cloned().unwrap_or_default();
            attempts.push((attempt, host));
        }
        for (place, wish) in wishes.iter().enumerate() {
            if !claimed.more.contains(&place) {
                self.backlog.remove(&wish.webhook_id);
            }
        }
        Ok(Some(attempts))
    }

    /// Finds out which webhooks have something due, and when the next one will have.
    async fn look(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        const PAGE: i64 = 1_000;
        let (now, begun) = (self.service.clock.now(), Instant::now());
        let mut next: Option<Timestamp> = None;
        let mut after = String::new();
        loop {
            let page = crate::store::deliveries::waiting(tx, &after, PAGE).await?;
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
            self.finished.note(&report.attempt.webhook_id);
        }
    }

    /// Writes the results and takes nothing.
    pub(super) async fn write_results(&mut self) -> Result<(), ServiceError> {
        while !self.reports.is_empty() {
            let mut tx = self.service.store.begin_write().await?;
            if self.finish(&mut tx).await? {
                tx.commit().await?;
                self.written();
            } else {
                tx.rollback().await?;
            }
        }
        Ok(())
    }

    /// Writes the results and puts back whatever is still under way.
    pub(super) async fn put_back(&mut self) -> Result<(), ServiceError> {
        self.write_results().await?;
        if self.under_way.is_empty() {
            return Ok(());
        }
        let attempts: Vec<&Attempt> = self.under_way.values().map(|under_way| &*under_way.attempt).collect();
        let mut tx = self.service.store.begin_write().await?;
        deliveries::give_back(&mut tx, &attempts, self.service.clock.now()).await?;
        Ok(tx.commit().await?)
    }
}
