//! A connection that breaks in the middle of a write: the receipt is read, and the truth is told.

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::proxy::{Fault, Proxy};
use crate::support::{Agent, Host, two_keys};

both_engines!(
    a_write_whose_answer_is_lost_once_is_answered_by_its_repetition,
    a_write_whose_every_answer_is_lost_is_told_as_landed,
    a_write_that_never_arrives_is_not_told_as_landed,
);

/// Each call that writes, in an order in which each has something to do, with the end of its request's path.
fn writes(live: &Value) -> Vec<(&'static str, &'static str, Value)> {
    let document = json!({"external_id": "a.md", "content": "# Title\n\nA paragraph.\n", "reason": "r"});
    vec![
        ("translate", "/translate", json!({"keys": two_keys(), "reason": "r"})),
        ("translate", "/sync", json!({"file_path": "en.json", "content": r#"{"more": "More"}"#, "reason": "r"})),
        ("translate_document", "/run", document),
        ("report_missing_keys", "/capture", json!({"keys": [{"ref": "missing"}]})),
        ("publish", "/publish", json!({"label": "second", "reason": "r"})),
        ("publish", "/publish", json!({"target": "content", "reason": "r"})),
        ("restore_version", "/restore", json!({"version_id": live, "reason": "r"})),
    ]
}

/// A project with a live version.
async fn published(app: &TestApp) -> (Agent, Value) {
    let admin = Agent::admin(app, crate::support::Revision::New).await;
    admin.ok("translate", json!({"keys": [{"ref": "old", "text": "Old"}], "reason": "r"})).await;
    let live = admin.ok("publish", json!({"label": "first", "reason": "r"})).await["version_id"].clone();
    (admin, live)
}

/// The facts that no repetition changes: the balance, versions, keys and documents.
async fn state(admin: &Agent) -> Value {
    let project = admin.ok("get_project", json!({})).await;
    let versions = admin.ok("restore_version", json!({})).await["versions"].clone();
    let documents = admin.ok("get_document", json!({})).await["documents"].clone();
    json!([project["balance_credits"], project["keys"], project["live"], versions, documents])
}

/// The client sends such a request again with the same idempotency key, and the service answers as it did.
async fn a_write_whose_answer_is_lost_once_is_answered_by_its_repetition(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (admin, live) = published(&app).await;
    let proxy = Proxy::to(app.address).await;
    let agent = Agent::through(&proxy, &app, &app.project.keys.admin, Host::plain()).await;
    for (tool, ends, arguments) in writes(&live) {
        proxy.break_next(1, "POST", ends, Fault::LostAnswer);
        let done = agent.ok(tool, arguments.clone()).await;
        assert_eq!(proxy.seen(), 2, "{tool}: {done}");
        proxy.mend();
        let before = state(&admin).await;
        agent.ok(tool, arguments).await;
        assert_eq!(state(&admin).await, before, "{tool}: {done}");
    }
}

async fn a_write_whose_every_answer_is_lost_is_told_as_landed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (admin, live) = published(&app).await;
    let proxy = Proxy::to(app.address).await;
    let agent = Agent::through(&proxy, &app, &app.project.keys.admin, Host::plain()).await;
    for (tool, ends, arguments) in writes(&live) {
        proxy.break_next(usize::MAX, "POST", ends, Fault::LostAnswer);
        let failed = agent.fails(tool, arguments.clone()).await;
        assert_eq!(
            (&failed["error"], &failed["details"]["outcome"]),
            (&json!("connection_lost"), &json!("landed")),
            "{tool}: {failed}"
        );
        proxy.mend();
        let receipt = agent.ok("get_receipt", json!({"request_id": failed["request_id"]})).await;
        assert_eq!(receipt["status"], "succeeded", "{tool}: {receipt}");
        if failed["details"]["kind"] == "translation" {
            // The run is charged while it goes on.
            let run = agent.ok("get_run", json!({"tracking_token": failed["details"]["id"], "wait_seconds": 50})).await;
            assert_eq!(run["status"], "completed", "{tool}: {run}");
        }
        // The model looks, or calls again: it pays and publishes nothing a second time.
        let before = state(&admin).await;
        agent.ok(tool, arguments).await;
        assert_eq!(state(&admin).await, before, "{tool}: {failed}");
    }
}

async fn a_write_that_never_arrives_is_not_told_as_landed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (admin, live) = published(&app).await;
    let proxy = Proxy::to(app.address).await;
    let agent = Agent::through(&proxy, &app, &app.project.keys.admin, Host::plain()).await;
    for (tool, ends, arguments) in writes(&live) {
        proxy.break_next(usize::MAX, "POST", ends, Fault::LostRequest);
        let before = state(&admin).await;
        let failed = agent.fails(tool, arguments.clone()).await;
        assert_eq!(failed["details"]["outcome"], "unknown", "{tool}: {failed}");
        // A document is registered before its run; nothing is charged for that.
        if tool != "translate_document" {
            assert_eq!(state(&admin).await, before, "{tool}: {failed}");
        }
        proxy.mend();
        agent.ok(tool, arguments).await;
    }
}
