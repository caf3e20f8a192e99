//! The limit of webhooks per project (§4 rule 3, §8).

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::body;
use crate::check;
use crate::check::Check;
use crate::cx::{Cx, Endpoint};
use crate::outcome::{CheckResult, NotRun, Stop};

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-LIM-1", needs: [Webhooks, Receiver], slots: 5, run: five },
    check! { id: "WH-LIM-2", needs: [Webhooks, Receiver], slots: 5, run: those_that_exist_count },
    check! { id: "WH-LIM-3", needs: [Webhooks, Receiver], slots: 5, run: also_at_once },
    check! { id: "WH-LIM-4", needs: [Webhooks, Receiver, SecondProject], slots: 5, run: per_project },
];

/// §8.
const MOST: usize = 5;

/// The number of webhooks that may still be made; other checks of the lane may have to end first.
async fn room(cx: &Cx) -> Result<usize, Stop> {
    match MOST.checked_sub(cx.webhooks().await?.len()) {
        Some(room) if room > 0 => Ok(room),
        _ => Err(Stop::NotRun(NotRun::Slots(format!("{} has {MOST} webhooks or more", cx.lane().id)))),
    }
}

/// Fills the project up, and returns the webhooks that this took.
async fn fill(cx: &Cx, endpoint: &Endpoint) -> Result<Vec<Value>, Stop> {
    let mut made = Vec::new();
    for _ in 0..room(cx).await? {
        let answer = cx.post("/webhooks").json(&body(endpoint.url())).send().await?;
        made.push(answer.control("POST /webhooks, up to five")?.json()?);
    }
    Ok(made)
}

async fn refused(cx: &Cx, endpoint: &Endpoint) -> CheckResult {
    let sixth = cx.post("/webhooks").json(&body(endpoint.url())).send().await?;
    sixth.expect_error(409, "webhook_limit")?;
    cx.equal("webhooks in the list", &MOST, &cx.webhooks().await?.len())
}

async fn five(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    fill(&cx, &endpoint).await?;
    refused(&cx, &endpoint).await
}

/// AMB-28 for those that are disabled.
async fn those_that_exist_count(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let made = fill(&cx, &endpoint).await?;
    let path = |one: &Value| format!("/webhooks/{}", one["webhookId"].as_str().unwrap_or_default());
    for one in &made {
        let disabled = cx.patch(&path(one)).json(&json!({ "enabled": false })).send().await?;
        disabled.control("PATCH {enabled: false}")?;
    }
    cx.case("all disabled", refused(&cx, &endpoint)).await?;
    cx.case("one deleted", async {
        let first = made.first().map(path).unwrap_or_default();
        cx.delete(&first).send().await?.control("DELETE")?;
        cx.post("/webhooks").json(&body(endpoint.url())).send().await?.expect_in(200..=299)?;
        refused(&cx, &endpoint).await
    })
    .await
}

async fn also_at_once(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let room = room(&cx).await?;
    let asked = (0..10).map(|_| cx.post("/webhooks").json(&body(endpoint.url())).send());
    let mut made = 0;
    for answer in join_all(asked).await {
        let answer = answer?;
        if (200..=299).contains(&answer.status) {
            made += 1;
        } else {
            answer.expect_error(409, "webhook_limit")?;
        }
    }
    cx.control(made > 0, "POST /webhooks, one of ten at once")?;
    cx.equal("webhooks made by ten requests at once", &room, &made)?;
    cx.equal("webhooks in the list", &MOST, &cx.webhooks().await?.len())
}

async fn per_project(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    fill(&cx, &endpoint).await?;
    cx.control(cx.webhooks().await?.len() == MOST, "a project that is full")?;
    let other = cx.other()?;
    let made = cx.call_on(other, http::Method::POST, "/webhooks").json(&body(endpoint.url())).send().await?;
    if made.status == 409 && cx.webhooks_of(other).await?.len() >= MOST {
        return Err(Stop::NotRun(NotRun::Slots(format!("{} is full as well", other.id))));
    }
    let id = made.expect_in(200..=299)?.text("/webhookId")?;
    let listed = cx.webhooks_of(other).await?.iter().any(|one| one["webhookId"] == id.as_str());
    cx.ensure(listed, "the other project's webhook is listed", "it is not")
}
