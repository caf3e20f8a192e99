//! The first guard: every declared statement can be prepared on both engines, and finds its rows by an index.

use l10n_server::store::Tx;
use l10n_server::store::statements::{self, DeclaredStatement};
use l10n_server::testing::TestStore;
use sqlx::{AssertSqlSafe, Executor as _, SqlSafeStr as _};

async fn every_declared_statement_can_be_prepared(store: TestStore) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, statement) in statements::all() {
        count += 1;
        let texts = match statement {
            DeclaredStatement::Sql(sql) => vec![(sql.sqlite.to_owned(), sql.postgres.to_owned())],
            DeclaredStatement::Values(values) => {
                [1, 2, values.batch()].into_iter().map(|rows| (values.sqlite(rows), values.postgres(rows))).collect()
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

/// Tables that grow with a project's keys, its history, or the number of workspaces.
const GROWING: [&str; 16] = [
    "keys",
    "translations",
    "memory",
    "ledger",
    "workspace_months",
    "holds",
    "jobs",
    "job_chunks",
    "job_failures",
    "versions",
    "version_files",
    "blobs",
    "projects",
    "webhooks",
    "events",
    "deliveries",
];

/// A sync of a small file must not grow slower with the keys that other files brought: no statement reads a whole table.
#[tokio::test(flavor = "multi_thread")]
async fn no_statement_reads_a_whole_table_that_grows() {
    let store = TestStore::sqlite().await;
    let Tx::Sqlite(mut tx) = store.begin_read().await.unwrap() else { unreachable!("the store is on SQLite") };
    let mut whole = Vec::new();
    for (name, statement) in statements::all() {
        let text = match statement {
            DeclaredStatement::Sql(sql) => sql.sqlite.to_owned(),
            DeclaredStatement::Values(values) => values.sqlite(2),
        };
        let plan = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {text}")));
        let steps: Vec<(i64, i64, i64, String)> = plan.fetch_all(&mut *tx).await.unwrap();
        for (_, _, _, step) in steps {
            println!("{name}: {step}");
            let scanned = step.strip_prefix("SCAN ").and_then(|rest| rest.split(' ').next());
            // An alias is the first letter of its table, and a number that of rows bound.
            let is_alias = |table: &str| table.len() == 1 && table != "w" && !table.starts_with(char::is_numeric);
            let grows = |table: &str| GROWING.contains(&table) || is_alias(table);
            if scanned.is_some_and(grows) {
                whole.push(format!("{name}: {step}"));
            }
        }
    }
    assert_eq!(whole, Vec::<String>::new());
}

/// A page without an order is any rows: who goes on after its last one never sees those that sort before it.
#[test]
fn every_statement_with_a_limit_says_in_which_order() {
    let mut wrong = Vec::new();
    for (name, statement) in statements::all() {
        let texts = match statement {
            DeclaredStatement::Sql(sql) => [sql.sqlite.to_owned(), sql.postgres.to_owned()],
            DeclaredStatement::Values(values) => [values.sqlite(2), values.postgres(2)],
        };
        wrong.extend(texts.iter().filter(|text| limits_without_order(text)).map(|text| format!("{name}: {text}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(limits_without_order("SELECT a FROM t LIMIT 1"));
    assert!(limits_without_order("SELECT a FROM (SELECT a FROM t LIMIT 9) p ORDER BY a LIMIT 1"));
    assert!(limits_without_order("SELECT a FROM (SELECT a FROM t ORDER BY a) p LIMIT 1"));
    assert!(!limits_without_order(
        "SELECT a FROM (SELECT a FROM t WHERE b IN (1) ORDER BY a LIMIT 9) p ORDER BY a LIMIT 1"
    ));
}

/// Returns true if a SELECT, at any level of parentheses, has `LIMIT` without a preceding `ORDER BY`.
fn limits_without_order(text: &str) -> bool {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut ordered = vec![false];
    let mut words = spaced.split_whitespace().peekable();
    while let Some(word) = words.next() {
        match word {
            "(" => ordered.push(false),
            ")" => drop(ordered.pop()),
            "ORDER" if words.peek() == Some(&"BY") => {
                if let Some(level) = ordered.last_mut() {
                    *level = true;
                }
            }
            // Rows that are all alike have no order: they are counted.
            "SELECT" if words.peek() == Some(&"1") => {
                if let Some(level) = ordered.last_mut() {
                    *level = true;
                }
            }
            "LIMIT" if ordered.last() != Some(&true) => return true,
            _ => {}
        }
    }
    false
}

/// Every key is in the index by `ref`; one by its state as well would cost each of a million keys 135 bytes.
#[tokio::test(flavor = "multi_thread")]
async fn captured_keys_alone_are_indexed_by_their_state() {
    let store = TestStore::sqlite().await;
    let Tx::Sqlite(mut tx) = store.begin_read().await.unwrap() else { unreachable!("the store is on SQLite") };
    let indexes = "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'keys' AND sql LIKE '%state%'";
    let indexes: Vec<String> = sqlx::query_scalar(indexes).fetch_all(&mut *tx).await.unwrap();
    assert!(!indexes.is_empty() && indexes.iter().all(|sql| sql.contains("WHERE state = 'captured'")), "{indexes:?}");
    let (_, statement) = statements::all().find(|(name, _)| name == "keys::CAPTURED").unwrap();
    let DeclaredStatement::Sql(sql) = statement else { unreachable!("it is one text") };
    let plan = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", sql.sqlite)));
    let steps: Vec<(i64, i64, i64, String)> = plan.fetch_all(&mut *tx).await.unwrap();
    assert!(steps.iter().any(|(.., step)| step.contains("keys_captured")), "{steps:?}");
}
