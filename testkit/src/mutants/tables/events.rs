//! The webhooks that receive each event (§6).

use http::Method;
use serde_json::json;

use crate::mutants::{ApiAnswer, Fate, Mutant, Plant};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "publish_fires_nothing",
        breaks: "EV-1",
        says: "deliveries are recorded and never made",
        killed_by: &["EV-1"],
        plant: Plant::Delivery(|_| Fate::Swallow(200)),
    },
    Mutant {
        id: "last_subscription_alone",
        breaks: "EV-1",
        says: "of several events that a webhook is subscribed to, it gets the last alone",
        killed_by: &["EV-1"],
        plant: Plant::Both(
            |request, _| {
                let mut body = request.json();
                if request.is(&Method::POST, "/webhooks") && body["events"].as_array().is_some_and(|all| all.len() > 1)
                {
                    body["events"] = json!(["content.published"]);
                    request.set_json(&body);
                    request.headers.insert("x-planted", http::HeaderValue::from_static("1"));
                }
            },
            |request, answer, _| {
                if request.headers.contains_key("x-planted") && answer.ok() {
                    answer.edit(|body| body["events"] = json!(["strings.published", "content.published"]));
                }
            },
        ),
    },
    Mutant {
        id: "restore_fires_nothing",
        breaks: "EV-2",
        says: "only a publish fires strings.published",
        killed_by: &["EV-2"],
        plant: Plant::Server,
    },
    Mutant {
        id: "fan_out_to_all",
        breaks: "EV-6",
        says: "every webhook gets every event",
        killed_by: &["EV-1"],
        plant: Plant::Server,
    },
    Mutant {
        id: "disabled_webhooks_hear",
        breaks: "EV-7",
        says: "PATCH {enabled: false} is answered and has no effect",
        killed_by: &["EV-7"],
        plant: Plant::Both(
            |request, _| {
                if request.is(&Method::PATCH, "/webhooks/*") && request.json()["enabled"] == false {
                    request.set_json(&json!({ "enabled": true }));
                    request.headers.insert("x-planted", http::HeaderValue::from_static("1"));
                }
            },
            |request, answer, _| {
                if request.headers.contains_key("x-planted") && answer.ok() {
                    answer.edit(|body| body["enabled"] = false.into());
                }
            },
        ),
    },
    Mutant {
        id: "refused_publish_fires",
        breaks: "EV-8",
        says: "POST /publish with the flag publishes, and answers 400",
        killed_by: &["EV-8"],
        plant: Plant::Both(
            |request, _| {
                if request.is(&Method::POST, "/publish") && request.query.contains("dryRun") {
                    request.query.clear();
                    request.headers.insert("x-planted", http::HeaderValue::from_static("1"));
                }
            },
            |request, answer, _| {
                if request.headers.contains_key("x-planted") && answer.ok() {
                    *answer = ApiAnswer::error(400, "invalid_argument");
                }
            },
        ),
    },
];
