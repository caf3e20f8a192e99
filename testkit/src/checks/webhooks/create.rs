//! `POST /webhooks` (§4).

use serde_json::{Value, json};

use super::{body, nothing_written, standing};
use crate::check;
use crate::check::Check;
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-CR-1", needs: [Webhooks, Receiver], slots: 1, run: shape },
    check! { id: "WH-CR-2", needs: [Webhooks, Receiver], slots: 1, run: url_is_needed },
    check! { id: "WH-CR-3", needs: [Webhooks, Receiver], slots: 1, run: events_are_needed },
    check! { id: "WH-CR-4", needs: [Webhooks, Receiver], slots: 1, run: unknown_events },
    check! { id: "WH-CR-5", needs: [Webhooks, Receiver], slots: 1, run: no_events },
    check! { id: "WH-CR-6", needs: [Webhooks, Receiver], slots: 1, run: refused_writes_nothing },
    check! { id: "WH-CR-7", needs: [Webhooks, Receiver], slots: 1, run: broken_bodies },
    check! { id: "WH-CR-8", needs: [Webhooks, Receiver], slots: 1, run: array_for_object },
];

async fn shape(cx: Cx) -> CheckResult {
    let url = cx.endpoint()?.url().to_owned();
    cx.webhooks().await?;
    let made = cx.post("/webhooks").json(&body(&url)).send().await?.expect_one_of(&["200", "201"])?;
    let answer = made.json()?;
    for name in ["webhookId", "url", "secret"] {
        made.ensure(answer[name].as_str().is_some_and(|text| !text.is_empty()), format!("{name}: a string"))?;
    }
    made.ensure(answer["events"] == json!(["strings.published"]), "events: [\"strings.published\"]")?;
    made.ensure(answer["enabled"].is_boolean(), "enabled: a boolean")?;
    made.ensure(answer["url"] == url, "url as it was registered")
}

async fn url_is_needed(cx: Cx) -> CheckResult {
    let values = [Value::Null, json!(""), json!(5), json!(["https://example.com/"]), json!({}), json!(true)];
    refused_without(&cx, "url", &values).await
}

async fn events_are_needed(cx: Cx) -> CheckResult {
    let values = [Value::Null, json!("strings.published"), json!({ "strings.published": true }), json!(1), json!(true)];
    refused_without(&cx, "events", &values).await
}

/// Creation without a member, and with each of these values of it.
async fn refused_without(cx: &Cx, name: &str, values: &[Value]) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let before = standing(cx).await?;
    let whole = body(endpoint.url());
    let mut cases = vec![(format!("without {name}"), whole.clone())];
    if let Some(members) = cases[0].1.as_object_mut() {
        members.remove(name);
    }
    for value in values {
        let mut broken = whole.clone();
        broken[name].clone_from(value);
        cases.push((format!("{name}: {value}"), broken));
    }
    for (case, body) in cases {
        cx.case(case, refused(cx, cx.post("/webhooks").json(&body), &before)).await?;
    }
    Ok(())
}

async fn refused(cx: &Cx, call: Call, before: &[Value]) -> CheckResult {
    let answer = call.send().await?.expect(400);
    // Both are said: what was answered, and what was written.
    let written = nothing_written(cx, before).await;
    answer.map(drop).and(written)
}

async fn unknown_events(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let before = standing(&cx).await?;
    for events in [
        json!(["strings.published", "x.y"]),
        json!(["Strings.Published"]),
        json!(["strings.published", "CONTENT.PUBLISHED"]),
        json!(["*"]),
        json!(["strings.published", 1]),
        json!(["strings.published", null]),
        json!([["strings.published"]]),
    ] {
        let call = cx.post("/webhooks").json(&json!({ "url": endpoint.url(), "events": events }));
        cx.case(events.to_string(), refused(&cx, call, &before)).await?;
    }
    Ok(())
}

/// AMB-15.
async fn no_events(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let before = standing(&cx).await?;
    let call = cx.post("/webhooks").json(&json!({ "url": endpoint.url(), "events": [] }));
    refused(&cx, call, &before).await
}

async fn refused_writes_nothing(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let before = standing(&cx).await?;
    let url = endpoint.url();
    let broken = [
        json!({ "events": ["strings.published"] }),
        json!({ "url": url }),
        json!({ "url": url, "events": ["x.y"] }),
        json!({ "url": url, "events": "strings.published" }),
        json!({ "url": url.replace("https:", "http:"), "events": ["strings.published"] }),
        json!({ "url": "https://10.0.0.1/", "events": ["strings.published"] }),
        json!(["strings.published"]),
    ];
    for body in broken {
        let call = cx.post("/webhooks").json(&body);
        cx.case(body.to_string(), refused(&cx, call, &before)).await?;
    }
    Ok(())
}

/// AMB-31 for the member that is there twice.
async fn broken_bodies(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let before = standing(&cx).await?;
    let whole = body(endpoint.url()).to_string();
    let twice = whole.replacen('{', &format!("{{\"url\":{},", json!(format!("{}/first", endpoint.url()))), 1);
    for (case, bytes) in [
        ("an empty array", "[]".to_owned()),
        ("a string", "\"x\"".to_owned()),
        ("null", "null".to_owned()),
        ("something behind the object", format!("{whole}x")),
        ("two objects", format!("{whole}{whole}")),
        ("`url` twice", twice),
    ] {
        let call = cx.post("/webhooks").bytes(bytes).content_type("application/json");
        cx.case(case, refused(&cx, call, &before)).await?;
    }
    Ok(())
}

async fn array_for_object(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let before = standing(&cx).await?;
    let call = cx.post("/webhooks").json(&json!([endpoint.url(), ["strings.published"]]));
    refused(&cx, call, &before).await
}
