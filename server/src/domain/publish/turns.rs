//! Turns of publishing in one process. A workspace publishes one thing at a time, and few render ahead at once: each holds a
//! connection that reads while it takes another to write, and the more keys it has the more memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use l10n_api_types::WorkspaceId;
use tokio::sync::{Mutex as Queue, OwnedMutexGuard, OwnedSemaphorePermit, Semaphore};

/// The number of turns.
const TURNS: u32 = 4;
/// Turns that a large project takes: beside it a small one still has its own.
const LARGE_TURNS: u32 = 3;
/// Keys of a large project.
const LARGE: i64 = 100_000;

/// The turns of a process. Cheap to clone; all clones share them.
#[derive(Debug, Clone)]
pub struct PublishTurns {
    turns: Arc<Semaphore>,
    workspaces: Arc<Mutex<HashMap<WorkspaceId, Arc<Queue<()>>>>>,
}

/// Leave to publish, until it is dropped.
#[derive(Debug)]
pub struct Turn {
    /// `None` for a publish that needs none of the turns that all share.
    _turns: Option<OwnedSemaphorePermit>,
    _workspace: OwnedMutexGuard<()>,
}

impl Default for PublishTurns {
    fn default() -> Self {
        Self { turns: Arc::new(Semaphore::new(TURNS as usize)), workspaces: Arc::default() }
    }
}

impl PublishTurns {
    /// Waits for a turn of a project of this workspace that has `keys` keys.
    pub async fn take(&self, workspace: &WorkspaceId, keys: i64) -> Turn {
        let own = self.take_own(workspace).await;
        let wanted = if keys < LARGE { 1 } else { LARGE_TURNS };
        // It fails only when turns are no longer given, which never happens.
        Turn { _turns: Arc::clone(&self.turns).acquire_many_owned(wanted).await.ok(), ..own }
    }

    /// Waits for those of this workspace alone: for a publish that takes one connection and little memory.
    pub async fn take_own(&self, workspace: &WorkspaceId) -> Turn {
        let queue = {
            let mut workspaces = self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
            workspaces.retain(|_, queue| Arc::strong_count(queue) > 1);
            Arc::clone(workspaces.entry(workspace.clone()).or_default())
        };
        Turn { _turns: None, _workspace: queue.lock_owned().await }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_workspace_waits_for_itself_and_a_large_project_leaves_room_for_a_small_one() {
        let turns = PublishTurns::default();
        let large = turns.take(&"one".into(), LARGE).await;
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
}
