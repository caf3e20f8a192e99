//! The two engines behind one concrete type.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::SqlitePool;
use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::begin::WriteQueues;
use super::checkpoints::Checkpoints;
use super::foreground::Foreground;
use super::live_generations::LiveMoves;
use super::postgres::{self, Pools};
use super::readiness::LastWrite;
use super::wal::Wal;
use super::{StoreError, sqlite};

/// Time that a request waits for its turn: for the writer of SQLite, or a free connection elsewhere. After it the
/// answer is 503.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(15);
/// Silence of PostgreSQL after which a server answers requests with 503.
const SILENCE: Duration = Duration::from_millis(1_200);
/// Time limit of a health check, shorter than that of other work.
const PING_TIMEOUT: Duration = Duration::from_secs(3);

/// The database. Cheap to clone; every clone shares the connections.
#[derive(Clone)]
pub struct Store {
    pub(super) engine: Engine,
    pub(super) queues: WriteQueues,
    pub(super) foreground: Foreground,
    pub(super) live_moves: LiveMoves,
    /// The longest wait for a turn.
    pub(super) patience: Duration,
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
pub enum DatabaseKind {
    /// SQLite, one file
    Sqlite,
    /// PostgreSQL
    Postgres,
}

impl DatabaseKind {
    /// `sqlite` or `postgres`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }
}

impl Store {
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

    /// Like [`connect_patiently`](Self::connect_patiently), with half as many connections. The workers of a server begin all at
    /// once and would open nearly as many connections as there may be, each of which costs a new database as much time as
    /// some tests take.
    #[cfg(feature = "testing")]
    pub(crate) async fn connect_sparingly(url: &str) -> Result<Self, StoreError> {
        Self::connect_with(url, postgres::CONNECTIONS / 2, ACQUIRE_TIMEOUT).await
    }

    async fn connect_with(url: &str, connections: u32, silence: Duration) -> Result<Self, StoreError> {
        match url.split_once(':') {
            Some(("sqlite", _)) => {
                let (options, makes) = sqlite::parse(url)?;
                sqlite::connect(options, makes).await.map(Self::over)
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
        let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
        sqlite::connect(options, true).await.map(Self::over)
    }

    fn over(engine: Engine) -> Self {
        let (queues, patience) = (WriteQueues::of(&engine), ACQUIRE_TIMEOUT);
        Self { engine, queues, foreground: Foreground::default(), live_moves: LiveMoves::default(), patience }
    }

    /// The same database and the same lines, for who waits for no turn longer than this.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { patience, ..self }
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
                Engine::Postgres(pools) => pools.ping().await,
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

    /// The file of a SQLite database, without links in its path.
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
    pub fn engine(&self) -> DatabaseKind {
        match &self.engine {
            Engine::Sqlite { .. } => DatabaseKind::Sqlite,
            Engine::Postgres(_) => DatabaseKind::Postgres,
        }
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&self.engine()).finish()
    }
}
