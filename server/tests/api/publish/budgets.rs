//! Daily budgets of publishes and restores.

use std::time::Duration;

use l10n_api_types::versions::Versions;
use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{Answer, Call, TestApp, TestStore};

use crate::publish::fixtures::App;

both_engines!(
    a_day_has_thirty_publishes_of_all_keys_and_thirty_restores,
    refused_publishes_and_restores_count_for_nothing,
    two_servers_cannot_both_take_the_last_publish,
    a_day_ends_at_midnight_utc,
    another_project_has_a_day_of_its_own,
);

/// A project with something to publish, whose days have `limit` publishes and restores.
async fn app(store: &TestStore, limit: u32) -> App {
    let change = |settings: &mut l10n_server::config::Settings| {
        (settings.limits.publishes_per_day, settings.limits.restores_per_day) = (limit, limit);
    };
    let app = App::new(TestApp::with(store, change, ConnectionTimeouts::default()).await);
    app.greet().await;
    app
}

fn restore(app: &TestApp, version: &str) -> Call {
    app.post(&format!("/versions/{version}/restore"))
}

fn assert_used_up(refused: &Answer, what: &str) {
    assert_eq!((refused.outcome(), refused.header("retry-after")), ("429 rate_limited".to_owned(), Some("60")));
    let message = refused.error().message;
    assert!(message.contains(what) && message.contains("00:00 UTC"), "{message}");
}

/// LIM-DAY-1, LIM-DAY-2, LIM-DAY-8, AMB-43, ERR-429-1
async fn a_day_has_thirty_publishes_of_all_keys_and_thirty_restores(store: TestStore) {
    let settings = l10n_server::config::Settings::default().limits;
    assert_eq!((settings.publishes_per_day, settings.restores_per_day), (30, 30), "the specification's (§8)");
    let app = app(&store, 30).await;
    let keys = [&app.project.keys.admin, &app.project.keys.publish];
    let mut versions = Vec::new();
    for number in 0..30 {
        let answer = app.post("/publish").key(keys[number % 2]).send().await;
        assert_eq!(answer.status, 201, "{number}: {answer:?}");
        versions.push(answer.json()["versionId"].as_str().unwrap().to_owned());
    }
    for key in keys {
        assert_used_up(&app.post("/publish").key(key).send().await, "Daily publish limit (30)");
    }
    for number in 0..30 {
        assert_eq!(restore(&app, &versions[number % 2]).key(keys[number % 2]).send().await.status, 200, "{number}");
    }
    assert_used_up(&restore(&app, &versions[0]).send().await, "Daily restore limit (30)");
    let meta = app.get("/meta").send().await.json();
    assert_eq!((&meta["limits"]["publishesPerDay"], &meta["limits"]["restoresPerDay"]), (&30.into(), &30.into()));
    assert_eq!((&meta["remaining"]["publishes"], &meta["remaining"]["restores"]), (&0.into(), &0.into()));
    let listed: Versions = app.get("/versions").send().await.read();
    assert_eq!(listed.versions.len(), 30, "what was refused has written nothing");
}

/// AMB-14: 400, 403, 404 and 409 leave the day as it was; the budget is looked at after 403 and before 409.
async fn refused_publishes_and_restores_count_for_nothing(store: TestStore) {
    let change = |settings: &mut l10n_server::config::Settings| {
        (settings.limits.publishes_per_day, settings.limits.restores_per_day) = (1, 1);
    };
    let app = App::new(TestApp::with(&store, change, ConnectionTimeouts::default()).await);
    let agent = &app.project.keys.agent;
    assert_eq!(app.post("/publish").send().await.outcome(), "409 nothing_to_publish");
    app.greet().await;
    assert_eq!(app.post("/publish").key(agent).send().await.outcome(), "403 authorization_required");
    assert_eq!(app.post("/publish").json(&serde_json::json!({"languages": ["xx"]})).send().await.status, 400);
    let version = app.publish().await.version_id;
    assert_used_up(&app.post("/publish").send().await, "Daily publish limit (1)");
    assert_eq!(app.post("/publish").key(agent).send().await.outcome(), "403 authorization_required");

    let live = restore(&app, version.as_str());
    assert_eq!(live.clone().send().await.outcome(), "409 version_live");
    assert_eq!(restore(&app, "ver_none").send().await.outcome(), "404 version_not_found");
    assert_eq!(live.clone().key(agent).send().await.outcome(), "403 authorization_required");
    let remaining = &app.get("/meta").send().await.json()["remaining"];
    assert_eq!((&remaining["publishes"], &remaining["restores"]), (&0.into(), &1.into()));
    app.clock.advance(Duration::from_secs(24 * 3_600));
    app.publish().await;
    assert_eq!(live.clone().send().await.status, 200);
    assert_used_up(&live.send().await, "Daily restore limit (1)");
}

/// LIM-DAY-1 under a race, on two servers.
async fn two_servers_cannot_both_take_the_last_publish(store: TestStore) {
    let app = app(&store, 3).await;
    app.publish().await;
    let other = app.beside(&store).await;
    let racers: Vec<_> =
        (0..12).map(|number| tokio::spawn([&*app, &other][number % 2].post("/publish").send())).collect();
    let mut published = 0;
    for racer in racers {
        let answer = racer.await.unwrap();
        match answer.status {
            201 => published += 1,
            _ => assert_used_up(&answer, "Daily publish limit (3)"),
        }
    }
    assert_eq!(published, 2);
}

/// AMB-7
async fn a_day_ends_at_midnight_utc(store: TestStore) {
    let app = app(&store, 1).await;
    app.publish().await;
    app.clock.set("2026-11-21T23:59:59.999Z".parse().unwrap());
    assert_used_up(&app.post("/publish").send().await, "Daily publish limit (1)");
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(app.get("/meta").send().await.json()["remaining"]["publishes"], 1);
    app.publish().await;
    assert_used_up(&app.post("/publish").send().await, "Daily publish limit (1)");
}

async fn another_project_has_a_day_of_its_own(store: TestStore) {
    let app = app(&store, 1).await;
    app.publish().await;
    let other = app.other_project("unlimited").await;
    let theirs = app.at(http::Method::GET, &format!("/v1/projects/{}/meta", other.id)).key(&other.keys.read);
    assert_eq!(theirs.send().await.json()["remaining"]["publishes"], 1);
}
