//! Entries of the delivery log (§2).

use http::Method;
use serde_json::{Value, json};

use super::edit::log;
use crate::mutants::mutant::Mutant;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    answer "delivery_id_at_each_read" breaks "DLV-1": "the log gives a delivery another id at each read",
        |request, answer, known| {
            let read = known.count("reads of logs");
            log(request, answer, |entry| {
                if entry["status"] == "delivered" {
                    entry["deliveryId"] = format!("dlv_{read}").into();
                }
            });
        };
    log "delivery_id_of_the_event" breaks "DLV-1": "deliveries of one event have one deliveryId",
        |entry| entry["deliveryId"] = entry["eventId"].clone();
    log "log_event_id_is_delivery_id" breaks "DLV-2" by ["DLV-1"]: "the log repeats deliveryId as eventId",
        |entry| entry["eventId"] = entry["deliveryId"].clone();
    log "log_event_type_misspelt" breaks "DLV-3" by ["DLV-1"]: "the log says strings.publish",
        |entry| entry["eventType"] = "strings.publish".into();
    log "log_publish_id_null" breaks "DLV-4" by ["DLV-1"]: "the log has null as publishId of strings.published",
        |entry| entry["publishId"] = Value::Null;
    log "log_publish_id_number" breaks "DLV-4" by ["DLV-1"]: "the log has a number as publishId",
        |entry| entry["publishId"] = json!(7);
    log "log_status_succeeded" breaks "DLV-5": "the log says succeeded for delivered",
        |entry| if entry["status"] == "delivered" { entry["status"] = "succeeded".into(); };
    log "log_never_delivering" breaks "DEL-18" by ["DLV-5"]:
        "a delivery whose attempt is under way is shown as pending",
        |entry| if entry["status"] == "delivering" { entry["status"] = "pending".into(); };
    log "log_delivering_between_attempts" breaks "DEL-18" by ["DLV-5"]:
        "a delivery stays delivering until it has come to its end",
        |entry| if entry["status"] == "pending" { entry["status"] = "delivering".into(); };
    log "log_attempts_from_0" breaks "DLV-6": "attempts counts from 0",
        |entry| entry["attempts"] = entry["attempts"].as_u64().unwrap_or_default().saturating_sub(1).into();
    log "log_next_attempt_after_success" breaks "DLV-7" by ["DLV-1"]: "nextAttemptAt stays after a success",
        |entry| if entry["status"] == "delivered" { entry["nextAttemptAt"] = entry["createdAt"].clone(); };
    log "log_next_attempt_untold" breaks "DLV-8" by ["DLV-6"]: "nextAttemptAt is null while a retry is planned",
        |entry| entry["nextAttemptAt"] = Value::Null;
    log "log_next_attempt_is_the_last" breaks "DLV-8" by ["DLV-6"]: "nextAttemptAt tells when the last attempt was",
        |entry| if !entry["nextAttemptAt"].is_null() { entry["nextAttemptAt"] = entry["lastAttemptAt"].clone(); };
    log "log_status_code_500" breaks "DLV-9": "lastStatusCode is 500 for every failure",
        |entry| if entry["lastStatusCode"].as_u64().is_some_and(|code| code >= 300) {
            entry["lastStatusCode"] = json!(500);
        };
    log "log_status_code_string" breaks "DLV-9": "lastStatusCode is a string",
        |entry| if let Some(code) = entry["lastStatusCode"].as_u64() {
            entry["lastStatusCode"] = code.to_string().into();
        };
    log "log_status_code_0" breaks "DLV-10" by ["DLV-9"]: "lastStatusCode is 0 where no answer came",
        |entry| if entry["lastStatusCode"].is_null() { entry["lastStatusCode"] = json!(0); };
    log "log_error_object" breaks "DLV-11" by ["DLV-9"]: "lastError is an object",
        |entry| if entry["lastError"].is_string() {
            entry["lastError"] = json!({ "message": entry["lastError"] });
        };
    log "log_error_stays" breaks "DLV-12": "lastError stays after a success, which DLV-11 leaves to advice",
        |entry| if entry["status"] == "delivered" { entry["lastError"] = "the endpoint answered 502".into(); };
    log "log_error_tells_the_address" breaks "DLV-12": "lastError tells the address that was connected to",
        |entry| if entry["lastError"].is_string() { entry["lastError"] = "connecting to 10.0.3.17:443: reset".into(); };
    answer "log_error_tells_the_secret" breaks "DLV-12": "lastError tells the webhook's secret",
        |request, answer, known| {
            if request.is(&Method::POST, "/webhooks") && answer.ok() {
                let body = answer.json();
                known.note(body["webhookId"].as_str().unwrap_or_default(), body["secret"].clone());
            }
            let webhook = request.path.split('/').nth(4).unwrap_or_default();
            let secret = known.noted(webhook).unwrap_or_default();
            log(request, answer, |entry| {
                if entry["lastError"].is_string() {
                    entry["lastError"] = format!("signed with {}", secret.as_str().unwrap_or_default()).into();
                }
            });
        };
};
