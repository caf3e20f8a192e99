//! The rules of delivery (§3, §6): the next state of a delivery and of its webhook after an event. Pure: no clock, no
//! chance, no input or output. The caller writes the new state and carries out the commands in one transaction.

use std::borrow::Cow;

use l10n_api_types::deliveries::DeliveryStatus;

use crate::clock::Timestamp;
use crate::store::deliveries::DeliveryEnd;

/// Waits between the end of a failed planned attempt and the next one, in milliseconds: 30 s, 2 min, 10 min, 1 h, 6 h.
pub(crate) const WAITS_MILLIS: [i64; 5] = [30_000, 120_000, 600_000, 3_600_000, 21_600_000];

/// Planned attempts of a delivery (§8).
#[cfg(test)]
pub(crate) const PLANNED_ATTEMPTS: usize = WAITS_MILLIS.len() + 1;

/// Deliveries in a row that end as `failed` before their webhook is disabled (§3).
pub(crate) const FAILURES_TO_DISABLE: i64 = 3;

/// Time that an attempt belongs to the worker that began it, in milliseconds. A living worker ends an attempt within 15
/// seconds, so only the attempt of a worker that died is made again.
pub const DELIVERY_LEASE_MILLIS: i64 = 30_000;

/// The specification's numbers. A server in production has [`DeliveryRules::PRODUCTION`], and no setting changes
/// them; only the lab of the conformance suite makes others, to see that the suite finds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRules {
    /// Waits between the end of a failed planned attempt and the next one, in milliseconds.
    pub waits_millis: Cow<'static, [i64]>,
    /// Deliveries in a row that end as `failed` before their webhook is disabled.
    pub failures_to_disable: i64,
}

impl DeliveryRules {
    /// The numbers of §3 and §8.
    pub const PRODUCTION: Self =
        Self { waits_millis: Cow::Borrowed(&WAITS_MILLIS), failures_to_disable: FAILURES_TO_DISABLE };
}

/// A delivery, as far as it decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliverySnapshot {
    /// Its status.
    pub status: DeliveryStatus,
    /// The way in which its plan ended.
    pub ended: Option<DeliveryEnd>,
    /// Attempts that have ended, resends included.
    pub attempts: i64,
    /// Planned attempts that failed.
    pub failures: i64,
    /// Time of the plan's next attempt, whether or not the webhook is enabled.
    pub planned_at: Option<Timestamp>,
    /// True while an attempt outside the plan is asked for or under way.
    pub resend: bool,
    /// Time at which a worker is to take it: for its next attempt, or from a worker that did not come back from this
    /// one.
    pub due_at: Option<Timestamp>,
    /// The fence, which each attempt that begins and each release raises. A worker with a lower number has lost the delivery.
    pub fence: i64,
}

/// A webhook, as far as it decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WebhookSnapshot {
    /// True if planned attempts are made.
    pub enabled: bool,
    /// Deliveries in a row that ended as `failed`.
    pub failures: i64,
}

/// A delivery and its webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeliveryState {
    /// The delivery.
    pub delivery: DeliverySnapshot,
    /// Its webhook.
    pub webhook: WebhookSnapshot,
}

/// An event of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryEvent {
    /// A worker takes it, since it is due.
    Claimed,
    /// The worker that has it needs more time.
    Renewed {
        /// The attempt.
        fence: i64,
    },
    /// An attempt has ended.
    Ended {
        /// The attempt.
        fence: i64,
        /// True if the answer was 2xx.
        delivered: bool,
    },
    /// A worker puts it back: its attempt was never made or given up.
    Released {
        /// The attempt.
        fence: i64,
    },
    /// A person asks for it to be sent again.
    ResendAsked,
    /// Its webhook is disabled.
    Paused,
    /// Its webhook is enabled again.
    Resumed,
}

/// An action beside writing the new state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryCommand {
    /// Make an attempt.
    Send {
        /// Its number.
        fence: i64,
    },
    /// Write the webhook's count of failed deliveries.
    CountFailures,
    /// Disable the webhook, for it failed too often.
    Disable,
    /// Let no planned attempt of the webhook's other deliveries begin.
    PauseOthers,
    /// Tell the workers that something is due.
    Wake,
    /// Refuse: an attempt is in flight.
    RefuseInFlight,
}

/// Returns the state that follows when `event` happens in `state` at `now`, and the actions to take. An event that does
/// not fit (a lost attempt's result, a claim of a delivery that is not due) changes nothing and commands nothing.
#[must_use]
pub fn step(
    rules: &DeliveryRules,
    state: DeliveryState,
    event: DeliveryEvent,
    now: Timestamp,
) -> (DeliveryState, Vec<DeliveryCommand>) {
    let DeliveryState { mut delivery, mut webhook } = state;
    let mut commands = Vec::new();
    let holds = |fence| delivery.status == DeliveryStatus::Delivering && delivery.fence == fence;
    match event {
        DeliveryEvent::Claimed if delivery.due_at.is_some_and(|due| due <= now) => {
            if webhook.enabled || delivery.resend {
                delivery.status = DeliveryStatus::Delivering;
                delivery.fence += 1;
                delivery.due_at = Some(lease_until(now));
                commands.push(DeliveryCommand::Send { fence: delivery.fence });
            } else {
                rest(&mut delivery, webhook, now);
            }
        }
        DeliveryEvent::Renewed { fence } if holds(fence) => delivery.due_at = Some(lease_until(now)),
        DeliveryEvent::Ended { fence, delivered } if holds(fence) => {
            delivery.attempts += 1;
            if delivered {
                succeed(&mut delivery, &mut webhook, &mut commands);
            } else if !delivery.resend {
                fail(rules, &mut delivery, &mut webhook, now, &mut commands);
            }
            delivery.resend = false;
            rest(&mut delivery, webhook, now);
        }
        DeliveryEvent::Released { fence } if holds(fence) => {
            // The attempt may be under way all the same: its result must not count.
            delivery.fence += 1;
            rest(&mut delivery, webhook, now);
            commands.push(DeliveryCommand::Wake);
        }
        DeliveryEvent::ResendAsked if delivery.status == DeliveryStatus::Delivering => {
            commands.push(DeliveryCommand::RefuseInFlight)
        }
        DeliveryEvent::ResendAsked if !delivery.resend => {
            delivery.resend = true;
            rest(&mut delivery, webhook, now);
            commands.push(DeliveryCommand::Wake);
        }
        DeliveryEvent::Paused => {
            webhook.enabled = false;
            if delivery.status == DeliveryStatus::Pending && !delivery.resend {
                rest(&mut delivery, webhook, now);
            }
        }
        DeliveryEvent::Resumed => {
            webhook = WebhookSnapshot { enabled: true, failures: 0 };
            if delivery.status == DeliveryStatus::Pending && delivery.due_at.is_none() {
                rest(&mut delivery, webhook, now);
                commands.push(DeliveryCommand::Wake);
            }
        }
        DeliveryEvent::Claimed
        | DeliveryEvent::Renewed { .. }
        | DeliveryEvent::Ended { .. }
        | DeliveryEvent::Released { .. }
        | DeliveryEvent::ResendAsked => {}
    }
    (DeliveryState { delivery, webhook }, commands)
}

/// An attempt was answered 2xx: the plan has come to its end, whatever came before.
fn succeed(delivery: &mut DeliverySnapshot, webhook: &mut WebhookSnapshot, commands: &mut Vec<DeliveryCommand>) {
    delivery.ended = Some(DeliveryEnd::Delivered);
    delivery.planned_at = None;
    if webhook.failures > 0 {
        webhook.failures = 0;
        commands.push(DeliveryCommand::CountFailures);
    }
}

/// A planned attempt failed: the next one is planned, or the delivery has failed.
fn fail(
    rules: &DeliveryRules,
    delivery: &mut DeliverySnapshot,
    webhook: &mut WebhookSnapshot,
    now: Timestamp,
    commands: &mut Vec<DeliveryCommand>,
) {
    let wait = usize::try_from(delivery.failures).ok().and_then(|before| rules.waits_millis.get(before).copied());
    delivery.failures += 1;
    delivery.planned_at = wait.map(|wait| now.plus_millis(wait));
    if wait.is_some() {
        return;
    }
    delivery.ended = Some(DeliveryEnd::Failed);
    webhook.failures += 1;
    commands.push(DeliveryCommand::CountFailures);
    if webhook.enabled && webhook.failures >= rules.failures_to_disable {
        webhook.enabled = false;
        commands.extend([DeliveryCommand::Disable, DeliveryCommand::PauseOthers]);
    }
}

/// Until when an attempt that begins now belongs to its worker.
fn lease_until(now: Timestamp) -> Timestamp {
    now.plus_millis(DELIVERY_LEASE_MILLIS)
}

/// Status and due time of a delivery that no worker has.
fn rest(delivery: &mut DeliverySnapshot, webhook: WebhookSnapshot, now: Timestamp) {
    (delivery.status, delivery.due_at) = match delivery.ended {
        _ if delivery.resend => (DeliveryStatus::Pending, Some(now)),
        Some(DeliveryEnd::Delivered) => (DeliveryStatus::Delivered, None),
        Some(DeliveryEnd::Failed) => (DeliveryStatus::Failed, None),
        None if webhook.enabled => (DeliveryStatus::Pending, delivery.planned_at.map(|at| at.max(now))),
        None => (DeliveryStatus::Pending, None),
    };
}
