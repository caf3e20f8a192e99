//! Waiting for a person's decision.

use std::time::{Duration, Instant};

use l10n_client::WaitOptions;
use l10n_client::api::operations::OperationStatus;

use crate::samples::operation;
use crate::support::{answering, builder, error, ok, project, requests};

/// OPS-1: the wait polls until a person has decided; any decision is a success.
#[tokio::test]
async fn a_wait_ends_with_the_decision() {
    for (status, expected) in [
        ("approved", OperationStatus::Approved),
        ("denied", OperationStatus::Denied),
        ("expired", OperationStatus::Expired),
        ("canceled", OperationStatus::Canceled),
        ("used", OperationStatus::Used),
    ] {
        let server = answering([ok(operation("pending")), ok(operation(status))]).await;
        let decided = project(&server.uri()).operations().wait("op_1", &WaitOptions::default()).await.unwrap();
        assert_eq!((decided.status, requests(&server).await.len()), (expected, 2));
        // A decided operation ends the wait at once.
        let server = answering([ok(operation(status))]).await;
        let decided = project(&server.uri()).operations().wait("op_1", &WaitOptions::default()).await.unwrap();
        assert_eq!((decided.status, requests(&server).await.len()), (expected, 1));
    }
}

/// The wait uses the server's longest delay, since a person takes minutes and every poll counts against the request
/// budget.
#[tokio::test]
async fn a_wait_asks_the_server_to_hold_its_answer_for_as_long_as_it_does() {
    let server = answering([ok(operation("pending")), ok(operation("approved"))]).await;
    let waited = project(&server.uri()).operations().wait("op_1", &WaitOptions::default()).await.unwrap();
    assert_eq!(waited.status, OperationStatus::Approved);
    let queries: Vec<_> =
        requests(&server).await.iter().map(|request| request.url.query().map(str::to_owned)).collect();
    assert_eq!(queries, [None, Some("waitSeconds=25".to_owned())]);
}

/// If no one decides in time, the pending operation is returned, even if the last poll is cut short.
#[tokio::test]
async fn a_wait_ends_in_time_with_the_operation_as_last_seen() {
    let slow = ok(operation("approved")).set_delay(Duration::from_secs(60));
    let server = answering([ok(operation("pending")), slow]).await;
    let options = WaitOptions::default().timeout(Duration::from_secs(4));
    let begun = Instant::now();
    let waited = project(&server.uri()).operations().wait("op_1", &options).await.unwrap();
    assert_eq!(waited.status, OperationStatus::Pending);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

/// A server that does not delay its answers is not flooded.
#[tokio::test]
async fn a_server_that_answers_at_once_is_asked_every_two_seconds() {
    let server = answering([ok(operation("pending"))]).await;
    let options = WaitOptions::default().timeout(Duration::from_secs(3));
    let waited = project(&server.uri()).operations().wait("op_1", &options).await.unwrap();
    assert_eq!(waited.status, OperationStatus::Pending);
    let count = requests(&server).await.len();
    assert!((1..=4).contains(&count), "{count} requests in 3 s");
}

#[tokio::test]
async fn a_server_that_restarts_meanwhile_is_waited_for() {
    let down = || error(503, "unavailable").insert_header("retry-after", "0");
    let server = answering([ok(operation("pending")), down(), down(), ok(operation("approved"))]).await;
    let client = builder(&server.uri()).max_retries(0).build().unwrap();
    let waited = client.project("prj_1").operations().wait("op_1", &WaitOptions::default()).await.unwrap();
    assert_eq!(waited.status, OperationStatus::Approved);
}

/// OPS-3
#[tokio::test]
async fn an_operation_that_is_not_there_is_told_at_once() {
    let server = answering([error(404, "not_found")]).await;
    project(&server.uri()).operations().wait("op_1", &WaitOptions::default()).await.unwrap_err();
    assert_eq!(requests(&server).await.len(), 1);
}
