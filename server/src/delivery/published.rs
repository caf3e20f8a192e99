//! Published versions in memory: which version of a project is live, and which content lies at which path of a version.
//!
//! The second never changes while the version is there. The first holds as long as the generation of the project's shard
//! does: the generations are looked up at most every [`WINDOW`], and at once after this process has moved what is live. So a
//! read never shows what was replaced before it began by this process, or a window earlier by another.
//!
//! Both memories are bounded by bytes. What is read once does not displace what is read again and again, whichever tenant
//! reads it: an entry has to be asked for twice before it competes with those.

use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use l10n_api_types::{FormatId, ProjectId};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use tokio::sync::Mutex;

use super::paths::ProjectAddress;
use super::places::{FilePlace, KnownPlace, Texts};
use crate::store::live_generations::{Generation, LiveMoves, LiveProject};

/// The time for which a look at the generations holds.
pub(crate) const WINDOW: Duration = Duration::from_millis(250);

/// The time from the writing of a publish until no other process serves what was live before: a window from the commit on,
/// and as much for the commit itself, for a read that began in the window, and for clocks that differ a little.
pub(crate) const SEEN_BY_ALL: Duration = Duration::from_millis(500);

/// Memory of an entry beside its texts, rounded up.
const OVERHEAD: u64 = 384;

/// A published file, found but not read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// Its format.
    pub format: FormatId,
    /// SHA-256 of its bytes.
    pub sha256: [u8; 32],
    /// Their number.
    pub bytes: usize,
}

/// The generations, as a look has found them.
#[derive(Debug)]
pub(crate) struct KnownGenerations {
    begun: Instant,
    moves: u64,
    shards: Vec<Generation>,
}

impl KnownGenerations {
    fn shard(&self, shard: i64) -> Option<&Generation> {
        usize::try_from(shard).ok().and_then(|place| self.shards.get(place))
    }

    /// Returns true if what is known of the project still holds.
    #[must_use]
    pub(crate) fn confirms(&self, project: &LiveProject) -> bool {
        self.shard(project.shard).is_some_and(|now| project.generation >= now.generation)
    }
}

/// A file at a path of a version, or the manifest of one.
#[derive(Debug)]
struct CachedEntry {
    project_id: ProjectId,
    file: FoundFile,
    /// Deleted versions of the shard, as they were known before the file was looked for.
    deletions: i64,
}

#[derive(Debug, Clone, Copy)]
struct Weight;

impl<K: Texts, V> Weighter<K, Arc<V>> for Weight {
    fn weight(&self, key: &K, _: &Arc<V>) -> u64 {
        OVERHEAD + key.bytes() as u64
    }
}

type Bounded<K, V> = Cache<K, Arc<V>, Weight>;

/// The memory. Cheap to clone; all clones share it.
#[derive(Clone)]
pub struct PublishedIndex(Option<Arc<Shared>>);

struct Shared {
    known: RwLock<Option<Arc<KnownGenerations>>>,
    look: Mutex<()>,
    projects: Bounded<ProjectAddress, LiveProject>,
    files: Bounded<KnownPlace, CachedEntry>,
}

impl PublishedIndex {
    /// A memory of at most `bytes` bytes; 0 for none.
    #[must_use]
    pub(crate) fn new(bytes: u64) -> Self {
        if bytes == 0 {
            return Self(None);
        }
        let of_projects = bytes / 4;
        Self(Some(Arc::new(Shared {
            known: RwLock::default(),
            look: Mutex::default(),
            projects: bounded(of_projects),
            files: bounded(bytes - of_projects),
        })))
    }

    /// The generations, looked up by `look` where the last look does not hold any more; `None` without memory. Of several
    /// callers that need one at a time, one looks. `now` tells the time.
    ///
    /// # Errors
    ///
    /// Returns the error of `look`.
    pub(crate) async fn known<E>(
        &self,
        moves: &LiveMoves,
        now: impl Fn() -> Instant,
        look: impl AsyncFnOnce() -> Result<Vec<Generation>, E>,
    ) -> Result<Option<Arc<KnownGenerations>>, E> {
        let Some(shared) = &self.0 else { return Ok(None) };
        let (asked, moved) = (now(), moves.count());
        if let Some(known) = shared.known().filter(|known| known.moves >= moved && asked - known.begun < WINDOW) {
            return Ok(Some(known));
        }
        let _one = shared.look.lock().await;
        // Another's look that began after this call is as good as an own one, however long it took.
        if let Some(known) = shared.known().filter(|known| known.moves >= moved && known.begun >= asked) {
            return Ok(Some(known));
        }
        let (begun, moves) = (now(), moves.count());
        let known = Arc::new(KnownGenerations { begun, moves, shards: Box::pin(look()).await? });
        *shared.known.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&known));
        Ok(Some(known))
    }

    /// The project at an address, as it was read last. It holds if the generations confirm it.
    #[must_use]
    pub(crate) fn project(&self, address: &ProjectAddress) -> Option<Arc<LiveProject>> {
        self.0.as_ref()?.projects.get(address)
    }

    /// Remembers the project at an address.
    pub(crate) fn remember_project(&self, address: ProjectAddress, project: Arc<LiveProject>) {
        if let Some(shared) = &self.0 {
            shared.projects.insert(address, project);
        }
    }

    /// The file at a place of the project.
    #[must_use]
    pub(crate) fn file(
        &self,
        place: FilePlace<'_>,
        project: &LiveProject,
        known: &KnownGenerations,
    ) -> Option<FoundFile> {
        let entry = self.0.as_ref()?.files.get(&place)?;
        let holds = entry.project_id == project.id
            && known.shard(project.shard).is_some_and(|now| now.deletions == entry.deletions);
        holds.then_some(entry.file)
    }

    /// Remembers the file at a place of the project. `known` is from before it was looked for.
    pub(crate) fn remember_file(
        &self,
        place: FilePlace<'_>,
        project: &LiveProject,
        known: &KnownGenerations,
        file: FoundFile,
    ) {
        if let (Some(shared), Some(now)) = (&self.0, known.shard(project.shard)) {
            let entry = CachedEntry { project_id: project.id.clone(), file, deletions: now.deletions };
            shared.files.insert(place.into(), Arc::new(entry));
        }
    }

    /// Forgets the file at a place.
    pub(crate) fn forget_file(&self, place: FilePlace<'_>) {
        if let Some(shared) = &self.0 {
            shared.files.remove(&place);
        }
    }

    /// Bytes that are kept, overhead included.
    #[must_use]
    pub(crate) fn weight(&self) -> u64 {
        self.0.as_ref().map_or(0, |shared| shared.projects.weight() + shared.files.weight())
    }
}

impl Shared {
    fn known(&self) -> Option<Arc<KnownGenerations>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn bounded<K: Texts + Eq + Hash, V>(bytes: u64) -> Bounded<K, V> {
    let entries = usize::try_from(bytes / (2 * OVERHEAD)).unwrap_or(usize::MAX).clamp(16, 100_000);
    Cache::with_weighter(entries, bytes, Weight)
}

impl fmt::Debug for PublishedIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PublishedIndex").field("weight", &self.weight()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};

    use l10n_api_types::VersionId;

    use super::*;

    fn project(generation: i64) -> LiveProject {
        LiveProject { id: "prj_1".into(), live_version_id: None, archived_at: None, shard: 0, generation }
    }

    fn file(number: u8) -> FoundFile {
        FoundFile { format: FormatId::Json, sha256: [number; 32], bytes: 0 }
    }

    struct Datastore {
        generation: AtomicI64,
        deletions: AtomicI64,
        looks: AtomicUsize,
        began: Instant,
        passed_millis: AtomicU64,
    }

    impl Default for Datastore {
        fn default() -> Self {
            Self {
                generation: AtomicI64::new(0),
                deletions: AtomicI64::new(0),
                looks: AtomicUsize::new(0),
                began: Instant::now(),
                passed_millis: AtomicU64::new(0),
            }
        }
    }

    impl Datastore {
        async fn look(&self) -> Result<Vec<Generation>, ()> {
            self.looks.fetch_add(1, Ordering::SeqCst);
            let (generation, deletions) =
                (self.generation.load(Ordering::SeqCst), self.deletions.load(Ordering::SeqCst));
            tokio::task::yield_now().await;
            Ok(vec![Generation { shard: 0, generation, deletions }])
        }

        fn now(&self) -> Instant {
            self.began + Duration::from_millis(self.passed_millis.load(Ordering::SeqCst))
        }
    }

    async fn known(index: &PublishedIndex, moves: &LiveMoves, datastore: &Datastore) -> Arc<KnownGenerations> {
        index.known(moves, || datastore.now(), async || datastore.look().await).await.unwrap().unwrap()
    }

    #[tokio::test]
    async fn a_look_holds_for_a_window_and_no_longer() {
        let (index, moves, datastore) = (PublishedIndex::new(10_000), LiveMoves::default(), Datastore::default());
        assert!(known(&index, &moves, &datastore).await.confirms(&project(0)));
        datastore.generation.store(1, Ordering::SeqCst);
        datastore.passed_millis.store(249, Ordering::SeqCst);
        assert!(known(&index, &moves, &datastore).await.confirms(&project(0)));
        datastore.passed_millis.store(250, Ordering::SeqCst);
        let now = known(&index, &moves, &datastore).await;
        assert!(!now.confirms(&project(0)) && now.confirms(&project(1)) && now.confirms(&project(2)));
        assert_eq!(datastore.looks.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn what_this_process_moved_is_seen_by_reads_that_begin_after_it() {
        let (index, moves, datastore) = (PublishedIndex::new(10_000), LiveMoves::default(), Datastore::default());
        known(&index, &moves, &datastore).await;
        datastore.generation.store(1, Ordering::SeqCst);
        moves.add();
        assert!(!known(&index, &moves, &datastore).await.confirms(&project(0)));
        assert!(known(&index, &moves, &datastore).await.confirms(&project(1)));
        assert_eq!(datastore.looks.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn of_many_that_need_a_look_one_looks() {
        let (index, moves, datastore) = (PublishedIndex::new(10_000), LiveMoves::default(), Datastore::default());
        let asked = (0..50).map(|_| known(&index, &moves, &datastore));
        futures_util::future::join_all(asked).await;
        assert_eq!(datastore.looks.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_file_is_its_own_projects_and_is_looked_for_again_once_a_version_was_deleted() {
        let (index, moves, datastore) = (PublishedIndex::new(10_000), LiveMoves::default(), Datastore::default());
        let before = known(&index, &moves, &datastore).await;
        let version = VersionId::from("ver_1");
        let place = FilePlace::Path(&version, "en.json");
        index.remember_file(place, &project(0), &before, file(1));
        assert_eq!(index.file(place, &project(5), &before), Some(file(1)));
        let other = LiveProject { id: "prj_2".into(), ..project(0) };
        assert_eq!(index.file(place, &other, &before), None);
        datastore.deletions.store(1, Ordering::SeqCst);
        moves.add();
        let after = known(&index, &moves, &datastore).await;
        assert_eq!(index.file(place, &project(0), &after), None);
    }

    /// A version has files at paths, and a manifest for each address of its project.
    #[tokio::test]
    async fn each_place_has_a_file_of_its_own() {
        let (index, moves, datastore) = (PublishedIndex::new(10_000), LiveMoves::default(), Datastore::default());
        let known = known(&index, &moves, &datastore).await;
        let versions = ["ver_1", "ver_2"].map(VersionId::from);
        let addresses = [
            ProjectAddress::Id("a".into()),
            ProjectAddress::Names { handle: "a".into(), slug: "bc".into() },
            ProjectAddress::Names { handle: "ab".into(), slug: "c".into() },
        ];
        let places = versions.iter().flat_map(|version| {
            let manifests = addresses.iter().map(move |address| FilePlace::Manifest(version, address));
            ["a", "b"].map(|path| FilePlace::Path(version, path)).into_iter().chain(manifests)
        });
        let places: Vec<FilePlace<'_>> = places.collect();
        for (number, place) in (0..).zip(&places) {
            index.remember_file(*place, &project(0), &known, file(number));
        }
        for (number, place) in (0..).zip(&places) {
            assert_eq!(index.file(*place, &project(0), &known), Some(file(number)), "{place:?}");
        }
        index.forget_file(places[0]);
        let left = places.iter().filter(|place| index.file(**place, &project(0), &known).is_some()).count();
        assert_eq!(left, places.len() - 1);
    }

    #[tokio::test]
    async fn a_tenant_that_reads_much_once_stays_within_the_bound_and_displaces_nothing_that_is_read_again() {
        const BOUND: u64 = 400_000;
        let (index, moves, datastore) = (PublishedIndex::new(BOUND), LiveMoves::default(), Datastore::default());
        let known = known(&index, &moves, &datastore).await;
        let (version, hot): (VersionId, Vec<String>) =
            ("ver_1".into(), (0..50).map(|number| format!("hot {number}")).collect());
        for path in hot.iter().chain(&hot).chain(&hot) {
            let place = FilePlace::Path(&version, path);
            if index.file(place, &project(0), &known).is_none() {
                index.remember_file(place, &project(0), &known, file(1));
            }
        }
        for number in 0..20_000 {
            let path = format!("once {number}");
            index.remember_file(FilePlace::Path(&version, &path), &project(0), &known, file(2));
            assert!(index.weight() <= BOUND, "{index:?}");
        }
        let is_kept = |path: &&String| index.file(FilePlace::Path(&version, path), &project(0), &known).is_some();
        let kept = hot.iter().filter(is_kept).count();
        assert_eq!(kept, hot.len());
    }

    #[tokio::test]
    async fn without_a_bound_nothing_is_remembered_and_nobody_looks() {
        let (index, moves, datastore) = (PublishedIndex::new(0), LiveMoves::default(), Datastore::default());
        assert!(index.known(&moves, Instant::now, async || datastore.look().await).await.unwrap().is_none());
        let address = ProjectAddress::Id("prj_1".into());
        index.remember_project(address.clone(), Arc::new(project(0)));
        assert_eq!((index.project(&address), index.weight()), (None, 0));
        assert_eq!(datastore.looks.load(Ordering::SeqCst), 0);
    }
}
