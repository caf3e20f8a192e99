//! Many writes of one project beside everybody else.

use std::time::Duration;

use futures_util::future::join_all;
use http::Method;
use l10n_server::both_engines;
use l10n_server::store::{Tx, lock};
use l10n_server::testing::{TestApp, TestStore, on_postgres};
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};

both_engines!(writes_of_one_project_come_one_after_the_other_and_all_of_them_land);

/// Writes of the project, one after the other.
const MANY: usize = 30;
/// Writes of one kind that wait for the end of the one that holds the project's lock: with that one and the one before them they
/// are as many as there are connections for writes.
const WAITING: usize = 5;
/// Kinds of writes.
const KINDS: usize = 10;

fn capture(number: usize) -> Value {
    json!({"keys": [{"ref": format!("missing.{number}"), "text": "Missing"}]})
}

/// A write of this kind.
fn write(kind: usize, number: usize) -> (Method, &'static str, Value) {
    let document = |of: &str| json!({"externalId": format!("{of}-{number}"), "format": "markdown", "body": "# Hello"});
    let (path, body) = match kind {
        0 => ("/capture", capture(number)),
        1 => ("/content", document("one")),
        2 => ("/content", json!({"documents": [document("many")]})),
        3 => ("/operations", json!({"kind": "publish"})),
        4 => ("/languages", json!({"languages": [{"code": (["es", "it", "nl", "pl", "sv"][number])}]})),
        5 => ("/output-formats", json!({"outputFormats": [{"format": "json", "path": "{language}.json"}]})),
        6 => ("/webhooks", json!({"url": format!("https://93.184.216.34/{number}"), "events": ["strings.published"]})),
        7 => ("/translate", json!({"keys": [{"ref": format!("key.{number}"), "text": "Save"}]})),
        8 => ("/sync", json!({"file": {"path": "en.json", "content": "{\"b\": \"Open\"}", "encoding": "utf8"}})),
        _ => return (Method::PUT, "/glossary", json!({"terms": [{"term": "cart", "translations": {"de": "Korb"}}]})),
    };
    (Method::POST, path, body)
}

/// Writes of the app's project that have begun, and connections that wait for a lock.
async fn stand(beside: &mut PgConnection, app: &TestApp) -> (i64, i64) {
    const STAND: &str = "SELECT (SELECT COUNT(*) FROM requests WHERE project_id = $1), \
        (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')";
    sqlx::query_as(STAND).bind(app.project.id.as_str()).fetch_one(beside).await.unwrap()
}

/// Before, each of them took a connection, and with the last one health, keys and reads of all others waited, too.
#[test]
fn those_who_wait_for_one_project_keep_nobody_else_waiting() {
    on_postgres(async |store: TestStore| {
        let app = TestApp::on(&store).await;
        let other = app.other_project("unlimited").await;
        let theirs =
            |method, path: &str| app.at(method, &format!("/v1/projects/{}{path}", other.id)).key(&other.keys.admin);
        let mut beside = PgConnection::connect(store.url()).await.unwrap();
        for kind in 0..KINDS {
            let (before, _) = stand(&mut beside, &app).await;
            let mut held = store.begin_write().await.unwrap();
            assert!(lock::project(&mut held, &app.project.id).await.unwrap());
            let first = (Method::POST, "/capture", capture(WAITING + kind));
            let writes = (0..WAITING).map(|number| write(kind, number));
            let send =
                |(method, path, body): (Method, &str, Value)| tokio::spawn(app.call(method, path).json(&body).send());
            let writes: Vec<_> = std::iter::once(first).chain(writes).map(send).collect();
            loop {
                let (begun, locked) = stand(&mut beside, &app).await;
                if begun - before > WAITING as i64 && locked > 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert_eq!(app.at(Method::GET, "/v1/health").send().await.status, 200);
            assert_eq!(theirs(Method::GET, "/meta").send().await.status, 200);
            let captured = theirs(Method::POST, "/capture").json(&capture(kind)).send().await;
            assert_eq!(captured.status, 200, "{kind}: {captured:?}");
            assert_eq!(app.get("/meta").send().await.status, 200, "reads of the same project go on");
            // None of that needed the end of what holds the project.
            held.commit().await.unwrap();
            for write in writes {
                let answer = write.await.unwrap();
                assert!(answer.status < 300, "{kind}: {answer:?}");
            }
        }
    });
}

async fn writes_of_one_project_come_one_after_the_other_and_all_of_them_land(store: TestStore) {
    let app = TestApp::on(&store).await;
    let captures = (0..MANY).map(|number| app.post("/capture").json(&capture(number)).send());
    assert!(join_all(captures).await.iter().all(|answer| answer.status == 200));
    let waits = tokio::spawn({
        let (store, project, workspace) = (store.store(), app.project.id.clone(), app.project.workspace.clone());
        async move { store.begin_write_in(&workspace, &project).await.map(drop) }
    });
    waits.await.unwrap().unwrap();
}

/// Each connection has deadlines for locks, whatever stands between server and PostgreSQL.
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
