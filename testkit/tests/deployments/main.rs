//! Checks against deployments that keep the specification in a way that is allowed, and against some that do not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod deployment;

use l10n_testkit::outcome::{NotRun, Status};

use crate::deployment::{Deployment, MINUTE, NOON};

/// AMB-6: LIM-REQ-1, LIM-REQ-3, LIM-REQ-10
#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_ends_with_a_minute_is_one() {
    let start = NOON + MINUTE - 3_000;
    let judged = ["LIM-REQ-1", "LIM-REQ-3", "LIM-REQ-10"].map(|id| async move {
        let record = Deployment { start, ..Deployment::default() }.judged(id, true).await;
        assert_eq!(record.status, Status::Pass, "{id}: {:?} {:?}", record.not_run, record.failures);
    });
    futures_util::future::join_all(judged).await;
    let unlimited = Deployment { start, requests_a_minute: u32::MAX, ..Deployment::default() };
    assert_eq!(unlimited.judged("LIM-REQ-1", true).await.status, Status::Fail);
}

/// LIM-DAY-1, LIM-DAY-2, LIM-DAY-8
#[tokio::test(flavor = "multi_thread")]
async fn what_others_used_of_a_day_accuses_nobody() {
    for id in ["LIM-DAY-1", "LIM-DAY-8"] {
        let used = || Deployment { published: 12, ..Deployment::default() };
        let record = used().judged(id, false).await;
        let Some(NotRun::Budget(left)) = &record.not_run else {
            panic!("{id}: {:?} {:?}", record.status, record.failures)
        };
        assert!(
            left.starts_with("18 publishes") && left.ends_with(" were left of the day, or the limit is not 30"),
            "{left}"
        );
        // Another day can be had there.
        let record = used().judged(id, true).await;
        assert_eq!(record.status, Status::Pass, "{id}: {:?} {:?}", record.not_run, record.failures);
        let less = Deployment { publishes_a_day: 20, ..Deployment::default() };
        // What is advisory is a warning.
        assert!(matches!(less.judged(id, true).await.status, Status::Fail | Status::Warn), "{id}");
    }
}

/// LIM-DAY-5
#[tokio::test(flavor = "multi_thread")]
async fn credits_that_end_before_the_day_accuse_nobody() {
    let poor = Deployment { paid_runs: 3, ..Deployment::default() };
    let record = poor.judged("LIM-DAY-5", true).await;
    let Some(NotRun::PrerequisiteFailed(reason)) = &record.not_run else {
        panic!("{:?} {:?}", record.status, record.failures)
    };
    assert_eq!(reason, "runs of a day, of which 3 were accepted: 402 insufficient_credits");
}

/// AMB-23: DEL-8
#[tokio::test(flavor = "multi_thread")]
async fn retries_that_are_late_within_the_leeway_are_waited_for() {
    let late = Deployment { is_late: true, ..Deployment::default() };
    let record = late.judged("DEL-8", true).await;
    assert_eq!(record.status, Status::Pass, "{:?} {:?}", record.not_run, record.failures);
}
