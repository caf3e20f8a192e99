//! `content.published`: what fires it, and what it says (§6).

use std::time::Duration;

use http::{Method, StatusCode};
use l10n_api_types::content::Document;
use l10n_api_types::deliveries::DeliveryStatus;
use l10n_api_types::events::{ContentPublished, DocumentAction, Envelope, EventType};
use l10n_api_types::publish::DocumentsPublished;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::testing::TestStore;
use l10n_testkit::receiver::{Answer, Delivery};
use l10n_webhook_verify::Verifier;
use serde_json::{Value, json};

use crate::fixtures::{Hook, World};

both_engines!(
    a_publish_that_moves_a_document_fires_an_event,
    a_publish_that_moves_none_fires_nothing,
    a_rollback_fires_an_event_with_its_document,
    an_event_lists_two_hundred_documents,
    a_refused_publish_of_documents_fires_nothing,
);

async fn hook(world: &World, path: &str) -> Hook {
    world.hook_at(&world.receiver.url(path), &[EventType::ContentPublished]).await
}

async fn pushed(world: &World, body: &Value) -> Document {
    let answer = world.post("/content").json(body).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.read()
}

fn text(text: &str) -> Value {
    json!({"format": "text", "body": text})
}

/// Translates a document, and waits for its job.
async fn run(world: &World, document: &Document) {
    let run = world.post(&format!("/content/{}/run", document.doc_id)).send().await;
    assert!(run.status < 300, "{run:?}");
    let Some(token) = run.json()["trackingToken"].as_str().map(str::to_owned) else { return };
    loop {
        let job = world.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await.json();
        match job["status"].as_str() {
            Some("queued" | "running") => {}
            status => return assert_eq!(status, Some("completed"), "{job}"),
        }
    }
}

async fn publish(world: &World) -> DocumentsPublished {
    let answer = world.post("/publish").json(&json!({"target": "content"})).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.read()
}

fn body(one: &Delivery) -> Envelope<ContentPublished> {
    serde_json::from_slice(&one.body).unwrap()
}

/// EV-3, EV-6, CP-1 to CP-5, CP-7, CP-8, ENV-1, ENV-11: signed, and the same bytes at every attempt.
async fn a_publish_that_moves_a_document_fires_an_event(store: TestStore) {
    let world = World::on(&store).await;
    world.receiver.answer_in_turn("/hook", [Answer::status(StatusCode::INTERNAL_SERVER_ERROR), Answer::ok()]);
    let (hook, other) = (hook(&world, "/hook").await, hook(&world, "/other").await);
    let strings = world.hook("/strings").await;
    let named =
        pushed(&world, &json!({"format": "markdown", "externalId": "docs/größe.md", "body": "# Größe\n"})).await;
    let plain = pushed(&world, &text("Plain.")).await;
    run(&world, &named).await;
    run(&world, &plain).await;
    pushed(&world, &text("Not translated.")).await;
    let done = publish(&world).await;
    let entry = world.after_attempts(&hook, 1).await;
    assert_eq!((entry.event_type, &entry.publish_id), (EventType::ContentPublished, &done.publish_id));
    world.pass(Duration::from_secs(30));
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    world.newest(&other, |entry| entry.status == DeliveryStatus::Delivered).await;

    let arrived = world.arrived("/hook");
    assert_eq!(arrived.len(), 2);
    assert_eq!(arrived[0].body, arrived[1].body, "ENV-11");
    assert_eq!(arrived[0].body, world.arrived("/other")[0].body, "AMB-36");
    let verifier = Verifier::new(&hook.secret).unwrap();
    let header = arrived[1].header("x-service-signature").unwrap();
    verifier.verify_at(header, &arrived[1].body, world.clock.now().as_millis() / 1_000).unwrap();

    let raw: Value = serde_json::from_slice(&arrived[0].body).unwrap();
    let members = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let mut envelope = members(&raw);
    envelope.sort();
    assert_eq!(envelope, ["createdAt", "data", "id", "project", "schemaVersion", "type"], "CP-8");
    assert_eq!((&raw["type"], &raw["schemaVersion"]), (&json!("content.published"), &json!(1)));
    assert_eq!(raw["id"].as_str(), Some(entry.event_id.as_str()));
    let summary = json!({"docsPublished": 2, "docsHeld": 0, "docsUnchanged": 0, "docsSkipped": 1, "docsTooLarge": 0});
    assert_eq!(raw["data"]["summary"], summary);
    assert_eq!(members(&raw["data"]["documents"][0]).len(), 4, "{raw}");
    assert_eq!(raw["data"]["documents"][0]["externalId"], "docs/größe.md");
    assert_eq!(raw["data"]["documents"][1].get("externalId"), None, "CP-5");
    let said = body(&arrived[0]).data;
    assert_eq!((said.publish_id, said.truncated), (done.publish_id, false));
    assert_eq!(said.documents, done.documents);
    for row in said.documents.iter().filter(|row| row.action == DocumentAction::Published) {
        let read = world.get(&format!("/content/{}?language=de", row.doc_id)).send().await;
        let document: Document = read.read();
        assert_eq!(document.live.unwrap().version_id, row.version_id, "CP-7");
    }
    world.look().await;
    assert_eq!(world.log(&strings).await, [], "EV-6: it has subscribed to something else");
}

/// EV-4
async fn a_publish_that_moves_none_fires_nothing(store: TestStore) {
    let world = World::on(&store).await;
    let hook = hook(&world, "/hook").await;
    publish(&world).await;
    let document = pushed(&world, &text("One.")).await;
    assert_eq!(publish(&world).await.summary.docs_skipped, 1);
    run(&world, &document).await;
    assert_eq!(publish(&world).await.summary.docs_published, 1);
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(publish(&world).await.summary.docs_unchanged, 1);
    world.look().await;
    assert_eq!((world.log(&hook).await.len(), world.arrived("/hook").len()), (1, 1));
}

/// EV-5
async fn a_rollback_fires_an_event_with_its_document(store: TestStore) {
    let world = World::on(&store).await;
    let document = pushed(&world, &json!({"format": "text", "externalId": "one", "body": "One."})).await;
    run(&world, &document).await;
    let first = publish(&world).await.documents.remove(0);
    let path = format!("/content/{}", document.doc_id);
    assert_eq!(world.call(Method::PUT, &path).json(&json!({"body": "Two."})).send().await.status, 200);
    run(&world, &document).await;
    publish(&world).await;
    let hook = hook(&world, "/hook").await;
    let answer = world.post(&format!("/versions/{}/restore", first.version_id)).send().await;
    let done: DocumentsPublished = answer.read();
    let entry = world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    assert_eq!(entry.publish_id, done.publish_id);
    let said = body(&world.arrived("/hook")[0]).data;
    assert_eq!((said.publish_id, said.truncated, said.summary), (done.publish_id, false, done.summary));
    assert_eq!(said.documents, [first]);
}

/// CP-3, CP-6
async fn an_event_lists_two_hundred_documents(store: TestStore) {
    let world = World::on(&store).await;
    let hook = hook(&world, "/hook").await;
    // Nothing has to be translated in them, so that all of them are published.
    for number in 0..200 {
        pushed(&world, &text(&format!("{number}"))).await;
    }
    assert_eq!(publish(&world).await.summary.docs_published, 200);
    world.newest(&hook, |entry| entry.status == DeliveryStatus::Delivered).await;
    let last = pushed(&world, &text("200")).await;
    publish(&world).await;
    world.receiver.wait_until("a second event", |arrived| arrived.len() == 2).await.unwrap();
    let arrived = world.arrived("/hook");
    let (fits, more) = (body(&arrived[0]).data, body(&arrived[1]).data);
    assert_eq!((fits.documents.len(), fits.truncated), (200, false));
    assert_eq!((more.documents.len(), more.truncated, more.summary.docs_unchanged), (200, true, 200));
    assert_eq!(more.documents[0].doc_id, last.doc_id, "what moved comes first");
}

/// EV-8
async fn a_refused_publish_of_documents_fires_nothing(store: TestStore) {
    let world = World::on(&store).await;
    let document = pushed(&world, &text("One.")).await;
    run(&world, &document).await;
    let hook = hook(&world, "/hook").await;
    let call = |more: Value| {
        let mut body = json!({"target": "content"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.post("/publish").json(&body)
    };
    let agent = world.project.keys.agent.clone();
    assert_eq!(call(json!({"dryRun": true})).send().await.outcome(), "400 invalid_argument");
    assert_eq!(call(json!({"docIds": ["doc_none"]})).send().await.outcome(), "404 not_found");
    assert_eq!(call(json!({})).key(&agent).send().await.outcome(), "403 authorization_required");
    world.look().await;
    assert_eq!((world.log(&hook).await.len(), world.arrived("/hook").len()), (0, 0));
}
