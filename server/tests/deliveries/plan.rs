//! The plan of attempts (§3, §6 rule 6).

use std::time::Duration;

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::{Answer, Gate};

use crate::fixtures::{World, seconds_after};

const WAITS: [i64; 5] = [30, 120, 600, 3_600, 21_600];

/// DEL-7 to DEL-10, DEL-14, DLV-6 to DLV-8, ENV-11: six attempts, each at its time and not before, of the same bytes.
async fn an_endpoint_that_never_answers_well_gets_six_attempts(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer("/hook", Answer::status(StatusCode::INTERNAL_SERVER_ERROR));
    let hook = world.hook("/hook").await;
    world.publish().await;
    for (attempt, wait) in (1..).zip(WAITS) {
        let entry = world.after_attempts(&hook, attempt).await;
        let next = seconds_after(world.clock.now(), wait);
        assert_eq!((entry.status, entry.next_attempt_at), (DeliveryStatus::Pending, Some(next)));
        world.clock.set(next.plus_millis(-1));
        world.look().await;
        assert_eq!(world.log(&hook).await[0].attempts, attempt, "an attempt before its time");
        world.clock.set(next);
        world.service.deliveries_due.notify_one();
    }
    let entry = world.after_attempts(&hook, 6).await;
    assert_eq!((entry.status, entry.next_attempt_at), (DeliveryStatus::Failed, None));
    world.clock.advance(Duration::from_secs(30 * 86_400));
    world.look().await;
    let arrived = world.arrived("/hook");
    assert_eq!(arrived.len(), 6);
    let ids: Vec<_> = arrived.iter().map(|one| one.header("x-service-event-id").unwrap()).collect();
    assert!(ids.iter().all(|id| *id == entry.event_id.as_str()), "{ids:?}");
    assert!(arrived.iter().all(|one| one.body == arrived[0].body));
    assert_eq!(world.standing(&hook).await.consecutive_failures, 1);
}

/// AMB-23: a wait begins when the attempt ends.
async fn a_wait_begins_at_the_end_of_the_attempt(store: TestStore) {
    let world = World::on(&store).await;
    let gate = Gate::closed();
    world.receiver.answer("/hook", Answer::status(StatusCode::BAD_GATEWAY).held(&gate));
    let hook = world.hook("/hook").await;
    world.publish().await;
    world.receiver.wait_for(1).await.unwrap();
    let began_at = world.clock.now();
    let ended_at = world.clock.advance(Duration::from_secs(9));
    gate.open();
    let entry = world.after_attempts(&hook, 1).await;
    assert_eq!(entry.last_attempt_at, Some(began_at));
    assert_eq!(entry.next_attempt_at, Some(seconds_after(ended_at, 30)));
}

/// DLV-1, DLV-6: a success after failures ends the plan.
async fn a_retry_may_succeed(store: TestStore) {
    let world = World::on(&store).await;
    let failure = Answer::status(StatusCode::SERVICE_UNAVAILABLE);
    world.receiver.answer_in_turn("/hook", [failure.clone(), failure, Answer::ok()]);
    let hook = world.hook("/hook").await;
    world.publish().await;
    let first = world.after_attempts(&hook, 1).await;
    world.pass(Duration::from_secs(30));
    let second = world.after_attempts(&hook, 2).await;
    world.pass(Duration::from_secs(120));
    let third = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!((third.attempts, third.next_attempt_at), (3, None));
    assert!([&second, &third].iter().all(|entry| entry.delivery_id == first.delivery_id));
    world.clock.advance(Duration::from_secs(86_400));
    world.look().await;
    assert_eq!(world.arrived("/hook").len(), 3);
}

both_engines!(
    an_endpoint_that_never_answers_well_gets_six_attempts,
    a_wait_begins_at_the_end_of_the_attempt,
    a_retry_may_succeed,
);
