//! Calls that most tests make.

use http::Method;
use l10n_api_types::deliveries::Delivery;
use l10n_api_types::webhooks::{Created, Rotated, Webhook, Webhooks};
use l10n_server::store::webhooks;
use l10n_server::testing::{Answer, TestApp, TestProject};
use serde_json::{Value, json};

/// A public address, so that no name server is asked. Nothing is sent to it: these tests do not publish.
pub(crate) const URL: &str = "https://93.184.216.34/hooks/l10n";

/// A good registration.
pub(crate) fn registration() -> Value {
    json!({"url": URL, "events": ["strings.published"]})
}

/// `POST /webhooks`.
pub(crate) async fn post(app: &TestApp, body: &Value) -> Answer {
    app.post("/webhooks").json(body).send().await
}

/// Registers a webhook.
pub(crate) async fn create(app: &TestApp) -> Created {
    created(&post(app, &registration()).await)
}

/// The answer to a registration.
pub(crate) fn created(answer: &Answer) -> Created {
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.read()
}

/// Registers a webhook of another project.
pub(crate) async fn create_in(app: &TestApp, project: &TestProject) -> Created {
    created(&in_project(app, project, Method::POST, "/webhooks").json(&registration()).send().await)
}

/// A call in another project, with its admin key.
pub(crate) fn in_project(
    app: &TestApp,
    project: &TestProject,
    method: Method,
    path: &str,
) -> l10n_server::testing::Call {
    app.at(method, &format!("/v1/projects/{}{path}", project.id)).key(&project.keys.admin)
}

/// `GET /webhooks`.
pub(crate) async fn list(app: &TestApp) -> Vec<Webhook> {
    let answer = app.get("/webhooks").send().await;
    assert_eq!(answer.status, 200);
    answer.read::<Webhooks>().webhooks
}

/// The one webhook of this id in the list.
pub(crate) async fn listed(app: &TestApp, created: &Created) -> Webhook {
    list(app).await.into_iter().find(|webhook| webhook.webhook_id == created.webhook_id).unwrap()
}

/// `PATCH /webhooks/{webhookId}`.
pub(crate) async fn patch(app: &TestApp, created: &Created, body: &Value) -> Answer {
    app.call(Method::PATCH, &format!("/webhooks/{}", created.webhook_id)).json(body).send().await
}

/// `POST /webhooks/{webhookId}/rotate-secret`.
pub(crate) async fn rotate(app: &TestApp, created: &Created) -> Rotated {
    let answer = app.post(&format!("/webhooks/{}/rotate-secret", created.webhook_id)).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

/// `GET /webhooks/{webhookId}/deliveries`.
pub(crate) async fn log(app: &TestApp, created: &Created) -> Vec<Delivery> {
    let answer = app.get(&format!("/webhooks/{}/deliveries", created.webhook_id)).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read::<l10n_api_types::deliveries::Deliveries>().deliveries
}

/// The row of a webhook, as it lies in the database.
pub(crate) async fn row(app: &TestApp, created: &Created) -> webhooks::Webhook {
    let mut tx = app.service.store.begin_read().await.unwrap();
    webhooks::find(&mut tx, &app.project.id, &created.webhook_id).await.unwrap().unwrap()
}

/// That nothing of a list changes while calls are refused.
pub(crate) async fn unchanged(app: &TestApp, before: &[Webhook]) {
    assert_eq!(list(app).await, before, "a refused request has written something");
}
