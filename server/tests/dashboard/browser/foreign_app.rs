//! An app of another origin, in a browser: what its script can do with a capture key, and what it cannot.

use std::net::SocketAddr;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::chromium::Chromium;
use crate::support::Site;

both_engines!(an_app_of_another_origin_captures_and_reads_bundles_and_can_do_nothing_else);

/// Serves an empty page of an origin of its own.
async fn foreign_app() -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let page = get(|| async { Html("<!doctype html><title>App</title>") });
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", page)).await });
    address
}

/// The answer that a script of the page sees: the status and the body, or that the browser keeps it from the script.
async fn fetched(chromium: &Chromium, url: &str, options: Value) -> Value {
    let script = "return fetch(arguments[0], arguments[1])
        .then(async (answer) => ({ status: answer.status, body: await answer.text() }))
        .catch((error) => ({ failed: error.name }))";
    chromium.run(script, vec![json!(url), options]).await
}

/// docs/spec.md, `POST /capture`: it alone of the routes with a key answers the browsers of other origins, errors included.
async fn an_app_of_another_origin_captures_and_reads_bundles_and_can_do_nothing_else(store: TestStore) {
    let site = Site::on(&store).await;
    let Some(chromium) = Chromium::start(&store, &format!("http://{}", foreign_app().await)).await else { return };
    chromium.open("/").await;
    let project = format!("http://{}/v1/projects/{}", site.address, site.project.id);
    let post = |key: &str, body: Value| {
        json!({
            "method": "POST",
            "headers": { "authorization": format!("Bearer {key}"), "content-type": "application/json" },
            "body": body.to_string(),
        })
    };

    let seen = json!({ "keys": [{ "ref": "cart.empty", "text": "Your cart is empty" }] });
    let captured =
        fetched(&chromium, &format!("{project}/capture"), post(&site.project.keys.capture, seen.clone())).await;
    assert_eq!(captured["status"], 200, "{captured}");
    let refused = fetched(&chromium, &format!("{project}/capture"), post("l10n_wrong", seen)).await;
    assert_eq!(refused["status"], 401, "{refused}");
    assert!(refused["body"].as_str().unwrap().contains("\"message\""), "{refused}");

    let file = json!({ "path": "en.json", "content": "{\"a\":\"A\"}", "encoding": "utf8", "format": "json" });
    let sync = json!({ "file": file });
    let blocked = fetched(&chromium, &format!("{project}/sync"), post(&site.project.keys.admin, sync.clone())).await;
    assert_eq!(blocked, json!({ "failed": "TypeError" }));
    assert_eq!(site.get("/translations?ref=a").send().await.status, 404, "the request did not reach the project");

    assert!(site.post("/sync").json(&sync).send().await.status < 300);
    assert_eq!(site.post("/publish").json(&json!({})).send().await.status, 201);
    let manifest = fetched(&chromium, &format!("{project}/manifest"), json!({})).await;
    assert_eq!(manifest["status"], 200, "{manifest}");
    let dashboard = format!("http://{}/dashboard", site.address);
    let page = fetched(&chromium, &dashboard, json!({ "credentials": "include" })).await;
    assert_eq!(page, json!({ "failed": "TypeError" }));
    chromium.quit().await;
}
