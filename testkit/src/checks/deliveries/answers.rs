//! The meaning of an answer: 2xx, any other status, a redirect.

use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use super::attempted;
use crate::check;
use crate::check::Check;
use crate::cx::{Cx, Endpoint, Webhook};
use crate::outcome::{CheckResult, Stop};
use crate::receiver::Answer;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "DEL-1", needs: [Webhooks, Receiver, Publish], slots: 5, publishes: 1, run: any_2xx_is_a_delivery },
    check! { id: "DEL-2", needs: [Webhooks, Receiver, Publish], slots: 5, publishes: 1, run: other_statuses_fail },
    check! { id: "DEL-3", needs: [Webhooks, Receiver, Publish], slots: 5, publishes: 1, run: redirects_fail },
];

fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A webhook for each answer.
async fn webhooks<const N: usize>(cx: &Cx, answers: [Answer; N]) -> Result<Vec<(Endpoint, Webhook)>, Stop> {
    let mut made = Vec::new();
    for answer in answers {
        let endpoint = cx.endpoint()?;
        endpoint.answer(answer);
        let webhook = cx.webhook(&endpoint, &[]).await?;
        made.push((endpoint, webhook));
    }
    Ok(made)
}

async fn any_2xx_is_a_delivery(cx: Cx) -> CheckResult {
    const CODES: [u16; 5] = [200, 201, 202, 204, 299];
    let webhooks = webhooks(&cx, CODES.map(|code| Answer::status(status(code)))).await?;
    cx.publish().await?;
    for (code, (endpoint, webhook)) in CODES.into_iter().zip(&webhooks) {
        cx.case(code.to_string(), async {
            endpoint.wait_for(1).await?;
            let entry = webhook.newest("one attempt", attempted(1)).await?;
            cx.equal("status", &json!("delivered"), &entry["status"])
        })
        .await?;
    }
    Ok(())
}

/// A first attempt that failed, and only that: another one is planned.
fn ensure_failed(cx: &Cx, entry: &Value, code: u16) -> CheckResult {
    cx.equal("status", &json!("pending"), &entry["status"])?;
    cx.ensure(entry["nextAttemptAt"].is_string(), "another attempt is planned", entry["nextAttemptAt"].to_string())?;
    cx.equal("lastStatusCode", &json!(code), &entry["lastStatusCode"])
}

async fn other_statuses_fail(cx: Cx) -> CheckResult {
    const CODES: [u16; 5] = [400, 404, 410, 429, 503];
    // A webhook may not be made to wait for a place: these two are asked for by a resend.
    const MORE: [u16; 2] = [304, 500];
    let webhooks = webhooks(&cx, CODES.map(|code| Answer::status(status(code)))).await?;
    cx.publish().await?;
    let mut entries = Vec::new();
    for (code, (_, webhook)) in CODES.into_iter().zip(&webhooks) {
        cx.case(code.to_string(), async {
            let entry = webhook.newest("one attempt", attempted(1)).await?;
            ensure_failed(&cx, &entry, code)?;
            entries.push(entry);
            Ok(())
        })
        .await?;
    }
    for ((code, (endpoint, webhook)), entry) in MORE.into_iter().zip(&webhooks).zip(&entries) {
        cx.case(code.to_string(), async {
            endpoint.answer(Answer::status(status(code)));
            webhook.resend(entry).await?;
            let another = |one: &Value| one["attempts"].as_u64() > entry["attempts"].as_u64();
            let told = |one: &Value| another(one) && (one["lastStatusCode"] == code || one["status"] == "delivered");
            let entry = webhook.newest(&format!("another attempt, answered {code}"), told).await?;
            cx.ensure(entry["status"] != "delivered", "no delivery", entry["status"].to_string())
        })
        .await?;
    }
    cx.case("a single failure disables no webhook", async {
        let all = cx.webhooks().await?;
        let mine = |one: &&Value| webhooks.iter().any(|(_, webhook)| one["webhookId"] == webhook.id.as_str());
        let disabled = all.iter().filter(mine).filter(|one| one["enabled"] != true).count();
        cx.equal("disabled webhooks", &0, &disabled)
    })
    .await
}

async fn redirects_fail(cx: Cx) -> CheckResult {
    const CODES: [u16; 5] = [301, 302, 303, 307, 308];
    let target = cx.endpoint()?;
    let location = HeaderValue::from_str(target.url()).map_err(|error| Stop::Error(error.to_string()))?;
    let webhooks = webhooks(&cx, CODES.map(|code| Answer::redirect(status(code), location.clone()))).await?;
    cx.publish().await?;
    for (code, (_, webhook)) in CODES.into_iter().zip(&webhooks) {
        cx.case(code.to_string(), async {
            let entry = webhook.newest("one attempt", attempted(1)).await?;
            ensure_failed(&cx, &entry, code)
        })
        .await?;
    }
    // Each attempt is over by now, whatever it did.
    cx.equal("requests at the target of the redirects", &0, &target.deliveries().len())
}
