//! `PATCH /webhooks/{webhookId}` (§4).

use serde_json::{Value, json};

use super::urls::{OF_EACH_CLASS, on_receiver};
use super::{fields_of, signed_with, sorted};
use crate::check;
use crate::check::Check;
use crate::cx::{Call, Cx, Webhook};
use crate::outcome::CheckResult;

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-PA-1", needs: [Webhooks, Receiver], slots: 1, run: just_that },
    check! { id: "WH-PA-2", needs: [Webhooks, Receiver], slots: 1, run: none_of_the_three },
    check! { id: "WH-PA-3", needs: [Webhooks, Receiver], slots: 1, run: wrong_types },
    check! { id: "WH-PA-4", needs: [Webhooks, Receiver], slots: 1, run: url_is_judged_again },
    check! { id: "WH-PA-5", needs: [Webhooks, Receiver], slots: 1, run: all_or_nothing },
    check! { id: "WH-PA-6", needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: secret_stays },
    check! { id: "WH-PA-7", needs: [Webhooks, Receiver], slots: 2, run: unknown_webhooks },
];

/// Disabled first, and events that are not all: what goes back to a default shows.
async fn just_that(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let mut expected = fields_of(&webhook.read().await?);
    let moved = format!("{}/moved?to=here", endpoint.url());
    for (name, value) in [
        ("enabled", json!(false)),
        ("url", json!(moved)),
        ("events", json!(["content.published"])),
        ("url", json!(endpoint.url())),
        ("enabled", json!(true)),
        ("events", json!(["content.published", "strings.published"])),
    ] {
        cx.case(format!("PATCH {{{name}: {value}}}"), async {
            let body = json!({ name: value });
            cx.patch(&webhook.path("")).json(&body).send().await?.expect_in(200..=299)?;
            expected[name].clone_from(&value);
            let mut now = fields_of(&webhook.read().await?);
            now["events"] = sorted(&now["events"]);
            cx.equal("the webhook", &expected, &now)
        })
        .await?;
    }
    Ok(())
}

/// A webhook that is disabled, so that one that a refused PATCH enables shows.
async fn disabled(cx: &Cx) -> Result<Webhook, crate::outcome::Stop> {
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    let body = json!({ "enabled": false });
    cx.patch(&webhook.path("")).json(&body).send().await?.control("PATCH {enabled: false}")?;
    Ok(webhook)
}

/// Asserts 400, and that the webhook is as it was.
async fn refused(cx: &Cx, webhook: &Webhook, call: Call, before: &Value) -> CheckResult {
    let answer = call.send().await?.expect(400);
    let now = fields_of(&webhook.read().await?);
    answer.map(drop).and(cx.equal("the webhook, as before", before, &now))
}

/// AMB-19.
async fn none_of_the_three(cx: Cx) -> CheckResult {
    let webhook = disabled(&cx).await?;
    let before = fields_of(&webhook.read().await?);
    let patch = || cx.patch(&webhook.path(""));
    for body in [json!({}), json!({ "foo": 1 }), json!({ "secret": "whsec_x" }), json!({ "Enabled": true })] {
        cx.case(body.to_string(), refused(&cx, &webhook, patch().json(&body), &before)).await?;
    }
    let empty = patch().content_type("application/json");
    cx.case("an empty body", refused(&cx, &webhook, empty, &before)).await
}

async fn wrong_types(cx: Cx) -> CheckResult {
    let webhook = disabled(&cx).await?;
    let before = fields_of(&webhook.read().await?);
    for body in [
        json!({ "enabled": "true" }),
        json!({ "enabled": 1 }),
        json!({ "enabled": [true] }),
        json!({ "events": "content.published" }),
        json!({ "events": { "content.published": true } }),
        json!({ "events": ["x.y"] }),
        json!({ "url": 5 }),
        json!({ "url": ["https://example.com/"] }),
        json!([null, null, true]),
    ] {
        cx.case(body.to_string(), refused(&cx, &webhook, cx.patch(&webhook.path("")).json(&body), &before)).await?;
    }
    Ok(())
}

/// §4 rule 1.
async fn url_is_judged_again(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let moved = json!({ "url": format!("{}/moved", endpoint.url()) });
    cx.patch(&webhook.path("")).json(&moved).send().await?.control("PATCH {url} to a public https URL")?;
    let before = fields_of(&webhook.read().await?);
    let urls = on_receiver(&endpoint, &["http://{host}/", "https://u:p@{host}/", "//{host}/"]);
    for url in urls.into_iter().chain(OF_EACH_CLASS.iter().map(|url| (*url).to_owned())) {
        let call = cx.patch(&webhook.path("")).json(&json!({ "url": url }));
        cx.case(url, refused(&cx, &webhook, call, &before)).await?;
    }
    Ok(())
}

async fn all_or_nothing(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let before = fields_of(&webhook.read().await?);
    let moved = format!("{}/moved", endpoint.url());
    for body in [
        json!({ "enabled": false, "url": "http://x" }),
        json!({ "enabled": false, "url": "https://127.0.0.1/" }),
        json!({ "url": moved, "events": ["x.y"] }),
        json!({ "url": moved, "enabled": "no" }),
        json!({ "events": ["content.published"], "enabled": false, "url": "https://10.0.0.1/" }),
    ] {
        cx.case(body.to_string(), refused(&cx, &webhook, cx.patch(&webhook.path("")).json(&body), &before)).await?;
    }
    Ok(())
}

async fn secret_stays(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&cx.endpoint()?, &["content.published"]).await?;
    let hint = webhook.read().await?["secretHint"].clone();
    for body in [
        json!({ "url": endpoint.url() }),
        json!({ "events": ["strings.published"] }),
        json!({ "enabled": false }),
        json!({ "enabled": true }),
    ] {
        cx.patch(&webhook.path("")).json(&body).send().await?.control("PATCH of one field")?;
    }
    cx.equal("secretHint", &hint, &webhook.read().await?["secretHint"])?;
    cx.publish().await?;
    let delivery = endpoint.wait_for(1).await?.remove(0);
    cx.equal("v1 values by the secret of creation (0)", &vec![Some(0)], &signed_with(&delivery, &[&webhook.secret]))
}

async fn unknown_webhooks(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let (webhook, deleted) = (cx.webhook(&endpoint, &[]).await?, cx.webhook(&endpoint, &[]).await?);
    cx.delete(&deleted.path("")).send().await?.control("DELETE")?;
    let body = json!({ "enabled": false });
    let random: String = webhook.id.chars().take(4).chain(cx.unique().chars()).collect();
    // A server or proxy may refuse the last two by their form before it looks for a webhook.
    let cases = [
        ("a random id", random, &["404"][..]),
        ("the id of a deleted one", deleted.id.clone(), &["404"]),
        // A proxy may take no longer lines than 8 KiB, and refuses them in its own way.
        ("an id of 7,000 bytes", "a".repeat(7_000), &["404", "400", "414"]),
        ("..%2f", format!("..%2f{}", webhook.id), &["404", "400"]),
    ];
    for (case, id, statuses) in cases {
        cx.case(case, async {
            cx.patch(&format!("/webhooks/{id}")).json(&body).send().await?.expect_one_of(statuses)?;
            Ok(())
        })
        .await?;
    }
    let enabled = webhook.read().await?["enabled"].clone();
    cx.equal("enabled of the webhook that is there", &json!(true), &enabled)?;
    cx.patch(&webhook.path("")).json(&body).send().await?.control("PATCH of a webhook that is there")?;
    Ok(())
}
