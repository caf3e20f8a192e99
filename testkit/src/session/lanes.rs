//! Lanes: projects in which one check works at a time.

use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tokio::sync::{Mutex, Notify, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

use super::pacer::Pacer;
use crate::outcome::{NotRun, Stop};
use crate::profile::Project;

/// A project has this many webhooks at most (§8).
pub(crate) const SLOTS: usize = 5;

/// The webhooks and publishes that a check takes of its lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demand {
    /// Webhooks that it holds at once.
    pub(crate) slots: usize,
    /// Publishes and restores that it spends.
    pub(crate) publishes: u32,
}

/// A project in which one check works at a time.
#[derive(Debug)]
struct Lane {
    project: Project,
    /// Publishes that the run may still spend here.
    publishes: AtomicU32,
    /// Those of them that checks under way may spend.
    reserved: AtomicU32,
    /// Webhooks that it has room for, also while a check is parked.
    slots: Arc<Semaphore>,
    most_slots: usize,
    seeded: AtomicBool,
    turn: Arc<Mutex<()>>,
}

/// All lanes of a run.
#[derive(Debug)]
pub(crate) struct Lanes {
    all: Vec<Arc<Lane>>,
    publishes: u32,
    jobs: Arc<Semaphore>,
    freed: Arc<Notify>,
}

impl Lanes {
    /// `foreign` webhooks occupy slots; `publishes` may be spent in each; `jobs` checks work at once.
    pub(crate) fn new(
        projects: &[Project],
        foreign: &HashMap<String, usize>,
        publishes: u32,
        jobs: Option<usize>,
    ) -> Self {
        let lane = |project: &Project| {
            let most_slots = SLOTS.saturating_sub(foreign.get(&project.id).copied().unwrap_or(0));
            Arc::new(Lane {
                project: project.clone(),
                publishes: AtomicU32::new(publishes),
                reserved: AtomicU32::new(0),
                slots: Arc::new(Semaphore::new(most_slots)),
                most_slots,
                seeded: AtomicBool::new(false),
                turn: Arc::default(),
            })
        };
        let all: Vec<_> = projects.iter().map(lane).collect();
        let jobs = Arc::new(Semaphore::new(jobs.unwrap_or(all.len()).max(1)));
        Self { all, publishes, jobs, freed: Arc::default() }
    }

    /// Takes a lane that is free and has room for such a demand, where there is one.
    pub(crate) fn try_take(&self, demand: Demand, pacer: &Pacer) -> Option<LaneHold> {
        let job = Arc::clone(&self.jobs).try_acquire_owned().ok()?;
        let mut fitting: Vec<_> = self
            .all
            .iter()
            .filter(|lane| lane.slots.available_permits() >= demand.slots)
            .filter(|lane| lane.free_publishes() >= demand.publishes)
            .collect();
        // One whose minute is half spent is left alone as long as there are others, even if those have to be waited for: a
        // check that comes to its end waits until the minute has passed.
        let tired = |lane: &&Arc<Lane>| pacer.is_tired(&lane.project.id);
        if !fitting.iter().all(tired) {
            fitting.retain(|lane| !tired(lane));
        }
        // For what makes webhooks the fullest lane that has room, so that the emptiest stay whole for checks that need all
        // slots; publishes and requests are spent evenly.
        fitting.sort_by_cached_key(|lane| {
            let slots = if demand.slots > 0 { lane.slots.available_permits() } else { 0 };
            let publishes = if demand.publishes > 0 { lane.free_publishes() } else { 0 };
            (slots, std::cmp::Reverse(publishes), pacer.sent(&lane.project.id))
        });
        let (lane, turn) =
            fitting.into_iter().find_map(|lane| Some((lane, Arc::clone(&lane.turn).try_lock_owned().ok()?)))?;
        let slots = Arc::clone(&lane.slots).try_acquire_many_owned(u32::try_from(demand.slots).ok()?).ok()?;
        lane.reserved.fetch_add(demand.publishes, Ordering::SeqCst);
        Some(LaneHold {
            lane: Arc::clone(lane),
            seat: Mutex::new(Some((turn, job))),
            slots: Some(slots),
            reserved: AtomicU32::new(demand.publishes),
            jobs: Arc::clone(&self.jobs),
            freed: Arc::clone(&self.freed),
        })
    }

    /// The reason why no lane will ever have room for the check.
    pub(crate) fn never(&self, demand: Demand) -> Option<NotRun> {
        let most_slots = self.all.iter().map(|lane| lane.most_slots).max().unwrap_or(0);
        if demand.slots > most_slots {
            let foreign = SLOTS - most_slots;
            let needs = demand.slots;
            return Some(NotRun::Slots(format!(
                "it needs {needs} webhooks, but others use {foreign} of the {SLOTS} of each project"
            )));
        }
        let most = self.all.iter().map(|lane| lane.publishes.load(Ordering::SeqCst)).max().unwrap_or(0);
        (demand.publishes > most).then(|| {
            let needs = demand.publishes;
            NotRun::Budget(format!("it needs {needs} publishes, but {most} remain in a project: see --publishes"))
        })
    }

    /// Ends when a lane may have become free.
    pub(crate) async fn freed(&self) {
        self.freed.notified().await;
    }

    /// Publishes that were spent, by project.
    pub(crate) fn spent(&self) -> Vec<(String, u32)> {
        let of = |lane: &Arc<Lane>| self.publishes - lane.publishes.load(Ordering::SeqCst);
        self.all.iter().map(|lane| (lane.project.id.clone(), of(lane))).collect()
    }
}

impl Lane {
    fn free_publishes(&self) -> u32 {
        self.publishes.load(Ordering::SeqCst).saturating_sub(self.reserved.load(Ordering::SeqCst))
    }
}

/// A lane in the hand of a check.
#[derive(Debug)]
pub(crate) struct LaneHold {
    lane: Arc<Lane>,
    seat: Mutex<Option<(OwnedMutexGuard<()>, OwnedSemaphorePermit)>>,
    slots: Option<OwnedSemaphorePermit>,
    reserved: AtomicU32,
    jobs: Arc<Semaphore>,
    freed: Arc<Notify>,
}

impl LaneHold {
    pub(crate) fn project(&self) -> &Project {
        &self.lane.project
    }

    /// Lets other checks into the lane while `wait` runs.
    pub(crate) async fn parked<T>(&self, wait: impl Future<Output = T>) -> T {
        let mut seat = self.seat.lock().await;
        drop(seat.take());
        self.freed.notify_one();
        let done = wait.await;
        let turn = Arc::clone(&self.lane.turn).lock_owned().await;
        // The semaphore is never closed.
        if let Ok(job) = Arc::clone(&self.jobs).acquire_owned().await {
            *seat = Some((turn, job));
        }
        done
    }

    pub(crate) fn is_seeded(&self) -> bool {
        self.lane.seeded.load(Ordering::SeqCst)
    }

    pub(crate) fn seeded(&self) {
        self.lane.seeded.store(true, Ordering::SeqCst);
    }

    /// Counts a publish or restore against what the run may spend.
    pub(crate) fn spend_publish(&self) -> Result<(), Stop> {
        let left = self.lane.publishes.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        let spent =
            || NotRun::Budget(format!("the run's publishes in {} are spent: see --publishes", self.lane.project.id));
        left.map_err(|_| Stop::NotRun(spent()))?;
        let mine = self.reserved.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |mine| mine.checked_sub(1));
        if mine.is_ok() {
            self.lane.reserved.fetch_sub(1, Ordering::SeqCst);
        }
        Ok(())
    }
}

impl Drop for LaneHold {
    fn drop(&mut self) {
        self.lane.reserved.fetch_sub(self.reserved.load(Ordering::SeqCst), Ordering::SeqCst);
        // Before anybody is told, so that who comes finds the lane free.
        drop(self.seat.get_mut().take());
        drop(self.slots.take());
        self.freed.notify_one();
    }
}
