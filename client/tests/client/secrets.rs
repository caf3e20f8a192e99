//! The key is never shown.

use l10n_client::Client;
use serde_json::json;
use wiremock::ResponseTemplate;

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
