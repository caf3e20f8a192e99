//! Contents of published files in memory: a file that many clients read is loaded and compressed once.
//!
//! A content is named by its SHA-256 and never changes: nothing here can be out of date. This memory does not decide
//! which file a client may read: [`published`](super::published) and the datastore do.
//!
//! A content is in memory until the cache has dropped it and all clients that read it have taken it. All contents together
//! are bounded, and those of one project: what finds no room, because clients are slow to take others, is not read.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use l10n_api_types::ProjectId;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::coding::Coding;
use crate::byte_budget::{ByteBudget, LARGE_ANSWER};

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
pub struct BlobCache {
    cache: Option<Arc<Cache<BlobKey, Bytes, BlobWeight>>>,
    /// Bytes of contents, in the cache or on their way, by the project for which they were read.
    in_memory: ByteBudget<ProjectId>,
}

/// Clients that are slow to take contents leave no room for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheFull;

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
    /// A memory of at most `bytes` bytes, or of none, and of at most `beside` for contents on their way that it does not have.
    /// One project may fill the memory and half of what is beside it, as long as others hold nothing.
    #[must_use]
    pub fn new(bytes: u64, beside: u64) -> Self {
        let in_memory = ByteBudget::new(bytes.saturating_add(beside), bytes.saturating_add(beside / 2));
        Self { cache: Self::cache(bytes), in_memory }
    }

    fn cache(bytes: u64) -> Option<Arc<Cache<BlobKey, Bytes, BlobWeight>>> {
        if bytes == 0 {
            return None;
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
        cache.map(Arc::new)
    }

    /// The content, if it is here.
    #[must_use]
    pub fn held(&self, key: &BlobKey) -> Option<Bytes> {
        self.cache.as_ref()?.get(key)
    }

    /// Returns the content of a file of `project`, which `load` reads if it is not in memory. Of several callers that ask for
    /// one content at a time one loads it, and the others wait; if it fails, the next one tries. `bytes` is an upper bound of
    /// its length.
    ///
    /// # Errors
    ///
    /// Returns the error of `load`, and [`CacheFull`] for a large content.
    pub async fn get<E: From<CacheFull>>(
        &self,
        project: &ProjectId,
        key: BlobKey,
        bytes: usize,
        load: impl Future<Output = Result<Vec<u8>, E>>,
    ) -> Result<Bytes, E> {
        let load = async {
            let room = match bytes > LARGE_ANSWER {
                true => self.in_memory.take_free(project.clone(), bytes).ok_or(CacheFull)?,
                false => self.in_memory.count(project.clone(), bytes),
            };
            Ok(room.owning(load.await?))
        };
        match &self.cache {
            Some(cache) => cache.get_or_insert_async(&key, load).await,
            None => load.await,
        }
    }

    /// Bytes that are kept, overhead included.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.cache.as_ref().map_or(0, |cache| cache.weight())
    }

    /// Bytes of contents in memory, kept or on their way.
    #[must_use]
    pub fn in_memory(&self) -> usize {
        self.in_memory.held()
    }
}

impl fmt::Debug for BlobCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlobCache").field("weight", &self.weight()).field("in_memory", &self.in_memory()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const BESIDE: u64 = 1_000_000;

    #[derive(Debug, PartialEq)]
    enum Failed {
        CacheFull,
        NotNow,
    }

    impl From<CacheFull> for Failed {
        fn from(_: CacheFull) -> Self {
            Self::CacheFull
        }
    }

    fn key(number: u8) -> BlobKey {
        BlobKey { sha256: [number; 32], coding: None }
    }

    async fn get(contents: &BlobCache, number: u8, length: usize) -> Bytes {
        try_get(contents, number, length).await.unwrap()
    }

    async fn try_get(contents: &BlobCache, number: u8, length: usize) -> Result<Bytes, Failed> {
        // Each content is of a project of its own.
        try_get_of(contents, &number.to_string(), number, length).await
    }

    async fn try_get_of(contents: &BlobCache, project: &str, number: u8, length: usize) -> Result<Bytes, Failed> {
        contents.get(&project.into(), key(number), length, async { Ok(vec![number; length]) }).await
    }

    #[tokio::test]
    async fn what_is_kept_stays_within_the_bound() {
        const BOUND: u64 = 100_000;
        let contents = BlobCache::new(BOUND, BESIDE);
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
        let contents = BlobCache::new(1000, BESIDE);
        assert_eq!(get(&contents, 1, 2000).await.len(), 2000);
        assert_eq!((contents.held(&key(1)), contents.weight()), (None, 0));
    }

    #[tokio::test]
    async fn without_a_bound_nothing_is_kept() {
        let contents = BlobCache::new(0, BESIDE);
        assert_eq!(get(&contents, 1, 10).await.len(), 10);
        assert_eq!((contents.held(&key(1)), contents.weight()), (None, 0));
    }

    #[tokio::test]
    async fn of_many_that_ask_at_a_time_one_loads() {
        let (contents, loads) = (BlobCache::new(100_000, BESIDE), Arc::new(AtomicUsize::new(0)));
        let askers: Vec<_> = (0..20)
            .map(|_| {
                let (contents, loads) = (contents.clone(), Arc::clone(&loads));
                tokio::spawn(async move {
                    let load = async {
                        let earlier = loads.fetch_add(1, Ordering::SeqCst);
                        tokio::task::yield_now().await;
                        // The first fails, and one of those that wait tries.
                        if earlier == 0 { Err(Failed::NotNow) } else { Ok(vec![7; 100]) }
                    };
                    contents.get(&"one".into(), key(7), 100, load).await
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

    #[tokio::test]
    async fn contents_that_nobody_takes_are_bounded_whether_they_were_kept_or_not() {
        const EACH: usize = 100_000;
        for cache in [0, 250_000] {
            let contents = BlobCache::new(cache, BESIDE);
            let (mut held, mut refused) = (Vec::new(), 0);
            for number in 0..100 {
                match try_get(&contents, number, EACH).await {
                    Ok(content) => held.push(content),
                    Err(failed) => {
                        assert_eq!(failed, Failed::CacheFull);
                        refused += 1;
                    }
                }
                assert!(contents.in_memory() as u64 <= cache + BESIDE, "{contents:?}");
            }
            assert!(held.len() as u64 >= BESIDE / EACH as u64 && refused > 0, "{contents:?}");
            let small = try_get(&contents, 200, 1_000).await;
            assert!(small.is_ok(), "a small one is always read");
            drop((held, small));
            assert!(contents.in_memory() as u64 <= cache, "what nobody holds is kept or gone: {contents:?}");
            assert!(try_get(&contents, 201, EACH).await.is_ok());
        }
    }

    /// Before, two addresses that took the distinct files of one project slowly left no room for the files of any other.
    #[tokio::test]
    async fn contents_of_one_project_leave_room_for_those_of_others() {
        const EACH: usize = 100_000;
        for cache in [0, 250_000] {
            let contents = BlobCache::new(cache, BESIDE);
            let (mut held, mut number) = (Vec::new(), 0);
            for project in ["one", "two", "three"] {
                let before = held.len();
                while let Ok(content) = try_get_of(&contents, project, number, EACH).await {
                    held.push(content);
                    number += 1;
                }
                assert!(held.len() > before, "{project}: {contents:?}");
            }
            assert!(contents.in_memory() as u64 <= cache + BESIDE, "{contents:?}");
        }
    }

    #[tokio::test]
    async fn a_project_that_is_alone_fills_the_cache_however_large_it_is() {
        const EACH: usize = 100_000;
        let contents = BlobCache::new(4 * BESIDE, BESIDE);
        for number in 0..100 {
            assert!(try_get_of(&contents, "one", number, EACH).await.is_ok(), "{contents:?}");
        }
        assert!(contents.weight() > 2 * BESIDE, "{contents:?}");
    }

    #[test]
    fn forms_of_a_content_are_told_apart() {
        let coded = BlobKey { coding: Some(Coding::Gzip), ..key(1) };
        assert_ne!(coded, key(1));
        assert_ne!(coded, BlobKey { coding: Some(Coding::Brotli), ..coded });
    }
}
