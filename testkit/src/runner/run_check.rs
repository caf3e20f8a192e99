//! Runs one check and says what became of it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::time::Instant;

use super::check_record::CheckRecord;
use super::clean_up::WebhookAccess;
use super::execution::Execution;
use crate::check::Check;
use crate::claim::Claim;
use crate::cx::Cx;
use crate::invariants;
use crate::outcome::{CheckResult, Failure, NotRun, Status, Stop, Tally};
use crate::requirement::Level;
use crate::session::LaneHold;
use crate::wire::Exchange;

/// A breach of an invariant, and whose it is.
#[derive(Debug, Clone)]
pub(super) struct Violation {
    pub(super) check: &'static str,
    pub(super) failure: Failure,
    pub(super) exchange: Exchange,
}

/// Runs a check in a lane.
pub(super) async fn run(check: &'static Check, execution: &Execution, lane: LaneHold) -> (CheckRecord, Vec<Violation>) {
    let started = Instant::now();
    let cx = Cx::new(check.id, check.needs, Arc::clone(&execution.session), lane);
    let mut ended = within_limits(check, execution, &cx).await;
    if let Err(Stop::Fail(failure)) = &mut ended {
        // What a check has just seen is what it judged.
        failure.exchange = failure.exchange.or_else(|| cx.last_exchange());
    }
    let cleaned = clean_up(execution, &cx).await;
    let tally = cx.tally().clone();
    let exchanges = cx.exchanges();
    let breaches = exchanges
        .iter()
        .flat_map(|exchange| {
            invariants::ALL.iter().filter_map(|invariant| {
                let actual = (invariant.broken)(exchange, &execution.session.secrets)?;
                let failure = Failure {
                    case: Some(format!("seen in {}", check.id)),
                    expected: invariant.expected.to_owned(),
                    actual,
                    exchange: None,
                };
                Some(Violation { check: invariant.check, failure, exchange: exchange.clone() })
            })
        })
        .collect();
    let mut record = judge(check, ended, tally);
    record.took = started.elapsed();
    record.exchanges = exchanges;
    if matches!(record.status, Status::Fail | Status::Warn) {
        record.deliveries = cx.deliveries();
    }
    record.clean_up = cleaned;
    (record, breaches)
}

/// Runs it until it ends, or has to.
async fn within_limits(check: &'static Check, execution: &Execution, cx: &Cx) -> CheckResult {
    let breaker = execution.session.http.breaker();
    let _restarts = check.needs.contains(&Claim::Restart).then(|| breaker.suspended());
    let limit = execution.limit(check);
    let panicked = || Stop::Error("the check panicked: a fault of the suite".to_owned());
    tokio::select! {
        biased;
        ended = AssertUnwindSafe((check.run.0)(cx.clone())).catch_unwind() => ended.unwrap_or_else(|_| Err(panicked())),
        () = execution.options.interrupt.cancelled() => Err(Stop::NotRun(NotRun::Interrupted)),
        () = breaker.trips() => Err(Stop::NotRun(NotRun::Aborted)),
        () = tokio::time::sleep(limit) => Err(Stop::Error(format!("it did not end within its limit of {limit:?}"))),
    }
}

/// The one place where a check passes.
fn judge(check: &'static Check, ended: CheckResult, tally: Tally) -> CheckRecord {
    let mut record = CheckRecord::unreached(check);
    record.assertions = tally.assertions;
    record.failures = tally.failures;
    let broken = if check.level() == Level::Advisory { Status::Warn } else { Status::Fail };
    record.status = match ended {
        Err(Stop::Fail(failure)) => {
            record.failures.push(*failure);
            broken
        }
        _ if !record.failures.is_empty() => broken,
        Err(Stop::NotRun(reason)) => {
            record.not_run = Some(reason);
            Status::NotRun
        }
        Err(Stop::Error(error)) => {
            record.error = Some(error);
            Status::Error
        }
        Ok(()) if tally.assertions == 0 || tally.controls == 0 => {
            let lacking = if tally.assertions == 0 { "it asserted nothing" } else { "no positive control was seen" };
            record.error = Some(format!("vacuous: {lacking}"));
            Status::Error
        }
        Ok(()) => Status::Pass,
    };
    if record.status != Status::NotRun {
        record.not_run = None;
    }
    record
}

/// Deletes what the check made. What cannot be deleted stays in the journal.
async fn clean_up(execution: &Execution, cx: &Cx) -> Vec<String> {
    let (made, session) = (cx.made(), &execution.session);
    // A deployment that was given up is left alone: the end of the run says what stays. The end of an interrupted run
    // removes all at once.
    if execution.options.keep || execution.options.interrupt.is_cancelled() || session.http.breaker().why().is_some() {
        return Vec::new();
    }
    let mut failed = Vec::new();
    for one in made {
        let removed = WebhookAccess::of(session).delete(&one).await;
        let removed = removed.and_then(|()| session.journal.removed(&one).map_err(|error| error.to_string()));
        failed.extend(removed.err());
    }
    failed
}

/// A check that is not run.
pub(super) fn not_run(check: &'static Check, reason: NotRun) -> CheckRecord {
    let mut record = CheckRecord::unreached(check);
    record.not_run = Some(reason);
    record
}
