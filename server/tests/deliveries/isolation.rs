//! One endpoint does not delay another (API-COMPLETION 10).

use std::time::Duration;

use l10n_api_types::deliveries::DeliveryStatus;
use l10n_api_types::events::EventType;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::egress::Timeouts;
use l10n_server::ids::{IdKind, new_id};
use l10n_server::store::deliveries::{self, NewDelivery};
use l10n_server::store::events::{self, NewEvent};
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::{Answer, Delivery, Gate};

use crate::fixtures::{Hook, World};

/// The most deliveries that were in progress at one moment.
fn at_once(deliveries: &[Delivery]) -> usize {
    let begun = |one: &Delivery, at| one.arrived <= at && one.ended.is_none_or(|end| end > at);
    let beside = |at| deliveries.iter().filter(|one| begun(one, at)).count();
    deliveries.iter().map(|one| beside(one.arrived)).max().unwrap_or(0)
}

/// Puts many deliveries of one webhook in the queue at once.
async fn pile_up(world: &World, hook: &Hook, count: usize) {
    let now = world.clock.now();
    let event = new_id(IdKind::Event, now);
    let mut tx = world.service.store.begin_write().await.unwrap();
    let new = NewEvent {
        id: &event,
        project_id: &hook.project,
        event_type: EventType::StringsPublished,
        publish_id: "pub_pile",
        body: b"{}",
        created_at: now,
    };
    events::insert(&mut tx, new).await.unwrap();
    let new: Vec<_> =
        (0..count).map(|_| NewDelivery { id: new_id(IdKind::Delivery, now), webhook_id: &hook.id }).collect();
    deliveries::insert(&mut tx, &event, &new, now, now).await.unwrap();
    tx.commit().await.unwrap();
    world.service.deliveries_due.notify_one();
}

/// DEL-19: an endpoint that hangs with thousands waiting for it holds its own slots, and nobody else waits.
async fn an_endpoint_that_hangs_delays_nobody_else(store: TestStore) {
    let timeouts = Timeouts { open: Duration::from_secs(5), answer: Duration::from_secs(60) };
    let world = World::with(&store, |settings| {
        settings.webhooks.slots_per_webhook = 3;
        settings.webhooks.egress.timeouts = timeouts;
    })
    .await;
    let gate = Gate::closed();
    world.receiver.answer("/hangs", Answer::ok().held(&gate));
    let (hangs, healthy) = (world.hook("/hangs").await, world.hook("/healthy").await);
    pile_up(&world, &hangs, 2_000).await;
    world.receiver.wait_for(3).await.unwrap();
    for _ in 0..20 {
        pile_up(&world, &healthy, 1).await;
        world.newest(&healthy, |entry| entry.status == DeliveryStatus::Delivered).await;
    }
    let hanging = world.arrived("/hangs");
    assert_eq!((hanging.len(), at_once(&hanging)), (3, 3));
    gate.open();
}

/// DEL-19: however many endpoints of a workspace hang, another's deliveries are made meanwhile. Before, the workspace had all
/// slots.
async fn a_workspace_whose_endpoints_hang_delays_no_other(store: TestStore) {
    let timeouts = Timeouts { open: Duration::from_secs(5), answer: Duration::from_secs(60) };
    let world = World::with(&store, |settings| {
        (settings.webhooks.slots, settings.webhooks.slots_per_webhook) = (8, 2);
        settings.webhooks.egress.timeouts = timeouts;
    })
    .await;
    let gate = Gate::closed();
    for number in 0..6 {
        let path = format!("/hangs/{number}");
        world.receiver.answer(&path, Answer::ok().held(&gate));
        let hangs = world.hook(&path).await;
        pile_up(&world, &hangs, 10).await;
    }
    world.receiver.wait_for(4).await.unwrap();
    for number in 0..3 {
        let other = world.other_project("unlimited").await.id;
        let url = world.receiver.url(&format!("/quiet/{number}"));
        let quiet = world.hook_of(&other, &url, &[EventType::StringsPublished]).await;
        pile_up(&world, &quiet, 1).await;
        world.newest(&quiet, |entry| entry.status == DeliveryStatus::Delivered).await;
    }
    let arrived = world.receiver.deliveries();
    assert_eq!(arrived.iter().filter(|one| one.uri.path().starts_with("/hangs/")).count(), 4, "half of the slots");
    gate.open();
}

/// However many wait for one webhook, no more than its slots are under way, and all of them arrive, each once.
async fn a_pile_is_worked_off_within_the_slots(store: TestStore) {
    let world = World::with(&store, |settings| {
        settings.webhooks.slots_per_webhook = 4;
        settings.webhooks.slots_per_host = 6;
    })
    .await;
    let (one, other) = (world.hook("/one").await, world.hook("/other").await);
    pile_up(&world, &one, 300).await;
    pile_up(&world, &other, 300).await;
    let all = world.receiver.wait_for(600).await.unwrap();
    assert!(at_once(&all) <= 6, "the host had {} at once", at_once(&all));
    for path in ["/one", "/other"] {
        let arrived = world.arrived(path);
        assert_eq!(arrived.len(), 300);
        assert!(at_once(&arrived) <= 4, "{path} had {} at once", at_once(&arrived));
    }
    for hook in [one, other] {
        world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    }
    world.look().await;
    assert_eq!(world.receiver.look(|all| all.iter().filter(|one| one.uri.path() == "/one").count()), 300);
}

both_engines!(
    an_endpoint_that_hangs_delays_nobody_else,
    a_workspace_whose_endpoints_hang_delays_no_other,
    a_pile_is_worked_off_within_the_slots,
);
