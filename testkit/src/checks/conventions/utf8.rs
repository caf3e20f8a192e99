//! Bodies are UTF-8, in and out.

use crate::cx::{Cx, Webhook};
use crate::outcome::{CheckResult, Stop};

/// CONV-2: a character that is no ASCII, sent as itself and escaped, comes back the same.
pub(super) async fn both_ways(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    for (name, sent) in [("as itself", "ü"), ("escaped", "\\u00fc")] {
        cx.case(name, async {
            let path = format!("{}/{name}/%s/end", endpoint.url()).replace(' ', "-");
            let body = format!(r#"{{"url":"{}","events":["strings.published"]}}"#, path.replace("%s", sent));
            let made = cx.post("/webhooks").bytes(body).content_type("application/json").send().await?;
            let made = made.expect_in(200..=299)?;
            let media = made.header("content-type").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
            let json = matches!(media.as_str(), "application/json" | "application/json;charset=utf-8");
            made.ensure_saw(json, "Content-Type: application/json, in UTF-8", media)?;
            made.ensure(std::str::from_utf8(&made.body).is_ok(), "a body in UTF-8")?;
            let wanted = path.replace("%s", "ü");
            cx.equal("url", &wanted, &made.text("/url")?)?;
            let id = made.text("/webhookId")?;
            let listed = cx.webhooks().await?.into_iter().find(|one| one["webhookId"] == id.as_str());
            cx.equal("url in the list", &Some(wanted.as_str()), &listed.as_ref().and_then(|one| one["url"].as_str()))?;
            remove(&cx, &id).await
        })
        .await?;
    }
    Ok(())
}

async fn remove(cx: &Cx, id: &str) -> CheckResult {
    cx.delete(&format!("/webhooks/{id}")).send().await?.control("DELETE of a webhook").map(drop)
}

/// CONV-3
pub(super) async fn invalid_is_malformed(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let Webhook { .. } = cx.webhook(&endpoint, &[]).await?;
    let before = ids(&cx).await?;
    let ends: [&[u8]; 3] = [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80"];
    for end in ends {
        cx.case(format!("{end:02x?} in the url"), async {
            let head = format!(r#"{{"url":"{}/"#, endpoint.url());
            let body = [head.as_bytes(), end, br#"","events":["strings.published"]}"#].concat();
            let answer = cx.post("/webhooks").bytes(body).content_type("application/json").send().await?;
            answer.expect_error(400, "invalid_argument")?;
            cx.equal("the list of webhooks", &before, &ids(&cx).await?)
        })
        .await?;
    }
    Ok(())
}

async fn ids(cx: &Cx) -> Result<Vec<String>, Stop> {
    let mut ids: Vec<_> = cx.webhooks().await?.iter().map(|one| one["webhookId"].to_string()).collect();
    ids.sort();
    Ok(ids)
}
