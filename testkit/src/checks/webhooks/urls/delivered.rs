//! The real target of deliveries, beyond the URL's text.

use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use crate::check;
use crate::check::Check;
use crate::checks::deliveries::attempted;
use crate::checks::webhooks::{entry_until, event_id};
use crate::cx::Cx;
use crate::outcome::{CheckResult, Stop};
use crate::receiver::Answer;

pub(in crate::checks) const CHECKS: &[Check] =
    &[check! { id: "WH-URL-13", needs: [Webhooks, Receiver, Publish], slots: 5, publishes: 1, run: redirects }];

/// Four webhooks are redirected to a second receiver, which a fifth has for its URL: it can be reached, and must not be.
async fn redirects(cx: Cx) -> CheckResult {
    let (second, origin) = cx.spare(|builder| builder).await?;
    let body = json!({ "url": format!("{origin}/reached"), "events": ["strings.published"] });
    cx.post("/webhooks").json(&body).send().await?.control("POST /webhooks for the second receiver")?;
    let target = HeaderValue::try_from(format!("{origin}/redirected"))
        .map_err(|_| Stop::Error("the second receiver has no URL".to_owned()))?;
    let mut redirected = Vec::new();
    for status in [301, 302, 307, 308] {
        let endpoint = cx.endpoint()?;
        let code = StatusCode::from_u16(status).unwrap_or(StatusCode::FOUND);
        endpoint.answer(Answer::redirect(code, target.clone()));
        let webhook = cx.webhook(&endpoint, &[]).await?;
        redirected.push((status, endpoint, webhook));
    }
    cx.publish().await?;
    for (status, endpoint, webhook) in &redirected {
        cx.case(format!("a redirect of {status}"), async {
            let event = event_id(&endpoint.wait_for(1).await?[0]);
            let entry = entry_until(&cx, webhook, &event, "one attempt made", attempted(1)).await?;
            let status = Value::from(*status);
            cx.equal("lastStatusCode", &status, &entry["lastStatusCode"])?;
            cx.ensure(entry["status"] != "delivered", "a redirect is no success", "status delivered")
        })
        .await?;
    }
    let reached = second.wait_for(1).await.is_ok();
    cx.control(reached, "a delivery to the second receiver by its own webhook")?;
    let followed = second.look(|all| all.iter().filter(|one| one.uri.path() == "/redirected").count());
    cx.equal("requests to where the redirects point", &0, &followed)
}
