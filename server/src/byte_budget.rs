//! Budgets of bytes in memory, for what others hold as long as they like: answers that clients have not taken yet.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Notify;
use tokio::time::timeout;

/// Answers of more bytes are large. Of smaller ones the bound on connections bounds the sum.
pub(crate) const LARGE_ANSWER: usize = 64 * 1024;
/// Time that a request waits for bytes of a budget.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(5);

/// A budget of bytes, of which each `K` has a share. Clones share it.
#[derive(Clone)]
pub struct ByteBudget<K>(Arc<SharedBudget<K>>);

struct SharedBudget<K> {
    most: usize,
    most_of_one: usize,
    held: Mutex<HeldBytes<K>>,
    released: Notify,
}

struct HeldBytes<K> {
    all: usize,
    each: HashMap<K, usize>,
}

/// Bytes of a budget; they are free again when this is dropped.
pub struct BytePermit<K: Eq + Hash> {
    budget: Arc<SharedBudget<K>>,
    key: K,
    bytes: usize,
}

impl<K: Eq + Hash + Clone> ByteBudget<K> {
    /// A budget of `most` bytes, of which one `K` has at most `most_of_one`, and of what others leave the same part: so there is
    /// something left for another `K`, however many hold their shares. One that holds nothing may take whatever is free, and more
    /// than its share at once, so that nothing is too large for ever: the sum may be above `most` by one such thing, whose size is
    /// bounded where it is made. Pages end at 4 MiB of texts (`domain/pages.rs`), and answers have at most 32 MiB of files' contents
    /// (`domain/version_files.rs`), each before its escapes. A key has a text of at most some MiB in each language, and a
    /// published file was in memory when it was published.
    #[must_use]
    pub fn new(most: u64, most_of_one: u64) -> Self {
        let held = Mutex::new(HeldBytes { all: 0, each: HashMap::new() });
        let size = |bytes| usize::try_from(bytes).unwrap_or(usize::MAX);
        let (most, most_of_one) = (size(most), size(most_of_one));
        Self(Arc::new(SharedBudget { most, most_of_one, held, released: Notify::new() }))
    }

    /// The bytes that are held.
    #[must_use]
    pub fn held(&self) -> usize {
        self.0.lock().all
    }

    /// Returns true if `key` holds as much as it may, or has a part of what is used up. What others hold keeps nobody from work
    /// that holds nothing.
    pub(crate) fn is_used_up(&self, key: &K) -> bool {
        let held = self.0.lock();
        let of_key = held.of(key);
        of_key >= self.0.most_of_one || (of_key > 0 && held.all >= self.0.most)
    }

    /// Takes bytes that are free now.
    #[must_use]
    pub fn take_free(&self, key: K, bytes: usize) -> Option<BytePermit<K>> {
        let mut held = self.0.lock();
        if !self.0.has_room(&held, &key, bytes) {
            return None;
        }
        held.add(&key, bytes);
        Some(BytePermit { budget: Arc::clone(&self.0), key, bytes })
    }

    /// Waits some seconds for bytes; `None` where they stay taken. Who waits should hold nothing large.
    pub(crate) async fn take(&self, key: K, bytes: usize) -> Option<BytePermit<K>> {
        let free = async {
            loop {
                let mut released = pin!(self.0.released.notified());
                // What is released after the look is not missed.
                released.as_mut().enable();
                if let Some(permit) = self.take_free(key.clone(), bytes) {
                    return permit;
                }
                released.await;
            }
        };
        timeout(QUEUE_TIMEOUT, free).await.ok()
    }

    /// Counts bytes that are there already, free or not.
    pub(crate) fn count(&self, key: K, bytes: usize) -> BytePermit<K> {
        self.0.lock().add(&key, bytes);
        BytePermit { budget: Arc::clone(&self.0), key, bytes }
    }
}

impl<K: Eq + Hash> SharedBudget<K> {
    fn has_room(&self, held: &HeldBytes<K>, key: &K, bytes: usize) -> bool {
        let of_key = held.of(key);
        let left = self.most.saturating_sub(held.all.saturating_sub(of_key));
        if of_key == 0 {
            return bytes.min(self.most_of_one) <= left && left > 0;
        }
        let share = left as u128 * self.most_of_one as u128 / self.most.max(1) as u128;
        of_key.saturating_add(bytes) as u128 <= share
    }
}

impl<K> SharedBudget<K> {
    fn lock(&self) -> MutexGuard<'_, HeldBytes<K>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash + Clone> HeldBytes<K> {
    fn add(&mut self, key: &K, bytes: usize) {
        self.all = self.all.saturating_add(bytes);
        let of_key = self.each.entry(key.clone()).or_default();
        *of_key = of_key.saturating_add(bytes);
    }
}

impl<K: Eq + Hash> HeldBytes<K> {
    fn of(&self, key: &K) -> usize {
        self.each.get(key).copied().unwrap_or_default()
    }

    fn remove(&mut self, key: &K, bytes: usize) {
        self.all = self.all.saturating_sub(bytes);
        if let Some(of_key) = self.each.get_mut(key) {
            *of_key = of_key.saturating_sub(bytes);
            if *of_key == 0 {
                self.each.remove(key);
            }
        }
    }
}

impl<K: Eq + Hash + Clone + Send + Sync + 'static> BytePermit<K> {
    /// The content as bytes whose last clone gives the permit back. The permit has their number from now on.
    pub(crate) fn owning(mut self, content: Vec<u8>) -> Bytes {
        // Without spare room behind the bytes, which would not be counted.
        let content = content.into_boxed_slice();
        let mut held = self.budget.lock();
        held.remove(&self.key, self.bytes);
        held.add(&self.key, content.len());
        drop(held);
        self.bytes = content.len();
        self.budget.released.notify_waiters();
        owning(content, self)
    }
}

impl<K: Eq + Hash> Drop for BytePermit<K> {
    fn drop(&mut self) {
        self.budget.lock().remove(&self.key, self.bytes);
        self.budget.released.notify_waiters();
    }
}

/// Bytes that hold a permit until their last clone is gone.
pub(crate) fn owning<B, P>(content: B, permit: P) -> Bytes
where
    B: AsRef<[u8]> + Send + 'static,
    P: Send + 'static,
{
    Bytes::from_owner(OwnedBytes { content, _permit: permit })
}

struct OwnedBytes<B, P> {
    content: B,
    _permit: P,
}

impl<B: AsRef<[u8]>, P> AsRef<[u8]> for OwnedBytes<B, P> {
    fn as_ref(&self) -> &[u8] {
        self.content.as_ref()
    }
}

impl<K> fmt::Debug for ByteBudget<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ByteBudget")
            .field("most", &self.0.most)
            .field("held", &self.0.lock().all)
            .finish_non_exhaustive()
    }
}

impl<K: Eq + Hash> fmt::Debug for BytePermit<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BytePermit").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn one_takes_its_share_and_all_take_the_budget() {
        let budget = ByteBudget::new(100, 50);
        let first = budget.take_free("greedy", 30).unwrap();
        assert!(budget.take_free("greedy", 30).is_none(), "over its share");
        let second = budget.take_free("greedy", 20).unwrap();
        assert!(budget.is_used_up(&"greedy") && !budget.is_used_up(&"other"));
        let third = budget.take_free("other", 50).unwrap();
        assert!(budget.take_free("third", 1).is_none(), "all of it is taken");
        assert!(budget.is_used_up(&"other") && !budget.is_used_up(&"third"), "who holds nothing may work");
        drop((first, second, third));
        assert_eq!(budget.held(), 0);
        assert!(budget.0.lock().each.is_empty(), "who holds nothing is forgotten");
    }

    #[test]
    fn what_is_larger_than_a_share_is_taken_alone() {
        let budget = ByteBudget::new(100, 50);
        let little = budget.take_free("one", 1).unwrap();
        assert!(budget.take_free("one", 80).is_none());
        drop(little);
        let large = budget.take_free("one", 80).unwrap();
        assert_eq!(budget.held(), 80, "it counts as what it is");
        assert!(budget.take_free("one", 1).is_none() && budget.take_free("other", 30).is_none());
        drop(large);
        assert!(budget.take_free("other", 30).is_some());
    }

    #[test]
    fn those_who_take_what_they_can_leave_something_to_the_next() {
        let budget = ByteBudget::new(1_024, 512);
        let mut held = Vec::new();
        for (key, share) in [("first", 512), ("second", 256), ("third", 128)] {
            while let Some(permit) = budget.take_free(key, 16) {
                held.push(permit);
            }
            assert_eq!(budget.0.lock().of(&key), share);
        }
        assert!(budget.take_free("fourth", 129).is_none());
        held.push(budget.take_free("fourth", 128).unwrap());
        assert!(budget.take_free("fifth", 1).is_none());
        assert!(["first", "second", "third", "fourth"].iter().all(|key| budget.is_used_up(key)));
        assert!(!budget.is_used_up(&"fifth"));
    }

    #[test]
    fn bytes_are_counted_until_their_last_clone_is_gone() {
        let budget = ByteBudget::new(100, 100);
        let mut content = Vec::with_capacity(64);
        content.extend_from_slice(b"0123456789");
        let bytes = budget.take_free("one", 50).unwrap().owning(content);
        assert_eq!((budget.held(), &bytes[..]), (10, &b"0123456789"[..]));
        let rest = bytes.slice(5..);
        drop(bytes);
        assert_eq!(budget.held(), 10);
        drop(rest);
        assert_eq!(budget.held(), 0);
    }

    #[tokio::test]
    async fn who_waits_gets_what_is_released() {
        let budget = ByteBudget::new(100, 100);
        let held = budget.count("one", 150);
        let mut waits = pin!(budget.take("other", 50));
        assert!(waits.as_mut().now_or_never().is_none());
        drop(held);
        assert!(waits.await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_long_gets_nothing() {
        let budget = ByteBudget::new(100, 100);
        let held = budget.take_free("one", 100).unwrap();
        assert!(budget.take("other", 1).await.is_none());
        drop(held);
        assert_eq!(budget.held(), 0);
    }
}
