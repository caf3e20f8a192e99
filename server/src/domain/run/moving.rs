//! Moves what a run makes of keys that were there to its place, in short transactions after the one that makes it live.
//!
//! On SQLite every writer would wait for a transaction that changes 100,000 texts and what is stale with them. So the last
//! transaction of a run only notes that it is live, together with job, hold and receipt. From then on its changes are made
//! whatever happens: by a task of this process, else by the sweep, and after a kill before the next server takes its first
//! request. Meanwhile the run keeps the turn of its project, its job does not begin, `lock::project_to_change` refuses other
//! processes, and a publish waits; who reads keys may find some of them with their former texts. The commit returns once all
//! is in its place, so that who asked for the run finds it. On PostgreSQL a long transaction holds its own project alone, and
//! makes all changes itself.

use std::sync::Arc;

use l10n_api_types::ProjectId;
use l10n_api_types::translations::Run;
use tokio::sync::oneshot;

use super::free::{ItemFilter, copies, remembered};
use super::gather::Gathered;
use super::{RunContext, imported};
use crate::domain::ServiceError;
use crate::signal::Signal;
use crate::store::engine::DatabaseKind;
use crate::store::staged_runs::{self, StagedRun};
use crate::store::{HeldTurn, Store, Tx};

/// Returns whether a run moves what it makes of keys that were there after it is live.
pub(super) fn is_worth_it(cx: &RunContext<'_>, gathered: &Gathered, changes_keys: bool) -> bool {
    let brings = |work| !remembered(gathered, work, ItemFilter::Others).is_empty();
    cx.parts.store.engine() == DatabaseKind::Sqlite
        && (changes_keys || gathered.work.iter().any(brings) || !copies(gathered, ItemFilter::Others).is_empty())
}

/// Ends a run's last transaction: its commit lets `moved` move, and without a run it leaves nothing.
pub(super) async fn settle(
    mut tx: Tx,
    cx: &RunContext<'_>,
    outcome: Result<Option<Run>, ServiceError>,
    moved: Option<&StagedRun>,
) -> Result<Option<(Tx, Run)>, ServiceError> {
    let Ok(Some(run)) = outcome else {
        // Before the staged rows are discarded, which needs the writer.
        tx.rollback().await?;
        return outcome.map(|_| None);
    };
    if let Some(moved) = moved {
        begin_after(&mut tx, cx, moved);
    }
    Ok(Some((tx, run)))
}

/// Lets the commit of a run's last transaction begin the moving, and wait for its end.
fn begin_after(tx: &mut Tx, cx: &RunContext<'_>, run: &StagedRun) {
    let (ended, end) = oneshot::channel();
    let mover = Mover {
        store: cx.parts.store.clone(),
        run: run.clone(),
        turn: cx.turn.clone(),
        work_queued: cx.parts.work_queued.clone(),
        ended: Some(ended),
    };
    tx.after_commit(move || drop(mover));
    tx.commit_waits_for(async move {
        // Without an answer the task has failed: the sweep goes on.
        let _ = end.await;
    });
}

/// Begins to move when it is dropped: nobody may wait for the answer to the commit any more, and it may have succeeded all the
/// same. After a rollback there is nothing to move.
struct Mover {
    store: Store,
    run: StagedRun,
    turn: Option<Arc<HeldTurn>>,
    work_queued: Signal,
    ended: Option<oneshot::Sender<()>>,
}

impl Drop for Mover {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (store, run, work_queued) = (self.store.clone(), self.run.clone(), self.work_queued.clone());
        let (turn, ended) = (self.turn.take(), self.ended.take());
        runtime.spawn(async move {
            if let Err(error) = move_all(&store, &run, Some(&work_queued)).await {
                tracing::warn!(?error, "an interrupted run is only partly applied; the sweep finishes it");
            }
            drop(turn);
            ended.map(|ended| ended.send(()))
        });
    }
}

/// Moves all that is left of a run, unless it is not live. Several may do so at once.
pub(super) async fn move_all(store: &Store, run: &StagedRun, work_queued: Option<&Signal>) -> Result<(), ServiceError> {
    let mut is_more = true;
    while is_more {
        let mut tx = store.begin_background_write().await?;
        is_more = staged_runs::is_live(&mut tx, run).await? && move_some(&mut tx, run).await?;
        if let Some(signal) = work_queued.filter(|_| !is_more) {
            signal.wake_one_after(&mut tx);
        }
        tx.commit().await?;
    }
    Ok(())
}

async fn move_some(tx: &mut Tx, run: &StagedRun) -> Result<bool, ServiceError> {
    Ok((run.imports && imported::move_some(tx, run).await?) || staged_runs::move_some(tx, run).await?)
}

/// Moves what runs have left to move whose server was killed, before this one's first request.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub(crate) async fn finish_moving(store: &Store) -> Result<(), ServiceError> {
    loop {
        let mut tx = store.begin_read().await?;
        let found = staged_runs::oldest_moving(&mut tx).await?;
        tx.rollback().await?;
        let Some(run) = found else { return Ok(()) };
        move_all(store, &run, None).await?;
    }
}

/// A transaction that cannot write and sees no part of a run without the rest.
///
/// # Errors
///
/// [`StoreError::Moving`](crate::store::StoreError::Moving) when a run of the project could not be moved as a whole.
pub(crate) async fn begin_read_whole(store: &Store, project: &ProjectId) -> Result<Tx, ServiceError> {
    let mut tx = store.begin_read().await?;
    if !staged_runs::is_moving(&mut tx, project).await? {
        return Ok(tx);
    }
    tx.rollback().await?;
    drop(store.hold_turn(project).await?);
    let mut tx = store.begin_read().await?;
    staged_runs::check_moved(&mut tx, project).await?;
    Ok(tx)
}
