//! The request of a delivery and its signature (§6).

mod variants;

use std::time::Duration;

use http::{Method, StatusCode};
use serde_json::json;

use self::variants::SignatureMistake;
use super::arrival::{arrivals, ensure_between, event, event_id, signature};
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::mac::{hex, hmac};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::receiver::{Answer, Delivery};

pub(super) const CHECKS: &[Check] = &[
    check! {
        id: "SIG-3", covers: ["SIG-1", "SIG-3", "SIG-4", "SIG-7"], needs: [Webhooks, Receiver, Publish], slots: 2,
        publishes: 1, run: each_webhook_is_told_apart
    },
    check! {
        id: "SIG-5", covers: ["SIG-2", "SIG-5", "SIG-6", "SIG-12"], needs: [Webhooks, Receiver, Publish], slots: 1,
        publishes: 1, run: the_signature_holds
    },
    check! {
        id: "SIG-8", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, waits: 31,
        run: t_is_the_time_of_the_attempt
    },
    check! {
        id: "SIG-13", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: no_secret_is_sent
    },
];

/// Returns true if a signature of a delivery was made with this secret.
fn is_signed_with(delivery: &Delivery, secret: &str) -> bool {
    let signature = signature(delivery);
    let message = [format!("{}.", signature.t.unwrap_or_default()).as_bytes(), &delivery.body].concat();
    signature.values.contains(&hex(&hmac(secret.as_bytes(), &message)))
}

async fn each_webhook_is_told_apart(cx: Cx) -> CheckResult {
    // One path for both: by headers alone can they be told apart.
    let endpoint = cx.endpoint()?;
    let webhooks = [cx.webhook(&endpoint, &[]).await?, cx.webhook(&endpoint, &[]).await?];
    cx.publish().await?;
    let deliveries = endpoint.wait_for(2).await?;
    for delivery in &deliveries {
        cx.case("SIG-1", async {
            cx.equal("method", &Method::POST, &delivery.method)?;
            let media = delivery.header("content-type").unwrap_or_default();
            let json =
                media.split(';').next().is_some_and(|media| media.trim().eq_ignore_ascii_case("application/json"));
            cx.ensure(json, "Content-Type: application/json", media)?;
            cx.ensure(event(delivery).is_object(), "a JSON body", String::from_utf8_lossy(&delivery.body))
        })
        .await?;
        cx.case("SIG-3", async {
            let header = delivery.header("x-service-event-id").unwrap_or_default();
            cx.equal("X-Service-Event-Id", &event_id(delivery).as_str(), &header)
        })
        .await?;
    }
    for webhook in &webhooks {
        let named = |one: &&Delivery| one.header("x-service-webhook-id") == Some(&webhook.id);
        let by_header = deliveries.iter().find(named);
        let by_secret = deliveries.iter().find(|one| is_signed_with(one, &webhook.secret));
        let others =
            || format!("{:?}", deliveries.iter().map(|one| one.header("x-service-webhook-id")).collect::<Vec<_>>());
        cx.case("SIG-4", async {
            cx.ensure(by_header.is_some(), format!("X-Service-Webhook-Id: {} on one of both", webhook.id), others())
        })
        .await?;
        cx.case("SIG-7", async {
            let expected = "one of both deliveries signed with each webhook's own secret";
            cx.ensure(by_secret.is_some(), expected, format!("none is with that of {}", webhook.id))?;
            let Some(mine) = by_header else { return Ok(()) };
            let foreign = webhooks.iter().filter(|one| one.id != webhook.id);
            let crossed = foreign.clone().any(|other| is_signed_with(mine, &other.secret));
            cx.ensure(!crossed, "no delivery that another webhook's secret verifies", "one that it does")
        })
        .await?;
    }
    Ok(())
}

async fn the_signature_holds(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    // Not every deployment takes a label; where it does, the body is not ASCII alone.
    let mut body = cx.profile().bodies.publish.clone();
    if let Some(body) = body.as_object_mut() {
        body.insert("label".to_owned(), json!(format!("é日本🙂 {}", cx.unique())));
    }
    match cx.publish_as(&body).await {
        Err(Stop::NotRun(NotRun::PrerequisiteFailed(_))) => cx.publish().await?,
        published => published?,
    };
    let delivery = &endpoint.wait_for(1).await?[0];
    let signature = signature(delivery);
    cx.case("SIG-2", async {
        let of =
            |value: &String| value.len() == 64 && value.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let t = signature.t.unwrap_or_default();
        let written =
            format!("t={t}{}", signature.values.iter().map(|value| format!(",v1={value}")).collect::<String>());
        let shape = t.to_string().len() == 10 && written == signature.text;
        let holds = shape && matches!(signature.values.len(), 1 | 2) && signature.values.iter().all(of);
        cx.ensure(holds, "t=<unix seconds>,v1=<64 digits of lowercase hex>", signature.text.as_str())
    })
    .await?;
    cx.case("SIG-5, SIG-6", async {
        let seen = match SignatureMistake::of(delivery, &webhook.secret, &signature) {
            Some(variant) => format!("it is that of {}", variant.name()),
            None => format!("{} is that of no known mistake either", signature.text),
        };
        let expected =
            "v1 = lowercase hex of HMAC-SHA256, keyed with the whole secret, over t, a dot and the bytes sent";
        cx.ensure(is_signed_with(delivery, &webhook.secret), expected, seen)
    })
    .await?;
    cx.case("SIG-12", async { cx.equal("v1 values of a webhook with one secret", &1, &signature.values.len()) }).await
}

async fn t_is_the_time_of_the_attempt(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    endpoint.answer(Answer::status(StatusCode::INTERNAL_SERVER_ERROR));
    cx.before_an_attempt().await;
    cx.publish().await?;
    let id = event_id(&endpoint.wait_for(1).await?[0]);
    for attempt in 1..=2 {
        let delivery = arrivals(&endpoint, &id, attempt).await?.swap_remove(attempt - 1);
        let arrived = cx.time_of(delivery.arrived);
        cx.case(format!("attempt {attempt}"), async {
            let t = signature(&delivery).t.unwrap_or_default();
            let what = "t, the time of the attempt";
            // Whole seconds, and as far as clocks agree.
            ensure_between(&cx, what, arrived, 6_000, 5_000, t.saturating_mul(1_000))
        })
        .await?;
        if attempt == 1 {
            webhook.entry(&id, "its first attempt ended", |entry| entry["attempts"] == 1).await?;
            endpoint.answer(Answer::ok());
            cx.pass(Duration::from_secs(31)).await?;
        }
    }
    Ok(())
}

async fn no_secret_is_sent(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    let delivery = &endpoint.wait_for(1).await?[0];
    let signatures = delivery.headers.get_all("x-service-signature").iter().count();
    cx.equal("headers X-Service-Signature", &1, &signatures)?;
    let secret = webhook.secret.strip_prefix("whsec_").unwrap_or(&webhook.secret);
    for (name, value) in &delivery.headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        let leaks = value.contains(secret) || value.contains("whsec_");
        cx.ensure(!leaks, "no secret in a header", format!("in {name}"))?;
    }
    let leaks = String::from_utf8_lossy(&delivery.body).contains(secret);
    cx.ensure(!leaks, "no secret in the body", "in the body")
}
