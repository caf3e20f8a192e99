//! The fields of a webhook (§2).

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use serde_json::{Value, json};

use super::{body, sorted};
use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::{CheckResult, Stop};

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-F-1", needs: [Webhooks, Receiver], slots: 2, run: ids_are_unique },
    check! { id: "WH-F-2", needs: [Webhooks, Receiver], slots: 1, run: url_as_registered },
    check! { id: "WH-F-3", needs: [Webhooks, Receiver], slots: 3, run: events_as_registered },
    check! { id: "WH-F-4", needs: [Webhooks, Receiver], slots: 1, run: enabled_after_creation },
    check! { id: "WH-F-5", needs: [Webhooks, Receiver], slots: 2, run: secrets_have_a_form },
    check! { id: "WH-F-7", needs: [Webhooks, Receiver], slots: 1, run: hint_of_the_secret },
    check! { id: "WH-F-8", needs: [Webhooks, Receiver], slots: 1, run: no_reason_unless_by_the_service },
    check! { id: "WH-F-9", needs: [Webhooks, Receiver], slots: 1, run: expiry_in_24_hours },
    check! { id: "WH-F-10", needs: [Webhooks, Receiver], slots: 1, run: secrets_cannot_be_guessed },
];

async fn ids_are_unique(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let made = cx.post("/webhooks").json(&body(endpoint.url())).send().await?.control("POST /webhooks")?;
        ids.push(made.text("/webhookId")?);
    }
    let all = cx.webhooks().await?;
    let listed = ids.iter().all(|id| all.iter().any(|one| one["webhookId"] == id.as_str()));
    cx.ensure(listed, "both webhooks in the list", format!("{} webhooks, not both of {}", all.len(), ids.join(", ")))?;
    cx.ensure(ids[0] != ids[1], "another webhookId for each webhook, also of one URL", ids.join(", "))
}

async fn url_as_registered(cx: Cx) -> CheckResult {
    let url = format!("{}/Mixed/cASE%2fa?Query=Kept&q=a%20b&b=2&a=1", cx.endpoint()?.url());
    let made = cx.post("/webhooks").json(&body(&url)).send().await?.control("POST /webhooks with path and query")?;
    let made = made.json()?;
    cx.equal("url after creation", &Value::from(url.as_str()), &made["url"])?;
    let listed = listed(&cx, &made).await?;
    cx.equal("url in the list", &Value::from(url), &listed["url"])
}

async fn events_as_registered(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let both = json!(["content.published", "strings.published"]);
    for events in [json!(["strings.published"]), json!(["content.published"]), both] {
        let request = json!({ "url": endpoint.url(), "events": events });
        let made = cx.post("/webhooks").json(&request).send().await?.control("POST /webhooks")?.json()?;
        cx.case(events.to_string(), async {
            cx.equal("events after creation", &events, &sorted(&made["events"]))?;
            cx.equal("events in the list", &events, &sorted(&listed(&cx, &made).await?["events"]))
        })
        .await?;
    }
    Ok(())
}

async fn enabled_after_creation(cx: Cx) -> CheckResult {
    let request = body(cx.endpoint()?.url());
    let before = cx.webhooks().await?;
    let made = cx.post("/webhooks").json(&request).send().await?.control("POST /webhooks")?.json()?;
    let new = before.iter().all(|one| one["webhookId"] != made["webhookId"]);
    cx.control(new, "that POST /webhooks gives a webhookId that was not listed before")?;
    cx.equal("enabled after creation", &Value::Bool(true), &made["enabled"])?;
    cx.equal("enabled in the list", &Value::Bool(true), &listed(&cx, &made).await?["enabled"])
}

async fn secrets_have_a_form(cx: Cx) -> CheckResult {
    let request = body(cx.endpoint()?.url());
    let mut secrets = Vec::new();
    for _ in 0..2 {
        let made = cx.post("/webhooks").json(&request).send().await?.control("POST /webhooks")?;
        let secret = made.text("/secret")?;
        made.ensure_saw(secret.starts_with("whsec_"), "a secret that starts with whsec_", "another beginning")?;
        let length = secret.len().saturating_sub("whsec_".len());
        made.ensure_saw(length >= 24, "24 characters or more behind whsec_", format!("{length}"))?;
        secrets.push(secret);
    }
    cx.ensure(secrets[0] != secrets[1], "another secret for each webhook", "the same for two")
}

async fn hint_of_the_secret(cx: Cx) -> CheckResult {
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    let hint = |secret: &str| Value::from(&secret[secret.len().saturating_sub(4)..]);
    cx.equal("secretHint", &hint(&webhook.secret), &webhook.read().await?["secretHint"])?;
    let rotated = cx.post(&webhook.path("/rotate-secret")).send().await?.control("rotate-secret")?;
    let secret = rotated.text("/secret")?;
    cx.equal("secretHint after a rotation", &hint(&secret), &webhook.read().await?["secretHint"])
}

async fn no_reason_unless_by_the_service(cx: Cx) -> CheckResult {
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    cx.equal("disabledReason when fresh", &Value::Null, &webhook.read().await?["disabledReason"])?;
    let disabled = cx.patch(&webhook.path("")).json(&json!({ "enabled": false })).send().await?;
    let disabled = disabled.control("PATCH {enabled: false}")?;
    let answer: Value = serde_json::from_slice(&disabled.body).unwrap_or_default();
    cx.equal("disabledReason in PATCH's answer", &Value::Null, &answer["disabledReason"])?;
    let listed = webhook.read().await?;
    cx.control(listed["enabled"] == false, "that PATCH {enabled: false} disables the webhook in the list")?;
    cx.equal("disabledReason when disabled by PATCH", &Value::Null, &listed["disabledReason"])
}

async fn expiry_in_24_hours(cx: Cx) -> CheckResult {
    const DAY: i64 = 86_400_000;
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    let rotated = cx.post(&webhook.path("/rotate-secret")).send().await?.control("rotate-secret")?;
    let text = rotated.text("/previousSecretExpiresAt")?;
    let Ok(expiry) = text.parse::<Timestamp>() else {
        return rotated.ensure_saw(false, "previousSecretExpiresAt as RFC 3339 has it", text);
    };
    // `Date` is the deployment's own word; where its clock was moved, that header need not follow.
    let date = rotated.header("date").and_then(|date| rfc2822::parse(&date.replace("GMT", "+0000")).ok());
    let date = date.filter(|_| !cx.moves_time()).map(|date| date.timestamp().as_millisecond());
    let off = expiry.as_millisecond() - date.unwrap_or_else(|| cx.now()) - DAY;
    rotated.ensure_saw(
        off.abs() <= 60_000,
        "previousSecretExpiresAt 24 hours from now, give or take 60 s",
        format!("{off} ms beside that"),
    )
}

async fn secrets_cannot_be_guessed(cx: Cx) -> CheckResult {
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    let mut secrets = vec![webhook.secret.clone()];
    while secrets.len() < 20 {
        let rotated = cx.post(&webhook.path("/rotate-secret")).send().await?.control("rotate-secret")?;
        secrets.push(rotated.text("/secret")?);
    }
    let random: Vec<&str> = secrets.iter().map(|one| one.strip_prefix("whsec_").unwrap_or(one)).collect();
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    cx.ensure(random.iter().all(|one| one.bytes().all(safe)), "characters of base64 or of a URL", "others")?;
    let alphabet = random.iter().flat_map(|one| one.bytes()).collect::<HashSet<_>>().len();
    let shortest = random.iter().map(|one| one.len()).min().unwrap_or(0);
    let bits = f64::from(u32::try_from(shortest).unwrap_or(0)) * f64::from(u32::try_from(alphabet).unwrap_or(1)).log2();
    cx.ensure(bits >= 128.0, "128 bits or more", format!("{shortest} characters out of {alphabet}: {bits:.0} bits"))?;
    let mut seen = HashSet::new();
    for one in &random {
        let windows: HashSet<&[u8]> = one.as_bytes().windows(7).collect();
        cx.ensure(windows.is_disjoint(&seen), "no 7 characters in a row that two of 20 secrets share", "there are")?;
        seen.extend(windows);
    }
    Ok(())
}

/// The entry of the list about a webhook that was just made.
async fn listed(cx: &Cx, made: &Value) -> Result<Value, Stop> {
    let all = cx.webhooks().await?;
    let mine = all.into_iter().find(|one| one["webhookId"] == made["webhookId"]);
    mine.ok_or_else(|| Cx::deviation("the new webhook in the list", "it is not there"))
}
