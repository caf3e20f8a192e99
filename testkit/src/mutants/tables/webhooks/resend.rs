//! Resending.

use serde_json::json;

use super::{reads_log, resends, webhook_of};
use crate::mutants::delivery::RelayAction;
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::Mutant;
use crate::mutants::tables::edit::sign_anew;

/// Refuses to send again what the log has shown in that status.
fn refuses(request: &ApiRequest, answer: &mut ApiAnswer, known: &ProxyState, status: &str) {
    if reads_log(request) {
        for entry in answer.json()["deliveries"].as_array().into_iter().flatten() {
            known.note(&format!("status of {}", entry["deliveryId"]), entry["status"].clone());
        }
    }
    let delivery = request.path.split('/').nth(6).unwrap_or_default();
    if resends(request) && known.noted(&format!("status of \"{delivery}\"")).is_some_and(|seen| seen == status) {
        *answer = ApiAnswer::error(409, "delivery_in_flight");
    }
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "resend_refuses_delivered" breaks "WH-RS-1": "does not send again what was delivered",
        |request, answer, known| refuses(request, answer, known, "delivered");
    instead "resend_does_nothing" breaks "WH-RS-1": "answers 202 to resend and sends nothing",
        |request, _| resends(request).then(|| ApiAnswer::new(202, &json!({})));
    answer "resend_refuses_failed" breaks "WH-RS-2": "does not send again what failed for good",
        |request, answer, known| refuses(request, answer, known, "failed");
    answer "resend_in_flight" breaks "WH-RS-3": "takes a resend while an attempt is in flight",
        |request, answer, _| if resends(request) && answer.status == 409 {
            *answer = ApiAnswer::new(202, &json!({}));
        };
    answer "in_flight_400" breaks "WH-RS-3": "answers 400 to a resend while an attempt is in flight",
        |request, answer, _| if resends(request) && answer.status == 409 {
            *answer = ApiAnswer::error(400, "delivery_in_flight");
        };
    both "resend_by_delivery_alone" breaks "WH-RS-4": "resends a delivery of another webhook",
        |request, known| {
            let delivery = request.path.split('/').nth(6).unwrap_or_default().to_owned();
            let owner = known.noted(&format!("webhook of {delivery}"));
            if let (true, Some(owner)) = (resends(request), owner.as_ref().and_then(|owner| owner.as_str())) {
                request.path = request.path.replacen(webhook_of(request), owner, 1);
            }
        },
        |request, answer, known| {
            if !reads_log(request) || !answer.ok() {
                return;
            }
            for entry in answer.json()["deliveries"].as_array().into_iter().flatten() {
                let delivery = entry["deliveryId"].as_str().unwrap_or_default();
                known.note(&format!("webhook of {delivery}"), webhook_of(request).into());
            }
        };
    answer "resend_unknown_202" breaks "WH-RS-4": "answers 202 for a delivery that is not there",
        |request, answer, _| if resends(request) && answer.status == 404 {
            *answer = ApiAnswer::new(202, &json!({}));
        };
    delivery "resend_new_event_id" breaks "WH-RS-5" by ["WH-RS-1"]: "sends the event again under a new id",
        |relayed| {
            if relayed.attempt > 1 {
                let old = relayed.header("x-service-event-id").to_owned();
                let new = format!("{old}x{}", relayed.attempt);
                relayed.body = String::from_utf8_lossy(&relayed.body).replace(&old, &new).into();
                relayed.set_header("x-service-event-id", &new);
                return sign_anew(relayed);
            }
            RelayAction::Forward
        };
};
