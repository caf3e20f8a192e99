//! The two engines behind one concrete type, and the transaction that every statement runs in.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use l10n_api_types::{ProjectId, WorkspaceId};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, Database, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction};
use tokio::sync::{Mutex, Semaphore};
use tokio::time::timeout;

use super::StoreError;
use super::after_commit::AfterCommit;
use super::checkpoints::{Checkpoints, LARGEST_LOG};
use super::live_generations::LiveMoves;
use super::postgres::{self, Pools};
use super::readiness::{self, LastWrite};
use super::turns::{Turn, Turns};
use super::wal::Wal;

/// Time that a request waits for its turn: for the writer of SQLite, or a free connection elsewhere. After it the
/// answer is 503.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
/// Silence of PostgreSQL after which a server answers requests with 503.
const SILENCE: Duration = Duration::from_millis(1_200);
/// Time that SQLite waits for another process (`provision` and `keys` work beside a running server).
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit of a health check, shorter than that of other work.
const PING_TIMEOUT: Duration = Duration::from_secs(3);
/// Holds the write lock from its beginning, so that what was read before the first write still stands.
const BEGIN_IMMEDIATE: &str = "BEGIN IMMEDIATE";
/// Histogram of the time, in seconds, for which writes waited for the only writer of SQLite.
pub(crate) const WRITER_WAIT: &str = "l10n_sqlite_writer_wait_seconds";
const SQLITE_READERS: u32 = 8;
/// KiB, negative as SQLite has it: what a large transaction changes stays in memory until it is committed.
const WRITER_CACHE: &str = "-8000";
/// Each reader keeps its own for ever; the system caches the file for all of them.
const READER_CACHE: &str = "-2000";
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

/// True if SQLite stores of this process skip syncs, see [`Store::skip_syncs`].
#[cfg(feature = "testing")]
static SKIPS_SYNCS: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// The database. Cheap to clone; every clone shares the connections.
#[derive(Clone)]
pub struct Store {
    pub(super) engine: Engine,
    projects: Turns,
    workspaces: Turns,
    background: Turns,
    /// The places of each workspace in `background`.
    background_of_workspaces: Turns,
    live_moves: LiveMoves,
}

#[derive(Clone)]
pub(super) enum Engine {
    /// One writer, since SQLite has one anyway: who waits in our queue cannot fail busy.
    Sqlite {
        writer: SqlitePool,
        /// The queue of writers. Only the first of them waits for `writer` itself, so that the delivery worker, which does
        /// not use the queue, has two before it at most.
        queue: Arc<Mutex<()>>,
        readers: SqlitePool,
        /// The options of a connection that checks if the file takes writes.
        probe: Box<SqliteConnectOptions>,
        last_write: Arc<LastWrite>,
        wal: Wal,
        checkpoints: Checkpoints,
    },
    Postgres(Pools),
}

/// The engine of a store, for the few places where the SQL differs and for log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// SQLite, one file
    Sqlite,
    /// PostgreSQL
    Postgres,
}

impl EngineKind {
    /// `sqlite` or `postgres`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

/// A transaction. Dropped without [`commit`](Self::commit) it is rolled back.
#[derive(Debug)]
pub enum Tx {
    /// on SQLite
    Sqlite(Open<Sqlite>),
    /// on PostgreSQL
    Postgres(Open<Postgres>),
}

/// The turn of a project, held over several transactions.
#[derive(Debug)]
pub(crate) struct HeldTurn {
    _turns: [Turn; 2],
}

/// A transaction that has begun, with the turns that it was waited for. Derefs to its connection.
#[derive(Debug)]
pub struct Open<DB: Database> {
    // Ends before the turns do.
    tx: Transaction<'static, DB>,
    turns: Vec<Turn>,
    /// The log that its commit waits for; `None` if no one is told about the commit.
    wal: Option<Wal>,
    /// The checkpoints that its commit counts for, if it writes on SQLite.
    checkpoints: Option<Checkpoints>,
    after: AfterCommit,
    live_moves: LiveMoves,
    /// True if it moves what is live.
    moves_live: bool,
}

impl<DB: Database> Open<DB> {
    fn new(tx: Transaction<'static, DB>, turns: Vec<Turn>, live_moves: &LiveMoves) -> Self {
        let (after, live_moves) = (AfterCommit::default(), live_moves.clone());
        Self { tx, turns, wal: None, checkpoints: None, after, live_moves, moves_live: false }
    }

    /// It adds to the log.
    fn logged(self, checkpoints: &Checkpoints) -> Self {
        Self { checkpoints: Some(checkpoints.clone()), ..self }
    }

    /// Its commit waits until the disk has it.
    fn durable(self, wal: &Wal) -> Self {
        Self { wal: Some(wal.clone()), ..self }
    }

    async fn commit(self) -> sqlx::Result<()> {
        let Self { tx, turns, wal, checkpoints, after, live_moves, moves_live } = self;
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
        &self.tx
    }
}

impl<DB: Database> DerefMut for Open<DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        &mut self.tx
    }
}

impl Store {
    /// Lets the SQLite stores that this process opens from now on do without syncs: for tests, many of which run on one disk
    /// and none of which loses power.
    #[cfg(feature = "testing")]
    pub(crate) fn skip_syncs() {
        SKIPS_SYNCS.store(true, std::sync::atomic::Ordering::SeqCst);
    }

    /// Returns when everything that could be read before this call is on the disk: for who tells others of it. On PostgreSQL
    /// nothing can be read before.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn settle(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Sqlite { wal, .. } => wal.settle().await.map_err(|error| StoreError::Unavailable(error.into())),
            Engine::Postgres(_) => Ok(()),
        }
    }

    /// Opens `sqlite:PATH` (the file is made when it is missing, its folder is not) or `postgres://…`. Does not migrate.
    ///
    /// # Errors
    ///
    /// [`StoreError::Location`] when the URL cannot be used as it stands, [`StoreError::Unavailable`] when the database
    /// does not answer.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        Self::connect_to_serve(url, postgres::CONNECTIONS).await
    }

    /// Like [`connect`](Self::connect), with this number of connections to PostgreSQL.
    pub(crate) async fn connect_to_serve(url: &str, connections: u32) -> Result<Self, StoreError> {
        Self::connect_with(url, connections, SILENCE).await
    }

    /// Like [`connect`](Self::connect), but patient with a PostgreSQL that is slow to answer: nobody waits behind the command of a
    /// person, nor behind a test.
    pub(crate) async fn connect_patiently(url: &str) -> Result<Self, StoreError> {
        Self::connect_with(url, postgres::CONNECTIONS, ACQUIRE_TIMEOUT).await
    }

    async fn connect_with(url: &str, connections: u32, silence: Duration) -> Result<Self, StoreError> {
        match url.split_once(':') {
            Some(("sqlite", _)) => {
                let (options, makes) = parse_sqlite(url)?;
                connect_sqlite(options, makes).await
            }
            Some(("postgres" | "postgresql", _)) => {
                Ok(Self::over(Engine::Postgres(Pools::connect(url, connections, silence).await?)))
            }
            Some((scheme, _)) if !scheme.contains(['/', '\\']) => Err(StoreError::Location(format!(
                "database_url has the scheme `{scheme}:`; use sqlite:PATH or postgres://USER@HOST/DATABASE"
            ))),
            _ => Err(StoreError::Location(
                "database_url has no scheme; use sqlite:PATH or postgres://USER@HOST/DATABASE".into(),
            )),
        }
    }

    /// Opens the SQLite database at `path`, whatever characters the path holds. Made when missing.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub async fn connect_file(path: &Path) -> Result<Self, StoreError> {
        connect_sqlite(SqliteConnectOptions::new().filename(path).create_if_missing(true), true).await
    }

    fn over(engine: Engine) -> Self {
        let projects = Turns::new(1, MOST_WAITING_IN_A_PROJECT);
        let workspaces = Turns::new(WRITES_OF_A_WORKSPACE, MOST_WAITING_IN_A_WORKSPACE);
        let (in_all, of_a_workspace) = match engine {
            Engine::Sqlite { .. } => (1, 1),
            Engine::Postgres(_) => (BACKGROUND_WRITES, BACKGROUND_WRITES_OF_A_WORKSPACE),
        };
        let background = Turns::new(in_all, WITHOUT_BOUND);
        let background_of_workspaces = Turns::new(of_a_workspace, WITHOUT_BOUND);
        let live_moves = LiveMoves::default();
        Self { engine, projects, workspaces, background, background_of_workspaces, live_moves }
    }

    /// Brings the schema to this release's. Safe at any time: any number of processes may do it at once, one does the work.
    ///
    /// # Errors
    ///
    /// [`StoreError::Migration`] when the database was migrated by a later release or an applied migration differs.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Sqlite { writer, .. } => super::migrate::sqlite(writer).await,
            Engine::Postgres(pools) => super::migrate::postgres(&pools.brief.connect_options()).await,
        }
    }

    /// Begins a transaction that may write. On SQLite it holds the write lock from here on, so keep it short and never
    /// across a call of the network. What changes a project begins with [`begin_write_in`](Self::begin_write_in).
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_write(&self) -> Result<Tx, StoreError> {
        in_time(self.begin(Vec::new(), false)).await
    }

    /// Begins a transaction that changes a project, once it is its turn: of those of one project in this process one goes
    /// after the other, and of those of its workspace two at a time. However many wait, they take no connection, and no
    /// place before those of others.
    ///
    /// # Errors
    ///
    /// [`StoreError::Busy`] where too many wait already, [`StoreError::Unavailable`] for every other failure.
    pub async fn begin_write_in(&self, workspace: &WorkspaceId, project: &ProjectId) -> Result<Tx, StoreError> {
        in_time(async {
            let turns =
                vec![self.projects.take(project.as_str()).await?, self.workspaces.take(workspace.as_str()).await?];
            self.begin(turns, false).await
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
        self.begin_background(Vec::new(), None).await
    }

    /// As [`begin_background_write`](Self::begin_background_write), for a workspace: however many transactions its work has,
    /// each of another workspace has at most one of them before it in the line, and two on PostgreSQL.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_background_write_of(&self, workspace: &WorkspaceId) -> Result<Tx, StoreError> {
        self.begin_background(Vec::new(), Some(workspace)).await
    }

    /// As [`begin_background_write_of`](Self::begin_background_write_of), for work that changes a project: it waits for its
    /// turn as [`begin_write_in`](Self::begin_write_in) does.
    ///
    /// # Errors
    ///
    /// Returns an error if the datastore fails.
    pub async fn begin_background_write_in(
        &self,
        workspace: &WorkspaceId,
        project: &ProjectId,
    ) -> Result<Tx, StoreError> {
        let turns = async {
            Ok(vec![self.projects.take(project.as_str()).await?, self.workspaces.take(workspace.as_str()).await?])
        };
        self.begin_background(in_time(turns).await?, Some(workspace)).await
    }

    // Whoever has the turn of a project may wait here; nobody waits for the turn of a project from behind.
    async fn begin_background(&self, mut turns: Vec<Turn>, of: Option<&WorkspaceId>) -> Result<Tx, StoreError> {
        if let Some(workspace) = of {
            turns.push(self.background_of_workspaces.take(workspace.as_str()).await?);
        }
        turns.push(self.background.take("").await?);
        in_time(self.begin(turns, false)).await
    }

    /// Waits for the turn of a project, as [`begin_write_in`](Self::begin_write_in) does, and keeps it until it is dropped:
    /// meanwhile no other request of this process changes the project. Who has it begins with
    /// [`begin_write`](Self::begin_write).
    pub(crate) async fn hold_turn(&self, workspace: &WorkspaceId, project: &ProjectId) -> Result<HeldTurn, StoreError> {
        in_time(async {
            let project = self.projects.take(project.as_str()).await?;
            Ok(HeldTurn { _turns: [project, self.workspaces.take(workspace.as_str()).await?] })
        })
        .await
    }

    /// Begins a transaction that writes a row or two that nobody else writes, such as a receipt: on PostgreSQL it does not
    /// wait behind those that take longer.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] for every failure.
    pub async fn begin_brief_write(&self) -> Result<Tx, StoreError> {
        in_time(self.begin(Vec::new(), true)).await
    }

    async fn begin(&self, turns: Vec<Turn>, brief: bool) -> Result<Tx, StoreError> {
        match &self.engine {
            Engine::Sqlite { writer, queue, last_write, wal, checkpoints, .. } => {
                let began = Instant::now();
                let _first = queue.lock().await;
                let begun = writer.begin_with(BEGIN_IMMEDIATE).await;
                metrics::histogram!(WRITER_WAIT).record(began.elapsed());
                begun.map(|tx| {
                    last_write.now();
                    Tx::Sqlite(Open::new(tx, turns, &self.live_moves).durable(wal).logged(checkpoints))
                })
            }
            Engine::Postgres(pools) => {
                let begun = if brief { pools.begin_brief_write().await } else { pools.begin_write().await };
                begun.map(|tx| Tx::Postgres(Open::new(tx, turns, &self.live_moves)))
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

    /// Asks the database for a sign of life. On SQLite through a reader: a long write is no outage.
    ///
    /// # Errors
    ///
    /// [`StoreError::Unavailable`] when there is none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        const PING: &str = "SELECT 1";
        let answer = async {
            match &self.engine {
                Engine::Sqlite { readers, .. } => sqlx::query(PING).execute(readers).await.map(drop),
                Engine::Postgres(pools) => sqlx::query(PING).execute(&pools.brief).await.map(drop),
            }
        };
        let answer = timeout(PING_TIMEOUT, answer).await;
        answer.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map_err(StoreError::Unavailable)
    }

    /// Closes every connection, after those in use came back. Later calls fail with [`StoreError::Unavailable`].
    pub async fn close(&self) {
        match &self.engine {
            Engine::Sqlite { writer, readers, checkpoints, .. } => {
                checkpoints.close().await;
                readers.close().await;
                writer.close().await;
            }
            Engine::Postgres(pools) => pools.close().await,
        }
    }

    /// The file of a SQLite database, as it was named.
    #[must_use]
    pub fn file(&self) -> Option<PathBuf> {
        match &self.engine {
            Engine::Sqlite { writer, .. } => Some(writer.connect_options().get_filename().to_owned()),
            Engine::Postgres(_) => None,
        }
    }

    /// Connections of this process: pool, how many are open, how many of these are idle.
    pub fn connections(&self) -> Vec<(&'static str, u32, u32)> {
        let idle = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        match &self.engine {
            Engine::Sqlite { writer, readers, .. } => vec![
                ("writer", writer.size(), idle(writer.num_idle())),
                ("readers", readers.size(), idle(readers.num_idle())),
            ],
            Engine::Postgres(pools) => {
                let pools = [("writes", &pools.writes), ("reads", &pools.reads), ("brief", &pools.brief)];
                pools.map(|(name, pool)| (name, pool.size(), idle(pool.num_idle()))).to_vec()
            }
        }
    }

    /// The count of this process's transactions that have moved what is live.
    pub fn live_moves(&self) -> &LiveMoves {
        &self.live_moves
    }

    /// The engine underneath.
    pub fn engine(&self) -> EngineKind {
        match &self.engine {
            Engine::Sqlite { .. } => EngineKind::Sqlite,
            Engine::Postgres(_) => EngineKind::Postgres,
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&self.engine()).finish()
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
    pub fn engine(&self) -> EngineKind {
        match self {
            Self::Sqlite(_) => EngineKind::Sqlite,
            Self::Postgres(_) => EngineKind::Postgres,
        }
    }
}

/// Waits for a turn or a connection, as long as a request does.
async fn in_time<T>(begun: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    timeout(ACQUIRE_TIMEOUT, begun).await.unwrap_or_else(|_| Err(StoreError::no_answer()))
}

/// The options, and whether a file that is missing is made.
fn parse_sqlite(url: &str) -> Result<(SqliteConnectOptions, bool), StoreError> {
    let wrong = |reason: &dyn fmt::Display| StoreError::Location(format!("database_url is not sqlite:PATH: {reason}"));
    let path = url.strip_prefix("sqlite:").unwrap_or_default();
    let path = path.strip_prefix("//").unwrap_or(path);
    if path.split('?').next().is_none_or(str::is_empty) {
        return Err(wrong(&"the path is empty"));
    }
    if path.starts_with(":memory:") || path.contains("mode=memory") {
        return Err(wrong(
            &"a database in memory is not shared by several connections; name a file, such as sqlite:l10n.db",
        ));
    }
    let read_only = path.contains("mode=ro");
    let options = SqliteConnectOptions::from_str(url).map_err(|error| wrong(&error))?;
    Ok((options.create_if_missing(!read_only), !read_only))
}

async fn connect_sqlite(options: SqliteConnectOptions, makes: bool) -> Result<Store, StoreError> {
    check_folder(options.get_filename())?;
    #[cfg(feature = "testing")]
    let skips = SKIPS_SYNCS.load(std::sync::atomic::Ordering::SeqCst);
    #[cfg(not(feature = "testing"))]
    let skips = false;
    let wal = Wal::of(options.get_filename(), skips);
    if makes {
        make_private(options.get_filename())?;
    }
    let options = options
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        // Commits are made durable by `Wal`.
        .synchronous(SqliteSynchronous::Normal)
        .pragma("temp_store", "memory")
        .pragma("journal_size_limit", "67108864")
        .row_buffer_size(512);
    let pool = || {
        SqlitePoolOptions::new()
            .acquire_timeout(ACQUIRE_TIMEOUT)
            // A connection to a file does not go stale.
            .test_before_acquire(false)
            .before_acquire(|connection, _| Box::pin(is_between_transactions(connection)))
            .idle_timeout(None)
            .max_lifetime(None)
    };
    let writer = options
        .clone()
        .journal_mode(SqliteJournalMode::Wal)
        .pragma("cache_size", WRITER_CACHE)
        .pragma("wal_autocheckpoint", LARGEST_LOG);
    let writer = pool().max_connections(1).connect_lazy_with(writer);
    open_first(&writer).await?;
    // The file knows that it is in WAL mode; a reader must not need a lock to say so again.
    let probe = Box::new(readiness::probe(options.clone()));
    let checkpoints = Checkpoints::over(pool().max_connections(1).connect_lazy_with(options.clone()));
    let readers = options.pragma("query_only", "on").pragma("cache_size", READER_CACHE);
    let readers = pool().max_connections(SQLITE_READERS).connect_lazy_with(readers);
    let (queue, last_write) = (Arc::default(), Arc::default());
    Ok(Store::over(Engine::Sqlite { writer, queue, readers, probe, last_write, wal, checkpoints }))
}

/// Opens the writer. Several processes that turn a new file to WAL mode at once meet an error that SQLite's own busy
/// timeout does not cover.
/// Returns true if a connection can begin a transaction. SQLite itself rolls back if the disk is full or fails; the driver
/// does not notice and treats the transaction as open for ever, so such a connection is given up.
async fn is_between_transactions(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    if connection.is_in_transaction() {
        // A rollback may still be on its way; it comes before the answer to this.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

async fn open_first(writer: &SqlitePool) -> Result<(), StoreError> {
    let started = Instant::now();
    loop {
        let error = match writer.acquire().await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        if !is_sqlite_busy(&error) || started.elapsed() > BUSY_TIMEOUT {
            return Err(StoreError::from(error));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn is_sqlite_busy(error: &sqlx::Error) -> bool {
    error
        .as_database_error()
        .and_then(|error| error.code())
        .and_then(|code| code.parse::<i32>().ok())
        .is_some_and(|code| matches!(code & 0xff, 5 | 6))
}

fn check_folder(file: &Path) -> Result<(), StoreError> {
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    if file.is_dir() {
        return Err(StoreError::Location(format!("the database {} is a folder; name a file in it", file.display())));
    }
    if !folder.is_dir() {
        return Err(StoreError::Location(format!(
            "the folder {} of the database {} does not exist; make it first",
            folder.display(),
            file.display()
        )));
    }
    Ok(())
}

/// Makes a missing database file for its owner alone: SQLite would make it readable for everyone. What SQLite makes beside
/// it gets the same permissions.
fn make_private(file: &Path) -> Result<(), StoreError> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(StoreError::Location(format!("the database {} cannot be made: {error}", file.display()))),
    }
}
