//! The request budget.

use std::time::Duration;

use http::Method;
use l10n_server::both_engines;
use l10n_server::http::Timeouts;
use l10n_server::testing::{TestApp, TestStore};

both_engines!(
    a_window_takes_120_requests,
    wrong_keys_do_not_lock_a_project_out,
    a_flood_of_wrong_keys_is_stopped,
    requests_at_once_do_not_pass_the_limit,
);

async fn app(store: &TestStore) -> TestApp {
    TestApp::with(store, |settings| settings.limits.requests_per_minute = 120, Timeouts::default()).await
}

/// LIM-REQ-1, LIM-REQ-2, LIM-REQ-3, LIM-REQ-4, LIM-REQ-7, LIM-REQ-9, ERR-429-1
async fn a_window_takes_120_requests(store: TestStore) {
    let app = app(&store).await;
    let other = app.other_project("unlimited").await;
    let keys = [&app.project.keys.admin, &app.project.keys.read];
    for number in 0..120 {
        // Unknown routes and refused requests count as well.
        let path = ["/credential", "/nowhere", "/languages"][number % 3];
        let answer = app.get(path).key(keys[number % 2]).send().await;
        assert_ne!(answer.status, 429, "{number}");
    }
    let refused = app.get("/credential").send().await;
    assert_eq!(refused.outcome(), "429 rate_limited");
    assert_eq!(refused.header("retry-after"), Some("60"));
    assert_eq!(app.get("/nowhere").send().await.outcome(), "429 rate_limited");
    // A wrong key is still that (AMB-4).
    assert_eq!(app.get("/credential").no_key().send().await.outcome(), "401 unauthorized");

    let theirs = app.at(Method::GET, &format!("/v1/projects/{}/credential", other.id)).key(&other.keys.read);
    assert_eq!(theirs.send().await.status, 200);
    let resolve = app.at(Method::GET, "/v1/projects/resolve?workspace=acme&project=app").key(keys[0]);
    assert_eq!(resolve.send().await.status, 200);
    assert_eq!(app.at(Method::GET, "/v1/health").send().await.status, 200);

    app.clock.advance(Duration::from_millis(59_999));
    assert_eq!(app.get("/credential").send().await.outcome(), "429 rate_limited");
    app.clock.advance(Duration::from_millis(1));
    let meta = app.get("/meta").send().await.json();
    assert_eq!((&meta["limits"]["requestsPerMinute"], &meta["remaining"]["requests"]), (&120.into(), &119.into()));
}

/// LIM-REQ-11, AMB-5
async fn wrong_keys_do_not_lock_a_project_out(store: TestStore) {
    let app = app(&store).await;
    for _ in 0..130 {
        assert_eq!(app.get("/credential").no_key().send().await.status, 401);
    }
    assert_eq!(app.get("/credential").send().await.status, 200);
}

/// AMB-4: a guard per client address stands before the store.
async fn a_flood_of_wrong_keys_is_stopped(store: TestStore) {
    let few = |settings: &mut l10n_server::config::Settings| settings.limits.failed_authentications_per_minute = 5;
    let app = TestApp::with(&store, few, Timeouts::default()).await;
    for _ in 0..5 {
        assert_eq!(app.get("/credential").no_key().send().await.outcome(), "401 unauthorized");
    }
    let stopped = app.get("/credential").no_key().send().await;
    assert_eq!((stopped.outcome(), stopped.header("retry-after")), ("429 rate_limited".into(), Some("60")));
    assert_eq!(app.at(Method::GET, "/v1/health").send().await.status, 200);
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(app.get("/credential").send().await.status, 200);
}

/// LIM-REQ-10
async fn requests_at_once_do_not_pass_the_limit(store: TestStore) {
    let app = app(&store).await;
    let calls: Vec<_> = (0..200).map(|_| tokio::spawn(app.get("/credential").send())).collect();
    let mut passed = 0;
    for call in calls {
        passed += usize::from(call.await.unwrap().status == 200);
    }
    assert_eq!(passed, 120);
}
