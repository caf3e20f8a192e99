//! Large imports: compared before anything is written, and on SQLite staged and moved to their place in short transactions.

use std::sync::Arc;

use http::Method;
use l10n_api_types::translations::{HeldReason, Run, RunStatus};
use l10n_api_types::{Content, Key, Origin, State};
use l10n_server::clock::Clock as _;
use l10n_server::domain::run::sweep;
use l10n_server::engines::Pseudo;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::staged_changes::ChangeTotals;
use l10n_server::store::staged_runs::{StagedRun, StagedTotals};
use l10n_server::store::translations::NewTranslation;
use l10n_server::store::{counters, keys, staged_runs, staged_translations};
use l10n_server::testing::{Answer, Call, TestApp, TestProject, TestStore, on_postgres, on_sqlite, sql};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::jobs::fixtures::{key, state, sync, sync_with, taken, text_in, texts, translate};

l10n_server::both_engines!(
    a_large_import_lands_as_a_small_one_does,
    an_import_that_is_live_is_moved_as_a_whole,
    a_large_import_of_an_agent_needs_an_approval,
);

async fn idle(store: &TestStore) -> Arc<TestApp> {
    Arc::new(TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await)
}

async fn count(app: &TestApp, rows: &str) -> i64 {
    sql::count(&app.service.store, rows).await
}

/// A file of so many keys, with these in front of them.
fn file(front: &[(&str, &str)], keys: usize, word: &str) -> Value {
    let front = front.iter().map(|(name, text)| ((*name).to_owned(), json!(text)));
    let keys = (0..keys).map(|n| (format!("k{n:05}"), json!(format!("{word} {n}"))));
    front.chain(keys).collect::<serde_json::Map<_, _>>().into()
}

fn import(app: &TestApp, german: &Value) -> Call {
    sync_with(app, "", "de.json", german, json!({"language": "de"}))
}

async fn nothing_is_staged(app: &TestApp) {
    assert_eq!((count(app, "staged_runs").await, count(app, "staged_translations").await), (0, 0));
    let mut tx = app.service.store.begin_read().await.unwrap();
    assert_eq!(counters::verify(&mut tx, &app.project.id).await.unwrap(), []);
}

/// Returns 1 if memory has a German translation of this text, else 0.
async fn remembered(app: &TestApp, text: &str) -> u64 {
    let body = json!({"keys": [Key::text("asked", text)], "languages": ["de"]});
    let run = taken(app.post("/translate?dryRun=true").json(&body).send().await);
    run.per_language[0].from_memory
}

async fn a_large_import_lands_as_a_small_one_does(store: TestStore) {
    let app = idle(&store).await;
    taken(sync(&app, "en.json", &file(&[("a", "Both"), ("b", "Both")], 3_000, "Text")).send().await);
    let german = file(&[("a", "Erstes"), ("b", "Zweites"), ("c", "?")], 3_000, "Wort");
    let call = || import(&app, &german).header("idempotency-key", "once");
    let run = taken(call().send().await);
    assert_eq!((run.status, run.classification.new), (RunStatus::Completed, 3_003));
    assert_eq!(run.held.iter().map(|text| text.reason).collect::<Vec<_>>(), [HeldReason::UnknownKey]);
    let last = key(&app, "k02999").await;
    let german_of = |translation: &l10n_api_types::Translation| translation.language.as_str() == "de";
    let translation = last.translations.iter().find(|one| german_of(one)).unwrap();
    assert_eq!((translation.state, translation.origin), (State::Translated, Some(Origin::Import)));
    assert_eq!(text_in(&last, "de"), Some("Wort 2999"));
    let meta = app.get("/meta").send().await.json();
    let languages = meta["languages"].as_array().unwrap();
    assert_eq!(languages.iter().find(|one| one["code"] == "de").unwrap()["translated"], json!(3_002));
    nothing_is_staged(&app).await;
    let replayed = call().send().await;
    assert_eq!(replayed.header("idempotency-replayed"), Some("true"));
    assert_eq!(replayed.read::<Run>().classification, run.classification);
    let again = Key::text("again", "Both");
    let run = taken(app.post("/translate").json(&json!({"keys": [again], "languages": ["de"]})).send().await);
    assert_eq!(run.status, RunStatus::Completed, "memory has it");
    assert_eq!(text_in(&key(&app, "again").await, "de"), Some("Zweites"), "of two keys with one text, the last");
    assert_eq!(remembered(&app, "Text 2999").await, 1);
    let run = taken(import(&app, &file(&[("a", "Erstes")], 3_000, "Satz")).send().await);
    assert_eq!((run.classification.changed, run.classification.unchanged), (3_000, 1));
    assert_eq!(text_in(&key(&app, "k00000").await, "de"), Some("Satz 0"));
    nothing_is_staged(&app).await;
    let before = state(&app).await;
    let run = taken(import(&app, &file(&[], 3_000, "Satz")).send().await);
    assert_eq!(run.classification.unchanged, 3_000);
    assert_eq!(state(&app).await, before);
    assert_eq!(app.post("/publish").json(&json!({})).send().await.status, 201);
}

async fn a_large_import_of_an_agent_needs_an_approval(store: TestStore) {
    let app = idle(&store).await;
    taken(sync(&app, "en.json", &file(&[], 1_500, "Text")).send().await);
    let refused = import(&app, &file(&[], 1_500, "Wort")).key(&app.project.keys.agent).send().await;
    assert_eq!(refused.outcome(), "403 authorization_required");
    assert_eq!(count(&app, "translations").await, 0);
    nothing_is_staged(&app).await;
}

/// As after a kill, between the transaction that makes it live and the first piece.
async fn an_import_that_is_live_is_moved_as_a_whole(store: TestStore) {
    let app = idle(&store).await;
    let front = [("draft", "A"), ("kept", "B"), ("new", "C"), ("old", "D")];
    taken(sync(&app, "en.json", &file(&front, 400, "Text")).send().await);
    taken(import(&app, &json!({"draft": "Alt A", "kept": "Alt B", "old": "Alt D"})).send().await);
    sql::run(&store, "UPDATE translations SET state = 'reviewed' WHERE content LIKE '%Alt B%'").await;
    let (project, now) = (&app.project.id, app.clock.now());
    let token = new_id(IdKind::TrackingToken, now).into();
    let run = StagedRun { imports: true, ..StagedRun::new(token, project, now) };
    let mut tx = app.service.store.begin_write().await.unwrap();
    let names = ["draft", "kept", "new", "old"].map(str::to_owned).into_iter();
    let mut rows = Vec::new();
    for name in names.chain((0..400).map(|n| format!("k{n:05}"))) {
        let held = keys::find(&mut tx, project, &name).await.unwrap().unwrap();
        rows.push((held, Content::Text(format!("Neu {name}"))));
    }
    let state = |name: &str| if matches!(name, "draft" | "new") { State::NeedsReview } else { State::Translated };
    let staged: Vec<NewTranslation<'_>> = rows
        .iter()
        .map(|(key, content)| NewTranslation {
            key_id: &key.id,
            language: "de",
            content,
            state: state(&key.name),
            source_hash: key.source_hash,
            origin: Origin::Import,
            engine: None,
            issues: &[],
        })
        .collect();
    let remembered_ones: Vec<bool> = rows.iter().map(|(key, _)| key.name == "old").collect();
    staged_runs::insert(&mut tx, &run).await.unwrap();
    let token = &run.tracking_token;
    staged_translations::insert(&mut tx, token, project, &staged, &remembered_ones, now).await.unwrap();
    let changes = ChangeTotals { changes: 0, moves: 0, archives: 0 };
    let whole = StagedTotals { keys: 0, changes, translations: &[], moves_later: true, with_job: false };
    assert!(staged_runs::go_live(&mut tx, &run, whole).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(translate(&app, &texts([("mine", "Mine")])).send().await.status, 503);
    assert_eq!(app.post("/publish").json(&json!({})).send().await.status, 503);
    sweep(&app.service.store, app.service.clock.now()).await.unwrap();
    nothing_is_staged(&app).await;
    for (name, text) in [
        ("draft", "Alt A"), // A draft takes the place of no translation that versions have.
        ("kept", "Alt B"),  // A person has reviewed it.
        ("new", "Neu new"),
        ("old", "Neu old"),
        ("k00399", "Neu k00399"),
    ] {
        assert_eq!(text_in(&key(&app, name).await, "de"), Some(text), "{name}");
    }
    assert_eq!(count(&app, "project_memory WHERE content LIKE '%Neu old%'").await, 1);
    assert_eq!(count(&app, "project_memory WHERE content LIKE '%Neu k%'").await, 0);
    taken(translate(&app, &texts([("mine", "Mine")])).send().await);
    assert_eq!(app.post("/publish").json(&json!({})).send().await.status, 201);
}

/// An import of so many translations, under way.
fn under_way(app: &Arc<TestApp>, keys: usize) -> JoinHandle<Answer> {
    let app = Arc::clone(app);
    tokio::spawn(async move { import(&app, &file(&[], keys, "Wort")).send().await })
}

/// Waits until there are some of these rows.
async fn some(app: &TestApp, rows: &str, import: &JoinHandle<Answer>) {
    while count(app, rows).await == 0 {
        assert!(!import.is_finished(), "it was never seen that there were {rows}");
        tokio::task::yield_now().await;
    }
}

async fn writes(app: &TestApp, other: &TestProject, name: &str) {
    let call = app.at(Method::POST, &format!("/v1/projects/{}/translate", other.id)).key(&other.keys.admin);
    let answer = call.json(&json!({"keys": texts([(name, "Text")])})).send().await;
    assert_eq!(answer.status, 202, "{answer:?}");
}

/// No transaction holds SQLite's only writer for the whole import.
#[test]
fn others_write_between_the_pieces_of_a_large_import() {
    on_sqlite(async |store: TestStore| {
        let app = idle(&store).await;
        let other = app.other_project("unlimited").await;
        taken(sync(&app, "en.json", &file(&[], 5_000, "Text")).send().await);
        let import = under_way(&app, 5_000);
        some(&app, "staged_translations", &import).await;
        // It cannot go on as long as this is open.
        let held = app.service.store.begin_write().await.unwrap();
        let staged = count(&app, "staged_translations").await;
        assert!((1..5_000).contains(&staged), "{staged} in one transaction");
        assert_eq!(count(&app, "translations").await, 0, "nobody sees it before its end");
        held.rollback().await.unwrap();
        writes(&app, &other, "while it is staged").await;
        some(&app, "translations", &import).await;
        let held = app.service.store.begin_write().await.unwrap();
        let (moved, left) = (count(&app, "translations").await, count(&app, "staged_translations").await);
        assert!((1..5_000).contains(&moved), "{moved} in one transaction");
        assert_eq!(moved + left, 5_000);
        assert_eq!(count(&app, "project_memory").await, moved, "memory has what is in its place");
        held.rollback().await.unwrap();
        writes(&app, &other, "while it is moved").await;
        assert_eq!(taken(import.await.unwrap()).classification.new, 5_000);
        assert_eq!(text_in(&key(&app, "k04999").await, "de"), Some("Wort 4999"));
        nothing_is_staged(&app).await;
    });
}

#[test]
fn a_large_import_whose_project_changes_meanwhile_is_compared_anew() {
    on_sqlite(async |store: TestStore| {
        let app = idle(&store).await;
        taken(sync(&app, "en.json", &file(&[], 5_000, "Text")).send().await);
        let import = under_way(&app, 5_000);
        some(&app, "staged_translations", &import).await;
        taken(translate(&app, &texts([("k00007", "Edited 7")])).send().await);
        assert_eq!(taken(import.await.unwrap()).classification.new, 5_000);
        assert_eq!(count(&app, "translations WHERE stale").await, 0);
        assert_eq!(
            count(&app, "translations t JOIN keys k ON k.id = t.key_id WHERE t.source_hash <> k.source_hash").await,
            0
        );
        nothing_is_staged(&app).await;
    });
}

/// The last transaction waits for somebody who holds the project, and looks again.
#[test]
fn what_a_person_reviews_while_a_large_import_is_compared_stays() {
    on_postgres(async |store: TestStore| {
        let app = idle(&store).await;
        taken(sync(&app, "en.json", &file(&[], 1_500, "Text")).send().await);
        taken(import(&app, &json!({"k00007": "Alt 7"})).send().await);
        let script = "SELECT id FROM projects FOR NO KEY UPDATE; UPDATE translations SET state = 'reviewed'";
        let run = taken(sql::run_beside(&store, script, import(&app, &file(&[], 1_500, "Wort")).send()).await);
        assert_eq!((run.classification.new, run.classification.unchanged), (1_499, 1));
        assert_eq!(run.held.iter().map(|text| text.reason).collect::<Vec<_>>(), [HeldReason::Reviewed]);
        assert_eq!(text_in(&key(&app, "k00007").await, "de"), Some("Alt 7"));
        assert_eq!(text_in(&key(&app, "k00008").await, "de"), Some("Wort 8"));
    });
}

#[test]
fn keys_that_go_while_a_large_import_is_compared_are_named() {
    on_postgres(async |store: TestStore| {
        let app = idle(&store).await;
        taken(sync(&app, "en.json", &file(&[], 1_500, "Text")).send().await);
        let script = "UPDATE projects SET change_seq = change_seq + 1; \
            UPDATE keys SET state = 'archived' WHERE ref = 'k00007'";
        let run = taken(sql::run_beside(&store, script, import(&app, &file(&[], 1_500, "Wort")).send()).await);
        assert_eq!(run.held.iter().map(|text| text.reason).collect::<Vec<_>>(), [HeldReason::UnknownKey]);
        assert_eq!(count(&app, "translations").await, 1_499);
    });
}
