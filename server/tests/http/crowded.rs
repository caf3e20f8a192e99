//! Many writes of one project beside everybody else.

use std::time::Duration;

use futures_util::future::join_all;
use http::Method;
use l10n_server::both_engines;
use l10n_server::store::{Tx, lock};
use l10n_server::testing::{TestApp, TestStore, on_postgres};
use serde_json::json;
use sqlx::{Connection as _, PgConnection};

both_engines!(writes_of_one_project_come_one_after_the_other_and_all_of_them_land);

/// Writes of the project that wait for the end of the one that holds its lock.
const WAITING: usize = 30;

/// Those that run, and connections that wait for a lock.
const STANDS: &str = "SELECT (SELECT COUNT(*) FROM requests WHERE status = 'running'), \
    (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')";

/// Before, each of them took a connection, and with the last one health, keys and reads of all others waited, too.
#[test]
fn those_who_wait_for_one_project_keep_nobody_else_waiting() {
    on_postgres(async |store: TestStore| {
        let app = TestApp::on(&store).await;
        let other = app.other_project("unlimited").await;
        let mut held = store.begin_write().await.unwrap();
        assert!(lock::project(&mut held, &app.project.id).await.unwrap());
        let captures = (0..WAITING).map(|number| {
            let body = json!({ "keys": [{ "ref": format!("missing.{number}"), "text": "Missing" }] });
            tokio::spawn(app.post("/capture").json(&body).send())
        });
        let captures: Vec<_> = captures.collect();
        let mut beside = PgConnection::connect(store.url()).await.unwrap();
        loop {
            let (running, locked): (i64, i64) = sqlx::query_as(STANDS).fetch_one(&mut beside).await.unwrap();
            // All have begun, or no connection is left for those that have not.
            if running == WAITING as i64 && locked > 0 || locked >= 15 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(app.at(Method::GET, "/v1/health").send().await.status, 200);
        let theirs =
            |method, path: &str| app.at(method, &format!("/v1/projects/{}{path}", other.id)).key(&other.keys.admin);
        assert_eq!(theirs(Method::GET, "/meta").send().await.status, 200);
        let body = json!({ "keys": [{ "ref": "missing", "text": "Missing" }] });
        assert_eq!(theirs(Method::POST, "/capture").json(&body).send().await.status, 200);
        assert_eq!(app.get("/meta").send().await.status, 200, "reads of the same project go on");
        // None of that needed the end of what holds the project.
        held.commit().await.unwrap();
        for capture in captures {
            let answer = capture.await.unwrap();
            assert_eq!(answer.status, 200, "{answer:?}");
        }
    });
}

async fn writes_of_one_project_come_one_after_the_other_and_all_of_them_land(store: TestStore) {
    let app = TestApp::on(&store).await;
    let captures = (0..WAITING).map(|number| {
        let body = json!({ "keys": [{ "ref": format!("missing.{number}"), "text": "Missing" }] });
        app.post("/capture").json(&body).send()
    });
    assert!(join_all(captures).await.iter().all(|answer| answer.status == 200));
    let waits = tokio::spawn({
        let (store, project, workspace) = (store.store(), app.project.id.clone(), app.project.workspace.clone());
        async move { store.begin_write_in(&workspace, &project).await.map(drop) }
    });
    waits.await.unwrap().unwrap();
}

/// Deadlines of locks come with the beginning of each transaction, whatever stands between server and PostgreSQL.
#[test]
fn a_transaction_does_not_wait_for_a_lock_for_ever() {
    on_postgres(async |store: TestStore| {
        for begun in [
            store.begin_write().await,
            store.begin_brief_write().await,
            store.begin_write_in(&"wsp_1".into(), &"prj_1".into()).await,
            store.begin_ahead().await,
        ] {
            let Tx::Postgres(mut tx) = begun.unwrap() else { unreachable!() };
            let (lock, idle): (String, String) = sqlx::query_as(
                "SELECT current_setting('lock_timeout'), current_setting('idle_in_transaction_session_timeout')",
            )
            .fetch_one(&mut *tx)
            .await
            .unwrap();
            assert_eq!((lock.as_str(), idle.as_str()), ("15s", "1min"));
        }
        let Tx::Postgres(mut tx) = store.begin_ahead().await.unwrap() else { unreachable!() };
        let (commit,): (String,) =
            sqlx::query_as("SELECT current_setting('synchronous_commit')").fetch_one(&mut *tx).await.unwrap();
        assert_eq!(commit, "off");
    });
}

/// PostgreSQL compiles for half a second what it runs in a millisecond, where the statistics of a table are out of date, and reads
/// a small table from its beginning, or a large one that holds much of what is looked for, past the rows of all projects.
#[test]
fn no_statement_is_compiled_or_reads_a_table_that_has_an_index() {
    on_postgres(async |store: TestStore| {
        for begun in [store.begin_read().await, store.begin_write().await, store.begin_brief_write().await] {
            let Tx::Postgres(mut tx) = begun.unwrap() else { unreachable!() };
            let settings: (String, String) =
                sqlx::query_as("SELECT current_setting('jit'), current_setting('enable_seqscan')")
                    .fetch_one(&mut *tx)
                    .await
                    .unwrap();
            assert_eq!(settings, ("off".to_owned(), "off".to_owned()));
        }
    });
}
