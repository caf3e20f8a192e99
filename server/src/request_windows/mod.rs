//! Counting of requests in windows of 60 seconds (§8), together with the other server processes.
//!
//! A request costs a lock and an addition. Now and then, and before the second request of a window that this process does not
//! know, what was counted is merged into the datastore, whose answer tells what all processes have let in; requests wait for
//! it, a quarter of a second at most. A datastore that does not answer refuses nobody: each process counts for itself until
//! it does. What a process holds of windows that are idle is merged by [`settle`](RequestWindows::settle).
//!
//! An embedded datastore has one server, which merges nothing.
//!
//! A window of its own has only what is known to be there, so that there are no more of them than projects. Names that anyone
//! may have invented share windows of a fixed number, in this process alone: they displace nothing, and none passes uncounted.

mod local;
mod window;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

pub(crate) use self::local::LocalWindows;
pub use self::window::OverBudget;
use self::window::{BUDGET_WINDOW_MILLIS, CLOCKS_DIFFER_MILLIS, Step, Window};
use crate::clock::Timestamp;
use crate::store::engine::DatabaseKind;
use crate::store::request_windows::{self, WindowCount};
use crate::store::{Store, StoreError};

/// Time that a request waits for a merge.
const TIMEOUT: Duration = Duration::from_millis(250);

/// For how long none waits after that.
const QUIET: Duration = Duration::from_secs(1);

/// Time limit of a merge for which no request waits any more.
const LONGEST_MERGE: Duration = Duration::from_secs(10);

/// Windows that one call of `settle` merges at most.
pub(crate) const SETTLED_AT_ONCE: usize = 64;

/// The budget whose requests a window counts (§8).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Budget {
    /// Requests under `/projects/{projectId}/`.
    Project(String),
    /// Requests under `/@{handle}/{slug}/`.
    Named(String),
}

impl Budget {
    /// As the datastore knows it.
    fn text(&self) -> String {
        match self {
            Self::Project(id) => format!("project {id}"),
            Self::Named(name) => format!("named {name}"),
        }
    }
}

/// The windows of all budgets. Cheap to clone; all clones share them.
#[derive(Debug, Clone)]
pub struct RequestWindows(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limit: u32,
    timeout: Duration,
    /// `None` where there are no other processes.
    store: Option<Store>,
    windows: Mutex<Windows>,
    invented: LocalWindows,
}

#[derive(Debug, Default)]
struct Windows {
    of: HashMap<Budget, TrackedWindow>,
    /// The time of the last search for ended windows.
    swept: Option<Timestamp>,
    /// The datastore did not answer in time: until then nobody waits for it.
    quiet_until: Option<Instant>,
    merges: u64,
}

#[derive(Debug)]
struct TrackedWindow {
    window: Window,
    merge: Option<MergeTicket>,
}

/// A merge that is under way.
#[derive(Debug, Clone)]
struct MergeTicket {
    /// Tells it from another of the same budget.
    number: u64,
    ended: CancellationToken,
}

/// A merge in progress.
#[derive(Debug)]
struct PendingMerge {
    budget: Budget,
    /// As the datastore knows it.
    name: String,
    own: WindowCount,
    joined: bool,
    merge: MergeTicket,
}

impl PendingMerge {
    fn new(budget: &Budget, own: WindowCount, window: &Window, merges: &mut u64) -> Self {
        let (budget, name, joined) = (budget.clone(), budget.text(), window.is_joined());
        Self { budget, name, own, joined, merge: MergeTicket::begin(merges) }
    }
}

enum WindowDecision {
    Pass(u32),
    Over,
    Wait(CancellationToken),
    /// There is no window, and its project may not be there.
    Unknown,
}

impl RequestWindows {
    /// Windows that take `limit` requests each.
    #[must_use]
    pub fn new(store: &Store, limit: u32) -> Self {
        Self::with_timeout(store, limit, TIMEOUT)
    }

    /// Like [`new`](Self::new), with another time limit for the datastore.
    #[must_use]
    pub fn with_timeout(store: &Store, limit: u32, timeout: Duration) -> Self {
        Self::over((store.engine() == DatabaseKind::Postgres).then(|| store.clone()), limit, timeout)
    }

    fn over(store: Option<Store>, limit: u32, timeout: Duration) -> Self {
        let (windows, invented) = (Mutex::default(), LocalWindows::new(limit));
        Self(Arc::new(Shared { limit, timeout, store, windows, invented }))
    }

    /// Returns true if other processes may count the same windows.
    #[must_use]
    pub(crate) fn are_shared(&self) -> bool {
        self.0.store.is_some()
    }

    /// Counts a request for a project that is known to be there, and returns how many more the window takes. A refused request
    /// does not prolong the window.
    ///
    /// # Errors
    ///
    /// [`OverBudget`] when the window takes no more.
    pub async fn count(&self, budget: &Budget, now: Timestamp) -> Result<u32, OverBudget> {
        self.count_if(budget, now, true).await.unwrap_or(Err(OverBudget))
    }

    /// Counts a request as [`count`](Self::count) does, if requests of this budget were counted recently, so that its project
    /// exists; `None` if not.
    ///
    /// # Errors
    ///
    /// [`OverBudget`] when the window takes no more.
    pub async fn count_known(&self, budget: &Budget, now: Timestamp) -> Option<Result<u32, OverBudget>> {
        self.count_if(budget, now, false).await
    }

    async fn count_if(&self, budget: &Budget, now: Timestamp, is_there: bool) -> Option<Result<u32, OverBudget>> {
        loop {
            let merge = match self.find(budget, now, is_there) {
                WindowDecision::Pass(more) => return Some(Ok(more)),
                WindowDecision::Over => return Some(Err(OverBudget)),
                WindowDecision::Unknown => return None,
                WindowDecision::Wait(merge) => merge,
            };
            if timeout(self.0.timeout, merge.cancelled()).await.is_err() {
                self.lock().quiet_until = Some(Instant::now() + QUIET);
            }
        }
    }

    /// Counts a request for a project that is not there. Neither the datastore nor other processes learn of it.
    ///
    /// # Errors
    ///
    /// [`OverBudget`] when the window takes no more.
    pub fn count_invented(&self, budget: &Budget, now: Timestamp) -> Result<u32, OverBudget> {
        self.0.invented.count(budget, now)
    }

    /// Merges what this process holds of idle windows, as many as one transaction should; returns how many that were.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub async fn settle(&self, now: Timestamp) -> Result<usize, StoreError> {
        let Some(store) = &self.0.store else { return Ok(0) };
        let mut begun = self.begin_settling(now);
        // Two processes that merge the same windows must not wait for each other.
        begun.sort_unstable_by(|a, b| a.budget.cmp(&b.budget));
        let (joined, new): (Vec<PendingMerge>, Vec<PendingMerge>) = begun.into_iter().partition(|one| one.joined);
        let joined = self.settle_some(store, joined, now).await;
        Ok(self.settle_some(store, new, now).await? + joined?)
    }

    /// Merges windows all of which this process has joined, or none.
    async fn settle_some(&self, store: &Store, begun: Vec<PendingMerge>, now: Timestamp) -> Result<usize, StoreError> {
        let merged = merge(store, &begun, now).await;
        let mut windows = self.lock();
        for (at, begun) in begun.iter().enumerate() {
            let all = merged.as_ref().ok().and_then(|all| all.get(at).copied());
            windows.end(begun, all, self.0.limit);
        }
        merged.map(|all| all.len())
    }

    fn lock(&self) -> MutexGuard<'_, Windows> {
        self.0.windows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, budget: &Budget, now: Timestamp, mut is_there: bool) -> WindowDecision {
        let Shared { limit, store, .. } = &*self.0;
        let mut windows = self.lock();
        if windows.are_to_be_swept(now) {
            is_there |= windows.of.contains_key(budget);
            windows.sweep(now);
        }
        let is_quiet = windows.quiet_until.is_some_and(|until| Instant::now() < until);
        let Windows { of, merges, .. } = &mut *windows;
        let begun = || TrackedWindow { window: Window::new(now, *limit), merge: None };
        let known = match of.get_mut(budget) {
            Some(known) => known,
            None if is_there => of.entry(budget.clone()).or_insert_with(begun),
            None => return WindowDecision::Unknown,
        };
        if known.window.is_over(now) {
            *known = begun();
        }
        let step = match store {
            Some(_) if !is_quiet => known.window.count(*limit),
            _ => known.window.count_alone(*limit),
        };
        match (step, store) {
            (Step::Pass(more), _) => WindowDecision::Pass(more),
            (Step::Ask, Some(store)) => {
                let merge = known.merge.get_or_insert_with(|| {
                    let begun = PendingMerge::new(budget, known.window.ask(), &known.window, merges);
                    let merge = begun.merge.clone();
                    tokio::spawn(self.clone().ask(store.clone(), begun, now));
                    merge
                });
                WindowDecision::Wait(merge.ended.clone())
            }
            (Step::Over | Step::Ask, _) => WindowDecision::Over,
        }
    }

    /// Merges one window. A task of its own, so that nothing is lost when those who wait for it go away.
    async fn ask(self, store: Store, begun: PendingMerge, now: Timestamp) {
        let all = match merge(&store, std::slice::from_ref(&begun), now).await {
            Ok(all) => all.first().copied(),
            Err(error) => {
                tracing::warn!(?error, "requests are counted by this process alone for a moment");
                None
            }
        };
        let mut windows = self.lock();
        // An answer that came late shows that the datastore is there again.
        windows.quiet_until = if all.is_none() { Some(Instant::now() + QUIET) } else { None };
        windows.end(&begun, all, self.0.limit);
    }

    fn begin_settling(&self, now: Timestamp) -> Vec<PendingMerge> {
        let mut windows = self.lock();
        windows.sweep(now);
        let Windows { of, merges, .. } = &mut *windows;
        let idle = of
            .iter_mut()
            .filter(|(_, known)| known.merge.is_none() && known.window.holds_something() && !known.window.is_over(now));
        let begun = idle.take(SETTLED_AT_ONCE).map(|(budget, known)| {
            let begun = PendingMerge::new(budget, known.window.own(), &known.window, merges);
            known.merge = Some(begun.merge.clone());
            begun
        });
        begun.collect()
    }
}

impl MergeTicket {
    fn begin(merges: &mut u64) -> Self {
        *merges += 1;
        Self { number: *merges, ended: CancellationToken::new() }
    }
}

impl Windows {
    /// Lets go those who wait for a merge, with what it brought.
    fn end(&mut self, begun: &PendingMerge, all: Option<WindowCount>, limit: u32) {
        if let Some(known) = self.of.get_mut(&begun.budget)
            && known.merge.as_ref().is_some_and(|under_way| under_way.number == begun.merge.number)
        {
            known.merge = None;
            if let Some(all) = all {
                known.window.merged(begun.own, all, limit);
            }
            known.window.answer();
        }
        begun.merge.ended.cancel();
    }

    fn are_to_be_swept(&self, now: Timestamp) -> bool {
        self.swept.is_none_or(|swept| window::is_over(swept, now, 0))
    }

    fn sweep(&mut self, now: Timestamp) {
        if self.are_to_be_swept(now) {
            self.of.retain(|_, known| !known.window.is_over(now));
            self.swept = Some(now);
        }
    }
}

/// Merges some windows in one transaction and one statement; this process has joined all of them, or none.
async fn merge(store: &Store, begun: &[PendingMerge], now: Timestamp) -> Result<Vec<WindowCount>, StoreError> {
    let Some(first) = begun.first() else { return Ok(Vec::new()) };
    let (oldest, newest) = (now.plus_millis(-BUDGET_WINDOW_MILLIS), now.plus_millis(CLOCKS_DIFFER_MILLIS));
    let merged = async {
        let mut tx = store.begin_ahead().await?;
        let mut all = HashMap::with_capacity(begun.len());
        if begun.len() > 1 {
            let own: Vec<_> = begun.iter().map(|one| (one.name.clone(), one.own)).collect();
            for one in request_windows::merge_all(&mut tx, &own, oldest, newest, first.joined).await? {
                all.insert(one.budget, WindowCount { began: one.began, requests: one.requests });
            }
        } else {
            let counted = request_windows::merge(&mut tx, &first.name, first.own, oldest, newest, first.joined).await?;
            all.insert(first.name.clone(), counted);
        }
        tx.commit().await?;
        begun.iter().map(|one| all.get(&one.name).copied().ok_or_else(StoreError::no_answer)).collect()
    };
    timeout(LONGEST_MERGE, merged).await.unwrap_or_else(|_| Err(StoreError::no_answer()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_795_248_000_000);

    fn alone(limit: u32) -> RequestWindows {
        RequestWindows::over(None, limit, TIMEOUT)
    }

    fn project(name: &str) -> Budget {
        Budget::Project(name.to_owned())
    }

    /// LIM-REQ-1, LIM-REQ-4, LIM-REQ-7
    #[tokio::test]
    async fn a_window_takes_its_limit_and_a_refused_request_does_not_prolong_it() {
        let windows = alone(2);
        let (a, b) = (project("a"), project("b"));
        assert_eq!(windows.count(&a, NOW).await, Ok(1));
        assert_eq!(windows.count(&a, NOW).await, Ok(0));
        assert_eq!(windows.count(&a, NOW.plus_millis(59_999)).await, Err(OverBudget));
        assert_eq!(windows.count(&b, NOW).await, Ok(1));
        assert_eq!(windows.count(&Budget::Named("a".to_owned()), NOW).await, Ok(1), "LIM-REQ-8");
        assert_eq!(windows.count(&a, NOW.plus_millis(60_000)).await, Ok(1));
    }

    /// A window that has ended, and is still in memory, tells that its project is there.
    #[tokio::test]
    async fn what_was_counted_recently_is_known_to_be_there() {
        let windows = alone(2);
        let (a, b) = (project("a"), project("b"));
        assert_eq!(windows.count_known(&a, NOW).await, None);
        assert_eq!(windows.count(&a, NOW).await, Ok(1));
        assert_eq!(windows.count_known(&a, NOW).await, Some(Ok(0)));
        assert_eq!(windows.count_known(&a, NOW).await, Some(Err(OverBudget)));
        assert_eq!(windows.count_known(&a, NOW.plus_millis(60_000)).await, Some(Ok(1)));
        assert_eq!(windows.count_known(&b, NOW.plus_millis(60_000)).await, None);
    }

    /// Before, names beyond 100,000 switched the limit off.
    #[tokio::test]
    async fn invented_names_neither_switch_the_limit_off_nor_displace_a_window() {
        let windows = alone(2);
        let (before, after) = (project("before"), project("after"));
        windows.count(&before, NOW).await.unwrap();
        for number in 0..400_000 {
            let _ = windows.count_invented(&project(&number.to_string()), NOW);
        }
        assert_eq!(windows.count(&before, NOW).await, Ok(0));
        assert_eq!(windows.count(&before, NOW).await, Err(OverBudget));
        assert_eq!([windows.count(&after, NOW).await, windows.count(&after, NOW).await], [Ok(1), Ok(0)]);
        assert_eq!(windows.count(&after, NOW).await, Err(OverBudget));
        assert_eq!(windows.lock().of.len(), 2);
    }

    #[tokio::test]
    async fn windows_that_are_over_take_no_memory() {
        let windows = alone(1);
        for number in 0..100 {
            windows.count(&project(&number.to_string()), NOW).await.unwrap();
        }
        windows.count(&project("0"), NOW.plus_millis(60_000)).await.unwrap();
        assert_eq!(windows.lock().of.len(), 1);
    }
}
