//! Shared code of the tests of documents.

use http::Method;
use l10n_api_types::content::Document;
use l10n_api_types::events::{DocumentAction, PublishedDocument};
use l10n_api_types::publish::DocumentsPublished;
use l10n_api_types::{Origin, State};
use l10n_server::clock::Clock as _;
use l10n_server::store::documents;
use l10n_server::store::segment_translations::{self, NewSegmentTranslation, TranslationScope};
use l10n_server::testing::{Answer, Call, TestApp};
use serde_json::{Value, json};

/// A document with a heading, two paragraphs, and code that is no text.
pub(crate) const GUIDE: &str = "# Guide\n\nFirst *steps* here.\n\n```sh\nmake\n```\n\nLast steps there.\n";

pub(crate) fn push(app: &TestApp, body: &Value) -> Call {
    app.post("/content").json(body)
}

pub(crate) fn markdown(text: &str) -> Value {
    json!({"format": "markdown", "body": text})
}

pub(crate) fn named(external_id: &str, text: &str) -> Value {
    json!({"format": "markdown", "externalId": external_id, "body": text})
}

pub(crate) fn put(app: &TestApp, id: &str, body: &Value) -> Call {
    app.call(Method::PUT, &format!("/content/{id}")).json(body)
}

/// The document of an answer that took it.
pub(crate) fn taken(answer: &Answer) -> Document {
    assert!(matches!(answer.status, 200 | 201), "{answer:?}");
    answer.read()
}

pub(crate) async fn pushed(app: &TestApp, body: &Value) -> Document {
    let answer = push(app, body).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    taken(&answer)
}

pub(crate) async fn read(app: &TestApp, id: &str, query: &str) -> Answer {
    app.get(&format!("/content/{id}{query}")).send().await
}

pub(crate) async fn count(app: &TestApp) -> u64 {
    app.get("/meta").send().await.json()["documentCount"].as_u64().unwrap()
}

/// `POST /publish` of documents.
pub(crate) fn publish(app: &TestApp, mut body: Value) -> Call {
    body["target"] = json!("content");
    app.post("/publish").json(&body)
}

/// Publishes documents and returns the outcome.
pub(crate) async fn published(app: &TestApp, body: Value) -> DocumentsPublished {
    let answer = publish(app, body).send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.read()
}

/// The row of a document.
pub(crate) fn row<'a>(published: &'a DocumentsPublished, document: &Document) -> &'a PublishedDocument {
    published.documents.iter().find(|row| row.doc_id == document.doc_id).unwrap()
}

/// The actions on documents, in the order of the rows.
pub(crate) fn actions(published: &DocumentsPublished) -> Vec<DocumentAction> {
    published.documents.iter().map(|row| row.action).collect()
}

/// Stores a translation of the document's segment number `at`, as it is.
pub(crate) async fn say(app: &TestApp, document: &Document, at: usize, language: &str, text: &str, state: State) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let project_id = &app.project.id;
    let held = documents::find(&mut tx, project_id, document.doc_id.as_str()).await.unwrap().unwrap();
    let new = NewSegmentTranslation {
        hash: held.segments.0[at],
        text,
        state,
        issues: &[],
        origin: Origin::Human,
        engine: None,
    };
    let pair = TranslationScope { project_id, source_language: &held.language, language };
    segment_translations::upsert(&mut tx, pair, &[new], app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

/// The text that is published in a language.
pub(crate) async fn live(app: &TestApp, document: &Document, language: &str) -> String {
    taken(&read(app, document.doc_id.as_str(), &format!("?language={language}")).await).body.unwrap()
}
