//! The last uses of keys, to the hour: noted in memory by the requests and written now and then, so that no request writes
//! for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::clock::Timestamp;
use crate::domain::ServiceError;
use crate::store::Store;
use crate::store::api_keys::{self, KeyWithProject};

/// Milliseconds of an hour.
const HOUR: i64 = 60 * 60 * 1_000;

/// Uses that one transaction writes.
const AT_ONCE: usize = 200;

/// Uses that are not written yet, by key. Only keys that are there and were not noted in this hour stand here.
#[derive(Debug, Clone, Default)]
pub struct KeyUses(Arc<Mutex<BTreeMap<String, Timestamp>>>);

impl KeyUses {
    /// Notes a request of a key at `now`, unless the key's record has this hour already.
    pub(crate) fn note(&self, key: &KeyWithProject, now: Timestamp) {
        let hour = Timestamp::from_millis(now.as_millis().div_euclid(HOUR) * HOUR);
        if key.used_at.is_some_and(|used| used >= hour) {
            return;
        }
        let mut uses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match uses.get_mut(&key.id) {
            Some(noted) => *noted = hour.max(*noted),
            None => drop(uses.insert(key.id.clone(), hour)),
        }
    }

    /// Writes what has been noted. What cannot be written is dropped: the next request of the key notes it again.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub async fn write(&self, store: &Store) -> Result<(), ServiceError> {
        let uses = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let uses: Vec<(String, Timestamp)> = uses.into_iter().collect();
        for some in uses.chunks(AT_ONCE) {
            let mut tx = store.begin_background_write().await?;
            api_keys::set_used(&mut tx, some).await?;
            tx.commit().await?;
        }
        Ok(())
    }
}
