//! Deleting a webhook.

use http::Method;
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::webhooks::support::{create, list, patch};

both_engines!(a_deleted_webhook_is_gone);

/// WH-DE-1, WH-PA-7, AMB-16
async fn a_deleted_webhook_is_gone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (webhook, stays) = (create(&app).await, create(&app).await);
    let path = format!("/webhooks/{}", webhook.webhook_id);
    let answer = app.call(Method::DELETE, &path).send().await;
    assert_eq!((answer.status, answer.bytes.len()), (204, 0));
    assert_eq!(answer.header("content-type"), None);
    let left: Vec<_> = list(&app).await.into_iter().map(|webhook| webhook.webhook_id).collect();
    assert_eq!(left, [stays.webhook_id]);
    for answer in [
        app.call(Method::DELETE, &path).send().await,
        patch(&app, &webhook, &json!({"enabled": true})).await,
        app.post(&format!("{path}/rotate-secret")).send().await,
        app.get(&format!("{path}/deliveries")).send().await,
        app.post(&format!("{path}/deliveries/dlv_0/resend")).send().await,
    ] {
        assert_eq!(answer.outcome(), "404 not_found");
    }
}
