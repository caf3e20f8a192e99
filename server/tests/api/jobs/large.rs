//! Large runs: how much one may ask for, and how many are worked on at a time.

use std::sync::Arc;

use http::Method;
use l10n_api_types::Key;
use l10n_server::engines::Pseudo;
use l10n_server::testing::sql::count;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::jobs::fixtures::{state, taken, translate};

l10n_server::both_engines!(
    a_large_request_that_finds_no_place_to_wait_says_what_to_run_again_and_writes_nothing,
    a_large_request_waits_for_its_turn,
    a_small_request_in_a_large_body_holds_no_turn,
    large_runs_of_one_project_hold_one_turn,
);

/// Over 64 KiB of keys.
fn many() -> Vec<Key> {
    (0..2_000).map(|n| Key::text(format!("key number {n}"), format!("Text number {n}"))).collect()
}

async fn with_one_turn(store: &TestStore) -> TestApp {
    let one = |settings: &mut l10n_server::config::Settings| {
        settings.limits.large_requests = 1;
        settings.limits.large_requests_waiting = 1;
    };
    TestApp::idle(store, one, Arc::new(Pseudo)).await
}

async fn a_large_request_that_finds_no_place_to_wait_says_what_to_run_again_and_writes_nothing(store: TestStore) {
    let app = with_one_turn(&store).await;
    let before = state(&app).await;
    let turns = app.service.turns.clone();
    let turn = turns.take(&"another".into()).await.unwrap();
    let waiting = tokio::spawn({
        let turns = turns.clone();
        async move { turns.take(&"another".into()).await }
    });
    while turns.waiting() == 0 {
        tokio::task::yield_now().await;
    }
    let keys = many();
    for path in ["/translate", "/translate?dryRun=true"] {
        let refused = app.post(path).json(&json!({"keys": &keys})).send().await;
        assert_eq!(refused.outcome(), "503 unavailable", "{path}");
        assert!(refused.header("retry-after").is_some_and(|seconds| seconds.parse::<u32>().is_ok()));
        let message = refused.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("again from your source files"), "{message}");
    }
    taken(app.post("/translate?dryRun=true").json(&json!({"keys": &keys[..10]})).send().await);
    assert_eq!(state(&app).await, before);
    drop(turn);
    drop(waiting.await.unwrap().unwrap());
    taken(translate(&app, &keys).send().await);
}

async fn a_large_request_waits_for_its_turn(store: TestStore) {
    let app = Arc::new(with_one_turn(&store).await);
    let turn = app.service.turns.take(&"another".into()).await.unwrap();
    let run = tokio::spawn({
        let app = app.clone();
        async move { taken(translate(&app, &many()).send().await) }
    });
    while app.service.turns.waiting() == 0 {
        tokio::task::yield_now().await;
    }
    drop(turn);
    assert_eq!(run.await.unwrap().classification.new, 2_000);
}

/// A large run of another workspace's project.
async fn run_of_another(app: &TestApp) {
    let other = app.other_project("unlimited").await;
    let run = app.at(Method::POST, &format!("/v1/projects/{}/translate", other.id)).key(&other.keys.admin);
    assert_eq!(taken(run.json(&json!({"keys": many()})).send().await).classification.new, 2_000);
}

/// Before, blanks after a publish that waits for others held a turn, and nobody's large run was taken.
async fn a_small_request_in_a_large_body_holds_no_turn(store: TestStore) {
    let app = with_one_turn(&store).await;
    let others = app.service.publish_turns.take_own(&app.project.workspace).await.unwrap();
    let padded = format!("{{}}{}", " ".repeat(70_000));
    let publish = app.post("/publish").header("x-correlation-id", "padded").header("content-type", "application/json");
    let publish = tokio::spawn(publish.body(padded).send());
    while count(&store, "requests WHERE id = 'padded'").await == 0 {
        tokio::task::yield_now().await;
    }
    run_of_another(&app).await;
    assert!(!publish.is_finished());
    drop(others);
    assert_eq!(publish.await.unwrap().outcome(), "409 nothing_to_publish");
}

/// Before, the second held the other turn while it waited for the project as the first did.
async fn large_runs_of_one_project_hold_one_turn(store: TestStore) {
    let app = TestApp::idle(&store, |settings| settings.limits.large_requests = 2, Arc::new(Pseudo)).await;
    let project = app.service.store.hold_turn(&app.project.id).await.unwrap();
    let runs = [0, 1].map(|_| tokio::spawn(translate(&app, &many()).send()));
    while app.service.turns.waiting() == 0 {
        tokio::task::yield_now().await;
    }
    run_of_another(&app).await;
    drop(project);
    for run in runs {
        taken(run.await.unwrap());
    }
}
