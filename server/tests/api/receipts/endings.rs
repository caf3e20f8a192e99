//! Writes that do not come to their end: what their receipts say is what happened.

use l10n_api_types::requests::ReceiptStatus;
use l10n_api_types::{ProjectId, RequestId};
use l10n_server::both_engines;
use l10n_server::clock::{Clock as _, Timestamp};
use l10n_server::domain::receipts;
use l10n_server::store::requests;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::Value;

use crate::receipts::{hold_up, receipt, receipt_answer, until, webhook};

both_engines!(
    a_client_that_goes_away_can_ask_what_happened,
    a_write_that_takes_too_long_does_not_land,
    a_killed_servers_writes_are_told_as_failed_in_time,
    the_one_server_of_a_datastore_settles_what_it_left,
);

/// The answer is lost on the way: the receipt says whether the webhook is there.
async fn a_client_that_goes_away_can_ask_what_happened(store: TestStore) {
    let app = TestApp::on(&store).await;
    let calls = [0, 10, 100, 1_000].map(|steps| (steps, format!("lost-{steps}")));
    for (steps, id) in &calls {
        let held = hold_up(&app).await;
        let call = app.post("/webhooks").json(&webhook_of(id)).header("x-correlation-id", id);
        let client = tokio::spawn(call.send());
        if store.is_shared() {
            until(|| async { receipt_answer(&app, id).await.status == 200 }).await;
            assert_eq!(receipt(&app, id).await.status, ReceiptStatus::Running);
        } else {
            // There the receipt itself waits for its turn.
            for _ in 0..*steps {
                tokio::task::yield_now().await;
            }
        }
        client.abort();
        drop(held);
        until(|| receipt_agrees_with_the_list(&app, id)).await;
    }
    // A call that had left no receipt by then may have come later: it agrees, too.
    for (_, id) in &calls {
        until(|| receipt_agrees_with_the_list(&app, id)).await;
    }
}

/// A webhook whose URL tells the call that registers it.
fn webhook_of(id: &str) -> Value {
    let mut webhook = webhook();
    webhook["url"] = format!("https://93.184.216.34/{id}").into();
    webhook
}

/// Returns true if the call has ended and its receipt agrees with the list.
async fn receipt_agrees_with_the_list(app: &TestApp, id: &str) -> bool {
    let list = app.get("/webhooks").send().await.json();
    let of_call = |hook: &&Value| hook["url"] == webhook_of(id)["url"];
    let hooks = list["webhooks"].as_array().unwrap().iter().filter(of_call).map(|hook| &hook["webhookId"]);
    let receipt = receipt_answer(app, id).await;
    let ended = receipt.status == 404 || receipt.json()["status"] != "running";
    let landed = receipt.json()["status"] == "succeeded";
    let resource = &receipt.json()["resource"]["id"];
    let hooks: Vec<_> = hooks.collect();
    ended && if landed { hooks == [resource] } else { hooks.is_empty() }
}

/// The receipt may have told it as failed: then it has to have failed.
async fn a_write_that_takes_too_long_does_not_land(store: TestStore) {
    let app = TestApp::on(&store).await;
    let slow = app.beside(&store).await;
    for (late, landed) in [(receipts::LANDS_WITHIN - 1, true), (receipts::LANDS_WITHIN, false)] {
        let id = RequestId::from(format!("slow-{late}"));
        let kind = "createWebhook";
        let now = app.clock.now();
        let mut tx = slow.service.store.begin_write().await.unwrap();
        assert!(requests::insert(&mut tx, new(&app.project.id, &id, kind, now)).await.unwrap());
        tx.commit().await.unwrap();
        let mut tx = slow.service.store.begin_write().await.unwrap();
        let finished_at = now.plus_millis(late);
        let success = requests::Success {
            http_status: 201,
            resource: None,
            finished_at,
            begun_after: finished_at.plus_millis(-receipts::LANDS_WITHIN),
        };
        assert_eq!(requests::succeed(&mut tx, &app.project.id, &id, success).await.unwrap(), landed);
    }
}

async fn a_killed_servers_writes_are_told_as_failed_in_time(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let (project, now) = (&app.project.id, app.clock.now());
    assert!(requests::insert(&mut tx, new(project, &"killed".into(), "publishVersion", now)).await.unwrap());
    tx.commit().await.unwrap();
    let dead = now.plus_millis(receipts::DEAD_AFTER);
    app.clock.set(dead.plus_millis(-1));
    assert_eq!(receipt(&app, "killed").await.status, ReceiptStatus::Running);
    app.clock.set(dead);
    let told = receipt(&app, "killed").await;
    assert_eq!((told.status, told.http_status, told.finished_at), (ReceiptStatus::Failed, None, Some(dead)));
    assert!(told.error.unwrap().message.contains("nothing was written"));
}

async fn the_one_server_of_a_datastore_settles_what_it_left(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let (project, now) = (&app.project.id, app.clock.now());
    assert!(requests::insert(&mut tx, new(project, &"killed".into(), "publishVersion", now)).await.unwrap());
    tx.commit().await.unwrap();
    l10n_server::workers::receipts::settle_orphans(&app.service).await;
    let status = receipt(&app, "killed").await.status;
    // Others may be at work on a shared datastore.
    assert_eq!(status, if store.is_shared() { ReceiptStatus::Running } else { ReceiptStatus::Failed });
}

/// A write of a release that had no leases.
fn new<'a>(
    project_id: &'a ProjectId,
    id: &'a RequestId,
    kind: &'a str,
    created_at: Timestamp,
) -> requests::NewRequest<'a> {
    requests::NewRequest { project_id, id, kind, process_id: None, created_at }
}
