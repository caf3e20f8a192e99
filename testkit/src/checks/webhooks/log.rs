//! `GET /webhooks/{webhookId}/deliveries` (§4, §8).

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::event_id;
use crate::check;
use crate::check::Check;
use crate::cx::{CheckedExchange, Cx};
use crate::outcome::{CheckResult, Stop};
use crate::profile::Project;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-DL-1", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 2, run: newest_first },
    check! {
        id: "WH-DL-2", needs: [Webhooks, Receiver, Publish, Burn], slots: 1, waits: 86_400, run: the_last_50
    },
    check! { id: "WH-DL-3", needs: [Webhooks, Receiver], slots: 1, run: empty },
];

async fn newest_first(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    for count in 1..=2 {
        cx.publish().await?;
        endpoint.wait_for(count).await?;
    }
    let arrived: Vec<_> = endpoint.deliveries().iter().map(event_id).collect();
    let list = cx.get(&webhook.path("/deliveries")).send().await?.control("GET deliveries")?;
    let body = list.json()?;
    let listed: Vec<_> = body["deliveries"].as_array().into_iter().flatten().map(|entry| &entry["eventId"]).collect();
    let expected = [&json!(arrived[1]), &json!(arrived[0])];
    list.ensure_saw(listed == expected, format!("deliveries of {expected:?}, newest first"), format!("{listed:?}"))
}

/// 51 events: 26 publishes and 25 restores of one day, in a project whose budgets may be used up.
async fn the_last_50(cx: Cx) -> CheckResult {
    const KEPT: usize = 50;
    let last = cx.profile().burn.len().saturating_sub(1);
    let project = cx.burn(last)?.clone();
    // Whatever others have used of the project's day.
    cx.pass(Duration::from_secs(86_400)).await?;
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook_in(&project, endpoint.url(), &[]).await?;
    let keys = cx.filled(&cx.profile().bodies.translate);
    cx.call_on(&project, Method::POST, "/translate").json(&keys).send().await?.control("POST /translate")?;
    let mut versions: Vec<String> = Vec::new();
    let mut events = Vec::new();
    for number in 0..=KEPT {
        match versions.as_slice() {
            // What is live cannot be restored, the version before it can.
            [.., before, _] if number % 2 == 0 => {
                let before = before.clone();
                let restore = cx.call_on(&project, Method::POST, &format!("/versions/{before}/restore"));
                restore.json(&json!({})).send().await?.control("restore")?;
                versions.push(before);
            }
            _ => {
                let made = publish(&cx, &project).await?.control("POST /publish")?;
                versions.push(made.text("/versionId")?);
            }
        }
        let arrived = endpoint.wait_for(number + 1).await?;
        events.push(json!(event_id(&arrived[number])));
    }
    events.reverse();
    let log = webhook.log().await?;
    cx.equal("entries in the log", &KEPT, &log.len())?;
    let listed: Vec<Value> = log.iter().map(|entry| entry["eventId"].clone()).collect();
    cx.ensure(listed == events[..KEPT], "the newest 50, newest first", "others, or in another order")
}

async fn publish(cx: &Cx, project: &Project) -> Result<CheckedExchange, Stop> {
    cx.call_on(project, Method::POST, "/publish").json(&cx.profile().bodies.publish).send().await
}

async fn empty(cx: Cx) -> CheckResult {
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    let list = cx.get(&webhook.path("/deliveries")).send().await?.expect_in(200..=200)?;
    list.ensure(list.json()?["deliveries"] == json!([]), "{\"deliveries\": []}")
}
