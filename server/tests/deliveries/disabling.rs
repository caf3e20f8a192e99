//! Webhooks that fail too often, and webhooks that a person disables (§3).

use std::time::Duration;

use http::StatusCode;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_api_types::webhooks::DisabledReason;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::{Answer, Gate};

use crate::fixtures::{Hook, World, seconds_after};

const FAILURE: StatusCode = StatusCode::INTERNAL_SERVER_ERROR;

/// A webhook whose endpoint fails until the test says otherwise.
async fn failing(store: &TestStore) -> (World, Hook) {
    let world = World::on(store).await;
    world.receiver.answer("/hook", Answer::status(FAILURE));
    let hook = world.hook("/hook").await;
    (world, hook)
}

/// DEL-11, WH-F-8, AMB-21: the third delivery in a row that fails disables the webhook, and what was pending waits.
async fn three_failed_deliveries_in_a_row_disable_the_webhook(store: TestStore) {
    let (world, hook) = failing(&store).await;
    for failed in 1..=3 {
        let standing = world.standing(&hook).await;
        assert!((standing.enabled, standing.consecutive_failures) == (true, failed - 1), "{standing:?}");
        world.publish().await;
        if failed == 3 {
            // One more, which is at its second attempt when the third fails.
            let third = world.after_attempts(&hook, 1).await;
            world.clock.set(third.next_attempt_at.unwrap());
            world.service.deliveries_due.notify_one();
            for (attempt, _) in (2..).zip(0..4) {
                let entry = world.after_attempts(&hook, attempt).await;
                world.clock.set(entry.next_attempt_at.unwrap().plus_millis(if attempt == 5 { -1 } else { 0 }));
                world.service.deliveries_due.notify_one();
            }
            world.publish().await;
            world.after_attempts(&hook, 1).await;
            world.clock.advance(Duration::from_millis(1));
            world.service.deliveries_due.notify_one();
        } else {
            world.fail_to_the_end(&hook).await;
        }
    }
    world.newest(&hook, |entry| entry.next_attempt_at.is_none()).await;
    let log = world.log(&hook).await;
    let shown: Vec<_> = log.iter().map(|entry| (entry.status, entry.attempts)).collect();
    let failed = (DeliveryStatus::Failed, 6);
    assert_eq!(shown, [(DeliveryStatus::Pending, 1), failed, failed, failed]);
    let standing = world.standing(&hook).await;
    assert_eq!((standing.enabled, standing.disabled_reason), (false, Some(DisabledReason::AutoFailures)));

    // EV-7: what happens now is not for it, and what waits waits.
    world.publish().await;
    world.clock.advance(Duration::from_secs(86_400));
    world.look().await;
    assert_eq!(world.log(&hook).await, log);

    // DEL-13: enabled again, it goes on where it was, and counts anew.
    world.receiver.answer("/hook", Answer::ok());
    world.set_enabled(&hook, true).await;
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!((entry.delivery_id, entry.attempts), (log[0].delivery_id.clone(), 2));
    assert_eq!(world.standing(&hook).await.consecutive_failures, 0);
}

/// DEL-12: F F D F F leaves it enabled.
async fn a_delivered_one_in_between_begins_the_row_anew(store: TestStore) {
    let (world, hook) = failing(&store).await;
    for delivered in [false, false, true, false, false] {
        if delivered {
            world.receiver.answer("/hook", Answer::ok());
            world.publish().await;
            world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
            assert_eq!(world.standing(&hook).await.consecutive_failures, 0);
            world.receiver.answer("/hook", Answer::status(FAILURE));
        } else {
            world.publish().await;
            world.fail_to_the_end(&hook).await;
        }
    }
    let standing = world.standing(&hook).await;
    assert_eq!((standing.enabled, standing.consecutive_failures, standing.disabled_reason), (true, 2, None));
}

/// DEL-13: after it was enabled again, it takes three failed deliveries again.
async fn enabling_again_clears_the_count(store: TestStore) {
    let (world, hook) = failing(&store).await;
    for round in 0..2 {
        for failed in 1..=3 {
            world.publish().await;
            world.fail_to_the_end(&hook).await;
            assert_eq!(world.standing(&hook).await.enabled, failed < 3, "round {round}, delivery {failed}");
        }
        world.set_enabled(&hook, true).await;
    }
}

/// AMB-21, EV-7: a person disables it between two attempts; the retry waits, also beyond its time, and is then made at
/// once. One that is under way comes to its end.
async fn a_disabled_webhook_keeps_its_retries(store: TestStore) {
    let world = World::on(&store).await;
    let gate = Gate::closed();
    let held = Answer::status(FAILURE).held(&gate);
    world.receiver.answer_in_turn("/hook", [held, Answer::status(FAILURE), Answer::ok()]);
    let hook = world.hook("/hook").await;
    world.publish().await;
    world.receiver.wait_for(1).await.unwrap();
    world.set_enabled(&hook, false).await;
    gate.open();
    let entry = world.after_attempts(&hook, 1).await;
    assert_eq!((entry.status, entry.next_attempt_at), (DeliveryStatus::Pending, None));
    world.clock.advance(Duration::from_secs(10));
    world.look().await;

    world.set_enabled(&hook, true).await;
    let entry = world.newest(&hook, |entry| entry.next_attempt_at.is_some()).await;
    assert_eq!(entry.next_attempt_at, Some(seconds_after(world.clock.now(), 20)), "at its time, when that is to come");
    world.pass(Duration::from_secs(20));
    world.after_attempts(&hook, 2).await;
    world.set_enabled(&hook, false).await;
    world.clock.advance(Duration::from_secs(3_600));
    world.look().await;
    assert_eq!(world.log(&hook).await[0].attempts, 2);
    world.set_enabled(&hook, true).await;
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!((entry.attempts, entry.last_attempt_at), (3, Some(world.clock.now())));
    let standing = world.standing(&hook).await;
    assert_eq!(standing.disabled_reason, None);
}

both_engines!(
    three_failed_deliveries_in_a_row_disable_the_webhook,
    a_delivered_one_in_between_begins_the_row_anew,
    enabling_again_clears_the_count,
    a_disabled_webhook_keeps_its_retries,
);
