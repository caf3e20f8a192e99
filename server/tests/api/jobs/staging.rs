//! Large runs: written ahead, seen by nobody, live in one transaction.

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::translations::RunStatus;
use l10n_api_types::{Content, Key, Millicredits};
use l10n_server::clock::Clock as _;
use l10n_server::domain::code_changes::edit::Edit;
use l10n_server::domain::run::sweep;
use l10n_server::engines::Pseudo;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::keys::{self as keys_store, NewKey};
use l10n_server::store::staged_changes::{self, ChangeTotals, StagedKey};
use l10n_server::store::staged_runs::{self, StagedRun, StagedTotals};
use l10n_server::store::{counters, lock};
use l10n_server::testing::{TestApp, TestStore, plain_key, sql};
use serde_json::json;

use crate::jobs::fixtures::{TestWorker, ended, key, money, state, sync, sync_with, taken, text_in, translate};

l10n_server::both_engines!(
    a_large_run_lands_as_a_small_one_does,
    nobody_sees_a_run_before_its_end_and_what_was_given_up_is_deleted,
    what_a_process_that_died_has_staged_is_swept_once_it_cannot_land_any_more,
    a_large_sync_changes_moves_and_archives_keys_as_a_small_one_does,
    texts_that_memory_has_are_there_when_a_large_run_has_landed,
    keys_whose_texts_come_back_have_their_translations_when_a_large_run_has_landed,
    while_changes_of_a_live_run_are_moved_nobody_changes_or_publishes_the_project,
    what_people_and_apps_do_meanwhile_goes_before_a_large_run,
    a_run_whose_project_changes_meanwhile_is_planned_anew,
    a_large_run_that_is_refused_leaves_nothing_behind,
);

fn keys(to: usize) -> Vec<Key> {
    (0..to).map(|n| Key::text(format!("k{n:05}"), format!("Text number {n}"))).collect()
}

async fn idle(store: &TestStore) -> Arc<TestApp> {
    Arc::new(TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await)
}

async fn count(app: &TestApp, rows: &str) -> i64 {
    sql::count(&app.service.store, rows).await
}

/// Waits until a run has staged some of its keys.
async fn some_are_staged(app: &TestApp) {
    while count(app, "keys WHERE staged_by IS NOT NULL").await == 0 {
        tokio::task::yield_now().await;
    }
}

/// Tables that hold what a run writes.
const WRITTEN: &[&str] =
    &["keys", "jobs", "job_chunks", "job_items", "pending_items", "staged_runs", "staged_changes", "holds"];

/// The counts are those of the rows.
async fn checked(app: &TestApp) {
    let mut tx = app.service.store.begin_read().await.unwrap();
    assert_eq!(counters::verify(&mut tx, &app.project.id).await.unwrap(), []);
}

/// The leftovers of runs that did not go live.
async fn left_behind(app: &TestApp) -> i64 {
    let mut left = 0;
    for rows in
        ["staged_runs WHERE status <> 'landed'", "keys WHERE staged_by IS NOT NULL", "jobs WHERE status = 'staged'"]
    {
        left += count(app, rows).await;
    }
    left
}

async fn a_large_run_lands_as_a_small_one_does(store: TestStore) {
    let app = idle(&store).await;
    let keys = keys(3_000);
    let run = taken(translate(&app, &keys).send().await);
    assert_eq!((run.status, run.classification.new), (RunStatus::Queued, 3_000));
    assert_eq!((left_behind(&app).await, money(&app).await.held), (0, run.estimated_credits));
    let meta = app.get("/meta").send().await.json();
    assert_eq!((&meta["keyCount"], &meta["unpublishedChanges"]), (&json!(3_000), &json!(3_000)));
    let again = taken(translate(&app, &keys).send().await);
    assert_eq!((again.classification.unchanged, again.estimated_credits), (3_000, Millicredits::ZERO));
    let worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.progress.done, job.credits_charged), (6_000, run.estimated_credits));
    assert!(text_in(&key(&app, "k02999").await, "fr").is_some());
    worker.shut_down().await;
    checked(&app).await;
}

/// A file of so many keys, with these in front of them.
fn file(front: &[(&str, &str)], keys: std::ops::Range<usize>, text: impl Fn(usize) -> String) -> serde_json::Value {
    let front = front.iter().map(|(name, text)| ((*name).to_owned(), json!(text)));
    front.chain(keys.map(|n| (format!("k{n:05}"), json!(text(n))))).collect::<serde_json::Map<_, _>>().into()
}

async fn a_large_sync_changes_moves_and_archives_keys_as_a_small_one_does(store: TestStore) {
    let app = idle(&store).await;
    taken(sync(&app, "en.json", &file(&[], 0..3_000, |n| format!("Text {n}"))).send().await);
    let edited = |n: usize| if n < 500 { format!("Edited {n}") } else { format!("Text {n}") };
    let again = file(&[("a", "In front")], 0..2_900, edited);
    let archive = json!({"onRemoved": "archive"});
    let run = taken(sync_with(&app, "", "en.json", &again, archive.clone()).send().await);
    let classes = run.classification;
    assert_eq!((classes.new, classes.changed, classes.unchanged, classes.removed), (1, 500, 2_400, 100));
    assert_eq!(run.archived, 100);
    sweep(&app.service.store, app.service.clock.now()).await.unwrap();
    assert_eq!((count(&app, "staged_runs").await, count(&app, "staged_changes").await), (0, 0));
    assert_eq!(key(&app, "k00499").await.text.as_deref(), Some("Edited 499"));
    assert_eq!(key(&app, "k00500").await.text.as_deref(), Some("Text 500"));
    assert_eq!(count(&app, "keys WHERE state = 'active' AND position = 2900 AND ref = 'k02899'").await, 1);
    assert_eq!(count(&app, "keys WHERE state = 'active' AND position = 0 AND ref = 'a'").await, 1);
    let back =
        taken(sync_with(&app, "", "en.json", &file(&[("a", "In front")], 0..3_000, edited), archive).send().await);
    assert_eq!((back.classification.new, back.classification.unchanged), (100, 2_901));
    assert_eq!(app.get("/meta").send().await.json()["keyCount"], json!(3_001));
    checked(&app).await;
    let one = file(&[("a", "In front")], 0..0, edited);
    let run = taken(sync_with(&app, "", "en.json", &one, json!({"onRemoved": "archive"})).send().await);
    assert_eq!((run.classification.unchanged, run.classification.removed, run.archived), (1, 3_000, 3_000));
    assert_eq!(count(&app, "keys WHERE state = 'archived'").await, 3_000);
    assert_eq!(app.get("/meta").send().await.json()["keyCount"], json!(1));
    sweep(&app.service.store, app.service.clock.now()).await.unwrap();
    assert_eq!((count(&app, "staged_runs").await, count(&app, "staged_changes").await), (0, 0));
    checked(&app).await;
}

async fn texts_that_memory_has_are_there_when_a_large_run_has_landed(store: TestStore) {
    let app = idle(&store).await;
    let worker = TestWorker::start(&app);
    let first = taken(translate(&app, &keys(2_500)).send().await);
    ended(&app, &first).await;
    worker.shut_down().await;
    let others: Vec<Key> = (0..2_500).map(|n| Key::text(format!("other{n:05}"), format!("Text number {n}"))).collect();
    let run = taken(translate(&app, &others).send().await);
    assert_eq!((run.status, run.estimated_credits), (RunStatus::Completed, Millicredits::ZERO));
    assert_eq!(run.per_language.iter().map(|language| language.from_memory).sum::<u64>(), 5_000);
    assert!(text_in(&key(&app, "other02499").await, "fr").is_some());
    let meta = app.get("/meta").send().await.json();
    let french = meta["languages"].as_array().unwrap().iter().find(|language| language["code"] == "fr").unwrap();
    assert_eq!((&french["translated"], &french["missing"], left_behind(&app).await), (&json!(5_000), &json!(0), 0));
    checked(&app).await;
    // Under other names they bring their translations along.
    let sync_of = |name: &str| -> serde_json::Value {
        (0..2_500)
            .map(|n| (format!("{name}{n:05}"), json!(format!("Said {n}"))))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    taken(sync(&app, "en.json", &sync_of("before")).send().await);
    let worker = TestWorker::start(&app);
    while count(&app, "jobs WHERE finished_at IS NULL").await > 0 {
        tokio::task::yield_now().await;
    }
    worker.shut_down().await;
    let run = taken(sync_with(&app, "", "en.json", &sync_of("after"), json!({"onRemoved": "archive"})).send().await);
    assert_eq!((run.status, run.renamed.len()), (RunStatus::Completed, 2_500));
    assert!(text_in(&key(&app, "after02499").await, "de").is_some());
    checked(&app).await;
}

async fn keys_whose_texts_come_back_have_their_translations_when_a_large_run_has_landed(store: TestStore) {
    let app = idle(&store).await;
    let said =
        |what: &str| (0..2_500).map(|n| Key::text(format!("k{n:05}"), format!("{what} {n}"))).collect::<Vec<_>>();
    let mut french = Vec::new();
    for what in ["First", "Second"] {
        let worker = TestWorker::start(&app);
        ended(&app, &taken(translate(&app, &said(what)).send().await)).await;
        worker.shut_down().await;
        french.push(text_in(&key(&app, "k02499").await, "fr").unwrap().to_owned());
    }
    assert_ne!(french[0], french[1]);
    let run = taken(translate(&app, &said("First")).send().await);
    assert_eq!((run.status, run.classification.changed), (RunStatus::Completed, 2_500));
    assert_eq!(run.per_language.iter().map(|language| language.from_memory).sum::<u64>(), 5_000);
    assert_eq!(count(&app, "translations WHERE NOT stale AND origin = 'memory'").await, 5_000);
    assert_eq!(text_in(&key(&app, "k02499").await, "fr"), Some(french[0].as_str()));
    assert_eq!((left_behind(&app).await, count(&app, "staged_translations").await), (0, 0));
    checked(&app).await;
}

/// As after a kill between two pieces, or while another process does it.
async fn while_changes_of_a_live_run_are_moved_nobody_changes_or_publishes_the_project(store: TestStore) {
    let app = idle(&store).await;
    taken(translate(&app, &keys(500)).send().await);
    let (project, now) = (&app.project.id, app.clock.now());
    let mut tx = app.service.store.begin_write().await.unwrap();
    let mut held = Vec::new();
    for one in keys(500) {
        held.push(keys_store::find(&mut tx, project, &one.r#ref).await.unwrap().unwrap());
    }
    let content = Content::Text("Edited".to_owned());
    let changes: Vec<StagedKey<'_>> = held
        .iter()
        .map(|key| StagedKey { key: plain_key(&key.id, &key.name, &content, now), only_moves: false })
        .collect();
    let run = StagedRun::new(new_id(IdKind::TrackingToken, now).into(), project, now);
    staged_runs::insert(&mut tx, &run).await.unwrap();
    staged_changes::insert(&mut tx, &run.tracking_token, &changes).await.unwrap();
    let changes = ChangeTotals { changes: 500, moves: 0, archives: 0 };
    let whole = StagedTotals { keys: 0, changes, translations: &[], moves_later: true, with_job: false };
    assert!(staged_runs::go_live(&mut tx, &run, whole).await.unwrap());
    assert!(staged_runs::move_some(&mut tx, &run).await.unwrap());
    tx.commit().await.unwrap();
    let edited = "keys WHERE source LIKE '%Edited%'";
    assert!((1..500).contains(&count(&app, edited).await));
    let refused = translate(&app, &[Key::text("mine", "Mine")]).send().await;
    assert_eq!(refused.outcome(), "503 unavailable");
    let message = refused.error().message;
    assert!(message.starts_with("changes of a large run of this project are still being applied: "), "{message}");
    assert_eq!(app.post("/publish").json(&json!({})).send().await.status, 503);
    assert_eq!(count(&app, "versions").await, 0);
    sweep(&app.service.store, app.service.clock.now()).await.unwrap();
    assert_eq!((count(&app, edited).await, left_behind(&app).await, count(&app, "staged_runs").await), (500, 0, 0));
    taken(translate(&app, &[Key::text("mine", "Mine")]).send().await);
    assert_eq!(app.post("/publish").json(&json!({})).send().await.status, 201);
    checked(&app).await;
}

async fn what_people_and_apps_do_meanwhile_goes_before_a_large_run(store: TestStore) {
    let app = idle(&store).await;
    taken(translate(&app, &[Key::text("edited", "Before")]).send().await);
    let large = tokio::spawn({
        let app = app.clone();
        async move {
            let mut keys = keys(5_000);
            keys.push(Key::text("edited", "Of the code"));
            taken(translate(&app, &keys).send().await)
        }
    });
    some_are_staged(&app).await;
    let seen = json!({"keys": [{"ref": "k00000", "text": "Text number 0"}]});
    let captured = app.post("/capture").json(&seen).send().await;
    assert_eq!(captured.json()["counts"]["new"], json!(1), "{captured:?}");
    let edit = Edit {
        clock: app.service.clock.as_ref(),
        settings: &app.service.settings,
        project: &app.project.id,
        by: "a person",
    };
    let mut tx = app.service.store.begin_write().await.unwrap();
    edit.add(&mut tx, "k04999", &Content::Text("Of a person".to_owned()), None).await.unwrap();
    tx.commit().await.unwrap();
    let large = large.await.unwrap();
    assert_eq!((large.classification.new, large.classification.changed), (4_999, 2));
    assert_eq!(key(&app, "edited").await.text.as_deref(), Some("Of the code"));
    assert_eq!(left_behind(&app).await, 0);
    checked(&app).await;
}

/// The client goes away between two pieces.
async fn nobody_sees_a_run_before_its_end_and_what_was_given_up_is_deleted(store: TestStore) {
    let app = idle(&store).await;
    let before = state(&app).await;
    let run = tokio::spawn({
        let app = app.clone();
        async move { translate(&app, &keys(10_000)).send().await }
    });
    some_are_staged(&app).await;
    // It cannot end as long as this is open.
    let mut held = app.service.store.begin_write().await.unwrap();
    lock::project(&mut held, &app.project.id).await.unwrap();
    assert_eq!(count(&app, "staged_runs").await, 1, "it is not over");
    assert_eq!(state(&app).await, before);
    assert_eq!(app.get("/translations?ref=k00000").send().await.outcome(), "404 key_not_found");
    assert_eq!(counters::verify(&mut held, &app.project.id).await.unwrap(), []);
    run.abort();
    let _ = run.await;
    held.rollback().await.unwrap();
    while left_behind(&app).await > 0 {
        tokio::task::yield_now().await;
    }
    for rows in WRITTEN {
        assert_eq!(count(&app, rows).await, 0, "{rows}");
    }
    assert_eq!(taken(translate(&app, &keys(10_000)).send().await).classification.new, 10_000);
}

/// As a process leaves it that was killed between two pieces.
async fn what_a_process_that_died_has_staged_is_swept_once_it_cannot_land_any_more(store: TestStore) {
    let app = idle(&store).await;
    let (project, now) = (&app.project.id, app.clock.now());
    let ids: Vec<String> = (0..500).map(|_| new_id(IdKind::String, now)).collect();
    let names: Vec<String> = (0..500).map(|n| format!("k{n:05}")).collect();
    let content = Content::Text("Text".to_owned());
    let rows: Vec<NewKey<'_>> = ids
        .iter()
        .zip(&names)
        .map(|(id, name)| NewKey { description: Some("of a run that died"), ..plain_key(id, name, &content, now) })
        .collect();
    let run = StagedRun {
        first_key: ids[0].clone(),
        last_key: ids[499].clone(),
        ..StagedRun::new(new_id(IdKind::TrackingToken, now).into(), project, now)
    };
    let mut tx = app.service.store.begin_write().await.unwrap();
    staged_runs::insert(&mut tx, &run).await.unwrap();
    keys_store::stage(&mut tx, project, &rows, &run.tracking_token).await.unwrap();
    staged_changes::insert(&mut tx, &run.tracking_token, &[StagedKey { key: rows[0], only_moves: true }])
        .await
        .unwrap();
    tx.commit().await.unwrap();
    sweep(&app.service.store, app.service.clock.now()).await.unwrap();
    assert_eq!(count(&app, "keys").await, 500, "it might still be under way");
    // Others need not wait for the sweep, and take nothing of it over.
    let small = taken(translate(&app, &[Key::text("k00007", "Mine")]).send().await);
    assert_eq!(small.classification.new, 1);
    assert_eq!(key(&app, "k00007").await.description, None);
    sweep(&app.service.store, app.service.clock.now()).await.unwrap();
    assert_eq!((left_behind(&app).await, count(&app, "keys").await), (0, 1), "who goes before a run ends it");
    let mut tx = app.service.store.begin_write().await.unwrap();
    staged_runs::insert(&mut tx, &run).await.unwrap();
    tx.commit().await.unwrap();
    app.clock.advance(Duration::from_secs(16 * 60));
    sweep(&app.service.store, app.service.clock.now()).await.unwrap();
    assert_eq!(left_behind(&app).await, 0);
    checked(&app).await;
}

async fn a_run_whose_project_changes_meanwhile_is_planned_anew(store: TestStore) {
    let app = idle(&store).await;
    let large = tokio::spawn({
        let app = app.clone();
        async move { taken(translate(&app, &keys(5_000)).send().await) }
    });
    some_are_staged(&app).await;
    let small = taken(translate(&app, &[Key::text("k00007", "Mine"), Key::text("mine", "Mine, too")]).send().await);
    let large = large.await.unwrap();
    assert_eq!(small.classification.new, 2);
    assert_eq!((large.classification.new, large.classification.changed), (4_999, 1));
    let meta = app.get("/meta").send().await.json();
    assert_eq!((&meta["keyCount"], left_behind(&app).await), (&json!(5_001), 0));
    assert_eq!(key(&app, "k00007").await.text.as_deref(), Some("Text number 7"));
    assert_eq!(money(&app).await.held, small.estimated_credits.saturating_add(large.estimated_credits));
}

async fn a_large_run_that_is_refused_leaves_nothing_behind(store: TestStore) {
    let free = |settings: &mut l10n_server::config::Settings| {
        let plan = l10n_server::config::Plan { keys: Some(2_500), ..Default::default() };
        settings.plans.insert("unlimited".to_owned(), plan);
    };
    let app = TestApp::idle(&store, free, Arc::new(Pseudo)).await;
    let before = state(&app).await;
    assert_eq!(translate(&app, &keys(3_000)).send().await.outcome(), "402 plan_limit");
    assert_eq!((state(&app).await, left_behind(&app).await), (before, 0));
}
