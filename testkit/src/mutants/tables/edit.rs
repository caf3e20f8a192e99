//! Changes of events and of entries of the delivery log by deviations.

use bytes::Bytes;
use http::{HeaderMap, Method};
use serde_json::Value;

use crate::mutants::delivery::{RelayAction, Relayed};
use crate::mutants::exchange::{ApiAnswer, ApiRequest};

/// Changes the event of a delivery and signs it as its sender would have.
pub(super) fn event(relayed: &mut Relayed, change: impl FnOnce(&mut Value, &HeaderMap)) -> RelayAction {
    let mut event = serde_json::from_slice::<Value>(&relayed.body).unwrap_or_default();
    change(&mut event, &relayed.headers);
    relayed.body = Bytes::from(event.to_string());
    sign_anew(relayed)
}

/// Gives the event of a delivery another id, in the header as well.
pub(super) fn event_id(relayed: &mut Relayed, id: impl FnOnce(&Relayed) -> String) -> RelayAction {
    let id = id(relayed);
    relayed.set_header("x-service-event-id", &id);
    event(relayed, |event, _| event["id"] = id.into())
}

/// Signs a delivery whose body was changed, at its own time and with as many secrets as before.
pub(super) fn sign_anew(relayed: &mut Relayed) -> RelayAction {
    signed(relayed, |relayed, secrets| {
        let t = relayed.timestamp();
        let message = relayed.message(t);
        relayed.sign(t, &secrets.iter().map(Vec::as_slice).collect::<Vec<_>>(), &message);
    })
}

/// Lets `sign` sign a delivery with the secrets that it was signed with, newest first.
pub(super) fn signed(relayed: &mut Relayed, sign: impl FnOnce(&mut Relayed, Vec<Vec<u8>>)) -> RelayAction {
    let count = relayed.header("x-service-signature").matches("v1=").count();
    let secrets = relayed.secrets.iter().take(count).map(|secret| secret.clone().into_bytes()).collect();
    sign(relayed, secrets);
    RelayAction::Forward
}

/// Rewrites the text of the signature.
pub(super) fn signature(relayed: &mut Relayed, change: impl FnOnce(&str) -> String) -> RelayAction {
    let text = change(relayed.header("x-service-signature"));
    relayed.set_header("x-service-signature", &text);
    RelayAction::Forward
}

/// Changes each entry of a delivery log.
pub(super) fn log(request: &ApiRequest, answer: &mut ApiAnswer, change: impl Fn(&mut Value)) {
    if request.is(&Method::GET, "/webhooks/*/deliveries") && answer.ok() {
        answer.edit(|body| {
            body["deliveries"].as_array_mut().into_iter().flatten().for_each(change);
        });
    }
}
