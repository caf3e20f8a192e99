//! At least once (§6.8): what was accepted is delivered, whatever happens to the deployment.

use std::time::Duration;

use http::StatusCode;

use super::attempted;
use crate::check;
use crate::check::Check;
use crate::checks::arrival::{arrivals, event_id};
use crate::cx::Cx;
use crate::outcome::{Judged, Stop};
use crate::receiver::Answer;

pub(super) const CHECKS: &[Check] = &[
    check! {
        id: "DEL-16", needs: [Webhooks, Receiver, Publish, Restart], slots: 1, publishes: 1, waits: 31,
        run: a_planned_attempt_survives
    },
    check! {
        id: "DEL-17", needs: [Webhooks, Receiver, Publish, Restart], slots: 1, publishes: 1, waits: 60,
        run: an_attempt_under_way_is_made_again
    },
];

async fn restart(cx: &Cx) -> Judged {
    cx.hook("restart", &cx.profile().hooks.restart, &[]).await?;
    let alive = async || Ok::<_, Stop>(cx.at(http::Method::GET, &cx.profile().routes.health).send().await);
    let answer = cx.eventually("the deployment to be back", alive, Result::is_ok).await??;
    answer.control("GET /health after a restart")?;
    Ok(())
}

async fn a_planned_attempt_survives(cx: Cx) -> Judged {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    endpoint.answer(Answer::status(StatusCode::BAD_GATEWAY));
    cx.publish().await?;
    let id = event_id(&endpoint.wait_for(1).await?[0]);
    webhook.entry(&id, "one attempt", attempted(1)).await?;
    endpoint.answer(Answer::ok());
    restart(&cx).await?;
    cx.pass(Duration::from_secs(31)).await?;
    arrivals(&endpoint, &id, 2).await?;
    let entry = webhook.entry(&id, "two attempts", attempted(2)).await?;
    cx.equal("status", &serde_json::json!("delivered"), &entry["status"])
}

async fn an_attempt_under_way_is_made_again(cx: Cx) -> Judged {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    endpoint.answer_in_turn([Answer::silence(), Answer::ok()]);
    cx.publish().await?;
    let id = event_id(&endpoint.wait_for(1).await?[0]);
    restart(&cx).await?;
    // Nothing says how soon: an attempt takes 15 s at most, and the first wait is 30 s.
    cx.pass(Duration::from_secs(60)).await?;
    arrivals(&endpoint, &id, 2).await?;
    let entry = webhook.entry(&id, "status delivered", |entry| entry["status"] == "delivered").await?;
    cx.ensure(entry["nextAttemptAt"].is_null(), "no further attempt planned", entry["nextAttemptAt"].to_string())
}
