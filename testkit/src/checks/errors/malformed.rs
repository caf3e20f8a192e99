//! Malformed requests: 400, and nothing is written.

use serde_json::{Value, json};

use crate::check::Claim;
use crate::checks::push::Push;
use crate::cx::{Call, Cx};
use crate::outcome::{CheckResult, Stop};

/// A URL that a webhook may have.
fn a_url(cx: &Cx) -> String {
    let own = cx.endpoint().map(|endpoint| endpoint.url().to_owned());
    own.unwrap_or_else(|_| format!("https://example.com/{}", cx.unique()))
}

/// ERR-400-1
pub(super) async fn malformed_requests(cx: Cx) -> CheckResult {
    let url = a_url(&cx);
    let made = cx.webhook_in(cx.lane(), &url, &[]).await?;
    let good = json!({ "url": url, "events": ["strings.published"] }).to_string();
    let create = || cx.post("/webhooks");
    let bodies: [(&str, Vec<u8>); 9] = [
        ("no body", Vec::new()),
        ("an object that does not end", b"{".to_vec()),
        ("bytes after the object", format!("{good} x").into_bytes()),
        ("NaN", good.replacen('{', "{\"a\":NaN,", 1).into_bytes()),
        ("null", b"null".to_vec()),
        ("an array in place of the object", json!([url, ["strings.published"]]).to_string().into_bytes()),
        ("no url", json!({ "events": ["strings.published"] }).to_string().into_bytes()),
        ("a url that is a number", json!({ "url": 5, "events": ["strings.published"] }).to_string().into_bytes()),
        ("events that are a string", json!({ "url": url, "events": "strings.published" }).to_string().into_bytes()),
    ];
    for (name, body) in bodies {
        malformed(&cx, format!("POST /webhooks: {name}"), create(), body).await?;
    }
    let patch = || cx.patch(&made.path(""));
    malformed(&cx, "PATCH /webhooks: broken JSON", patch(), b"{\"enabled\":".to_vec()).await?;
    malformed(&cx, "PATCH /webhooks: a wrong type", patch(), b"{\"enabled\":\"no\"}".to_vec()).await?;
    for BodyRoute { claim, name, call, wrong_type } in elsewhere(&cx) {
        if cx.claims(claim) {
            malformed(&cx, format!("{name}: broken JSON"), call(), b"{".to_vec()).await?;
            malformed(&cx, format!("{name}: a wrong type"), call(), wrong_type.as_bytes().to_vec()).await?;
        }
    }
    Ok(())
}

/// A route that takes a body.
struct BodyRoute<'a> {
    claim: Claim,
    name: &'static str,
    call: Box<dyn Fn() -> Call + Send + 'a>,
    /// A body with a member of a wrong type.
    wrong_type: &'static str,
}

/// The other routes that take a body.
fn elsewhere(cx: &Cx) -> Vec<BodyRoute<'_>> {
    let post = |claim, name, path: &'static str, wrong_type| {
        let call = Box::new(move || cx.post(path));
        BodyRoute { claim, name, call, wrong_type }
    };
    let preview = |name, path: &'static str, wrong_type| {
        let call = Box::new(move || cx.post(path).query("dryRun", "true"));
        BodyRoute { claim: Claim::Translate, name, call, wrong_type }
    };
    vec![
        preview("POST /translate", "/translate", "{\"keys\":5}"),
        preview("POST /sync", "/sync", "{\"file\":5}"),
        post(Claim::Write, "POST /languages", "/languages", "{\"languages\":5}"),
        post(Claim::Write, "POST /output-formats", "/output-formats", "{\"outputFormats\":5}"),
        post(Claim::Publish, "POST /publish", "/publish", "5"),
        post(Claim::Documents, "POST /content", "/content", "{\"body\":5}"),
        post(Claim::Capture, "POST /capture", "/capture", "{\"keys\":5}"),
        post(Claim::Operations, "POST /operations", "/operations", "{\"kind\":5}"),
    ]
}

async fn malformed(cx: &Cx, name: impl Into<String>, call: Call, body: Vec<u8>) -> CheckResult {
    cx.case(name, async {
        let answer = call.bytes(body).content_type("application/json").send().await?;
        answer.expect_error(400, "invalid_argument").map(|_| ())
    })
    .await
}

/// ERR-400-2
pub(super) async fn nothing_is_written(cx: Cx) -> CheckResult {
    let url = a_url(&cx);
    let made = cx.webhook_in(cx.lane(), &url, &[]).await?;
    let before = cx.webhooks().await?;
    let bad = json!({ "url": url, "events": ["strings.published", "strings.unheard"] });
    cx.post("/webhooks").json(&bad).send().await?.expect_error(400, "invalid_argument")?;
    let bad = json!({ "enabled": false, "events": ["strings.unheard"] });
    cx.patch(&made.path("")).json(&bad).send().await?.expect_error(400, "invalid_argument")?;
    cx.equal("the webhooks of the project", &before, &cx.webhooks().await?)?;
    if cx.claims(Claim::Translate) {
        let push = Push::translate(&cx);
        push.preview(&cx).await?;
        let Some(keys) = push.body["keys"].as_array().cloned() else { return Ok(()) };
        let second = json!({ "ref": format!("testkit.{}", cx.unique()), "text": 5 });
        let half = push.with("keys", Value::from_iter(keys.into_iter().chain([second])));
        half.call(&cx).send().await?.expect_error(400, "invalid_argument")?;
        push.has_not_run(&cx).await?;
    }
    Ok(())
}

/// ERR-415-1: what is taken is listed, and what is refused is not.
pub(super) async fn other_media_types(cx: Cx) -> CheckResult {
    let url = a_url(&cx);
    let mut count = cx.webhooks().await?.len();
    cx.webhook_in(cx.lane(), &url, &[]).await?;
    let mut one_more = async || {
        let before = std::mem::replace(&mut count, cx.webhooks().await?.len());
        Ok::<_, Stop>(count == before + 1)
    };
    cx.control(one_more().await?, "that POST /webhooks with application/json lists one webhook more")?;
    let body = json!({ "url": url, "events": ["strings.published"] }).to_string();
    let types = [Some("text/plain"), Some("application/x-www-form-urlencoded"), None];
    for media_type in types {
        cx.case(media_type.unwrap_or("no media type"), async {
            let call = cx.post("/webhooks").bytes(body.clone());
            let call = if let Some(media_type) = media_type { call.content_type(media_type) } else { call };
            let answer = call.send().await?;
            let taken = (200..300).contains(&answer.status);
            answer.ensure(taken || answer.status == 400, "400, or taken as JSON")?;
            let listed = one_more().await?;
            answer.ensure(taken == listed, "a webhook in the list if it was taken, and none if it was refused")
        })
        .await?;
    }
    Ok(())
}
