//! Glossaries that change while somebody changes a project for long.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use l10n_api_types::{Content, Key, Origin, State};
use l10n_formats::SourceHash;
use l10n_server::clock::Clock as _;
use l10n_server::domain::run::sweep;
use l10n_server::engines::Pseudo;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::segment_translations::{self, NewSegmentTranslation, TranslationScope};
use l10n_server::store::segments::{self, Segment};
use l10n_server::store::staged_changes::ChangeTotals;
use l10n_server::store::staged_runs::{self, StagedRun, StagedTotals};
use l10n_server::store::translations::NewTranslation;
use l10n_server::store::{glossary_checks, keys, staged_translations};
use l10n_server::testing::{TestApp, TestStore, sql};
use l10n_server::workers::glossary::GlossaryChecks;
use serde_json::json;

use crate::jobs::fixtures::{TestWorker, ended, key, stopped, sync, sync_with, taken, texts, translate, under_way};
use crate::jobs::service_glossaries::{set, set_of_workspace};

l10n_server::both_engines!(
    a_project_that_is_changed_for_long_keeps_no_other_from_being_checked,
    long_texts_are_checked_in_smaller_steps,
    terms_that_change_while_a_large_run_is_staged_hold_for_what_it_brings,
    terms_that_change_while_a_large_run_is_moved_hold_for_what_it_brings,
);

async fn idle(store: &TestStore) -> TestApp {
    TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await
}

async fn count(app: &TestApp, rows: &str) -> i64 {
    sql::count(&app.service.store, rows).await
}

/// Checks all that is to be checked.
async fn check_all(app: &TestApp) {
    GlossaryChecks::default().check_all(&app.service.store).await.unwrap();
}

async fn a_project_that_is_changed_for_long_keeps_no_other_from_being_checked(store: TestStore) {
    let app = idle(&store).await;
    let other = app.other_project("unlimited").await;
    let mut projects = [&app.project, &other];
    projects.sort_by_key(|project| project.id.as_str().to_owned());
    for project in projects {
        let call = app.at(Method::POST, &format!("/v1/projects/{}/translate", project.id)).key(&project.keys.admin);
        taken(call.json(&json!({ "keys": texts([("a", "Your cart")]) })).send().await);
        set(&app, project, json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await;
    }
    let left =
        async |at: usize| count(&app, &format!("glossary_checks WHERE project_id = '{}'", projects[at].id)).await;
    let held = app.service.store.hold_turn(&projects[0].id).await.unwrap();
    let impatient = app.service.store.clone().with_patience(Duration::from_millis(50));
    for _ in 0..100 {
        GlossaryChecks::default().check_all(&impatient).await.unwrap();
        if left(1).await == 0 {
            break;
        }
    }
    assert_eq!((left(0).await, left(1).await), (1, 0));
    drop(held);
    check_all(&app).await;
    assert_eq!((left(0).await, left(1).await), (0, 0));
}

/// ADD-18. Before, a step read 500 keys and segments at once, however long they were.
async fn long_texts_are_checked_in_smaller_steps(store: TestStore) {
    let app = idle(&store).await;
    let (project, now) = (&app.project.id, app.clock.now());
    let long = |n: usize| format!("Your cart {n} {}", "x".repeat(1_000 * 1024));
    for n in 0..5 {
        let name = format!("k{n}");
        taken(sync(&app, &format!("{n}.json"), &json!({ name.as_str(): long(n) })).send().await);
        let german = json!({ name.as_str(): long(n) });
        taken(sync_with(&app, "", &format!("{n}.de.json"), &german, json!({"language": "de"})).send().await);
    }
    let hash = |text: &str| SourceHash::of(&Content::Text(text.to_owned()));
    let longs: Vec<String> = (0..5).map(long).collect();
    let kept = longs.iter().map(|text| Segment { hash: hash(text), text: text.clone(), characters: 1 });
    let mut tx = app.service.store.begin_write().await.unwrap();
    segments::keep(&mut tx, project, "en", &kept.collect::<Vec<_>>(), now).await.unwrap();
    let new = longs.iter().map(|text| NewSegmentTranslation {
        hash: hash(text),
        text,
        state: State::Translated,
        issues: &[],
        origin: Origin::Machine,
        engine: Some("pseudo"),
    });
    let pair = TranslationScope { project_id: project, source_language: "en", language: "de" };
    segment_translations::upsert(&mut tx, pair, &new.collect::<Vec<_>>(), now).await.unwrap();
    tx.commit().await.unwrap();
    set(&app, &app.project, json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await;
    let mut checks = GlossaryChecks::default();
    // Of each step, the key that it came to, and the number of segments that are checked by then.
    let mut steps = Vec::new();
    while checks.check_each(&app.service.store).await.unwrap() {
        let mut tx = app.service.store.begin_read().await.unwrap();
        let Some(check) = glossary_checks::next(&mut tx, "").await.unwrap() else { break };
        tx.rollback().await.unwrap();
        steps.push((check.after_ref, count(&app, "segment_translations WHERE issues LIKE '%Warenkorb%'").await));
    }
    let expected = [("k1", 0), ("k3", 0), ("k4", 0), ("k4", 0), ("k4", 2), ("k4", 4), ("k4", 5)];
    assert_eq!(steps, expected.map(|(name, segments)| (name.to_owned(), segments)));
    assert_eq!(count(&app, "translations WHERE issues LIKE '%Warenkorb%'").await, 5);
}

/// So many keys. Of all names the texts are the same.
fn many(name: &str) -> Vec<Key> {
    (0..2_100).map(|n| Key::text(format!("{name}{n:05}"), format!("Text number {n}"))).collect()
}

/// ADD-18: what is staged is checked by the terms of then.
async fn terms_that_change_while_a_large_run_is_staged_hold_for_what_it_brings(store: TestStore) {
    let app = idle(&store).await;
    let call = |keys: &[Key]| app.post("/translate").json(&json!({ "keys": keys, "languages": ["de"] }));
    let worker = TestWorker::start(&app);
    ended(&app, &taken(call(&many("memory")).send().await)).await;
    worker.shut_down().await;
    let run = under_way(call(&many("new")));
    let staged = "translations t JOIN keys k ON k.id = t.key_id WHERE k.staged_by IS NOT NULL";
    let held = stopped(&app, &run, staged).await;
    let terms = json!([{"term": "number", "language": "en", "translations": {"de": "Nummer"}}]);
    set_of_workspace(&app, &app.project.handle, terms).await;
    // As if all that is there by now had been checked.
    sql::run(&store, "DELETE FROM glossary_checks").await;
    drop(held);
    taken(run.await.unwrap());
    check_all(&app).await;
    let found = "translations t JOIN keys k ON k.id = t.key_id WHERE k.ref LIKE 'new%' AND t.issues LIKE '%Nummer%'";
    assert_eq!(count(&app, found).await, 2_100);
}

/// ADD-18: as after a kill, between the transaction that makes it live and the first piece.
async fn terms_that_change_while_a_large_run_is_moved_hold_for_what_it_brings(store: TestStore) {
    let app = idle(&store).await;
    taken(translate(&app, &texts([("a", "Your cart")])).send().await);
    let (project, now) = (&app.project.id, app.clock.now());
    let run = StagedRun { imports: true, ..StagedRun::new(new_id(IdKind::TrackingToken, now).into(), project, now) };
    let mut tx = app.service.store.begin_write().await.unwrap();
    let held = keys::find(&mut tx, project, "a").await.unwrap().unwrap();
    let content = Content::Text("Ihr Wagen".to_owned());
    let brought = NewTranslation {
        key_id: &held.id,
        language: "de",
        content: &content,
        state: State::Translated,
        source_hash: held.source_hash,
        origin: Origin::Import,
        engine: None,
        issues: &[],
    };
    staged_runs::insert(&mut tx, &run).await.unwrap();
    staged_translations::insert(&mut tx, &run.tracking_token, project, &[brought], &[], now).await.unwrap();
    let changes = ChangeTotals { changes: 0, moves: 0, archives: 0 };
    let whole = StagedTotals { keys: 0, changes, translations: &[], moves_later: true, with_job: false };
    assert!(staged_runs::go_live(&mut tx, &run, whole).await.unwrap());
    tx.commit().await.unwrap();
    set(&app, &app.project, json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await;
    check_all(&app).await;
    sweep(&app.service.store, app.clock.now()).await.unwrap();
    check_all(&app).await;
    let found = key(&app, "a").await;
    let german = found.translations.iter().find(|one| one.language.as_str() == "de").unwrap();
    let messages: Vec<&str> = german.issues.iter().map(|issue| issue.message.as_str()).collect();
    assert!(messages.contains(&"the glossary has `Warenkorb` for `cart`"), "{messages:?}");
}
