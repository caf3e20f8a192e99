//! Places that several share, so that nobody takes all of them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Returns true if one that has `own` of `most` places, of which others have `others`, may take one more. It has at most half of
/// those that the others leave: so there is something left for the next, however many have their shares.
pub(crate) fn is_within_share(most: usize, others: usize, own: usize) -> bool {
    own < most.saturating_sub(others).div_ceil(2)
}

/// Places, and how many of them each `K` has.
#[derive(Debug, Clone)]
pub(crate) struct FairPlaces<K> {
    most: usize,
    taken: usize,
    each: HashMap<K, usize>,
}

impl<K: Eq + Hash + Clone> FairPlaces<K> {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, taken: 0, each: HashMap::new() }
    }

    /// Returns true if `key` may take one more.
    pub(crate) fn has_one(&self, key: &K) -> bool {
        let own = self.each.get(key).copied().unwrap_or_default();
        is_within_share(self.most, self.taken - own, own)
    }

    /// Returns true if nobody has one.
    pub(crate) fn is_unused(&self) -> bool {
        self.taken == 0
    }

    /// Returns true if nobody may take one more.
    pub(crate) fn is_full(&self) -> bool {
        self.taken >= self.most
    }

    pub(crate) fn take(&mut self, key: &K) {
        self.taken += 1;
        *self.each.entry(key.clone()).or_default() += 1;
    }

    pub(crate) fn free(&mut self, key: &K) {
        if let Some(own) = self.each.get_mut(key) {
            self.taken -= 1;
            *own -= 1;
            if *own == 0 {
                self.each.remove(key);
            }
        }
    }
}

/// Places that requests take. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct FairLimiter<K>(Arc<Mutex<FairPlaces<K>>>);

/// A place; it is free again when this is dropped.
#[derive(Debug)]
pub(crate) struct FairPermit<K: Eq + Hash + Clone> {
    places: FairLimiter<K>,
    key: K,
}

impl<K> FairLimiter<K> {
    fn lock(&self) -> MutexGuard<'_, FairPlaces<K>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash + Clone> FairLimiter<K> {
    pub(crate) fn new(most: usize) -> Self {
        Self(Arc::new(Mutex::new(FairPlaces::new(most))))
    }

    /// A place, if `key` may take one now.
    pub(crate) fn take_free(&self, key: K) -> Option<FairPermit<K>> {
        let mut places = self.lock();
        if !places.has_one(&key) {
            return None;
        }
        places.take(&key);
        Some(FairPermit { places: self.clone(), key })
    }
}

impl<K: Eq + Hash + Clone> Drop for FairPermit<K> {
    fn drop(&mut self) {
        self.places.lock().free(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_who_take_what_they_can_leave_something_to_the_next() {
        let places = FairLimiter::new(26);
        let mut held = Vec::new();
        for (key, share) in [("first", 13), ("second", 7), ("third", 3), ("fourth", 2), ("fifth", 1)] {
            let before = held.len();
            while let Some(place) = places.take_free(key) {
                held.push(place);
            }
            assert_eq!(held.len() - before, share, "{key}");
        }
        assert!(places.take_free("sixth").is_none() && places.lock().is_full());
        drop(held);
        assert!(places.lock().is_unused() && places.lock().each.is_empty(), "who has none is forgotten");
    }

    #[test]
    fn the_only_place_is_for_whoever_comes_first() {
        let places = FairLimiter::new(1);
        let held = places.take_free("one").unwrap();
        assert!(places.take_free("one").is_none() && places.take_free("other").is_none());
        drop(held);
        assert!(places.take_free("other").is_some());
    }
}
