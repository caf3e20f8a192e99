//! Shared code of the tests of runs.

use l10n_api_types::Millicredits;
use l10n_api_types::translations::{Job, JobStatus, Run};
use l10n_server::testing::{Answer, Call, TestApp};
use serde_json::{Value, json};

pub(crate) fn run(app: &TestApp, id: &str, body: &Value) -> Call {
    app.post(&format!("/content/{id}/run")).json(body)
}

pub(crate) fn run_of(answer: &Answer) -> Run {
    assert!(answer.status < 300, "{answer:?}");
    let run: Run = answer.read();
    assert_eq!(answer.status == 202, run.tracking_token.is_some(), "202 when work was queued: {run:?}");
    run
}

pub(crate) async fn ended(app: &TestApp, run: &Run) -> Job {
    let token = run.tracking_token.as_ref().unwrap();
    loop {
        let answer = app.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let job: Job = answer.read();
        assert!(job.credits_charged <= job.estimated_credits, "a quote is a bound: {job:?}");
        if job.status.is_final() {
            return job;
        }
    }
}

/// Runs a document to its end; what it was charged.
pub(crate) async fn translated(app: &TestApp, id: &str) -> Millicredits {
    let run = run_of(&run(app, id, &json!({})).send().await);
    if run.tracking_token.is_none() {
        return Millicredits::ZERO;
    }
    let job = ended(app, &run).await;
    assert_eq!(job.status, JobStatus::Completed, "{job:?}");
    job.credits_charged
}

pub(crate) async fn balance(app: &TestApp) -> i64 {
    app.get("/meta").send().await.json()["balance"].as_i64().unwrap()
}
