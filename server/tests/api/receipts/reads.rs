//! The contents of a receipt.

use http::Method;
use l10n_api_types::requests::ReceiptStatus;
use l10n_api_types::{ErrorCode, Timestamp};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::testing::{Answer, Call, TestApp, TestStore};
use serde_json::json;

use crate::receipts::{receipt, receipt_answer, webhook};

both_engines!(
    every_write_leaves_a_receipt_under_the_callers_id,
    a_write_that_the_rules_refuse_says_why,
    what_writes_nothing_has_no_receipt,
    an_id_that_was_used_names_its_first_write_for_ever,
    a_receipt_is_found_under_every_id_that_a_caller_may_choose,
    any_key_of_the_project_reads_a_receipt_and_no_other,
    a_receipt_is_kept_for_seven_days,
);

async fn named(call: Call, id: &str) -> Answer {
    let answer = call.header("x-correlation-id", id).send().await;
    assert_eq!(answer.header("x-correlation-id"), Some(id), "{answer:?}");
    answer
}

/// SCOPE-ANY-2, API-COMPLETION 2
async fn every_write_leaves_a_receipt_under_the_callers_id(store: TestStore) {
    let app = TestApp::on(&store).await;
    let began = app.clock.now();
    let mut expected = Vec::new();
    let mut wrote = async |call: Call, kind: &'static str, resource: Option<(&'static str, String)>| {
        let id = format!("write-{}", expected.len());
        let answer = named(call, &id).await;
        assert!(answer.status < 300, "{kind}: {answer:?}");
        let resource = resource.map(|(kind, field)| {
            let named = if answer.bytes.is_empty() { None } else { answer.json()[&field].as_str().map(str::to_owned) };
            let id = named.unwrap_or(field);
            (kind.to_owned(), id)
        });
        expected.push((id, kind, answer.status, resource));
        answer
    };
    let keys = json!({"keys": [{"ref": "a", "text": "Save"}]});
    let formats = json!({"outputFormats": [{"format": "json", "path": "{language}.json"}]});
    let file = json!({"file": {"path": "en.json", "content": "{\"b\": \"Open\"}", "encoding": "utf8"}});
    let version = "versionId".to_owned();
    wrote(app.post("/languages").json(&json!({"languages": [{"code": "es"}]})), "addLanguages", None).await;
    wrote(app.post("/output-formats").json(&formats), "setOutputFormats", None).await;
    let job = Some(("translation", "trackingToken".to_owned()));
    wrote(app.post("/translate").json(&keys), "translateKeys", job.clone()).await;
    wrote(app.post("/sync").json(&file), "syncFile", job).await;
    let first = wrote(app.post("/publish"), "publishVersion", Some(("version", version.clone()))).await.json();
    wrote(app.post("/publish"), "publishVersion", Some(("version", version.clone()))).await;
    let restore = format!("/versions/{}/restore", first["versionId"].as_str().unwrap());
    wrote(app.post(&restore), "restoreVersion", Some(("version", version))).await;
    let hook = Some(("webhook", "webhookId".to_owned()));
    let made = wrote(app.post("/webhooks").json(&webhook()), "createWebhook", hook.clone()).await.json();
    let id = made["webhookId"].as_str().unwrap().to_owned();
    let path = format!("/webhooks/{id}");
    let patch = app.call(Method::PATCH, &path).json(&json!({"enabled": false}));
    wrote(patch, "updateWebhook", hook).await;
    let rotate = app.post(&format!("{path}/rotate-secret"));
    wrote(rotate, "rotateWebhookSecret", Some(("webhook", id.clone()))).await;
    wrote(app.call(Method::DELETE, &path), "deleteWebhook", Some(("webhook", id))).await;

    for (id, kind, status, resource) in expected {
        let receipt = receipt(&app, &id).await;
        assert_eq!((receipt.request_id.as_str(), receipt.kind.as_str()), (id.as_str(), kind));
        assert_eq!((receipt.status, receipt.http_status), (ReceiptStatus::Succeeded, Some(status)), "{kind}");
        assert_eq!(receipt.resource.map(|resource| (resource.kind, resource.id)), resource, "{kind}");
        assert_eq!((receipt.created_at, receipt.finished_at, receipt.error), (began, Some(began), None));
    }
}

async fn a_write_that_the_rules_refuse_says_why(store: TestStore) {
    let app = TestApp::on(&store).await;
    let cases = [
        (app.post("/publish"), "409 nothing_to_publish"),
        (app.post("/versions/ver_none/restore"), "404 version_not_found"),
        (app.call(Method::DELETE, "/webhooks/whk_none"), "404 not_found"),
        (app.post("/publish").key(&app.project.keys.agent), "403 authorization_required"),
    ];
    for (number, (call, outcome)) in cases.into_iter().enumerate() {
        let id = format!("refused-{number}");
        let answer = named(call, &id).await;
        assert_eq!(answer.outcome(), outcome);
        let receipt = receipt(&app, &id).await;
        assert_eq!((receipt.status, receipt.http_status), (ReceiptStatus::Failed, Some(answer.status)));
        assert_eq!((receipt.error, receipt.resource), (Some(answer.error()), None));
        assert!(receipt.finished_at.is_some());
    }
}

/// DRY-2: a preview writes nothing, a receipt neither.
async fn what_writes_nothing_has_no_receipt(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = json!({"keys": [{"ref": "a", "text": "Save"}]});
    let calls = [
        app.post("/translate?dryRun=true").json(&keys),
        app.get("/meta"),
        app.post("/translate").json(&json!({"keys": []})).key(&app.project.keys.read),
        app.post("/languages").body("{"),
        app.post("/nowhere"),
        app.post("/publish").no_key(),
    ];
    for (number, call) in calls.into_iter().enumerate() {
        let id = format!("nothing-{number}");
        named(call, &id).await;
        assert_eq!(receipt_answer(&app, &id).await.outcome(), "404 not_found", "{id}");
    }
    // A real run that says so is a write.
    named(app.post("/translate?dryRun=false").json(&keys), "real").await;
    assert_eq!(receipt(&app, "real").await.status, ReceiptStatus::Succeeded);
}

/// API-COMPLETION 2: the later write gets a fresh id, in its header, its body and its own receipt.
async fn an_id_that_was_used_names_its_first_write_for_ever(store: TestStore) {
    let app = TestApp::on(&store).await;
    named(app.post("/publish"), "deploy-7").await;
    let first = receipt(&app, "deploy-7").await;
    app.post("/translate").json(&json!({"keys": [{"ref": "a", "text": "Save"}]})).send().await;
    let later = app.post("/publish").header("x-correlation-id", "deploy-7").send().await;
    let id = later.header("x-correlation-id").unwrap().to_owned();
    assert!(id.starts_with("req_"), "{id}");
    assert_eq!(later.json()["requestId"], *id);
    assert_eq!(receipt(&app, &id).await.status, ReceiptStatus::Succeeded);
    assert_eq!(receipt(&app, "deploy-7").await, first);
    assert_eq!(first.error.unwrap().error, ErrorCode::NothingToPublish);
    // Reads keep whatever name they are given, and in another project it is free.
    named(app.get("/meta"), "deploy-7").await;
    let other = app.other_project("unlimited").await;
    let path = format!("/v1/projects/{}/publish", other.id);
    named(app.at(Method::POST, &path).key(&other.keys.admin), "deploy-7").await;
}

/// ADD-5, API-COMPLETION 1 and 2
async fn a_receipt_is_found_under_every_id_that_a_caller_may_choose(store: TestStore) {
    let app = TestApp::on(&store).await;
    let longest = "x".repeat(128);
    for (code, id) in [("es", "a.b"), ("it", "deploy-1.2"), ("nl", "A-z_0.9"), ("pl", longest.as_str())] {
        named(app.post("/languages").json(&json!({ "languages": [{ "code": code }] })), id).await;
        let receipt = receipt(&app, id).await;
        assert_eq!((receipt.request_id.as_str(), receipt.status), (id, ReceiptStatus::Succeeded));
    }
    for id in ["a.b.2", &format!("{longest}x"), "a%2Eb"] {
        assert_eq!(receipt_answer(&app, id).await.outcome(), "404 not_found", "{id}");
    }
}

/// SCOPE-ANY-2, OPS-3
async fn any_key_of_the_project_reads_a_receipt_and_no_other(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    named(app.post("/publish"), "mine").await;
    let keys = &app.project.keys;
    for key in [&keys.read, &keys.capture, &keys.none, &keys.members, &keys.agent] {
        assert_eq!(app.get("/requests/mine").key(key).send().await.outcome(), "200");
    }
    assert_eq!(app.get("/requests/mine").no_key().send().await.outcome(), "401 unauthorized");
    let elsewhere = app.at(Method::GET, &format!("/v1/projects/{}/requests/mine", other.id));
    assert_eq!(elsewhere.key(&other.keys.admin).send().await.outcome(), "404 not_found");
}

async fn a_receipt_is_kept_for_seven_days(store: TestStore) {
    let app = TestApp::on(&store).await;
    named(app.post("/publish"), "old").await;
    let week = 7 * 24 * 60 * 60 * 1_000;
    let made = app.clock.now();
    app.clock.set(Timestamp::from_millis(made.as_millis() + week - 1));
    assert_eq!(receipt_answer(&app, "old").await.outcome(), "200");
    app.clock.set(Timestamp::from_millis(made.as_millis() + week));
    assert_eq!(receipt_answer(&app, "old").await.outcome(), "404 not_found");
}
