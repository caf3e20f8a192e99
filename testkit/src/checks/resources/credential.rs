//! API keys, and what `GET /credential` tells of them.

use std::collections::BTreeSet;

use http::Method;
use serde_json::Value;

use crate::check::Claim;
use crate::checks::routes;
use crate::cx::Cx;
use crate::outcome::{CheckResult, Stop};
use crate::profile::Identity;

/// The credential of a key of the check's project.
async fn read(cx: &Cx, identity: Identity) -> Result<Value, Stop> {
    let answer = cx.get("/credential").key(identity)?.send().await?;
    answer.control(&format!("GET /credential with the key {identity}"))?.json()
}

fn scopes(credential: &Value) -> BTreeSet<&str> {
    credential["scopes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// RES-5
pub(super) async fn types(cx: Cx) -> CheckResult {
    routes::discerning(&cx).await?;
    let answer = cx.get("/credential").send().await?.control("GET /credential")?;
    let credential = answer.json()?;
    let listed = credential["scopes"].as_array().is_some_and(|scopes| scopes.iter().all(Value::is_string));
    answer.ensure(listed, "scopes: an array of strings")?;
    answer.ensure(credential["requires_operation_approval"].is_boolean(), "requires_operation_approval: true or false")
}

/// RES-6
pub(super) async fn scopes_of_the_key(cx: Cx) -> CheckResult {
    for (identity, scope) in Identity::SINGLE {
        let credential = read(&cx, identity).await?;
        cx.case(format!("the key {identity}"), async {
            cx.equal("scopes", &BTreeSet::from([scope]), &scopes(&credential))
        })
        .await?;
    }
    let credential = read(&cx, Identity::Admin).await?;
    cx.case("the key admin", async {
        cx.ensure(scopes(&credential).contains("admin"), "scopes with admin", credential["scopes"].to_string())
    })
    .await?;
    if cx.claims(Claim::AgentKey) {
        let credential = read(&cx, Identity::Agent).await?;
        cx.case("the key agent", async {
            cx.equal("scopes", &BTreeSet::from(["read", "translate", "publish"]), &scopes(&credential))
        })
        .await?;
    }
    Ok(())
}

/// RES-7
pub(super) async fn kind_of_the_key(cx: Cx) -> CheckResult {
    for (identity, agent) in [(Identity::Full, false), (Identity::Agent, true)] {
        let credential = read(&cx, identity).await?;
        cx.case(format!("the key {identity}"), async {
            cx.equal("requires_operation_approval", &Value::Bool(agent), &credential["requires_operation_approval"])
        })
        .await?;
    }
    Ok(())
}

/// RES-8: AUTH-4 from the other side.
pub(super) async fn one_project(cx: Cx) -> CheckResult {
    let other = cx.other()?.clone();
    let known = cx.call_on(&other, Method::GET, "/credential").send().await?;
    known.control("GET /credential of the other project with a key of that project")?;
    routes::authenticated(&cx).await?;
    let key = cx.key_of(cx.lane(), Identity::Full)?.to_owned();
    for route in routes::claimed(&cx).filter(|route| route.bare() != "/projects/resolve") {
        cx.case(route.name(), async {
            let answer = route.call_on(&cx, &other).bearer(&key).send().await?;
            answer.expect_error(401, "unauthorized").map(drop)
        })
        .await?;
    }
    Ok(())
}

/// RES-9
pub(super) async fn prefix(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for (identity, key) in &cx.lane().keys {
        let prefixed = key.expose().starts_with("eik_");
        cx.ensure(prefixed, "a key starts with eik_", format!("the key {identity} starts otherwise"))?;
    }
    let key = cx.key_of(cx.lane(), Identity::Full)?.trim_start_matches("eik_").to_owned();
    cx.get("/credential").bearer(&key).send().await?.expect_error(401, "unauthorized").map(drop)
}

/// RES-10. The run holds every other exchange to it as well.
pub(super) async fn never_returned(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let key = cx.key_of(cx.lane(), Identity::Full)?.to_owned();
    let wrong = format!("{key}x");
    let mut calls = vec![
        ("the credential", cx.get("/credential")),
        ("meta", cx.get("/meta")),
        ("an unknown route", cx.get(&format!("/{}", cx.unique()))),
        ("a parameter that is missing", cx.at(Method::GET, "/projects/resolve").bearer(&key)),
        ("a key that is nearly right", cx.get("/credential").bearer(&wrong)),
        ("a wrong scheme", cx.get("/credential").authorization(&format!("Token {key}"))),
    ];
    if cx.claims(Claim::ScopedKeys) {
        calls.push(("a scope too few", cx.get("/meta").key(Identity::Capture)?));
    }
    if cx.claims(Claim::Webhooks) {
        calls.push(("the list of webhooks", cx.get("/webhooks")));
    }
    let known: Vec<_> = cx.lane().keys.values().map(|key| key.expose().to_owned()).collect();
    for (name, call) in calls {
        cx.case(name, async {
            let answer = call.send().await?;
            let body = String::from_utf8_lossy(&answer.body).into_owned();
            let headers = format!("{:?}", answer.headers);
            let shown = known.iter().any(|key| body.contains(key) || headers.contains(key));
            answer.ensure(!shown, "no response returns the text of an API key")
        })
        .await?;
    }
    Ok(())
}
