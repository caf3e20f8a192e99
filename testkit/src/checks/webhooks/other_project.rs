//! Webhooks of another project (§5.3).

use http::Method;
use serde_json::json;

use super::{entry_until, event_id, fields_of};
use crate::check;
use crate::check::{Check, Claim};
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-PA-8", needs: [Webhooks, Receiver, SecondProject], slots: 1, run: out_of_reach },
    check! {
        id: "WH-PA-8.resend", covers: ["WH-PA-8"], needs: [Webhooks, Receiver, Publish, SecondProject], slots: 1,
        publishes: 1, run: resend_out_of_reach
    },
];

/// With a key of the one project, under its path, the webhook of the other.
async fn out_of_reach(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let mine = cx.webhook(&endpoint, &[]).await?;
    let theirs = cx.webhook_in(cx.other()?, endpoint.url(), &[]).await?;
    let before = fields_of(&theirs.read().await?);
    let body = json!({ "enabled": false });
    let (rotation, log) = ("/rotate-secret", "/deliveries");
    let calls: [(&str, Call, Call); 4] = [
        ("PATCH", cx.patch(&mine.path("")).json(&body), cx.patch(&theirs.path("")).json(&body)),
        ("rotate-secret", cx.post(&mine.path(rotation)), cx.post(&theirs.path(rotation))),
        ("GET deliveries", cx.get(&mine.path(log)), cx.get(&theirs.path(log))),
        ("DELETE", cx.delete(&mine.path("")), cx.delete(&theirs.path(""))),
    ];
    for (name, own, other) in calls {
        own.send().await?.control(name)?;
        cx.case(name, async {
            let answer = other.send().await?.expect(404);
            let now = theirs.read().await.map(|now| fields_of(&now));
            answer.map(drop).and(cx.equal("the other project's webhook, as before", &before, &now?))
        })
        .await?;
    }
    Ok(())
}

async fn resend_out_of_reach(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let project = cx.other()?.clone();
    let theirs = cx.webhook_in(&project, endpoint.url(), &[]).await?;
    if cx.claims(Claim::Translate) {
        let keys = cx.filled(&cx.profile().bodies.translate);
        cx.call_on(&project, Method::POST, "/translate").json(&keys).send().await?.control("POST /translate")?;
    }
    let publish = cx.call_on(&project, Method::POST, "/publish").json(&cx.profile().bodies.publish);
    publish.send().await?.control("POST /publish")?;
    let event = event_id(&endpoint.wait_for(1).await?[0]);
    let entry = entry_until(&cx, &theirs, &event, "status delivered", |entry| entry["status"] == "delivered").await?;
    let path = theirs.path(&format!("/deliveries/{}/resend", entry["deliveryId"].as_str().unwrap_or_default()));
    cx.post(&path).send().await?.expect(404)?;
    cx.call_on(&project, Method::POST, &path).send().await?.control("resend by its own project")?;
    let count = |all: &[crate::receiver::Delivery]| all.iter().filter(|one| event_id(one) == event).count();
    let all = endpoint.wait_until("the resent delivery", |all| count(all) >= 2).await?;
    cx.equal("deliveries of the event, the one that its own project asked for included", &2, &count(&all))
}
