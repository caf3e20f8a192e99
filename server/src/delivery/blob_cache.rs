//! Contents of published files in memory: a file that many clients read is loaded and compressed once.
//!
//! A content is named by its SHA-256 and never changes: nothing here can be out of date. This memory does not decide
//! which file a client may read: [`published`](super::published) and the datastore do.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::coding::Coding;

/// A content, plain or in a coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlobKey {
    /// SHA-256 of the plain bytes.
    pub sha256: [u8; 32],
    /// Their coding; `None` for plain bytes.
    pub coding: Option<Coding>,
}

/// The memory. Cheap to clone; all clones share it.
#[derive(Clone)]
pub struct BlobCache(Option<Arc<Cache<BlobKey, Bytes, BlobWeight>>>);

/// Memory of an entry beside its bytes: key, links and the header of its allocation, rounded up.
const OVERHEAD: u64 = 256;

/// Size of a usual file. It tells the cache how many keys of evicted files to remember.
const USUAL: u64 = 16 * 1024;

#[derive(Debug, Clone, Copy)]
struct BlobWeight;

impl Weighter<BlobKey, Bytes> for BlobWeight {
    fn weight(&self, _: &BlobKey, content: &Bytes) -> u64 {
        OVERHEAD + content.len() as u64
    }
}

impl BlobCache {
    /// A memory of at most `bytes` bytes; 0 for none.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        if bytes == 0 {
            return Self(None);
        }
        // In one piece: of several each would take files up to its own share of the bound alone.
        let options = OptionsBuilder::new()
            .shards(1)
            .weight_capacity(bytes)
            .estimated_items_capacity(usize::try_from(bytes / USUAL).unwrap_or(usize::MAX).clamp(16, 100_000))
            .build();
        // Options are refused where one of the two capacities is missing.
        let cache = options.ok().map(|options| {
            Cache::with_options(options, BlobWeight, DefaultHashBuilder::default(), DefaultLifecycle::default())
        });
        Self(cache.map(Arc::new))
    }

    /// The content, if it is here.
    #[must_use]
    pub fn held(&self, key: &BlobKey) -> Option<Bytes> {
        self.0.as_ref()?.get(key)
    }

    /// Returns the content, which `load` reads if it is not in memory. Of several callers that ask for one content at a
    /// time one loads it, and the others wait; if it fails, the next one tries.
    ///
    /// # Errors
    ///
    /// Returns the error of `load`.
    pub async fn get<E>(&self, key: BlobKey, load: impl Future<Output = Result<Vec<u8>, E>>) -> Result<Bytes, E> {
        // Without spare room behind the bytes, which would not be counted.
        let load = async { load.await.map(|content| Bytes::from(content.into_boxed_slice())) };
        match &self.0 {
            Some(cache) => cache.get_or_insert_async(&key, load).await,
            None => load.await,
        }
    }

    /// Bytes that are kept, overhead included.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.0.as_ref().map_or(0, |cache| cache.weight())
    }
}

impl fmt::Debug for BlobCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contents").field("weight", &self.weight()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn key(number: u8) -> BlobKey {
        BlobKey { sha256: [number; 32], coding: None }
    }

    async fn get(contents: &BlobCache, number: u8, length: usize) -> Bytes {
        let load = async { Ok::<_, ()>(vec![number; length]) };
        contents.get(key(number), load).await.unwrap()
    }

    #[tokio::test]
    async fn what_is_kept_stays_within_the_bound() {
        const BOUND: u64 = 100_000;
        let contents = BlobCache::new(BOUND);
        for round in 0..5_usize {
            for number in 0..=255 {
                let length = 100 + usize::from(number) * 37 * (round + 1) % 20_000;
                assert!(get(&contents, number, length).await.iter().all(|byte| *byte == number));
                assert!(contents.weight() <= BOUND, "{contents:?}");
            }
        }
        assert!(contents.weight() > BOUND / 2, "{contents:?}");
        let held = (0..=255).filter(|number| contents.held(&key(*number)).is_some()).count();
        assert!((1..256).contains(&held), "{held}");
    }

    #[tokio::test]
    async fn what_is_larger_than_the_bound_is_read_and_not_kept() {
        let contents = BlobCache::new(1000);
        assert_eq!(get(&contents, 1, 2000).await.len(), 2000);
        assert_eq!((contents.held(&key(1)), contents.weight()), (None, 0));
    }

    #[tokio::test]
    async fn without_a_bound_nothing_is_kept() {
        let contents = BlobCache::new(0);
        assert_eq!(get(&contents, 1, 10).await.len(), 10);
        assert_eq!((contents.held(&key(1)), contents.weight()), (None, 0));
    }

    #[tokio::test]
    async fn of_many_that_ask_at_a_time_one_loads() {
        let (contents, loads) = (BlobCache::new(100_000), Arc::new(AtomicUsize::new(0)));
        let askers: Vec<_> = (0..20)
            .map(|_| {
                let (contents, loads) = (contents.clone(), Arc::clone(&loads));
                tokio::spawn(async move {
                    let load = async {
                        let earlier = loads.fetch_add(1, Ordering::SeqCst);
                        tokio::task::yield_now().await;
                        // The first fails, and one of those that wait tries.
                        if earlier == 0 { Err("not now") } else { Ok(vec![7; 100]) }
                    };
                    contents.get(key(7), load).await
                })
            })
            .collect();
        let mut failures = 0;
        for asker in askers {
            match asker.await.unwrap() {
                Ok(content) => assert_eq!(content, vec![7; 100]),
                Err(_) => failures += 1,
            }
        }
        assert_eq!((failures, loads.load(Ordering::SeqCst)), (1, 2));
    }

    #[test]
    fn forms_of_a_content_are_told_apart() {
        let coded = BlobKey { coding: Some(Coding::Gzip), ..key(1) };
        assert_ne!(coded, key(1));
        assert_ne!(coded, BlobKey { coding: Some(Coding::Brotli), ..coded });
    }
}
