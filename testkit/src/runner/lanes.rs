//! Lanes: projects in which one check works at a time.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::outcome::{NotRun, Stop};
use crate::profile::Project;

/// A project in which one check works at a time.
#[derive(Debug)]
pub(crate) struct Lane {
    project: Project,
    publishes: AtomicU32,
    seeded: AtomicBool,
    turn: Arc<Mutex<()>>,
}

impl Lane {
    pub(crate) fn new(project: Project, publishes: u32) -> Arc<Self> {
        let (publishes, seeded) = (AtomicU32::new(publishes), AtomicBool::new(false));
        Arc::new(Self { project, publishes, seeded, turn: Arc::default() })
    }

    /// Takes the lane, when it is free.
    pub(crate) async fn take(self: &Arc<Self>) -> LaneHold {
        let turn = Arc::clone(&self.turn).lock_owned().await;
        LaneHold { lane: Arc::clone(self), turn: Mutex::new(Some(turn)) }
    }
}

/// A lane in the hand of a check.
#[derive(Debug)]
pub(crate) struct LaneHold {
    lane: Arc<Lane>,
    turn: Mutex<Option<OwnedMutexGuard<()>>>,
}

impl LaneHold {
    pub(crate) fn project(&self) -> &Project {
        &self.lane.project
    }

    /// Lets other checks into the lane while `wait` runs.
    pub(crate) async fn parked<T>(&self, wait: impl Future<Output = T>) -> T {
        let mut turn = self.turn.lock().await;
        drop(turn.take());
        let done = wait.await;
        *turn = Some(Arc::clone(&self.lane.turn).lock_owned().await);
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
        let spent = || NotRun::Budget(format!("the run's publishes in {} are spent", self.lane.project.id));
        left.map(|_| ()).map_err(|_| Stop::NotRun(spent()))
    }
}
