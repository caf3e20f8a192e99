//! Turns of publishing in one process. A workspace publishes one thing at a time, and few render ahead at once: each holds a
//! connection that reads while it takes another to write, and the more keys it has the more memory.

use std::collections::HashMap;
use std::iter::repeat_n;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use l10n_api_types::WorkspaceId;
use tokio::sync::{Mutex as Queue, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::domain::ServiceError;

/// The number of turns.
const TURNS: usize = 4;
/// Turns that a large project takes: beside it a small one still has its own.
const LARGE_TURNS: usize = 3;
/// Keys of a large project.
const LARGE: i64 = 100_000;

/// Time in line after which a publish is given up.
const PUBLISH_QUEUE_TIMEOUT: Duration = Duration::from_secs(60);
/// The same of a comparison or a price, for which a person looks at an empty page.
const COMPARISON_QUEUE_TIMEOUT: Duration = Duration::from_secs(10);

/// The turns of a process. Cheap to clone; all clones share them.
#[derive(Debug, Clone)]
pub struct PublishLimiter {
    turns: Arc<Semaphore>,
    /// The line of the large projects. They wait here, so that none stands before a small one.
    large: Arc<Semaphore>,
    workspaces: Arc<Mutex<HashMap<WorkspaceId, Arc<Queue<()>>>>>,
    patience: Duration,
    /// The message for who waits in vain.
    busy: &'static str,
}

/// Leave to publish, until it is dropped.
#[derive(Debug)]
pub struct PublishPermit {
    /// None for a publish that needs none of the turns that all share.
    _turns: Vec<OwnedSemaphorePermit>,
    _workspace: OwnedMutexGuard<()>,
}

impl PublishLimiter {
    /// Turns of publishing.
    pub(crate) fn of_publishes() -> Self {
        Self::new(
            PUBLISH_QUEUE_TIMEOUT,
            "other publishes are still running, so nothing was published; try again in a moment",
        )
    }

    /// Turns of comparing versions, of previews and of pricing what a person may start.
    pub(crate) fn of_comparisons() -> Self {
        Self::new(COMPARISON_QUEUE_TIMEOUT, "other comparisons are still running; try again in a moment")
    }

    fn new(patience: Duration, busy: &'static str) -> Self {
        let (turns, large) = (Arc::new(Semaphore::new(TURNS)), Arc::new(Semaphore::new(1)));
        Self { turns, large, workspaces: Arc::default(), patience, busy }
    }

    /// Waits for a turn of a project of this workspace that has `keys` keys.
    ///
    /// # Errors
    ///
    /// 503 where others take too long.
    pub async fn take(&self, workspace: &WorkspaceId, keys: i64) -> Result<PublishPermit, ServiceError> {
        self.in_time(async {
            let own = self.queue_up(workspace).await;
            PublishPermit { _turns: self.shared(keys).await, ..own }
        })
        .await
    }

    /// Waits for those of this workspace alone: for a publish that takes one connection and little memory.
    ///
    /// # Errors
    ///
    /// 503 where others of the workspace take too long.
    pub async fn take_own(&self, workspace: &WorkspaceId) -> Result<PublishPermit, ServiceError> {
        self.in_time(self.queue_up(workspace)).await
    }

    async fn in_time(&self, turn: impl Future<Output = PublishPermit>) -> Result<PublishPermit, ServiceError> {
        timeout(self.patience, turn).await.map_err(|_| ServiceError::Busy(self.busy.to_owned()))
    }

    async fn queue_up(&self, workspace: &WorkspaceId) -> PublishPermit {
        let queue = {
            let mut workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
            workspaces.retain(|_, queue| Arc::strong_count(queue) > 1);
            Arc::clone(workspaces.entry(workspace.clone()).or_default())
        };
        PublishPermit { _turns: Vec::new(), _workspace: queue.lock_owned().await }
    }

    /// Turns of those that all share. A large project gets them one by one: small ones go on in between.
    async fn shared(&self, keys: i64) -> Vec<OwnedSemaphorePermit> {
        let (line, number) = if keys < LARGE { (None, 1) } else { (Some(&self.large), LARGE_TURNS) };
        let mut turns = Vec::new();
        for one in line.into_iter().chain(repeat_n(&self.turns, number)) {
            // It fails only when turns are no longer given, which never happens.
            turns.extend(Arc::clone(one).acquire_owned().await);
        }
        turns
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_workspace_waits_for_itself_and_a_large_project_leaves_room_for_a_small_one() {
        let turns = PublishLimiter::of_publishes();
        let large = turns.take(&"one".into(), LARGE).await.unwrap();
        assert!(turns.take(&"one".into(), 1).now_or_never().is_none(), "one at a time");
        let small = turns.take(&"two".into(), 1).now_or_never();
        assert!(small.is_some(), "others need not wait");
        assert!(turns.take(&"three".into(), LARGE).now_or_never().is_none(), "one large project at a time");
        assert!(turns.take_own(&"two".into()).now_or_never().is_none(), "one at a time");
        let others = [turns.take_own(&"three".into()).now_or_never(), turns.take_own(&"four".into()).now_or_never()];
        assert!(others.iter().all(Option::is_some), "they take none of the turns");
        drop((large, small, others));
        for workspace in ["one", "two", "three", "four"] {
            assert!(turns.take(&workspace.into(), 1).now_or_never().is_some());
        }
        assert!(turns.workspaces.lock().unwrap().len() <= 2, "workspaces that are done are forgotten");
    }

    #[tokio::test]
    async fn a_large_project_that_waits_stands_before_no_small_one() {
        let turns = PublishLimiter::of_publishes();
        let (two, three, four) = ("two".into(), "three".into(), "four".into());
        let first = turns.take(&"one".into(), LARGE).await.unwrap();
        let mut second = pin!(turns.take(&two, LARGE));
        let mut third = pin!(turns.take(&three, LARGE));
        assert!(second.as_mut().now_or_never().is_none() && third.as_mut().now_or_never().is_none());
        let small = turns.take(&four, 1).now_or_never();
        assert!(small.is_some(), "while two large ones wait");
        drop(first);
        let second = second.await.unwrap();
        assert!(third.as_mut().now_or_never().is_none());
        drop((second, small));
        third.await.unwrap();
    }

    #[tokio::test]
    async fn who_waits_too_long_is_told_to_come_again_and_leaves_the_line() {
        let turns = PublishLimiter { patience: Duration::from_millis(1), ..PublishLimiter::of_publishes() };
        let large = turns.take(&"one".into(), LARGE).await.unwrap();
        let small = turns.take(&"two".into(), 1).await.unwrap();
        for (workspace, keys) in [("one", 1), ("three", LARGE), ("four", 1)] {
            assert!(matches!(turns.take(&workspace.into(), keys).await, Err(ServiceError::Busy(_))), "{workspace}");
        }
        assert!(matches!(turns.take_own(&"one".into()).await, Err(ServiceError::Busy(_))));
        drop((large, small));
        drop(turns.take(&"three".into(), LARGE).await.unwrap());
        assert_eq!((turns.turns.available_permits(), turns.large.available_permits()), (TURNS, 1));
    }
}
