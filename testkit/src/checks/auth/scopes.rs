//! Scopes as such: what lacks, what `admin` grants, what they are called. Which scope opens which route is SCOPE-*.

use http::Method;
use serde_json::Value;

use crate::check::Claim;
use crate::checks::routes;
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;

/// AUTH-6: on a route that reads; the table of routes is gone through by SCOPE-*.
pub(super) async fn lacking(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    cx.get("/meta").key(Identity::Read)?.send().await?.control("GET /meta with the scope read")?;
    for identity in [Identity::Translate, Identity::Capture] {
        cx.case(format!("GET /meta with the scope {identity}"), async {
            cx.get("/meta").key(identity)?.send().await?.expect_error(403, "forbidden").map(drop)
        })
        .await?;
    }
    Ok(())
}

/// AUTH-8
pub(super) async fn admin_opens_all(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let known = cx.get("/credential").key(Identity::Admin)?.send().await?.control("GET /credential with admin")?;
    cx.control(known.json()?["scopes"].to_string().contains("admin"), "the key admin has the scope admin")?;
    for route in routes::needed(&cx) {
        cx.case(route.name(), async {
            let answer = route.call(&cx).key(Identity::Admin)?.send().await?;
            let open = !matches!(answer.status, 401 | 403) && answer.status < 500;
            answer.ensure(open, "admin opens the route: neither 401 nor 403")
        })
        .await?;
    }
    Ok(())
}

/// AUTH-9. The specification names two scopes of the dashboard and does not spell them (§5.6).
pub(super) async fn names(cx: Cx) -> CheckResult {
    const NAMES: [&str; 6] = ["read", "translate", "write", "publish", "capture", "admin"];
    routes::authenticated(&cx).await?;
    let mut keys = vec![Identity::Full];
    if cx.claims(Claim::ScopedKeys) {
        keys.extend(Identity::SINGLE.map(|(identity, _)| identity));
    }
    for (claim, identity) in [(Claim::AdminKey, Identity::Admin), (Claim::AgentKey, Identity::Agent)] {
        if cx.claims(claim) {
            keys.push(identity);
        }
    }
    for identity in keys {
        let credential = cx.get("/credential").key(identity)?.send().await?.control("GET /credential")?;
        cx.case(format!("the key {identity}"), async {
            let body = credential.json()?;
            let scopes = body["scopes"].as_array().cloned().unwrap_or_default();
            let known = |scope: &Value| {
                let scope = scope.as_str().unwrap_or_default();
                NAMES.contains(&scope) || scope.contains("members")
            };
            credential.ensure(!scopes.is_empty() && scopes.iter().all(known), format!("scopes among {NAMES:?}"))
        })
        .await?;
    }
    Ok(())
}

/// AUTH-10
pub(super) async fn members_open_nothing(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for route in routes::claimed(&cx) {
        cx.case(route.name(), async {
            let answer = route.call(&cx).key(Identity::Members)?.send().await?;
            if route.scopes.is_empty() {
                let found = matches!(answer.status, 200 | 404);
                return answer.ensure(found, "any key of the project may ask");
            }
            answer.expect_error(403, "forbidden").map(drop)
        })
        .await?;
    }
    Ok(())
}

/// AUTH-5
pub(super) async fn revoked(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for path in ["/credential", "/meta"] {
        cx.case(format!("{} {path}", Method::GET), async {
            cx.get(path).key(Identity::Revoked)?.send().await?.expect_error(401, "unauthorized").map(drop)
        })
        .await?;
    }
    Ok(())
}
