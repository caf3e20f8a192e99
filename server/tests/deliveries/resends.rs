//! Deliveries that are sent again because a person asks for it (§3, §4).

use std::time::Duration;

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::ServiceError;
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::{Answer, Gate};

use crate::fixtures::World;

const FAILURE: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;

/// WH-RS-1, WH-RS-5, ENV-11, AMB-26: the same delivery, the same event, the same bytes, one attempt more.
async fn a_delivered_one_is_sent_again(store: TestStore) {
    let world = World::on(&store).await;
    let hook = world.hook("/hook").await;
    world.publish().await;
    let first = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    let asked = world.resend(&hook, first.delivery_id.as_str()).await.unwrap();
    assert_eq!((asked.status, asked.next_attempt_at), (DeliveryStatus::Pending, Some(world.clock.now())));
    assert_eq!((&asked.delivery_id, asked.attempts), (&first.delivery_id, 1));
    let again = world.after_attempts(&hook, 2).await;
    assert_eq!((again.status, again.next_attempt_at), (DeliveryStatus::Delivered, None));
    assert_eq!((again.delivery_id, again.event_id), (first.delivery_id, first.event_id.clone()));
    let arrived = world.arrived("/hook");
    assert_eq!(arrived.len(), 2);
    assert_eq!(arrived[0].body, arrived[1].body);
    assert!(arrived.iter().all(|one| one.header("x-service-event-id") == Some(first.event_id.as_str())));

    // A resend that fails takes nothing back; the log tells what it met.
    world.receiver.answer("/hook", Answer::status(FAILURE));
    world.resend(&hook, again_id(&world.log(&hook).await)).await.unwrap();
    let failed = world.after_attempts(&hook, 3).await;
    assert_eq!((failed.status, failed.next_attempt_at), (DeliveryStatus::Delivered, None));
    assert_eq!(failed.last_status_code, Some(500));
    assert!(failed.last_error.is_some());
    assert_eq!(world.log(&hook).await.len(), 1);
}

fn again_id(log: &[l10n_api_types::deliveries::Delivery]) -> &str {
    log[0].delivery_id.as_str()
}

/// WH-RS-2, AMB-20, AMB-26: a failed one may be sent again, does not begin its plan anew, and counts only when it
/// succeeds.
async fn a_failed_one_is_sent_again(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer("/hook", Answer::status(FAILURE));
    let hook = world.hook("/hook").await;
    for _ in 0..2 {
        world.publish().await;
        world.fail_to_the_end(&hook).await;
    }
    let id = world.log(&hook).await[0].delivery_id.clone();
    for attempts in 7..=9 {
        world.resend(&hook, id.as_str()).await.unwrap();
        let entry = world.after_attempts(&hook, attempts).await;
        assert_eq!((entry.status, entry.next_attempt_at), (DeliveryStatus::Failed, None));
        let standing = world.standing(&hook).await;
        assert!((standing.enabled, standing.consecutive_failures) == (true, 2), "{standing:?}");
    }
    world.receiver.answer("/hook", Answer::ok());
    world.resend(&hook, id.as_str()).await.unwrap();
    let entry = world.after_attempts(&hook, 10).await;
    assert_eq!((entry.status, entry.last_error), (DeliveryStatus::Delivered, None));
    assert_eq!(world.standing(&hook).await.consecutive_failures, 0);
}

/// AMB-26: a resend of one that is being retried leaves its plan as it is, and ends it when it succeeds.
async fn a_pending_one_keeps_its_plan(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer("/hook", Answer::status(FAILURE));
    let hook = world.hook("/hook").await;
    world.publish().await;
    let planned = world.after_attempts(&hook, 1).await;
    world.clock.advance(Duration::from_secs(10));
    world.resend(&hook, planned.delivery_id.as_str()).await.unwrap();
    let entry = world.after_attempts(&hook, 2).await;
    assert_eq!((entry.status, entry.next_attempt_at), (DeliveryStatus::Pending, planned.next_attempt_at));
    world.pass(Duration::from_secs(20));
    let entry = world.after_attempts(&hook, 3).await;
    let second_wait = world.clock.now().plus_millis(120_000);
    assert_eq!(entry.next_attempt_at, Some(second_wait), "it was the plan's second attempt");
    world.receiver.answer("/hook", Answer::ok());
    world.resend(&hook, planned.delivery_id.as_str()).await.unwrap();
    let entry = world.after_attempts(&hook, 4).await;
    assert_eq!((entry.status, entry.next_attempt_at), (DeliveryStatus::Delivered, None));
    world.clock.set(second_wait);
    world.look().await;
    assert_eq!(world.arrived("/hook").len(), 4);
}

/// WH-RS-3: nothing is sent twice at once.
async fn one_that_is_under_way_is_refused(store: TestStore) {
    let world = World::on(&store).await;
    let gate = Gate::closed();
    world.receiver.answer("/hook", Answer::ok().held(&gate));
    let hook = world.hook("/hook").await;
    world.publish().await;
    world.receiver.wait_for(1).await.unwrap();
    let before = world.log(&hook).await;
    assert_eq!(before[0].status, DeliveryStatus::Delivering);
    let refused = world.resend(&hook, before[0].delivery_id.as_str()).await.unwrap_err();
    assert!(matches!(refused, ServiceError::DeliveryInFlight(_)), "{refused:?}");
    assert_eq!(world.log(&hook).await, before);
    gate.open();
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(entry.attempts, 1);
    world.look().await;
    assert_eq!(world.arrived("/hook").len(), 1);
}

/// WH-RS-4
async fn a_delivery_of_another_webhook_is_not_found(store: TestStore) {
    let world = World::on(&store).await;
    let (one, other) = (world.hook("/one").await, world.hook("/other").await);
    world.publish().await;
    let entry = world.newest(&one, |entry| entry.status == DeliveryStatus::Delivered).await;
    world.newest(&other, |entry| entry.status == DeliveryStatus::Delivered).await;
    for id in [entry.delivery_id.as_str(), entry.event_id.as_str(), "dlv_00000000000000000000000000", ""] {
        let refused = world.resend(&other, id).await.unwrap_err();
        assert!(matches!(refused, ServiceError::NotFound(_)), "{refused:?}");
    }
    world.look().await;
    assert_eq!((world.arrived("/one").len(), world.arrived("/other").len()), (1, 1));
}

/// AMB-21: what a person asks for is sent to a disabled webhook, too, and asking twice is asking once.
async fn a_disabled_webhook_gets_what_is_asked_for(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer("/hook", Answer::status(FAILURE));
    let hook = world.hook("/hook").await;
    world.publish().await;
    let planned = world.after_attempts(&hook, 1).await;
    world.set_enabled(&hook, false).await;
    world.resend(&hook, planned.delivery_id.as_str()).await.unwrap();
    let entry = world.after_attempts(&hook, 2).await;
    assert_eq!((entry.status, entry.next_attempt_at), (DeliveryStatus::Pending, None));
    world.receiver.answer("/hook", Answer::ok());
    let mut tx = world.service.store.begin_write().await.unwrap();
    for _ in 0..2 {
        let id = planned.delivery_id.as_str();
        world.resend_in(&mut tx, &hook, id).await.unwrap();
    }
    tx.commit().await.unwrap();
    let entry = world.after_attempts(&hook, 3).await;
    assert_eq!(entry.status, DeliveryStatus::Delivered);
    world.set_enabled(&hook, true).await;
    world.look().await;
    assert_eq!(world.arrived("/hook").len(), 3);
}

both_engines!(
    a_delivered_one_is_sent_again,
    a_failed_one_is_sent_again,
    a_pending_one_keeps_its_plan,
    one_that_is_under_way_is_refused,
    a_delivery_of_another_webhook_is_not_found,
    a_disabled_webhook_gets_what_is_asked_for,
);
