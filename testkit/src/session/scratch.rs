//! Projects whose request window may be used up: one check at a time has one, and it rests before the next.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::clock::DeploymentClock;
use crate::profile::Project;

/// A request window (§8), in milliseconds, and a second for what is rounded.
const REST: i64 = 61_000;

/// The projects, and the state of each in the same order.
#[derive(Debug)]
pub(crate) struct ScratchPool {
    projects: Vec<Project>,
    states: Mutex<Vec<State>>,
    clock: Arc<DeploymentClock>,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Rested,
    Taken,
    /// Given back then, by the deployment's clock in milliseconds.
    Tired(i64),
}

/// The result of a search for a project.
#[derive(Debug)]
pub(crate) enum ScratchSearch {
    /// One that nobody uses and that has rested.
    Free(ScratchProject),
    /// None has rested: the first will have after this time.
    Rests(Duration),
    /// Other checks have them all.
    Taken,
}

/// A project in the hand of one check, given back when this is dropped.
#[derive(Debug)]
pub struct ScratchProject {
    pool: Arc<ScratchPool>,
    place: usize,
}

impl ScratchPool {
    pub(crate) fn new(projects: Vec<Project>, clock: Arc<DeploymentClock>) -> Self {
        let states = Mutex::new(vec![State::Rested; projects.len()]);
        Self { projects, states, clock }
    }

    /// Looks for a project, and takes it where there is one.
    pub(crate) fn look(self: &Arc<Self>) -> ScratchSearch {
        let now = self.clock.now();
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        let left = |state: &State| match state {
            State::Rested => Some(0),
            State::Tired(since) => Some((since + REST - now).max(0)),
            State::Taken => None,
        };
        let soonest = states.iter().enumerate().filter_map(|(place, state)| Some((left(state)?, place))).min();
        match soonest {
            None => ScratchSearch::Taken,
            Some((0, place)) => {
                states[place] = State::Taken;
                ScratchSearch::Free(ScratchProject { pool: Arc::clone(self), place })
            }
            Some((left, _)) => ScratchSearch::Rests(Duration::from_millis(left.unsigned_abs())),
        }
    }
}

impl std::ops::Deref for ScratchProject {
    type Target = Project;

    fn deref(&self) -> &Project {
        &self.pool.projects[self.place]
    }
}

impl Drop for ScratchProject {
    fn drop(&mut self) {
        let now = self.pool.clock.now();
        self.pool.states.lock().unwrap_or_else(PoisonError::into_inner)[self.place] = State::Tired(now);
    }
}
