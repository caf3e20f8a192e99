//! `Idempotency-Key`: one write, one answer.

use std::collections::BTreeSet;

use http::Method;
use l10n_api_types::Timestamp;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::testing::{Answer, Call, TestApp, TestStore};
use serde_json::json;

use crate::receipts::{hold_up, receipt_answer, until, webhook};

both_engines!(
    the_same_request_is_answered_as_the_first_time,
    another_request_under_the_same_key_is_a_conflict,
    of_many_at_once_one_is_carried_out,
    two_servers_share_the_keys,
    a_key_names_one_write_for_a_day,
    a_key_counts_for_one_api_key,
    refusals_are_kept_unless_they_pass,
    a_key_that_is_none_is_refused_and_reads_have_none,
);

fn keyed(call: Call, key: &str) -> Call {
    call.header("idempotency-key", key)
}

fn replayed(answer: &Answer) -> bool {
    answer.header("idempotency-replayed") == Some("true")
}

async fn webhooks(app: &TestApp) -> usize {
    app.get("/webhooks").send().await.json()["webhooks"].as_array().unwrap().len()
}

/// API-COMPLETION 1: also the secret that is shown once, and an answer without a body.
async fn the_same_request_is_answered_as_the_first_time(store: TestStore) {
    let app = TestApp::on(&store).await;
    let create = keyed(app.post("/webhooks").json(&webhook()), "k-1");
    let first = create.clone().send().await;
    assert_eq!((first.status, replayed(&first)), (201, false));
    for _ in 0..2 {
        let again = create.clone().send().await;
        assert_eq!((again.status, replayed(&again), &again.bytes), (201, true, &first.bytes));
        assert_ne!(again.header("x-correlation-id"), first.header("x-correlation-id"));
        // What was done is found under the first name; the second request is no write.
        assert_eq!(receipt_answer(&app, again.header("x-correlation-id").unwrap()).await.status, 404);
    }
    assert_eq!(webhooks(&app).await, 1);
    let path = format!("/webhooks/{}", first.json()["webhookId"].as_str().unwrap());
    for is_second in [false, true] {
        let deleted = keyed(app.call(Method::DELETE, &path), "k-2").send().await;
        assert_eq!((deleted.status, replayed(&deleted), deleted.bytes.len()), (204, is_second, 0));
    }
    let keys = json!({"keys": [{"ref": "a", "text": "Save"}]});
    let run = keyed(app.post("/translate").json(&keys), "k-3");
    let (first, again) = (run.clone().send().await, run.send().await);
    assert_eq!((first.status, again.status), (202, 202));
    assert_eq!(first.bytes, again.bytes);
}

async fn another_request_under_the_same_key_is_a_conflict(store: TestStore) {
    let app = TestApp::on(&store).await;
    keyed(app.post("/webhooks").json(&webhook()), "k").send().await;
    let other = json!({"url": "https://93.184.216.34/other", "events": ["strings.published"]});
    for call in [
        app.post("/webhooks").json(&other),
        app.post("/webhooks?a=b").json(&webhook()),
        app.post("/languages").json(&json!({"languages": [{"code": "es"}]})),
    ] {
        let refused = keyed(call, "k").send().await;
        assert_eq!((refused.outcome().as_str(), replayed(&refused)), ("409 idempotency_conflict", false));
    }
    assert_eq!(webhooks(&app).await, 1);
}

async fn of_many_at_once_one_is_carried_out(store: TestStore) {
    let app = TestApp::on(&store).await;
    for round in 0..4 {
        let key = format!("race-{round}");
        let calls: Vec<_> =
            (0..16).map(|_| tokio::spawn(keyed(app.post("/webhooks").json(&webhook()), &key).send())).collect();
        let mut secrets = BTreeSet::new();
        let mut carried_out = 0;
        for call in calls {
            let answer = call.await.unwrap();
            match answer.outcome().as_str() {
                "201" => {
                    carried_out += usize::from(!replayed(&answer));
                    secrets.insert(answer.json()["secret"].as_str().unwrap().to_owned());
                }
                outcome => assert_eq!(outcome, "409 idempotency_in_progress"),
            }
        }
        assert_eq!((carried_out, secrets.len(), webhooks(&app).await), (1, 1, round + 1));
    }
}

/// While the first runs on one server, the other says so; then it gives the first one's answer.
async fn two_servers_share_the_keys(store: TestStore) {
    let app = TestApp::on(&store).await;
    let beside = app.beside(&store).await;
    let call = |app: &TestApp| keyed(app.post("/webhooks").json(&webhook()), "k");
    if store.is_shared() {
        let held = hold_up(&app).await;
        let first = tokio::spawn(call(&app).header("x-correlation-id", "first").send());
        until(|| async { receipt_answer(&beside, "first").await.status == 200 }).await;
        assert_eq!(call(&beside).send().await.outcome(), "409 idempotency_in_progress");
        drop(held);
        assert_eq!(first.await.unwrap().status, 201);
    } else {
        assert_eq!(call(&app).send().await.status, 201);
    }
    let again = call(&beside).send().await;
    assert_eq!((again.status, replayed(&again), webhooks(&app).await), (201, true, 1));
}

async fn a_key_names_one_write_for_a_day(store: TestStore) {
    let app = TestApp::on(&store).await;
    let create = keyed(app.post("/webhooks").json(&webhook()), "k");
    create.clone().send().await;
    let day = app.clock.now().as_millis() + 24 * 60 * 60 * 1_000;
    app.clock.set(Timestamp::from_millis(day - 1));
    assert!(replayed(&create.clone().send().await));
    app.clock.set(Timestamp::from_millis(day));
    assert!(!replayed(&create.clone().send().await));
    assert_eq!(webhooks(&app).await, 2);
    assert!(replayed(&create.send().await));
}

async fn a_key_counts_for_one_api_key(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (number, key) in [&app.project.keys.admin, &app.project.keys.publish].into_iter().enumerate() {
        let answer = keyed(app.post("/webhooks").key(key).json(&webhook()), "k").send().await;
        assert_eq!((answer.status, replayed(&answer), webhooks(&app).await), (201, false, number + 1));
    }
}

/// A refusal by the rules is the first answer, too. Who may not yet do it has done nothing and may try again.
async fn refusals_are_kept_unless_they_pass(store: TestStore) {
    let app = TestApp::on(&store).await;
    let publish = keyed(app.post("/publish"), "k");
    assert_eq!(publish.clone().send().await.outcome(), "409 nothing_to_publish");
    app.post("/translate").json(&json!({"keys": [{"ref": "a", "text": "Save"}]})).send().await;
    let again = publish.send().await;
    assert_eq!((again.outcome().as_str(), replayed(&again)), ("409 nothing_to_publish", true));
    assert_eq!(keyed(app.post("/publish"), "k-2").send().await.status, 201);
    let agent = keyed(app.post("/publish").key(&app.project.keys.agent), "k-3");
    for _ in 0..2 {
        let refused = agent.clone().send().await;
        assert_eq!((refused.outcome().as_str(), replayed(&refused)), ("403 authorization_required", false));
    }
}

async fn a_key_that_is_none_is_refused_and_reads_have_none(store: TestStore) {
    let app = TestApp::on(&store).await;
    for bad in ["", "a b", "\u{e9}", &"k".repeat(256)] {
        let refused = keyed(app.post("/webhooks").json(&webhook()), bad).send().await;
        assert_eq!(refused.outcome(), "400 invalid_argument", "{bad}");
        assert!(refused.error().message.contains("`Idempotency-Key`"));
        assert_eq!(keyed(app.get("/webhooks"), bad).send().await.status, 200);
    }
    assert_eq!(webhooks(&app).await, 0);
}
