//! Valid and invalid URLs of a webhook (§2, §4 rule 1).

pub(in crate::checks) mod addresses;
pub(in crate::checks) mod delivered;
pub(in crate::checks) mod resolved;
pub(in crate::checks) mod spelling;

use serde_json::Value;

use super::{body, nothing_written, standing};
use crate::cx::{Cx, Endpoint};
use crate::outcome::CheckResult;

/// One URL of each class that is refused for where it leads, for checks of other routes.
pub(super) const OF_EACH_CLASS: &[&str] = &[
    "https://10.0.0.1/",
    "https://127.0.0.1/",
    "https://localhost/",
    "https://169.254.169.254/",
    "https://100.64.0.1/",
    "https://0x7f.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fc00::1]/",
    "https://host.invalid/",
];

/// URLs with `{host}` filled in: host and port of the receiver, which are in order.
pub(super) fn on_receiver(endpoint: &Endpoint, urls: &[&str]) -> Vec<String> {
    let rest = endpoint.url().strip_prefix("https://").unwrap_or_default();
    let host = rest.split('/').next().unwrap_or_default();
    urls.iter().map(|url| url.replace("{host}", host)).collect()
}

/// Asserts that none of these URLs can be registered, after one that can.
async fn refused(cx: &Cx, endpoint: &Endpoint, urls: &[String]) -> CheckResult {
    cx.webhook(endpoint, &[]).await?;
    let before = standing(cx).await?;
    for url in urls {
        cx.case(url.escape_debug().to_string(), async {
            let answer = cx.post("/webhooks").json(&body(url)).send().await?;
            answer.expect_error(400, "invalid_argument")?;
            Ok(())
        })
        .await?;
    }
    cx.case("written by one of them", nothing_written(cx, &before)).await
}

/// Asserts that no URL with one of these hosts can be registered.
async fn refused_hosts(cx: Cx, hosts: &[&str]) -> CheckResult {
    let urls: Vec<_> = hosts.iter().map(|host| format!("https://{host}/hook")).collect();
    refused(&cx, &cx.endpoint()?, &urls).await
}

/// The URL of a webhook.
fn url_of(webhook: &Value) -> &str {
    webhook["url"].as_str().unwrap_or_default()
}
