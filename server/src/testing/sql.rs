//! Statements that a test alone needs.

use std::pin::pin;
use std::time::Duration;

use sqlx::AssertSqlSafe;

use crate::store::{Store, Tx};

/// The number of these rows: a table, and perhaps a condition.
pub async fn count(store: &Store, rows: &str) -> i64 {
    number(store, &format!("SELECT COUNT(*) FROM {rows}")).await
}

/// The number that a statement finds.
pub async fn number(store: &Store, statement: &str) -> i64 {
    let statement = AssertSqlSafe(statement.to_owned());
    let found = match store.begin_read().await.expect("the database can be read") {
        Tx::Sqlite(mut tx) => sqlx::query_scalar(statement).fetch_one(&mut *tx).await,
        Tx::Postgres(mut tx) => sqlx::query_scalar(statement).fetch_one(&mut *tx).await,
    };
    found.expect("the statement finds a number")
}

/// Runs a script of statements in one transaction.
pub async fn run(store: &Store, script: &str) {
    begin(store, script).await.commit().await.expect("the script is committed");
}

/// Runs a script of statements in a PostgreSQL transaction that is under way when `work` begins, and is committed once
/// `work` waits for it.
///
/// # Panics
///
/// Panics if `work` ends without waiting.
pub async fn run_beside<T>(store: &Store, script: &str, work: impl Future<Output = T>) -> T {
    let tx = begin(store, script).await;
    let mut work = pin!(work);
    tokio::select! {
        _ = &mut work => panic!("the work did not wait for the script"),
        () = somebody_waits(store) => {}
    }
    tx.commit().await.expect("the script is committed");
    work.await
}

/// Returns once a transaction waits for a lock of another one in a PostgreSQL database.
pub async fn somebody_waits(store: &Store) {
    let waiting = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while count(store, waiting).await == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Begins a transaction with a script of statements.
pub async fn begin(store: &Store, script: &str) -> Tx {
    let script = AssertSqlSafe(script.to_owned());
    let mut tx = store.begin_write().await.expect("the database can be written to");
    let done = match &mut tx {
        Tx::Sqlite(tx) => sqlx::raw_sql(script).execute(&mut **tx).await.map(drop),
        Tx::Postgres(tx) => sqlx::raw_sql(script).execute(&mut **tx).await.map(drop),
    };
    done.expect("the script runs");
    tx
}
