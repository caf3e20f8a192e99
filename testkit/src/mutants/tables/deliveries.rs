//! Attempts, their results, and what follows from them (§3, §6).

use http::Method;
use serde_json::Value;

use super::edit::event_id;
use crate::mutants::delivery::RelayAction;
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::Mutant;

/// The server disables a webhook once its log, the newest first, is like this.
fn disabled_once(request: &ApiRequest, answer: &mut ApiAnswer, known: &ProxyState, holds: fn(&[Value]) -> bool) {
    let log = answer.json();
    let log = log["deliveries"].as_array().filter(|_| request.is(&Method::GET, "/webhooks/*/deliveries"));
    if log.is_some_and(|log| holds(log)) {
        known.note(request.path.split('/').nth(4).unwrap_or_default(), true.into());
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
}

fn failed(entry: &&Value) -> bool {
    entry["status"] == "failed"
}

/// Another status for some of the receiver's.
const fn told(status: u16, from: u16, to: u16, instead: u16) -> u16 {
    if status >= from && status <= to { instead } else { status }
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    delivery "only_200_delivers" breaks "DEL-1": "a 2xx other than 200 is a failure",
        |_| RelayAction::ReportAs(|status| told(status, 201, 299, 500));
    log "client_errors_are_final" breaks "DEL-2": "after a 4xx there is no retry",
        |entry| if entry["status"] == "pending" && matches!(entry["lastStatusCode"].as_u64(), Some(400..=499)) {
            (entry["status"], entry["nextAttemptAt"]) = ("failed".into(), Value::Null);
        };
    delivery "not_modified_delivers" breaks "DEL-2": "304 is a delivery",
        |_| RelayAction::ReportAs(|status| told(status, 304, 304, 200));
    answer "gone_disables" breaks "DEL-2": "410 disables the webhook",
        |request, answer, known| disabled_once(request, answer, known, |log| {
            log.first().is_some_and(|entry| entry["lastStatusCode"] == 410)
        });
    delivery "delivery_redirects_followed" breaks "DEL-3": "redirects are followed", |_| RelayAction::FollowRedirect;
    delivery "redirects_deliver" breaks "DEL-3": "a redirect is a delivery",
        |_| RelayAction::ReportAs(|status| told(status, 300, 399, 200));
    rules "answer_within_30_s" breaks "DEL-4": "an endpoint has 30 s to answer", r#"{"answerMillis":30000}"#;
    rules "answer_within_5_s" breaks "DEL-4": "an endpoint has 5 s to answer", r#"{"answerMillis":5000}"#;
    rules "slow_answers_for_30_s" breaks "DEL-6": "an answer may take 30 s from its first byte to its last",
        r#"{"answerMillis":30000}"#;
    rules "connect_within_10_s" breaks "DEL-5": "a connection has 10 s to open", r#"{"openMillis":10000}"#;
    rules "one_at_a_time" breaks "DEL-19": "one attempt is made at a time, whichever webhook it is of",
        r#"{"attemptsAtOnce":1}"#;
    rules "first_retry_after_10_s" breaks "DEL-7": "the first retry comes after 10 s",
        r#"{"waitsMillis":[10000,120000,600000,3600000,21600000]}"#;
    rules "first_retry_after_60_s" breaks "DEL-7": "the first retry comes after a minute",
        r#"{"waitsMillis":[60000,120000,600000,3600000,21600000]}"#;
    rules "retries_all_after_30_s" breaks "DEL-8": "every retry comes after 30 s",
        r#"{"waitsMillis":[30000,30000,30000,30000,30000]}"#;
    rules "no_retry_after_6_h" breaks "DEL-9": "there is no sixth attempt",
        r#"{"waitsMillis":[30000,120000,600000,3600000]}"#;
    rules "seven_attempts" breaks "DEL-10" by ["DEL-9"]: "there is a seventh attempt",
        r#"{"waitsMillis":[30000,120000,600000,3600000,21600000,21600000]}"#;
    log "failed_stays_pending" breaks "DEL-10" by ["DEL-9"]: "a delivery that has failed is shown as pending",
        |entry| if entry["status"] == "failed" { entry["status"] = "pending".into(); };
    rules "two_failures_disable" breaks "DEL-11": "two failed deliveries in a row disable a webhook",
        r#"{"failuresToDisable":2}"#;
    rules "four_failures_disable" breaks "DEL-11": "it takes four failed deliveries in a row",
        r#"{"failuresToDisable":4}"#;
    answer "failed_attempts_disable" breaks "DEL-11": "failed attempts are counted, not deliveries",
        |request, answer, known| disabled_once(request, answer, known, |log| {
            log.iter().any(|entry| entry["status"] == "pending" && entry["attempts"].as_u64() >= Some(3))
        });
    answer "success_resets_nothing" breaks "DEL-12" by ["DEL-11"]: "a delivered one does not reset the count",
        |request, answer, known| disabled_once(request, answer, known, |log| log.iter().filter(failed).count() >= 3);
    answer "enabling_resets_nothing" breaks "DEL-13" by ["DEL-11"]: "PATCH {enabled: true} keeps the count",
        |request, answer, known| disabled_once(request, answer, known, |log| {
            log.iter().take_while(failed).count() > 3
        });
    answer "reason_stays_when_enabled" breaks "DEL-13" by ["DEL-11"]:
        "disabledReason stays when a webhook is enabled again",
        |request, answer, known| if request.is(&Method::GET, "/webhooks") && answer.ok() {
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
        };
    delivery "event_id_for_each_attempt" breaks "DEL-14" by ["DEL-7"]: "a retry has an event id of its own",
        |relayed| {
            let attempt = relayed.attempt;
            if attempt == 1 {
                return RelayAction::Forward;
            }
            event_id(relayed, |relayed| format!("{}{attempt}", relayed.header("x-service-event-id")))
        };
    delivery "attempts_lost_by_a_kill" breaks "DEL-16":
        "attempts that are planned or under way are forgotten when the server is killed",
        |relayed| if relayed.attempt > 1 { RelayAction::Drop(500) } else { RelayAction::Forward };
    delivery "interrupted_attempts_lost" breaks "DEL-17": "an attempt that a kill interrupts is not made again",
        |relayed| if relayed.attempt > 1 { RelayAction::Drop(500) } else { RelayAction::Forward };
};
