//! Large runs: how much one may ask for, and how many are worked on at a time.

use std::sync::Arc;

use l10n_api_types::Key;
use l10n_server::engines::Pseudo;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::jobs::fixtures::{state, taken, translate};

l10n_server::both_engines!(
    a_large_request_that_finds_no_place_to_wait_says_what_to_run_again_and_writes_nothing,
    a_large_request_waits_for_its_turn,
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
