//! Turns for large requests. A large request takes many times its body in memory, so that only some run at a time. The
//! others wait, workspace by workspace, and hold no more than their bodies meanwhile.
//!
//! Large requests of one project run one after the other: they wait for each other in any case, and whoever waits so needs no
//! turn.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use l10n_api_types::{ProjectId, WorkspaceId};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::fair_places::is_within_share;
use crate::turn_queue::TurnQueue;

/// Bodies of more bytes are large requests.
pub(crate) const LARGE_BODY: usize = 64 * 1024;
/// Time that a request waits for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(60);

/// The requests that have a turn or wait for one. Clones share it.
#[derive(Clone)]
pub struct LargeRequestLimiter {
    state: Arc<Mutex<State>>,
    at_once: usize,
    waiting: usize,
}

#[derive(Default)]
struct State {
    running: usize,
    /// The projects of those that are running.
    projects: HashSet<ProjectId>,
    queue: TurnQueue<WorkspaceId, WaitingRequest>,
}

struct WaitingRequest {
    /// None for one that may run beside others of its project.
    project: Option<ProjectId>,
    turn: oneshot::Sender<LargeRequestPermit>,
}

/// A turn. It goes to the next when it is dropped.
pub struct LargeRequestPermit {
    /// None for one that has been passed on.
    turns: Option<LargeRequestLimiter>,
    project: Option<ProjectId>,
}

impl LargeRequestLimiter {
    /// Turns for `at_once` requests, and places for `waiting` others.
    #[must_use]
    pub fn new(at_once: u32, waiting: u32) -> Self {
        Self { state: Arc::default(), at_once: at_once as usize, waiting: waiting as usize }
    }

    /// Waits for a turn of a workspace; `None` when too many wait, or the wait takes too long. One workspace has at most half of
    /// the places that others leave.
    pub async fn take(&self, workspace: &WorkspaceId) -> Option<LargeRequestPermit> {
        self.take_for(workspace, None).await
    }

    /// The same for a request that changes a project: no other such request of the project has a turn meanwhile.
    pub async fn take_in(&self, workspace: &WorkspaceId, project: &ProjectId) -> Option<LargeRequestPermit> {
        self.take_for(workspace, Some(project.clone())).await
    }

    async fn take_for(&self, workspace: &WorkspaceId, project: Option<ProjectId>) -> Option<LargeRequestPermit> {
        let turn = {
            let mut state = self.lock();
            if state.running < self.at_once && state.may_run(project.as_ref()) {
                return Some(self.begin(&mut state, project));
            }
            state.enqueue(workspace, project, self.waiting)?
        };
        timeout(QUEUE_TIMEOUT, turn).await.ok()?.ok()
    }

    /// The number of waiting requests.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.lock().waiting()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, state: &mut State, project: Option<ProjectId>) -> LargeRequestPermit {
        state.running += 1;
        state.projects.extend(project.clone());
        LargeRequestPermit { turns: Some(self.clone()), project }
    }

    fn pass_on(&self, ended: Option<&ProjectId>) {
        let mut state = self.lock();
        state.end(ended);
        while state.running < self.at_once {
            let State { queue, projects, .. } = &mut *state;
            let next = queue.pop_first(|next| next.project.as_ref().is_none_or(|project| !projects.contains(project)));
            let Some(WaitingRequest { project, turn }) = next else { return };
            let permit = self.begin(&mut state, project);
            if let Err(mut unwanted) = turn.send(permit) {
                // The request that waited is gone.
                unwanted.turns = None;
                state.end(unwanted.project.as_ref());
            }
        }
    }
}

impl State {
    fn may_run(&self, project: Option<&ProjectId>) -> bool {
        project.is_none_or(|project| !self.projects.contains(project))
    }

    fn end(&mut self, project: Option<&ProjectId>) {
        self.running -= 1;
        if let Some(project) = project {
            self.projects.remove(project);
        }
    }

    fn waiting(&self) -> usize {
        self.queue.iter().filter(|waiting| !waiting.turn.is_closed()).count()
    }

    fn enqueue(
        &mut self,
        workspace: &WorkspaceId,
        project: Option<ProjectId>,
        places: usize,
    ) -> Option<oneshot::Receiver<LargeRequestPermit>> {
        self.queue.retain(|waiting| !waiting.turn.is_closed());
        let own = self.queue.count_of(workspace);
        if !is_within_share(places, self.queue.iter().count() - own, own) {
            return None;
        }
        let (turn, receiver) = oneshot::channel();
        self.queue.push(workspace, WaitingRequest { project, turn });
        Some(receiver)
    }
}

impl Drop for LargeRequestPermit {
    fn drop(&mut self) {
        if let Some(turns) = self.turns.take() {
            turns.pass_on(self.project.as_ref());
        }
    }
}

impl std::fmt::Debug for LargeRequestLimiter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LargeRequestLimiter")
            .field("at_once", &self.at_once)
            .field("waiting", &self.waiting())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Begins to wait, and lets it come to stand in the queue.
    async fn wait(
        turns: &LargeRequestLimiter,
        workspace: &'static str,
    ) -> tokio::task::JoinHandle<Option<LargeRequestPermit>> {
        wait_for(turns, workspace, None).await
    }

    async fn wait_for(
        turns: &LargeRequestLimiter,
        workspace: &'static str,
        project: Option<&'static str>,
    ) -> tokio::task::JoinHandle<Option<LargeRequestPermit>> {
        let (before, own) = (turns.waiting(), turns.clone());
        let task = tokio::spawn(async move { own.take_for(&workspace.into(), project.map(ProjectId::from)).await });
        while turns.waiting() == before && !task.is_finished() {
            tokio::task::yield_now().await;
        }
        task
    }

    #[tokio::test]
    async fn workspaces_take_turns_whoever_came_first() {
        let turns = LargeRequestLimiter::new(1, 8);
        let first = turns.take(&"a".into()).await.unwrap();
        let (second, third, other) = (wait(&turns, "a").await, wait(&turns, "a").await, wait(&turns, "b").await);
        drop(first);
        let second = second.await.unwrap().unwrap();
        assert!(!third.is_finished() && !other.is_finished());
        drop(second);
        let other = other.await.unwrap().unwrap();
        assert!(!third.is_finished(), "the other workspace came before its third");
        drop(other);
        drop(third.await.unwrap().unwrap());
        assert!(turns.take(&"a".into()).await.is_some());
    }

    #[tokio::test]
    async fn beyond_its_half_of_the_places_a_workspace_is_refused_and_another_is_not() {
        let turns = LargeRequestLimiter::new(1, 4);
        let _first = turns.take(&"a".into()).await.unwrap();
        let _waiting = (wait(&turns, "a").await, wait(&turns, "a").await);
        assert!(turns.take(&"a".into()).await.is_none());
        let _other = wait(&turns, "b").await;
        assert!(turns.take(&"b".into()).await.is_none(), "half of what the first leaves");
        let _third = wait(&turns, "c").await;
        assert_eq!(turns.waiting(), 4);
        assert!(turns.take(&"d".into()).await.is_none(), "all places are taken");
    }

    /// Before, the second held the other turn while it waited for the first.
    #[tokio::test]
    async fn large_requests_of_one_project_take_one_turn_and_leave_the_other_to_others() {
        let turns = LargeRequestLimiter::new(2, 8);
        let first = turns.take_in(&"a".into(), &"p".into()).await.unwrap();
        let (second, third) = (wait_for(&turns, "a", Some("p")).await, wait_for(&turns, "b", Some("p")).await);
        let other = turns.take_in(&"c".into(), &"q".into()).await.unwrap();
        let fourth = wait_for(&turns, "c", Some("q")).await;
        assert_eq!(turns.waiting(), 3);
        drop(first);
        let second = second.await.unwrap().unwrap();
        drop(other);
        let fourth = fourth.await.unwrap().unwrap();
        assert!(!third.is_finished() && turns.waiting() == 1);
        drop(fourth);
        drop(turns.take(&"d".into()).await.unwrap());
        drop(second);
        drop(third.await.unwrap().unwrap());
        let state = turns.lock();
        assert_eq!((state.running, state.projects.len()), (0, 0));
    }

    #[tokio::test]
    async fn who_goes_away_takes_no_turn_along() {
        let turns = LargeRequestLimiter::new(1, 4);
        let first = turns.take(&"a".into()).await.unwrap();
        let (gone, stays) = (wait(&turns, "a").await, wait(&turns, "b").await);
        gone.abort();
        let _ = gone.await;
        drop(first);
        drop(stays.await.unwrap().unwrap());
        assert!(turns.take(&"a".into()).await.is_some());
        assert_eq!(turns.waiting(), 0);
    }
}
