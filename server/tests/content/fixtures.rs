//! What the tests of documents share.

use http::Method;
use l10n_api_types::content::Document;
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
