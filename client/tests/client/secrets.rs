//! The key is never shown.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use l10n_client::Client;
use serde_json::json;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use wiremock::ResponseTemplate;

use crate::in_process::InProcess;
use crate::support::{KEY, answering, builder, requests};

fn assert_hidden(text: &str) {
    assert!(!text.contains("TopSecret"), "{text}");
}

#[test]
fn the_key_is_in_no_debug_output() {
    let builder = builder("https://l10n.example.com");
    assert_hidden(&format!("{builder:?} {builder:#?}"));
    let client = builder.build().unwrap();
    assert_hidden(&format!("{client:?} {client:#?} {:?}", client.project("prj_1").translations()));
    let broken = Client::builder("https://x.example/v1").api_key(format!("{KEY} ").replace("eik_", "key_")).build();
    assert_hidden(&format!("{:?}", broken.unwrap_err()));
}

/// Proxies and debug pages sometimes send back what they received.
#[tokio::test]
async fn the_key_is_in_no_error_even_where_a_server_sends_it_back() {
    let id = KEY;
    let answers = [
        ResponseTemplate::new(401)
            .set_body_json(json!({"error": KEY, "message": format!("no {KEY}!"), "details": {"k": [KEY]}, KEY: KEY})),
        ResponseTemplate::new(502).set_body_raw(format!("<pre>Authorization: Bearer {KEY}"), &format!("text/{KEY}")),
        ResponseTemplate::new(200).set_body_json(json!({"projectId": 1, KEY: KEY})),
        ResponseTemplate::new(200).set_body_json(json!(KEY)),
        ResponseTemplate::new(200)
            .set_body_json(json!({"projectId": "prj_1", "workspaceId": "wsp_1", "languages": KEY})),
        ResponseTemplate::new(307).insert_header("location", format!("https://elsewhere.example/?key={KEY}").as_str()),
        ResponseTemplate::new(404).set_body_json(json!({"error": "x", "message": ""})),
    ];
    for answer in answers {
        let server = answering([answer.insert_header("x-correlation-id", id)]).await;
        let client = builder(&server.uri()).max_retries(0).build().unwrap();
        let error = client.project("prj_1").meta().await.unwrap_err();
        assert_hidden(&format!("{error} {error:?} {error:#?}"));
    }
}

#[tokio::test]
async fn public_routes_do_not_get_the_key() {
    let server = answering([ResponseTemplate::new(200).set_body_json(json!({"status": "ok", "version": "1"}))]).await;
    let client = builder(&server.uri()).build().unwrap();
    client.health().await.unwrap();
    client.project("prj_1").delivery().live_bundle("a").await.unwrap();
    for request in requests(&server).await {
        assert!(!request.headers.contains_key("authorization"));
    }
}

/// Counts the warnings of the client.
#[derive(Clone, Default)]
struct Warnings(Arc<AtomicUsize>);

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target().starts_with("l10n_client")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[test]
fn a_key_that_travels_unencrypted_is_warned_of_however_the_client_gets_it() {
    let service = InProcess::answering(|_, _| std::future::pending());
    let warnings = |make: &dyn Fn() -> Client| {
        let seen = Warnings::default();
        tracing::subscriber::with_default(seen.clone(), || drop(make()));
        seen.0.load(Ordering::SeqCst)
    };
    let later = |address: &str| Client::new(address).unwrap().with_api_key(KEY).unwrap();
    assert_eq!(warnings(&|| later("http://l10n.test/v1")), 1);
    assert_eq!(warnings(&|| builder("http://l10n.test").build().unwrap()), 1);
    assert_eq!(warnings(&|| later("https://l10n.test/v1")), 0);
    assert_eq!(warnings(&|| later("http://localhost/v1")), 0);
    assert_eq!(warnings(&|| builder("http://l10n.test").transport(service.clone()).build().unwrap()), 0);
}
