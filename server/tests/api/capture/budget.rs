//! The day's budget of new captured keys.

use std::time::Duration;

use l10n_server::both_engines;
use l10n_server::http::ConnectionTimeouts;
use l10n_server::testing::{Answer, TestApp, TestStore};
use serde_json::{Value, json};

use crate::capture::fixtures::{capture, counts, meta, post_capture};

both_engines!(
    a_day_has_so_many_new_keys_and_a_call_with_more_writes_nothing,
    two_servers_cannot_both_take_the_last_of_a_day,
    a_day_ends_at_midnight_utc,
);

async fn app(store: &TestStore, limit: u32) -> TestApp {
    TestApp::with(store, |settings| settings.limits.captures_per_day = limit, ConnectionTimeouts::default()).await
}

fn named(prefix: &str, count: usize) -> Value {
    (0..count).map(|number| json!({"ref": format!("{prefix}.{number}")})).collect()
}

fn assert_used_up(refused: &Answer) {
    assert_eq!(refused.outcome(), "429 capture_quota_exceeded", "{refused:?}");
    assert_eq!(refused.header("retry-after"), None, "a minute is no help (§7 rule 3)");
    assert!(refused.error().message.contains("00:00 UTC"), "{refused:?}");
}

/// LIM-DAY-3, ERR-429-2, FN-5
async fn a_day_has_so_many_new_keys_and_a_call_with_more_writes_nothing(store: TestStore) {
    assert_eq!(l10n_server::config::Settings::default().limits.captures_per_day, 5_000, "the specification's (§8)");
    let app = app(&store, 10).await;
    assert_eq!(capture(&app, &named("a", 6)).await.remaining_today, 4);
    let before = meta(&app).await["capturedCount"].clone();
    let mut mixed = named("b", 5);
    mixed.as_array_mut().unwrap().extend(named("a", 6).as_array().unwrap().clone());
    assert_used_up(&post_capture(&app, &mixed).await);
    assert_eq!(meta(&app).await["capturedCount"], before);
    let answer = capture(&app, &named("b", 4)).await;
    assert_eq!((counts(&answer), answer.remaining_today), ((4, 0, 0), 0));
    assert_used_up(&post_capture(&app, &named("c", 1)).await);
    let known = capture(&app, &named("a", 6)).await;
    assert_eq!((counts(&known), known.remaining_today), ((0, 6, 0), 0), "what is known takes nothing");
    let other = app.other_project("unlimited").await;
    let path = format!("/v1/projects/{}/capture", other.id);
    let theirs = app.at(http::Method::POST, &path).key(&other.keys.capture).json(&json!({"keys": named("a", 10)}));
    assert_eq!(theirs.send().await.status, 200, "another project has a day of its own");
}

/// LIM-DAY-3 under a race, on two servers.
async fn two_servers_cannot_both_take_the_last_of_a_day(store: TestStore) {
    let app = app(&store, 7).await;
    let other = app.beside(&store).await;
    let racers: Vec<_> = (0..8)
        .map(|number| {
            let body = json!({"keys": named(&format!("racer{number}"), 2)});
            tokio::spawn([&app, &other][number % 2].post("/capture").json(&body).send())
        })
        .collect();
    let mut taken = 0;
    for racer in racers {
        let answer = racer.await.unwrap();
        match answer.status {
            200 => taken += 1,
            _ => assert_used_up(&answer),
        }
    }
    let meta = meta(&app).await;
    assert_eq!((taken, &meta["capturedCount"], &meta["remaining"]["captures"]), (3, &6.into(), &1.into()));
}

/// LIM-DAY-7
async fn a_day_ends_at_midnight_utc(store: TestStore) {
    let app = app(&store, 2).await;
    app.clock.set("2026-11-21T23:59:59.999Z".parse().unwrap());
    capture(&app, &named("a", 2)).await;
    assert_used_up(&post_capture(&app, &named("b", 1)).await);
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(capture(&app, &named("b", 1)).await.remaining_today, 1);
}
