//! `POST /webhooks/{webhookId}/rotate-secret` (§4, §6.9).

use std::time::Duration;

use jiff::Timestamp;

use super::signed_with;
use crate::check;
use crate::check::Check;
use crate::cx::{Cx, Webhook};
use crate::outcome::{CheckResult, Stop};

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-RO-1", needs: [Webhooks, Receiver], slots: 1, run: new_secret },
    check! { id: "WH-RO-2", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: signs_with_both },
    check! {
        id: "WH-RO-3", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 2, waits: 86_460,
        run: signs_with_one_after_a_day
    },
    check! { id: "WH-RO-4", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: two_at_most },
];

/// Rotates and returns the new secret.
async fn rotate(cx: &Cx, webhook: &Webhook) -> Result<String, Stop> {
    cx.post(&webhook.path("/rotate-secret")).send().await?.control("rotate-secret")?.text("/secret")
}

async fn new_secret(cx: Cx) -> CheckResult {
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    let rotated = cx.post(&webhook.path("/rotate-secret")).send().await?.expect_in(200..=299)?;
    let secret = rotated.text("/secret")?;
    rotated.ensure_saw(secret != webhook.secret, "a new secret", "the one before")?;
    rotated.ensure_saw(secret.starts_with("whsec_"), "a secret that starts with whsec_", "another beginning")?;
    let expiry = rotated.text("/previousSecretExpiresAt")?;
    rotated.ensure(expiry.parse::<Timestamp>().is_ok(), "previousSecretExpiresAt as RFC 3339 has it")
}

async fn signs_with_both(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let secret = rotate(&cx, &webhook).await?;
    cx.publish().await?;
    let delivery = endpoint.wait_for(1).await?.remove(0);
    let mut signed = signed_with(&delivery, &[&secret, &webhook.secret]);
    signed.sort_unstable();
    let expected = vec![Some(0), Some(1)];
    cx.equal("which secrets made the v1 values (0 new, 1 before, None neither)", &expected, &signed)
}

async fn signs_with_one_after_a_day(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let secret = rotate(&cx, &webhook).await?;
    let secrets = [secret.as_str(), &webhook.secret];
    cx.publish().await?;
    let before = endpoint.wait_for(1).await?.remove(0);
    let both = signed_with(&before, &secrets);
    cx.control(both.contains(&Some(0)) && both.contains(&Some(1)), "two v1 values within the 24 hours")?;
    webhook.newest("status delivered", |entry| entry["status"] == "delivered").await?;
    cx.pass(Duration::from_secs(86_460)).await?;
    let arrived = endpoint.deliveries().len();
    cx.publish().await?;
    let after = endpoint.wait_for(arrived + 1).await?.remove(arrived);
    let expected = vec![Some(0)];
    cx.equal("which secrets made the v1 values (0 new, 1 before)", &expected, &signed_with(&after, &secrets))
}

/// AMB-17.
async fn two_at_most(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    rotate(&cx, &webhook).await?;
    let newest = rotate(&cx, &webhook).await?;
    cx.publish().await?;
    let delivery = endpoint.wait_for(1).await?.remove(0);
    let signed = signed_with(&delivery, &[&newest]);
    cx.ensure(signed.len() <= 2, "two v1 values at most", format!("{}", signed.len()))?;
    cx.ensure(signed.contains(&Some(0)), "a v1 value of the newest secret", "none")
}
