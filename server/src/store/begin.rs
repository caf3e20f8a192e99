//! Beginnings of transactions: their lines, and how long they wait there.

use std::time::{Duration, Instant};

use l10n_api_types::{ProjectId, WorkspaceId};
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::StoreError;
use super::engine::{Engine, Store};
use super::foreground::{self, ForegroundWrite};
use super::transaction::{Open, Tx};
use super::writer_queues::{WriterPermit, WriterQueues};

/// Holds the write lock from its beginning, so that what was read before the first write still stands.
const BEGIN_IMMEDIATE: &str = "BEGIN IMMEDIATE";
/// Histogram of the time, in seconds, for which writes waited for the only writer of SQLite.
pub(crate) const WRITER_WAIT: &str = "l10n_sqlite_writer_wait_seconds";
/// Writes of one project that wait for each other; beyond, they are refused at once.
const MOST_WAITING_IN_A_PROJECT: usize = 256;
/// Writes of a workspace at a time, so that no workspace takes all connections for writes.
const WRITES_OF_A_WORKSPACE: usize = 2;
/// Of as many projects.
const MOST_WAITING_IN_A_WORKSPACE: usize = 1_024;
/// Background writes at a time on PostgreSQL, so that chunks of many jobs leave connections to requests. On SQLite it is one.
const BACKGROUND_WRITES: usize = 3;
/// Background writes of a workspace that are under way or in that line, on PostgreSQL. On SQLite it is one, too.
const BACKGROUND_WRITES_OF_A_WORKSPACE: usize = 2;

/// Writes that may wait where only the server itself makes them.
const WITHOUT_BOUND: usize = Semaphore::MAX_PERMITS;

/// The lines in which writes wait before they take a connection.
#[derive(Clone)]
pub(super) struct WriteQueues {
    projects: WriterQueues,
    workspaces: WriterQueues,
    background: WriterQueues,
    /// The places of each workspace in `background`.
    background_of_workspaces: WriterQueues,
}

impl WriteQueues {
    pub(super) fn of(engine: &Engine) -> Self {
        let (in_all, of_a_workspace) = match engine {
            Engine::Sqlite { .. } => (1, 1),
            Engine::Postgres(_) => (BACKGROUND_WRITES, BACKGROUND_WRITES_OF_A_WORKSPACE),
        };
        Self {
            projects: WriterQueues::new(1, MOST_WAITING_IN_A_PROJECT),
            workspaces: WriterQueues::new(WRITES_OF_A_WORKSPACE, MOST_WAITING_IN_A_WORKSPACE),
            background: WriterQueues::new(in_all, WITHOUT_BOUND),
            background_of_workspaces: WriterQueues::new(of_a_workspace, WITHOUT_BOUND),
        }
    }

    /// Waits for the turn of a project, and then for one of its workspace.
    async fn take(&self, workspace: &WorkspaceId, project: &ProjectId) -> Result<[WriterPermit; 2], StoreError> {
        let project = self.projects.take(project.as_str()).await?;
        Ok([project, self.workspaces.take(workspace.as_str()).await?])
    }
}

/// The turn of a project, held over several transactions. Each of these takes a turn of the workspace for itself alone, so that
/// other projects of the workspace are written meanwhile.
#[derive(Debug)]
pub struct HeldTurn {
    _turn: WriterPermit,
}

impl Store {
    /// Begins a transaction that may write. On SQLite it holds the write lock from here on, so keep it short and never
    /// across a call of the network. What changes a project begins with [`begin_write_in`](Self::begin_write_in), what changes
    /// a workspace with [`begin_write_of`](Self::begin_write_of).
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_write(&self) -> Result<Tx, StoreError> {
        self.in_time(self.begin(Vec::new(), false, Some(self.foreground.begin()))).await
    }

    /// Waits a moment for a pause between the writes of requests, in which background work may be taken, but not once `hurry` has
    /// come.
    pub(crate) async fn pause_before_claim(&self, hurry: impl Future<Output = ()>) {
        tokio::select! {
            biased;
            () = hurry => {}
            () = self.foreground.pause(foreground::LONG_WAIT) => {}
        }
    }

    /// Begins a short transaction that takes background work, after [`pause_before_claim`](Self::pause_before_claim). It holds
    /// up no background work.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub(crate) async fn begin_claim(&self) -> Result<Tx, StoreError> {
        self.in_time(self.begin(Vec::new(), false, None)).await
    }

    /// Notes that work which somebody waits for writes soon: background work lets it go first.
    pub(crate) fn expect_write(&self) {
        self.foreground.expect();
    }

    /// Begins a transaction that changes a project, once it is its turn: of those of one project in this process one goes
    /// after the other, and of those of its workspace two at a time. However many wait, they take no connection, and no
    /// place before those of others.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] where too many wait already, [`StoreError::Unavailable`] for every other failure.
    pub async fn begin_write_in(&self, workspace: &WorkspaceId, project: &ProjectId) -> Result<Tx, StoreError> {
        self.in_time(async {
            let turns = self.queues.take(workspace, project).await?;
            self.begin(turns.into(), false, Some(self.foreground.begin())).await
        })
        .await
    }

    /// Begins a transaction that changes what belongs to a workspace and to none of its projects, such as its members, once it is
    /// one of the workspace's two turns. So begins, too, who [holds the turn](Self::hold_turn) of a project that it changes.
    ///
    /// # Errors
    ///
    /// The errors of [`begin_write_in`](Self::begin_write_in).
    pub async fn begin_write_of(&self, workspace: &WorkspaceId) -> Result<Tx, StoreError> {
        self.in_time(async {
            let turn = self.queues.workspaces.take(workspace.as_str()).await?;
            self.begin(vec![turn], false, Some(self.foreground.begin())).await
        })
        .await
    }

    /// Begins one of the many transactions of long work, such as a job or a sweep, that nobody waits for one by one. On
    /// SQLite one such transaction at a time queues for the writer, so that a request has at most one before it; on PostgreSQL
    /// there are three at a time.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_background_write(&self) -> Result<Tx, StoreError> {
        self.begin_background(Vec::new(), None, None).await
    }

    /// As [`begin_background_write`](Self::begin_background_write), for a workspace: however many transactions its work has,
    /// each of another workspace has at most one of them before it in the line, and two on PostgreSQL.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_background_write_of(&self, workspace: &WorkspaceId) -> Result<Tx, StoreError> {
        self.begin_background(Vec::new(), Some(workspace), None).await
    }

    /// Begins one of the many transactions of a large request that changes a project: it waits for its turn as
    /// [`begin_write_in`](Self::begin_write_in) does. The workspace has one of them under way at a time. It lets smaller requests
    /// write first, but for a shorter time than jobs do, since its client waits.
    ///
    /// # Errors
    ///
    /// The errors of [`begin_write_in`](Self::begin_write_in).
    pub(crate) async fn begin_piece_in(&self, workspace: &WorkspaceId, project: &ProjectId) -> Result<Tx, StoreError> {
        let turns = self.in_time(self.queues.take(workspace, project)).await?;
        self.begin_background(turns.into(), Some(workspace), Some(foreground::SHORT_WAIT)).await
    }

    /// The same for who [holds the turn](Self::hold_turn) of the project, or changes none.
    pub(crate) async fn begin_piece_of(&self, workspace: &WorkspaceId) -> Result<Tx, StoreError> {
        let turn = self.in_time(self.queues.workspaces.take(workspace.as_str())).await?;
        self.begin_background(vec![turn], Some(workspace), Some(foreground::SHORT_WAIT)).await
    }

    /// Begins a transaction of work that changes a project, and for whose end no request waits: it begins in a pause between the
    /// writes of requests, for which it waits a moment. Such transactions of all projects take a third of the time while requests
    /// write now and then.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub(crate) async fn begin_yielding_write_in(
        &self,
        workspace: &WorkspaceId,
        project: &ProjectId,
    ) -> Result<Tx, StoreError> {
        self.foreground.pace().await;
        let turns = self.in_time(self.queues.take(workspace, project)).await?;
        self.begin_background(turns.into(), Some(workspace), Some(foreground::LONG_WAIT)).await
    }

    /// The same for work of the whole server.
    pub(crate) async fn begin_yielding_write(&self) -> Result<Tx, StoreError> {
        self.foreground.pace().await;
        self.begin_background(Vec::new(), None, Some(foreground::LONG_WAIT)).await
    }

    /// Waits for a turn or a connection, as long as a request does.
    async fn in_time<T>(&self, begun: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        timeout(self.patience, begun).await.unwrap_or_else(|_| Err(StoreError::no_answer()))
    }

    // Whoever has the turn of a project may wait here; nobody waits for the turn of a project from behind.
    async fn begin_background(
        &self,
        mut turns: Vec<WriterPermit>,
        of: Option<&WorkspaceId>,
        waits: Option<Duration>,
    ) -> Result<Tx, StoreError> {
        if let Some(workspace) = of {
            turns.push(self.queues.background_of_workspaces.take(workspace.as_str()).await?);
        }
        turns.push(self.queues.background.take("").await?);
        if let Some(longest) = waits {
            self.foreground.pause(longest).await;
        }
        let tx = self.in_time(self.begin(turns, false, None)).await?;
        Ok(tx.in_background(self.foreground.begin_background()))
    }

    /// Waits for the turn of a project, as [`begin_write_in`](Self::begin_write_in) does, and keeps it until it is dropped:
    /// meanwhile no other request of this process changes the project. Who has it begins with
    /// [`begin_write_of`](Self::begin_write_of).
    ///
    /// # Errors
    ///
    /// The errors of [`begin_write_in`](Self::begin_write_in).
    pub async fn hold_turn(&self, project: &ProjectId) -> Result<HeldTurn, StoreError> {
        let turn = self.in_time(self.queues.projects.take(project.as_str())).await?;
        Ok(HeldTurn { _turn: turn })
    }

    /// Begins a transaction that writes a row or two that nobody else writes, such as a receipt: on PostgreSQL it does not
    /// wait behind those that take longer.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_brief_write(&self) -> Result<Tx, StoreError> {
        self.in_time(self.begin(Vec::new(), true, Some(self.foreground.begin()))).await
    }

    async fn begin(
        &self,
        turns: Vec<WriterPermit>,
        brief: bool,
        foreground: Option<ForegroundWrite>,
    ) -> Result<Tx, StoreError> {
        match &self.engine {
            Engine::Sqlite { writer, queue, last_write, wal, checkpoints, .. } => {
                let began = Instant::now();
                let _first = queue.lock().await;
                let begun = writer.begin_with(BEGIN_IMMEDIATE).await;
                metrics::histogram!(WRITER_WAIT).record(began.elapsed());
                begun.map(|tx| {
                    last_write.now();
                    let open = Open::new(tx, turns, &self.live_moves).in_foreground(foreground);
                    Tx::Sqlite(open.durable(wal).logged(checkpoints))
                })
            }
            Engine::Postgres(pools) => {
                let begun = if brief { pools.begin_brief_write().await } else { pools.begin_write().await };
                begun.map(|tx| Tx::Postgres(Open::new(tx, turns, &self.live_moves).in_foreground(foreground)))
            }
        }
        .map_err(StoreError::Unavailable)
    }

    /// Begins a transaction that may write and goes before everyone who waits to write: deliveries must not fall behind
    /// because many publish, and no request must wait behind others to be counted.
    ///
    /// Its commit does not wait for the disk. Should the database's machine fail within the next moments,
    /// what was done last is undone. The delivery worker makes it once more: an endpoint may hear of an event twice, and no
    /// event is lost (§6 rule 8). Of a request window some requests are forgotten.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_ahead(&self) -> Result<Tx, StoreError> {
        match &self.engine {
            Engine::Sqlite { writer, checkpoints, .. } => writer
                .begin_with(BEGIN_IMMEDIATE)
                .await
                .map(|tx| Tx::Sqlite(Open::new(tx, Vec::new(), &self.live_moves).logged(checkpoints))),
            Engine::Postgres(pools) => {
                pools.begin_ahead().await.map(|tx| Tx::Postgres(Open::new(tx, Vec::new(), &self.live_moves)))
            }
        }
        .map_err(StoreError::Unavailable)
    }

    /// Begins a transaction that sees one state of the database and cannot write.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_read(&self) -> Result<Tx, StoreError> {
        self.begin_reading(false).await
    }

    /// Like [`begin_read`](Self::begin_read), for a look at a row or two without which no request gets anywhere: on PostgreSQL
    /// it does not wait behind those that read much.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub(crate) async fn begin_brief_read(&self) -> Result<Tx, StoreError> {
        self.begin_reading(true).await
    }

    /// Reads with one statement, for a row or two without which no request gets anywhere. The statement sees one state of the
    /// database by itself, so that nothing is begun and ended for it: of three round trips one is left.
    /// It may run twice, where a connection to PostgreSQL is lost.
    ///
    /// # Errors
    ///
    /// Those of `read`; [`StoreError::Unavailable`] if there is no connection in time.
    pub async fn read_once<T>(
        &self,
        read: impl AsyncFnOnce(&mut Tx) -> Result<T, StoreError> + Clone,
    ) -> Result<T, StoreError> {
        match &self.engine {
            Engine::Sqlite { readers, .. } => {
                let connection = readers.acquire().await.map_err(StoreError::Unavailable)?;
                read(&mut Tx::Sqlite(Open::single(connection, &self.live_moves))).await
            }
            Engine::Postgres(pools) => {
                let read =
                    async move |connection| read(&mut Tx::Postgres(Open::single(connection, &self.live_moves))).await;
                pools.read_once(read).await
            }
        }
    }

    /// Writes with one statement, as [`begin_brief_write`](Self::begin_brief_write) would: on PostgreSQL it is a transaction by
    /// itself, so that of three round trips one is left. Dropped before its end, it may have written all the same.
    ///
    /// # Errors
    ///
    /// Those of `write`; [`StoreError::Unavailable`] if there is no connection in time.
    pub(crate) async fn write_once<T>(
        &self,
        write: impl AsyncFnOnce(&mut Tx) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match &self.engine {
            Engine::Sqlite { .. } => {
                let mut tx = self.begin_brief_write().await?;
                let written = write(&mut tx).await?;
                tx.commit().await?;
                Ok(written)
            }
            Engine::Postgres(pools) => {
                let _foreground = self.foreground.begin();
                let write =
                    async |connection| write(&mut Tx::Postgres(Open::single(connection, &self.live_moves))).await;
                pools.write_once(write).await
            }
        }
    }

    async fn begin_reading(&self, brief: bool) -> Result<Tx, StoreError> {
        match &self.engine {
            Engine::Sqlite { readers, .. } => readers
                .begin_with("BEGIN DEFERRED")
                .await
                .map(|tx| Tx::Sqlite(Open::new(tx, Vec::new(), &self.live_moves))),
            Engine::Postgres(pools) => {
                let begun = if brief { pools.begin_brief_read().await } else { pools.begin_read().await };
                begun.map(|tx| Tx::Postgres(Open::new(tx, Vec::new(), &self.live_moves)))
            }
        }
        .map_err(StoreError::Unavailable)
    }
}
