//! The order of checks: those that wait longest first, those that move the clock last and alone.

use std::collections::HashMap;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::Shared;
use super::lanes::Lane;
use super::one::{self, Breach};
use super::record::CheckRecord;
use crate::check::Check;
use crate::outcome::{NotRun, Status};

/// Runs the selected checks. Returns a record of every check, in the order of the suite.
pub(super) async fn run_all(checks: &[&'static Check], shared: &Arc<Shared>) -> Vec<CheckRecord> {
    let mut records = HashMap::new();
    let mut parallel = Vec::new();
    let mut alone = Vec::new();
    for check in checks {
        if let Some(reason) = barred(check, shared) {
            records.insert(check.id, one::not_run(check, reason));
        } else if !check.waits.is_zero() && shared.clock.can_be_moved() {
            alone.push(*check);
        } else {
            parallel.push(*check);
        }
    }
    // Those that wait let others into their lanes: the longest wait is the length of the run, not the sum.
    parallel.sort_by_key(|check| std::cmp::Reverse(check.waits));
    let lanes: Vec<_> =
        shared.profile.lanes.iter().map(|project| Lane::new(project.clone(), shared.options.publishes)).collect();
    let mut breaches = Vec::new();
    let at_once = shared.options.jobs.unwrap_or(usize::MAX).max(1);
    let mut running = FuturesUnordered::new();
    let mut waiting = parallel.into_iter().enumerate();
    loop {
        while running.len() < at_once.min(lanes.len().saturating_mul(2)) {
            let Some((number, check)) = waiting.next() else { break };
            let lane = Arc::clone(&lanes[number % lanes.len()]);
            running.push(async move { one::run(check, shared, lane.take().await).await });
        }
        let Some((record, broken)) = running.next().await else { break };
        keep(record, broken, &mut records, &mut breaches);
    }
    for check in alone {
        let (record, broken) = one::run(check, shared, lanes[0].take().await).await;
        keep(record, broken, &mut records, &mut breaches);
    }
    for breach in breaches {
        if let Some(record) = records.get_mut(breach.check) {
            blame(record, breach);
        }
    }
    checks.iter().filter_map(|check| records.remove(check.id)).collect()
}

fn keep(
    record: CheckRecord,
    broken: Vec<Breach>,
    records: &mut HashMap<&'static str, CheckRecord>,
    breaches: &mut Vec<Breach>,
) {
    records.insert(record.check.id, record);
    breaches.extend(broken);
}

/// Why a check is not run.
fn barred(check: &Check, shared: &Shared) -> Option<NotRun> {
    if !shared.options.selection.takes(check) {
        return Some(NotRun::Filtered);
    }
    let missing = check.needs.iter().find(|claim| !shared.profile.claims.contains(claim));
    missing.map(|claim| NotRun::NotClaimed(claim.to_string()))
}

/// Counts a breach of an invariant against its check: the first three of each.
fn blame(record: &mut CheckRecord, breach: Breach) {
    if record.not_run == Some(NotRun::Filtered) || record.failures.len() >= 3 {
        return;
    }
    let mut failure = breach.failure;
    failure.exchange = Some(record.exchanges.len());
    record.exchanges.push(breach.exchange);
    record.failures.push(failure);
    record.status = Status::Fail;
    record.not_run = None;
}
