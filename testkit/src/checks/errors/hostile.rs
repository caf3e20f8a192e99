//! Strings that are well-formed and meant to hurt: refused, or stored as they are; never a failure of the server.

use http::Method;
use serde_json::{Value, json};

use crate::check::Claim;
use crate::cx::{Call, CheckedExchange, Cx};
use crate::outcome::CheckResult;

/// ERR-400-3
pub(super) async fn hostile_strings(cx: Cx) -> CheckResult {
    let origin = cx.endpoint().map(|endpoint| endpoint.url().to_owned());
    let origin = origin.unwrap_or_else(|_| "https://example.com/l10n-testkit".to_owned());
    let made = cx.webhook_in(cx.lane(), &origin, &[]).await?;
    in_bodies(&cx, &origin).await?;
    in_paths(&cx, &made.id).await?;
    if cx.claims(Claim::Translate) {
        in_texts(&cx).await?;
    }
    Ok(())
}

async fn in_bodies(cx: &Cx, origin: &str) -> CheckResult {
    let create = |url: &str| format!("{{\"url\":{url},\"events\":[\"strings.published\"]}}");
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let many = vec!["\"strings.published\""; 100_000].join(",");
    let cases = [
        ("NUL in the url", create(&format!("\"{origin}/\\u0000\""))),
        ("half a surrogate pair in the url", create(&format!("\"{origin}/\\ud800\""))),
        ("a number beyond all doubles", create("1e400")),
        ("10,000 arrays in one another", create(&deep)),
        ("a url of a million characters", create(&format!("\"{origin}/{}\"", "a".repeat(1_000_000)))),
        ("a byte order mark and a raw control character", create(&format!("\"\u{feff}{origin}/\u{1}\""))),
        ("a name of half a million characters", format!("{{\"{}\":1}}", "n".repeat(500_000))),
        ("SQL in the events", format!("{{\"url\":\"{origin}\",\"events\":[\"'; DROP TABLE webhooks; --\"]}}")),
    ];
    for (name, body) in cases {
        cx.case(name, async {
            let sent = serde_json::from_str::<Value>(&body).map_or(Value::Null, |body| body["url"].clone());
            let call = cx.post("/webhooks").bytes(body).content_type("application/json");
            intact_or_400(&call.send().await?, &sent)
        })
        .await?;
    }
    // A list with repetitions may be accepted (AMB-15), and is not measured here.
    cx.case("100,000 events", async {
        let body = format!("{{\"url\":\"{origin}\",\"events\":[{many}]}}");
        let answer = cx.post("/webhooks").bytes(body).content_type("application/json").send().await?;
        answer.ensure(matches!(answer.status, 200..=299 | 400 | 413), "400, or one webhook: never a failure")
    })
    .await
}

/// An accepted value must be stored exactly as it was sent.
fn intact_or_400(answer: &CheckedExchange, sent: &Value) -> CheckResult {
    let stored = (200..300).contains(&answer.status) && answer.json()?["url"] == *sent;
    answer.ensure(answer.status == 400 || stored, "400, or stored intact")
}

async fn in_paths(cx: &Cx, known: &str) -> CheckResult {
    let long = "a".repeat(4_000);
    let ids = ["%00", &format!("{known}%00"), "%ff", "%2e%2e", "%27%20OR%201=1--", "%f0%9f%92%a9", &long];
    for id in ids {
        cx.case(format!("the id {}", id.chars().take(20).collect::<String>()), async {
            let answer = cx.call(Method::GET, &format!("/webhooks/{id}/deliveries")).send().await?;
            answer.ensure(matches!(answer.status, 400 | 404 | 414), "404, or 400: no such thing")
        })
        .await?;
    }
    cx.case("NUL in a query", async {
        let answer = cx.get("/translations?ref=a%00b").send().await?;
        answer.ensure(matches!(answer.status, 400 | 404), "404, or 400: no such key")
    })
    .await
}

async fn in_texts(cx: &Cx) -> CheckResult {
    let key = format!("testkit.{}", cx.unique());
    let push = |key: &str, text: &str| -> Call {
        let body = format!("{{\"keys\":[{{\"ref\":\"{key}\",\"text\":\"{text}\"}}]}}");
        cx.post("/translate").bytes(body).content_type("application/json")
    };
    for (name, text) in [("NUL in a text", "a\\u0000b"), ("half a surrogate pair in a text", "a\\ud800b")] {
        cx.case(name, async {
            let answer = push(&key, text).send().await?;
            answer.ensure(matches!(answer.status, 200..=299 | 400), "400, or stored intact")?;
            if answer.status == 400 {
                return Ok(());
            }
            let stored = cx.get("/translations").query("ref", &key).send().await?;
            let sent: Value = serde_json::from_str(&format!("\"{text}\"")).unwrap_or(Value::Null);
            stored.ensure(stored.json()?["text"] == sent, "stored intact")
        })
        .await?;
    }
    cx.case("NUL in a ref", async {
        let answer = push(&format!("{key}\\u0000"), "a").send().await?;
        answer.ensure(matches!(answer.status, 200..=299 | 400), "400, or stored: never a failure")
    })
    .await?;
    cx.case("a text that is markup, SQL and a template", async {
        let text = "<script>'; DROP TABLE keys; --</script> ${7*7}";
        let answer = cx.post("/translate").json(&json!({ "keys": [{ "ref": key, "text": text }] })).send().await?;
        answer.ensure(matches!(answer.status, 200..=299 | 400), "stored, or 400")
    })
    .await
}
