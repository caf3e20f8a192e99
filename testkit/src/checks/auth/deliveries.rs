//! Deliveries carry a signature and no key (§5.9).

use crate::cx::Cx;
use crate::outcome::CheckResult;

/// AUTH-18
pub(super) async fn carry_no_key(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    let deliveries = endpoint.wait_for(1).await?;
    let headers = &deliveries[0].headers;
    let has = |name: &str| headers.contains_key(name);
    cx.ensure(has("x-service-signature"), "the header X-Service-Signature", format!("{headers:?}"))?;
    for name in ["authorization", "proxy-authorization", "cookie", "x-api-key"] {
        cx.ensure(!has(name), format!("no header {name}"), "one")?;
    }
    let text = format!("{headers:?} {}", String::from_utf8_lossy(&deliveries[0].body));
    let shown = cx.lane().keys.values().any(|key| text.contains(key.expose()));
    cx.ensure(!shown, "no API key in a delivery", "the text of a key of the project")
}
