//! The limits of runs: the daily budget, and credits.

use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::content::fixtures::{GUIDE, markdown, pushed};
use crate::content::run_fixtures::{balance, run, run_of};

both_engines!(
    a_day_has_so_many_runs_and_previews_are_free,
    two_servers_cannot_both_take_the_last_run,
    a_run_that_is_not_covered_writes_nothing,
);

/// LIM-DAY-5, AMB-14
async fn a_day_has_so_many_runs_and_previews_are_free(store: TestStore) {
    let app = TestApp::with(&store, |settings| settings.limits.runs_per_day = 2, ConnectionTimeouts::default()).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let id = document.doc_id.as_str();
    for _ in 0..3 {
        run_of(&run(&app, id, &json!({"dryRun": true})).send().await);
        assert_eq!(run(&app, id, &json!({"languages": ["es"]})).send().await.status, 400);
    }
    run_of(&run(&app, id, &json!({})).send().await);
    assert_eq!(app.get("/meta").send().await.json()["remaining"]["runs"], 1);
    run_of(&run(&app, id, &json!({})).send().await);
    assert_eq!(run(&app, id, &json!({})).send().await.outcome(), "429 run_quota_exceeded");
    run_of(&run(&app, id, &json!({"dryRun": true})).send().await);
}

/// LIM-DAY-5
async fn two_servers_cannot_both_take_the_last_run(store: TestStore) {
    let app = TestApp::with(&store, |settings| settings.limits.runs_per_day = 2, ConnectionTimeouts::default()).await;
    let other = app.beside(&store).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let racers: Vec<_> = (0..8)
        .map(|number| tokio::spawn(run([&app, &other][number % 2], document.doc_id.as_str(), &json!({})).send()))
        .collect();
    let mut outcomes = Vec::new();
    for racer in racers {
        outcomes.push(racer.await.unwrap().outcome());
    }
    outcomes.sort();
    assert!(outcomes[..2].iter().all(|outcome| outcome == "200" || outcome == "202"), "{outcomes:?}");
    assert!(outcomes[2..].iter().all(|outcome| outcome == "429 run_quota_exceeded"), "{outcomes:?}");
}

/// ERR-402-1: the preview tells of it.
async fn a_run_that_is_not_covered_writes_nothing(store: TestStore) {
    let price = |settings: &mut l10n_server::config::Settings| {
        settings.pricing.millicredits_per_character = 1_000_000_000;
    };
    let app = TestApp::with(&store, price, ConnectionTimeouts::default()).await;
    let document = pushed(&app, &markdown(GUIDE)).await;
    let (id, before) = (document.doc_id.as_str(), balance(&app).await);
    let preview = run_of(&run(&app, id, &json!({"dryRun": true})).send().await);
    assert_eq!(preview.would_fail.unwrap().error, l10n_api_types::ErrorCode::InsufficientCredits);
    assert_eq!(run(&app, id, &json!({})).send().await.outcome(), "402 insufficient_credits");
    assert_eq!(balance(&app).await, before);
    assert_eq!(app.get("/meta").send().await.json()["remaining"]["runs"], 100_000, "refused work does not count");
}
