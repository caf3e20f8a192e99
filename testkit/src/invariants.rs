//! Invariants, which hold for every exchange of a run, whichever check it belongs to. A violation counts against the
//! check of the invariant.

use std::collections::HashMap;

use serde_json::Value;

use crate::session::Secrets;
use crate::wire::Exchange;

/// A statement about every exchange.
#[derive(Debug)]
pub(crate) struct Invariant {
    /// The check that fails by a breach.
    pub(crate) check: &'static str,
    /// The requirement of the specification.
    pub(crate) expected: &'static str,
    /// Describes a violation, if there is one.
    pub(crate) broken: FindViolation,
}

/// Describes a violation in an exchange of a run that knows these secrets.
type FindViolation = fn(&Exchange, &Secrets) -> Option<String>;

/// All of them.
pub(crate) const ALL: &[Invariant] = &[
    Invariant {
        check: "CONV-5",
        expected: "every response carries x-correlation-id",
        broken: |exchange, _| {
            (!exchange.headers.contains_key("x-correlation-id")).then(|| "no x-correlation-id".to_owned())
        },
    },
    Invariant {
        check: "ERR-1",
        expected: "every error body is JSON {error: string, message: string}",
        broken: |exchange, _| {
            if exchange.status < 400 || exchange.request.method == http::Method::HEAD {
                return None;
            }
            let body = serde_json::from_slice::<Value>(&exchange.body).unwrap_or(Value::Null);
            let whole = body["error"].is_string() && body["message"].is_string();
            (!whole).then(|| format!("{} with the body {:?}", exchange.status, text(exchange)))
        },
    },
    Invariant {
        check: "ERR-2",
        expected: "`error` is a code in lower snake case that belongs to the status",
        broken: |exchange, _| {
            let body = serde_json::from_slice::<Value>(&exchange.body).ok()?;
            let code = body["error"].as_str().filter(|_| exchange.status >= 400)?;
            (!belongs(exchange.status, code)).then(|| format!("{} {code}", exchange.status))
        },
    },
    Invariant {
        check: "RES-10",
        expected: "no response returns the text of an API key",
        broken: |exchange, secrets| {
            let headers = exchange.headers.values().map(|value| value.as_bytes());
            let texts = std::iter::once(&*exchange.body).chain(headers);
            let name = texts.map(String::from_utf8_lossy).find_map(|text| secrets.key_in(&text))?;
            Some(format!("the {name} in an answer"))
        },
    },
    Invariant {
        check: "RES-12",
        expected: "estimatedCredits, creditsCharged and balance are integers of millicredits, not negative",
        broken: |exchange, _| {
            let body = serde_json::from_slice::<Value>(&exchange.body).ok()?;
            amount(&body)
        },
    },
    Invariant {
        check: "WH-F-6",
        expected: "a webhook's secret is returned by creation and rotation only",
        broken: |exchange, _| {
            let path = exchange.request.url.split('?').next().unwrap_or_default();
            let post = exchange.request.method == http::Method::POST;
            if post && (path.ends_with("/webhooks") || path.ends_with("/rotate-secret")) {
                return None;
            }
            let body = serde_json::from_slice::<Value>(&exchange.body).ok()?;
            member(&body, "secret").then(|| format!("`secret` in the answer to {}", exchange.request.method))
        },
    },
    Invariant {
        check: "DLV-5",
        expected: "a delivery's status is pending, delivering, delivered or failed",
        broken: |exchange, _| {
            let path = exchange.request.url.split('?').next().unwrap_or_default();
            if !path.ends_with("/deliveries") || exchange.status != 200 {
                return None;
            }
            let body = serde_json::from_slice::<Value>(&exchange.body).ok()?;
            let known =
                |status: &Value| matches!(status.as_str(), Some("pending" | "delivering" | "delivered" | "failed"));
            let wrong = body["deliveries"].as_array()?.iter().find(|entry| !known(&entry["status"]))?;
            Some(format!("status {}", wrong["status"]))
        },
    },
];

/// The check that fails by ids that are given twice, and the requirement.
pub(crate) const UNIQUE_IDS: (&str, &str) = ("CONV-6", "another x-correlation-id for each request of the run");

/// The answers of a run whose correlation id another request got before. Left out are requests that chose their id
/// themselves, repeated answers to a repeated write, and answers that a cache on the way may have kept.
pub(crate) fn repeated_ids<'a>(exchanges: impl Iterator<Item = &'a Exchange>) -> Vec<(String, &'a Exchange)> {
    let mut seen: HashMap<&str, &Exchange> = HashMap::new();
    let mut repeated = Vec::new();
    for exchange in exchanges.filter(|exchange| !may_repeat(exchange)) {
        let Some(id) = exchange.header("x-correlation-id") else { continue };
        match seen.get(id) {
            Some(first) => {
                let (method, url) = (&first.request.method, &first.request.url);
                repeated.push((format!("{id} again, which {method} {url} got before"), exchange));
            }
            None => {
                seen.insert(id, exchange);
            }
        }
    }
    repeated
}

fn may_repeat(exchange: &Exchange) -> bool {
    let sent = &exchange.request.headers;
    let chosen = sent.contains_key("x-correlation-id") || sent.contains_key("idempotency-key");
    let public = exchange.header("cache-control").is_some_and(|value| value.contains("public"));
    chosen || public || exchange.headers.contains_key("age")
}

fn text(exchange: &Exchange) -> String {
    String::from_utf8_lossy(&exchange.body).chars().take(200).collect()
}

/// §7: which codes a status has. Those of 400, 404 and 409 have route-specific companions, which are not listed there.
fn belongs(status: u16, code: &str) -> bool {
    let snake =
        !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    let codes: &[&str] = match status {
        401 => &["unauthorized"],
        402 => &["insufficient_credits", "spend_cap_exceeded", "plan_limit"],
        403 => &["forbidden", "authorization_required"],
        413 => &["payload_too_large"],
        429 => &["rate_limited", "capture_quota_exceeded", "import_quota_exceeded", "run_quota_exceeded"],
        500 => &["internal"],
        503 => &["unavailable"],
        _ => return snake,
    };
    codes.contains(&code)
}

/// The first amount that is none.
fn amount(value: &Value) -> Option<String> {
    match value {
        Value::Object(members) => members.iter().find_map(|(name, value)| {
            let money = matches!(name.as_str(), "estimatedCredits" | "creditsCharged" | "balance");
            let broken = money && !value.is_null() && !value.as_u64().is_some_and(|_| value.is_u64());
            if broken { Some(format!("{name}: {value}")) } else { amount(value) }
        }),
        Value::Array(entries) => entries.iter().find_map(amount),
        _ => None,
    }
}

fn member(value: &Value, wanted: &str) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(name, value)| name == wanted || member(value, wanted)),
        Value::Array(entries) => entries.iter().any(|entry| member(entry, wanted)),
        _ => false,
    }
}
