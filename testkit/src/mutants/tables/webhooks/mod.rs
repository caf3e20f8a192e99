//! Webhooks (§2, §4).

pub(super) mod create;
pub(super) mod fields;
pub(super) mod limit;
pub(super) mod log;
pub(super) mod other_project;
pub(super) mod resend;
pub(super) mod rotate;
pub(super) mod secrecy;
pub(super) mod update;
pub(super) mod urls;

use http::Method;
use serde_json::Value;

use crate::mutants::delivery::Relayed;
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};

/// Tells a planted answer which request it was planted for.
const MARK: &str = "x-planted";

fn creates(request: &ApiRequest) -> bool {
    request.is(&Method::POST, "/webhooks")
}

fn changes(request: &ApiRequest) -> bool {
    request.is(&Method::PATCH, "/webhooks/*")
}

fn lists(request: &ApiRequest) -> bool {
    request.is(&Method::GET, "/webhooks")
}

fn rotates(request: &ApiRequest) -> bool {
    request.is(&Method::POST, "/webhooks/*/rotate-secret")
}

fn reads_log(request: &ApiRequest) -> bool {
    request.is(&Method::GET, "/webhooks/*/deliveries")
}

fn resends(request: &ApiRequest) -> bool {
    request.is(&Method::POST, "/webhooks/*/deliveries/*/resend")
}

/// The webhook of a path.
fn webhook_of(request: &ApiRequest) -> &str {
    request.path.split('/').nth(4).unwrap_or_default()
}

/// Marks the request for the part of the plant that sees the answer.
fn mark(request: &mut ApiRequest, value: &'static str) {
    request.headers.insert(MARK, http::HeaderValue::from_static(value));
}

fn marked(request: &ApiRequest) -> bool {
    request.headers.contains_key(MARK)
}

/// Changes the body of a request that creates a webhook.
fn edit_creation(request: &mut ApiRequest, change: impl FnOnce(&mut Value)) {
    let before = request.json();
    if creates(request) && before.is_object() {
        let mut body = before.clone();
        change(&mut body);
        // Written anew, a body would lose what the server refuses it for, such as a member that is there twice.
        if body != before {
            request.set_json(&body);
        }
    }
}

/// Changes each entry of a list of webhooks.
fn edit_list(request: &ApiRequest, answer: &mut ApiAnswer, mut change: impl FnMut(&mut Value)) {
    edit_entries(request, answer, |entries| entries.iter_mut().for_each(&mut change));
}

/// Changes a list of webhooks.
fn edit_entries(request: &ApiRequest, answer: &mut ApiAnswer, change: impl FnOnce(&mut Vec<Value>)) {
    if lists(request) && answer.ok() {
        answer.edit(|body| {
            if let Some(entries) = body["webhooks"].as_array_mut() {
                change(entries);
            }
        });
    }
}

/// Notes a URL that leads to the receiver, for the requests that a deviation lets through.
fn note_good_url(request: &ApiRequest, known: &ProxyState) {
    let url = request.json()["url"].as_str().unwrap_or_default().to_owned();
    if creates(request) && is_at_receiver(known, &url) {
        known.note("good url", url.into());
    }
}

/// Returns true if a URL leads to the suite's receiver.
fn is_at_receiver(known: &ProxyState, url: &str) -> bool {
    let receiver = known.profile.receiver.as_ref();
    receiver.is_some_and(|receiver| url.starts_with(&format!("https://{}", receiver.listen.ip())))
}

fn good_url(known: &ProxyState) -> Value {
    known.noted("good url").unwrap_or_default()
}

/// Signs a delivery with these of its webhook's secrets.
fn sign_with(relayed: &mut Relayed, secrets: &[&str]) {
    let t = relayed.timestamp();
    let message = relayed.message(t);
    let secrets: Vec<&[u8]> = secrets.iter().map(|secret| secret.as_bytes()).collect();
    relayed.sign(t, &secrets, &message);
}
