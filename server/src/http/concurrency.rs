//! Bounds on requests that are worked on at a time, so that nobody exhausts the server for the others: of the dashboard, of
//! agents, whose requests may wait for a person or a run, and those with large bodies, which arrive as their clients like.
//!
//! Groups do not wait for each other. Within a group an address, a person or a workspace has a bounded number of requests under
//! way or in line. The others wait in line, first come first served, for some seconds. [`Shares`] bound what each workspace has
//! of a group's places, so that the requests of one, which may wait for each other, leave places for the other workspaces.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::ServiceError;

/// Time in line after which a request is given up.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// A group of requests, told apart by `K`.
#[derive(Debug)]
pub(super) struct ConcurrencyLimiter<K> {
    running: Arc<Semaphore>,
    most_of_one: usize,
    patience: Duration,
    in_line: Arc<Mutex<HashMap<K, usize>>>,
}

/// A place; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct ConcurrencyPermit<K: Eq + Hash> {
    _running: OwnedSemaphorePermit,
    _counted: CountedRequest<K>,
}

/// One request of somebody, under way or in line.
#[derive(Debug)]
struct CountedRequest<K: Eq + Hash> {
    key: K,
    in_line: Arc<Mutex<HashMap<K, usize>>>,
}

impl<K: Eq + Hash + Clone> ConcurrencyLimiter<K> {
    /// A group with so many requests under way, of which one address or person has at most `most_of_one` under way or in line.
    pub(super) fn new(running: usize, most_of_one: usize) -> Self {
        Self {
            running: Arc::new(Semaphore::new(running)),
            most_of_one,
            patience: QUEUE_TIMEOUT,
            in_line: Arc::default(),
        }
    }

    /// Waits for a place.
    ///
    /// # Errors
    ///
    /// 429 where `key` has too many requests under way, 503 where all places stay taken.
    pub(super) async fn take(&self, key: K) -> Result<ConcurrencyPermit<K>, ServiceError> {
        let counted = self.count(key).ok_or_else(too_many)?;
        self.wait(counted).await
    }

    /// Waits for something else and then for a place again. Meanwhile others have this one, and the request still counts.
    ///
    /// # Errors
    ///
    /// The error of `other`; 503 where all places stay taken.
    pub(super) async fn after<T>(
        &self,
        other: impl Future<Output = Result<T, ServiceError>>,
        ConcurrencyPermit { _running: running, _counted: counted }: ConcurrencyPermit<K>,
    ) -> Result<(ConcurrencyPermit<K>, T), ServiceError> {
        drop(running);
        let other = other.await?;
        Ok((self.wait(counted).await?, other))
    }

    async fn wait(&self, counted: CountedRequest<K>) -> Result<ConcurrencyPermit<K>, ServiceError> {
        let running = tokio::time::timeout(self.patience, Arc::clone(&self.running).acquire_owned()).await;
        match running {
            Ok(Ok(running)) => Ok(ConcurrencyPermit { _running: running, _counted: counted }),
            Ok(Err(_)) | Err(_) => Err(busy()),
        }
    }

    /// A place, if one is free now.
    pub(super) fn take_free(&self, key: K) -> Option<ConcurrencyPermit<K>> {
        let counted = self.count(key)?;
        let running = Arc::clone(&self.running).try_acquire_owned().ok()?;
        Some(ConcurrencyPermit { _running: running, _counted: counted })
    }

    fn count(&self, key: K) -> Option<CountedRequest<K>> {
        let mut in_line = self.in_line.lock().unwrap_or_else(PoisonError::into_inner);
        let count = in_line.entry(key.clone()).or_default();
        if *count >= self.most_of_one {
            return None;
        }
        *count += 1;
        drop(in_line);
        Some(CountedRequest { key, in_line: Arc::clone(&self.in_line) })
    }
}

impl<K: Eq + Hash> Drop for CountedRequest<K> {
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

/// So many places for each `K` by itself.
#[derive(Debug)]
pub(super) struct Shares<K> {
    running: usize,
    most_of_one: usize,
    each: Mutex<HashMap<K, Arc<ConcurrencyLimiter<()>>>>,
}

/// A place of a share; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Share {
    _place: ConcurrencyPermit<()>,
    /// Keeps the share known as long as somebody has a place of it.
    _of: Arc<ConcurrencyLimiter<()>>,
}

impl<K: Eq + Hash> Shares<K> {
    /// Shares with so many requests under way each, and at most `most_of_one` under way or in line.
    pub(super) fn new(running: usize, most_of_one: usize) -> Self {
        Self { running, most_of_one, each: Mutex::default() }
    }

    /// Waits for a place of a share.
    ///
    /// # Errors
    ///
    /// 429 where `key` has too many requests under way, 503 where its places stay taken.
    pub(super) async fn take(&self, key: K) -> Result<Share, ServiceError> {
        let places = self.of(key);
        Ok(Share { _place: places.take(()).await?, _of: places })
    }

    /// A place of a share, if one is free now.
    pub(super) fn take_free(&self, key: K) -> Option<Share> {
        let places = self.of(key);
        Some(Share { _place: places.take_free(())?, _of: places })
    }

    fn of(&self, key: K) -> Arc<ConcurrencyLimiter<()>> {
        let mut each = self.each.lock().unwrap_or_else(PoisonError::into_inner);
        each.retain(|_, places| Arc::strong_count(places) > 1);
        Arc::clone(each.entry(key).or_insert_with(|| Arc::new(ConcurrencyLimiter::new(self.running, self.most_of_one))))
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
    use std::pin::pin;

    use futures_util::FutureExt as _;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn one_who_asks_too_much_leaves_room_for_others() {
        let places = ConcurrencyLimiter { patience: Duration::from_millis(1), ..ConcurrencyLimiter::new(3, 2) };
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

    #[tokio::test]
    async fn who_waits_for_something_else_leaves_the_place_to_others_and_still_counts() {
        let places = ConcurrencyLimiter::new(1, 1);
        let first = places.take("one").await.unwrap();
        let (sender, receiver) = oneshot::channel::<()>();
        let mut waits = pin!(places.after(receiver.map(|_| Ok(())), first));
        assert!(waits.as_mut().now_or_never().is_none());
        assert!(places.take_free("one").is_none(), "one at a time");
        let other = places.take_free("other").unwrap();
        sender.send(()).unwrap();
        assert!(waits.as_mut().now_or_never().is_none(), "another one has the place");
        drop(other);
        drop(waits.await.unwrap());
        assert!(places.take_free("one").is_some());
    }

    #[tokio::test]
    async fn a_share_is_bounded_by_itself_and_forgotten_when_nobody_has_a_place_of_it() {
        let shares = Shares::new(1, 2);
        let first = shares.take("greedy").await.unwrap();
        assert!(shares.take_free("greedy").is_none());
        let mut second = pin!(shares.take("greedy"));
        assert!(second.as_mut().now_or_never().is_none(), "it waits in line");
        assert!(matches!(shares.take("greedy").await, Err(ServiceError::RateLimited(_))));
        let other = shares.take_free("other");
        assert!(other.is_some());
        drop(first);
        let second = second.await.unwrap();
        drop((second, other));
        assert!(shares.take_free("third").is_some());
        assert_eq!(shares.each.lock().unwrap().len(), 1);
    }
}
