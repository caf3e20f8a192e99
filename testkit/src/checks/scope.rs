//! The scope that opens each route (§4, §5.5).

use http::Method;
use serde_json::{Value, json};

use super::routes::{self, ROUTES, Route};
use crate::check;
use crate::check::{Check, Claim};
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;
use crate::profile::Identity;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "SCOPE-R-1", covers: ["SCOPE-R-1..5", "AUTH-7"], needs: [ScopedKeys], run: exact },
    check! { id: "SCOPE-R-2", covers: ["SCOPE-R-1..5", "AUTH-7"], needs: [ScopedKeys], run: exact },
    check! { id: "SCOPE-R-3", covers: ["SCOPE-R-1..5", "AUTH-7"], needs: [ScopedKeys, CodeChanges], run: exact },
    check! { id: "SCOPE-R-4", covers: ["SCOPE-R-1..5", "AUTH-7"], needs: [ScopedKeys, Documents], run: exact },
    check! { id: "SCOPE-R-5", covers: ["SCOPE-R-1..5", "AUTH-7"], needs: [ScopedKeys, Documents], run: exact },
    check! { id: "SCOPE-T-1", covers: ["SCOPE-T-1..3", "AUTH-7"], needs: [ScopedKeys, Translate], run: exact },
    check! { id: "SCOPE-T-2", covers: ["SCOPE-T-1..3", "AUTH-7"], needs: [ScopedKeys, Translate], run: exact },
    check! { id: "SCOPE-T-3", covers: ["SCOPE-T-1..3", "AUTH-7"], needs: [ScopedKeys, Documents], run: exact },
    check! { id: "SCOPE-T-4", covers: ["SCOPE-T-4", "AUTH-7"], needs: [ScopedKeys, Operations], run: exact },
    check! { id: "SCOPE-W-1", covers: ["SCOPE-W-1..4", "AUTH-7"], needs: [ScopedKeys, Write], run: exact },
    check! { id: "SCOPE-W-2", covers: ["SCOPE-W-1..4", "AUTH-7"], needs: [ScopedKeys, Write], run: exact },
    check! { id: "SCOPE-W-3", covers: ["SCOPE-W-1..4", "AUTH-7"], needs: [ScopedKeys, Documents], run: exact },
    check! { id: "SCOPE-W-4", covers: ["SCOPE-W-1..4", "AUTH-7"], needs: [ScopedKeys, Documents], run: exact },
    check! { id: "SCOPE-P-1", covers: ["SCOPE-P-1..2", "AUTH-7"], needs: [ScopedKeys, Publish], run: exact },
    check! {
        id: "SCOPE-P-2", covers: ["SCOPE-P-1..2", "AUTH-7"], needs: [ScopedKeys, Publish], publishes: 1, run: exact
    },
    check! {
        id: "SCOPE-P-3", covers: ["SCOPE-P-3", "AUTH-7"], needs: [ScopedKeys, Webhooks, Receiver], slots: 4, run: exact
    },
    check! { id: "SCOPE-P-4", covers: ["SCOPE-P-4", "AUTH-7"], needs: [ScopedKeys, Operations], run: exact },
    check! { id: "SCOPE-C-1", covers: ["SCOPE-C-1", "AUTH-7"], needs: [ScopedKeys, Capture], run: exact },
    check! { id: "SCOPE-ANY-1", covers: ["SCOPE-ANY-1..4"], needs: [ScopedKeys, Requests], run: any },
    check! { id: "SCOPE-ANY-2", covers: ["SCOPE-ANY-1..4"], needs: [ScopedKeys, Operations], run: any },
    check! { id: "SCOPE-ANY-3", covers: ["SCOPE-ANY-1..4"], needs: [ScopedKeys], run: any },
    check! { id: "SCOPE-ANY-4", covers: ["SCOPE-ANY-1..4", "RES-2"], needs: [ScopedKeys], run: any },
    check! { id: "SCOPE-TR-1", needs: [ScopedKeys], run: polling_takes_read_or_translate },
    check! { id: "SCOPE-TR-2", needs: [ScopedKeys], run: one_key_takes_read_or_translate },
    check! { id: "SCOPE-TR-3", needs: [ScopedKeys], run: a_version_takes_read },
    check! { id: "SCOPE-TR-4", needs: [ScopedKeys], run: the_list_takes_read },
    check! { id: "SCOPE-TR-5", needs: [ScopedKeys], run: two_parameters_widen_nothing },
];

fn routes_of(cx: &Cx) -> impl Iterator<Item = &'static Route> {
    let id = cx.check_id();
    ROUTES.iter().filter(move |route| route.scope_check == id)
}

/// The key of the scope gets through, the keys of the others do not.
async fn exact(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let sample = Sample::make(&cx).await?;
    for route in routes_of(&cx) {
        routes::reachable(&cx, route).await?;
        for (identity, scope) in Identity::SINGLE {
            // Without a parameter GET /translations is not in the table of scopes for `translate`: SCOPE-TR-4.
            if route.bare() == "/translations" && identity == Identity::Translate {
                continue;
            }
            cx.case(format!("{} with the scope {scope}", route.name()), async {
                if route.opens_to(identity) {
                    return lets_in(&cx, route.call(&cx).key(identity)?).await;
                }
                let answer = sample.request(&cx, route).key(identity)?.send().await?;
                answer.expect_error(403, "forbidden").map(drop)
            })
            .await?;
        }
    }
    Ok(())
}

/// The key of every scope gets through.
async fn any(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for route in routes_of(&cx) {
        routes::reachable(&cx, route).await?;
        let unknown = route.call(&cx).no_key().send().await?;
        cx.control(unknown.status == 401, "the route is closed to those without a key")?;
        let mut keys = Identity::SINGLE.to_vec();
        if cx.claims(Claim::MembersKey) {
            keys.push((Identity::Members, "the dashboard's members scopes"));
        }
        // What it addresses is there in the case of these two alone.
        let there = matches!(route.bare(), "/credential" | "/projects/resolve");
        for (identity, scope) in keys {
            cx.case(format!("{} with {scope}", route.name()), async {
                let answer = route.call(&cx).key(identity)?.send().await?;
                if there { answer.expect(200) } else { answer.expect(404) }.map(drop)
            })
            .await?;
        }
    }
    Ok(())
}

async fn lets_in(cx: &Cx, call: Call) -> CheckResult {
    let answer = call.send().await?;
    let open = !matches!(answer.status, 401 | 403) && answer.status < 500;
    cx.ensure(open, "the scope opens the route: neither 401 nor 403", answer.outcome())
}

/// The resources that a request addresses, so that only its scope is wrong.
#[derive(Default)]
struct Sample {
    webhook: String,
    url: String,
    version: String,
    document: String,
}

impl Sample {
    async fn make(cx: &Cx) -> Result<Self, crate::outcome::Stop> {
        let mut sample = Self::default();
        match cx.check_id() {
            "SCOPE-P-3" => {
                let endpoint = cx.endpoint()?;
                sample.url = endpoint.url().to_owned();
                sample.webhook = cx.webhook(&endpoint, &[]).await?.id;
            }
            "SCOPE-P-2" => sample.version = cx.publish().await?.version_id,
            "SCOPE-R-5" | "SCOPE-T-3" | "SCOPE-W-4" => {
                let body = cx.filled(&cx.profile().bodies.document);
                let made = cx.post("/content").json(&body).send().await?.control("POST /content")?;
                sample.document = made.json()?["docId"].as_str().unwrap_or_default().to_owned();
                cx.control(!sample.document.is_empty(), "POST /content gives docId")?;
            }
            _ => {}
        }
        Ok(sample)
    }

    /// A request that would be served, were the scope right; of a route whose body the specification and the profile do
    /// not show, the one of the table of routes.
    fn request(&self, cx: &Cx, route: &Route) -> Call {
        let bodies = &cx.profile().bodies;
        let send = |path: String, body: Value| {
            let call = cx.call(route.method.clone(), &path);
            if body.is_null() { call } else { call.json(&body) }
        };
        let webhook = |rest: &str| format!("/webhooks/{}{rest}", self.webhook);
        let document = |rest: &str| format!("/content/{}{rest}", self.document);
        match (route.method.clone(), route.bare()) {
            (_, path @ "/translate") => send(format!("{path}?dryRun=true"), cx.filled(&bodies.translate)),
            (_, path @ "/sync") => send(format!("{path}?dryRun=true"), cx.filled(&bodies.sync)),
            (_, path @ "/publish") => send(path.to_owned(), cx.filled(&bodies.publish)),
            (_, "/versions/{id}/restore") => send(format!("/versions/{}/restore", self.version), json!({})),
            (_, path @ "/capture") => send(path.to_owned(), cx.filled(&bodies.capture)),
            (Method::POST, path @ "/webhooks") => {
                send(path.to_owned(), json!({ "url": self.url, "events": ["strings.published"] }))
            }
            (Method::PATCH, "/webhooks/{id}") => send(webhook(""), json!({ "enabled": true })),
            (Method::DELETE, "/webhooks/{id}") => send(webhook(""), Value::Null),
            (_, "/webhooks/{id}/rotate-secret") => send(webhook("/rotate-secret"), Value::Null),
            (_, "/webhooks/{id}/deliveries") => send(webhook("/deliveries"), Value::Null),
            (_, "/webhooks/{id}/deliveries/{id}/resend") => {
                send(webhook(&format!("/deliveries/{}/resend", cx.unique())), Value::Null)
            }
            (Method::POST, path @ "/content") => send(path.to_owned(), cx.filled(&bodies.document)),
            (Method::PUT, "/content/{id}") => send(document(""), cx.filled(&bodies.document)),
            (_, "/content/{id}") => send(document(""), Value::Null),
            (_, "/content/{id}/run") => send(document("/run"), json!({ "dryRun": true })),
            _ => route.call(cx),
        }
    }
}

/// SCOPE-TR-1
async fn polling_takes_read_or_translate(cx: Cx) -> CheckResult {
    read_or_translate(cx, "trackingToken").await
}

/// SCOPE-TR-2
async fn one_key_takes_read_or_translate(cx: Cx) -> CheckResult {
    read_or_translate(cx, "ref").await
}

async fn read_or_translate(cx: Cx, parameter: &str) -> CheckResult {
    routes::authenticated(&cx).await?;
    let call = || cx.get("/translations").query(parameter, &cx.unique());
    for (identity, scope) in Identity::SINGLE {
        cx.case(format!("?{parameter}= with the scope {scope}"), async {
            let call = call().key(identity)?;
            if matches!(identity, Identity::Read | Identity::Translate) {
                return lets_in(&cx, call).await;
            }
            call.send().await?.expect_error(403, "forbidden").map(drop)
        })
        .await?;
    }
    Ok(())
}

/// SCOPE-TR-3
async fn a_version_takes_read(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for (identity, scope) in Identity::SINGLE {
        cx.case(format!("?version= with the scope {scope}"), async {
            let call = cx.get("/translations").query("version", &cx.unique()).key(identity)?;
            if identity == Identity::Read {
                return lets_in(&cx, call).await;
            }
            call.send().await?.expect_error(403, "forbidden").map(drop)
        })
        .await?;
    }
    Ok(())
}

/// SCOPE-TR-4
async fn the_list_takes_read(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    lets_in(&cx, cx.get("/translations").key(Identity::Read)?).await?;
    let answer = cx.get("/translations").key(Identity::Translate)?.send().await?;
    answer.expect_one_of(&["403 forbidden", "400"]).map(drop)
}

/// SCOPE-TR-5
async fn two_parameters_widen_nothing(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    for pair in [["ref", "version"], ["version", "ref"], ["trackingToken", "version"], ["version", "trackingToken"]] {
        cx.case(pair.join(" and "), async {
            let call = cx.get("/translations").query(pair[0], &cx.unique()).query(pair[1], &cx.unique());
            let answer = call.key(Identity::Translate)?.send().await?;
            answer.expect_one_of(&["403 forbidden", "400"]).map(drop)
        })
        .await?;
    }
    Ok(())
}
