//! Runs one check and says what became of it.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use tokio::time::Instant;

use super::record::CheckRecord;
use super::{Journaled, LaneHold, Shared};
use crate::check::Check;
use crate::cx::Cx;
use crate::invariants;
use crate::outcome::{Judged, NotRun, Status, Stop, Tally};
use crate::requirement::Level;

/// A breach of an invariant, and whose it is.
#[derive(Debug, Clone)]
pub(super) struct Breach {
    pub(super) check: &'static str,
    pub(super) failure: crate::outcome::Failure,
    pub(super) exchange: crate::cx::Exchange,
}

/// Runs a check in a lane.
pub(super) async fn run(check: &'static Check, shared: &Arc<Shared>, lane: LaneHold) -> (CheckRecord, Vec<Breach>) {
    let started = Instant::now();
    let cx = Cx::new(check, Arc::clone(shared), lane);
    let ended = AssertUnwindSafe((check.run.0)(cx.clone())).catch_unwind().await;
    let ended = ended.unwrap_or_else(|_| Err(Stop::Error("the check panicked: a fault of the suite".to_owned())));
    let cleaned = clean_up(&cx).await;
    let tally = cx.tally();
    let exchanges = cx.exchanges();
    let keys = shared.secrets.keys();
    let breaches = exchanges
        .iter()
        .flat_map(|exchange| {
            invariants::ALL.iter().filter_map(|invariant| {
                let actual = (invariant.broken)(exchange, &keys)?;
                let failure = crate::outcome::Failure {
                    case: Some(format!("seen in {}", check.id)),
                    expected: invariant.expected.to_owned(),
                    actual,
                    exchange: None,
                };
                Some(Breach { check: invariant.check, failure, exchange: exchange.clone() })
            })
        })
        .collect();
    let mut record = judge(check, ended, tally);
    record.took = started.elapsed();
    record.exchanges = exchanges;
    record.clean_up = cleaned;
    (record, breaches)
}

/// The one place where a check passes.
fn judge(check: &'static Check, ended: Judged, tally: Tally) -> CheckRecord {
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

/// Deletes what the check made.
async fn clean_up(cx: &Cx) -> Vec<String> {
    let made = cx.made();
    if cx.shared().options.keep {
        return Vec::new();
    }
    let mut failed = Vec::new();
    for one in made {
        if let Err(error) = remove(cx.shared(), &one).await {
            failed.push(format!("{}: {error}", one.url));
        }
    }
    failed
}

async fn remove(shared: &Arc<Shared>, made: &Journaled) -> Result<(), String> {
    let project = super::secrets::projects(&shared.profile)
        .find(|project| made.url.contains(&format!("/projects/{}/", project.id)))
        .ok_or("no project of the profile")?;
    let key = project.keys.get(&crate::profile::Identity::Full).ok_or("its project has no key `full`")?;
    shared.paces.turn(&project.id).await;
    let mut headers = http::HeaderMap::new();
    let bearer = http::HeaderValue::from_str(&format!("Bearer {}", key.expose())).map_err(|error| error.to_string())?;
    headers.insert(http::header::AUTHORIZATION, bearer);
    let request =
        crate::cx::Request { method: http::Method::DELETE, url: made.url.clone(), headers, body: bytes::Bytes::new() };
    let answer = shared.http.send(&request, false, shared.clock.now()).await?;
    if !(200..300).contains(&answer.status) && answer.status != 404 {
        return Err(format!("answered {}", answer.outcome()));
    }
    shared.journal.removed(made);
    Ok(())
}

/// A check that is not run.
pub(super) fn not_run(check: &'static Check, reason: NotRun) -> CheckRecord {
    let mut record = CheckRecord::unreached(check);
    record.not_run = Some(reason);
    record
}
