//! Webhooks (§2, §4): their fields, their routes, their URLs, and how many there may be.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod fields;
pub(super) mod limit;
pub(super) mod list;
pub(super) mod log;
pub(super) mod other_project;
pub(super) mod resend;
pub(super) mod rotate;
pub(super) mod secrecy;
pub(super) mod update;
pub(super) mod urls;

use serde_json::{Value, json};

use crate::cx::{Cx, Webhook};
use crate::mac::{hex, hmac};
use crate::outcome::{CheckResult, Stop};
use crate::receiver::Delivery;

/// A body that creates a webhook.
fn body(url: &str) -> Value {
    json!({ "url": url, "events": ["strings.published"] })
}

/// The mutable fields of all webhooks, in the order of their ids.
async fn standing(cx: &Cx) -> Result<Vec<Value>, Stop> {
    let mut all: Vec<_> = cx.webhooks().await?.iter().map(fields_of).collect();
    all.sort_by_key(|one| one["webhookId"].to_string());
    Ok(all)
}

/// The mutable fields of a webhook.
fn fields_of(webhook: &Value) -> Value {
    let mut fields = json!({});
    for name in ["webhookId", "url", "enabled", "secretHint", "disabledReason"] {
        fields[name].clone_from(&webhook[name]);
    }
    fields["events"] = sorted(&webhook["events"]);
    fields
}

/// A set of events, which has no order.
fn sorted(events: &Value) -> Value {
    let mut events = events.clone();
    if let Some(events) = events.as_array_mut() {
        events.sort_by_key(ToString::to_string);
    }
    events
}

/// Asserts that nothing was written since.
async fn nothing_written(cx: &Cx, before: &[Value]) -> CheckResult {
    let now = standing(cx).await?;
    cx.equal("the project's webhooks, as before", &before.to_vec(), &now)
}

/// The entry of a webhook's log about an event; null where there is none.
async fn entry_of(webhook: &Webhook, event_id: &str) -> Result<Value, Stop> {
    let log = webhook.log().await?;
    Ok(log.into_iter().find(|entry| entry["eventId"].as_str() == Some(event_id)).unwrap_or(Value::Null))
}

/// Waits until the entry about an event is as it should be; it is the deviation when it never is.
async fn entry_until(
    cx: &Cx,
    webhook: &Webhook,
    event_id: &str,
    what: &str,
    holds: impl Fn(&Value) -> bool,
) -> Result<Value, Stop> {
    match cx.eventually(what, || entry_of(webhook, event_id), holds).await {
        Err(Stop::NotRun(_)) => {
            let last = entry_of(webhook, event_id).await?;
            Err(Cx::deviation(format!("a delivery of {event_id} with {what}"), last.to_string()))
        }
        other => other,
    }
}

/// The event's id, as the delivery's header has it.
fn event_id(delivery: &Delivery) -> String {
    delivery.header("x-service-event-id").unwrap_or_default().to_owned()
}

/// The index in `secrets` of the secret of each `v1` of a delivery, or `None` if it is none of them.
fn signed_with(delivery: &Delivery, secrets: &[&str]) -> Vec<Option<usize>> {
    let header = delivery.header("x-service-signature").unwrap_or_default();
    let t = header.split(',').find_map(|part| part.trim().strip_prefix("t=")).unwrap_or_default();
    let message = [t.as_bytes(), b".", &delivery.body].concat();
    let signed = |secret: &&str| hex(&hmac(secret.as_bytes(), &message));
    let expected: Vec<String> = secrets.iter().map(signed).collect();
    let values = header.split(',').filter_map(|part| part.trim().strip_prefix("v1="));
    values.map(|value| expected.iter().position(|one| one == value)).collect()
}
