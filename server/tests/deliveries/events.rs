//! The causes, receivers and contents of events (§6).

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::deliveries::DeliveryStatus;
use l10n_api_types::delivery::ManifestBody;
use l10n_api_types::events::{Envelope, EventType, StringsPublished};
use l10n_api_types::publish::{Publish, Published};
use l10n_api_types::{KeyKind, Scope, VersionId};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;

use l10n_server::domain::{self, Caller};
use l10n_server::service::Service;
use l10n_server::store::engine::DatabaseKind;
use l10n_server::testing::TestStore;
use l10n_server::workers::deliver::{self, DeliveryConfig};
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::fixtures::World;

fn body(one: &l10n_testkit::receiver::Delivery) -> Envelope<StringsPublished> {
    serde_json::from_slice(&one.body).unwrap()
}

/// EV-1, ENV-1 to ENV-10, DLV-2 to DLV-4
async fn a_publish_fires_an_event_for_every_webhook(store: TestStore) {
    let world = World::on(&store).await;
    let (one, other) = (world.hook("/one").await, world.hook("/other").await);
    let answer = world.post("/publish").json(&json!({"label": "Größe 🏔"})).send().await;
    let published: Published = answer.read();
    let entries = [
        world.newest(&one, |entry| entry.status == DeliveryStatus::Delivered).await,
        world.newest(&other, |entry| entry.status == DeliveryStatus::Delivered).await,
    ];
    assert_eq!(entries[0].event_id, entries[1].event_id, "AMB-36");
    assert_ne!(entries[0].delivery_id, entries[1].delivery_id, "DLV-1");
    let arrived = [world.arrived("/one").remove(0), world.arrived("/other").remove(0)];
    assert_eq!(arrived[0].body, arrived[1].body);
    let raw: serde_json::Value = serde_json::from_slice(&arrived[0].body).unwrap();
    let languages =
        json!([{"code": "en", "isBase": true}, {"code": "de", "isBase": false}, {"code": "fr", "isBase": false}]);
    let expected = json!({
        "id": entries[0].event_id,
        "type": "strings.published",
        "schemaVersion": 1,
        "createdAt": "2026-11-21T08:00:00.000Z",
        "project": {"id": world.project.id, "handle": "acme", "slug": "app"},
        "data": {
            "versionId": published.version_id,
            "label": "Größe 🏔",
            "keyCount": 1,
            "languages": languages,
        },
    });
    assert_eq!(raw, expected);
    for entry in entries {
        assert!(entry.event_id.as_str().starts_with("evt_") && entry.delivery_id.as_str().starts_with("dlv_"));
        assert_eq!((entry.event_type, entry.publish_id), (EventType::StringsPublished, published.publish_id.clone()));
    }
    let files = format!("/v1/projects/{}/translations?version={}", world.project.id, published.version_id);
    let read = world.at(http::Method::GET, &files).key(&world.project.keys.read).send().await;
    assert_eq!(read.status, 200, "{read:?}");

    world.clock.advance(std::time::Duration::from_millis(1_234));
    world.publish().await;
    let second = world.newest(&one, |entry| entry.event_id.as_str() != raw["id"]).await;
    world.newest(&one, |entry| entry.status == DeliveryStatus::Delivered).await;
    let raw: serde_json::Value = serde_json::from_slice(&world.arrived("/one")[1].body).unwrap();
    assert_eq!(
        (raw["id"].as_str(), raw["createdAt"].as_str()),
        (Some(second.event_id.as_str()), Some("2026-11-21T08:00:01.234Z"))
    );
    assert_eq!(world.log(&one).await.len(), 2, "WH-DL-1");
    assert_eq!(world.log(&one).await[0].delivery_id, second.delivery_id, "WH-DL-1: the newest first");
}

/// EV-2
async fn a_restore_fires_an_event_with_the_version_that_is_live_again(store: TestStore) {
    let world = World::on(&store).await;
    let first = world.publish().await;
    world.publish().await;
    let hook = world.hook("/hook").await;
    let answer = world.post(&format!("/versions/{}/restore", first.version_id)).send().await;
    let restored: Published = answer.read();
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(entry.publish_id, restored.publish_id);
    let envelope = body(&world.arrived("/hook")[0]);
    assert_eq!((envelope.data.version_id, envelope.data.label), (first.version_id, first.label));
    assert_eq!(envelope.created_at, world.clock.now());
}

/// EV-1: a receiver that reads the files it was told of finds them at any process of the service.
async fn no_process_serves_the_former_version_once_an_event_has_arrived(store: TestStore) {
    let world = World::idle(&store).await;
    let beside = world.beside(&store).await;
    // As servers have it outside of tests, whose clock stands still.
    let seen_by_all = match store.engine() {
        DatabaseKind::Postgres => Duration::from_millis(500),
        // An embedded datastore has one server.
        DatabaseKind::Sqlite => return,
    };
    let service = Service { seen_by_all, ..world.service.clone() };
    let shutdown = CancellationToken::new();
    let _ends = shutdown.clone().drop_guard();
    tokio::spawn(deliver::run(service.clone(), DeliveryConfig::default(), Arc::default(), shutdown.clone()));
    let clock = world.clock.clone();
    tokio::spawn(shutdown.run_until_cancelled_owned(async move {
        let (began, at) = (Instant::now(), clock.now());
        loop {
            tokio::time::sleep(Duration::from_millis(1)).await;
            clock.set(at.plus_millis(i64::try_from(began.elapsed().as_millis()).unwrap()));
        }
    }));
    world.hook("/hook").await;
    let manifest = format!("/v1/projects/{}/manifest", world.project.id);
    for round in 1..=8 {
        let version = publish(&service, &world).await;
        while world.receiver.deliveries().len() < round {
            // It remembers what it has read a moment ago.
            beside.at(http::Method::GET, &manifest).send().await;
            tokio::task::yield_now().await;
        }
        let read: ManifestBody = beside.at(http::Method::GET, &manifest).send().await.read();
        assert_eq!(read.version_id, version);
    }
}

/// Publishes as the route does.
async fn publish(service: &Service, world: &World) -> VersionId {
    let caller = Caller {
        project: world.project.id.clone(),
        workspace: world.project.workspace.clone(),
        key: "key_test".into(),
        scopes: vec![Scope::Publish],
        kind: KeyKind::Ci,
        request: "test".into(),
    };
    let asked = Publish::default();
    let ahead = domain::publish::ahead(service.publishing(), &caller, &asked).await.unwrap();
    let mut tx = service.store.begin_write().await.unwrap();
    let published =
        domain::publish::create(&mut tx, service.publishing(), &caller, &asked, &ahead).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    published.version_id
}

/// EV-6, EV-7: subscribed, enabled, of this project, and there when it happens.
async fn only_those_who_subscribed_and_are_enabled_hear_of_it(store: TestStore) {
    let world = World::on(&store).await;
    let content = world.hook_at(&world.receiver.url("/content"), &[EventType::ContentPublished]).await;
    let both = [EventType::ContentPublished, EventType::StringsPublished];
    let both = world.hook_at(&world.receiver.url("/both"), &both).await;
    let disabled = world.hook("/disabled").await;
    world.set_enabled(&disabled, false).await;
    world.publish().await;
    let late = world.hook("/late").await;
    world.newest(&both, |entry| entry.status == DeliveryStatus::Delivered).await;
    world.set_enabled(&disabled, true).await;
    world.look().await;
    for (hook, path) in [(&content, "/content"), (&disabled, "/disabled"), (&late, "/late")] {
        assert_eq!((world.log(hook).await.len(), world.arrived(path).len()), (0, 0), "{path}");
    }
    world.publish().await;
    world.newest(&disabled, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(world.arrived("/disabled").len(), 1, "one event, of the publish after it was enabled");
}

/// EV-8: what is refused fires nothing.
async fn a_refused_publish_fires_nothing(store: TestStore) {
    let world = World::on(&store).await;
    let hook = world.hook("/hook").await;
    let empty = world.other_project("unlimited").await;
    let version = world.publish().await.version_id;
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    let agent = world.project.keys.agent.clone();
    let restore = format!("/versions/{version}/restore");
    let foreign = format!("/v1/projects/{}/publish", empty.id);
    let refused = [
        (world.post("/publish").json(&json!({"dryRun": true})), "400 invalid_argument"),
        (world.post("/publish").json(&json!({"languages": ["xx"]})), "400 invalid_argument"),
        (world.post("/publish").key(&agent), "403 authorization_required"),
        (world.post(&restore).key(&agent), "403 authorization_required"),
        (world.post(&restore), "409 version_live"),
        (world.at(http::Method::POST, &foreign).key(&empty.keys.admin), "409 nothing_to_publish"),
    ];
    for (call, outcome) in refused {
        assert_eq!(call.send().await.outcome(), outcome);
    }
    world.look().await;
    assert_eq!((world.log(&hook).await.len(), world.arrived("/hook").len()), (1, 1));
}

/// WH-DL-3
async fn a_log_begins_empty(store: TestStore) {
    let world = World::on(&store).await;
    let hook = world.hook("/hook").await;
    assert_eq!(world.log(&hook).await, []);
}

both_engines!(
    no_process_serves_the_former_version_once_an_event_has_arrived,
    a_publish_fires_an_event_for_every_webhook,
    a_restore_fires_an_event_with_the_version_that_is_live_again,
    only_those_who_subscribed_and_are_enabled_hear_of_it,
    a_refused_publish_fires_nothing,
    a_log_begins_empty,
);
