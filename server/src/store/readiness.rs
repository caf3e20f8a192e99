//! The readiness of the datastore for writes: asked by `/readyz`, over a connection of its own, so that the answer does
//! not depend on the number of waiting requests.

use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tokio::time::timeout;

use super::engine::{Engine, Store};

/// Longest wait for the datastore's answer.
const READINESS_TIMEOUT: Duration = Duration::from_millis(1_500);

/// Least free space, in bytes, on the disk of a SQLite file. With less the next large write may fail, and so may the log of
/// the database.
const LEAST_FREE_SPACE: u64 = 16 << 20;

/// The reason why the datastore takes no writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotReady {
    /// It does not answer.
    Away,
    /// The disk is full, or nearly.
    DiskFull,
    /// Another process has locked the file.
    Locked,
    /// The file, or the server, is read-only.
    ReadOnly,
    /// Anything else.
    Failing,
}

impl NotReady {
    /// For people and machines.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Away => "datastore_away",
            Self::DiskFull => "disk_full",
            Self::Locked => "datastore_locked",
            Self::ReadOnly => "datastore_read_only",
            Self::Failing => "datastore_failing",
        }
    }

    fn of(error: &sqlx::Error) -> Self {
        let Some(code) = error.as_database_error().and_then(|error| error.code()) else { return Self::Away };
        // SQLite says numbers, the low byte being the kind; PostgreSQL five characters.
        match code.parse::<i32>().map(|code| code & 0xff) {
            Ok(5 | 6) if code.len() < 5 => Self::Locked,
            Ok(8) if code.len() < 5 => Self::ReadOnly,
            Ok(13) if code.len() < 5 => Self::DiskFull,
            _ => match &*code {
                "25006" => Self::ReadOnly,
                "53100" => Self::DiskFull,
                // The server ends, has crashed, or does not take connections yet.
                "57P01" | "57P02" | "57P03" => Self::Away,
                _ => Self::Failing,
            },
        }
    }
}

/// The time at which this process last began a write on SQLite.
#[derive(Debug)]
pub(super) struct LastWrite(Mutex<Instant>);

impl Default for LastWrite {
    fn default() -> Self {
        Self(Mutex::new(Instant::now()))
    }
}

impl LastWrite {
    pub(super) fn now(&self) {
        *self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Instant::now();
    }

    fn elapsed(&self) -> Duration {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).elapsed()
    }
}

/// The options of a connection that checks if the file takes writes, without waiting for the holders of its lock.
pub(super) fn probe(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options.busy_timeout(Duration::ZERO).create_if_missing(false)
}

impl Store {
    /// Returns success if the datastore takes writes at present. A locked file counts as ready while this process
    /// itself has begun a write within `locked_for`: then its own writes hold the lock.
    ///
    /// # Errors
    ///
    /// Returns the reason why it does not.
    pub async fn ready(&self, locked_for: Duration) -> Result<(), NotReady> {
        let answer = async {
            match &self.engine {
                Engine::Sqlite { probe, last_write, .. } => match write_nothing(probe).await {
                    Ok(()) => has_space(probe).await,
                    Err(NotReady::Locked) if last_write.elapsed() < locked_for => Ok(()),
                    answer => answer,
                },
                Engine::Postgres(pools) => ask(&pools.brief.connect_options()).await,
            }
        };
        timeout(READINESS_TIMEOUT, answer).await.unwrap_or(Err(NotReady::Away))
    }
}

/// A write that changes nothing, down to the disk.
async fn write_nothing(probe: &SqliteConnectOptions) -> Result<(), NotReady> {
    let written = async {
        let mut connection = probe.connect().await?;
        let mut tx = connection.begin_with("BEGIN IMMEDIATE").await?;
        // Nothing else uses this number; writing it makes a page that has to be stored.
        sqlx::query("PRAGMA user_version = 0").execute(&mut *tx).await?;
        tx.commit().await?;
        connection.close().await
    };
    written.await.map_err(|error| NotReady::of(&error))
}

/// A write into space that the file's log already has succeeds on a full disk, so the disk is asked, too.
async fn has_space(probe: &SqliteConnectOptions) -> Result<(), NotReady> {
    let file = probe.get_filename().to_owned();
    // A disk behind a network may take its time.
    let free = tokio::task::spawn_blocking(move || free_space(&file)).await.ok().flatten();
    if free.is_some_and(|free| free < LEAST_FREE_SPACE) { Err(NotReady::DiskFull) } else { Ok(()) }
}

/// Free bytes for this user on the disk of a file, where the system tells.
#[cfg(unix)]
fn free_space(file: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(file).ok()?;
    Some(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
const fn free_space(_: &Path) -> Option<u64> {
    None
}

/// Asks over a connection of its own.
async fn ask(options: &PgConnectOptions) -> Result<(), NotReady> {
    let asked = async {
        let mut connection = options.connect().await?;
        let (read_only,): (String,) =
            sqlx::query_as("SELECT current_setting('transaction_read_only')").fetch_one(&mut connection).await?;
        // Whether it is closed in order does not change the answer.
        let _ = connection.close().await;
        Ok(read_only == "on")
    };
    match asked.await {
        Ok(false) => Ok(()),
        Ok(true) => Err(NotReady::ReadOnly),
        Err(error) => Err(NotReady::of(&error)),
    }
}
