//! Three deliveries in a row that fail disable their webhook (§3, §6.7).

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};

use super::attempted;
use super::retries::WAITS;
use crate::check;
use crate::check::Check;
use crate::checks::arrival::event_id;
use crate::cx::{Cx, Endpoint, Webhook};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::receiver::Answer;

pub(in crate::checks) const CHECKS: &[Check] = &[check! {
    id: "DEL-11", covers: ["DEL-11", "DEL-12", "DEL-13"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 9,
    waits: 142980, run: three_failed_deliveries_in_a_row
}];

/// Publishes so many times, one after the other, and returns the ids of the events as they arrive.
async fn published(cx: &Cx, endpoint: &Endpoint, count: usize) -> Result<Vec<String>, Stop> {
    let mut known: Vec<String> = endpoint.deliveries().iter().map(event_id).collect();
    let mut new = Vec::new();
    for _ in 0..count {
        cx.publish().await?;
        let fresh = |all: &[_]| all.iter().map(event_id).find(|id| !known.contains(id));
        let id = endpoint.wait_to_find("a further event", fresh).await?;
        known.push(id.clone());
        new.push(id);
    }
    Ok(new)
}

/// Waits until the log says that so many attempts of each delivery have ended.
async fn all_attempted(cx: &Cx, webhook: &Webhook, events: &[String], count: u64) -> CheckResult {
    let is_over = |log: &Vec<Value>| {
        let over = |id: &String| log.iter().any(|entry| entry["eventId"] == id.as_str() && attempted(count)(entry));
        events.iter().all(over)
    };
    let what = format!("attempt {count} of each delivery to end");
    match cx.eventually(&what, async || webhook.log().await, is_over).await {
        Err(Stop::NotRun(NotRun::PrerequisiteFailed(_))) => {
            let entries: Vec<_> =
                webhook.log().await?.iter().map(|one| format!("{} {}", one["status"], one["attempts"])).collect();
            let enabled = webhook.read().await?["enabled"].to_string();
            Err(Cx::deviation(what, format!("the log has {}, and enabled is {enabled}", entries.join(", "))))
        }
        other => other.map(|_| ()),
    }
}

/// So many deliveries that fail to the end, side by side.
async fn failed(cx: &Cx, endpoint: &Endpoint, webhook: &Webhook, count: usize) -> CheckResult {
    endpoint.answer(Answer::status(StatusCode::BAD_GATEWAY));
    let events = published(cx, endpoint, count).await?;
    for (attempt, wait) in (1..).zip(WAITS) {
        all_attempted(cx, webhook, &events, attempt).await?;
        // AMB-23: a deployment may be late by 10 s and a tenth.
        cx.pass(Duration::from_secs(wait + wait / 10 + 10)).await?;
    }
    all_attempted(cx, webhook, &events, 6).await
}

async fn enabled(cx: &Cx, webhook: &Webhook, after: &str) -> CheckResult {
    let read = webhook.read().await?;
    cx.equal(&format!("enabled after {after}"), &json!(true), &read["enabled"])
}

async fn disabled(cx: &Cx, webhook: &Webhook, after: &str) -> CheckResult {
    let read = webhook.read().await?;
    cx.equal(&format!("enabled after {after}"), &json!(false), &read["enabled"])?;
    cx.equal(&format!("disabledReason after {after}"), &json!("auto_failures"), &read["disabledReason"])
}

async fn three_failed_deliveries_in_a_row(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    failed(&cx, &endpoint, &webhook, 2).await?;
    enabled(&cx, &webhook, "two failed deliveries").await?;
    endpoint.answer(Answer::ok());
    published(&cx, &endpoint, 1).await?;
    webhook.newest("status delivered", |entry| entry["status"] == "delivered").await?;
    failed(&cx, &endpoint, &webhook, 2).await?;
    enabled(&cx, &webhook, "two failed deliveries, a delivered one, and two failed ones").await?;
    failed(&cx, &endpoint, &webhook, 1).await?;
    disabled(&cx, &webhook, "three failed deliveries in a row").await?;
    let patched = cx.patch(&webhook.path("")).json(&json!({ "enabled": true })).send().await?;
    patched.expect_in(200..=299)?;
    enabled(&cx, &webhook, "PATCH {enabled: true}").await?;
    let reason = webhook.read().await?["disabledReason"].clone();
    cx.ensure(reason.is_null(), "no disabledReason once it is enabled again", reason.to_string())?;
    failed(&cx, &endpoint, &webhook, 2).await?;
    enabled(&cx, &webhook, "two failed deliveries since it was enabled again").await?;
    failed(&cx, &endpoint, &webhook, 1).await?;
    disabled(&cx, &webhook, "three failed deliveries since it was enabled again").await
}
