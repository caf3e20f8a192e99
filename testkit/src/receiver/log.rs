//! The record of deliveries, and waiting for what it is to hold.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::Delivery;

/// Is told of every delivery.
#[derive(Clone)]
pub(crate) struct DeliveryObserver(pub(crate) Arc<dyn Fn(&Delivery) + Send + Sync>);

impl fmt::Debug for DeliveryObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DeliveryObserver")
    }
}

/// Everything that has arrived.
#[derive(Debug, Default)]
pub(super) struct Log {
    watch: Option<DeliveryObserver>,
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct State {
    deliveries: Vec<Delivery>,
    connections: usize,
    refusals: Vec<String>,
}

/// An expected event did not occur in time. `Debug` prints the same sentence as `Display`, for the sake of `unwrap`.
#[derive(thiserror::Error)]
#[error("{what}: not seen within {waited:?}; seen: {seen}")]
pub struct NotSeen {
    what: String,
    waited: Duration,
    seen: String,
}

impl fmt::Debug for NotSeen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Log {
    /// A log that tells `watch` of every delivery.
    pub(super) fn watched(watch: Option<DeliveryObserver>) -> Self {
        Self { watch, ..Self::default() }
    }

    /// A connection was accepted; its number.
    pub(super) fn connected(&self) -> usize {
        let mut state = self.lock();
        state.connections += 1;
        let number = state.connections - 1;
        drop(state);
        self.changed.notify_waiters();
        number
    }

    /// A sender ended a handshake with this alert.
    pub(super) fn refused(&self, why: String) {
        self.lock().refusals.push(why);
        self.changed.notify_waiters();
    }

    pub(super) fn refusals(&self) -> Vec<String> {
        self.lock().refusals.clone()
    }

    pub(super) fn connections(&self) -> usize {
        self.lock().connections
    }

    /// A delivery has arrived; its place.
    pub(super) fn arrived(&self, delivery: Delivery) -> usize {
        if let Some(DeliveryObserver(watch)) = &self.watch {
            watch(&delivery);
        }
        let mut state = self.lock();
        state.deliveries.push(delivery);
        let place = state.deliveries.len() - 1;
        drop(state);
        self.changed.notify_waiters();
        place
    }

    /// The answer to the delivery at `place` has ended.
    pub(super) fn ended(&self, place: usize, whole: bool, sent: u64) {
        let now = Instant::now();
        let mut state = self.lock();
        if let Some(delivery) = state.deliveries.get_mut(place) {
            (delivery.ended, delivery.answered, delivery.sent) = (Some(now), whole, sent);
        }
        drop(state);
        self.changed.notify_waiters();
    }

    pub(super) fn look<T>(&self, read: impl FnOnce(&[Delivery]) -> T) -> T {
        read(&self.lock().deliveries)
    }

    pub(super) async fn wait_until(
        &self,
        what: &str,
        patience: Duration,
        mut condition: impl FnMut(&[Delivery]) -> bool,
    ) -> Result<Vec<Delivery>, NotSeen> {
        let holds = |state: &State| condition(&state.deliveries).then(|| state.deliveries.clone());
        self.wait(what, patience, holds).await
    }

    pub(super) async fn wait_for_connections(&self, count: usize, patience: Duration) -> Result<(), NotSeen> {
        let enough = |state: &State| (state.connections >= count).then_some(());
        self.wait(&format!("{count} connections"), patience, enough).await
    }

    async fn wait<T>(
        &self,
        what: &str,
        patience: Duration,
        mut seen: impl FnMut(&State) -> Option<T>,
    ) -> Result<T, NotSeen> {
        let waiting = async {
            loop {
                // Before looking, so that no change falls between.
                let mut changed = std::pin::pin!(self.changed.notified());
                changed.as_mut().enable();
                let found = seen(&self.lock());
                if let Some(found) = found {
                    return found;
                }
                changed.await;
            }
        };
        let found = tokio::time::timeout(patience, waiting).await;
        found.map_err(|_| NotSeen { what: what.to_owned(), waited: patience, seen: self.lock().summary() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Counts, no headers and bodies: they may hold what is nobody's business in a log.
    fn summary(&self) -> String {
        let mut paths = BTreeMap::<&str, usize>::new();
        for delivery in &self.deliveries {
            *paths.entry(delivery.uri.path()).or_default() += 1;
        }
        let paths: Vec<String> = paths.iter().map(|(path, count)| format!("{count} to {path}")).collect();
        let paths = if paths.is_empty() { "none".to_owned() } else { paths.join(", ") };
        let running = self.deliveries.iter().filter(|delivery| delivery.ended.is_none()).count();
        format!("{} connections; deliveries: {paths}; {running} of them not yet answered", self.connections)
    }
}
