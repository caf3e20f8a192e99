//! Keys of AI agents: what needs a person's approval, and what does not (§5.7).

use http::Method;
use serde_json::{Value, json};

use crate::check::Claim;
use crate::checks::routes;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;

/// A webhook whose log tells whether something was published.
async fn no_more_than(cx: &Cx, webhook: &crate::cx::Webhook, versions: &[&str]) -> CheckResult {
    let log = webhook.log().await?;
    let of_others = log.len().saturating_sub(versions.len());
    cx.ensure(of_others == 0, "nothing was published or restored", format!("{of_others} further deliveries in the log"))
}

/// AUTH-11, publish and restore: refused, and no event tells of either.
pub(super) async fn publishing(cx: Cx) -> CheckResult {
    let first = cx.publish().await?;
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    cx.case("POST /publish", async {
        let call = cx.post("/publish").json(&cx.profile().bodies.publish).key(Identity::Agent)?;
        call.send().await?.expect_error(403, "authorization_required").map(drop)
    })
    .await?;
    let second = cx.publish().await?;
    endpoint.wait_for(1).await?;
    cx.case("POST /versions/{versionId}/restore", async {
        let call = cx.post(&format!("/versions/{}/restore", first.version_id)).json(&json!({}));
        call.key(Identity::Agent)?.send().await?.expect_error(403, "authorization_required").map(drop)
    })
    .await?;
    let arrived = endpoint.deliveries();
    let event: Value = arrived.first().and_then(|one| serde_json::from_slice(&one.body).ok()).unwrap_or(Value::Null);
    cx.equal("the version of the one event", &json!(second.version_id), &event["data"]["versionId"])?;
    no_more_than(&cx, &webhook, &[&second.version_id]).await
}

/// AUTH-11, translate and sync: refused, and the key is not there.
pub(super) async fn translating(cx: Cx) -> CheckResult {
    let bodies = &cx.profile().bodies;
    let (translate, sync) = (cx.filled(&bodies.translate), cx.filled(&bodies.sync));
    let content = sync["file"]["content"].as_str().unwrap_or_default();
    let file = serde_json::from_str::<Value>(content).unwrap_or_default();
    let synced = file.as_object().and_then(|keys| keys.keys().next().cloned());
    let translated = translate["keys"][0]["ref"].as_str().map(str::to_owned);
    for (path, body, key) in [("/translate", &translate, translated), ("/sync", &sync, synced)] {
        let preview = cx.post(path).query("dryRun", "true").json(body).send().await?;
        preview.control(&format!("POST {path}?dryRun=true of the same body"))?;
        cx.case(format!("POST {path}"), async {
            let call = cx.post(path).json(body).key(Identity::Agent)?;
            call.send().await?.expect_error(403, "authorization_required")?;
            // Where the profile's bodies are of another shape, there is no key to look for.
            let Some(key) = key else { return Ok(()) };
            let read = cx.get("/translations").query("ref", &key).send().await?;
            read.ensure(read.status == 404, "nothing ran: the key is not there")
        })
        .await?;
    }
    Ok(())
}

/// AUTH-11, the run of a document.
pub(super) async fn running_documents(cx: Cx) -> CheckResult {
    let body = cx.filled(&cx.profile().bodies.document);
    let made = cx.post("/content").json(&body).send().await?.control("POST /content")?;
    let path = format!("/content/{}/run", made.text("/docId")?);
    cx.post(&path).json(&json!({ "dryRun": true })).send().await?.control("the preview of the run")?;
    let answer = cx.post(&path).json(&json!({})).key(Identity::Agent)?.send().await?;
    answer.expect_error(403, "authorization_required").map(drop)
}

/// AUTH-12
pub(super) async fn what_needs_no_approval(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let agent = |method: Method, path: &str| cx.call(method, path).key(Identity::Agent);
    for path in ["/credential", "/meta"] {
        cx.case(format!("GET {path}"), async { agent(Method::GET, path)?.send().await?.expect(200).map(drop) }).await?;
    }
    cx.case("GET /translations?ref=", async {
        let answer = agent(Method::GET, "/translations")?.query("ref", &cx.unique()).send().await?;
        answer.ensure(!matches!(answer.status, 401 | 403), "an agent with the scope reads")
    })
    .await?;
    if !cx.claims(Claim::Webhooks) || !cx.claims(Claim::Receiver) {
        return Ok(());
    }
    let body = json!({ "url": cx.endpoint()?.url(), "events": ["strings.published"] });
    let made = agent(Method::POST, "/webhooks")?.json(&body).send().await?.expect_in(200..=299)?;
    let path = format!("/webhooks/{}", made.text("/webhookId")?);
    for (method, path, body) in [
        (Method::GET, "/webhooks".to_owned(), None),
        (Method::PATCH, path.clone(), Some(json!({ "enabled": true }))),
        (Method::POST, format!("{path}/rotate-secret"), None),
        (Method::GET, format!("{path}/deliveries"), None),
        (Method::DELETE, path, None),
    ] {
        cx.case(format!("{method} of webhooks"), async {
            let call = agent(method, &path)?;
            let call = body.map_or(call.clone(), |body| call.json(&body));
            call.send().await?.expect_in(200..=299).map(drop)
        })
        .await?;
    }
    Ok(())
}

/// AUTH-13
pub(super) async fn scope_before_approval(cx: Cx) -> CheckResult {
    let known =
        cx.get("/credential").key(Identity::AgentReader)?.send().await?.control("GET /credential of the agent")?;
    let body = known.json()?;
    cx.control(body["requires_operation_approval"] == true, "the key agent-reader is of an agent")?;
    cx.get("/meta").key(Identity::AgentReader)?.send().await?.control("GET /meta of the agent")?;
    let call = cx.post("/publish").json(&cx.profile().bodies.publish).key(Identity::AgentReader)?;
    call.send().await?.expect_error(403, "forbidden").map(drop)
}
