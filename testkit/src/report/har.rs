//! The report for tools that read an HTTP archive (HAR 1.2), such as those of a browser: every exchange, a page for each check.

use serde_json::{Value, json};

use super::{CheckReport, ExchangeReport, Report};

/// The exchanges of a run as an archive.
#[must_use]
pub fn har(report: &Report) -> Value {
    let seen = || report.checks.iter().filter_map(|check| Some((check, check.exchanges.first()?)));
    let pages: Vec<_> = seen().map(|(check, first)| page(check, first)).collect();
    let facts: Vec<_> = report.facts().into_iter().map(|fact| format!("{}: {}", fact.name, fact.text)).collect();
    let entries = seen().flat_map(|(check, _)| check.exchanges.iter().map(|exchange| entry(check.id, exchange)));
    json!({
        "log": {
            "version": "1.2",
            "creator": { "name": "l10n-testkit", "version": report.suite_version },
            "comment": facts.join("\n"),
            "pages": pages,
            "entries": entries.collect::<Vec<_>>(),
        }
    })
}

/// Its title says what a check found.
fn page(check: &CheckReport, first: &ExchangeReport) -> Value {
    let deviation = check.failures.first().map(|failure| format!(": expected {}", failure.expected));
    let known = check.expected.as_ref().map(|because| format!(" (expected: {because})")).unwrap_or_default();
    json!({
        "id": check.id,
        "title": format!("{} {}{known}{}", check.id, check.status.name(), deviation.unwrap_or_default()),
        "startedDateTime": first.at,
        "pageTimings": {},
    })
}

fn entry(check: &str, exchange: &ExchangeReport) -> Value {
    json!({
        "pageref": check,
        "startedDateTime": exchange.at,
        "time": exchange.took_ms,
        "request": request(exchange),
        "response": response(exchange),
        "cache": {},
        "timings": { "send": 0, "wait": exchange.took_ms, "receive": 0 },
    })
}

fn request(exchange: &ExchangeReport) -> Value {
    let query = url::Url::parse(&exchange.url).ok();
    let query = query.iter().flat_map(url::Url::query_pairs).map(|(name, value)| pair(&name, &value));
    let mut request = json!({
        "method": exchange.method,
        "url": exchange.url,
        "httpVersion": "unknown",
        "cookies": [],
        "headers": headers(&exchange.request_headers),
        "queryString": query.collect::<Vec<_>>(),
        "headersSize": -1,
        "bodySize": -1,
    });
    if !exchange.request_body.is_empty() {
        let media_type = header(&exchange.request_headers, "content-type");
        request["postData"] = json!({ "mimeType": media_type, "text": exchange.request_body });
    }
    request
}

fn response(exchange: &ExchangeReport) -> Value {
    let media_type = header(&exchange.response_headers, "content-type");
    let status = http::StatusCode::from_u16(exchange.status).ok();
    json!({
        "status": exchange.status,
        "statusText": status.and_then(|status| status.canonical_reason()).unwrap_or_default(),
        "httpVersion": "unknown",
        "cookies": [],
        "headers": headers(&exchange.response_headers),
        "content": { "size": exchange.response_body.len(), "mimeType": media_type, "text": exchange.response_body },
        "redirectURL": header(&exchange.response_headers, "location"),
        "headersSize": -1,
        "bodySize": -1,
    })
}

fn headers(all: &[(String, String)]) -> Vec<Value> {
    all.iter().map(|(name, value)| pair(name, value)).collect()
}

fn pair(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": value })
}

fn header<'a>(all: &'a [(String, String)], name: &str) -> &'a str {
    all.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
}
