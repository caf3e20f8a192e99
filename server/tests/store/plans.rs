//! The query plans of key pages on both engines.

use l10n_api_types::{Millicredits, Timestamp};
use l10n_server::domain::search;
use l10n_server::store::statements::{self, DeclaredStatement};
use l10n_server::store::{Store, Tx, workspace_months};
use l10n_server::testing::TestStore;
use sqlx::AssertSqlSafe;

use crate::fixtures::{project, run, workspace};

/// Each statement with what its plan says on SQLite, in this order.
const SQLITE: [(&str, &[&str]); 10] = [
    ("PAGE", &["SEARCH k USING INDEX sqlite_autoindex_keys_2 (project_id=? AND ref>? AND ref<?)"]),
    ("PAGE_OF_ALL", &["SEARCH k USING INDEX sqlite_autoindex_keys_2 (project_id=? AND ref>? AND ref<?)"]),
    (
        "PAGE_OF_NAMESPACE",
        &["SEARCH k USING INDEX keys_by_namespace (project_id=? AND namespace=? AND ref>? AND ref<?)"],
    ),
    (
        "PAGE_BY_STATE",
        &[
            "SEARCH l USING PRIMARY KEY (project_id=?)",
            "SEARCH t USING COVERING INDEX translations_by_language (project_id=? AND language=? AND state=?)",
            "SCAN found",
            "SEARCH k USING INDEX sqlite_autoindex_keys_1 (id=?)",
        ],
    ),
    (
        "PAGE_BY_STALE",
        &[
            "SEARCH l USING PRIMARY KEY (project_id=?)",
            "SEARCH t USING COVERING INDEX translations_stale (project_id=? AND language=?)",
            "SCAN found",
            "SEARCH k USING INDEX sqlite_autoindex_keys_1 (id=?)",
        ],
    ),
    (
        "PAGE_BY_TIME",
        &[
            "SEARCH t USING COVERING INDEX translations_by_time (project_id=? AND updated_at>?)",
            "SEARCH c USING INDEX keys_by_time (project_id=? AND updated_at>?)",
            "SCAN found",
            "SEARCH k USING INDEX sqlite_autoindex_keys_1 (id=?)",
        ],
    ),
    (
        "PAGE_BY_QUERY",
        &[
            "SCAN search_grams VIRTUAL TABLE INDEX",
            "SEARCH s USING INTEGER PRIMARY KEY (rowid=?)",
            "SEARCH search_marks USING PRIMARY KEY (project_id=?)",
            "SCAN found",
            "SEARCH k USING INDEX sqlite_autoindex_keys_1 (id=?)",
        ],
    ),
    ("OF_STATE", &["SEARCH t USING COVERING INDEX translations_by_language (project_id=? AND language=? AND state=?)"]),
    ("STALE", &["SEARCH t USING COVERING INDEX translations_stale (project_id=? AND language=?)"]),
    ("CHANGED", &["SEARCH t USING COVERING INDEX translations_by_time (project_id=? AND updated_at>?)"]),
];

fn statement(name: &str) -> (&'static str, &'static str) {
    let name = format!("key_pages::{name}");
    match statements::all().find(|(found, _)| *found == name) {
        Some((_, DeclaredStatement::Sql(sql))) => (sql.sqlite, sql.postgres),
        other => panic!("{name} is declared as {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_a_page_begins_at_its_first_key_or_with_the_few_that_a_filter_finds() {
    let store = TestStore::sqlite().await;
    let Tx::Sqlite(mut tx) = store.begin_read().await.unwrap() else { unreachable!("the store is on SQLite") };
    for (name, expected) in SQLITE {
        let plan = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", statement(name).0)));
        let steps: Vec<(i64, i64, i64, String)> = plan.fetch_all(&mut *tx).await.unwrap();
        let steps: Vec<String> = steps.into_iter().map(|(.., step)| step).collect();
        let mut rest = steps.iter();
        for wanted in expected {
            assert!(rest.any(|step| step.starts_with(wanted)), "{name} has no `{wanted}` in its place: {steps:#?}");
        }
        if expected.len() == 1 {
            assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{name} sorts: {steps:#?}");
        }
    }
}

/// Lists that go back in time, each with the index that it is read by.
const BACK_IN_TIME: [(&str, &str); 7] = [
    ("audit_log::LIST", "SEARCH a USING INDEX audit_log_of_workspace (workspace_id=? AND created_at"),
    (
        "audit_log::LIST_OF_ACTOR",
        "SEARCH a USING INDEX audit_log_by_actor (workspace_id=? AND actor_id=? AND created_at",
    ),
    (
        "audit_log::LIST_OF_ACTION",
        "SEARCH a USING INDEX audit_log_by_action (workspace_id=? AND action=? AND created_at",
    ),
    ("ledger::LIST", "SEARCH l USING INDEX ledger_by_workspace (workspace_id=? AND created_at"),
    ("ledger::LIST_OF_KIND", "SEARCH l USING INDEX ledger_by_kind (workspace_id=? AND kind=? AND created_at"),
    (
        "ledger::LIST_OF_PROJECT",
        "SEARCH l USING INDEX ledger_by_project (workspace_id=? AND project_id=? AND created_at",
    ),
    (
        "ledger::LIST_OF_PROJECT_AND_KIND",
        "SEARCH l USING INDEX ledger_by_project (workspace_id=? AND project_id=? AND created_at",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn on_sqlite_lists_that_go_back_in_time_begin_at_their_place() {
    let store = TestStore::sqlite().await;
    let Tx::Sqlite(mut tx) = store.begin_read().await.unwrap() else { unreachable!("the store is on SQLite") };
    for (name, expected) in BACK_IN_TIME {
        let found = statements::all().find(|(found, _)| *found == name);
        let Some((_, DeclaredStatement::Sql(sql))) = found else { panic!("{name} is declared as {found:?}") };
        let plan = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", sql.sqlite)));
        let steps: Vec<(i64, i64, i64, String)> = plan.fetch_all(&mut *tx).await.unwrap();
        let first = steps.first().map(|(.., step)| step.as_str()).unwrap_or_default();
        assert!(first.starts_with(expected), "{name}: {steps:#?}");
        // Entries of the same millisecond at most are sorted.
        assert!(!steps.iter().any(|(.., step)| step == "USE TEMP B-TREE FOR ORDER BY"), "{name} sorts: {steps:#?}");
    }
}

/// 20,000 keys in two languages, a few of their translations stale, to be reviewed, and new.
async fn fill(store: &Store) {
    let mut tx = store.begin_write().await.unwrap();
    project(&mut tx, "app").await;
    tx.commit().await.unwrap();
    let statements = [
        "INSERT INTO languages SELECT 'prj_app', code, code = 'en', 0, 0 FROM unnest(ARRAY['en', 'de', 'fr']) code",
        "INSERT INTO keys SELECT 'str_' || md5(n::TEXT), 'prj_app', 'menu.' || lpad(n::TEXT, 6, '0'), \
            CASE WHEN n % 2000 = 7 THEN 'web' END, NULL, n, '\"x\"', '\\x00', 1, NULL, NULL, NULL, 'active', 0, n / 19990 \
            FROM generate_series(1, 20000) n",
        "INSERT INTO translations SELECT k.id, l.code, 'prj_app', '\"x\"', \
            CASE WHEN k.position % 1999 = 3 THEN 'needs_review' ELSE 'translated' END, '\\x00', k.position % 1999 = 5, \
            'machine', NULL, '[]', k.position / 19990 FROM keys k, languages l WHERE l.code <> 'en'",
        "ANALYZE",
    ];
    run(store, &statements.map(str::to_owned)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_no_page_reads_the_keys_of_another() {
    let Some(store) = TestStore::postgres().await else { return };
    fill(&store).await;
    let none = ["NULL"; 6];
    let page = |filters: [&str; 6]| {
        format!("'prj_app', 'menu.015000', 'menu.015000', 'menu/', 101, {}, {}", filters.join(", "), 0).replacen(
            ", NULL, 0",
            ", 0",
            1,
        )
    };
    let with = |place: usize, value: &'static str| {
        let mut filters = none;
        filters[place] = value;
        page(filters)
    };
    // Namespace, since, language, state, stale.
    let cases = [
        ("PAGE", page(none), "keys_by_ref"),
        ("PAGE_OF_ALL", page(none), "Index Only Scan using keys_by_ref"),
        ("PAGE_OF_NAMESPACE", with(0, "'web'"), "keys_by_namespace"),
        ("PAGE_BY_STATE", with(3, "'needs_review'"), "translations_by_language"),
        ("PAGE_BY_STALE", with(4, "TRUE"), "translations_stale"),
        ("PAGE_BY_TIME", with(1, "1"), "translations_by_time"),
    ];
    let Tx::Postgres(mut tx) = store.begin_write().await.unwrap() else { unreachable!("the store is on PostgreSQL") };
    for (name, binds, index) in cases {
        let prepare = format!("PREPARE {name} AS {}", statement(name).1);
        sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *tx).await.unwrap();
        let explain = format!("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE {name} ({binds})");
        let steps: Vec<(String,)> =
            sqlx::query_as(AssertSqlSafe(explain)).persistent(false).fetch_all(&mut *tx).await.unwrap();
        let plan = steps.into_iter().map(|(step,)| step).collect::<Vec<_>>().join("\n");
        assert!(plan.contains(index), "{name} does not use {index}:\n{plan}");
        assert!(!plan.contains("Seq Scan on keys"), "{name} reads all keys:\n{plan}");
        assert!(!plan.contains("Seq Scan on translations"), "{name} reads all translations:\n{plan}");
    }
    drop(tx);
    store.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_a_search_begins_with_the_index_of_texts() {
    let Some(store) = TestStore::postgres().await else { return };
    fill(&store).await;
    let statements = [
        "ALTER TABLE search_marks SET (autovacuum_enabled = FALSE)",
        "INSERT INTO search_keys (key_id) SELECT id FROM keys",
        // Each key has a token of its own, one that a tenth have, one that half of them have, and one that all have.
        "INSERT INTO search_grams SELECT s.number, 'common t' || (s.number % 10) || ' half' || (s.number % 2) \
            || ' own' || s.number FROM search_keys s",
        "ANALYZE",
        // The statistics say that all keys are marked, as they do for some time after a large project was indexed.
        "DELETE FROM search_marks",
    ];
    run(&store, &statements.map(str::to_owned)).await;
    let page = format!(
        "{}, 'common own777', 'long', 10000",
        "'prj_app', '', '', 'menu/', 101, NULL, NULL, NULL, NULL, NULL, 0"
    );
    let found = "SELECT COUNT(*) FROM search_grams";
    let Tx::Postgres(mut tx) = store.begin_read().await.unwrap() else { unreachable!("the store is on PostgreSQL") };
    let few = statements::all().find(|(name, _)| *name == "search::FOUND");
    let Some((_, DeclaredStatement::Sql(few))) = few else { panic!("search::FOUND is declared as {few:?}") };
    let cases = [
        ("page", statement("PAGE_BY_QUERY").1, page),
        ("few", few.postgres, "'common own777', 'long', 10001".into()),
        ("half", few.postgres, "'half1', 'long', 1001".into()),
    ];
    for (name, text, binds) in cases {
        let prepare = format!("PREPARE {name} AS {text}");
        sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *tx).await.unwrap();
        let explain = format!("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE {name} ({binds})");
        let steps: Vec<(String,)> =
            sqlx::query_as(AssertSqlSafe(explain)).persistent(false).fetch_all(&mut *tx).await.unwrap();
        let plan = steps.into_iter().map(|(step,)| step).collect::<Vec<_>>().join("\n");
        assert!(plan.contains("search_grams_each"), "{name} does not use the index:\n{plan}");
        assert!(!plan.contains("Seq Scan on search_grams"), "{name} reads all tokens:\n{plan}");
        assert!(!plan.contains("Seq Scan on keys"), "{name} reads all keys:\n{plan}");
        assert!(!plan.contains("Seq Scan on search_keys"), "{name} reads all indexed keys:\n{plan}");
        assert!(!plan.contains("Seq Scan on search_marks"), "{name} reads past all finished marks:\n{plan}");
    }
    let (all,): (i64,) = sqlx::query_as(found).fetch_one(&mut *tx).await.unwrap();
    assert_eq!(all, 20_000);
    drop(tx);
    store.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_no_search_reads_past_the_rows_of_finished_marks() {
    let Some(store) = TestStore::postgres().await else { return };
    let statements = [
        "ALTER TABLE search_marks SET (autovacuum_enabled = FALSE)",
        // Of keys that have gone meanwhile: then the worker has nothing to do but to take the mark away.
        "INSERT INTO search_marks SELECT 'prj_app', 'str_' || n FROM generate_series(1, 5000) n",
        // So many pages of other rows that PostgreSQL leaves the index as it is, unless it is told not to. The last of them keeps
        // the pages before it.
        "INSERT INTO search_marks SELECT 'prj_other', 'str_' || n FROM generate_series(1, 300000) n",
        "DELETE FROM search_marks WHERE project_id = 'prj_other' AND key_id <> 'str_300000'",
    ];
    run(&store, &statements.map(str::to_owned)).await;
    l10n_server::store::search::free_marks(&store.store(), true).await.unwrap();
    search::index_all(&store.store()).await.unwrap();
    let marks = statements::all().find(|(name, _)| *name == "search::MARKS");
    let Some((_, DeclaredStatement::Sql(marks))) = marks else { panic!("search::MARKS is declared as {marks:?}") };
    let Tx::Postgres(mut tx) = store.begin_read().await.unwrap() else { unreachable!("the store is on PostgreSQL") };
    let prepare = format!("PREPARE marks AS {}", marks.postgres);
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *tx).await.unwrap();
    let explain = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE marks ('prj_app', 10001)";
    let steps: Vec<(String,)> = sqlx::query_as(explain).persistent(false).fetch_all(&mut *tx).await.unwrap();
    let pages = pages_read(&steps);
    assert!(pages < 20, "a search reads past the rows of marks that were taken away: {pages} pages");
    let size = "SELECT pg_total_relation_size('search_marks')";
    let (bytes,): (i64,) = sqlx::query_as(size).persistent(false).fetch_one(&mut *tx).await.unwrap();
    assert!(bytes < 1_000_000, "the room of marks that were taken away is kept: {bytes} bytes");
    drop(tx);
    store.remove().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_a_search_reads_no_list_of_new_tokens() {
    let Some(store) = TestStore::postgres().await else { return };
    fill(&store).await;
    let statements = [
        "ALTER TABLE search_grams SET (autovacuum_enabled = FALSE)",
        r#"UPDATE keys SET source = '{"text":"A text"}'"#,
        r#"UPDATE translations SET content = '{"text":"Ein Text"}'"#,
        "DELETE FROM search_marks WHERE key_id NOT IN (SELECT key_id FROM search_marks ORDER BY key_id LIMIT 10)",
    ];
    run(&store, &statements.map(str::to_owned)).await;
    search::index_all(&store.store()).await.unwrap();
    let Tx::Postgres(mut tx) = store.begin_write().await.unwrap() else { unreachable!("the store is on PostgreSQL") };
    let (indexed,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM search_grams").fetch_one(&mut *tx).await.unwrap();
    let (pages,): (i64,) =
        sqlx::query_as("SELECT gin_clean_pending_list('search_grams_each')").fetch_one(&mut *tx).await.unwrap();
    assert_eq!((indexed, pages), (10, 0));
    drop(tx);
    store.remove().await;
}

/// A spending cap costs a request the same, however many charges there are.
async fn the_charges_of_a_month_are_not_summed_again(store: TestStore) {
    let mut tx = store.begin_write().await.unwrap();
    let workspace = workspace(&mut tx, "acme").await;
    tx.commit().await.unwrap();
    // One in each month or two, for some centuries.
    let charges = "WITH RECURSIVE c (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) \
        INSERT INTO ledger (id, workspace_id, kind, amount, created_at) \
        SELECT 'led_' || n, 'wsp_acme', 'charge', -1, n * 3456000000 FROM c";
    run(&store, &[charges.to_owned()]).await;
    let found = statements::all().find(|(name, _)| *name == "workspace_months::CHARGED");
    let Some((_, DeclaredStatement::Sql(sql))) = found else { panic!("it is declared as {found:?}") };
    let mut tx = store.begin_read().await.unwrap();
    let charged = workspace_months::charged(&mut tx, &workspace, Timestamp::from_millis(0)).await.unwrap();
    assert_eq!(charged, Millicredits(1));
    match &mut tx {
        Tx::Sqlite(tx) => {
            let plan = sqlx::query_as(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {}", sql.sqlite)));
            let steps: Vec<(i64, i64, i64, String)> = plan.fetch_all(&mut **tx).await.unwrap();
            let steps: Vec<String> = steps.into_iter().map(|(.., step)| step).collect();
            assert_eq!(steps, ["SEARCH workspace_months USING PRIMARY KEY (workspace_id=? AND month=?)"]);
        }
        Tx::Postgres(tx) => {
            let prepare = format!("PREPARE charged AS {}", sql.postgres);
            sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut **tx).await.unwrap();
            let explain = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE charged ('wsp_acme', 0)";
            let steps: Vec<(String,)> = sqlx::query_as(explain).persistent(false).fetch_all(&mut **tx).await.unwrap();
            assert!(pages_read(&steps) < 10, "{steps:#?}");
        }
    }
}

l10n_server::both_engines!(the_charges_of_a_month_are_not_summed_again);

/// A database that was filled a moment ago has none: PostgreSQL then takes the entries of a workspace for a handful.
#[tokio::test(flavor = "multi_thread")]
async fn on_postgres_a_look_in_memory_reads_entries_by_their_hashes_without_statistics() {
    let Some(store) = TestStore::postgres().await else { return };
    let mut tx = store.begin_write().await.unwrap();
    project(&mut tx, "app").await;
    tx.commit().await.unwrap();
    let statements = [
        "ALTER TABLE memory SET (autovacuum_enabled = FALSE)",
        "INSERT INTO memory SELECT 'wsp_app', 'en', 'de', decode(md5(n::TEXT), 'hex'), 'pseudo', '{\"text\":\"x\"}', 0, 0 \
            FROM generate_series(1, 20000) n",
    ];
    run(&store, &statements.map(str::to_owned)).await;
    // md5 of 1 and of 2.
    let hashes = r#"'["c4ca4238a0b923820dcc509a6f75849b", "c81e728d9d4c2f636f067f89cc14862c"]'"#;
    let cases = [
        ("OF_BOTH", format!("{hashes}, 'prj_app', 'wsp_app', 'en', 'de'")),
        ("SHARED_FIND", format!("'wsp_app', 'en', 'de', 'pseudo', {hashes}")),
        ("SHARED_KNOWN", format!("'wsp_app', 'en', 'de', 'pseudo', {hashes}")),
        ("SHARED_SIZES", format!(r#"'wsp_app', 'en', {hashes}, '["de", "fr"]'"#)),
    ];
    let Tx::Postgres(mut tx) = store.begin_read().await.unwrap() else { unreachable!("the store is on PostgreSQL") };
    for (name, binds) in cases {
        let declared = statements::all().find(|(found, _)| *found == format!("memory::{name}"));
        let Some((_, DeclaredStatement::Sql(sql))) = declared else { panic!("{name} is declared as {declared:?}") };
        let prepare = format!("PREPARE {name} AS {}", sql.postgres);
        sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *tx).await.unwrap();
        for mode in ["force_custom_plan", "force_generic_plan"] {
            let set = format!("SET LOCAL plan_cache_mode = {mode}");
            sqlx::raw_sql(AssertSqlSafe(set)).execute(&mut *tx).await.unwrap();
            let explain = format!("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE {name} ({binds})");
            let steps: Vec<(String,)> =
                sqlx::query_as(AssertSqlSafe(explain)).persistent(false).fetch_all(&mut *tx).await.unwrap();
            let pages = pages_read(&steps);
            assert!(pages < 50, "{name} reads more than the entries of two hashes, {mode}: {pages} pages\n{steps:#?}");
            assert!(steps[0].0.contains("rows=2"), "{name}, {mode}: {steps:#?}");
        }
    }
    drop(tx);
    store.remove().await;
}

/// The pages that a statement has read, by the first step of its plan: `Buffers: shared hit=1034 read=441`.
fn pages_read(steps: &[(String,)]) -> u64 {
    let buffers = steps.iter().find_map(|(step,)| step.trim().strip_prefix("Buffers: shared "));
    let parts = buffers.unwrap_or_default().split(' ').filter_map(|part| part.split_once('='));
    parts.filter(|(kind, _)| ["hit", "read"].contains(kind)).map(|(_, pages)| pages.parse::<u64>().unwrap()).sum()
}
