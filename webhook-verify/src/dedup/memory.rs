//! A deduplicator that forgets when its process ends.

use core::convert::Infallible;
use core::future::{Future, ready};
use core::time::Duration;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::{Claim, Deduplicator, DeliveryKey};

/// Default number of remembered deliveries.
pub const DEFAULT_CAPACITY: usize = 10_000;

/// Default time to remember a delivery: the service's last retry comes about 7 hours after the first attempt.
pub const DEFAULT_TIME_TO_LIVE: Duration = Duration::from_secs(24 * 60 * 60);

/// Default time until a claim lapses whose holder reports nothing. A handler that takes longer may run twice.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(60);

/// Names a claim of an [`InMemory`]. It cannot be copied: a claim is given back once.
#[derive(Debug, PartialEq, Eq)]
pub struct ClaimToken(u64);

/// Remembers a bounded number of deliveries for a bounded time, within one process. The oldest are forgotten first.
///
/// A delivery takes some 200 bytes, and never more than 1 KB.
#[derive(Debug)]
pub struct InMemory {
    capacity: usize,
    time_to_live: Duration,
    lease: Duration,
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    entries: HashMap<Arc<DeliveryKey>, Entry>,
    /// The order of claims, oldest first.
    order: BTreeMap<u64, Arc<DeliveryKey>>,
    next: u64,
}

#[derive(Debug)]
struct Entry {
    /// The number of its claim, which no other claim has.
    turn: u64,
    claimed: Instant,
    handled: bool,
}

impl Default for InMemory {
    fn default() -> Self {
        Self::new(DEFAULT_CAPACITY, DEFAULT_TIME_TO_LIVE)
    }
}

impl InMemory {
    /// Remembers up to `capacity` deliveries, each for `time_to_live` after its claim.
    #[must_use]
    pub fn new(capacity: usize, time_to_live: Duration) -> Self {
        Self { capacity, time_to_live, lease: DEFAULT_LEASE, seen: Mutex::default() }
    }

    /// Sets the time until a claim lapses whose holder reports nothing, instead of [`DEFAULT_LEASE`].
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// The number of remembered deliveries, including expired ones that have not been removed yet.
    #[must_use]
    pub fn len(&self) -> usize {
        self.seen().entries.len()
    }

    /// Returns true if no delivery is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Like [`Deduplicator::claim`], at a given time and without a future.
    pub fn claim_at(&self, key: &DeliveryKey, now: Instant) -> Claim<ClaimToken> {
        let mut seen = self.seen();
        while let Some((_, oldest)) = seen.order.first_key_value()
            && seen.entries.get(oldest).is_none_or(|entry| self.is_over(entry, now))
        {
            seen.forget_oldest();
        }
        match seen.entries.get(key) {
            Some(entry) if self.is_over(entry, now) => seen.forget(key),
            Some(Entry { handled: true, .. }) => return Claim::Duplicate,
            Some(_) => return Claim::InProgress,
            None => {}
        }
        self.make_room(&mut seen);
        Claim::Granted(ClaimToken(seen.remember(key, now, false)))
    }

    /// Like [`Deduplicator::handled`], at a given time and without a future.
    pub fn handled_at(&self, key: &DeliveryKey, now: Instant) {
        let mut seen = self.seen();
        if let Some(entry) = seen.entries.get_mut(key) {
            entry.handled = true;
        } else {
            // The claim was forgotten while the handler ran.
            self.make_room(&mut seen);
            seen.remember(key, now, true);
        }
    }

    /// Like [`Deduplicator::failed`], without a future, and like [`Deduplicator::dropped`].
    pub fn release(&self, key: &DeliveryKey, ClaimToken(turn): ClaimToken) {
        let mut seen = self.seen();
        // After a claim has lapsed, someone else may hold the delivery or have handled it.
        if seen.entries.get(key).is_some_and(|entry| !entry.handled && entry.turn == turn) {
            seen.forget(key);
        }
    }

    fn make_room(&self, seen: &mut Seen) {
        while !seen.entries.is_empty() && seen.entries.len() >= self.capacity {
            seen.forget_oldest();
        }
    }

    fn is_over(&self, entry: &Entry, now: Instant) -> bool {
        let holds = if entry.handled { self.time_to_live } else { self.lease.min(self.time_to_live) };
        now.saturating_duration_since(entry.claimed) >= holds
    }

    /// Ignores poisoning: no function below leaves the state half changed when it panics.
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seen {
    /// Returns the number of the new entry.
    fn remember(&mut self, key: &DeliveryKey, now: Instant, handled: bool) -> u64 {
        let turn = self.next;
        self.next += 1;
        let key = Arc::new(key.clone());
        self.order.insert(turn, Arc::clone(&key));
        self.entries.insert(key, Entry { turn, claimed: now, handled });
        turn
    }

    fn forget(&mut self, key: &DeliveryKey) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&entry.turn);
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, key)) = self.order.pop_first() {
            self.entries.remove(&key);
        }
    }
}

impl Deduplicator for InMemory {
    type Error = Infallible;
    type Token = ClaimToken;

    fn claim(&self, key: &DeliveryKey) -> impl Future<Output = Result<Claim<ClaimToken>, Infallible>> + Send {
        ready(Ok(self.claim_at(key, Instant::now())))
    }

    fn handled(&self, key: &DeliveryKey) -> impl Future<Output = Result<(), Infallible>> + Send {
        self.handled_at(key, Instant::now());
        ready(Ok(()))
    }

    fn failed(&self, key: &DeliveryKey, token: ClaimToken) -> impl Future<Output = Result<(), Infallible>> + Send {
        self.release(key, token);
        ready(Ok(()))
    }

    fn dropped(&self, key: &DeliveryKey, token: ClaimToken) {
        self.release(key, token);
    }
}
