//! Records whose time is over.

use std::time::Duration;

use l10n_api_types::Timestamp;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::store::Tx;
use l10n_server::testing::{TestApp, TestStore};
use l10n_server::workers::{expired, retention};

both_engines!(records_are_kept_for_their_time_and_then_go, a_sweep_takes_more_than_a_batch);

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// Operations of which none was deleted.
const BOTH: &[&str] = &["a", "a used"];

async fn run(tx: &mut Tx, sql: &'static str) {
    match tx {
        Tx::Sqlite(tx) => drop(sqlx::query(sql).execute(&mut **tx).await.unwrap()),
        Tx::Postgres(tx) => drop(sqlx::query(sql).execute(&mut **tx).await.unwrap()),
    }
}

async fn write(app: &TestApp, at: Timestamp, name: &str) {
    let (project, at, day) = (app.project.id.as_str(), at.as_millis(), at.as_millis() / DAY);
    let key = "(SELECT MIN(id) FROM api_keys)";
    let statements = [
        format!(
            "INSERT INTO requests (project_id, id, kind, status, created_at) VALUES ('{project}', '{name}', 'x', 'running', {at})"
        ),
        format!(
            "INSERT INTO idempotency_keys (api_key_id, text, project_id, request_id, fingerprint, created_at) \
             SELECT {key}, '{name}', '{project}', 'x', hash, {at} FROM api_keys WHERE id = {key}"
        ),
        format!("INSERT INTO daily_counts (project_id, day, budget, used) VALUES ('{project}', {day}, '{name}', 1)"),
        format!("INSERT INTO request_windows (budget, began, requests) VALUES ('{name}', {at}, 1)"),
        operation(project, name, "denied", at),
        operation(project, &format!("{name} used"), "used", at),
    ];
    let mut tx = app.service.store.begin_write().await.unwrap();
    for statement in statements {
        run(&mut tx, statement.leak()).await;
    }
    tx.commit().await.unwrap();
}

fn operation(project: &str, name: &str, status: &str, at: i64) -> String {
    format!(
        "INSERT INTO operations (id, project_id, api_key_id, kind, target, status, decided_at, created_at, expires_at) \
         SELECT '{name}', '{project}', MIN(id), 'publish', 'strings', '{status}', {at}, {at}, {at} FROM api_keys"
    )
}

/// Names that are left of each table.
async fn left(app: &TestApp) -> [Vec<String>; 5] {
    let mut left = [const { Vec::new() }; 5];
    let names = [
        "SELECT id FROM requests ORDER BY id",
        "SELECT text FROM idempotency_keys ORDER BY text",
        "SELECT budget FROM daily_counts ORDER BY budget",
        "SELECT budget FROM request_windows ORDER BY budget",
        "SELECT id FROM operations ORDER BY id",
    ];
    let mut tx = app.service.store.begin_read().await.unwrap();
    for (left, names) in left.iter_mut().zip(names) {
        *left = match &mut tx {
            Tx::Sqlite(tx) => sqlx::query_scalar(names).fetch_all(&mut **tx).await.unwrap(),
            Tx::Postgres(tx) => sqlx::query_scalar(names).fetch_all(&mut **tx).await.unwrap(),
        };
    }
    left
}

/// Receipts for 7 days, idempotency keys for 24 hours, operations for 30 days after they came to nothing and for 400 after they
/// were used.
async fn records_are_kept_for_their_time_and_then_go(store: TestStore) {
    let app = TestApp::on(&store).await;
    write(&app, app.clock.now(), "a").await;
    let names =
        |tables: [&[&str]; 5]| tables.map(|names| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let swept = async |after: i64| {
        app.clock.set(Timestamp::from_millis(1_795_248_000_000 + after));
        expired::sweep(&app.service).await.unwrap();
        retention::sweep(&app.service).await.unwrap();
        left(&app).await
    };
    assert_eq!(swept(HOUR).await, names([&["a"], &["a"], &["a"], &["a"], BOTH]));
    assert_eq!(swept(HOUR + 1).await, names([&["a"], &["a"], &["a"], &[], BOTH]));
    assert_eq!(swept(DAY).await, names([&["a"], &["a"], &["a"], &[], BOTH]));
    assert_eq!(swept(DAY + 1).await, names([&["a"], &[], &["a"], &[], BOTH]));
    assert_eq!(swept(7 * DAY).await, names([&["a"], &[], &["a"], &[], BOTH]));
    assert_eq!(swept(7 * DAY + 1).await, names([&[], &[], &["a"], &[], BOTH]));
    assert_eq!(swept(8 * DAY).await, names([&[], &[], &[], &[], BOTH]));
    assert_eq!(swept(30 * DAY).await, names([&[], &[], &[], &[], BOTH]));
    assert_eq!(swept(30 * DAY + 1).await, names([&[], &[], &[], &[], &["a used"]]));
    assert_eq!(swept(400 * DAY).await, names([&[], &[], &[], &[], &["a used"]]));
    assert_eq!(swept(400 * DAY + 1).await, names([&[], &[], &[], &[], &[]]));
}

async fn a_sweep_takes_more_than_a_batch(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    run(
        &mut tx,
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1201) \
         INSERT INTO request_windows (budget, began, requests) SELECT 'x' || n, 0, 1 FROM numbers",
    )
    .await;
    tx.commit().await.unwrap();
    app.clock.advance(Duration::from_secs(1));
    expired::sweep(&app.service).await.unwrap();
    assert_eq!(left(&app).await[3], [""; 0]);
}
