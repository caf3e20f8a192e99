//! Long polls: an answer as soon as a person has decided, wherever.

use std::time::{Duration, Instant};

use l10n_api_types::operations::{Operation, OperationStatus};
use l10n_server::both_engines;
use l10n_server::clock::{Clock as _, SystemClock};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::operations::support::{approve, ask, command, deny, idle};

both_engines!(
    a_long_poll_is_answered_by_a_decision_of_another_process,
    a_long_poll_is_answered_by_a_decision_of_this_process,
    a_long_poll_ends_when_the_operation_expires,
    what_is_decided_is_answered_at_once,
    the_wait_is_at_most_25_seconds,
);

/// Longer than any test has to wait, and shorter than a person would.
const AT_ONCE: Duration = Duration::from_secs(20);

fn long_poll(app: &TestApp, operation: &Operation) -> JoinHandle<Operation> {
    let call = app.get(&format!("/operations/{}?waitSeconds=25", operation.operation_id));
    tokio::spawn(async move { call.send().await.read() })
}

/// OPS-2: `l10n-server operations approve` beside the server.
async fn a_long_poll_is_answered_by_a_decision_of_another_process(store: TestStore) {
    let app = idle(&store).await;
    app.clock.set(SystemClock.now());
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let poll = long_poll(&app, &asked);
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["operations", "approve", asked.operation_id.as_str(), "--note", "go on"];
    let mut approve = command(folder.path(), store.url(), &arguments);
    let output = tokio::task::spawn_blocking(move || approve.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{output:?}");
    let decided = tokio::time::timeout(AT_ONCE, poll).await.unwrap().unwrap();
    assert_eq!((decided.status, decided.decided_by.as_deref()), (OperationStatus::Approved, Some("grace")));
    assert_eq!(decided.reason.as_deref(), Some("go on"));
    assert_eq!(decided.expires_at, decided.decided_at.unwrap().plus_millis(3_600_000));
}

async fn a_long_poll_is_answered_by_a_decision_of_this_process(store: TestStore) {
    let app = idle(&store).await;
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let polls: Vec<_> = (0..5).map(|_| long_poll(&app, &asked)).collect();
    let denied = deny(&app, &asked).await;
    for poll in polls {
        assert_eq!(tokio::time::timeout(AT_ONCE, poll).await.unwrap().unwrap(), denied);
    }
}

async fn a_long_poll_ends_when_the_operation_expires(store: TestStore) {
    let app = idle(&store).await;
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let poll = long_poll(&app, &asked);
    app.clock.set(asked.expires_at);
    let over = tokio::time::timeout(AT_ONCE, poll).await.unwrap().unwrap();
    assert_eq!(over, Operation { status: OperationStatus::Expired, ..asked });
}

async fn what_is_decided_is_answered_at_once(store: TestStore) {
    let app = idle(&store).await;
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let answer = app.get(&format!("/operations/{}?waitSeconds=1", asked.operation_id)).send().await;
    assert_eq!(answer.read::<Operation>(), asked, "the time is over, and nobody has decided");
    let approved = approve(&app, &asked).await;
    assert_eq!(tokio::time::timeout(AT_ONCE, long_poll(&app, &asked)).await.unwrap().unwrap(), approved);
}

/// AMB-1: 400 comes before 404.
async fn the_wait_is_at_most_25_seconds(store: TestStore) {
    let app = idle(&store).await;
    for wait in ["26", "-1", "1.5", "", "x", "4294967296"] {
        let answer = app.get(&format!("/operations/op_none?waitSeconds={wait}")).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{wait}");
        assert!(answer.error().message.contains("waitSeconds"));
    }
    let began = Instant::now();
    let answer = app.get("/operations/op_none?waitSeconds=25").send().await;
    assert_eq!(answer.outcome(), "404 not_found");
    assert!(began.elapsed() < AT_ONCE, "what is not there is not waited for");
}
