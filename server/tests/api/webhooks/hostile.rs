//! Bodies that are none (HOSTILE-INPUTS S4).

use http::Method;
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};

use crate::webhooks::support::{URL, create, list, unchanged};

both_engines!(hostile_bodies_are_malformed_and_write_nothing);

/// WH-CR-7, WH-CR-8, WH-CR-6, AMB-31
async fn hostile_bodies_are_malformed_and_write_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let before = list(&app).await;
    let good = format!(r#"{{"url":"{URL}","events":["strings.published"]}}"#);
    let nested = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let many = format!(r#"{{"url":"{URL}","events":[{}]}}"#, vec!["\"x\""; 100_000].join(","));
    let with = |events: &str| format!(r#"{{"url":"{URL}","events":{events}}}"#);
    let bodies: Vec<Vec<u8>> = [
        // Derived code would take the fields in their order for the object.
        &format!(r#"["{URL}",["strings.published"]]"#),
        &format!(r#"["{URL}",["strings.published"],true]"#),
        "[]",
        "\"x\"",
        "5",
        "true",
        "null",
        "",
        "{",
        "{}x",
        &format!("{good}x"),
        &format!("{good}{good}"),
        &format!("\u{feff}{good}"),
        // A check of one and a write of the other.
        &format!(r#"{{"url":"{URL}","url":"https://127.0.0.1/","events":["strings.published"]}}"#),
        &format!(r#"{{"url":"https://127.0.0.1/","url":"{URL}","events":["strings.published"]}}"#),
        &format!(r#"{{"url":"{URL}","\u0075rl":"https://127.0.0.1/","events":["strings.published"]}}"#),
        &format!(r#"{{"url":"{URL}","events":["strings.published"],"events":["content.published"]}}"#),
        &format!(r#"{{"url":"{URL}\u0000","events":["strings.published"]}}"#),
        &format!(r#"{{"url":"{URL}","events":["strings.published"],"x":"\u0000"}}"#),
        &format!(r#"{{"url":"{URL}\ud800","events":["strings.published"]}}"#),
        &with("[\"strings.published\\u0000\"]"),
        &with("[[\"strings.published\"]]"),
        &with("[0]"),
        &with("[1e400]"),
        &with("[01]"),
        &with("{\"strings.published\":true}"),
        &with(&nested),
        &nested,
        &many,
        &format!(r#"{{"url":"{}","events":["strings.published"]}}"#, "x".repeat(1_000_000)),
        &format!(r#"{{"{}":1}}"#, "x".repeat(1_000_000)),
    ]
    .into_iter()
    .map(|text| text.as_bytes().to_vec())
    .chain([good.as_bytes().iter().map(|byte| byte ^ 0x80).collect(), [good.as_bytes(), b"\xff"].concat()])
    .collect();
    for body in bodies {
        let shown = String::from_utf8_lossy(&body[..body.len().min(80)]).into_owned();
        for (method, path) in
            [(Method::POST, "/webhooks".to_owned()), (Method::PATCH, format!("/webhooks/{}", webhook.webhook_id))]
        {
            let call = app.call(method.clone(), &path).header("content-type", "application/json").body(body.clone());
            assert_eq!(call.send().await.outcome(), "400 invalid_argument", "{method} {shown}");
        }
    }
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-16"] {
        let call = app.post("/webhooks").header("content-type", media_type).body(good.clone());
        assert_eq!(call.send().await.outcome(), "400 invalid_argument", "{media_type}");
    }
    let call = app.post("/webhooks").header("content-type", "application/json").body(vec![b' '; 1024 * 1024 + 1]);
    assert_eq!(call.send().await.outcome(), "413 payload_too_large");
    unchanged(&app, &before).await;
    let call = app.post("/webhooks").header("content-type", "application/json").body(good);
    assert_eq!(call.send().await.status, 201);
}
