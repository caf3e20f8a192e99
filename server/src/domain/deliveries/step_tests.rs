//! The guards of [`step`]: an event that does not fit changes nothing and commands nothing.

use l10n_api_types::deliveries::DeliveryStatus;

use super::step::{
    DELIVERY_LEASE_MILLIS, DeliveryCommand, DeliveryEvent, DeliveryRules, DeliverySnapshot, DeliveryState,
    WebhookSnapshot, step,
};
use crate::clock::Timestamp;

const DUE: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// A delivery that waits for its first attempt, at an enabled webhook.
fn waiting() -> DeliveryState {
    let delivery = DeliverySnapshot {
        status: DeliveryStatus::Pending,
        ended: None,
        attempts: 0,
        failures: 0,
        planned_at: Some(DUE),
        resend: false,
        due_at: Some(DUE),
        fence: 4,
    };
    DeliveryState { delivery, webhook: WebhookSnapshot { enabled: true, failures: 0 } }
}

/// The same delivery while its fifth attempt is under way.
fn under_way() -> DeliveryState {
    happens(waiting(), DeliveryEvent::Claimed, DUE).0
}

fn happens(state: DeliveryState, event: DeliveryEvent, now: Timestamp) -> (DeliveryState, Vec<DeliveryCommand>) {
    step(&DeliveryRules::PRODUCTION, state, event, now)
}

fn changes_nothing(state: DeliveryState, event: DeliveryEvent, now: Timestamp) {
    assert_eq!(happens(state, event, now), (state, Vec::new()), "{event:?}");
}

#[test]
fn a_delivery_is_claimed_from_the_moment_it_is_due() {
    changes_nothing(waiting(), DeliveryEvent::Claimed, DUE.plus_millis(-1));
    let (state, commands) = happens(waiting(), DeliveryEvent::Claimed, DUE);
    assert_eq!(commands, [DeliveryCommand::Send { fence: 5 }]);
    assert_eq!(state.delivery.status, DeliveryStatus::Delivering);
    assert_eq!(state.delivery.due_at, Some(DUE.plus_millis(DELIVERY_LEASE_MILLIS)));
}

#[test]
fn a_delivery_without_a_time_is_not_claimed() {
    let mut state = waiting();
    state.delivery.due_at = None;
    changes_nothing(state, DeliveryEvent::Claimed, DUE);
}

/// A worker whose lease is over has lost the delivery, and its attempt no longer counts.
#[test]
fn only_the_holder_of_the_fence_is_heard() {
    let later = DUE.plus_millis(1_000);
    for fence in [4, 6] {
        for delivered in [false, true] {
            changes_nothing(under_way(), DeliveryEvent::Ended { fence, delivered }, later);
        }
        changes_nothing(under_way(), DeliveryEvent::Renewed { fence }, later);
        changes_nothing(under_way(), DeliveryEvent::Released { fence }, later);
    }
    let (renewed, _) = happens(under_way(), DeliveryEvent::Renewed { fence: 5 }, later);
    assert_eq!(renewed.delivery.due_at, Some(later.plus_millis(DELIVERY_LEASE_MILLIS)));
    let (ended, _) = happens(under_way(), DeliveryEvent::Ended { fence: 5, delivered: true }, later);
    assert_eq!((ended.delivery.status, ended.delivery.attempts), (DeliveryStatus::Delivered, 1));
    let (back, commands) = happens(under_way(), DeliveryEvent::Released { fence: 5 }, later);
    assert_eq!((back.delivery.status, back.delivery.fence), (DeliveryStatus::Pending, 6));
    assert_eq!(commands, [DeliveryCommand::Wake]);
}

/// The fence of a delivery that no worker has is that of an attempt that has ended.
#[test]
fn nobody_is_heard_while_no_attempt_is_under_way() {
    for event in [
        DeliveryEvent::Renewed { fence: 4 },
        DeliveryEvent::Ended { fence: 4, delivered: true },
        DeliveryEvent::Ended { fence: 4, delivered: false },
        DeliveryEvent::Released { fence: 4 },
    ] {
        changes_nothing(waiting(), event, DUE);
    }
}

#[test]
fn a_resend_is_refused_while_an_attempt_is_under_way_and_asked_for_once() {
    assert_eq!(
        happens(under_way(), DeliveryEvent::ResendAsked, DUE),
        (under_way(), vec![DeliveryCommand::RefuseInFlight])
    );
    let (asked, commands) = happens(waiting(), DeliveryEvent::ResendAsked, DUE);
    assert!(asked.delivery.resend && commands == [DeliveryCommand::Wake]);
    changes_nothing(asked, DeliveryEvent::ResendAsked, DUE);
}

/// A webhook that is enabled again takes up what rests for it, and nothing else.
#[test]
fn a_resumed_webhook_wakes_only_deliveries_that_rest() {
    let resting = happens(waiting(), DeliveryEvent::Paused, DUE).0;
    let (state, commands) = happens(resting, DeliveryEvent::Resumed, DUE);
    assert_eq!((state.delivery.due_at, commands), (Some(DUE), vec![DeliveryCommand::Wake]));
    let (delivered, _) = happens(under_way(), DeliveryEvent::Ended { fence: 5, delivered: true }, DUE);
    for state in [waiting(), under_way(), delivered] {
        changes_nothing(state, DeliveryEvent::Resumed, DUE);
    }
}

#[test]
fn a_success_writes_the_count_of_failures_only_where_there_are_some() {
    let mut state = under_way();
    assert_eq!(happens(state, DeliveryEvent::Ended { fence: 5, delivered: true }, DUE).1, []);
    state.webhook.failures = 1;
    let (after, commands) = happens(state, DeliveryEvent::Ended { fence: 5, delivered: true }, DUE);
    assert_eq!((after.webhook.failures, commands), (0, vec![DeliveryCommand::CountFailures]));
}
