//! Bounds on requests that are worked on at a time, so that nobody exhausts the server for the others: of the dashboard and of
//! agents, whose requests may wait for a person or a run.
//!
//! Groups do not wait for each other. Within a group an address, a person or a workspace has a bounded number of requests under
//! way or in line. The others wait in line, first come first served, for some seconds.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::ServiceError;

/// Time in line after which a request is given up.
const PATIENCE: Duration = Duration::from_secs(5);

/// A group of requests, told apart by `K`.
#[derive(Debug)]
pub(super) struct Places<K> {
    running: Arc<Semaphore>,
    most_of_one: usize,
    patience: Duration,
    in_line: Arc<Mutex<HashMap<K, usize>>>,
}

/// A place; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place<K: Eq + Hash> {
    _running: OwnedSemaphorePermit,
    _counted: Counted<K>,
}

/// One request of somebody, under way or in line.
#[derive(Debug)]
struct Counted<K: Eq + Hash> {
    key: K,
    in_line: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Eq + Hash + Clone> Places<K> {
    /// A group with so many requests under way, of which one address or person has at most `most_of_one` under way or in line.
    pub(super) fn new(running: usize, most_of_one: usize) -> Self {
        Self { running: Arc::new(Semaphore::new(running)), most_of_one, patience: PATIENCE, in_line: Arc::default() }
    }

    /// Waits for a place.
    ///
    /// # Errors
    ///
    /// 429 where `key` has too many requests under way, 503 where all places stay taken.
    pub(super) async fn take(&self, key: K) -> Result<Place<K>, ServiceError> {
        let counted = self.count(key).ok_or_else(too_many)?;
        let running = tokio::time::timeout(self.patience, Arc::clone(&self.running).acquire_owned()).await;
        match running {
            Ok(Ok(running)) => Ok(Place { _running: running, _counted: counted }),
            Ok(Err(_)) | Err(_) => Err(busy()),
        }
    }

    /// A place, if one is free now.
    pub(super) fn take_free(&self, key: K) -> Option<Place<K>> {
        let counted = self.count(key)?;
        let running = Arc::clone(&self.running).try_acquire_owned().ok()?;
        Some(Place { _running: running, _counted: counted })
    }

    fn count(&self, key: K) -> Option<Counted<K>> {
        let mut in_line = self.in_line.lock().unwrap_or_else(PoisonError::into_inner);
        let count = in_line.entry(key.clone()).or_default();
        if *count >= self.most_of_one {
            return None;
        }
        *count += 1;
        drop(in_line);
        Some(Counted { key, in_line: Arc::clone(&self.in_line) })
    }
}

impl<K: Eq + Hash> Drop for Counted<K> {
    fn drop(&mut self) {
        let mut in_line = self.in_line.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = in_line.get_mut(&self.key) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                in_line.remove(&self.key);
            }
        }
    }
}

fn too_many() -> ServiceError {
    ServiceError::RateLimited(
        "too many requests are under way at once: wait until they are answered, then try again".to_owned(),
    )
}

fn busy() -> ServiceError {
    ServiceError::Busy("the server is busy; nothing was done: try again in a moment".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_who_asks_too_much_leaves_room_for_others() {
        let places = Places { patience: Duration::from_millis(1), ..Places::new(3, 2) };
        let first = places.take("greedy").await.unwrap();
        let second = places.take("greedy").await.unwrap();
        assert!(matches!(places.take("greedy").await, Err(ServiceError::RateLimited(_))));
        let third = places.take("other").await.unwrap();
        assert!(matches!(places.take("third").await, Err(ServiceError::Busy(_))));
        drop(first);
        let fourth = places.take("third").await.unwrap();
        drop((second, third, fourth));
        assert!(places.in_line.lock().unwrap().is_empty(), "who has no request is forgotten");
    }
}
