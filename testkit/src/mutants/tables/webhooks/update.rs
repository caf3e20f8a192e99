//! PATCH and DELETE.

use http::Method;
use serde_json::json;

use super::{changes, edit_entries, edit_list, good_url, is_at_receiver, mark, marked, note_good_url, webhook_of};
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

const FIELDS: [&str; 3] = ["url", "events", "enabled"];

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    request "patch_as_put" breaks "WH-PA-1": "sets fields that PATCH leaves out to their defaults",
        |request, _| {
            let mut body = request.json();
            if changes(request) && FIELDS.iter().any(|name| !body[*name].is_null()) {
                if body["enabled"].is_null() {
                    body["enabled"] = true.into();
                }
                if body["events"].is_null() {
                    body["events"] = json!(["strings.published", "content.published"]);
                }
                request.set_json(&body);
            }
        };
    request "patch_ignores_events" breaks "WH-PA-1": "accepts new events and keeps the old ones",
        |request, _| {
            let body = request.json();
            if changes(request) && body["events"].is_array() && body.as_object().is_some_and(|body| body.len() == 1) {
                request.method = Method::GET;
                request.path = request.path.replace(&format!("/{}", webhook_of(request)), "");
                request.set_json(&serde_json::Value::Null);
                request.body.clear();
            }
        };
    instead "patch_of_nothing" breaks "WH-PA-2": "answers 200 to PATCH without any of the three fields",
        |request, _| {
            let body = request.json();
            let none = FIELDS.iter().all(|name| body[*name].is_null());
            (changes(request) && none).then(|| ApiAnswer::new(200, &json!({})))
        };
    request "patch_coerces" breaks "WH-PA-3": "takes \"true\" and 1 for true",
        |request, _| {
            let mut body = request.json();
            if changes(request) && (body["enabled"] == "true" || body["enabled"] == 1) {
                body["enabled"] = true.into();
                request.set_json(&body);
            }
        };
    request "patch_url_unchecked" breaks "WH-PA-4": "looks at where a URL leads at creation alone",
        |request, known| {
            note_good_url(request, known);
            let mut body = request.json();
            if changes(request) && body["url"].as_str().is_some_and(|url| !is_at_receiver(known, url)) {
                body["url"] = good_url(known);
                request.set_json(&body);
            }
        };
    both "patch_enabled_first" breaks "WH-PA-5": "writes `enabled`, then refuses the URL",
        |request, _| {
            let body = request.json();
            let url = body["url"].as_str().unwrap_or_default();
            if changes(request) && body["enabled"] == false && url == "http://x" {
                request.set_json(&json!({ "enabled": false }));
                mark(request, "half");
            }
        },
        |request, answer, _| if marked(request) { *answer = ApiAnswer::error(400, "invalid_argument"); };
    answer "secret_new_with_url" breaks "WH-PA-6": "gives a webhook another secret when its URL changes",
        |request, answer, known| {
            if changes(request) && request.json()["url"].is_string() && answer.ok() {
                known.note(webhook_of(request), true.into());
            }
            edit_list(request, answer, |one| {
                if known.noted(one["webhookId"].as_str().unwrap_or_default()).is_some() {
                    one["secretHint"] = "anew".into();
                }
            });
        };
    instead "delete_does_nothing" breaks "WH-DE-1":
        "answers 204 to DELETE and deletes nothing",
        |request, _| request.is(&Method::DELETE, "/webhooks/*").then(|| ApiAnswer::new(204, &serde_json::Value::Null));
    answer "deleted_still_listed" breaks "WH-DE-1": "goes on listing webhooks that were deleted",
        |request, answer, known| {
            if request.is(&Method::DELETE, "/webhooks/*") && answer.ok() {
                known.note(&format!("deleted {}", webhook_of(request)), true.into());
            }
            edit_entries(request, answer, |entries| {
                let name = format!("entries of {}", request.project());
                let noted = known.noted(&name).unwrap_or_else(|| json!([]));
                let gone = |id: &str| known.noted(&format!("deleted {id}")).is_some();
                let lost = noted.as_array().into_iter().flatten();
                let lost = lost.filter(|one| one["webhookId"].as_str().is_some_and(gone) && !entries.contains(one));
                let lost: Vec<_> = lost.cloned().collect();
                entries.extend(lost);
                known.note(&name, entries.clone().into());
            });
        };
    both "deleted_still_delivered" breaks "WH-DE-2": "hides a deleted webhook, and goes on delivering to it",
        |request, known| {
            let id = webhook_of(request).to_owned();
            let name = format!("deleted {id}");
            if request.is(&Method::DELETE, "/webhooks/*") && known.noted(&name).is_none() {
                known.note(&name, true.into());
                request.method = Method::GET;
                request.path = request.path.replace(&format!("/{id}"), "");
                mark(request, "deleted");
            }
        },
        |request, answer, known| {
            let gone = |id: &str| known.noted(&format!("deleted {id}")).is_some();
            if marked(request) {
                *answer = ApiAnswer::new(204, &serde_json::Value::Null);
            } else if gone(webhook_of(request)) {
                *answer = ApiAnswer::error(404, "not_found");
            }
            edit_entries(request, answer, |entries| entries.retain(|one| !one["webhookId"].as_str().is_some_and(gone)));
        };
};
