//! `DELETE /webhooks/{webhookId}` (§4).

use std::time::Duration;

use http::StatusCode;
use serde_json::json;

use super::{entry_until, event_id};
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::receiver::Answer;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-DE-1", needs: [Webhooks, Receiver], slots: 1, run: deletes },
    check! {
        id: "WH-DE-2", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 2, waits: 45, run: delivers_no_more
    },
];

async fn deletes(cx: Cx) -> CheckResult {
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    webhook.read().await?;
    cx.delete(&webhook.path("")).send().await?.expect_in(200..=299)?;
    let all = cx.webhooks().await?;
    let listed = all.iter().any(|one| one["webhookId"].as_str() == Some(&webhook.id));
    cx.ensure(!listed, "a deleted webhook is not listed", "it is")?;
    let patch = cx.patch(&webhook.path("")).json(&json!({ "enabled": true })).send().await?;
    patch.expect(404)?;
    cx.delete(&webhook.path("")).send().await?.expect(404)?;
    Ok(())
}

/// One webhook is deleted with a retry planned; the other shows that publishes and retries go on.
async fn delivers_no_more(cx: Cx) -> CheckResult {
    let (deleted, kept) = (cx.endpoint()?, cx.endpoint()?);
    let refuse = || Answer::status(StatusCode::INTERNAL_SERVER_ERROR);
    deleted.answer(refuse());
    let (one, other) = (cx.webhook(&deleted, &[]).await?, cx.webhook(&kept, &[]).await?);
    cx.publish().await?;
    let first = event_id(&deleted.wait_for(1).await?[0]);
    kept.wait_for(1).await?;
    // Where the request budget makes us wait, a planned attempt may have been made meanwhile.
    let planned =
        |entry: &serde_json::Value| entry["attempts"].as_u64() >= Some(1) && entry["nextAttemptAt"].is_string();
    entry_until(&cx, &one, &first, "an attempt made and another planned", planned).await?;
    cx.delete(&one.path("")).send().await?.control("DELETE")?;
    let before = deleted.wait_for(1).await?.len();

    kept.answer_in_turn([refuse(), Answer::ok()]);
    cx.publish().await?;
    let second = event_id(&kept.wait_for(2).await?[1]);
    let goes_on = |entry: &serde_json::Value| planned(entry) || entry["status"] == "delivered";
    entry_until(&cx, &other, &second, "an attempt made and another planned", goes_on).await?;
    deleted.stays_at(before, Duration::from_secs(5)).await?;
    cx.pass(Duration::from_secs(45)).await?;
    let retried = |all: &[crate::receiver::Delivery]| all.iter().filter(|one| event_id(one) == second).count() >= 2;
    kept.wait_until("a retry of the second event", retried).await?;
    deleted.stays_at(before, Duration::from_secs(1)).await
}
