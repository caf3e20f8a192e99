//! The flag on routes that have no preview.

use serde_json::{Value, json};

use crate::check::Claim;
use crate::checks::content::a_document;
use crate::cx::{Call, Cx};
use crate::outcome::CheckResult;

/// DRY-5: publish, restore, languages and output formats.
pub(super) async fn refused(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let first = cx.publish().await?.version_id;
    let second = cx.publish().await?.version_id;
    cx.post("/languages").json(&json!({ "languages": [{ "code": "de" }] })).send().await?.control("POST /languages")?;

    let publish = cx.profile().bodies.publish.clone();
    every_flag(&cx, "publish", &publish, || cx.post("/publish")).await?;
    let restore = format!("/versions/{first}/restore");
    every_flag(&cx, "restore", &json!({}), || cx.post(&restore)).await?;
    every_flag(&cx, "languages", &json!({ "languages": [{ "code": "eo" }] }), || cx.post("/languages")).await?;
    let formats = json!({ "outputFormats": [{ "format": "json", "path": "testkit/{language}.json" }] });
    every_flag(&cx, "output formats", &formats, || cx.post("/output-formats")).await?;

    let languages = cx.post("/languages").json(&json!({ "languages": [{ "code": "de" }] })).send().await?;
    let languages = languages.control("POST /languages")?;
    let added = languages.json()?["languages"].as_array().is_some_and(|all| all.iter().any(|one| one["code"] == "eo"));
    languages.ensure(!added, "a refused request adds no language")?;
    // That the third event is the restore's shows that no refused request made one.
    cx.restore(&first).await?;
    let deliveries = endpoint.wait_for(3).await?;
    let versions: Vec<Value> = deliveries
        .iter()
        .map(|one| serde_json::from_slice::<Value>(&one.body).unwrap_or(Value::Null)["data"]["versionId"].clone())
        .collect();
    let restored = versions.iter().filter(|version| **version == json!(first)).count();
    let published = versions.iter().filter(|version| **version == json!(second)).count();
    cx.equal(
        "events of the publishes and the restore that were not refused",
        &(2, 1, 3),
        &(restored, published, versions.len()),
    )
}

/// DRY-5
pub(super) async fn refused_by_capture(cx: Cx) -> CheckResult {
    let body = cx.filled(&cx.profile().bodies.capture);
    every_flag(&cx, "capture", &body, || cx.post("/capture")).await?;
    cx.post("/capture").json(&body).send().await?.control("POST /capture")?;
    Ok(())
}

/// DRY-5
pub(super) async fn refused_by_content(cx: Cx) -> CheckResult {
    let document = a_document(&cx).await?;
    let path = format!("/content/{document}");
    let before = cx.get(&path).send().await?.control("GET /content/{docId}")?.json()?;
    let body = cx.filled(&cx.profile().bodies.document);
    every_flag(&cx, "POST /content", &body, || cx.post("/content")).await?;
    let changed = json!({ "body": "# Another text\n" });
    every_flag(&cx, "PUT /content/{docId}", &changed, || cx.put(&path)).await?;
    let after = cx.get(&path).send().await?.control("GET /content/{docId}")?.json()?;
    cx.equal("the document's body", &before["body"], &after["body"])
}

/// The flag in the query, in the body, as `false`, and misspelt.
async fn every_flag(cx: &Cx, name: &str, body: &Value, call: impl Fn() -> Call) -> CheckResult {
    let mut flagged = if body.is_object() { body.clone() } else { json!({}) };
    flagged["dryRun"] = json!(true);
    let calls = [
        ("?dryRun=true", call().json(body).query("dryRun", "true")),
        ("?dryRun=false", call().json(body).query("dryRun", "false")),
        ("?dry_run=true", call().json(body).query("dry_run", "true")),
        ("dryRun: true", call().json(&flagged)),
    ];
    for (flag, call) in calls {
        cx.case(format!("{name} with {flag}"), async {
            let answer = call.send().await?;
            answer.ensure(answer.status == 400, "400: this route has no preview")
        })
        .await?;
    }
    Ok(())
}

/// DRY-6
pub(super) async fn not_looked_at(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint().map(|endpoint| endpoint.url().to_owned());
    let url = endpoint.unwrap_or_else(|_| "https://example.com/l10n-testkit".to_owned());
    let body = json!({ "url": url, "events": ["strings.published"] });
    let mut flagged = body.clone();
    flagged["dryRun"] = json!(true);
    let calls = [
        ("?dryRun=true", cx.post("/webhooks").json(&body).query("dryRun", "true")),
        ("dryRun: true", cx.post("/webhooks").json(&flagged)),
    ];
    for (flag, call) in calls {
        cx.case(format!("POST /webhooks with {flag}"), async {
            let before = cx.webhooks().await?;
            let made = call.send().await?.expect_in(200..=299)?;
            let id = made.json()?["webhookId"].clone();
            let has = |all: &[Value]| all.iter().any(|one| one["webhookId"] == id);
            made.ensure(id.is_string() && !has(&before), "a webhookId that was not there before")?;
            made.ensure(has(&cx.webhooks().await?), "the webhook is made, flag or not")
        })
        .await?;
    }
    if cx.claims(Claim::Operations) {
        let asked = cx.post("/operations").json(&json!({ "kind": "publish", "dryRun": true })).send().await?;
        let id = asked.expect_in(200..=299)?.text("/operationId")?;
        cx.get(&format!("/operations/{id}")).send().await?.expect(200)?;
    }
    Ok(())
}
