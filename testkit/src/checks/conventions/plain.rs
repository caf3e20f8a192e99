//! Plain HTTP/1.1 is enough: no header, cookie or user agent beyond what the specification names.

use http::Method;
use serde_json::json;

use crate::checks::routes;
use crate::cx::Cx;
use crate::outcome::CheckResult;

/// CONV-8
pub(super) async fn plain_requests(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let project = cx.lane().id.clone();
    let webhook = cx.webhook(&cx.endpoint()?, &[]).await?;
    let body = json!({ "enabled": true }).to_string();
    let requests = [
        (Method::GET, "/credential".to_owned(), "", String::new()),
        (Method::GET, "/meta".to_owned(), "", String::new()),
        (Method::POST, webhook.path("/rotate-secret"), "", String::new()),
        (Method::PATCH, webhook.path(""), "Content-Type: application/json\r\n", body),
    ];
    for (method, path, media, body) in requests {
        cx.case(format!("{method} {path}").replace(&webhook.id, "{webhookId}"), async {
            let typed = cx.call(method.clone(), &path);
            let typed = if body.is_empty() { typed } else { typed.bytes(body.clone()).content_type("application/json") };
            let typed = typed.send().await?.control("the same request of an HTTP client")?;
            let full = format!("/projects/{project}{path}");
            let length = if method == Method::GET { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
            let bytes = format!(
                "{method} {{path}} HTTP/1.1\r\nHost: {{host}}\r\nAuthorization: Bearer {{key}}\r\n{media}{length}\r\n{body}"
            );
            let answers = cx.raw(method, &full, bytes.as_bytes(), 1).await?;
            let status = answers.first().map(|answer| answer.status);
            cx.equal("status of the bare request", &Some(typed.status), &status)
        })
        .await?;
    }
    Ok(())
}
