//! Connections to PostgreSQL: their numbers, their purposes, and the beginning of their transactions.
//!
//! A new connection gets the settings of its session by a statement: a pooler such as pgbouncer accepts that, while it refuses
//! such settings at the start of a connection. What one kind of transaction needs is set with `SET LOCAL` in the text that
//! begins it: in the same round trip.

use std::str::FromStr as _;
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgConnection, PgPool, Postgres, Row as _, SqlSafeStr as _, Transaction};

use super::StoreError;
use super::engine::ACQUIRE_TIMEOUT;
use super::lost_connections::LostConnections;
use super::pulse::Pulse;

/// Connections of a process, unless something else is stated.
pub(crate) const CONNECTIONS: u32 = 20;

/// A machine that went to sleep inside a transaction must not hold a project's lock for ever. Statements here read few rows of
/// what may be many, by an index each: compiling one costs more than it saves, half a second where the statistics of a table are
/// those of a moment ago, and reading a table from its beginning passes the rows of all projects.
const SESSION: &str = "SET lock_timeout = '15s'; SET idle_in_transaction_session_timeout = '60s'; SET jit = off; \
    SET enable_seqscan = off";
const WRITE: &str = "BEGIN";
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const AHEAD: &str = "BEGIN; SET LOCAL synchronous_commit = off";
/// Rows of finished marks stay in the table and its index until they are vacuumed, and every search reads past them. Each of
/// several processes may come to it at once: one is enough.
const VACUUM_MARKS: &str = "VACUUM (SKIP_LOCKED, TRUNCATE FALSE) search_marks";
/// Otherwise PostgreSQL leaves the index as it is while rows of fewer than a fiftieth of the table's pages are to be freed. The
/// pages at the end of the table that have no row go back to the system: who writes waits for that for some milliseconds at most,
/// and it is left for later while others write without a pause.
const VACUUM_ALL_MARKS: &str = "VACUUM (SKIP_LOCKED, INDEX_CLEANUP ON) search_marks";
/// True if the index of marks has much room that few marks are left to need.
const HAS_WIDE_INDEX: &str = "SELECT pg_relation_size('search_marks_pkey') > 8388608 \
    AND pg_relation_size('search_marks') < pg_relation_size('search_marks_pkey') / 8";
/// The index of a table keeps its room until it is built anew. Of few marks that takes some milliseconds; while others write to the
/// table it is left for later.
const REBUILD_MARKS_INDEX: &str = "SET LOCAL lock_timeout = '100ms'; REINDEX TABLE search_marks";
/// The code of a lock that was not had in time.
const LOCK_NOT_AVAILABLE: &str = "55P03";

/// PostgreSQL keeps the newest entries of the index of texts in a list, which each search reads whole.
const MERGE_NEW_TOKENS: &str = "SELECT gin_clean_pending_list('search_grams_each')";

/// Number of comparisons of two connections before they count as different servers.
const PROBES: usize = 3;

/// Connections by what they are needed for, so that no kind of work waits behind another.
#[derive(Debug, Clone)]
pub(super) struct Pools {
    /// Changes of projects, which may take long and wait for each other.
    pub(super) writes: PgPool,
    /// Connections for the reads of requests.
    pub(super) reads: PgPool,
    /// Connections for short work that must not wait behind requests: API keys, receipts, health, merges of request
    /// windows, and the delivery worker, which has one transaction at a time.
    pub(super) brief: PgPool,
    pulse: Pulse,
    lost: LostConnections,
}

impl Pools {
    /// Connects, and makes sure that each connection is a session of its own. `silence` is the time without a sign of life
    /// after which the server counts as away.
    pub(super) async fn connect(url: &str, connections: u32, silence: Duration) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|error| {
                StoreError::Location(format!("database_url is not postgres://USER@HOST/DATABASE: {error}"))
            })?
            .application_name("l10n-server")
            // Nothing is stored as a float, and poolers refuse what they do not know.
            .extra_float_digits(None);
        let brief = (connections * 3 / 10).max(2);
        let reads = (connections.saturating_sub(brief) / 2).max(2);
        let writes = connections.saturating_sub(brief + reads).max(2);
        let lost = LostConnections::default();
        let pool = |most| {
            let options = PgPoolOptions::new().acquire_timeout(ACQUIRE_TIMEOUT).max_connections(most);
            let lost = lost.clone();
            let options = options.test_before_acquire(false).before_acquire(move |connection, meta| {
                let must_ask = lost.must_ask(meta.idle_for);
                Box::pin(async move { Ok(!must_ask || connection.ping().await.is_ok()) })
            });
            options.after_connect(|connection, _| {
                Box::pin(async move { sqlx::Executor::execute(connection, SESSION).await.map(drop) })
            })
        };
        // The first request of a process waits for no connection.
        let brief = pool(brief).min_connections(1).connect_with(options.clone()).await?;
        check_sessions(&brief).await?;
        Ok(Self {
            writes: pool(writes).connect_lazy_with(options.clone()),
            reads: pool(reads).connect_lazy_with(options),
            brief,
            pulse: Pulse::new(silence),
            lost,
        })
    }

    pub(super) async fn begin_write(&self) -> sqlx::Result<Transaction<'static, Postgres>> {
        self.begin(&self.writes, WRITE).await
    }

    pub(super) async fn begin_read(&self) -> sqlx::Result<Transaction<'static, Postgres>> {
        self.begin(&self.reads, READ).await
    }

    pub(super) async fn begin_brief_write(&self) -> sqlx::Result<Transaction<'static, Postgres>> {
        self.begin(&self.brief, WRITE).await
    }

    pub(super) async fn begin_brief_read(&self) -> sqlx::Result<Transaction<'static, Postgres>> {
        self.begin(&self.brief, READ).await
    }

    /// Reads with one statement, outside of a transaction. The server has to answer it in time, as it has to begin others.
    pub(super) async fn read_once<T>(
        &self,
        read: impl AsyncFnOnce(PoolConnection<Postgres>) -> Result<T, StoreError> + Clone,
    ) -> Result<T, StoreError> {
        self.in_time(self.on_living(&self.brief, async move |connection| or_lost(read(connection).await))).await
    }

    /// Writes with one statement. Where its connection is lost, it may have written.
    pub(super) async fn write_once<T>(
        &self,
        write: impl AsyncFnOnce(PoolConnection<Postgres>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let written = async {
            let written = or_lost(write(self.brief.acquire().await?).await);
            written.inspect_err(|error| {
                self.lost.note(error);
            })
        };
        self.in_time(written).await
    }

    async fn in_time<T>(
        &self,
        run: impl Future<Output = sqlx::Result<Result<T, StoreError>>>,
    ) -> Result<T, StoreError> {
        self.pulse.wait(|| self.brief.connect_options(), run).await.map_err(StoreError::Unavailable)?
    }

    /// Asks the server for a sign of life.
    pub(super) async fn ping(&self) -> sqlx::Result<()> {
        self.on_living(&self.brief, async |mut connection| connection.ping().await).await
    }

    pub(super) async fn begin_ahead(&self) -> sqlx::Result<Transaction<'static, Postgres>> {
        self.begin(&self.brief, AHEAD).await
    }

    /// Frees the rows of the marks that were taken away: `entirely` in the index, too, however few they are, and gives back the
    /// room that they had.
    pub(super) async fn vacuum_marks(&self, entirely: bool) -> sqlx::Result<()> {
        let vacuum = if entirely { VACUUM_ALL_MARKS } else { VACUUM_MARKS };
        sqlx::Executor::execute(&self.writes, vacuum).await?;
        if !entirely || !sqlx::Executor::fetch_one(&self.writes, HAS_WIDE_INDEX).await?.try_get::<bool, _>(0)? {
            return Ok(());
        }
        match sqlx::Executor::execute(&self.writes, REBUILD_MARKS_INDEX).await {
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(LOCK_NOT_AVAILABLE) => Ok(()),
            rebuilt => rebuilt.map(drop),
        }
    }

    /// Moves the newest entries of the index of texts from their list to their places.
    pub(super) async fn merge_new_tokens(&self) -> sqlx::Result<()> {
        sqlx::Executor::execute(&self.writes, MERGE_NEW_TOKENS).await.map(drop)
    }

    /// The statement is brought to its end by a task of its own. Were it dropped half-way, as the request of a client that
    /// hangs up is, the driver would give the connection back with the transaction open: it rolls back only what it knows to
    /// have begun. The next write on a connection in a transaction that reads would fail.
    async fn begin(&self, pool: &PgPool, text: &'static str) -> sqlx::Result<Transaction<'static, Postgres>> {
        let begin = self.on_living(pool, async |connection| {
            let begun = tokio::spawn(Transaction::begin(connection, Some(text.into_sql_str())));
            begun.await.unwrap_or(Err(sqlx::Error::WorkerCrashed))
        });
        self.pulse.wait(|| pool.connect_options(), begin).await
    }

    /// Runs what changes nothing, and once more on another connection where the first turns out to be lost. The second was asked
    /// for a sign of life, or is new.
    async fn on_living<T>(
        &self,
        pool: &PgPool,
        run: impl AsyncFnOnce(PoolConnection<Postgres>) -> sqlx::Result<T> + Clone,
    ) -> sqlx::Result<T> {
        match run.clone()(pool.acquire().await?).await {
            Err(error) if self.lost.note(&error) => run(pool.acquire().await?).await,
            answer => answer,
        }
    }

    pub(super) async fn close(&self) {
        self.brief.close().await;
        self.reads.close().await;
        self.writes.close().await;
    }
}

/// Parts the loss of a connection from other answers.
fn or_lost<T>(answer: Result<T, StoreError>) -> sqlx::Result<Result<T, StoreError>> {
    match answer {
        Err(StoreError::Unavailable(error)) => Err(error),
        answer => Ok(answer),
    }
}

/// Refuses a pooler that gives a connection's session to others between its transactions: prepared statements and the lock of
/// migrations belong to a session. The two connections that it compares stay in the pool.
async fn check_sessions(pool: &PgPool) -> Result<(), StoreError> {
    let (mut one, mut other) = (pool.acquire().await?, pool.acquire().await?);
    let mut shared = false;
    let mut of_one = session(&mut one).await?;
    for _ in 0..PROBES {
        // Where sessions are shared, the one that has just become free is given to the next transaction.
        let of_other = session(&mut other).await?;
        let again = session(&mut one).await?;
        shared |= of_one == of_other || again != of_one;
        of_one = again;
    }
    if shared { Err(shared_sessions()) } else { Ok(()) }
}

fn shared_sessions() -> StoreError {
    StoreError::Location(
        "database_url leads to a pooler that shares sessions among its clients, such as pgbouncer with `pool_mode = \
             transaction` or `statement`: l10n-server needs `pool_mode = session`, or PostgreSQL itself"
            .to_owned(),
    )
}

/// The process of PostgreSQL that a transaction of this connection runs in. By the simple protocol, which every pooler passes.
async fn session(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let begun = connection.begin().await;
    // Statements alone can be sent through a pooler that shares sessions between any two of them.
    let mut tx = begun.map_err(|error| match error {
        sqlx::Error::Database(_) => shared_sessions(),
        other => other.into(),
    })?;
    let row = sqlx::Executor::fetch_one(&mut *tx, "SELECT pg_backend_pid()").await?;
    tx.commit().await?;
    Ok(row.try_get(0)?)
}
