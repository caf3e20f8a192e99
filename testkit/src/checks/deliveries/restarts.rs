//! At least once (§6.8): what was accepted is delivered, whatever happens to the deployment.

use std::time::Duration;

use http::StatusCode;

use super::attempted;
use crate::check;
use crate::check::Check;
use crate::checks::arrival::{arrivals, event_id};
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::receiver::Answer;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! {
        id: "DEL-16", needs: [Webhooks, Receiver, Publish, Restart], slots: 2, publishes: 2, waits: 91,
        run: nothing_is_lost
    },
    check! {
        id: "DEL-17", needs: [Webhooks, Receiver, Publish, Restart], slots: 1, publishes: 1, waits: 60,
        run: an_attempt_under_way_is_made_again
    },
];

/// Within which an attempt is made again that was under way. Nothing says how soon: one takes 15 s at most, and the first
/// wait is 30 s.
const RESUMED: Duration = Duration::from_secs(60);

/// A planned attempt, and an event of which nothing but the answer to its publish is known.
async fn nothing_is_lost(cx: Cx) -> CheckResult {
    cx.case("killed while an attempt is planned", a_planned_attempt_survives(&cx)).await?;
    cx.case("killed as soon as a publish is answered", a_publish_survives(&cx)).await
}

async fn a_publish_survives(cx: &Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    cx.restarted().await?;
    if endpoint.deliveries().is_empty() {
        cx.pass(RESUMED).await?;
    }
    endpoint.wait_for(1).await?;
    let entry = webhook.newest("status delivered", |entry| entry["status"] == "delivered").await?;
    cx.ensure(entry["nextAttemptAt"].is_null(), "no further attempt planned", entry["nextAttemptAt"].to_string())
}

async fn a_planned_attempt_survives(cx: &Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    endpoint.answer(Answer::status(StatusCode::BAD_GATEWAY));
    cx.before_an_attempt().await;
    cx.publish().await?;
    let id = event_id(&endpoint.wait_for(1).await?[0]);
    webhook.entry(&id, "one attempt", attempted(1)).await?;
    endpoint.answer(Answer::ok());
    cx.restarted().await?;
    cx.pass(Duration::from_secs(31)).await?;
    arrivals(&endpoint, &id, 2).await?;
    let entry = webhook.entry(&id, "two attempts", attempted(2)).await?;
    cx.equal("status", &serde_json::json!("delivered"), &entry["status"])
}

async fn an_attempt_under_way_is_made_again(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    endpoint.answer_in_turn([Answer::silence(), Answer::ok()]);
    cx.publish().await?;
    let id = event_id(&endpoint.wait_for(1).await?[0]);
    cx.restarted().await?;
    cx.pass(RESUMED).await?;
    arrivals(&endpoint, &id, 2).await?;
    let entry = webhook.entry(&id, "status delivered", |entry| entry["status"] == "delivered").await?;
    cx.ensure(entry["nextAttemptAt"].is_null(), "no further attempt planned", entry["nextAttemptAt"].to_string())
}
