//! Places in which a webhook's secret must not appear (§2).

use serde_json::json;

use super::{body, entry_until, event_id};
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::CheckResult;

pub(in crate::checks) const CHECKS: &[Check] =
    &[check! { id: "WH-F-6", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: secret_shown_once }];

async fn secret_shown_once(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let rotated = cx.post(&webhook.path("/rotate-secret")).send().await?.control("rotate-secret")?;
    let secrets = [webhook.secret.clone(), rotated.text("/secret")?];
    let shown = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        text.contains("\"secret\"") || secrets.iter().any(|secret| text.contains(secret.as_str()))
    };
    cx.publish().await?;
    let delivery = endpoint.wait_for(1).await?.remove(0);
    let event = event_id(&delivery);
    let entry = entry_until(&cx, &webhook, &event, "status delivered", |one| one["status"] == "delivered").await?;
    let resend = webhook.path(&format!("/deliveries/{}/resend", entry["deliveryId"].as_str().unwrap_or_default()));
    let answers = [
        ("GET /webhooks", cx.get("/webhooks")),
        ("PATCH", cx.patch(&webhook.path("")).json(&json!({ "enabled": true }))),
        ("GET deliveries", cx.get(&webhook.path("/deliveries"))),
        ("resend", cx.post(&resend)),
        ("a refused PATCH", cx.patch(&webhook.path("")).json(&json!({ "enabled": secrets[0] }))),
        ("a refused POST", cx.post("/webhooks").json(&body("http://example.com/"))),
    ];
    for (name, call) in answers {
        let answer = call.send().await?;
        // What the request itself said may come back in a message; the member may not.
        let shown = match name {
            "a refused PATCH" => String::from_utf8_lossy(&answer.body).contains("\"secret\""),
            _ => shown(&answer.body),
        };
        answer.ensure_saw(!shown, format!("no secret in the answer to {name}"), "it is there")?;
    }
    let again = endpoint.wait_for(2).await?;
    for one in &again {
        let headers = one.headers.values().any(|value| shown(value.as_bytes()));
        cx.ensure(!headers && !shown(&one.body), "no secret in a delivery", "it is there")?;
    }
    Ok(())
}
