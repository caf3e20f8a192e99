//! `POST /webhooks/{webhookId}/deliveries/{deliveryId}/resend` (§3, §4, §6.8).

use std::time::Duration;

use http::StatusCode;
use serde_json::Value;

use super::{entry_until, event_id};
use crate::check;
use crate::check::Check;
use crate::checks::arrival;
use crate::cx::{CheckedExchange, Cx, Endpoint, Webhook};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::receiver::{Answer, Delivery, Gate};

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! {
        id: "WH-RS-1", covers: ["WH-RS-1", "WH-RS-5"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1,
        run: delivered_ones_too
    },
    check! {
        id: "WH-RS-2", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, waits: 28_600, run: failed_ones_too
    },
    check! { id: "WH-RS-3", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 4, run: not_while_in_flight },
    check! { id: "WH-RS-4", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 1, run: of_this_webhook },
];

/// The waits before the attempts after the first (§6.6).
const WAITS: [u64; 5] = [30, 120, 600, 3_600, 21_600];

/// The time that a look at an attempt in flight may take; after 10 s the attempt ends by itself (§8).
const LOOK: Duration = Duration::from_secs(8);
/// Attempts that are held until such a look is quick enough: on a busy machine one may not be.
const LOOKS: u32 = 3;

async fn resend(cx: &Cx, webhook: &Webhook, delivery_id: &str) -> Result<CheckedExchange, Stop> {
    cx.post(&webhook.path(&format!("/deliveries/{delivery_id}/resend"))).send().await
}

fn id(entry: &Value) -> &str {
    entry["deliveryId"].as_str().unwrap_or_default()
}

fn of(event: &str) -> impl Fn(&[Delivery]) -> usize {
    let event = event.to_owned();
    move |all| all.iter().filter(|one| event_id(one) == event).count()
}

fn is_delivered(entry: &Value) -> bool {
    entry["status"] == "delivered"
}

async fn delivered_ones_too(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    let first = endpoint.wait_for(1).await?.remove(0);
    let event = event_id(&first);
    let entry = entry_until(&cx, &webhook, &event, "status delivered", is_delivered).await?;
    resend(&cx, &webhook, id(&entry)).await?.expect_in(200..=299)?;
    let second = endpoint.wait_for(2).await?.remove(1);
    cx.equal("X-Service-Event-Id of the resent delivery", &event, &event_id(&second))?;
    cx.equal("the event's id in the body", &arrival::event(&first)["id"], &arrival::event(&second)["id"])?;
    let webhook_id = second.header("x-service-webhook-id").unwrap_or_default().to_owned();
    cx.equal("X-Service-Webhook-Id", &webhook.id, &webhook_id)
}

async fn failed_ones_too(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    endpoint.answer(Answer::status(StatusCode::INTERNAL_SERVER_ERROR));
    let webhook = cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    let event = event_id(&endpoint.wait_for(1).await?[0]);
    let arrived = of(&event);
    for (attempt, wait) in (1..).zip(WAITS) {
        let what = format!("{attempt} attempts made and another planned");
        // On a slow machine the next attempt may have been made before the log was read.
        let planned = |entry: &Value| {
            let made = entry["attempts"].as_u64().unwrap_or_default();
            made > attempt || (made == attempt && entry["nextAttemptAt"].is_string())
        };
        entry_until(&cx, &webhook, &event, &what, planned).await?;
        // AMB-23: a deployment may be late by 10 s and a tenth.
        cx.pass(Duration::from_secs(wait + wait / 10 + 10)).await?;
        let count = usize::try_from(attempt).unwrap_or(usize::MAX) + 1;
        endpoint.wait_until(&format!("attempt {count} of the delivery"), |all| arrived(all) >= count).await?;
    }
    let entry = entry_until(&cx, &webhook, &event, "status failed", |entry| entry["status"] == "failed").await?;
    endpoint.answer(Answer::ok());
    resend(&cx, &webhook, id(&entry)).await?.expect_in(200..=299)?;
    endpoint.wait_until("the delivery again", |all| arrived(all) >= 7).await?;
    entry_until(&cx, &webhook, &event, "status delivered", is_delivered).await?;
    let count = arrived(&endpoint.deliveries());
    cx.equal("attempts that arrived, the resent one included", &7, &count)
}

async fn not_while_in_flight(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    for _ in 0..LOOKS {
        let gate = Gate::closed();
        endpoint.answer(Answer::ok().held(&gate));
        let held = published_to(&cx, &endpoint).await?;
        let event = event_id(&held);
        let before = entry_now(&cx, &webhook, &event).await?;
        let again = webhook.path(&format!("/deliveries/{}/resend", id(&before)));
        let refused = cx.post(&again).burst().send().await?;
        let after = entry_now(&cx, &webhook, &event).await?;
        gate.open();
        let ended = |all: &[Delivery]| all.iter().filter(|one| event_id(one) == event).find_map(|one| one.ended);
        if endpoint.wait_to_find("the end of the held attempt", ended).await? - held.arrived > cx.real(LOOK) {
            continue;
        }
        let refused = refused.expect_error(409, "delivery_in_flight")?;
        for name in ["deliveryId", "status", "attempts", "nextAttemptAt"] {
            refused.ensure_saw(
                before[name] == after[name],
                format!("{name} as before, {}", before[name]),
                after[name].to_string(),
            )?;
        }
        let entry = entry_until(&cx, &webhook, &event, "status delivered", is_delivered).await?;
        cx.equal("attempts", &Value::from(1), &entry["attempts"])?;
        // What was published later comes later: by then a second attempt would have come.
        published_to(&cx, &endpoint).await?;
        return cx.equal("deliveries of the event", &1, &of(&event)(&endpoint.deliveries()));
    }
    let why = format!("{LOOKS} times, looking at an attempt in flight took longer than {} s", LOOK.as_secs());
    Err(Stop::NotRun(NotRun::PrerequisiteFailed(why)))
}

/// Publishes, and waits for the first delivery of it.
async fn published_to(cx: &Cx, endpoint: &Endpoint) -> Result<Delivery, Stop> {
    let version = cx.publish().await?.version_id;
    let announces = |one: &&Delivery| arrival::event(one)["data"]["versionId"] == version.as_str();
    endpoint.wait_to_find("a delivery of what was published", |all| all.iter().find(announces).cloned()).await
}

/// The entry about an event, read at once: an attempt in flight does not wait for the pace of the run.
async fn entry_now(cx: &Cx, webhook: &Webhook, event: &str) -> Result<Value, Stop> {
    let log = cx.get(&webhook.path("/deliveries")).burst().send().await?.control("GET deliveries")?.json()?;
    let entry = log["deliveries"].as_array().into_iter().flatten().find(|entry| entry["eventId"] == event);
    Ok(entry.cloned().unwrap_or_default())
}

async fn of_this_webhook(cx: Cx) -> CheckResult {
    let (mine, others) = (cx.endpoint()?, cx.endpoint()?);
    let webhook = cx.webhook(&mine, &[]).await?;
    let other = cx.webhook(&others, &["content.published"]).await?;
    cx.publish().await?;
    let event = event_id(&mine.wait_for(1).await?[0]);
    let entry = entry_until(&cx, &webhook, &event, "status delivered", is_delivered).await?;
    cx.case("a delivery of another webhook", async {
        resend(&cx, &other, id(&entry)).await?.expect(404)?;
        Ok(())
    })
    .await?;
    cx.case("a random id", async {
        let random = format!("{}{}", &id(&entry)[..id(&entry).len().min(4)], cx.unique());
        resend(&cx, &webhook, &random).await?.expect(404)?;
        Ok(())
    })
    .await?;
    resend(&cx, &webhook, id(&entry)).await?.control("resend of the webhook's own delivery")?;
    mine.wait_for(2).await?;
    mine.stays_at(2, Duration::ZERO).await?;
    cx.equal("deliveries at the other webhook", &0, &others.deliveries().len())
}
