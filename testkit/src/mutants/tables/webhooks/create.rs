//! Creation and the list.

use serde_json::{Value, json};

use super::{changes, creates, edit_creation, edit_entries, good_url, mark, marked, note_good_url};
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "create_without_secret" breaks "WH-CR-1": "does not show the secret at creation",
        |request, answer, _| if creates(request) && answer.ok() {
            answer.edit(|body| drop(body.as_object_mut().map(|body| body.remove("secret"))));
        };
    answer "create_answers_id" breaks "WH-CR-1": "answers `id` in place of `webhookId`",
        |request, answer, _| if creates(request) && answer.ok() {
            answer.edit(|body| {
                body["id"] = body["webhookId"].take();
                body.as_object_mut().map(|body| body.remove("webhookId"));
            });
        };
    request "url_by_default" breaks "WH-CR-2": "takes a default for a URL that is missing",
        |request, known| {
            note_good_url(request, known);
            edit_creation(request, |body| {
                if body["url"].is_null() || body["url"] == "" {
                    body["url"] = good_url(known);
                }
            });
        };
    request "url_of_an_array" breaks "WH-CR-2": "takes the first of an array for the URL",
        |request, known| {
            note_good_url(request, known);
            edit_creation(request, |body| {
                if body["url"].is_array() {
                    body["url"] = good_url(known);
                }
            });
        };
    request "events_by_default" breaks "WH-CR-3":
        "subscribes to all events where none are named",
        |request, _| {
            edit_creation(request, |body| {
                if body["events"].is_null() && body["url"].is_string() {
                    body["events"] = json!(["strings.published", "content.published"]);
                }
            });
        };
    request "events_of_a_string" breaks "WH-CR-3": "takes a string for a list of one",
        |request, _| {
            edit_creation(request, |body| {
                if body["events"].is_string() {
                    body["events"] = json!([body["events"]]);
                }
            });
        };
    request "unknown_events_filtered" breaks "WH-CR-4": "leaves unknown events out without a word",
        |request, _| {
            edit_creation(request, |body| {
                if let Some(events) = body["events"].as_array_mut().filter(|events| events.len() > 1) {
                    events.retain(|event| event == "strings.published" || event == "content.published");
                }
            });
        };
    request "events_in_any_case" breaks "WH-CR-4": "compares events without regard to case",
        |request, _| {
            edit_creation(request, |body| {
                for event in body["events"].as_array_mut().into_iter().flatten() {
                    if let Some(text) = event.as_str() {
                        *event = text.to_lowercase().into();
                    }
                }
            });
        };
    request "no_events_accepted" breaks "WH-CR-5": "creates webhooks that can never be called",
        |request, _| {
            edit_creation(request, |body| {
                if body["events"] == json!([]) {
                    body["events"] = json!(["strings.published"]);
                }
            });
        };
    both "row_before_validation" breaks "WH-CR-6":
        "writes the webhook, then looks at its events and refuses",
        |request, _| {
            let body = request.json();
            if creates(request) && body["url"].is_string() && body["events"] == json!(["x.y"]) {
                edit_creation(request, |body| body["events"] = json!(["strings.published"]));
                mark(request, "written");
            }
            if creates(request) && body["events"] == json!(["*"]) {
                edit_creation(request, |body| body["events"] = json!(["strings.published"]));
                mark(request, "written");
            }
        },
        |request, answer, _| if marked(request) && answer.ok() { *answer = ApiAnswer::error(400, "invalid_argument"); };
    request "last_duplicate_wins" breaks "WH-CR-7": "takes the last of two members of one name",
        |request, _| {
            let body = request.json();
            if creates(request) && body.is_object() {
                request.set_json(&body);
            }
        };
    request "webhook_trailing_bytes" breaks "WH-CR-7": "reads the first JSON value of a body and no further",
        |request, _| {
            let mut values = serde_json::Deserializer::from_slice(&request.body).into_iter::<Value>();
            let first = values.next().and_then(Result::ok);
            if let Some(first) = first.filter(|first| creates(request) && first.is_object() && request.json().is_null())
            {
                request.set_json(&first);
            }
        };
    request "webhook_of_an_array" breaks "WH-CR-8": "takes an array of the members in their order for the object",
        |request, _| {
            let body = request.json();
            if creates(request) && body.as_array().is_some_and(|members| members.len() == 2) {
                request.set_json(&json!({ "url": body[0], "events": body[1] }));
            }
        };
    answer "list_hides_disabled" breaks "WH-LS-1": "lists enabled webhooks alone",
        |request, answer, _| edit_entries(request, answer, |entries| entries.retain(|one| one["enabled"] != false));
    answer "list_of_every_project" breaks "WH-LS-2": "lists webhooks of every project",
        |request, answer, known| {
            let mut made = known.noted("made").unwrap_or_else(|| json!([]));
            if creates(request) && answer.ok() {
                let mut one = answer.json();
                one.as_object_mut().map(|one| one.remove("secret"));
                if let Some(made) = made.as_array_mut() {
                    made.push(json!({ "project": request.project(), "webhook": one }));
                }
                known.note("made", made.clone());
            }
            edit_entries(request, answer, |entries| {
                let others = made.as_array().into_iter().flatten().filter(|one| one["project"] != request.project());
                entries.extend(others.map(|one| one["webhook"].clone()));
            });
        };
    answer "list_of_others_if_empty" breaks "WH-LS-2": "lists webhooks of other projects where a project has none",
        |request, answer, known| {
            if creates(request) && answer.ok() {
                let mut one = answer.json();
                one.as_object_mut().map(|one| one.remove("secret"));
                known.note("made last", one);
            }
            edit_entries(request, answer, |entries| {
                if entries.is_empty() {
                    entries.extend(known.noted("made last"));
                }
            });
        };
    answer "webhook_unknown_500" breaks "WH-PA-7": "answers 500 for a webhook that is not there",
        |request, answer, _| if changes(request) && answer.status == 404 {
            *answer = ApiAnswer::error(500, "internal");
        };
    answer "webhook_unknown_200" breaks "WH-PA-7": "answers 200 for a webhook that is not there",
        |request, answer, _| if changes(request) && answer.status == 404 {
            *answer = ApiAnswer::new(200, &json!({}));
        };
};
