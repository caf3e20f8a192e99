//! Throws crashes, clocks, several workers and moody endpoints at [`step`], and compares the results with the rules of
//! §3 and §6, counted once more from the endpoints' side.
//!
//! The world has a datastore (what was committed) and workers (what a crash loses). Everything that a server does in one
//! transaction is one action here, so that a crash may come between any two of them.

use l10n_api_types::deliveries::DeliveryStatus;
use proptest::prelude::*;

use super::step::{
    DELIVERY_LEASE_MILLIS, DeliveryCommand, DeliveryEvent, DeliveryRules, DeliverySnapshot, DeliveryState,
    FAILURES_TO_DISABLE, PLANNED_ATTEMPTS, WAITS_MILLIS, WebhookSnapshot, step,
};
use crate::clock::Timestamp;
use crate::store::deliveries::DeliveryEnd;

const WEBHOOKS: usize = 3;
const WORKERS: usize = 3;
/// The longest that an attempt takes: 5 s to open and 10 s to answer.
const LONGEST_ATTEMPT: i64 = 15_000;

/// An action of the world. Numbers choose among the present workers, attempts and deliveries.
#[derive(Debug, Clone)]
enum SimulationStep {
    Publish,
    Wait { millis: i64 },
    WaitForNext,
    Claim { worker: usize, most: usize },
    AttemptEnds { worker: usize, which: usize, delivered: bool },
    Write { worker: usize },
    Crash { worker: usize },
    GiveBack { worker: usize },
    Resend { which: usize },
    Disable { webhook: usize },
    Enable { webhook: usize },
}

fn actions(mostly_well: u32) -> impl Strategy<Value = Vec<SimulationStep>> {
    let delivered = (0..100u32).prop_map(move |roll| roll < mostly_well);
    let any = 0..1_000usize;
    let action = prop_oneof![
        2 => Just(SimulationStep::Publish),
        2 => prop_oneof![0..100i64, 0..60_000i64, 0..30_000_000i64].prop_map(|millis| SimulationStep::Wait { millis }),
        6 => Just(SimulationStep::WaitForNext),
        8 => (0..WORKERS, 1..4usize).prop_map(|(worker, most)| SimulationStep::Claim { worker, most }),
        8 => (0..WORKERS, any.clone(), delivered)
            .prop_map(|(worker, which, delivered)| SimulationStep::AttemptEnds { worker, which, delivered }),
        7 => (0..WORKERS).prop_map(|worker| SimulationStep::Write { worker }),
        1 => (0..WORKERS).prop_map(|worker| SimulationStep::Crash { worker }),
        1 => (0..WORKERS).prop_map(|worker| SimulationStep::GiveBack { worker }),
        1 => any.prop_map(|which| SimulationStep::Resend { which }),
        1 => (0..WEBHOOKS).prop_map(|webhook| SimulationStep::Disable { webhook }),
        1 => (0..WEBHOOKS).prop_map(|webhook| SimulationStep::Enable { webhook }),
    ];
    proptest::collection::vec(action, 1..600)
}

/// A delivery in the datastore, with the world's own counts.
struct SimulatedDelivery {
    webhook: usize,
    delivery: DeliverySnapshot,
    /// Planned attempts whose failure was written, and resends likewise.
    planned_failures: usize,
    resend_failures: i64,
    successes: i64,
    /// Ends of the planned attempts that failed.
    failed_at: Vec<Timestamp>,
}

/// An attempt in the memory of a worker.
#[derive(Clone, Copy)]
struct SimulatedAttempt {
    which: usize,
    fence: i64,
    resend: bool,
    began_at: Timestamp,
    /// Time of its end, and whether it delivered.
    ended: Option<(Timestamp, bool)>,
}

struct World {
    now: Timestamp,
    deliveries: Vec<SimulatedDelivery>,
    webhooks: Vec<WebhookSnapshot>,
    /// Counted from the results alone.
    failed_in_a_row: Vec<i64>,
    disabled_by_person: Vec<bool>,
    workers: Vec<Vec<SimulatedAttempt>>,
}

impl World {
    fn new() -> Self {
        Self {
            now: Timestamp::from_millis(1_795_248_000_000),
            deliveries: Vec::new(),
            webhooks: vec![WebhookSnapshot { enabled: true, failures: 0 }; WEBHOOKS],
            failed_in_a_row: vec![0; WEBHOOKS],
            disabled_by_person: vec![false; WEBHOOKS],
            workers: vec![Vec::new(); WORKERS],
        }
    }

    fn act(&mut self, action: &SimulationStep) {
        match *action {
            SimulationStep::Publish => self.publish(),
            SimulationStep::Wait { millis } => self.pass(self.now.plus_millis(millis)),
            SimulationStep::WaitForNext => {
                if let Some(next) = self.deliveries.iter().filter_map(|kept| kept.delivery.due_at).min() {
                    self.pass(next.max(self.now));
                }
            }
            SimulationStep::Claim { worker, most } => self.claim(worker, most),
            SimulationStep::AttemptEnds { worker, which, delivered } => self.attempt_ends(worker, which, delivered),
            SimulationStep::Write { worker } => self.write(worker),
            SimulationStep::Crash { worker } => self.workers[worker].clear(),
            SimulationStep::GiveBack { worker } => {
                for attempt in std::mem::take(&mut self.workers[worker]) {
                    self.apply(attempt.which, DeliveryEvent::Released { fence: attempt.fence }, self.now);
                }
            }
            SimulationStep::Resend { which } if !self.deliveries.is_empty() => {
                self.resend(which % self.deliveries.len())
            }
            SimulationStep::Resend { .. } => {}
            SimulationStep::Disable { webhook } => {
                self.disabled_by_person[webhook] |= self.webhooks[webhook].enabled;
                self.webhooks[webhook].enabled = false;
                self.all_of(webhook, DeliveryEvent::Paused);
            }
            SimulationStep::Enable { webhook } => {
                self.disabled_by_person[webhook] = false;
                self.failed_in_a_row[webhook] = 0;
                self.webhooks[webhook] = WebhookSnapshot { enabled: true, failures: 0 };
                self.all_of(webhook, DeliveryEvent::Resumed);
            }
        }
        self.check();
    }

    /// An event for every webhook that is enabled (EV-7).
    fn publish(&mut self) {
        for webhook in (0..WEBHOOKS).filter(|webhook| self.webhooks[*webhook].enabled) {
            let delivery = DeliverySnapshot {
                status: DeliveryStatus::Pending,
                ended: None,
                attempts: 0,
                failures: 0,
                planned_at: Some(self.now),
                resend: false,
                due_at: Some(self.now),
                fence: 0,
            };
            self.deliveries.push(SimulatedDelivery {
                webhook,
                delivery,
                planned_failures: 0,
                resend_failures: 0,
                successes: 0,
                failed_at: Vec::new(),
            });
        }
    }

    /// Time passes; attempts of workers that are alive end in time, whatever the worker is waiting for.
    fn pass(&mut self, to: Timestamp) {
        for attempt in self.workers.iter_mut().flatten() {
            let latest = attempt.began_at.plus_millis(LONGEST_ATTEMPT);
            if attempt.ended.is_none() && latest <= to {
                attempt.ended = Some((latest, false));
            }
        }
        self.now = to;
    }

    fn claim(&mut self, worker: usize, most: usize) {
        let now = self.now;
        let due = |kept: &SimulatedDelivery| kept.delivery.due_at.is_some_and(|due| due <= now);
        let due: Vec<_> = (0..self.deliveries.len()).filter(|which| due(&self.deliveries[*which])).take(most).collect();
        for which in due {
            let (was, planned) = (self.deliveries[which].delivery, self.deliveries[which].delivery.planned_at);
            for command in self.apply(which, DeliveryEvent::Claimed, now) {
                let DeliveryCommand::Send { fence } = command else { panic!("{command:?} at a claim") };
                let enabled = self.webhooks[self.deliveries[which].webhook].enabled;
                assert!(enabled || was.resend, "a planned attempt of a disabled webhook");
                assert!(was.resend || planned.is_some_and(|at| at <= now), "an attempt before its time");
                assert!(was.resend || was.ended.is_none(), "a planned attempt after the plan's end");
                let under_way =
                    self.workers.iter().flatten().any(|other| other.which == which && other.ended.is_none());
                assert!(!under_way, "two attempts of one delivery at once");
                self.workers[worker].push(SimulatedAttempt {
                    which,
                    fence,
                    resend: was.resend,
                    began_at: now,
                    ended: None,
                });
            }
        }
    }

    fn attempt_ends(&mut self, worker: usize, which: usize, delivered: bool) {
        let under_way: Vec<&mut SimulatedAttempt> =
            self.workers[worker].iter_mut().filter(|attempt| attempt.ended.is_none()).collect();
        let count = under_way.len();
        if let Some(attempt) = under_way.into_iter().nth(which.checked_rem(count).unwrap_or(0)) {
            attempt.ended = Some((self.now, delivered));
        }
    }

    /// One transaction, as `finish` does it: results in their order, then pauses.
    fn write(&mut self, worker: usize) {
        let (ended, under_way): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.workers[worker]).into_iter().partition(|attempt| attempt.ended.is_some());
        self.workers[worker] = under_way;
        for attempt in ended {
            let Some((at, delivered)) = attempt.ended else { continue };
            self.result(attempt, at, delivered);
        }
    }

    fn result(&mut self, attempt: SimulatedAttempt, at: Timestamp, delivered: bool) {
        let SimulatedAttempt { which, fence, resend, .. } = attempt;
        let before = self.deliveries[which].delivery;
        let webhook = self.deliveries[which].webhook;
        let webhook_before = self.webhooks[webhook];
        let commands = self.apply(which, DeliveryEvent::Ended { fence, delivered }, at);
        if before.status != DeliveryStatus::Delivering || before.fence != fence {
            assert_eq!((self.deliveries[which].delivery, self.webhooks[webhook]), (before, webhook_before));
            assert_eq!(commands, [], "a result that comes too late changes nothing");
            return;
        }
        let kept = &mut self.deliveries[which];
        if delivered {
            kept.successes += 1;
            self.failed_in_a_row[webhook] = 0;
            assert_eq!(kept.delivery.status, DeliveryStatus::Delivered);
        } else if resend {
            kept.resend_failures += 1;
            assert_eq!(self.webhooks[webhook], webhook_before, "a resend never counts (AMB-20)");
            assert_eq!(kept.delivery.failures, before.failures);
            assert_eq!(kept.delivery.planned_at, before.planned_at, "the plan goes on as it was (AMB-26)");
        } else {
            kept.planned_failures += 1;
            kept.failed_at.push(at);
            match WAITS_MILLIS.get(kept.planned_failures - 1) {
                Some(wait) => assert_eq!(kept.delivery.planned_at, Some(at.plus_millis(*wait)), "DEL-7 to DEL-9"),
                None => {
                    assert_eq!(kept.delivery.status, DeliveryStatus::Failed, "DEL-10");
                    assert_eq!((kept.delivery.planned_at, kept.delivery.due_at), (None, None));
                    self.failed_in_a_row[webhook] += 1;
                }
            }
        }
        let disables = webhook_before.enabled && self.failed_in_a_row[webhook] >= FAILURES_TO_DISABLE;
        assert_eq!(commands.contains(&DeliveryCommand::Disable), disables, "DEL-11, DEL-12");
        if commands.contains(&DeliveryCommand::PauseOthers) {
            self.all_of(webhook, DeliveryEvent::Paused);
        }
    }

    fn resend(&mut self, which: usize) {
        let before = self.deliveries[which].delivery;
        let commands = self.apply(which, DeliveryEvent::ResendAsked, self.now);
        let after = self.deliveries[which].delivery;
        if before.status == DeliveryStatus::Delivering {
            assert_eq!((commands, after), (vec![DeliveryCommand::RefuseInFlight], before), "WH-RS-3");
        } else {
            assert_eq!((after.status, after.resend), (DeliveryStatus::Pending, true));
            assert!(after.due_at.is_some_and(|due| due <= self.now));
        }
    }

    /// Does to all deliveries of a webhook as the datastore's statements do.
    fn all_of(&mut self, webhook: usize, event: DeliveryEvent) {
        for which in 0..self.deliveries.len() {
            if self.deliveries[which].webhook == webhook {
                let counted = self.webhooks[webhook];
                self.apply(which, event, self.now);
                self.webhooks[webhook] = WebhookSnapshot { enabled: self.webhooks[webhook].enabled, ..counted };
            }
        }
    }

    /// Reads, decides and writes, in one transaction.
    fn apply(&mut self, which: usize, event: DeliveryEvent, now: Timestamp) -> Vec<DeliveryCommand> {
        let kept = &mut self.deliveries[which];
        let before = DeliveryState { delivery: kept.delivery, webhook: self.webhooks[kept.webhook] };
        let (DeliveryState { delivery, webhook }, commands) = step(&DeliveryRules::PRODUCTION, before, event, now);
        kept.delivery = delivery;
        self.webhooks[kept.webhook] = webhook;
        commands
    }

    /// Checks the invariants that hold between any two transactions.
    fn check(&self) {
        for kept in &self.deliveries {
            let (delivery, webhook) = (kept.delivery, self.webhooks[kept.webhook]);
            assert!(kept.planned_failures <= PLANNED_ATTEMPTS);
            assert_eq!(
                usize::try_from(delivery.failures).ok(),
                Some(kept.planned_failures),
                "failures are those that were written"
            );
            let ended = i64::try_from(kept.planned_failures).unwrap() + kept.resend_failures + kept.successes;
            assert_eq!(delivery.attempts, ended, "DLV-6");
            let due = delivery.due_at.is_some();
            match delivery.status {
                DeliveryStatus::Delivering => assert!(due, "the lease ends some day"),
                DeliveryStatus::Pending if delivery.resend => assert!(due),
                DeliveryStatus::Pending => {
                    assert_eq!((delivery.ended, due), (None, webhook.enabled), "AMB-21");
                    assert!(delivery.planned_at.is_some());
                }
                DeliveryStatus::Delivered => {
                    assert!(delivery.ended == Some(DeliveryEnd::Delivered) && kept.successes > 0)
                }
                DeliveryStatus::Failed => {
                    assert_eq!((delivery.ended, kept.planned_failures), (Some(DeliveryEnd::Failed), PLANNED_ATTEMPTS));
                }
                status => panic!("{status}"),
            }
            if matches!(delivery.status, DeliveryStatus::Delivered | DeliveryStatus::Failed) {
                assert_eq!((delivery.due_at, delivery.planned_at), (None, None), "DLV-7");
            }
        }
        for (webhook, in_a_row) in self.webhooks.iter().zip(&self.failed_in_a_row) {
            assert_eq!(webhook.failures, *in_a_row);
        }
        for (number, webhook) in self.webhooks.iter().enumerate() {
            let by_failures = self.failed_in_a_row[number] >= FAILURES_TO_DISABLE;
            assert!(webhook.enabled || self.disabled_by_person[number] || by_failures || webhook.failures < 3);
            assert!(!(webhook.enabled && by_failures), "disabled after exactly three");
        }
    }

    /// Everything is killed and started again, and one worker goes on as long as there is anything to do.
    fn come_to_rest(&mut self, mut delivered: impl FnMut() -> bool) {
        self.workers.iter_mut().for_each(Vec::clear);
        while let Some(next) = self.deliveries.iter().filter_map(|kept| kept.delivery.due_at).min() {
            self.pass(next.max(self.now));
            self.claim(0, usize::MAX);
            for number in 0..self.workers[0].len() {
                self.workers[0][number].ended = Some((self.now, delivered()));
            }
            self.write(0);
            self.check();
        }
        for kept in &self.deliveries {
            let waits = kept.delivery.status == DeliveryStatus::Pending && !self.webhooks[kept.webhook].enabled;
            assert!(kept.delivery.ended.is_some() || waits, "an event is lost: {:?}", kept.delivery);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// DEL-7 to DEL-14, DEL-16, DEL-17, WH-RS-3, AMB-20, AMB-21, AMB-23, AMB-26.
    #[test]
    fn no_event_is_lost_whatever_crashes_and_the_rules_hold_between_any_two_transactions(
        actions in prop_oneof![actions(5), actions(50), actions(95)],
        ending in proptest::collection::vec(any::<bool>(), 1..20),
    ) {
        let mut world = World::new();
        for action in &actions {
            world.act(action);
        }
        let mut ending = ending.into_iter().cycle();
        world.come_to_rest(|| ending.next().unwrap());
    }
}

/// DEL-7 to DEL-10: six attempts, each wait from the end of the one before.
#[test]
fn the_whole_plan_of_an_endpoint_that_never_answers_well() {
    let mut world = World::new();
    world.publish();
    world.deliveries.truncate(1);
    let mut ends = Vec::new();
    for _ in 0..PLANNED_ATTEMPTS {
        world.act(&SimulationStep::WaitForNext);
        world.claim(0, 1);
        world.act(&SimulationStep::Wait { millis: 12_000 });
        ends.push(world.now);
        world.attempt_ends(0, 0, false);
        world.act(&SimulationStep::Write { worker: 0 });
    }
    assert_eq!(world.deliveries[0].failed_at, ends);
    let waits: Vec<i64> = ends.windows(2).map(|pair| pair[1].as_millis() - pair[0].as_millis() - 12_000).collect();
    assert_eq!(waits, WAITS_MILLIS);
    assert_eq!(waits.iter().sum::<i64>(), 25_950_000, "7 h 12 min 30 s");
    assert_eq!(world.deliveries[0].delivery.status, DeliveryStatus::Failed);
    assert_eq!(world.deliveries[0].delivery.attempts, 6);
}

/// DEL-17: a worker that died is waited for as long as an attempt could last, and no longer.
#[test]
fn an_attempt_whose_worker_died_is_made_again_and_counts_once() {
    let mut world = World::new();
    world.publish();
    world.deliveries.truncate(1);
    world.claim(0, 1);
    world.act(&SimulationStep::Crash { worker: 0 });
    world.act(&SimulationStep::Wait { millis: DELIVERY_LEASE_MILLIS - 1 });
    world.claim(1, 1);
    assert!(world.workers[1].is_empty(), "the lease is not over");
    world.act(&SimulationStep::Wait { millis: 1 });
    world.claim(1, 1);
    world.attempt_ends(1, 0, true);
    world.act(&SimulationStep::Write { worker: 1 });
    let delivery = world.deliveries[0].delivery;
    assert_eq!((delivery.status, delivery.attempts, delivery.fence), (DeliveryStatus::Delivered, 1, 2));
}
