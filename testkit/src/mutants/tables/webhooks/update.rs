//! PATCH and DELETE.

use http::Method;
use serde_json::json;

use super::{changes, edit_entries, mark, marked, webhook_of};
use crate::mutants::{ApiAnswer, Mutant, Plant};

const FIELDS: [&str; 3] = ["url", "events", "enabled"];

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "patch_as_put",
        breaks: "WH-PA-1",
        says: "sets fields that PATCH leaves out to their defaults",
        killed_by: &["WH-PA-1"],
        plant: Plant::Request(|request, _| {
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
        }),
    },
    Mutant {
        id: "patch_ignores_events",
        breaks: "WH-PA-1",
        says: "accepts new events and keeps the old ones",
        killed_by: &["WH-PA-1"],
        plant: Plant::Request(|request, _| {
            let body = request.json();
            if changes(request) && body["events"].is_array() && body.as_object().is_some_and(|body| body.len() == 1) {
                request.method = Method::GET;
                request.path = request.path.replace(&format!("/{}", webhook_of(request)), "");
                request.set_json(&serde_json::Value::Null);
                request.body.clear();
            }
        }),
    },
    Mutant {
        id: "patch_of_nothing",
        breaks: "WH-PA-2",
        says: "answers 200 to PATCH without any of the three fields",
        killed_by: &["WH-PA-2"],
        plant: Plant::Instead(|request, _| {
            let body = request.json();
            let none = FIELDS.iter().all(|name| body[*name].is_null());
            (changes(request) && none).then(|| ApiAnswer::new(200, &json!({})))
        }),
    },
    Mutant {
        id: "patch_coerces",
        breaks: "WH-PA-3",
        says: "takes \"true\" and 1 for true",
        killed_by: &["WH-PA-3"],
        plant: Plant::Request(|request, _| {
            let mut body = request.json();
            if changes(request) && (body["enabled"] == "true" || body["enabled"] == 1) {
                body["enabled"] = true.into();
                request.set_json(&body);
            }
        }),
    },
    Mutant {
        id: "patch_url_unchecked",
        breaks: "WH-PA-4",
        says: "looks at where a URL leads at creation alone",
        killed_by: &["WH-PA-4"],
        plant: Plant::Server,
    },
    Mutant {
        id: "patch_enabled_first",
        breaks: "WH-PA-5",
        says: "writes `enabled`, then refuses the URL",
        killed_by: &["WH-PA-5"],
        plant: Plant::Both(
            |request, _| {
                let body = request.json();
                let url = body["url"].as_str().unwrap_or_default();
                if changes(request) && body["enabled"] == false && url == "http://x" {
                    request.set_json(&json!({ "enabled": false }));
                    mark(request, "half");
                }
            },
            |request, answer, _| {
                if marked(request) {
                    *answer = ApiAnswer::error(400, "invalid_argument");
                }
            },
        ),
    },
    Mutant {
        id: "secret_new_with_url",
        breaks: "WH-PA-6",
        says: "gives a webhook another secret when its URL changes",
        killed_by: &["WH-PA-6"],
        plant: Plant::Server,
    },
    Mutant {
        id: "delete_does_nothing",
        breaks: "WH-DE-1",
        says: "answers 204 to DELETE and deletes nothing",
        killed_by: &["WH-DE-1", "WH-DE-2"],
        plant: Plant::Instead(|request, _| {
            request.is(&Method::DELETE, "/webhooks/*").then(|| ApiAnswer::new(204, &serde_json::Value::Null))
        }),
    },
    Mutant {
        id: "deleted_still_listed",
        breaks: "WH-DE-1",
        says: "goes on listing webhooks that were deleted",
        killed_by: &["WH-DE-1"],
        plant: Plant::Answer(|request, answer, known| {
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
        }),
    },
    Mutant {
        id: "deleted_still_delivered",
        breaks: "WH-DE-2",
        says: "hides a deleted webhook, and goes on delivering to it",
        killed_by: &["WH-DE-2"],
        plant: Plant::Both(
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
                edit_entries(request, answer, |entries| {
                    entries.retain(|one| !one["webhookId"].as_str().is_some_and(gone));
                });
            },
        ),
    },
];
