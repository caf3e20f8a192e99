//! The second guard: both engines have the same tables, columns, keys and indexes, save `search_grams`: a table of FTS5 on
//! SQLite, and one with a GIN index on PostgreSQL.

use std::collections::{BTreeMap, BTreeSet};

use l10n_server::store::Tx;
use l10n_server::testing::TestStore;
use sqlx::{PgConnection, Row as _, SqliteConnection};

/// The schema as sentences that mean the same on both engines, such as `keys: unique (project_id, ref)`.
type Schema = BTreeSet<String>;

/// Values by name, in the order of their places.
type InPlace<T> = BTreeMap<i64, T>;

/// Table, name, and whether it is primary, unique, partial.
type Index = (String, String, bool, bool, bool);

#[tokio::test(flavor = "multi_thread")]
async fn both_engines_have_one_schema() {
    let sqlite = schema(&TestStore::sqlite().await).await;
    assert!(sqlite.contains("keys: unique (project_id, ref)"), "{sqlite:#?}");
    assert!(sqlite.contains("keys: column 3 ref TEXT not null"), "{sqlite:#?}");
    assert!(sqlite.contains("keys: primary key (id)"), "{sqlite:#?}");
    assert!(sqlite.contains("translations: (key_id) refers to keys (id)"), "{sqlite:#?}");

    let Some(store) = TestStore::postgres().await else { return };
    let postgres = schema(&store).await;
    store.remove().await;
    let only_sqlite: Vec<_> = sqlite.difference(&postgres).collect();
    let only_postgres: Vec<_> = postgres.difference(&sqlite).collect();
    assert!(
        only_sqlite.is_empty() && only_postgres.is_empty(),
        "only on SQLite: {only_sqlite:#?}\nonly on PostgreSQL: {only_postgres:#?}"
    );
}

async fn schema(store: &TestStore) -> Schema {
    match store.begin_read().await.unwrap() {
        Tx::Sqlite(mut tx) => sqlite(&mut tx).await,
        Tx::Postgres(mut tx) => postgres(&mut tx).await,
    }
}

async fn sqlite(db: &mut SqliteConnection) -> Schema {
    let tables: Vec<(String, bool)> = sqlx::query_as(
        "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE '%sql%'",
    )
    .fetch_all(&mut *db)
    .await
    .unwrap();
    let mut schema = Schema::new();
    for (table, strict) in tables {
        assert!(strict, "the table {table} is not STRICT");
        let mut primary = BTreeMap::new();
        let columns = sqlx::query("SELECT cid, name, type, \"notnull\", pk FROM pragma_table_info($1)");
        for column in columns.bind(&table).fetch_all(&mut *db).await.unwrap() {
            let (name, ty): (String, String) = (column.get(1), column.get(2));
            let null = if column.get::<bool, _>(3) { "not null" } else { "null" };
            schema.insert(format!("{table}: column {} {name} {ty} {null}", column.get::<i64, _>(0) + 1));
            if column.get::<i64, _>(4) > 0 {
                primary.insert(column.get::<i64, _>(4), name);
            }
        }
        schema.insert(format!("{table}: primary key ({})", list(primary)));

        let indexes: Vec<(String, bool, bool)> =
            sqlx::query_as("SELECT name, \"unique\", partial FROM pragma_index_list($1) WHERE origin <> 'pk'")
                .bind(&table)
                .fetch_all(&mut *db)
                .await
                .unwrap();
        for (index, unique, partial) in indexes {
            let columns: Vec<(i64, String, bool)> =
                sqlx::query_as("SELECT seqno, name, \"desc\" FROM pragma_index_xinfo($1) WHERE key = 1")
                    .bind(&index)
                    .fetch_all(&mut *db)
                    .await
                    .unwrap();
            let columns =
                columns.into_iter().map(|(place, name, down)| (place, name + if down { " desc" } else { "" }));
            schema.insert(index_sentence(&table, unique, partial, columns.collect()));
        }

        let mut keys: BTreeMap<(i64, String), BTreeMap<i64, (String, String)>> = BTreeMap::new();
        let references = sqlx::query("SELECT id, \"table\", seq, \"from\", \"to\" FROM pragma_foreign_key_list($1)");
        for row in references.bind(&table).fetch_all(&mut *db).await.unwrap() {
            keys.entry((row.get(0), row.get(1))).or_default().insert(row.get(2), (row.get(3), row.get(4)));
        }
        schema.extend(keys.into_iter().map(|((_, target), columns)| reference_sentence(&table, &target, columns)));
    }
    schema
}

async fn postgres(db: &mut PgConnection) -> Schema {
    let mut schema = Schema::new();
    let columns = sqlx::query(
        "SELECT table_name::TEXT, ordinal_position::BIGINT, column_name::TEXT, data_type::TEXT, is_nullable::TEXT, \
         collation_name::TEXT FROM information_schema.columns \
         WHERE table_schema = 'public' AND table_name NOT IN ('_sqlx_migrations', 'search_grams')",
    );
    for row in columns.fetch_all(&mut *db).await.unwrap() {
        let (table, name): (String, String) = (row.get(0), row.get(2));
        let ty = match row.get::<&str, _>(3) {
            "bigint" | "boolean" => "INTEGER",
            "bytea" => "BLOB",
            "text" => {
                assert_eq!(row.get::<Option<&str>, _>(5), Some("C"), "{table}.{name} does not sort by bytes");
                "TEXT"
            }
            other => panic!("{table}.{name} is of type {other}, which SQLite has no like of"),
        };
        let null = if row.get::<&str, _>(4) == "NO" { "not null" } else { "null" };
        schema.insert(format!("{table}: column {} {name} {ty} {null}", row.get::<i64, _>(1)));
    }

    let mut indexes: BTreeMap<Index, InPlace<String>> = BTreeMap::new();
    let parts = sqlx::query(
        "SELECT t.relname::TEXT, c.relname::TEXT, i.indisprimary, i.indisunique, i.indpred IS NOT NULL, k.place, \
         a.attname::TEXT || CASE WHEN i.indoption[(k.place - 1)::INT] & 1 = 1 THEN ' desc' ELSE '' END \
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid \
         CROSS JOIN LATERAL unnest(i.indkey::INT2[]) WITH ORDINALITY k (number, place) \
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number AND k.place <= i.indnkeyatts \
         WHERE t.relnamespace = 'public'::REGNAMESPACE AND t.relname NOT IN ('_sqlx_migrations', 'search_grams')",
    );
    for row in parts.fetch_all(&mut *db).await.unwrap() {
        let index = (row.get(0), row.get(1), row.get(2), row.get(3), row.get(4));
        indexes.entry(index).or_default().insert(row.get(5), row.get(6));
    }
    for ((table, _, primary, unique, partial), columns) in indexes {
        schema.insert(if primary {
            format!("{table}: primary key ({})", list(columns))
        } else {
            index_sentence(&table, unique, partial, columns)
        });
    }

    let mut keys: BTreeMap<(String, String, String), InPlace<(String, String)>> = BTreeMap::new();
    let references = sqlx::query(
        "SELECT t.relname::TEXT, c.conname::TEXT, f.relname::TEXT, k.place, a.attname::TEXT, b.attname::TEXT \
         FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class f ON f.oid = c.confrelid \
         CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY k (own, other, place) \
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.own \
         JOIN pg_attribute b ON b.attrelid = f.oid AND b.attnum = k.other \
         WHERE c.contype = 'f' AND t.relnamespace = 'public'::REGNAMESPACE",
    );
    for row in references.fetch_all(&mut *db).await.unwrap() {
        let key = (row.get(0), row.get(1), row.get(2));
        keys.entry(key).or_default().insert(row.get(3), (row.get(4), row.get(5)));
    }
    schema.extend(keys.into_iter().map(|((table, _, target), columns)| reference_sentence(&table, &target, columns)));
    schema
}

fn index_sentence(table: &str, unique: bool, partial: bool, columns: BTreeMap<i64, String>) -> String {
    let kind = if unique { "unique" } else { "index" };
    format!("{table}: {kind} ({}){}", list(columns), if partial { " of some rows" } else { "" })
}

fn reference_sentence(table: &str, target: &str, columns: BTreeMap<i64, (String, String)>) -> String {
    let (own, other): (Vec<_>, Vec<_>) = columns.into_values().unzip();
    format!("{table}: ({}) refers to {target} ({})", own.join(", "), other.join(", "))
}

fn list(columns: BTreeMap<i64, String>) -> String {
    columns.into_values().collect::<Vec<_>>().join(", ")
}
