//! Counts of rows, of every table that there is.

use std::collections::BTreeMap;

use l10n_server::store::{Tx, glossary_checks};
use l10n_server::testing::TestApp;
use sqlx::AssertSqlSafe;

/// Waits until what is translated has been held against glossaries that have changed.
pub(crate) async fn checked(app: &TestApp) {
    loop {
        let mut tx = app.service.store.begin_read().await.unwrap();
        let next = glossary_checks::next(&mut tx, "").await.unwrap();
        tx.rollback().await.unwrap();
        if next.is_none() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// The number of rows of each table, once the index of texts and the check of glossaries have come to the end of their work.
pub(crate) async fn rows(app: &TestApp) -> BTreeMap<String, i64> {
    app.indexed().await;
    checked(app).await;
    let mut tx = app.service.store.begin_read().await.unwrap();
    let tables: Vec<String> = match &mut tx {
        Tx::Sqlite(tx) => {
            let sql =
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE '%sql%'";
            sqlx::query_scalar(sql).fetch_all(&mut **tx).await.unwrap()
        }
        Tx::Postgres(tx) => {
            let sql = "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema() \
                AND tablename NOT LIKE '%sqlx%'";
            sqlx::query_scalar(sql).fetch_all(&mut **tx).await.unwrap()
        }
    };
    assert!(tables.len() > 30, "{tables:?}");
    let mut rows = BTreeMap::new();
    for table in tables {
        let sql = AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"));
        let count: i64 = match &mut tx {
            Tx::Sqlite(tx) => sqlx::query_scalar(sql).fetch_one(&mut **tx).await.unwrap(),
            Tx::Postgres(tx) => sqlx::query_scalar(sql).fetch_one(&mut **tx).await.unwrap(),
        };
        rows.insert(table, count);
    }
    rows
}
