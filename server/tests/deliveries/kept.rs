//! Retention of deliveries and events.

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_api_types::events::EventType;
use l10n_server::both_engines;
use l10n_server::domain::{ServiceError, deliveries, events};
use l10n_server::store::projects;
use l10n_server::testing::{TestStore, on_postgres, sql};
use l10n_testkit::receiver::Answer;

use crate::fixtures::{Hook, World};

/// Fires events without the budget of publishes.
async fn fire(world: &World, count: usize) {
    for _ in 0..count {
        let mut tx = world.service.store.begin_write().await.unwrap();
        let project = projects::find(&mut tx, &world.project.id).await.unwrap().unwrap();
        let publish = "pub_test".into();
        let data = serde_json::json!({});
        events::record(&mut tx, world.service.events(), &project, EventType::StringsPublished, &publish, data)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
}

async fn prune(world: &World, hook: &Hook) -> usize {
    let mut tx = world.service.store.begin_write().await.unwrap();
    let pruned = deliveries::prune(&mut tx, &hook.id).await.unwrap();
    tx.commit().await.unwrap();
    pruned
}

async fn events_kept(world: &World) -> usize {
    let mut tx = world.service.store.begin_read().await.unwrap();
    l10n_server::store::events::page(&mut tx, "", 10_000).await.unwrap().len()
}

async fn settle(world: &World, hook: &Hook) {
    world.newest(hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    while world.log(hook).await.iter().any(|entry| entry.status != DeliveryStatus::Delivered) {
        tokio::task::yield_now().await;
    }
}

/// WH-DL-2: the log shows the last 50, and what it does not show is deleted, with events that nobody needs.
async fn the_last_fifty_are_kept(store: TestStore) {
    let world = World::on(&store).await;
    let hook = world.hook("/hook").await;
    fire(&world, 51).await;
    settle(&world, &hook).await;
    world.receiver.wait_for(51).await.unwrap();
    let log = world.log(&hook).await;
    assert_eq!(log.len(), 50);
    let mut ids: Vec<_> = log.iter().map(|entry| entry.delivery_id.clone()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.reverse();
    assert_eq!(ids, log.iter().map(|entry| entry.delivery_id.clone()).collect::<Vec<_>>(), "newest first, each once");

    world.look().await;
    assert_eq!(prune(&world, &hook).await, 1);
    assert_eq!(prune(&world, &hook).await, 0);
    assert_eq!(world.log(&hook).await, log);
    let second = world.hook("/second").await;
    fire(&world, 1).await;
    settle(&world, &second).await;
    settle(&world, &hook).await;
    let oldest = log.last().unwrap();
    assert_eq!(prune(&world, &hook).await, 1);
    assert_eq!(events_kept(&world).await, 51, "50 of the first webhook and the one of the look");
    let gone = world.resend(&hook, oldest.delivery_id.as_str()).await.unwrap_err();
    assert!(matches!(gone, ServiceError::NotFound(_)), "{gone:?}");
}

/// One that has not ended is never deleted, however old it is.
async fn a_pending_one_is_kept(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer_in_turn("/hook", [Answer::status(StatusCode::BAD_GATEWAY), Answer::ok()]);
    let hook = world.hook("/hook").await;
    fire(&world, 1).await;
    let pending = world.after_attempts(&hook, 1).await;
    fire(&world, 60).await;
    settle(&world, &hook).await;
    world.receiver.wait_for(61).await.unwrap();
    world.look().await;
    assert_eq!(prune(&world, &hook).await, 10);
    world.pass(std::time::Duration::from_secs(30));
    world.receiver.wait_for(63).await.unwrap();
    world.look().await;
    assert_eq!(prune(&world, &hook).await, 1, "now it has ended");
    let gone = world.resend(&hook, pending.delivery_id.as_str()).await.unwrap_err();
    assert!(matches!(gone, ServiceError::NotFound(_)), "{gone:?}");
}

/// On PostgreSQL a resend may come between the moment at which the sweep finds a delivery and the one at which it deletes it.
async fn one_that_is_resent_during_the_sweep_is_kept(store: TestStore) {
    let world = World::on(&store).await;
    let hook = world.hook("/hook").await;
    fire(&world, 51).await;
    settle(&world, &hook).await;
    world.receiver.wait_for(51).await.unwrap();
    world.look().await;
    let mut tx = store.begin_read().await.unwrap();
    let oldest = l10n_server::store::deliveries::log(&mut tx, &hook.id, 51).await.unwrap().pop().unwrap();
    tx.rollback().await.unwrap();
    let resent = format!("UPDATE deliveries SET status = 'pending' WHERE id = '{}'", oldest.id);
    assert_eq!(sql::run_beside(&store, &resent, prune(&world, &hook)).await, 0);
    assert_eq!(sql::count(&store, &format!("deliveries WHERE id = '{}'", oldest.id)).await, 1);
    // Once it has ended, it goes.
    sql::run(&store, &resent.replace("'pending'", "'delivered'")).await;
    assert_eq!(prune(&world, &hook).await, 1);
}

#[test]
fn on_postgres_one_that_is_resent_during_the_sweep_is_kept() {
    on_postgres(one_that_is_resent_during_the_sweep_is_kept);
}

/// The events of a deleted webhook go with it, as far as no other webhook's log shows them.
async fn events_of_a_deleted_webhook_are_swept(store: TestStore) {
    let world = World::on(&store).await;
    let (stays, goes) = (world.hook("/stays").await, world.hook("/goes").await);
    fire(&world, 2).await;
    settle(&world, &stays).await;
    settle(&world, &goes).await;
    world.set_enabled(&stays, false).await;
    fire(&world, 3).await;
    world.receiver.wait_for(7).await.unwrap();
    settle(&world, &goes).await;
    let mut tx = world.service.store.begin_write().await.unwrap();
    let project = &world.project.id;
    assert!(l10n_server::store::webhooks::delete(&mut tx, project, &goes.id).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(events_kept(&world).await, 5);
    let mut tx = world.service.store.begin_write().await.unwrap();
    let next = deliveries::sweep_events(&mut tx, "").await.unwrap();
    assert_eq!(deliveries::sweep_events(&mut tx, &next.unwrap()).await.unwrap(), None);
    tx.commit().await.unwrap();
    assert_eq!(events_kept(&world).await, 2);
    assert_eq!(world.log(&stays).await.len(), 2);
}

both_engines!(the_last_fifty_are_kept, a_pending_one_is_kept, events_of_a_deleted_webhook_are_swept);
