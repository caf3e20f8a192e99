//! Others at a certain moment of a large run: between two pieces of its staging, or before its last transaction.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use l10n_api_types::translations::RunStatus;
use l10n_api_types::{Content, Key};
use l10n_server::clock::Clock as _;
use l10n_server::domain::run::sweep;
use l10n_server::engines::Pseudo;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::staged_changes::StagedKey;
use l10n_server::store::staged_runs::{self, StagedRun};
use l10n_server::store::{counters, keys as keys_store, lock, staged_changes};
use l10n_server::testing::{Call, TestApp, TestStore, on_postgres, plain_key, sql};
use l10n_server::workers::retention;
use serde_json::{Value, json};

use crate::jobs::fixtures::{
    TestWorker, ended, key, stopped, sync, sync_with, taken, text_in, texts, translate, under_way,
};

l10n_server::both_engines!(
    others_of_a_workspace_are_written_while_two_of_its_projects_are_held,
    a_run_that_is_given_up_and_swept_while_it_writes_chunks_is_planned_anew,
    translations_that_a_job_makes_of_renamed_keys_meanwhile_are_counted_once,
    what_a_removed_language_leaves_stays_while_a_large_run_is_under_way,
);

async fn idle(store: &TestStore) -> TestApp {
    TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await
}

async fn count(app: &TestApp, rows: &str) -> i64 {
    sql::count(&app.service.store, rows).await
}

/// So many keys. Of all names the texts are the same.
fn keys(name: &str, count: usize) -> Vec<Key> {
    (0..count).map(|n| Key::text(format!("{name}{n:05}"), format!("Text number {n}"))).collect()
}

/// The same as a file.
fn file(name: &str, count: usize) -> Value {
    let entries = (0..count).map(|n| (format!("{name}{n:05}"), json!(format!("Text number {n}"))));
    entries.collect::<serde_json::Map<_, _>>().into()
}

fn translate_into(app: &TestApp, language: &str, keys: &[Key]) -> Call {
    app.post("/translate").json(&json!({ "keys": keys, "languages": [language] }))
}

/// Has these keys translated into German, so that memory has their texts.
async fn remember(app: &TestApp, keys: &[Key]) {
    let worker = TestWorker::start(app);
    ended(app, &taken(translate_into(app, "de", keys).send().await)).await;
    worker.shut_down().await;
}

/// The counts are those of the rows, and no run has left anything.
async fn is_in_order(app: &TestApp) {
    sweep(&app.service.store, app.clock.now()).await.unwrap();
    for rows in ["staged_runs", "staged_changes", "keys WHERE staged_by IS NOT NULL", "jobs WHERE status = 'staged'"] {
        assert_eq!(count(app, rows).await, 0, "{rows}");
    }
    let mut tx = app.service.store.begin_read().await.unwrap();
    assert_eq!(counters::verify(&mut tx, &app.project.id).await.unwrap(), []);
}

async fn others_of_a_workspace_are_written_while_two_of_its_projects_are_held(store: TestStore) {
    let app = idle(&store).await;
    let (held, other) = (app.project_beside("held").await, app.project_beside("other").await);
    let turns = [&app.project, &held].map(|project| app.service.store.hold_turn(&project.id));
    let turns = futures_util::future::try_join_all(turns).await.unwrap();
    let call = app.at(Method::POST, &format!("/v1/projects/{}/translate", other.id)).key(&other.keys.admin);
    let written = call.json(&json!({ "keys": texts([("a", "Text")]) })).send().await;
    assert_eq!(written.status, 202, "{written:?}");
    // Who holds a turn writes, too, and whoever waits for it is told after a time.
    let mut tx = app.service.store.begin_write_of(&app.project.workspace).await.unwrap();
    assert!(lock::project_to_change(&mut tx, &app.project.id).await.unwrap());
    tx.commit().await.unwrap();
    let impatient = app.service.store.clone().with_patience(Duration::from_millis(10));
    assert!(impatient.begin_write_in(&app.project.workspace, &app.project.id).await.unwrap_err().waited_in_vain());
    drop(turns);
    assert_eq!(translate(&app, &texts([("a", "Text")])).send().await.status, 202);
}

async fn a_run_that_is_given_up_and_swept_while_it_writes_chunks_is_planned_anew(store: TestStore) {
    let app = idle(&store).await;
    let run = under_way(translate(&app, &keys("k", 3_000)));
    let held = stopped(&app, &run, "job_items").await;
    let now = app.clock.now();
    let mut tx = app.service.store.begin_write().await.unwrap();
    lock::project_to_change(&mut tx, &app.project.id).await.unwrap();
    let (id, content) = (new_id(IdKind::String, now), Content::Text("Captured".to_owned()));
    keys_store::capture(&mut tx, &app.project.id, &[plain_key(&id, "k00007", &content, now)]).await.unwrap();
    tx.commit().await.unwrap();
    is_in_order(&app).await;
    assert_eq!((count(&app, "job_chunks").await, count(&app, "keys").await), (0, 1), "nothing of it is left");
    drop(held);
    let run = taken(run.await.unwrap());
    assert_eq!((run.status, run.classification.new + run.classification.changed), (RunStatus::Queued, 3_000));
    assert_eq!(count(&app, "keys WHERE state = 'active'").await, 3_000);
    is_in_order(&app).await;
}

/// Memory has what the run needs by its plan, and then the keys that go have it, too.
async fn translations_that_a_job_makes_of_renamed_keys_meanwhile_are_counted_once(store: TestStore) {
    let app = idle(&store).await;
    remember(&app, &keys("memory", 2_100)).await;
    taken(sync(&app, "en.json", &file("before", 2_100)).send().await);
    let before = "key_id IN (SELECT id FROM keys WHERE ref LIKE 'before%')";
    sql::run(&store, &format!("DELETE FROM translations WHERE language = 'de' AND {before}")).await;
    let archive = json!({"onRemoved": "archive", "languages": ["de"]});
    let run = under_way(sync_with(&app, "", "en.json", &file("after", 2_100), archive));
    let held = stopped(&app, &run, "keys WHERE staged_by IS NOT NULL").await;
    let of_staged = "translations t JOIN keys k ON k.id = t.key_id WHERE k.staged_by IS NOT NULL";
    assert_eq!(count(&app, of_staged).await, 0, "it has only begun");
    let made = "INSERT INTO translations (key_id, language, project_id, content, state, source_hash, stale, origin, engine, \
        issues, updated_at) SELECT b.id, t.language, t.project_id, t.content, t.state, t.source_hash, t.stale, t.origin, \
        t.engine, t.issues, t.updated_at FROM keys b JOIN keys m ON m.source_hash = b.source_hash AND m.ref LIKE 'memory%' \
        JOIN translations t ON t.key_id = m.id AND t.language = 'de' WHERE b.ref LIKE 'before%'";
    sql::run(&store, made).await;
    drop(held);
    let run = taken(run.await.unwrap());
    assert_eq!((run.renamed.len(), run.archived, run.per_language[0].from_memory), (2_100, 2_100, 2_100));
    assert!(text_in(&key(&app, "after02099").await, "de").is_some());
    is_in_order(&app).await;
}

/// A run counts what it brings along with renamed keys, of removed languages as well.
async fn what_a_removed_language_leaves_stays_while_a_large_run_is_under_way(store: TestStore) {
    let app = idle(&store).await;
    remember(&app, &keys("k", 10)).await;
    let removed = "DELETE FROM languages WHERE code = 'de'; \
        INSERT INTO removed_languages (project_id, code, removed_by, removed_at) SELECT id, 'de', 'a person', 0 FROM projects";
    sql::run(&store, removed).await;
    let now = app.clock.now();
    let run = StagedRun::new(new_id(IdKind::TrackingToken, now).into(), &app.project.id, now);
    let mut tx = app.service.store.begin_write().await.unwrap();
    staged_runs::insert(&mut tx, &run).await.unwrap();
    tx.commit().await.unwrap();
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(count(&app, "translations WHERE language = 'de'").await, 10);
    let mut tx = app.service.store.begin_write().await.unwrap();
    assert!(staged_runs::give_up(&mut tx, &run).await.unwrap());
    tx.commit().await.unwrap();
    is_in_order(&app).await;
    retention::sweep(&app.service).await.unwrap();
    assert_eq!(
        (count(&app, "translations WHERE language = 'de'").await, count(&app, "removed_languages").await),
        (0, 0)
    );
}

/// The sweep reads a run as one that is being written, and waits for the transaction that makes it live.
#[test]
fn a_run_that_lands_before_the_sweep_can_give_it_up_is_whole() {
    on_postgres(async |store: TestStore| {
        let app = idle(&store).await;
        taken(translate(&app, &texts([("a", "Before")])).send().await);
        let (project, now) = (&app.project.id, app.clock.now());
        let mut tx = app.service.store.begin_write().await.unwrap();
        let held = keys_store::find(&mut tx, project, "a").await.unwrap().unwrap();
        let content = Content::Text("After".to_owned());
        let change = StagedKey { key: plain_key(&held.id, "a", &content, now), only_moves: false };
        let run = StagedRun::new(new_id(IdKind::TrackingToken, now).into(), project, now);
        staged_runs::insert(&mut tx, &run).await.unwrap();
        staged_changes::insert(&mut tx, &run.tracking_token, &[change]).await.unwrap();
        tx.commit().await.unwrap();
        app.clock.advance(Duration::from_secs(16 * 60));
        let lands =
            "SELECT id FROM projects FOR NO KEY UPDATE; UPDATE staged_runs SET status = 'landed', is_moving = TRUE";
        sql::run_beside(&store, lands, sweep(&app.service.store, app.clock.now())).await.unwrap();
        assert_eq!(key(&app, "a").await.text.as_deref(), Some("After"));
        is_in_order(&app).await;
        let mut tx = app.service.store.begin_write().await.unwrap();
        assert!(!staged_runs::give_up(&mut tx, &run).await.unwrap(), "nothing of it is left");
    });
}

/// The last transaction waits for somebody who holds the project. A text that is gone by then is translated and paid for, not
/// left out.
#[test]
fn what_memory_forgets_before_a_large_run_lands_is_translated() {
    on_postgres(async |store: TestStore| {
        let app = idle(&store).await;
        remember(&app, &keys("memory", 1_500)).await;
        let script = "SELECT id FROM projects FOR NO KEY UPDATE; \
            DELETE FROM memory WHERE source_hash = (SELECT source_hash FROM keys WHERE ref = 'memory00007')";
        let call = translate_into(&app, "de", &keys("k", 1_500));
        let run = taken(sql::run_beside(&store, script, call.send()).await);
        assert_eq!((run.status, run.per_language[0].from_memory), (RunStatus::Queued, 1_499));
        let worker = TestWorker::start(&app);
        ended(&app, &run).await;
        worker.shut_down().await;
        assert!(text_in(&key(&app, "k00007").await, "de").is_some());
        assert!(text_in(&key(&app, "k00008").await, "de").is_some());
    });
}
