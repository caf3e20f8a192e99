//! The shape of every error. An invariant checks it for every exchange of the run; these checks provoke the errors that
//! frameworks answer themselves.

use http::Method;
use serde_json::{Value, json};

use crate::cx::{Call, CheckedExchange, Cx};
use crate::outcome::{CheckResult, Stop};

/// A size that is over every cap (§8).
const TOO_LARGE: usize = 4 * 1024 * 1024 + 1;

/// Requests that are refused before a handler sees them, each for one fault, with the statuses that it may have.
fn provoked(cx: &Cx) -> Vec<(&'static str, Call, &'static [u16])> {
    let hook = json!({ "url": "https://example.com/", "events": ["strings.published"] });
    let path = format!("/projects/{}/credential", cx.lane().id);
    vec![
        ("an unknown route", cx.get("/no-such-route"), &[404]),
        ("an unknown path outside of projects", cx.at(Method::GET, "/no-such-path"), &[404, 401]),
        ("another method", cx.call(Method::DELETE, "/credential"), &[404, 405]),
        ("no key", cx.at(Method::GET, &path), &[401]),
        ("broken JSON", cx.post("/webhooks").bytes("{").content_type("application/json"), &[400]),
        ("no body", cx.post("/webhooks").content_type("application/json"), &[400]),
        ("a wrong type", cx.post("/webhooks").json(&json!({ "url": 5, "events": ["strings.published"] })), &[400]),
        ("a missing field", cx.post("/webhooks").json(&json!({ "events": ["strings.published"] })), &[400]),
        (
            "a body too large",
            cx.post("/webhooks").bytes(vec![b' '; TOO_LARGE]).content_type("application/json"),
            &[413],
        ),
        ("an unknown webhook", cx.delete("/webhooks/unknown").json(&hook), &[404]),
        ("bytes that are no UTF-8 in the path", cx.get("/webhooks/%ff/deliveries"), &[400, 404]),
    ]
}

/// ERR-1
pub(super) async fn every_error_has_the_shape(cx: Cx) -> CheckResult {
    cx.webhooks().await?;
    for (name, call, statuses) in provoked(&cx) {
        cx.case(name, async {
            let answer = call.send().await?;
            answer.ensure(statuses.contains(&answer.status), format!("one of the statuses {statuses:?}"))?;
            let body: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
            let whole = body["error"].is_string() && body["message"].is_string();
            answer.ensure(whole, "JSON {error: string, message: string}")
        })
        .await?;
    }
    Ok(())
}

/// ERR-2
pub(super) async fn codes_belong_to_their_status(cx: Cx) -> CheckResult {
    cx.webhooks().await?;
    for (name, call, _) in provoked(&cx) {
        cx.case(name, async {
            let answer = call.send().await?;
            let code = code(&answer)?;
            let snake =
                !code.is_empty() && code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
            answer.ensure(snake, "`error` is a code in lower snake case")?;
            let wanted = match answer.status {
                401 => Some("unauthorized"),
                413 => Some("payload_too_large"),
                _ => None,
            };
            answer.ensure(wanted.is_none_or(|wanted| wanted == code), "the code of its status")
        })
        .await?;
    }
    let wrong = cx.post("/webhooks").json(&json!({ "url": 5, "events": ["strings.published"] }));
    wrong.send().await?.expect_error(400, "invalid_argument")?;
    let unknown = cx.get("/no-such-route").send().await?;
    unknown.expect_one_of(&["404 not_found", "404 route_not_found", "404"]).map(|_| ())
}

/// ERR-3: the same fault in other words has the same code.
pub(super) async fn codes_do_not_depend_on_messages(cx: Cx) -> CheckResult {
    cx.webhooks().await?;
    let mut codes = Vec::new();
    for field in ["url", "events"] {
        let mut body = json!({ "url": "https://example.com/", "events": ["strings.published"] });
        body[field] = json!(5);
        codes.push(code(&cx.post("/webhooks").json(&body).send().await?)?);
    }
    cx.ensure(codes[0] == codes[1], "one code for a wrong type, whichever field has it", codes.join(", "))?;
    let mut codes = Vec::new();
    for _ in 0..2 {
        codes.push(code(&cx.delete(&format!("/webhooks/{}", cx.unique())).send().await?)?);
    }
    cx.ensure(codes[0] == codes[1], "one code for a webhook that is not there, whatever its id", codes.join(", "))?;
    let known = l10n_api_types::ErrorCode::from(codes[0].as_str());
    let known = !matches!(known, l10n_api_types::ErrorCode::Other(_));
    cx.ensure(known, "a code that clients know", codes[0].clone())
}

fn code(answer: &CheckedExchange) -> Result<String, Stop> {
    let code = answer.json()?["error"].as_str().unwrap_or_default().to_owned();
    answer.ensure(answer.status >= 400 && !code.is_empty(), "an error with a code")?;
    Ok(code)
}
