//! Workers that die, come too late, are several, or have no datastore for a while.

use std::sync::Arc;
use std::time::Duration;

use http::{Method, StatusCode};
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::deliveries::step::{DELIVERY_LEASE_MILLIS, DeliveryRules, DeliverySnapshot};
use l10n_server::domain::deliveries::{self, AttemptOutcome, AttemptReport, ClaimRequest, Exchange, Finished};
use l10n_server::engines::Pseudo;
use l10n_server::service::Service;
use l10n_server::store::Store;
use l10n_server::store::engine::DatabaseKind;
use l10n_server::store::webhooks::{self, WebhookState};
use l10n_server::testing::TestStore;
use l10n_server::workers::deliver::{self, DeliveryConfig};
use l10n_testkit::receiver::{Answer, Gate};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::fixtures::{Hook, World};

/// A second process on the same datastore, with the same clock.
async fn second_process(world: &World, store: &TestStore) -> Service {
    let second = Store::connect(store.url()).await.unwrap();
    let settings = (*world.service.settings).clone();
    Service::new(second, Arc::new(world.clock.clone()), settings, Arc::new(Pseudo)).unwrap()
}

/// Takes what is due of a webhook, as a worker does that then dies.
async fn claim(service: &Service, hook: &Hook) -> Vec<deliveries::Attempt> {
    let request = ClaimRequest { webhook_id: hook.id.clone(), at_most: 10 };
    let mut tx = service.store.begin_write().await.unwrap();
    let claimed =
        deliveries::claim(&mut tx, &service.delivery_rules, &[request], |_| None, service.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    claimed.attempts
}

fn report(attempt: &deliveries::Attempt, service: &Service, status: u16) -> AttemptReport {
    let now = service.clock.now();
    let failure = (status >= 300).then(|| deliveries::AttemptFailure { kind: None, reason: "no".into() });
    let outcome = AttemptOutcome {
        status: Some(status),
        failure,
        began_at: now,
        ended_at: now,
        took_ms: 1,
        exchange: Exchange::default(),
    };
    AttemptReport { attempt: Arc::new(attempt.clone()), outcome }
}

async fn finish(service: &Service, reports: &[AttemptReport]) -> Finished {
    let mut tx = service.store.begin_write().await.unwrap();
    let finished = deliveries::finish(&mut tx, &service.delivery_rules, reports).await.unwrap();
    if matches!(finished, Finished::Written { .. }) {
        tx.commit().await.unwrap();
    }
    finished
}

/// A world without a worker: its webhook's events stay in the queue until the test starts one.
async fn without_worker(store: &TestStore) -> (World, Hook) {
    let world = World::idle(store).await;
    let hook = world.hook("/hook").await;
    world.publish().await;
    (world, hook)
}

fn start(service: &Service) -> (tokio::task::JoinHandle<()>, CancellationToken) {
    let shutdown = CancellationToken::new();
    let worker = deliver::run(service.clone(), DeliveryConfig::default(), Arc::default(), shutdown.clone());
    (tokio::spawn(worker), shutdown)
}

/// DEL-16, DEL-17: what a dead worker had is made again when its lease is over, and its result, should it come after all,
/// changes nothing.
async fn a_dead_workers_delivery_is_made_again(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let service = &world.service;
    let attempts = claim(service, &hook).await;
    assert_eq!((attempts.len(), attempts[0].number(), attempts[0].fence()), (1, 1, 1));
    assert_eq!(world.log(&hook).await[0].status, DeliveryStatus::Delivering);
    assert!(claim(service, &hook).await.is_empty(), "it is taken");
    world.clock.advance(Duration::from_millis(DELIVERY_LEASE_MILLIS.unsigned_abs() - 1));
    assert!(claim(service, &hook).await.is_empty());
    world.clock.advance(Duration::from_millis(1));
    let (_worker, shutdown) = start(service);
    let delivered = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(delivered.attempts, 1, "an attempt that nobody ended is none");
    for status in [200, 500] {
        assert_eq!(finish(service, &[report(&attempts[0], service, status)]).await, Finished::Lost(vec![0]));
    }
    assert_eq!(world.log(&hook).await, [delivered]);
    shutdown.cancel();
}

/// A result that came too late does not take others with it, nor does it count for the webhook.
async fn a_late_result_counts_nowhere(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let service = &world.service;
    let late = claim(service, &hook).await;
    world.clock.advance(Duration::from_millis(DELIVERY_LEASE_MILLIS.unsigned_abs()));
    let second = claim(service, &hook).await;
    assert_eq!(second[0].fence(), 2);
    let other = world.hook("/other").await;
    world.publish().await;
    let others = claim(service, &other).await;
    world.publish().await;
    let others = [others, claim(service, &other).await].concat();
    let [first, second, late] = [&others[0], &others[1], &late[0]].map(|attempt| report(attempt, service, 500));
    // A batch of three is filled up with its last one: that must count for no other.
    let last = [first.clone(), second.clone(), late.clone()];
    assert_eq!(finish(service, &last).await, Finished::Lost(vec![2]));
    let reports = [late, first, second];
    assert_eq!(finish(service, &reports).await, Finished::Lost(vec![0]));
    assert!(world.log(&other).await.iter().all(|entry| entry.attempts == 0), "something was written");
    assert_eq!(finish(service, &reports[1..]).await, Finished::Written { disabled: Vec::new() });
    assert!(world.log(&other).await.iter().all(|entry| entry.attempts == 1));
    assert_eq!(world.log(&hook).await[2].attempts, 0);
}

/// DEL-17: an embedded datastore has one server: what the killed one had is taken up at its start.
async fn a_killed_servers_deliveries_are_taken_up_at_once_on_an_embedded_datastore(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let service = &world.service;
    let late = claim(service, &hook).await;
    deliver::release_orphans(service).await;
    let again = claim(service, &hook).await;
    match store.engine() {
        DatabaseKind::Sqlite => {
            assert_eq!((again.len(), again[0].fence()), (1, 2));
            assert_eq!(finish(service, &[report(&late[0], service, 200)]).await, Finished::Lost(vec![0]));
        }
        DatabaseKind::Postgres => assert!(again.is_empty(), "another server may be at it"),
    }
}

/// DEL-16: the attempts that are under way come to their end when the server is told to end; what waits stays.
async fn a_server_that_ends_writes_what_it_has_begun(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let gate = Gate::closed();
    world.receiver.answer("/hook", Answer::ok().held(&gate));
    let (worker, shutdown) = start(&world.service);
    world.receiver.wait_for(1).await.unwrap();
    shutdown.cancel();
    world.publish().await;
    assert_eq!(world.log(&hook).await[1].status, DeliveryStatus::Delivering);
    gate.open();
    worker.await.unwrap();
    let log = world.log(&hook).await;
    assert_eq!((log[1].status, log[1].attempts), (DeliveryStatus::Delivered, 1));
    assert_eq!((log[0].status, log[0].attempts), (DeliveryStatus::Pending, 0));
}

/// An attempt that takes too long when the server ends is abandoned, and due at once.
async fn a_server_that_ends_gives_back_what_hangs(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let gate = Gate::closed();
    world.receiver.answer_in_turn("/hook", [Answer::ok().held(&gate), Answer::ok()]);
    let shutdown = CancellationToken::new();
    let config = DeliveryConfig { linger: Duration::ZERO, ..DeliveryConfig::default() };
    let worker = tokio::spawn(deliver::run(world.service.clone(), config, Arc::default(), shutdown.clone()));
    world.receiver.wait_for(1).await.unwrap();
    shutdown.cancel();
    worker.await.unwrap();
    let entry = &world.log(&hook).await[0];
    assert_eq!((entry.status, entry.attempts), (DeliveryStatus::Pending, 0));
    assert_eq!(entry.next_attempt_at, Some(world.clock.now()));
    let (_worker, shutdown) = start(&world.service);
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(entry.attempts, 1);
    shutdown.cancel();
}

/// Two processes on one datastore share the work: every delivery arrives once, none is under way twice.
async fn two_processes_never_make_one_attempt_twice(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    world.receiver.answer("/hook", Answer::status(StatusCode::BAD_GATEWAY).after(Duration::from_millis(3)));
    for _ in 0..40 {
        world.publish().await;
    }
    let second = second_process(&world, &store).await;
    let workers = [start(&world.service), start(&second)];
    for attempt in 1..=3 {
        world.receiver.wait_for(41 * attempt).await.unwrap();
        while world.log(&hook).await.iter().any(|entry| entry.attempts < u32::try_from(attempt).unwrap()) {
            tokio::task::yield_now().await;
        }
        world.clock.advance(Duration::from_secs(600));
        world.service.deliveries_due.notify_one();
        second.deliveries_due.notify_one();
    }
    let arrived = world.receiver.wait_for(41 * 4).await.unwrap();
    for (number, one) in arrived.iter().enumerate() {
        let id = one.header("x-service-event-id");
        let twice =
            arrived[..number].iter().any(|other| other.header("x-service-event-id") == id && other.overlaps(one));
        assert!(!twice, "two attempts at once");
    }
    for (worker, shutdown) in workers {
        shutdown.cancel();
        worker.await.unwrap();
    }
    second.store.close().await;
    assert_eq!(world.receiver.deliveries().len(), 41 * 4);
}

/// While the datastore takes no writes, results wait; nothing is sent twice for it.
async fn results_wait_for_the_datastore(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let gate = Gate::closed();
    world.receiver.answer("/hook", Answer::ok().held(&gate));
    let (_worker, shutdown) = start(&world.service);
    world.receiver.wait_for(1).await.unwrap();
    // Holds the webhook, and on SQLite the whole datastore.
    let mut tx = world.service.store.begin_write().await.unwrap();
    webhooks::lock_states(&mut tx, &[&hook.id]).await.unwrap();
    gate.open();
    let answered = world.receiver.wait_until("an answer", |all| all[0].answered).await.unwrap();
    assert_eq!(answered.len(), 1);
    tx.rollback().await.unwrap();
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(entry.attempts, 1);
    assert_eq!(world.receiver.deliveries().len(), 1);
    shutdown.cancel();
}

/// WH-DE-2: a webhook that is deleted while an attempt is under way takes its deliveries with it.
async fn a_webhook_deleted_under_way_is_forgotten(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let gate = Gate::closed();
    world.receiver.answer("/hook", Answer::status(StatusCode::BAD_GATEWAY).held(&gate));
    let (_worker, shutdown) = start(&world.service);
    world.receiver.wait_for(1).await.unwrap();
    let mut tx = world.service.store.begin_write().await.unwrap();
    assert!(webhooks::delete(&mut tx, &world.project.id, &hook.id).await.unwrap());
    tx.commit().await.unwrap();
    gate.open();
    world.clock.advance(Duration::from_secs(86_400));
    world.look().await;
    assert_eq!(world.log(&hook).await, []);
    assert_eq!(world.arrived("/hook").len(), 1);
    shutdown.cancel();
}

/// The clock is set forward while an attempt is under way: it is still made once.
async fn an_attempt_whose_lease_seems_over_is_not_made_twice_by_its_own_worker(store: TestStore) {
    let (world, hook) = without_worker(&store).await;
    let gate = Gate::closed();
    world.receiver.answer("/hook", Answer::ok().held(&gate));
    let (_worker, shutdown) = start(&world.service);
    world.receiver.wait_for(1).await.unwrap();
    world.clock.advance(Duration::from_secs(3_600));
    world.look().await;
    assert_eq!(world.arrived("/hook").len(), 1);
    gate.open();
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(entry.attempts, 1);
    shutdown.cancel();
}

/// Disabling and enabling a webhook does to it and to each of its deliveries what `step` does to one.
async fn statements_agree_with_the_rules(store: TestStore) {
    use l10n_server::domain::deliveries::step::{DeliveryEvent, DeliveryState, WebhookSnapshot, step};
    use l10n_server::store::deliveries as rows;
    let (world, hook) = without_worker(&store).await;
    let service = &world.service;
    // Delivered, failing, under way, asked for again, and untouched.
    for _ in 0..4 {
        world.publish().await;
    }
    let attempts = claim(service, &hook).await;
    finish(service, &[report(&attempts[0], service, 200), report(&attempts[1], service, 500)]).await;
    finish(service, &[report(&attempts[2], service, 200), report(&attempts[3], service, 500)]).await;
    world.resend(&hook, &attempts[2].delivery_id).await.unwrap();
    world.resend(&hook, &attempts[3].delivery_id).await.unwrap();
    world.publish().await;
    let read = async || {
        let mut tx = service.store.begin_read().await.unwrap();
        let log = rows::log(&mut tx, &hook.id, 50).await.unwrap();
        let standing = webhooks::states(&mut tx, &[&hook.id]).await.unwrap().pop().unwrap();
        let webhook = WebhookSnapshot { enabled: standing.enabled, failures: standing.consecutive_failures };
        (log.iter().map(DeliverySnapshot::from).collect::<Vec<_>>(), webhook)
    };
    for event in [
        DeliveryEvent::Paused,
        DeliveryEvent::Paused,
        DeliveryEvent::Resumed,
        DeliveryEvent::Resumed,
        DeliveryEvent::Paused,
        DeliveryEvent::Resumed,
    ] {
        // As if some had failed, which enabling forgives and disabling does not.
        let mut tx = service.store.begin_write().await.unwrap();
        let standing = webhooks::lock_states(&mut tx, &[&hook.id]).await.unwrap().pop().unwrap();
        webhooks::set_state(&mut tx, &WebhookState { consecutive_failures: 2, ..standing }).await.unwrap();
        tx.commit().await.unwrap();
        let now = world.clock.advance(Duration::from_secs(7));
        let (before, webhook) = read().await;
        let after = |delivery| step(&DeliveryRules::PRODUCTION, DeliveryState { delivery, webhook }, event, now).0;
        let expected: Vec<DeliveryState> = before.into_iter().map(after).collect();
        let change = json!({"enabled": event == DeliveryEvent::Resumed});
        let answer = world.call(Method::PATCH, &format!("/webhooks/{}", hook.id)).json(&change).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let (deliveries, webhook) = read().await;
        let found: Vec<DeliveryState> =
            deliveries.into_iter().map(|delivery| DeliveryState { delivery, webhook }).collect();
        assert_eq!(found, expected, "{event:?}");
    }
}

both_engines!(
    a_dead_workers_delivery_is_made_again,
    a_late_result_counts_nowhere,
    a_killed_servers_deliveries_are_taken_up_at_once_on_an_embedded_datastore,
    a_server_that_ends_writes_what_it_has_begun,
    a_server_that_ends_gives_back_what_hangs,
    two_processes_never_make_one_attempt_twice,
    results_wait_for_the_datastore,
    a_webhook_deleted_under_way_is_forgotten,
    an_attempt_whose_lease_seems_over_is_not_made_twice_by_its_own_worker,
    statements_agree_with_the_rules,
);
