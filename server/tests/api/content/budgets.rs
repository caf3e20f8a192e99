//! The day's imports.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::config::Settings;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::content::fixtures::{count, named, push, pushed, put};

both_engines!(a_day_has_so_many_imports_of_both_routes, two_servers_cannot_both_take_the_last_import);

async fn app(store: &TestStore, limit: u32) -> TestApp {
    TestApp::with(store, |settings| settings.limits.imports_per_day = limit, ConnectionTimeouts::default()).await
}

/// LIM-DAY-4, AMB-14: POST and PUT share the day; what is refused counts for nothing.
async fn a_day_has_so_many_imports_of_both_routes(store: TestStore) {
    assert_eq!(Settings::default().limits.imports_per_day, 500, "the specification's (§8)");
    let app = app(&store, 4).await;
    let document = pushed(&app, &named("a", "One.")).await;
    let id = document.doc_id.as_str();
    assert_eq!(push(&app, &named("a", "Taken.")).send().await.outcome(), "409 external_id_exists");
    assert_eq!(push(&app, &json!({"format": "text"})).send().await.outcome(), "400 invalid_argument");
    assert_eq!(put(&app, "doc_none", &json!({"body": "x"})).send().await.outcome(), "404 not_found");
    let stale = json!({"body": "x", "ifVersionId": "cvr_none"});
    assert_eq!(put(&app, id, &stale).send().await.outcome(), "409 version_conflict");
    assert_eq!(put(&app, id, &json!({"body": "Two."})).send().await.status, 200);
    pushed(&app, &named("b", "One.")).await;
    assert_eq!(app.get("/meta").send().await.json()["remaining"]["imports"], 1);
    assert_eq!(put(&app, id, &json!({"body": "Three."})).send().await.status, 200);
    for refused in [push(&app, &named("a", "Taken.")), put(&app, id, &json!({"body": "Four."}))] {
        let refused = refused.send().await;
        assert_eq!(refused.outcome(), "429 import_quota_exceeded");
        assert!(refused.error().message.contains("Daily document import limit (4)"), "{refused:?}");
    }
    assert_eq!(app.get("/meta").send().await.json()["limits"]["importsPerDay"], 4);
    app.clock.advance(Duration::from_secs(24 * 3_600));
    pushed(&app, &named("c", "One.")).await;
}

async fn two_servers_cannot_both_take_the_last_import(store: TestStore) {
    let app = app(&store, 3).await;
    let other = app.beside(&store).await;
    let racers: Vec<_> = (0..8)
        .map(|number| tokio::spawn(push([&app, &other][number % 2], &named(&number.to_string(), "One.")).send()))
        .collect();
    let mut outcomes = Vec::new();
    for racer in racers {
        outcomes.push(racer.await.unwrap().outcome());
    }
    outcomes.sort();
    assert_eq!(outcomes[..3], ["201", "201", "201"]);
    assert!(outcomes[3..].iter().all(|outcome| outcome == "429 import_quota_exceeded"), "{outcomes:?}");
    assert_eq!(count(&app).await, 3);
}
