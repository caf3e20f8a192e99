//! The webhooks that receive each event (§6).

use http::Method;
use serde_json::json;

use super::edit::event;
use crate::mutants::delivery::RelayAction;
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    delivery "publish_fires_nothing" breaks "EV-1": "deliveries are recorded and never made", |_| RelayAction::Drop(200);
    delivery "publish_fires_for_another_version" breaks "EV-1": "a publish fires the event of another version",
        |relayed| event(relayed, |event, _| event["data"]["versionId"] = "ver_another".into());
    both "last_subscription_alone" breaks "EV-1":
        "of several events that a webhook is subscribed to, it gets the last alone",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::POST, "/webhooks") && body["events"].as_array().is_some_and(|all| all.len() > 1)
            {
                body["events"] = json!(["content.published"]);
                request.set_json(&body);
                request.headers.insert("x-planted", http::HeaderValue::from_static("1"));
            }
        },
        |request, answer, _| if request.headers.contains_key("x-planted") && answer.ok() {
            answer.edit(|body| body["events"] = json!(["strings.published", "content.published"]));
        };
    instead "restore_fires_nothing" breaks "EV-2": "only a publish fires strings.published",
        |request, _| {
            let restores = request.is(&Method::POST, "/versions/*/restore") && request.path.contains("/ver_");
            restores.then(|| ApiAnswer::new(200, &json!({ "publishId": "pub_planted", "restored": true })))
        };
    request "fan_out_to_all" breaks "EV-6" by ["EV-1"]: "every webhook gets every event",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::POST, "/webhooks") && body["events"].is_array() {
                body["events"] = json!(["strings.published", "content.published"]);
                request.set_json(&body);
            }
        };
    both "disabled_webhooks_hear" breaks "EV-7": "PATCH {enabled: false} is answered and has no effect",
        |request, _| if request.is(&Method::PATCH, "/webhooks/*") && request.json()["enabled"] == false {
            request.set_json(&json!({ "enabled": true }));
            request.headers.insert("x-planted", http::HeaderValue::from_static("1"));
        },
        |request, answer, _| if request.headers.contains_key("x-planted") && answer.ok() {
            answer.edit(|body| body["enabled"] = false.into());
        };
    both "refused_publish_fires" breaks "EV-8": "POST /publish with the flag publishes, and answers 400",
        |request, _| if request.is(&Method::POST, "/publish") && request.query.contains("dryRun") {
            request.query.clear();
            request.headers.insert("x-planted", http::HeaderValue::from_static("1"));
        },
        |request, answer, _| if request.headers.contains_key("x-planted") && answer.ok() {
            *answer = ApiAnswer::error(400, "invalid_argument");
        };
};
