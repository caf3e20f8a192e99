//! Entries of the delivery log (§2).

use http::Method;
use serde_json::{Value, json};

use super::edit::log;
use crate::mutants::{Mutant, Plant};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "delivery_id_at_each_read",
        breaks: "DLV-1",
        says: "the log gives a delivery another id at each read",
        killed_by: &["DLV-1"],
        plant: Plant::Answer(|request, answer, known| {
            let read = known.count("reads of logs");
            log(request, answer, |entry| {
                if entry["status"] == "delivered" {
                    entry["deliveryId"] = format!("dlv_{read}").into();
                }
            });
        }),
    },
    Mutant {
        id: "delivery_id_of_the_event",
        breaks: "DLV-1",
        says: "deliveries of one event have one deliveryId",
        killed_by: &["DLV-1"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| entry["deliveryId"] = entry["eventId"].clone());
        }),
    },
    Mutant {
        id: "log_event_id_is_delivery_id",
        breaks: "DLV-2",
        says: "the log repeats deliveryId as eventId",
        killed_by: &["DLV-1"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| entry["eventId"] = entry["deliveryId"].clone());
        }),
    },
    Mutant {
        id: "log_event_type_misspelt",
        breaks: "DLV-3",
        says: "the log says strings.publish",
        killed_by: &["DLV-1"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| entry["eventType"] = "strings.publish".into());
        }),
    },
    Mutant {
        id: "log_publish_id_null",
        breaks: "DLV-4",
        says: "the log has null as publishId of strings.published",
        killed_by: &["DLV-1"],
        plant: Plant::Answer(|request, answer, _| log(request, answer, |entry| entry["publishId"] = Value::Null)),
    },
    Mutant {
        id: "log_publish_id_number",
        breaks: "DLV-4",
        says: "the log has a number as publishId",
        killed_by: &["DLV-1"],
        plant: Plant::Answer(|request, answer, _| log(request, answer, |entry| entry["publishId"] = json!(7))),
    },
    Mutant {
        id: "log_status_succeeded",
        breaks: "DLV-5",
        says: "the log says succeeded for delivered",
        killed_by: &["DLV-5"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["status"] == "delivered" {
                    entry["status"] = "succeeded".into();
                }
            });
        }),
    },
    Mutant {
        id: "log_never_delivering",
        breaks: "DEL-18",
        says: "a delivery whose attempt is under way is shown as pending",
        killed_by: &["DLV-5"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["status"] == "delivering" {
                    entry["status"] = "pending".into();
                }
            });
        }),
    },
    Mutant {
        id: "log_delivering_between_attempts",
        breaks: "DEL-18",
        says: "a delivery stays delivering until it has come to its end",
        killed_by: &["DLV-5"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["status"] == "pending" {
                    entry["status"] = "delivering".into();
                }
            });
        }),
    },
    Mutant {
        id: "log_attempts_from_0",
        breaks: "DLV-6",
        says: "attempts counts from 0",
        killed_by: &["DLV-6"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                entry["attempts"] = entry["attempts"].as_u64().unwrap_or_default().saturating_sub(1).into();
            });
        }),
    },
    Mutant {
        id: "log_next_attempt_after_success",
        breaks: "DLV-7",
        says: "nextAttemptAt stays after a success",
        killed_by: &["DLV-1"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["status"] == "delivered" {
                    entry["nextAttemptAt"] = entry["createdAt"].clone();
                }
            });
        }),
    },
    Mutant {
        id: "log_next_attempt_untold",
        breaks: "DLV-8",
        says: "nextAttemptAt is null while a retry is planned",
        killed_by: &["DLV-6"],
        plant: Plant::Answer(|request, answer, _| log(request, answer, |entry| entry["nextAttemptAt"] = Value::Null)),
    },
    Mutant {
        id: "log_next_attempt_is_the_last",
        breaks: "DLV-8",
        says: "nextAttemptAt tells when the last attempt was",
        killed_by: &["DLV-6"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if !entry["nextAttemptAt"].is_null() {
                    entry["nextAttemptAt"] = entry["lastAttemptAt"].clone();
                }
            });
        }),
    },
    Mutant {
        id: "log_status_code_500",
        breaks: "DLV-9",
        says: "lastStatusCode is 500 for every failure",
        killed_by: &["DLV-9"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["lastStatusCode"].as_u64().is_some_and(|code| code >= 300) {
                    entry["lastStatusCode"] = json!(500);
                }
            });
        }),
    },
    Mutant {
        id: "log_status_code_string",
        breaks: "DLV-9",
        says: "lastStatusCode is a string",
        killed_by: &["DLV-9"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if let Some(code) = entry["lastStatusCode"].as_u64() {
                    entry["lastStatusCode"] = code.to_string().into();
                }
            });
        }),
    },
    Mutant {
        id: "log_status_code_0",
        breaks: "DLV-10",
        says: "lastStatusCode is 0 where no answer came",
        killed_by: &["DLV-9"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["lastStatusCode"].is_null() {
                    entry["lastStatusCode"] = json!(0);
                }
            });
        }),
    },
    Mutant {
        id: "log_error_object",
        breaks: "DLV-11",
        says: "lastError is an object",
        killed_by: &["DLV-9"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["lastError"].is_string() {
                    entry["lastError"] = json!({ "message": entry["lastError"] });
                }
            });
        }),
    },
    Mutant {
        id: "log_error_stays",
        breaks: "DLV-11",
        says: "lastError stays after a success",
        killed_by: &["DLV-12"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["status"] == "delivered" {
                    entry["lastError"] = "the endpoint answered 502".into();
                }
            });
        }),
    },
    Mutant {
        id: "log_error_tells_the_address",
        breaks: "DLV-12",
        says: "lastError tells the address that was connected to",
        killed_by: &["DLV-12"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["lastError"].is_string() {
                    entry["lastError"] = "connecting to 10.0.3.17:443: reset".into();
                }
            });
        }),
    },
    Mutant {
        id: "log_error_tells_the_secret",
        breaks: "DLV-12",
        says: "lastError tells the webhook's secret",
        killed_by: &["DLV-12"],
        plant: Plant::Answer(|request, answer, known| {
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
        }),
    },
];
