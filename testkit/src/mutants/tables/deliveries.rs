//! Attempts, their results, and what follows from them (§3, §6). Most of these sit in the server: between it and the
//! receiver nobody sees what it makes of an answer.

use http::Method;
use serde_json::Value;

use super::edit::{event_id, log};
use crate::mutants::{Fate, Mutant, Plant};

const fn in_server(
    id: &'static str,
    breaks: &'static str,
    says: &'static str,
    killed_by: &'static [&'static str],
) -> Mutant {
    Mutant { id, breaks, says, killed_by, plant: Plant::Server }
}

pub(super) const MUTANTS: &[Mutant] = &[
    in_server("only_200_delivers", "DEL-1", "a 2xx other than 200 is a failure", &["DEL-1"]),
    in_server("client_errors_are_final", "DEL-2", "after a 4xx there is no retry", &["DEL-2"]),
    in_server("not_modified_delivers", "DEL-2", "304 is a delivery", &["DEL-2"]),
    Mutant {
        id: "gone_disables",
        breaks: "DEL-2",
        says: "410 disables the webhook",
        killed_by: &["DEL-2"],
        plant: Plant::Answer(|request, answer, known| {
            let webhook = request.path.split('/').nth(4).unwrap_or_default().to_owned();
            let gone = |body: &Value| body["deliveries"][0]["lastStatusCode"] == 410;
            if request.is(&Method::GET, "/webhooks/*/deliveries") && gone(&answer.json()) {
                known.note(&webhook, true.into());
            }
            if request.is(&Method::GET, "/webhooks") && answer.ok() {
                answer.edit(|body| {
                    for one in body["webhooks"].as_array_mut().into_iter().flatten() {
                        if known.noted(one["webhookId"].as_str().unwrap_or_default()).is_some() {
                            one["enabled"] = false.into();
                        }
                    }
                });
            }
        }),
    },
    Mutant {
        id: "delivery_redirects_followed",
        breaks: "DEL-3",
        says: "redirects are followed",
        killed_by: &["DEL-3"],
        plant: Plant::Delivery(|_| Fate::Follow),
    },
    in_server("redirects_deliver", "DEL-3", "a redirect is a delivery", &["DEL-3"]),
    in_server("answer_within_30_s", "DEL-4", "an endpoint has 30 s to answer", &["DEL-4"]),
    in_server("answer_within_5_s", "DEL-4", "an endpoint has 5 s to answer", &["DEL-4"]),
    in_server("connect_within_10_s", "DEL-5", "a connection has 10 s to open", &["DEL-5"]),
    in_server("first_retry_after_10_s", "DEL-7", "the first retry comes after 10 s", &["DEL-7"]),
    in_server("first_retry_after_60_s", "DEL-7", "the first retry comes after a minute", &["DEL-7"]),
    in_server("retries_all_after_30_s", "DEL-8", "every retry comes after 30 s", &["DEL-8", "DEL-9"]),
    in_server("no_retry_after_6_h", "DEL-9", "there is no sixth attempt", &["DEL-9"]),
    in_server("seven_attempts", "DEL-10", "there is a seventh attempt", &["DEL-9"]),
    Mutant {
        id: "failed_stays_pending",
        breaks: "DEL-10",
        says: "a delivery that has failed is shown as pending",
        killed_by: &["DEL-9"],
        plant: Plant::Answer(|request, answer, _| {
            log(request, answer, |entry| {
                if entry["status"] == "failed" {
                    entry["status"] = "pending".into();
                }
            });
        }),
    },
    in_server("two_failures_disable", "DEL-11", "two failed deliveries in a row disable a webhook", &["DEL-11"]),
    in_server("four_failures_disable", "DEL-11", "it takes four failed deliveries in a row", &["DEL-11"]),
    in_server("failed_attempts_disable", "DEL-11", "failed attempts are counted, not deliveries", &["DEL-11"]),
    in_server("success_resets_nothing", "DEL-12", "a delivered one does not reset the count", &["DEL-11"]),
    in_server("enabling_resets_nothing", "DEL-13", "PATCH {enabled: true} keeps the count", &["DEL-11"]),
    Mutant {
        id: "reason_stays_when_enabled",
        breaks: "DEL-13",
        says: "disabledReason stays when a webhook is enabled again",
        killed_by: &["DEL-11"],
        plant: Plant::Answer(|request, answer, known| {
            if request.is(&Method::GET, "/webhooks") && answer.ok() {
                answer.edit(|body| {
                    for one in body["webhooks"].as_array_mut().into_iter().flatten() {
                        let id = one["webhookId"].as_str().unwrap_or_default().to_owned();
                        if one["disabledReason"].is_string() {
                            known.note(&id, one["disabledReason"].clone());
                        } else if let Some(reason) = known.noted(&id) {
                            one["disabledReason"] = reason;
                        }
                    }
                });
            }
        }),
    },
    Mutant {
        id: "event_id_for_each_attempt",
        breaks: "DEL-14",
        says: "a retry has an event id of its own",
        killed_by: &["DEL-7"],
        plant: Plant::Delivery(|relayed| {
            let attempt = relayed.attempt;
            if attempt == 1 {
                return Fate::Forward;
            }
            event_id(relayed, |relayed| format!("{}{attempt}", relayed.header("x-service-event-id")))
        }),
    },
    in_server(
        "planned_attempts_in_memory",
        "DEL-16",
        "attempts that are planned are forgotten when the server is killed",
        &["DEL-16"],
    ),
    in_server(
        "delivering_for_ever",
        "DEL-17",
        "an attempt during which the server is killed is under way for ever",
        &["DEL-17"],
    ),
];
