//! 401, 403 and wrong methods.

use http::Method;
use serde_json::json;

use crate::check::Claim;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;

/// ERR-401-1
pub(super) async fn unauthorized(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential")?;
    cx.get("/credential").no_key().send().await?.expect_error(401, "unauthorized")?;
    let random = format!("eik_{}", cx.unique());
    cx.get("/credential").bearer(&random).send().await?.expect_error(401, "unauthorized")?;
    cx.get("/credential").authorization("Basic dGVzdDprZXk=").send().await?.expect_error(401, "unauthorized")?;
    if cx.claims(Claim::SecondProject) {
        let other = cx.other()?.clone();
        let call = cx.get("/credential").key_of(&other, Identity::Full)?;
        call.send().await?.expect_error(401, "unauthorized")?;
    }
    if cx.claims(Claim::RevokedKey) {
        cx.get("/credential").key(Identity::Revoked)?.send().await?.expect_error(401, "unauthorized")?;
    }
    Ok(())
}

/// ERR-403-1
pub(super) async fn forbidden(cx: Cx) -> CheckResult {
    cx.webhooks().await?;
    let refused = |identity: Identity| {
        let cx = cx.clone();
        async move { cx.get("/webhooks").key(identity)?.send().await?.expect_error(403, "forbidden").map(|_| ()) }
    };
    for identity in [Identity::Read, Identity::Translate, Identity::Write, Identity::Capture] {
        cx.case(format!("GET /webhooks with the key `{identity}`"), refused(identity)).await?;
    }
    if cx.claims(Claim::AgentKey) && cx.claims(Claim::Publish) {
        cx.seeded().await?;
        let publish = cx.post("/publish").json(&cx.profile().bodies.publish).key(Identity::Agent)?;
        publish.send().await?.expect_error(403, "authorization_required")?;
    }
    Ok(())
}

/// ERR-405-1
pub(super) async fn wrong_method(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential")?;
    let cases = [
        (Method::DELETE, "/credential"),
        (Method::POST, "/credential"),
        (Method::PUT, "/webhooks"),
        (Method::PATCH, "/publish"),
        (Method::GET, "/translate"),
    ];
    for (method, path) in cases {
        cx.case(format!("{method} {path}"), async {
            let answer = cx.call(method, path).json(&json!({})).send().await?;
            answer.ensure(matches!(answer.status, 404 | 405), "404 or 405")?;
            let body = answer.json()?;
            answer.ensure(body["error"].is_string() && body["message"].is_string(), "the body of an error")
        })
        .await?;
    }
    Ok(())
}
