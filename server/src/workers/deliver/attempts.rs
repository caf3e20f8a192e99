//! Attempts that are under way, those that wait for a slot, and the results that nobody has written yet.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::WebhookId;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use super::backlog::Destination;
use super::send;
use super::slots::{Capacity, Slots};
use crate::domain::deliveries::{Attempt, AttemptFailure, AttemptOutcome, AttemptReport, Exchange};
use crate::service::Service;

/// Time that a delivery that was taken ahead may wait for a slot. At a slow endpoint there is no need to take any
/// ahead, and the known state of the webhook must not become outdated.
pub(super) const AHEAD_FOR: Duration = Duration::from_millis(100);

/// Most deliveries of a webhook that are taken ahead.
const MOST_AHEAD: usize = 128;

/// A delivery that was taken.
pub(super) struct ClaimedAttempt {
    pub(super) attempt: Arc<Attempt>,
    /// Those whose slots it needs.
    pub(super) to: Arc<Destination>,
    /// The time at which it was taken.
    pub(super) at: Instant,
}

impl ClaimedAttempt {
    fn is_fresh(&self) -> bool {
        self.at.elapsed() < AHEAD_FOR
    }
}

/// Makes attempts. Whatever happens to it, nothing is awaited but the attempts themselves.
pub(super) struct Attempts {
    service: Service,
    slots: Slots,
    tasks: JoinSet<AttemptOutcome>,
    under_way: HashMap<Id, ClaimedAttempt>,
    /// By webhook: taken, and to be attempted as soon as there is a slot.
    ahead: HashMap<WebhookId, VecDeque<ClaimedAttempt>>,
    /// By webhook: how many have ended since the last turn began.
    ended: HashMap<WebhookId, usize>,
    reports: Vec<AttemptReport>,
    /// The time of the first of them.
    reported_at: Option<Instant>,
}

impl Attempts {
    pub(super) fn new(service: &Service) -> Self {
        Self {
            service: service.clone(),
            slots: Slots::new(&service.settings.webhooks),
            tasks: JoinSet::new(),
            under_way: HashMap::new(),
            ahead: HashMap::new(),
            ended: HashMap::new(),
            reports: Vec::new(),
            reported_at: None,
        }
    }

    /// Until there are reports, the first of which has waited for `gather`. May be given up at any time.
    pub(super) async fn until_ended(&mut self, gather: Duration) {
        let first = loop {
            match self.reported_at {
                Some(first) => break first,
                None => self.end().await,
            }
        };
        while tokio::time::timeout_at(first + gather, self.end()).await.is_ok() {}
    }

    /// Waits for an attempt to end and collects it with all others that have; for ever when none is under way. May be
    /// given up at any time.
    pub(super) async fn end(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(ended) => self.ended(ended),
            None => std::future::pending().await,
        }
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.ended(ended);
        }
    }

    /// Takes deliveries on: each begins as soon as there is a slot.
    pub(super) fn take(&mut self, taken: Vec<ClaimedAttempt>) {
        for taken in taken {
            self.ahead.entry(taken.attempt.webhook_id.clone()).or_default().push_back(taken);
        }
        // All of them: a slot of a host or of the whole may have become free by another's end.
        let waiting: Vec<WebhookId> = self.ahead.keys().cloned().collect();
        for webhook in waiting {
            self.begin(&webhook);
        }
    }

    /// Begins what waits for the slots of a webhook, as far as there are any.
    fn begin(&mut self, webhook: &WebhookId) {
        let Some(ahead) = self.ahead.get_mut(webhook) else { return };
        while let Some(next) = ahead.pop_front_if(|next| next.is_fresh() && self.slots.has_one(&next.to)) {
            self.slots.take(&next.to);
            let (service, attempt) = (self.service.clone(), Arc::clone(&next.attempt));
            let task = self.tasks.spawn(async move { send::send(&service, &attempt).await });
            self.under_way.insert(task.id(), next);
        }
        if ahead.is_empty() {
            self.ahead.remove(webhook);
        }
    }

    fn ended(&mut self, ended: Result<(Id, AttemptOutcome), JoinError>) {
        let (id, outcome) = match ended {
            Ok((id, outcome)) => (id, Some(outcome)),
            Err(error) => (error.id(), None),
        };
        let Some(ClaimedAttempt { attempt, to, .. }) = self.under_way.remove(&id) else { return };
        self.slots.free(&to);
        *self.ended.entry(attempt.webhook_id.clone()).or_default() += 1;
        self.begin(&attempt.webhook_id);
        let outcome = outcome.unwrap_or_else(|| {
            let at = self.service.clock.now();
            let failure = AttemptFailure { kind: None, reason: "the server failed at this attempt".to_owned() };
            AttemptOutcome {
                status: None,
                failure: Some(failure),
                began_at: at,
                ended_at: at,
                took_ms: 0,
                exchange: Exchange::default(),
            }
        });
        self.reports.push(AttemptReport { attempt, outcome });
        self.reported_at.get_or_insert_with(Instant::now);
    }

    /// Returns the attempts that have ended since the last call.
    pub(super) fn reports(&mut self) -> Vec<AttemptReport> {
        self.reported_at = None;
        std::mem::take(&mut self.reports)
    }

    /// Returns the deliveries that have waited too long for a slot; they are given back.
    pub(super) fn stale(&mut self) -> Vec<Arc<Attempt>> {
        self.leave(|taken| !taken.is_fresh())
    }

    /// Takes nothing of what waits for a slot.
    pub(super) fn leave_ahead(&mut self) -> Vec<Arc<Attempt>> {
        self.leave(|_| true)
    }

    fn leave(&mut self, which: impl Fn(&ClaimedAttempt) -> bool) -> Vec<Arc<Attempt>> {
        let mut left = Vec::new();
        self.ahead.retain(|_, ahead| {
            ahead.retain(|taken| {
                let leaves = which(taken);
                if leaves {
                    left.push(Arc::clone(&taken.attempt));
                }
                !leaves
            });
            !ahead.is_empty()
        });
        left
    }

    /// The capacity of a turn that begins now: for a webhook as many deliveries as it has slots, and beyond them as
    /// many as ended since the last turn. So nothing is taken ahead for a hanging endpoint, and a quick one need not
    /// wait for the datastore.
    pub(super) fn capacity(&mut self) -> Capacity {
        let mut ahead = HashMap::new();
        for (webhook, ended) in self.ended.drain() {
            let waiting = self.ahead.get(&webhook).map_or(0, VecDeque::len);
            ahead.insert(webhook, ended.min(MOST_AHEAD).saturating_sub(waiting));
        }
        Capacity { slots: self.slots.clone(), ahead }
    }

    /// Returns true if no attempt is running.
    pub(super) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Ends those that are under way, unfinished.
    pub(super) fn abort(&mut self) -> Vec<Arc<Attempt>> {
        while let Some(ended) = self.tasks.try_join_next_with_id() {
            self.ended(ended);
        }
        self.tasks.abort_all();
        self.under_way.drain().map(|(_, taken)| taken.attempt).collect()
    }
}
