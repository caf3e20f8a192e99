//! The first guard: every declared statement can be prepared on both engines.

use l10n_server::store::Tx;
use l10n_server::store::statements::{self, Declared};
use l10n_server::testing::TestStore;
use sqlx::{AssertSqlSafe, Executor as _, SqlSafeStr as _};

async fn every_declared_statement_can_be_prepared(store: TestStore) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, statement) in statements::all() {
        count += 1;
        let texts = match statement {
            Declared::Sql(sql) => vec![(sql.sqlite.to_owned(), sql.postgres.to_owned())],
            Declared::Values(values) => {
                [1, 2, values.batch()].into_iter().map(|rows| (values.text(rows), values.text(rows))).collect()
            }
        };
        for (sqlite, postgres) in texts {
            // A transaction each: on PostgreSQL the first error ends it.
            let prepared = match store.begin_write().await.unwrap() {
                Tx::Sqlite(mut tx) => tx.prepare(AssertSqlSafe(sqlite).into_sql_str()).await.map(drop),
                Tx::Postgres(mut tx) => tx.prepare(AssertSqlSafe(postgres).into_sql_str()).await.map(drop),
            };
            if let Err(error) = prepared {
                wrong.push(format!("{name}: {error}"));
                break;
            }
        }
    }
    assert!(count > 20, "only {count} statements were enumerated");
    assert_eq!(wrong, Vec::<String>::new());
}

l10n_server::both_engines!(every_declared_statement_can_be_prepared);
