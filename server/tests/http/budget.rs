//! The request budget.

use std::time::Duration;

use http::Method;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::ids::ApiKeyText;
use l10n_server::request_windows::Budget;
use l10n_server::testing::{TestApp, TestStore};

both_engines!(
    invented_projects_do_not_switch_the_limit_off,
    a_valid_key_passes_however_many_wrong_ones_come_from_its_address,
    what_can_be_no_key_is_refused_without_the_datastore,
    behind_a_proxy_each_client_is_counted_for_itself,
    a_window_takes_120_requests,
    wrong_keys_do_not_lock_a_project_out,
    a_flood_of_wrong_keys_is_stopped,
    requests_at_once_do_not_pass_the_limit,
);

async fn app(store: &TestStore) -> TestApp {
    TestApp::with(store, |settings| settings.limits.requests_per_minute = 120, ConnectionTimeouts::default()).await
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
    let app = TestApp::with(&store, few, ConnectionTimeouts::default()).await;
    for _ in 0..5 {
        assert_eq!(app.get("/credential").no_key().send().await.outcome(), "401 unauthorized");
    }
    let stopped = app.get("/credential").no_key().send().await;
    assert_eq!(app.get("/credential").send().await.status, 200);
    assert_eq!((stopped.outcome(), stopped.header("retry-after")), ("429 rate_limited".into(), Some("60")));
    assert_eq!(app.at(Method::GET, "/v1/health").send().await.status, 200);
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(app.get("/credential").send().await.status, 200);
}

/// Before, 100,000 invented names filled the memory of windows, and what came after them passed uncounted.
async fn invented_projects_do_not_switch_the_limit_off(store: TestStore) {
    let app =
        TestApp::with(&store, |settings| settings.limits.requests_per_minute = 3, ConnectionTimeouts::default()).await;
    let now = app.clock.now();
    for number in 0..400_000 {
        let _ = app.service.request_windows.count_invented(&Budget::Named(format!("made/up-{number}")), now);
    }
    let public = |path: String| app.at(Method::GET, &path).send();
    for number in 0..3 {
        assert_eq!(app.get("/credential").send().await.status, 200, "{number}");
        let path = format!("/v1/@{}/{}/manifest", app.project.handle, app.project.slug);
        assert_eq!(public(path).await.outcome(), "404 not_published", "{number}");
    }
    assert_eq!(app.get("/credential").send().await.outcome(), "429 rate_limited");
    assert_eq!(public(format!("/v1/projects/{}/manifest", app.project.id)).await.outcome(), "429 rate_limited");
    let path = format!("/v1/@{}/{}/manifest", app.project.handle, app.project.slug);
    assert_eq!(public(path).await.outcome(), "429 rate_limited");
    // Not one of them passes beyond its own limit either.
    let mut invented = Vec::new();
    for _ in 0..4 {
        invented.push(public("/v1/projects/prj_made_up/manifest".to_owned()).await.outcome());
    }
    assert_eq!(invented.last().map(String::as_str), Some("429 rate_limited"), "{invented:?}");
}

/// AMB-4: whoever guesses keys cannot lock out those who have one, not even those who come for the first time.
async fn a_valid_key_passes_however_many_wrong_ones_come_from_its_address(store: TestStore) {
    let few = |settings: &mut l10n_server::config::Settings| settings.limits.failed_authentications_per_minute = 5;
    let app = TestApp::with(&store, few, ConnectionTimeouts::default()).await;
    let other = app.other_project("unlimited").await;
    let mut refused = 0;
    for number in 0..40 {
        let wrong = match number % 4 {
            0 => "junk".to_owned(),
            1 => ApiKeyText::generate().expose().to_owned(),
            2 => app.project.keys.revoked.clone(),
            _ => other.keys.read.clone(),
        };
        let answer = app.get("/credential").key(&wrong).send().await;
        assert!([401, 429].contains(&answer.status), "{answer:?}");
        refused += usize::from(answer.status == 429);
    }
    assert_eq!(refused, 35);
    for key in app.project.keys.valid() {
        assert_eq!(app.get("/credential").key(key).send().await.status, 200);
    }
    let fresh = app.key(&app.project, &[l10n_api_types::Scope::Read], l10n_api_types::KeyKind::Ci).await;
    let mut tx = store.begin_read().await.unwrap();
    let hash = ApiKeyText::parse(&fresh).unwrap().hash();
    let record = l10n_server::store::api_keys::find_by_hash(&mut tx, &hash).await.unwrap().unwrap();
    drop(tx);
    assert_eq!(app.get("/credential").key(&fresh).send().await.status, 200);
    let mut tx = store.begin_write().await.unwrap();
    assert!(l10n_server::domain::auth::revoke(&mut tx, &record.id, app.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    for _ in 0..2 {
        assert_eq!(app.get("/credential").key(&fresh).send().await.outcome(), "429 rate_limited", "revoked by now");
    }
}

/// AUTH-16
async fn what_can_be_no_key_is_refused_without_the_datastore(store: TestStore) {
    let app = app(&store).await;
    app.service.store.close().await;
    for key in ["junk", "eik_", &"x".repeat(53)] {
        assert_eq!(app.get("/credential").key(key).send().await.outcome(), "401 unauthorized");
    }
    let key = app.project.keys.read.clone();
    assert_eq!(app.get("/credential").key(&key).send().await.status, 503, "the datastore is asked about this one");
}

async fn behind_a_proxy_each_client_is_counted_for_itself(store: TestStore) {
    let change = |settings: &mut l10n_server::config::Settings| {
        settings.limits.failed_authentications_per_minute = 2;
        settings.http.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    };
    let app = TestApp::with(&store, change, ConnectionTimeouts::default()).await;
    let wrong = |header: &'static str, client: &'static str| {
        let app = &app;
        async move { app.get("/credential").no_key().header(header, client).send().await.status }
    };
    // What the client itself sent stands to the left of what the proxy appended.
    for sent in ["198.51.100.7", "1.1.1.1, 198.51.100.7", "2.2.2.2, 198.51.100.7"] {
        assert_eq!(wrong("x-forwarded-for", sent).await, if sent.starts_with('2') { 429 } else { 401 }, "{sent}");
    }
    assert_eq!(wrong("x-forwarded-for", "198.51.100.8").await, 401);
    for (sent, status) in [("\"[2001:db8::1]:9\"", 401), ("\"[2001:db8::2]\"", 401), ("\"[2001:db8::3]\"", 429)] {
        let header = format!("for={sent};proto=https");
        let answer = app.get("/credential").no_key().header("forwarded", &header).send().await;
        assert_eq!(answer.status, status, "a client has a /64");
    }
    assert_eq!(app.get("/credential").header("x-forwarded-for", "198.51.100.7").send().await.status, 200);
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
