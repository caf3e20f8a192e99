//! Access to webhooks of others.

use http::Method;
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestProject, TestStore};
use serde_json::{Value, json};

use crate::webhooks::support::{create, create_in, in_project, list, registration, rotate};

both_engines!(
    the_publish_scope_opens_every_route_and_no_other_does,
    an_agents_key_needs_no_approval,
    webhooks_of_another_project_are_not_there,
    what_can_be_no_id_is_not_there,
);

/// The routes below one webhook, each with a body that would do.
fn below(webhook: &str, delivery: &str) -> Vec<(Method, String, Value)> {
    vec![
        (Method::PATCH, format!("/webhooks/{webhook}"), json!({"enabled": false})),
        (Method::POST, format!("/webhooks/{webhook}/rotate-secret"), json!({})),
        (Method::GET, format!("/webhooks/{webhook}/deliveries"), json!({})),
        (Method::POST, format!("/webhooks/{webhook}/deliveries/{delivery}/resend"), json!({})),
        (Method::DELETE, format!("/webhooks/{webhook}"), json!({})),
    ]
}

/// SCOPE-P-3, AUTH-6, AUTH-8: requests that the right key carries out are refused to every other, and change nothing.
async fn the_publish_scope_opens_every_route_and_no_other_does(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let before = list(&app).await;
    let mut routes =
        vec![(Method::POST, "/webhooks".to_owned(), registration()), (Method::GET, "/webhooks".to_owned(), json!({}))];
    routes.extend(below(webhook.webhook_id.as_str(), "dlv_0"));
    assert_eq!(routes.len(), 7);
    let keys = &app.project.keys;
    for (method, path, body) in &routes {
        for key in [&keys.read, &keys.translate, &keys.write, &keys.capture, &keys.members, &keys.none] {
            let answer = app.call(method.clone(), path).key(key).json(body).send().await;
            assert_eq!(answer.outcome(), "403 forbidden", "{method} {path}");
        }
    }
    assert_eq!(list(&app).await, before);
    for (method, path, body) in routes {
        let answer = app.call(method.clone(), &path).key(&keys.publish).json(&body).send().await;
        // There is no delivery yet that could be sent again.
        let expected = if path.ends_with("/resend") { 404..405 } else { 200..300 };
        assert!(expected.contains(&answer.status), "{method} {path}: {answer:?}");
    }
}

/// AUTH-12, AMB-42
async fn an_agents_key_needs_no_approval(store: TestStore) {
    let app = TestApp::on(&store).await;
    let key = app.key(&app.project, &[l10n_api_types::Scope::Publish], l10n_api_types::KeyKind::Agent).await;
    let made = app.post("/webhooks").key(&key).json(&registration()).send().await;
    assert_eq!(made.status, 201);
    let id = made.json()["webhookId"].as_str().unwrap().to_owned();
    for (method, path, body) in below(&id, "dlv_0") {
        let answer = app.call(method, &path).key(&key).json(&body).send().await;
        assert_ne!(answer.status, 403, "{path}");
    }
}

/// Everything of a project's webhooks that its owner sees.
async fn seen(app: &TestApp, project: &TestProject) -> Value {
    in_project(app, project, Method::GET, "/webhooks").send().await.json()
}

/// WH-PA-8, AUTH-4: under one's own project another's ids name nothing, and under another's nothing opens.
async fn webhooks_of_another_project_are_not_there(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    let theirs = create_in(&app, &other).await;
    let before = seen(&app, &other).await;
    for (method, path, body) in below(theirs.webhook_id.as_str(), "dlv_0") {
        let answer = app.call(method.clone(), &path).json(&body).send().await;
        assert_eq!(answer.outcome(), "404 not_found", "{method} {path}");
        let theirs = in_project(&app, &other, method.clone(), &path).key(&app.project.keys.admin).json(&body);
        assert_eq!(theirs.send().await.outcome(), "401 unauthorized", "{method} {path}");
    }
    assert_eq!(seen(&app, &other).await, before);
}

/// WH-PA-7, HOSTILE-INPUTS S4: no answer differs from that to an id that is only unknown.
async fn what_can_be_no_id_is_not_there(store: TestStore) {
    let app = TestApp::on(&store).await;
    let webhook = create(&app).await;
    let before = list(&app).await;
    let real = webhook.webhook_id.as_str();
    let ids = [
        "whk_00000000000000000000000000".to_owned(),
        "x".repeat(64),
        "x".repeat(65),
        "x".repeat(10_000),
        "..%2f".to_owned(),
        format!("{real}%00"),
        format!("{real}%20"),
        format!("{real};x=1"),
        real.to_ascii_uppercase(),
        real[..real.len() - 1].to_owned(),
        "%27%20OR%201=1".to_owned(),
        "%ff".to_owned(),
        "*".to_owned(),
        "%25".to_owned(),
    ];
    for id in &ids {
        for (method, path, body) in below(id, "dlv_0") {
            let answer = app.call(method.clone(), &path).json(&body).send().await;
            assert_eq!(answer.outcome(), "404 not_found", "{method} {id}");
        }
        let resend = app.post(&format!("/webhooks/{real}/deliveries/{id}/resend")).send().await;
        assert_eq!(resend.outcome(), "404 not_found", "{id}");
    }
    assert_eq!(list(&app).await, before);
    rotate(&app, &webhook).await;
}
