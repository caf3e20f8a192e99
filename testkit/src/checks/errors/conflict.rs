//! 409: the codes that §7 names.

use serde_json::json;

use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::receiver::{Answer, Gate};

/// ERR-409-1
pub(super) async fn codes(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let held = cx.webhook(&endpoint, &[]).await?;
    let gate = Gate::closed();
    endpoint.answer(Answer::ok().held(&gate));
    cx.before_an_attempt().await;
    cx.publish().await?;
    endpoint.wait_for(1).await?;
    let entry = held.newest("an attempt in flight", |entry| entry["deliveryId"].is_string()).await?;
    let resend = held.path(&format!("/deliveries/{}/resend", entry["deliveryId"].as_str().unwrap_or_default()));
    cx.post(&resend).send().await?.expect_error(409, "delivery_in_flight")?;
    gate.open();
    // The other four are of other events, so that nothing more is sent.
    for _ in 0..4 {
        cx.webhook(&cx.endpoint()?, &["content.published"]).await?;
    }
    let body = json!({ "url": cx.endpoint()?.url(), "events": ["content.published"] });
    cx.post("/webhooks").json(&body).send().await?.expect_error(409, "webhook_limit").map(|_| ())
}
