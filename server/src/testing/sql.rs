//! Statements that a test alone needs.

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
    let script = AssertSqlSafe(script.to_owned());
    let mut tx = store.begin_write().await.expect("the database can be written to");
    let done = match &mut tx {
        Tx::Sqlite(tx) => sqlx::raw_sql(script).execute(&mut **tx).await.map(drop),
        Tx::Postgres(tx) => sqlx::raw_sql(script).execute(&mut **tx).await.map(drop),
    };
    done.expect("the script runs");
    tx.commit().await.expect("the script is committed");
}
