//! Writes a large run ahead, in short transactions that others need not wait for. Nobody reads these rows before the
//! run's last transaction makes them live; when the run dies before, they are swept.

use l10n_api_types::TrackingToken;

use super::free::{COPIES, FreeWriter, ItemFilter, WriteTarget, WrittenCounts, copies, remembered};
use super::gather::{BATCH, Gathered, RunInput};
use super::land::{KeyChange, KeyChanges, archived, ids, left};
use super::moving;
use super::queue::{ChunkWriter, insert_job};
use super::{RunContext, answer};
use crate::clock::Timestamp;
use crate::compute::compute;
use crate::domain::ServiceError;
use crate::ids::{IdKind, new_id};
use crate::store::engine::DatabaseKind;
use crate::store::keys::{self, NewKey};
use crate::store::staged_changes::{self, ChangeTotals, StagedKey};
use crate::store::staged_runs::{self, StagedRun, StagedRunStatus, StagedTotals};
use crate::store::{Store, StoreError, Tx, lock};

/// Keys of one transaction. On SQLite every writer waits for it.
const KEYS: usize = 100;
/// Slots of one transaction, each with the items of a chunk.
const SLOTS: usize = 4;
/// Runs that write no more of anything than this are not staged.
const FEW: usize = 2_000;
/// After so long no run can land any more, in milliseconds: a write is given up 10 minutes after its beginning.
const DEAD_AFTER: i64 = 15 * 60 * 1_000;

/// A run that is staged.
pub(super) struct Staged {
    pub run: StagedRun,
    /// The id of every item.
    pub ids: Vec<String>,
    /// The run's effects on keys.
    pub keys: KeyChanges,
    /// Translations of new keys.
    pub translations: WrittenCounts,
    /// Translations that other keys get once it is live, where it moves later.
    pub brought: WrittenCounts,
    /// True if what it makes of keys that are there is moved to its place after it is live.
    pub moves_later: bool,
    new: u64,
    changes: ChangeTotals,
}

impl Staged {
    /// The number of keys that it archives.
    pub(super) fn archived(&self) -> i64 {
        i64::try_from(self.changes.archives).unwrap_or(i64::MAX)
    }

    /// Makes it live; `false` when it was given up meanwhile, or another run went before it.
    pub(super) async fn go_live(&self, tx: &mut Tx, with_job: bool) -> Result<bool, ServiceError> {
        let whole = StagedTotals {
            keys: self.new,
            changes: self.changes,
            translations: &self.translations,
            moves_later: self.moves_later,
            with_job,
        };
        Ok(staged_runs::go_live(tx, &self.run, whole).await?)
    }
}

/// Returns whether a run writes so much that it is staged.
pub(super) fn is_worth_it(input: &RunInput, gathered: &Gathered) -> bool {
    let free: usize = gathered.work.iter().map(|work| work.remembered.len()).sum();
    // That nothing but their place changes is known later: it costs the same.
    input.incoming.len() > FEW
        || gathered.queued() > FEW
        || free > FEW
        || answer::archived(input, gathered) > FEW as u64
}

/// A run under way. If it is dropped before it has landed, its rows are deleted: its client is gone.
pub(super) struct StagedRunGuard<'a> {
    store: &'a Store,
    run: Option<StagedRun>,
}

impl<'a> StagedRunGuard<'a> {
    pub(super) fn of(store: &'a Store, run: &StagedRun) -> Self {
        Self { store, run: Some(run.clone()) }
    }

    /// Ends with the run's last transaction: where it has landed, it has all of the rows.
    pub(super) async fn end(mut self, has_landed: bool) {
        if has_landed {
            self.run = None;
        } else {
            self.discard().await;
        }
    }

    /// Deletes the run's rows. If that fails, the sweep does it later.
    pub(super) async fn discard(mut self) {
        if let Some(run) = self.run.take() {
            discard(self.store, &run).await;
        }
    }
}

impl Drop for StagedRunGuard<'_> {
    fn drop(&mut self) {
        if let (Some(run), Ok(runtime)) = (self.run.take(), tokio::runtime::Handle::try_current()) {
            let store = self.store.clone();
            runtime.spawn(async move { discard(&store, &run).await });
        }
    }
}

/// Stages the keys of a run, the translations of new ones, and the chunks of its job. `None` when another one goes before it.
pub(super) async fn stage<'a>(
    cx: &RunContext<'a>,
    input: &RunInput,
    gathered: &Gathered,
) -> Result<Option<(Staged, StagedRunGuard<'a>)>, ServiceError> {
    let ids = compute(true, || ids(cx, input, gathered));
    let mut keys = KeyChanges::default();
    let (mut new, mut changed) = (Vec::new(), Vec::new());
    compute(true, || {
        for (at, id) in ids.iter().enumerate() {
            match keys.note(cx, input, gathered, at, id) {
                Some((row, KeyChange::New)) => new.push(row),
                Some((key, change @ (KeyChange::Changed | KeyChange::Moved))) => {
                    changed.push(StagedKey { key, only_moves: change == KeyChange::Moved });
                }
                Some((_, KeyChange::Same)) | None => {}
            }
        }
    });
    let id = |row: Option<&NewKey<'_>>| row.map(|row| row.id.to_owned()).unwrap_or_default();
    let token = TrackingToken::new(new_id(IdKind::TrackingToken, cx.now));
    let run = StagedRun {
        first_key: id(new.iter().min_by_key(|row| row.id)),
        last_key: id(new.iter().max_by_key(|row| row.id)),
        ..StagedRun::new(token, &gathered.project.id, cx.now)
    };
    let guard = StagedRunGuard::of(cx.parts.store, &run);
    let archived = archived(input, gathered);
    let moves_later = moving::is_worth_it(cx, gathered, !(changed.is_empty() && archived.is_empty()));
    let writing = StageWriter { cx, input, gathered, ids: &ids, run: &run };
    let written = writing.write(&new, (&changed, &archived), moves_later).await;
    let (translations, brought) = match written {
        Ok(Some(written)) => written,
        Ok(None) => {
            guard.discard().await;
            return Ok(None);
        }
        Err(error) => {
            guard.discard().await;
            return Err(error);
        }
    };
    let moves = changed.iter().filter(|change| change.only_moves).count() as u64;
    let changes = ChangeTotals { changes: changed.len() as u64 - moves, moves, archives: archived.len() as u64 };
    let new = new.len() as u64;
    let staged = Staged { run, ids, keys, translations, brought, moves_later, new, changes };
    Ok(Some((staged, guard)))
}

/// A run whose pieces are being written, each in a transaction of its own.
struct StageWriter<'a> {
    cx: &'a RunContext<'a>,
    input: &'a RunInput,
    gathered: &'a Gathered,
    ids: &'a [String],
    run: &'a StagedRun,
}

impl StageWriter<'_> {
    /// Writes all of it; `None` when another one goes before it.
    async fn write(
        &self,
        new: &[NewKey<'_>],
        (changed, archived): (&[StagedKey<'_>], &[&str]),
        moves_later: bool,
    ) -> Result<Option<(WrittenCounts, WrittenCounts)>, ServiceError> {
        self.begin().await?;
        if !self.keys(new).await? || !self.changes(changed).await? || !self.archives(archived).await? {
            return Ok(None);
        }
        let Some(of_new) = self.translations(ItemFilter::New, WriteTarget::Live).await? else { return Ok(None) };
        let brought = match moves_later {
            true => self.translations(ItemFilter::Others, WriteTarget::Staged(&self.run.tracking_token)).await?,
            false => Some(WrittenCounts::new()),
        };
        let Some(brought) = brought else { return Ok(None) };
        Ok(self.chunks().await?.then_some((of_new, brought)))
    }

    /// Writes the translations that cost nothing; `None` when another one goes before it, or memory has changed.
    async fn translations(&self, of: ItemFilter, to: WriteTarget<'_>) -> Result<Option<WrittenCounts>, ServiceError> {
        let Self { cx, input, gathered, ids, .. } = *self;
        let free = FreeWriter { cx, input, gathered, ids, to };
        let mut counts = WrittenCounts::new();
        for copies in copies(gathered, of).chunks(COPIES) {
            let Some(mut tx) = self.piece().await? else { return Ok(None) };
            free.copy_renamed(&mut tx, copies, &mut counts).await?;
            tx.commit_piece().await?;
        }
        for work in &gathered.work {
            for places in remembered(gathered, work, of).chunks(BATCH) {
                let Some(mut tx) = self.piece().await? else { return Ok(None) };
                let is_whole = free.recall(&mut tx, work, places, &mut counts).await?;
                tx.commit_piece().await?;
                if !is_whole {
                    return Ok(None);
                }
            }
        }
        Ok(Some(counts))
    }

    async fn begin(&self) -> Result<(), ServiceError> {
        let Self { cx, input, gathered, ids, run } = self;
        let mut tx = cx.begin_piece().await?;
        staged_runs::insert(&mut tx, run).await?;
        if gathered.queued() > 0 {
            let left = left(input, gathered, ids);
            insert_job(&mut tx, cx.runner, &left, &run.tracking_token, true, cx.now).await?;
        }
        tx.commit_piece().await?;
        Ok(())
    }

    async fn piece(&self) -> Result<Option<Tx>, ServiceError> {
        begin_piece(self.cx, self.run).await
    }

    async fn keys(&self, new: &[NewKey<'_>]) -> Result<bool, ServiceError> {
        for rows in new.chunks(KEYS) {
            let Some(mut tx) = self.piece().await? else { return Ok(false) };
            match keys::stage(&mut tx, &self.run.project_id, rows, &self.run.tracking_token).await {
                Ok(_) => tx.commit_piece().await?,
                Err(StoreError::Unique(_)) => {
                    tx.rollback().await?;
                    return Ok(false);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    async fn changes(&self, changed: &[StagedKey<'_>]) -> Result<bool, ServiceError> {
        for rows in changed.chunks(KEYS) {
            let Some(mut tx) = self.piece().await? else { return Ok(false) };
            staged_changes::insert(&mut tx, &self.run.tracking_token, rows).await?;
            tx.commit_piece().await?;
        }
        Ok(true)
    }

    async fn archives(&self, archived: &[&str]) -> Result<bool, ServiceError> {
        for ids in archived.chunks(KEYS) {
            let Some(mut tx) = self.piece().await? else { return Ok(false) };
            staged_changes::insert_archived(&mut tx, &self.run.tracking_token, ids, self.cx.now).await?;
            tx.commit_piece().await?;
        }
        Ok(true)
    }

    async fn chunks(&self) -> Result<bool, ServiceError> {
        let Self { cx, input, gathered, ids, run } = self;
        let mut pieces = ChunkWriter::new(cx.runner, &run.tracking_token, left(input, gathered, ids));
        let mut is_more = gathered.queued() > 0;
        while is_more {
            let Some(mut tx) = self.piece().await? else { return Ok(false) };
            is_more = pieces.write_next(&mut tx, SLOTS).await?;
            tx.commit_piece().await?;
        }
        Ok(true)
    }
}

/// A transaction for a piece of a run; `None` when the run was given up.
pub(super) async fn begin_piece(cx: &RunContext<'_>, run: &StagedRun) -> Result<Option<Tx>, ServiceError> {
    let mut tx = cx.begin_piece().await?;
    lock::project(&mut tx, &run.project_id).await?;
    match staged_runs::is_writing(&mut tx, run).await? {
        true => Ok(Some(tx)),
        false => {
            tx.rollback().await?;
            Ok(None)
        }
    }
}

async fn discard(store: &Store, run: &StagedRun) {
    if let Err(error) = delete(store, run).await {
        tracing::warn!(?error, "cannot delete staged rows of a run; the sweep deletes them");
    }
}

async fn delete(store: &Store, run: &StagedRun) -> Result<(), ServiceError> {
    let mut tx = store.begin_background_write().await?;
    // A piece of it that is under way is deleted with the others, and none comes after them.
    lock::project(&mut tx, &run.project_id).await?;
    let is_given_up = staged_runs::give_up(&mut tx, run).await?;
    tx.commit_piece().await?;
    if run.status != StagedRunStatus::Landed && !is_given_up {
        // It has landed meanwhile, and its rows are the project's; or somebody else has deleted all of them.
        return Ok(());
    }
    loop {
        let mut tx = store.begin_background_write().await?;
        let is_more = staged_runs::sweep_some(&mut tx, run).await?;
        tx.commit_piece().await?;
        if !is_more {
            return Ok(());
        }
    }
}

/// Gives up the staged rows of a server that was killed, before this one's first run: an embedded datastore has no
/// other server.
pub(crate) async fn give_up_orphans(store: &Store) -> Result<(), ServiceError> {
    if store.engine() == DatabaseKind::Sqlite {
        let mut tx = store.begin_background_write().await?;
        staged_runs::give_up_all(&mut tx).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Deletes, piece by piece, the staged rows of runs that were given up, or that began so long ago that they died, and
/// the rows that landed runs no longer need. Moves what landed runs have left to move.
///
/// # Errors
///
/// Returns an error if the datastore fails.
pub async fn sweep(store: &Store, now: Timestamp) -> Result<(), ServiceError> {
    let until = Timestamp::from_millis(now.as_millis() - DEAD_AFTER);
    loop {
        let mut tx = store.begin_read().await?;
        let found = staged_runs::oldest(&mut tx, until).await?;
        tx.rollback().await?;
        let Some(run) = found else { return Ok(()) };
        match run.is_moving {
            true => moving::move_all(store, &run, None).await?,
            false => delete(store, &run).await?,
        }
    }
}
