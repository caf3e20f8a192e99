//! Missing resources: 404.

use std::time::Duration;

use http::Method;
use serde_json::json;

use crate::check::Claim;
use crate::checks::content::a_document;
use crate::checks::push::Push;
use crate::cx::{Call, CheckedExchange, Cx};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::profile::Identity;

async fn absent(cx: &Cx, name: impl Into<String>, call: Call) -> CheckResult {
    cx.case(name, async { call.send().await?.expect(404).map(|_| ()) }).await
}

/// ERR-404-1
pub(super) async fn unknown_resources(cx: Cx) -> CheckResult {
    let url = cx.endpoint().map(|endpoint| endpoint.url().to_owned());
    let url = url.unwrap_or_else(|_| "https://example.com/l10n-testkit".to_owned());
    let made = cx.webhook_in(cx.lane(), &url, &[]).await?;
    cx.get(&made.path("/deliveries")).send().await?.control("GET deliveries of a webhook that is there")?;
    let id = cx.unique();
    let hook = format!("/webhooks/{id}");
    absent(&cx, "deliveries of an unknown webhook", cx.get(&format!("{hook}/deliveries"))).await?;
    absent(&cx, "PATCH of an unknown webhook", cx.patch(&hook).json(&json!({ "enabled": true }))).await?;
    absent(&cx, "DELETE of an unknown webhook", cx.delete(&hook)).await?;
    absent(&cx, "rotation for an unknown webhook", cx.post(&format!("{hook}/rotate-secret"))).await?;
    let resend = made.path(&format!("/deliveries/{id}/resend"));
    absent(&cx, "resend of an unknown delivery", cx.post(&resend)).await?;
    absent(&cx, "an unknown operation", cx.get(&format!("/operations/{id}"))).await?;
    absent(&cx, "an unknown request", cx.get(&format!("/requests/{id}"))).await?;
    made.read().await.map(|_| ())
}

/// ERR-404-2
pub(super) async fn elsewhere_is_nowhere(cx: Cx) -> CheckResult {
    let other = cx.other()?.clone();
    let url = format!("https://example.com/{}", cx.unique());
    let url = cx.endpoint().map_or(url, |endpoint| endpoint.url().to_owned());
    let made = a_webhook_there(&cx, &other, &url).await?;
    let ask = async |id: &str| cx.get(&format!("/webhooks/{id}/deliveries")).send().await;
    let there = ask(&made).await?;
    let nowhere = ask(&unlike(&made)).await?;
    let delete = cx.call_on(&other, Method::DELETE, &format!("/webhooks/{made}")).key_of(&other, Identity::Full)?;
    delete.send().await?.control("DELETE of the other project's webhook")?;
    cx.equal("status and code", &nowhere.outcome(), &there.outcome())?;
    there.ensure(there.status == 404, "404")?;
    let shape = |answer: &CheckedExchange, id: &str| -> Result<String, Stop> {
        Ok(answer.json()?["message"].as_str().unwrap_or_default().replace(id, "…"))
    };
    cx.equal("the message", &shape(&nowhere, &unlike(&made))?, &shape(&there, &made)?)
}

/// An id of the same form that names nothing: its last two characters are others.
fn unlike(id: &str) -> String {
    let keep = id.char_indices().rev().nth(1).map_or(0, |(at, _)| at);
    let end = if id.ends_with("00") { "11" } else { "00" };
    format!("{}{end}", &id[..keep])
}

/// Other checks hold webhooks in the other project too: waits for a free place.
async fn a_webhook_there(cx: &Cx, other: &crate::profile::Project, url: &str) -> Result<String, Stop> {
    for _ in 0..20 {
        let body = json!({ "url": url, "events": ["strings.published"] });
        let made = cx.call_on(other, Method::POST, "/webhooks").json(&body).send().await?;
        if made.is_error(409, "webhook_limit") {
            cx.sleep(Duration::from_millis(500)).await;
            continue;
        }
        return made.control("POST /webhooks in the other project")?.text("/webhookId");
    }
    Err(Stop::NotRun(NotRun::Slots("the other project has no place for a webhook".to_owned())))
}

/// ERR-404-3
pub(super) async fn unknown_version(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let id = cx.unique();
    absent(&cx, "restore", cx.post(&format!("/versions/{id}/restore")).json(&json!({}))).await?;
    absent(&cx, "GET /translations?version=", cx.get("/translations").query("version", &id)).await?;
    let published = cx.publish().await?.version_id;
    let read = cx.get("/translations").query("version", &published).send().await?;
    read.control("GET /translations?version= of a version that is there")?;
    let deliveries = endpoint.wait_for(1).await?;
    let first = serde_json::from_slice::<serde_json::Value>(&deliveries[0].body).unwrap_or_default();
    let seen = (deliveries.len(), first["data"]["versionId"].as_str().unwrap_or_default().to_owned());
    cx.equal("events: none of the refused restore, one of the publish", &(1, published), &seen)
}

/// ERR-404-4
pub(super) async fn unknown_document(cx: Cx) -> CheckResult {
    let known = a_document(&cx).await?;
    cx.get(&format!("/content/{known}")).send().await?.control("GET /content/{docId}")?;
    let path = format!("/content/{}", cx.unique());
    absent(&cx, "GET", cx.get(&path)).await?;
    absent(&cx, "PUT", cx.put(&path).json(&json!({ "body": "# A text\n" }))).await?;
    absent(&cx, "run", cx.post(&format!("{path}/run")).json(&json!({ "dryRun": true }))).await?;
    absent(&cx, "GET after PUT", cx.get(&path)).await
}

/// ERR-404-5
pub(super) async fn unknown_key(cx: Cx) -> CheckResult {
    let push = Push::translate(&cx);
    push.lands(&cx).await?;
    absent(&cx, "GET /translations?ref=", cx.get("/translations").query("ref", &cx.unique())).await?;
    if cx.claims(Claim::ScopedKeys) {
        let call = cx.get("/translations").query("ref", &cx.unique()).key(Identity::Translate)?;
        absent(&cx, "with a key `translate`", call).await?;
    }
    Ok(())
}
