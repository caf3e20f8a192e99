//! Entries of the delivery log (§2).

use std::collections::BTreeSet;

use http::StatusCode;
use serde_json::{Value, json};

use super::arrival::{arrivals, ensure_between, event, event_id, millis};
use super::deliveries::attempted;
use crate::check;
use crate::check::Check;
use crate::cx::{Cx, Endpoint, Webhook};
use crate::outcome::{CheckResult, Stop};
use crate::receiver::{Answer, Gate};

pub(super) const CHECKS: &[Check] = &[
    check! {
        id: "DLV-1", covers: ["DLV-1", "DLV-2", "DLV-3", "DLV-4", "DLV-7"], needs: [Webhooks, Receiver, Publish],
        slots: 2, publishes: 1, run: an_entry_names_its_event
    },
    check! {
        id: "DLV-5", covers: ["DLV-5", "DEL-18"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1,
        run: status_follows_the_attempts
    },
    check! {
        id: "DLV-6", covers: ["DLV-6", "DLV-8"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, waits: 31,
        run: attempts_are_counted_and_the_next_is_told
    },
    check! {
        id: "DLV-9", covers: ["DLV-9", "DLV-10", "DLV-11"], needs: [Webhooks, Receiver, Publish], slots: 3,
        publishes: 1, run: the_last_attempt_is_told
    },
    check! {
        id: "DLV-12", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: errors_tell_no_secrets
    },
];

fn delivered(entry: &Value) -> bool {
    entry["status"] == "delivered"
}

/// The first event that arrived.
async fn first(endpoint: &Endpoint) -> Result<Value, Stop> {
    Ok(event(&endpoint.wait_for(1).await?[0]))
}

async fn an_entry_names_its_event(cx: Cx) -> CheckResult {
    let (one, other) = (cx.endpoint()?, cx.endpoint()?);
    let (webhook, second) = (cx.webhook(&one, &[]).await?, cx.webhook(&other, &[]).await?);
    // The second one's delivery comes to its end by a failure and a resend.
    other.answer_in_turn([Answer::status(StatusCode::BAD_GATEWAY), Answer::ok()]);
    cx.publish().await?;
    let event = first(&one).await?;
    let entry = webhook.newest("status delivered", delivered).await?;
    let failed = second.newest("one attempt", attempted(1)).await?;
    cx.case("DLV-1", async {
        let again = webhook.newest("status delivered", delivered).await?;
        cx.equal("deliveryId when it is read again", &entry["deliveryId"], &again["deliveryId"])?;
        let ids = [&entry, &failed].map(|one| one["deliveryId"].as_str().unwrap_or_default());
        let unique: BTreeSet<&str> = ids.into_iter().filter(|id| !id.is_empty()).collect();
        cx.ensure(unique.len() == 2, "deliveryId is a string, and another for each delivery", format!("{ids:?}"))
    })
    .await?;
    cx.case("DLV-2", async { cx.equal("eventId", &event["id"], &entry["eventId"]) }).await?;
    cx.case("DLV-3", async {
        cx.equal("eventType", &json!("strings.published"), &entry["eventType"])?;
        cx.equal("eventType", &event["type"], &entry["eventType"])
    })
    .await?;
    cx.case("DLV-4", async {
        let id = &entry["publishId"];
        cx.ensure(id.as_str().is_some_and(|id| !id.is_empty()), "publishId is a string", id.to_string())
    })
    .await?;
    cx.case("DLV-7", async {
        cx.ensure(
            entry["nextAttemptAt"].is_null(),
            "no nextAttemptAt once delivered",
            entry["nextAttemptAt"].to_string(),
        )?;
        second.resend(&failed).await?;
        let entry = second.newest("status delivered", delivered).await?;
        let next = &entry["nextAttemptAt"];
        cx.ensure(next.is_null(), "no nextAttemptAt once delivered after a failure", next.to_string())
    })
    .await
}

async fn status_follows_the_attempts(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let gate = Gate::closed();
    endpoint.answer_in_turn([Answer::status(StatusCode::BAD_GATEWAY).held(&gate), Answer::ok()]);
    cx.before_an_attempt().await;
    cx.publish().await?;
    endpoint.wait_for(1).await?;
    let during = webhook.newest("an attempt under way", |entry| !entry.is_null()).await;
    gate.open();
    let during = during?;
    cx.equal("status while an attempt is under way", &json!("delivering"), &during["status"])?;
    cx.equal("attempts while the first is under way", &json!(0), &during["attempts"])?;
    let between = webhook.newest("one attempt", |entry| entry["attempts"] == 1).await?;
    cx.equal("status between attempts", &json!("pending"), &between["status"])?;
    webhook.resend(&between).await?;
    endpoint.wait_for(2).await?;
    let known = |entry: &Value| matches!(entry["status"].as_str(), Some("pending" | "delivering"));
    let after = webhook.newest("two attempts", |entry| entry["attempts"] == 2 || !known(entry)).await?;
    cx.equal("status after a 2xx", &json!("delivered"), &after["status"])
}

async fn attempts_are_counted_and_the_next_is_told(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    endpoint.answer(Answer::status(StatusCode::BAD_GATEWAY));
    cx.before_an_attempt().await;
    cx.publish().await?;
    let id = event_id(&endpoint.wait_for(1).await?[0]);
    let ended = |all: &[crate::receiver::Delivery]| all.first().and_then(|one| one.ended);
    let end = cx.time_of(endpoint.wait_to_find("the first answer", ended).await?);
    let entry = webhook.entry(&id, "one attempt", attempted(1)).await?;
    cx.case("DLV-6: after one failure", async { cx.equal("attempts", &json!(1), &entry["attempts"]) }).await?;
    cx.case("DLV-8", async {
        let text = entry["nextAttemptAt"].as_str().unwrap_or_default();
        let shown = entry["nextAttemptAt"].to_string();
        // §2 says no more than "timestamp": whole seconds and other offsets are allowed.
        let seen = millis(text);
        cx.ensure(seen.is_some(), "nextAttemptAt is a timestamp while a retry is planned", shown)?;
        ensure_between(&cx, "30 s after the failed attempt", end + 30_000, 2_000, 13_000, seen.unwrap_or_default())
    })
    .await?;
    endpoint.answer(Answer::ok());
    cx.pass(std::time::Duration::from_secs(31)).await?;
    arrivals(&endpoint, &id, 2).await?;
    cx.case("DLV-6: after a success, too", async {
        let entry = webhook.entry(&id, "status delivered", delivered).await?;
        cx.equal("attempts", &json!(2), &entry["attempts"])
    })
    .await
}

async fn the_last_attempt_is_told(cx: Cx) -> CheckResult {
    let (odd, silent, good) = (cx.endpoint()?, cx.endpoint()?, cx.endpoint()?);
    odd.answer(Answer::status(StatusCode::IM_A_TEAPOT));
    silent.answer(Answer::close());
    let webhook = cx.webhook(&odd, &[]).await?;
    let (closed, fine) = (cx.webhook(&silent, &[]).await?, cx.webhook(&good, &[]).await?);
    cx.publish().await?;
    let error = |entry: &Value| {
        let text = entry["lastError"].is_null() || entry["lastError"].is_string();
        cx.ensure(text, "lastError is a string or null", entry["lastError"].to_string())
    };
    let answered = webhook.newest("one attempt", attempted(1)).await?;
    cx.case("DLV-9: 418", async { cx.equal("lastStatusCode", &json!(418), &answered["lastStatusCode"]) }).await?;
    cx.case("DLV-11: 418", async { error(&answered) }).await?;
    odd.answer(Answer::status(StatusCode::NO_CONTENT));
    webhook.resend(&answered).await?;
    let then = webhook.newest("status delivered", delivered).await?;
    cx.case("DLV-9: 204", async { cx.equal("lastStatusCode", &json!(204), &then["lastStatusCode"]) }).await?;
    let dropped = closed.newest("one attempt", attempted(1)).await?;
    cx.case("DLV-10: no answer", async {
        cx.equal("lastStatusCode", &Value::Null, &dropped["lastStatusCode"])?;
        cx.ensure(dropped["lastError"].is_string(), "lastError says why", dropped["lastError"].to_string())
    })
    .await?;
    let fine: Webhook = fine;
    let entry = fine.newest("status delivered", delivered).await?;
    cx.case("DLV-11: 200", async { error(&entry) }).await
}

async fn errors_tell_no_secrets(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let marker = cx.unique();
    let body = format!("marker {marker} {}", webhook.secret);
    endpoint.answer_in_turn([Answer::status(StatusCode::BAD_GATEWAY).body(body), Answer::close(), Answer::ok()]);
    cx.publish().await?;
    let mut entry = Value::Null;
    for attempt in 1..=2 {
        if attempt > 1 {
            webhook.resend(&entry).await?;
        }
        entry = webhook.newest("another attempt", attempted(attempt)).await?;
        let text = entry["lastError"].to_string();
        for (what, leak) in [("the answer's body", marker.as_str()), ("the secret", webhook.secret.as_str())] {
            cx.ensure(!text.contains(leak), format!("lastError without {what}"), text.clone())?;
        }
        let private = ["10.", "127.", "192.168.", "169.254."].iter().any(|start| has_address(&text, start));
        cx.ensure(!private, "lastError without internal addresses", text)?;
    }
    webhook.resend(&entry).await?;
    let entry = webhook.newest("status delivered", delivered).await?;
    cx.ensure(entry["lastError"].is_null(), "no lastError after a success", entry["lastError"].to_string())
}

/// Returns true if a text contains an IPv4 address that begins with `start`.
fn has_address(text: &str, start: &str) -> bool {
    let words = text.split(|one: char| !(one.is_ascii_digit() || one == '.'));
    words
        .filter(|word| word.starts_with(start))
        .any(|word| word.trim_end_matches('.').parse::<std::net::Ipv4Addr>().is_ok())
}
