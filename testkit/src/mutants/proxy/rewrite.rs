//! The URLs of webhooks on their way through the proxy before the API, and the secrets that its answers give.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::Method;

use super::relay::Relays;
use crate::mutants::exchange::{ApiAnswer, ApiRequest};

/// The body for the server: a webhook URL at the suite's receiver becomes one at the relay before it. Ports alone differ,
/// and have five digits alike, so that every length stays as it was.
pub(super) async fn outwards(relays: &Arc<Relays>, request: &ApiRequest) -> io::Result<Bytes> {
    let writes = request.is(&Method::POST, "/webhooks") || request.is(&Method::PATCH, "/webhooks/*");
    let body = request.json();
    let Some(origin) = body["url"].as_str().filter(|_| writes).and_then(|url| relays.origin_of(url)) else {
        return Ok(request.body.clone());
    };
    let relayed = relays.before(&origin).await?;
    Ok(replaced(&request.body, &origin, &relayed))
}

/// The body for the suite: every relay's URL becomes that of the receiver again.
pub(super) fn back(relays: &Relays, body: &Bytes) -> Bytes {
    let pairs = relays.origins();
    pairs.iter().fold(body.clone(), |body, (origin, relayed)| replaced(&body, relayed, origin))
}

/// Learns the secret that an answer gives.
pub(super) fn learn(relays: &Relays, request: &ApiRequest, answer: &ApiAnswer) {
    let makes = request.is(&Method::POST, "/webhooks");
    if !answer.ok() || !(makes || request.is(&Method::POST, "/webhooks/*/rotate-secret")) {
        return;
    }
    let body = answer.json();
    let id = body["webhookId"].as_str().or_else(|| request.path.split('/').nth(4).filter(|_| !makes));
    if let (Some(id), Some(secret)) = (id, body["secret"].as_str()) {
        relays.learn(id, secret);
    }
}

fn replaced(body: &Bytes, from: &str, to: &str) -> Bytes {
    match std::str::from_utf8(body) {
        Ok(text) if text.contains(from) => text.replace(from, to).into(),
        _ => body.clone(),
    }
}
