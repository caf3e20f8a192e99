//! A database as a whole: copies of it, and whether a place is empty.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::StoreError;

/// Time that the copy waits for another process that has locked the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Writes the SQLite database `from`, as it is at one moment, to the empty file `to`. Other processes read and write `from`
/// meanwhile.
///
/// # Errors
///
/// Returns an error if `from` is not a database or cannot be read, or if `to` cannot be written.
pub(crate) async fn copy_sqlite(from: &Path, to: &Path) -> Result<(), StoreError> {
    let to = to.to_str().ok_or_else(|| StoreError::Location(format!("{} is not UTF-8", to.display())))?;
    let options = SqliteConnectOptions::new().filename(from).create_if_missing(false).busy_timeout(BUSY_TIMEOUT);
    let mut connection = options.connect().await?;
    // What is deleted stands in no copy, and what lies scattered stands together.
    sqlx::query("VACUUM INTO $1").bind(to).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// Lists the reasons why a file cannot be restored as a SQLite database of this service.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub(crate) async fn sqlite_faults(file: &Path) -> Result<Vec<String>, StoreError> {
    let mut connection = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true).connect().await?;
    let faults = faults_of(&mut connection).await;
    connection.close().await?;
    faults
}

async fn faults_of(connection: &mut SqliteConnection) -> Result<Vec<String>, StoreError> {
    const MIGRATED: &str = "SELECT COUNT(*) FROM sqlite_schema WHERE name IN ('_sqlx_migrations', 'workspaces')";
    let integrity: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check(20)").fetch_all(&mut *connection).await?;
    let mut faults: Vec<String> = integrity.into_iter().filter(|line| line != "ok").collect();
    let tables: i64 = sqlx::query_scalar(MIGRATED).fetch_one(connection).await?;
    if tables != 2 {
        faults.push("it is not a database of this server".to_owned());
    }
    Ok(faults)
}

/// A PostgreSQL database's own facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PostgresPlace {
    /// Major version of the server.
    pub major: u32,
    /// Tables in it, each as SCHEMA.TABLE.
    pub tables: BTreeSet<String>,
    /// Connections of servers of this service.
    pub connections: i64,
}

/// Asks a PostgreSQL database about itself.
///
/// # Errors
///
/// Returns an error if it does not answer.
pub(crate) async fn postgres_place(url: &str) -> Result<PostgresPlace, StoreError> {
    const MAJOR: &str = "SELECT CAST(current_setting('server_version_num') AS BIGINT) / 10000";
    const TABLES: &str = "SELECT n.nspname || '.' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
        WHERE c.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg!_%' ESCAPE '!'";
    const CONNECTIONS: &str = "SELECT COUNT(*) FROM pg_stat_activity \
        WHERE datname = current_database() AND application_name = 'l10n-server'";
    let options = PgConnectOptions::from_str(url).map_err(|error| StoreError::Location(error.to_string()))?;
    let mut connection = options.connect().await?;
    let major: i64 = sqlx::query_scalar(MAJOR).fetch_one(&mut connection).await?;
    let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut connection).await?;
    let place = PostgresPlace {
        major: u32::try_from(major).unwrap_or_default(),
        tables: tables.into_iter().collect(),
        connections: sqlx::query_scalar(CONNECTIONS).fetch_one(&mut connection).await?,
    };
    connection.close().await?;
    Ok(place)
}
