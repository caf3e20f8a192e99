//! The webhooks that receive each event of strings (§6).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::arrival::{arrivals, event, event_id};
use crate::check;
use crate::check::{Check, Claim};
use crate::cx::{Cx, Endpoint, Webhook};
use crate::outcome::{CheckResult, Stop};
use crate::profile::Identity;
use crate::receiver::Delivery;

pub(super) const CHECKS: &[Check] = &[
    check! {
        id: "EV-1", covers: ["EV-1", "EV-6"], needs: [Webhooks, Receiver, Publish], slots: 3, publishes: 2,
        run: a_publish_reaches_who_subscribed
    },
    check! {
        id: "EV-2", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 3, run: a_restore_fires
    },
    check! {
        id: "EV-7", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 2, run: a_disabled_webhook_gets_nothing
    },
    check! {
        id: "EV-8", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: a_refused_publish_fires_nothing
    },
];

/// The ids of the events that a log names.
async fn logged(webhook: &Webhook) -> Result<BTreeSet<String>, Stop> {
    let text = |entry: &Value| entry["eventId"].as_str().unwrap_or_default().to_owned();
    Ok(webhook.log().await?.iter().map(text).collect())
}

/// The ids of the events that arrived: at least once each, so that repetitions do not count.
fn arrived(endpoint: &Endpoint) -> BTreeSet<String> {
    endpoint.deliveries().iter().map(event_id).collect()
}

async fn a_publish_reaches_who_subscribed(cx: Cx) -> CheckResult {
    let (strings, both, content) = (cx.endpoint()?, cx.endpoint()?, cx.endpoint()?);
    cx.webhook(&strings, &["strings.published"]).await?;
    cx.webhook(&both, &["strings.published", "content.published"]).await?;
    let other = cx.webhook(&content, &["content.published"]).await?;
    // By their versions, no event is taken for another's.
    for count in 1..=2 {
        let version = cx.publish().await?.version_id;
        for (name, endpoint) in [("strings.published", &strings), ("both events", &both)] {
            cx.case(format!("EV-1: subscribed to {name}, publish {count}"), async {
                let new = |all: &[Delivery]| all.iter().any(|one| event(one)["data"]["versionId"] == version.as_str());
                let all = endpoint.wait_until(&format!("an event of the version {version}"), new).await?;
                let strange = all.iter().map(|one| event(one)["type"].clone()).find(|kind| kind != "strings.published");
                cx.equal("type of another kind", &None, &strange)?;
                cx.equal("events so far", &count, &arrived(endpoint).len())
            })
            .await?;
        }
    }
    // When the events of the second publish have come, those of the first are long on their way.
    cx.case("EV-6: subscribed to content.published", async {
        let log = logged(&other).await?;
        cx.ensure(log.is_empty(), "no delivery of strings.published", format!("deliveries of {log:?} in its log"))?;
        cx.equal("deliveries", &0, &content.deliveries().len())
    })
    .await
}

async fn a_restore_fires(cx: Cx) -> CheckResult {
    let earlier = cx.publish().await?;
    cx.publish().await?;
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    cx.restore(&earlier.version_id).await?;
    let first = event(&endpoint.wait_for(1).await?[0]);
    cx.equal("type", &json!("strings.published"), &first["type"])?;
    cx.equal("data.versionId", &json!(earlier.version_id), &first["data"]["versionId"])
}

async fn a_disabled_webhook_gets_nothing(cx: Cx) -> CheckResult {
    let (disabled, enabled) = (cx.endpoint()?, cx.endpoint()?);
    let webhook = cx.webhook(&disabled, &[]).await?;
    cx.webhook(&enabled, &[]).await?;
    let set = async |to: bool| cx.patch(&webhook.path("")).json(&json!({ "enabled": to })).send().await;
    set(false).await?.control("PATCH {enabled: false}")?;
    cx.publish().await?;
    let first = event_id(&enabled.wait_for(1).await?[0]);
    let log = logged(&webhook).await?;
    cx.ensure(!log.contains(&first), "no delivery to a disabled webhook", format!("its log names {log:?}"))?;
    set(true).await?.control("PATCH {enabled: true}")?;
    cx.publish().await?;
    let second = event_id(&disabled.wait_for(1).await?[0]);
    cx.ensure(second != first, "the event of the publish after it was enabled again", format!("{first} once more"))?;
    arrivals(&enabled, &second, 1).await?;
    cx.equal("events that arrived at the webhook that was disabled", &BTreeSet::from([second]), &arrived(&disabled))
}

async fn a_refused_publish_fires_nothing(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    cx.seeded().await?;
    let body = &cx.profile().bodies.publish;
    let mut refused = vec![("400 for a dry run", cx.post("/publish").query("dryRun", "true").json(body))];
    if cx.claims(Claim::ScopedKeys) {
        refused.push(("403 for a key that may read", cx.post("/publish").json(body).key(Identity::Read)?));
    }
    if cx.claims(Claim::AgentKey) {
        refused.push(("403 for an agent", cx.post("/publish").json(body).key(Identity::Agent)?));
    }
    for (what, call) in refused {
        let answer = call.send().await?;
        cx.control(matches!(answer.status, 400 | 403), &format!("a refused publish: {what}"))?;
    }
    cx.publish().await?;
    let event = event_id(&endpoint.wait_for(1).await?[0]);
    // What the refused ones had fired would stand before it.
    cx.equal("events in the log", &BTreeSet::from([event.clone()]), &logged(&webhook).await?)?;
    cx.equal("events that arrived", &BTreeSet::from([event]), &arrived(&endpoint))
}
