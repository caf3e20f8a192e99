//! Operations: a person is asked (§1, §4, §5).

use http::Method;
use serde_json::{Value, json};

use crate::check;
use crate::check::{Check, Claim};
use crate::checks::push::Push;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "OPS-1", needs: [Operations, AgentKey], run: an_agent_asks },
    check! { id: "OPS-2", needs: [Operations, ScopedKeys], run: any_key_reads },
    check! { id: "OPS-3", needs: [Operations, SecondProject], run: elsewhere_is_nowhere },
    check! { id: "OPS-3-REQUESTS", covers: ["OPS-3"], needs: [Requests, SecondProject], run: requests_elsewhere },
    check! {
        id: "OPS-4", needs: [Operations, Approvals, AgentKey, Publish], publishes: 1, run: an_approval_is_used_once
    },
    check! {
        id: "OPS-4-DENIED", covers: ["OPS-4"], needs: [Operations, Approvals, AgentKey, Publish],
        run: a_denied_operation_allows_nothing
    },
];

/// A request for the approval of a publish.
fn publish() -> Value {
    json!({ "kind": "publish" })
}

/// OPS-1
async fn an_agent_asks(cx: Cx) -> CheckResult {
    let translation = json!({ "kind": "translation", "max_credits": 1 });
    let unknown = cx.get(&format!("/operations/{}", cx.unique())).key(Identity::Agent)?.send().await?;
    cx.control(unknown.status == 404, "that an operation that nobody asked for is not there")?;
    for (name, body) in [("a publish", publish()), ("a translation", translation)] {
        cx.case(name, async {
            let asked = cx.post("/operations").json(&body).key(Identity::Agent)?.send().await?.expect_in(200..=299)?;
            let id = asked.text("/operationId")?;
            let read = cx.get(&format!("/operations/{id}")).key(Identity::Agent)?.send().await?;
            let read = read.control("GET /operations/{operationId}")?.json()?;
            cx.equal("operationId", &json!(id), &read["operationId"])?;
            cx.ensure(read["status"] == "pending", "it waits for a person", read["status"].to_string())
        })
        .await?;
    }
    Ok(())
}

/// OPS-2
async fn any_key_reads(cx: Cx) -> CheckResult {
    let asked = cx.post("/operations").json(&publish()).send().await?.control("POST /operations")?;
    let path = format!("/operations/{}", asked.text("/operationId")?);
    let unknown = cx.get(&format!("/operations/{}", cx.unique())).send().await?;
    cx.control(unknown.status == 404, "that an operation that nobody asked for is not there")?;
    for (identity, scope) in Identity::SINGLE {
        cx.case(format!("a key with the scope {scope} alone"), async {
            cx.get(&path).key(identity)?.send().await?.expect(200).map(|_| ())
        })
        .await?;
    }
    Ok(())
}

/// OPS-3: operations.
async fn elsewhere_is_nowhere(cx: Cx) -> CheckResult {
    let other = cx.other()?.clone();
    let asked = cx.call_on(&other, Method::POST, "/operations").json(&publish()).send().await?;
    let id = asked.control("POST /operations in the other project")?.text("/operationId")?;
    let there = cx.call_on(&other, Method::GET, &format!("/operations/{id}")).send().await?;
    there.control("GET /operations/{operationId} in the other project")?;
    cx.get(&format!("/operations/{id}")).send().await?.expect(404).map(|_| ())
}

/// OPS-3: requests.
async fn requests_elsewhere(cx: Cx) -> CheckResult {
    let other = cx.other()?.clone();
    let push = Push::translate(&cx);
    let written = if cx.claims(Claim::Translate) {
        push.call_in(&cx, &other).send().await?.control("POST /translate in the other project")?
    } else {
        let languages = json!({ "languages": [{ "code": "de" }] });
        let call = cx.call_on(&other, Method::POST, "/languages").json(&languages);
        call.send().await?.control("POST /languages in the other project")?
    };
    let id = written.header("x-correlation-id").unwrap_or_default().to_owned();
    let there = cx.call_on(&other, Method::GET, &format!("/requests/{id}")).send().await?;
    there.control("GET /requests/{requestId} in the other project")?;
    cx.get(&format!("/requests/{id}")).send().await?.expect(404).map(|_| ())
}

/// OPS-4
async fn an_approval_is_used_once(cx: Cx) -> CheckResult {
    cx.seeded().await?;
    let asked = cx.post("/operations").json(&publish()).key(Identity::Agent)?.send().await?;
    let id = asked.control("POST /operations")?.text("/operationId")?;
    let mut body = cx.profile().bodies.publish.clone();
    body["operationId"] = json!(id);
    let attempt = async || cx.post("/publish").json(&body).key(Identity::Agent)?.send().await;
    attempt().await?.expect_error(403, "authorization_required")?;
    let approve = cx.profile().hooks.approve.clone();
    cx.hook("approve", &approve, &[&id]).await?;
    attempt().await?.expect_in(200..=299)?;
    attempt().await?.expect_error(403, "authorization_required").map(|_| ())
}

async fn a_denied_operation_allows_nothing(cx: Cx) -> CheckResult {
    cx.seeded().await?;
    let asked = cx.post("/operations").json(&publish()).key(Identity::Agent)?.send().await?;
    let id = asked.control("POST /operations")?.text("/operationId")?;
    let deny = cx.profile().hooks.deny.clone();
    cx.hook("deny", &deny, &[&id]).await?;
    let read = cx.get(&format!("/operations/{id}")).key(Identity::Agent)?.send().await?;
    let read = read.control("GET /operations/{operationId}")?.json()?;
    cx.ensure(
        !matches!(read["status"].as_str(), Some("pending" | "approved")),
        "it is denied",
        read["status"].to_string(),
    )?;
    let mut body = cx.profile().bodies.publish.clone();
    body["operationId"] = json!(id);
    let attempt = cx.post("/publish").json(&body).key(Identity::Agent)?.send().await?;
    attempt.expect_error(403, "authorization_required").map(|_| ())
}
