//! Versioning (§9).

use serde_json::Value;

use crate::check;
use crate::check::Check;
use crate::cx::Cx;
use crate::outcome::CheckResult;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "VER-1", needs: [], run: served_under_v1 },
    check! {
        id: "VER-2", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: events_carry_schema_version
    },
    check! { id: "VER-3", needs: [Publish], publishes: 1, run: versions_are_strings },
];

async fn served_under_v1(cx: Cx) -> CheckResult {
    cx.ensure(cx.profile().base_url.ends_with("/v1"), "base_url ends in /v1", cx.profile().base_url.clone())?;
    let answer = cx.get("/credential").send().await?.expect_in(200..=299)?;
    answer.ensure(answer.json()?["scopes"].is_array(), "the API under base_url")?;
    let nowhere = cx.get("/no-such-route").send().await?;
    cx.control(nowhere.status == 404 || nowhere.status == 401, "a route that is not there is no success")?;
    cx.at(http::Method::GET, &cx.profile().routes.health).send().await?.control("the route of health").map(drop)
}

async fn events_carry_schema_version(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    let deliveries = endpoint.wait_for(1).await?;
    let event: Value = serde_json::from_slice(&deliveries[0].body).unwrap_or(Value::Null);
    cx.equal("schemaVersion", &Value::from(1), &event["schemaVersion"])
}

async fn versions_are_strings(cx: Cx) -> CheckResult {
    let published = cx.publish().await?;
    let unknown = cx.get("/translations?version=none").send().await?;
    cx.control(unknown.status == 404 || unknown.status == 400, "a version that is not there is refused")?;
    let id = &published.body["versionId"];
    cx.ensure(id.as_str().is_some_and(|id| !id.is_empty()), "versionId is a string", id.to_string())
}
