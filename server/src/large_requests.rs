//! Turns for large requests. A large request takes many times its body in memory, so that only some run at a time. The
//! others wait, workspace by workspace, and hold no more than their bodies meanwhile.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use l10n_api_types::WorkspaceId;
use tokio::sync::oneshot;
use tokio::time::timeout;

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
    queue: TurnQueue<WorkspaceId, oneshot::Sender<LargeRequestPermit>>,
}

/// A turn. It goes to the next when it is dropped.
pub struct LargeRequestPermit(Option<LargeRequestLimiter>);

impl LargeRequestLimiter {
    /// Turns for `at_once` requests, and places for `waiting` others.
    #[must_use]
    pub fn new(at_once: u32, waiting: u32) -> Self {
        Self { state: Arc::default(), at_once: at_once as usize, waiting: waiting as usize }
    }

    /// Waits for a turn of a workspace; `None` when too many wait, or the wait takes too long. One workspace takes at most
    /// half of the places.
    pub async fn take(&self, workspace: &WorkspaceId) -> Option<LargeRequestPermit> {
        let turn = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.running < self.at_once {
                state.running += 1;
                return Some(LargeRequestPermit(Some(self.clone())));
            }
            state.enqueue(workspace, self.waiting)?
        };
        timeout(QUEUE_TIMEOUT, turn).await.ok()?.ok()
    }

    /// The number of waiting requests.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).waiting()
    }

    fn pass_on(&self) {
        loop {
            let next = {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                let next = state.queue.pop();
                if next.is_none() {
                    state.running -= 1;
                }
                next
            };
            let Some(next) = next else { return };
            match next.send(LargeRequestPermit(Some(self.clone()))) {
                Ok(()) => return,
                // The request that waited is gone.
                Err(mut turn) => drop(turn.0.take()),
            }
        }
    }
}

impl State {
    fn waiting(&self) -> usize {
        self.queue.iter().filter(|turn| !turn.is_closed()).count()
    }

    fn enqueue(&mut self, workspace: &WorkspaceId, places: usize) -> Option<oneshot::Receiver<LargeRequestPermit>> {
        self.queue.retain(|turn| !turn.is_closed());
        if self.waiting() >= places || self.queue.count_of(workspace) >= places.div_ceil(2) {
            return None;
        }
        let (sender, receiver) = oneshot::channel();
        self.queue.push(workspace, sender);
        Some(receiver)
    }
}

impl Drop for LargeRequestPermit {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
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
        let (before, own) = (turns.waiting(), turns.clone());
        let task = tokio::spawn(async move { own.take(&workspace.into()).await });
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
        let _others = (wait(&turns, "b").await, wait(&turns, "b").await);
        assert_eq!(turns.waiting(), 4);
        assert!(turns.take(&"c".into()).await.is_none(), "all places are taken");
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
