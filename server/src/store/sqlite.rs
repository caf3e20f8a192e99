//! Opening of a SQLite database: its writer, its readers, and what is asked of the file.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, SqliteConnection, SqlitePool};

use super::StoreError;
use super::checkpoints::{Checkpoints, LARGEST_LOG};
use super::engine::{ACQUIRE_TIMEOUT, Engine};
use super::readiness;
use super::wal::Wal;

/// Time that SQLite waits for another process (`provision` and `keys` work beside a running server).
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);
const READERS: u32 = 8;
/// Statements that a connection keeps prepared: those of the usual routes, and for lists and inserts one for each power of two.
const PREPARED: usize = 300;
/// KiB, negative as SQLite has it: what a large transaction changes stays in memory until it is committed.
const WRITER_CACHE: &str = "-8000";
/// Each reader keeps its own for ever; the system caches the file for all of them.
const READER_CACHE: &str = "-2000";

/// True if SQLite stores of this process skip syncs, see [`skip_syncs`].
#[cfg(feature = "testing")]
static SKIPS_SYNCS: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Lets the SQLite stores that this process opens from now on do without syncs: for tests, many of which run on one disk
/// and none of which loses power.
#[cfg(feature = "testing")]
pub(crate) fn skip_syncs() {
    SKIPS_SYNCS.store(true, std::sync::atomic::Ordering::SeqCst);
}

/// The options, and whether a file that is missing is made.
pub(super) fn parse(url: &str) -> Result<(SqliteConnectOptions, bool), StoreError> {
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

/// Opens the database; `makes` says that a missing file is made.
pub(super) async fn connect(options: SqliteConnectOptions, makes: bool) -> Result<Engine, StoreError> {
    #[cfg(feature = "testing")]
    let skips = SKIPS_SYNCS.load(std::sync::atomic::Ordering::SeqCst);
    #[cfg(not(feature = "testing"))]
    let skips = false;
    open(options, makes, skips).await
}

/// Opens the database; with `skips_syncs` no commit waits for the disk.
async fn open(options: SqliteConnectOptions, makes: bool, skips_syncs: bool) -> Result<Engine, StoreError> {
    check_folder(options.get_filename())?;
    if makes {
        make_private(options.get_filename())?;
    }
    // SQLite puts its log beside the file itself, whatever links name it.
    let file = without_links(options.get_filename())?;
    let wal = Wal::of(&file, skips_syncs);
    let options = options
        .filename(file)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        // Commits are made durable by `Wal`.
        .synchronous(SqliteSynchronous::Normal)
        .pragma("temp_store", "memory")
        .pragma("journal_size_limit", "67108864")
        .row_buffer_size(512)
        .statement_cache_capacity(PREPARED);
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
    let readers = pool().max_connections(READERS).connect_lazy_with(readers);
    let (queue, last_write) = (Arc::default(), Arc::default());
    Ok(Engine::Sqlite { writer, queue, readers, probe, last_write, wal, checkpoints })
}

/// Returns true if a connection can begin a transaction. SQLite itself rolls back if the disk is full or fails; the driver
/// does not notice and treats the transaction as open for ever, so such a connection is given up.
async fn is_between_transactions(connection: &mut SqliteConnection) -> sqlx::Result<bool> {
    if connection.is_in_transaction() {
        // A rollback may still be on its way; it comes before the answer to this.
        connection.ping().await?;
    }
    Ok(!connection.is_in_transaction())
}

/// Opens the writer. Several processes that turn a new file to WAL mode at once meet an error that SQLite's own busy
/// timeout does not cover.
async fn open_first(writer: &SqlitePool) -> Result<(), StoreError> {
    let started = Instant::now();
    loop {
        let error = match writer.acquire().await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        if !is_busy(&error) || started.elapsed() > BUSY_TIMEOUT {
            return Err(StoreError::from(error));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn is_busy(error: &sqlx::Error) -> bool {
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

/// Makes a missing database file for its owner alone, also where a link names it: SQLite would make it readable for everyone.
/// SQLite gives the files that it makes beside it the same permissions.
fn make_private(file: &Path) -> Result<(), StoreError> {
    if file.exists() {
        return Ok(());
    }
    let mut options = std::fs::OpenOptions::new();
    // Another process may have made it by now, which is all the same.
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let made = options.open(file).map(drop);
    made.map_err(|error| StoreError::Location(format!("the database {} cannot be made: {error}", file.display())))
}

fn without_links(file: &Path) -> Result<PathBuf, StoreError> {
    let found = file.canonicalize();
    found.map_err(|error| StoreError::Location(format!("the database {} cannot be opened: {error}", file.display())))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// Opens the database that a link names, in a folder of its own, and commits once.
    async fn commit_through(link: &Path) -> (SqlitePool, Wal) {
        let options = SqliteConnectOptions::new().filename(link).create_if_missing(true);
        let Engine::Sqlite { writer, wal, .. } = open(options, true, false).await.unwrap() else {
            panic!("the database is on SQLite")
        };
        sqlx::query("CREATE TABLE t (x INTEGER)").execute(&writer).await.unwrap();
        wal.settle().await.unwrap();
        (writer, wal)
    }

    #[tokio::test]
    async fn a_commit_is_synced_where_a_link_names_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let (link, file) = (folder.path().join("link.db"), folder.path().join("data/l10n.db"));
        std::fs::create_dir(folder.path().join("data")).unwrap();
        std::fs::write(&file, b"").unwrap();
        symlink(&file, &link).unwrap();
        let (writer, wal) = commit_through(&link).await;
        assert!(folder.path().join("data/l10n.db-wal").exists() && !folder.path().join("link.db-wal").exists());
        assert_eq!(wal.synced(), 1);
        writer.close().await;
    }

    #[tokio::test]
    async fn a_file_that_a_dangling_link_names_is_made_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link.db");
        std::fs::create_dir(folder.path().join("data")).unwrap();
        symlink("data/l10n.db", &link).unwrap();
        let (writer, _) = commit_through(&link).await;
        for name in ["l10n.db", "l10n.db-wal", "l10n.db-shm"] {
            let made = folder.path().join("data").join(name).metadata().unwrap();
            assert_eq!(made.permissions().mode() & 0o777, 0o600, "{name}");
        }
        assert!(link.is_symlink());
        writer.close().await;
    }
}
