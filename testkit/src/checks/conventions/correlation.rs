//! `x-correlation-id` (§4).

use std::collections::BTreeSet;

use http::Method;

use crate::check::Claim;
use crate::checks::public::route;
use crate::checks::routes;
use crate::cx::{Call, Cx, Exchange};
use crate::outcome::{CheckResult, Stop};
use crate::profile::Identity;

const HEADER: &str = "x-correlation-id";

/// Longest id that is called sane.
const LONGEST: usize = 200;

/// CONV-5. The run holds every other exchange to it as well.
pub(super) async fn on_every_response(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let mut calls = vec![
        ("2xx", cx.get("/credential")),
        ("the route of health", cx.at(Method::GET, &cx.profile().routes.health)),
        ("400", cx.at(Method::GET, "/projects/resolve").bearer(cx.key_of(cx.lane(), Identity::Full)?)),
        ("401", cx.get("/credential").no_key()),
        ("401 of a key that never was", cx.get("/credential").bearer("eik_nonsense")),
        ("404 of an unknown route", cx.get(&format!("/{}", cx.unique()))),
        ("404 outside of projects", cx.at(Method::GET, &format!("/{}", cx.unique()))),
        ("405 or 404 of a method", cx.delete("/credential")),
    ];
    if cx.claims(Claim::Webhooks) {
        let large = format!("{{{}}}", " ".repeat(1024 * 1024));
        calls.push(("413", cx.post("/webhooks").bytes(large).content_type("application/json")));
        calls.push(("400 of JSON that is none", cx.post("/webhooks").bytes("{").content_type("application/json")));
        calls.push(("404 of a thing", cx.delete(&format!("/webhooks/{}", cx.unique()))));
    }
    if cx.claims(Claim::ScopedKeys) {
        calls.push(("403", cx.get("/meta").key(Identity::Capture)?));
    }
    if cx.claims(Claim::Delivery) {
        let path = route(&cx.profile().routes.manifest, cx.lane());
        calls.push(("the public manifest", cx.at(Method::GET, &path)));
    }
    for (name, call) in calls {
        cx.case(name, carried(call)).await?;
    }
    if cx.claims(Claim::Webhooks) && cx.claims(Claim::Receiver) {
        let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
        cx.case("DELETE", carried(cx.delete(&webhook.path("")))).await?;
    }
    Ok(())
}

async fn carried(call: Call) -> CheckResult {
    let answer = call.send().await?;
    let id = answer.header(HEADER).unwrap_or_default().to_owned();
    answer.ensure_saw(!id.is_empty(), "x-correlation-id on every response", format!("{} without one", answer.outcome()))
}

/// CONV-5, on 429: asks in a project whose window may be used up until it is.
pub(super) async fn over_budget(cx: Cx) -> CheckResult {
    let project = cx.scratch().await?;
    cx.use_up(&project).await?;
    let answer = cx.call_on(&project, Method::GET, "/credential").burst().send().await?;
    cx.control(answer.is_error(429, "rate_limited"), "429 while the window is used up")?;
    let id = answer.header(HEADER).unwrap_or_default();
    answer.ensure_saw(!id.is_empty(), "x-correlation-id on 429", "429 without one")
}

/// CONV-5, on 304 of the public routes. Who answers 200 instead is held to the same.
pub(super) async fn not_modified(cx: Cx) -> CheckResult {
    let version = cx.publish().await?.version_id;
    let path = route(&cx.profile().routes.manifest, cx.lane());
    let manifest = || cx.at(Method::GET, &path);
    let known = cx.shown(&path, &version).await?.control("the manifest of a published project")?;
    let nowhere = cx.get("/no-such-route").send().await?;
    cx.control(nowhere.status >= 400, "a route that is not there is no success")?;
    let tag = known.header("etag").unwrap_or("*").to_owned();
    cx.case("If-None-Match", carried(manifest().header("if-none-match", &tag))).await
}

/// CONV-6. The ids of the whole run are compared as well.
pub(super) async fn one_and_another_each_time(cx: Cx) -> CheckResult {
    let calls = [
        cx.get("/credential"),
        cx.get("/credential"),
        cx.get("/meta"),
        cx.get("/credential").no_key(),
        cx.get("/credential").no_key(),
        cx.get(&format!("/{}", cx.unique())),
    ];
    routes::authenticated(&cx).await?;
    let mut seen = BTreeSet::new();
    for call in calls {
        let answer = call.send().await?;
        let id = sane(&cx, &answer)?;
        answer.ensure_saw(seen.insert(id.clone()), "another id for another request", format!("{id} again"))?;
    }
    Ok(())
}

/// The one id of an answer, where it is fit for logs and support.
fn sane(cx: &Cx, exchange: &Exchange) -> Result<String, Stop> {
    let values: Vec<_> = exchange.headers.get_all(HEADER).iter().collect();
    cx.equal("number of headers x-correlation-id", &1, &values.len())?;
    let bytes = values.first().map(|value| value.as_bytes().to_vec()).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let fit = (1..=LONGEST).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic);
    cx.ensure(fit, format!("1 to {LONGEST} visible ASCII characters"), format!("{} bytes: {text:.80}", bytes.len()))?;
    Ok(text)
}

/// CONV-7: 8,000 bytes are below what proxies take as a header.
pub(super) async fn injects_nothing(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let forms = [
        ("8,000 bytes", "x".repeat(8000)),
        ("an encoded end of line", "a%0d%0aset-cookie:%20testkit=1".to_owned()),
        ("blanks and quotes", "a b \"c\" <d>".to_owned()),
        ("bytes that are no ASCII", "ü".to_owned()),
    ];
    for (name, form) in forms {
        cx.case(name, async {
            let answer = cx.get("/credential").header(HEADER, &form).send().await?;
            sane(&cx, &answer)?;
            answer.ensure(!answer.headers.contains_key("set-cookie"), "no header of the client's making")
        })
        .await?;
    }
    Ok(())
}
