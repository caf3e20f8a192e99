//! Requirements of a URL's text, before its host is resolved.

use serde_json::json;
use url::Url;

use super::resolved::zone;
use super::{on_receiver, refused, url_of};
use crate::check;
use crate::check::{Check, Claim};
use crate::checks::webhooks::{body, nothing_written, standing};
use crate::cx::Cx;
use crate::outcome::{CheckResult, Stop};

pub(in crate::checks) const CHECKS: &[Check] = &[
    check! { id: "WH-URL-1", needs: [Webhooks, Receiver], slots: 1, run: https_only },
    check! { id: "WH-URL-2", needs: [Webhooks, Receiver], slots: 1, run: no_credentials },
    check! { id: "WH-URL-14", needs: [Webhooks, Receiver], slots: 1, run: a_good_one },
    check! { id: "WH-URL-15", needs: [Webhooks, Receiver], slots: 4, run: unusual_ones },
    check! { id: "WH-URL-16", needs: [Webhooks, Receiver], slots: 1, run: too_long },
];

async fn https_only(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let urls = on_receiver(
        &endpoint,
        &[
            "http://{host}/hook",
            "HTTP://{host}/hook",
            "ftp://{host}/hook",
            "ws://{host}/hook",
            "wss://{host}/hook",
            "gopher://{host}/hook",
            "httpss://{host}/hook",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/plain,hook",
            "//{host}/hook",
            "/hook",
            "hook",
            "{host}/hook",
            "https:",
            "https://",
        ],
    );
    refused(&cx, &endpoint, &urls).await
}

async fn no_credentials(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let urls = on_receiver(
        &endpoint,
        &["https://u:p@{host}/hook", "https://u@{host}/hook", "https://:p@{host}/hook", "https://u%3ap@{host}/hook"],
    );
    refused(&cx, &endpoint, &urls).await
}

async fn a_good_one(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhooks().await?;
    cx.post("/webhooks").json(&body(endpoint.url())).send().await?.expect_in(200..=299)?;
    let listed = cx.webhooks().await?.iter().any(|one| url_of(one) == endpoint.url());
    cx.ensure(listed, "the URL in the list", "it is not there")
}

async fn unusual_ones(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    let rest = endpoint.url().strip_prefix("https://").unwrap_or_default();
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    for url in [format!("https://{host}:8443/x?y=z"), format!("https://{host}:65535/;a=b/%C3%BC?q=%25&r=[]")] {
        cx.case(url.clone(), accepted(&cx, &url)).await?;
    }
    if cx.claims(Claim::Dns) {
        let zone = zone(&cx).await?;
        // bücher-…, as DNS writes it.
        let label = idn_label(&format!("b\u{fc}cher-{}", cx.unique()))?;
        let name = zone.names.set(&label, &[zone.public]);
        cx.case("an internationalized host", accepted(&cx, &format!("https://{name}/"))).await?;
    }
    Ok(())
}

/// Asserts that a URL can be registered, and that it is this one which then stands in the list: an answer of 2xx alone shows
/// nothing. How a URL is written may change, not what it says.
async fn accepted(cx: &Cx, url: &str) -> CheckResult {
    cx.post("/webhooks").json(&body(url)).send().await?.expect_in(200..=299)?;
    let meant = Url::parse(url).ok();
    let listed: Vec<_> = cx.webhooks().await?.iter().map(|one| url_of(one).to_owned()).collect();
    let stands = meant.is_some() && listed.iter().any(|one| Url::parse(one).ok() == meant);
    cx.ensure(stands, format!("{url} in the list"), format!("in the list: {}", listed.join(", ")))
}

/// A label as DNS writes it.
fn idn_label(label: &str) -> Result<String, Stop> {
    let url = Url::parse(&format!("https://{label}/"));
    let written = url.ok().and_then(|url| url.host_str().map(str::to_owned));
    written.ok_or_else(|| Stop::Error(format!("{label} is no label")))
}

async fn too_long(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    let before = standing(&cx).await?;
    for length in [2_049_usize, 65_536, 1_048_000] {
        let start = format!("{}?", endpoint.url());
        let url = format!("{start}{}", "a".repeat(length.saturating_sub(start.len())));
        cx.case(format!("a URL of {length} bytes"), async {
            cx.post("/webhooks").json(&body(&url)).send().await?.expect(400)?;
            cx.patch(&webhook.path("")).json(&json!({ "url": url })).send().await?.expect(400)?;
            nothing_written(&cx, &before).await
        })
        .await?;
    }
    Ok(())
}
