//! Resending.

use serde_json::json;

use super::{reads_log, resends, webhook_of};
use crate::mutants::tables::edit::sign_anew;
use crate::mutants::{ApiAnswer, Fate, Mutant, Plant};

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "resend_refuses_delivered",
        breaks: "WH-RS-1",
        says: "does not send again what was delivered",
        killed_by: &["WH-RS-1"],
        plant: Plant::Server,
    },
    Mutant {
        id: "resend_does_nothing",
        breaks: "WH-RS-1",
        says: "answers 202 to resend and sends nothing",
        killed_by: &["WH-RS-1", "WH-RS-2"],
        plant: Plant::Instead(|request, _| resends(request).then(|| ApiAnswer::new(202, &json!({})))),
    },
    Mutant {
        id: "resend_refuses_failed",
        breaks: "WH-RS-2",
        says: "does not send again what failed for good",
        killed_by: &["WH-RS-2"],
        plant: Plant::Server,
    },
    Mutant {
        id: "resend_in_flight",
        breaks: "WH-RS-3",
        says: "takes a resend while an attempt is in flight",
        killed_by: &["WH-RS-3"],
        plant: Plant::Server,
    },
    Mutant {
        id: "in_flight_400",
        breaks: "WH-RS-3",
        says: "answers 400 to a resend while an attempt is in flight",
        killed_by: &["WH-RS-3"],
        plant: Plant::Answer(|request, answer, _| {
            if resends(request) && answer.status == 409 {
                *answer = ApiAnswer::error(400, "delivery_in_flight");
            }
        }),
    },
    Mutant {
        id: "resend_by_delivery_alone",
        breaks: "WH-RS-4",
        says: "resends a delivery of another webhook",
        killed_by: &["WH-RS-4"],
        plant: Plant::Both(
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
            },
        ),
    },
    Mutant {
        id: "resend_unknown_202",
        breaks: "WH-RS-4",
        says: "answers 202 for a delivery that is not there",
        killed_by: &["WH-RS-4"],
        plant: Plant::Answer(|request, answer, _| {
            if resends(request) && answer.status == 404 {
                *answer = ApiAnswer::new(202, &json!({}));
            }
        }),
    },
    Mutant {
        id: "resend_new_event_id",
        breaks: "WH-RS-5",
        says: "sends the event again under a new id",
        killed_by: &["WH-RS-1"],
        plant: Plant::Delivery(|relayed| {
            if relayed.attempt > 1 {
                let old = relayed.header("x-service-event-id").to_owned();
                let new = format!("{old}x{}", relayed.attempt);
                relayed.body = String::from_utf8_lossy(&relayed.body).replace(&old, &new).into();
                relayed.set_header("x-service-event-id", &new);
                return sign_anew(relayed);
            }
            Fate::Forward
        }),
    },
];
