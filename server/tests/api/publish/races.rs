//! Publishes and restores at the same time, and publishes that do not come to their end.

use std::collections::BTreeSet;
use std::task::Poll;
use std::time::Duration;

use l10n_api_types::publish::{Publish, Published};
use l10n_api_types::versions::Versions;
use l10n_server::both_engines;
use l10n_server::domain::publish;
use l10n_server::testing::TestStore;

use crate::publish::fixtures::App;

async fn racing_publishes_make_a_version_each(store: TestStore) {
    let app = App::greeting(&store).await;
    let racers: Vec<_> = (0..8).map(|_| tokio::spawn(app.post("/publish").send())).collect();
    let mut labels = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for racer in racers {
        let published: Published = racer.await.unwrap().read();
        labels.insert(published.label);
        ids.insert(published.version_id);
    }
    assert_eq!(labels, (1..=8).map(|number| format!("v{number}")).collect());
    assert_eq!(ids.len(), 8);
    let listed: Versions = app.get("/versions").send().await.read();
    let live: Vec<_> = listed.versions.iter().filter(|version| version.live).map(|v| v.label.as_str()).collect();
    assert_eq!(live, ["v8"], "the last one is live, and it alone");
}

/// Whichever comes last is live; both answers stay true of what they did.
async fn a_restore_that_races_with_a_publish_leaves_one_live_version(store: TestStore) {
    let app = App::greeting(&store).await;
    let first = app.publish().await;
    app.publish().await;
    for _ in 0..5 {
        let restore = tokio::spawn(app.post(&format!("/versions/{}/restore", first.version_id)).send());
        let publish = tokio::spawn(app.post("/publish").send());
        let (restore, publish) = (restore.await.unwrap(), publish.await.unwrap());
        let published: Published = publish.read();
        let outcome = restore.outcome();
        assert!(outcome == "200" || outcome == "409 version_live", "{outcome}");
        let listed: Versions = app.get("/versions").send().await.read();
        let live: Vec<_> = listed.versions.into_iter().filter(|v| v.live).map(|v| v.version_id).collect();
        assert_eq!(live.len(), 1);
        assert!(live[0] == published.version_id || live[0] == first.version_id);
        assert_eq!(listed.next_cursor, None);
    }
    let listed: Versions = app.get("/versions").send().await.read();
    assert_eq!(listed.versions.len(), 7);
}

/// A publish that is dropped at any of its steps, as when the server is killed, leaves nothing of itself.
async fn a_publish_that_is_cut_off_leaves_nothing(store: TestStore) {
    let app = App::greeting(&store).await;
    let (service, caller) = (app.service.clone(), app.caller());
    let mut cuts = 0;
    // How many steps a publish takes depends on how soon the database answers each; these reach from its first to beyond
    // its last.
    for steps in 1..=60 {
        let attempt = async {
            let asked = Publish::default();
            let ahead = publish::ahead(service.publishing(), &caller, &asked).await.unwrap();
            let mut tx = service.store.begin_write().await.unwrap();
            publish::create(&mut tx, service.publishing(), &caller, &asked, &ahead).await.unwrap().unwrap();
            // Never committed.
        };
        cuts += usize::from(polled(steps, attempt).await);
    }
    assert!(cuts > 0, "every publish came to its end");
    assert_eq!(app.public("/manifest").send().await.outcome(), "404 not_published");
    assert_eq!(app.get("/versions").send().await.json()["versions"].as_array().unwrap().len(), 0);
    let published = app.publish().await;
    assert_eq!(published.label, "v1", "no number was used up");
}

/// Polls a future so many times at most, then drops it. Returns whether it was dropped unfinished.
async fn polled(times: usize, future: impl Future) -> bool {
    let mut future = Box::pin(future);
    let mut left = times;
    let limited = std::future::poll_fn(|cx| {
        if left == 0 {
            return Poll::Ready(true);
        }
        left -= 1;
        future.as_mut().poll(cx).map(|_| false)
    });
    tokio::time::timeout(Duration::from_secs(30), limited).await.unwrap_or(true)
}

both_engines!(
    racing_publishes_make_a_version_each,
    a_restore_that_races_with_a_publish_leaves_one_live_version,
    a_publish_that_is_cut_off_leaves_nothing,
);
