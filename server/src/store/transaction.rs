//! The transaction that every statement runs in; a statement that is alone may be one of its own.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{Database, Postgres, Sqlite, Transaction};

use super::StoreError;
use super::after_commit::AfterCommit;
use super::checkpoints::Checkpoints;
use super::engine::DatabaseKind;
use super::foreground::{BackgroundWrite, ForegroundWrite};
use super::live_generations::LiveMoves;
use super::wal::Wal;
use super::writer_queues::WriterPermit;

/// A transaction. Dropped without [`commit`](Self::commit) it is rolled back.
#[derive(Debug)]
pub enum Tx {
    /// on SQLite
    Sqlite(Open<Sqlite>),
    /// on PostgreSQL
    Postgres(Open<Postgres>),
}

/// A transaction that has begun, with the turns that it was waited for. Derefs to its connection.
#[derive(Debug)]
pub struct Open<DB: Database> {
    // Ends before the turns do.
    tx: DatabaseSession<DB>,
    turns: Vec<WriterPermit>,
    /// The write of a request that it is.
    foreground: Option<ForegroundWrite>,
    /// The background write that it is.
    background: Option<BackgroundWrite>,
    /// The log that its commit waits for; `None` if no one is told about the commit.
    wal: Option<Wal>,
    /// The checkpoints that its commit counts for, if it writes on SQLite.
    checkpoints: Option<Checkpoints>,
    after: AfterCommit,
    live_moves: LiveMoves,
    /// True if it moves what is live.
    moves_live: bool,
}

/// A connection, in a transaction or for a single statement that is a transaction of its own.
#[derive(Debug)]
enum DatabaseSession<DB: Database> {
    Transaction(Transaction<'static, DB>),
    Single(PoolConnection<DB>),
}

impl<DB: Database> DatabaseSession<DB> {
    async fn commit(self) -> sqlx::Result<()> {
        match self {
            Self::Transaction(tx) => tx.commit().await,
            Self::Single(_) => Ok(()),
        }
    }

    async fn rollback(self) -> sqlx::Result<()> {
        match self {
            Self::Transaction(tx) => tx.rollback().await,
            Self::Single(_) => Ok(()),
        }
    }
}

impl<DB: Database> Open<DB> {
    pub(super) fn new(tx: Transaction<'static, DB>, turns: Vec<WriterPermit>, live_moves: &LiveMoves) -> Self {
        Self::over(DatabaseSession::Transaction(tx), turns, live_moves)
    }

    /// For one statement.
    pub(super) fn single(connection: PoolConnection<DB>, live_moves: &LiveMoves) -> Self {
        Self::over(DatabaseSession::Single(connection), Vec::new(), live_moves)
    }

    fn over(tx: DatabaseSession<DB>, turns: Vec<WriterPermit>, live_moves: &LiveMoves) -> Self {
        let (after, live_moves) = (AfterCommit::default(), live_moves.clone());
        Self {
            tx,
            turns,
            foreground: None,
            background: None,
            wal: None,
            checkpoints: None,
            after,
            live_moves,
            moves_live: false,
        }
    }

    /// Background work waits for it.
    pub(super) fn in_foreground(self, foreground: Option<ForegroundWrite>) -> Self {
        Self { foreground, ..self }
    }

    /// It adds to the log.
    pub(super) fn logged(self, checkpoints: &Checkpoints) -> Self {
        Self { checkpoints: Some(checkpoints.clone()), ..self }
    }

    /// Its commit waits until the disk has it.
    pub(super) fn durable(self, wal: &Wal) -> Self {
        Self { wal: Some(wal.clone()), ..self }
    }

    async fn commit(self) -> sqlx::Result<()> {
        let Self { tx, turns, foreground, background, wal, checkpoints, after, live_moves, moves_live } = self;
        // Also after an error, and where nobody waits for the answer any more: the commit may have succeeded.
        let moved = moves_live.then(|| CountedMove(live_moves));
        tx.commit().await?;
        drop(moved);
        // Who is next need not wait for the disk.
        drop(turns);
        if let Some(checkpoints) = checkpoints {
            checkpoints.committed();
        }
        if let Some(wal) = wal {
            wal.settle().await?;
        }
        // The disk was waited for by whoever writes next, too.
        drop((foreground, background));
        after.run().await;
        Ok(())
    }
}

/// Counts a move of what is live when it is dropped.
struct CountedMove(LiveMoves);

impl Drop for CountedMove {
    fn drop(&mut self) {
        self.0.add();
    }
}

impl<DB: Database> Deref for Open<DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        match &self.tx {
            DatabaseSession::Transaction(tx) => tx,
            DatabaseSession::Single(connection) => connection,
        }
    }
}

impl<DB: Database> DerefMut for Open<DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        match &mut self.tx {
            DatabaseSession::Transaction(tx) => tx,
            DatabaseSession::Single(connection) => connection,
        }
    }
}

impl Tx {
    /// Registers work for after the commit, such as waking a worker. [`commit`](Self::commit) does it once it has
    /// succeeded, in the order of registration. Rolled back, dropped, or not committed because of an error, the
    /// transaction does none of it.
    pub fn after_commit(&mut self, work: impl FnOnce() + Send + 'static) {
        match self {
            Self::Sqlite(open) => open.after.add(work),
            Self::Postgres(open) => open.after.add(work),
        }
    }

    /// Registers the end of work that goes on after the commit: [`commit`](Self::commit) returns once it has come.
    pub(crate) fn commit_waits_for(&mut self, end: impl Future<Output = ()> + Send + 'static) {
        match self {
            Self::Sqlite(open) => open.after.wait(end),
            Self::Postgres(open) => open.after.wait(end),
        }
    }

    /// Background writes are paced by the time that it takes.
    pub(super) fn in_background(mut self, write: BackgroundWrite) -> Self {
        match &mut self {
            Self::Sqlite(open) => open.background = Some(write),
            Self::Postgres(open) => open.background = Some(write),
        }
        self
    }

    /// Makes everything that was written visible at once, waits until it is on the disk, and does what was registered with
    /// [`after_commit`](Self::after_commit).
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(open) => open.commit().await,
            Self::Postgres(open) => open.commit().await,
        }
        .map_err(StoreError::Unavailable)
    }

    /// Commits without a wait for the disk, on SQLite: for a piece of long work that nobody is told of. Whoever is told of a
    /// later commit waits for this one, too. Should the machine fail before, the piece is undone, and so is all after it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub(crate) async fn commit_piece(mut self) -> Result<(), StoreError> {
        if let Self::Sqlite(open) = &mut self {
            open.wal = None;
        }
        self.commit().await
    }

    /// Notes that this transaction moves what is live: reads of this process that begin after the commit see it at once.
    pub(super) fn moves_live(&mut self) {
        match self {
            Self::Sqlite(open) => open.moves_live = true,
            Self::Postgres(open) => open.moves_live = true,
        }
    }

    /// Undoes everything. Dropping does the same, a moment later.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn rollback(self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(open) => open.tx.rollback().await,
            Self::Postgres(open) => open.tx.rollback().await,
        }
        .map_err(StoreError::Unavailable)
    }

    /// The engine underneath.
    pub fn engine(&self) -> DatabaseKind {
        match self {
            Self::Sqlite(_) => DatabaseKind::Sqlite,
            Self::Postgres(_) => DatabaseKind::Postgres,
        }
    }
}
