//! The order of checks: those that wait longest first, those that move the clock or restart the deployment last and alone.

use std::collections::HashMap;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use tokio::time::Instant;

use super::check_record::CheckRecord;
use super::environment;
use super::estimate::{Capacity, estimate};
use super::execution::Execution;
use super::observer::RunEvent;
use super::run_check::{self, Violation};
use super::survey;
use crate::check::Check;
use crate::claim::Claim;
use crate::invariants;
use crate::outcome::{Failure, NotRun, Status};
use crate::profile::{Identity, Project};
use crate::requirement::Level;
use crate::session::Lanes;
use crate::wire::Exchange;

/// The results of the checks.
pub(super) struct Results {
    /// A record of every check, in the order of the suite.
    pub(super) records: Vec<CheckRecord>,
    /// Publishes that were spent, by project.
    pub(super) publishes: Vec<(String, u32)>,
}

/// Runs the selected checks.
pub(super) async fn run_all(checks: &[&'static Check], execution: &Execution) -> Results {
    let ends = execution.options.deadline.map(|deadline| Instant::now() + deadline);
    let mut done = Progress { records: HashMap::new(), breaches: Vec::new(), execution: execution.clone() };
    let mut selected = Vec::new();
    for check in checks {
        match barred(check, execution) {
            Some(reason) => done.not_run(check, reason),
            None => selected.push(*check),
        }
    }
    execution.options.observer.tell(RunEvent::Planned(&execution.session.run_id, selected.len()));
    if let Some(seed) = execution.options.shuffle {
        selected.shuffle(&mut rand::rngs::StdRng::seed_from_u64(seed));
    }
    // Those that wait let others into their lanes: the longest wait is the length of the run, not the sum.
    selected.sort_by_key(|check| std::cmp::Reverse((check.waits, check.slots)));
    let webhooks = selected.iter().any(|check| check.slots > 0);
    let (alone, together): (Vec<_>, Vec<_>) = selected.into_iter().partition(|check| is_alone(check, execution));
    tell_duration(&together, &alone, execution);
    let survey = execution.options.interrupt.run_until_cancelled(survey::survey(&execution.session, webhooks));
    let found = survey.await.unwrap_or_default();
    if found.swept > 0 {
        let note = format!("webhooks of earlier runs removed: {}", found.swept);
        execution.options.observer.tell(RunEvent::Note(&note));
    }
    if found.spared > 0 {
        let note = format!(
            "webhooks of other runs that may be under way, left alone: {}; `l10n-testkit cleanup --any-run` removes them",
            found.spared
        );
        execution.options.observer.tell(RunEvent::Note(&note));
    }
    let preflight = execution.options.preflight && !execution.options.interrupt.is_cancelled();
    if preflight {
        let selected: Vec<_> = together.iter().chain(&alone).copied().collect();
        let looking = environment::faults(&selected, execution);
        let faults = execution.options.interrupt.run_until_cancelled(looking).await.unwrap_or_default();
        execution.session.found(faults);
    }
    let (publishes, jobs) = (execution.options.publishes, execution.options.jobs);
    let lanes = Lanes::new(&usable_lanes(execution), &found.foreign, publishes, jobs);
    let delivered = together.iter().chain(&alone).any(|check| environment::waits_for_deliveries(check));
    let untrusted = if preflight && delivered { environment::deliveries(execution, &lanes).await } else { None };
    let mut judged = |checks: Vec<&'static Check>| -> Vec<&'static Check> {
        let faults = execution.session.faults();
        let (judged, barred): (Vec<_>, Vec<_>) = checks.into_iter().partition(|check| {
            let untrusted = untrusted.is_some() && environment::waits_for_deliveries(check);
            !untrusted && environment::prerequisite(check, faults).is_none()
        });
        for check in barred {
            let untrusted = untrusted.clone().map(NotRun::PrerequisiteFailed);
            let reason = environment::prerequisite(check, faults).or(untrusted);
            done.not_run(check, reason.unwrap_or(NotRun::Unreached));
        }
        judged
    };
    let (together, alone) = (judged(together), judged(alone));
    // Those that hold deliveries up come first, and no other delivery is waited for meanwhile: a deployment that lets one
    // endpoint delay another fails the checks of that, and no others.
    let (stalling, others): (Vec<_>, Vec<_>) = together.into_iter().partition(|check| check.stalls);
    run([stalling, others].concat(), usize::MAX, ends, &lanes, &mut done).await;
    run(alone, 1, ends, &lanes, &mut done).await;
    let Progress { mut records, mut breaches, .. } = done;
    breaches.extend(repeated_ids(checks, &records));
    for breach in breaches {
        if let Some(record) = records.get_mut(breach.check) {
            blame(record, breach);
        }
    }
    Results { records: checks.iter().filter_map(|check| records.remove(check.id)).collect(), publishes: lanes.spent() }
}

/// The requests of the run that got the correlation id of another.
fn repeated_ids(checks: &[&'static Check], records: &HashMap<&'static str, CheckRecord>) -> Vec<Violation> {
    let exchanges = checks.iter().filter_map(|check| records.get(check.id)).flat_map(|record| &record.exchanges);
    let (check, expected) = invariants::UNIQUE_IDS;
    let violation = |(actual, exchange): (String, &Exchange)| {
        let case = Some("seen over the whole run".to_owned());
        let failure = Failure { case, expected: expected.to_owned(), actual, exchange: None };
        Violation { check, failure, exchange: exchange.clone() }
    };
    invariants::repeated_ids(exchanges).into_iter().take(SHOWN).map(violation).collect()
}

/// Says how long the run will take.
fn tell_duration(together: &[&'static Check], alone: &[&'static Check], execution: &Execution) {
    let (session, options) = (&execution.session, &execution.options);
    let lanes = session.profile.lanes.len();
    let capacity = Capacity { lanes, requests_per_minute: options.requests_per_minute };
    let waiting =
        |checks: &[&'static Check]| -> Vec<_> { checks.iter().map(|&check| (check, execution.waits(check))).collect() };
    let time = estimate(&waiting(together), &waiting(alone), capacity);
    options.observer.tell(RunEvent::WillTake(time, lanes));
}

/// The lanes whose key `full` is in order: without it nothing can be judged there.
fn usable_lanes(execution: &Execution) -> Vec<Project> {
    let session = &execution.session;
    let fault = |lane: &&Project| session.faults().of_key(&lane.id, Identity::Full);
    for lane in &session.profile.lanes {
        if let Some(fault) = fault(&lane) {
            execution.options.observer.tell(RunEvent::Note(&format!("a lane is left out: {fault}")));
        }
    }
    session.profile.lanes.iter().filter(|lane| fault(lane).is_none()).cloned().collect()
}

/// Returns true if no other check may run beside it.
fn is_alone(check: &Check, execution: &Execution) -> bool {
    let moves_time = !check.waits.is_zero() && execution.session.clock.can_be_moved();
    moves_time || check.needs.contains(&Claim::Restart)
}

/// Runs checks, at most so many at once, each as soon as a lane is free for it.
async fn run(mut waiting: Vec<&'static Check>, most: usize, ends: Option<Instant>, lanes: &Lanes, done: &mut Progress) {
    let execution = done.execution.clone();
    let mut running = FuturesUnordered::new();
    let mut stalling: usize = 0;
    loop {
        if let Some(reason) = stopped(&execution) {
            waiting.drain(..).for_each(|check| done.not_run(check, reason.clone()));
        }
        let mut later = Vec::new();
        let mut stalled = stalling > 0;
        for check in waiting.drain(..) {
            stalled |= check.stalls;
            if stalled && !check.stalls && environment::waits_for_deliveries(check) {
                later.push(check);
                continue;
            }
            if let Some(reason) = too_late(check, ends, &execution).or_else(|| lanes.never(check.demand())) {
                done.not_run(check, reason);
                continue;
            }
            match (running.len() < most).then(|| lanes.try_take(check.demand(), &execution.session.pacer)).flatten() {
                Some(lane) => {
                    stalling += usize::from(check.stalls);
                    execution.options.observer.tell(RunEvent::Began(check));
                    running.push(run_check::run(check, &execution, lane));
                }
                None => later.push(check),
            }
        }
        waiting = later;
        if running.is_empty() {
            // With nobody in a lane, each has room for what `never` did not refuse.
            waiting
                .drain(..)
                .for_each(|check| done.not_run(check, NotRun::Slots("no lane has room for it".to_owned())));
            return;
        }
        tokio::select! {
            Some((record, broken)) = running.next() => {
                stalling -= usize::from(record.check.stalls);
                done.ran(record, broken);
            }
            () = lanes.freed(), if !waiting.is_empty() => {}
        }
    }
}

/// The reason why no further check begins.
fn stopped(execution: &Execution) -> Option<NotRun> {
    if execution.options.interrupt.is_cancelled() {
        return Some(NotRun::Interrupted);
    }
    execution.session.http.breaker().why().map(|_| NotRun::Aborted)
}

/// Returns a reason if the run ends before the check would.
fn too_late(check: &Check, ends: Option<Instant>, execution: &Execution) -> Option<NotRun> {
    (Instant::now() + execution.waits(check) >= ends?).then_some(NotRun::Deadline)
}

/// The results so far.
struct Progress {
    records: HashMap<&'static str, CheckRecord>,
    breaches: Vec<Violation>,
    execution: Execution,
}

impl Progress {
    fn not_run(&mut self, check: &'static Check, reason: NotRun) {
        let record = run_check::not_run(check, reason);
        if !matches!(record.not_run, Some(NotRun::Filtered | NotRun::NotClaimed(_))) {
            self.execution.options.observer.tell(RunEvent::Ended(&record));
        }
        self.records.insert(check.id, record);
    }

    fn ran(&mut self, record: CheckRecord, broken: Vec<Violation>) {
        self.execution.options.observer.tell(RunEvent::Ended(&record));
        self.records.insert(record.check.id, record);
        self.breaches.extend(broken);
    }
}

/// The reason why a check is not run at all.
fn barred(check: &Check, execution: &Execution) -> Option<NotRun> {
    if !execution.options.selection.takes(check) {
        return Some(NotRun::Filtered);
    }
    let missing = check.claims().find(|claim| !execution.session.profile.claims.contains(claim));
    if let Some(claim) = missing {
        return Some(NotRun::NotClaimed(claim.to_string()));
    }
    if execution.options.read_only && writes(check) {
        return Some(NotRun::ReadOnly);
    }
    if check.needs.contains(&Claim::Burn) && !execution.options.burn_budgets {
        return Some(NotRun::Budget("it uses up daily budgets, but the run has no --burn-budgets".to_owned()));
    }
    execution.session.clock.too_long(check.waits)
}

/// Returns true if a check is there to change something. In a check of another kind, requests other than reads are not
/// sent either.
fn writes(check: &Check) -> bool {
    use Claim::{
        Approvals, Burn, Capture, ContentTrigger, Dns, Documents, Operations, Publish, Restart, Scratch, Translate,
        Webhooks, Write,
    };
    let writing = [
        Approvals,
        Burn,
        Capture,
        ContentTrigger,
        Dns,
        Documents,
        Operations,
        Publish,
        Restart,
        Scratch,
        Translate,
        Webhooks,
        Write,
    ];
    check.slots > 0 || check.publishes > 0 || check.needs.iter().any(|claim| writing.contains(claim))
}

/// Breaches of an invariant that are shown.
const SHOWN: usize = 3;

/// Counts a breach of an invariant against its check: the first three of each.
fn blame(record: &mut CheckRecord, breach: Violation) {
    if record.not_run == Some(NotRun::Filtered) || record.failures.len() >= SHOWN {
        return;
    }
    let mut failure = breach.failure;
    failure.exchange = Some(record.exchanges.len());
    record.exchanges.push(breach.exchange);
    record.failures.push(failure);
    record.status = if record.check.level() == Level::Advisory { Status::Warn } else { Status::Fail };
    record.not_run = None;
}
