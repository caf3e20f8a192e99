//! Creation and the list.

use serde_json::{Value, json};

use super::{changes, creates, edit_creation, edit_entries, good_url, mark, marked, note_good_url};
use crate::mutants::{ApiAnswer, Mutant, Plant};

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "create_without_secret",
        breaks: "WH-CR-1",
        says: "does not show the secret at creation",
        killed_by: &["WH-CR-1"],
        plant: Plant::Answer(|request, answer, _| {
            if creates(request) && answer.ok() {
                answer.edit(|body| {
                    body.as_object_mut().map(|body| body.remove("secret"));
                });
            }
        }),
    },
    Mutant {
        id: "create_answers_id",
        breaks: "WH-CR-1",
        says: "answers `id` in place of `webhookId`",
        killed_by: &["WH-CR-1"],
        plant: Plant::Answer(|request, answer, _| {
            if creates(request) && answer.ok() {
                answer.edit(|body| {
                    body["id"] = body["webhookId"].take();
                    body.as_object_mut().map(|body| body.remove("webhookId"));
                });
            }
        }),
    },
    Mutant {
        id: "url_by_default",
        breaks: "WH-CR-2",
        says: "takes a default for a URL that is missing",
        killed_by: &["WH-CR-2", "WH-CR-6"],
        plant: Plant::Request(|request, known| {
            note_good_url(request, known);
            edit_creation(request, |body| {
                if body["url"].is_null() || body["url"] == "" {
                    body["url"] = good_url(known);
                }
            });
        }),
    },
    Mutant {
        id: "url_of_an_array",
        breaks: "WH-CR-2",
        says: "takes the first of an array for the URL",
        killed_by: &["WH-CR-2"],
        plant: Plant::Request(|request, known| {
            note_good_url(request, known);
            edit_creation(request, |body| {
                if body["url"].is_array() {
                    body["url"] = good_url(known);
                }
            });
        }),
    },
    Mutant {
        id: "events_by_default",
        breaks: "WH-CR-3",
        says: "subscribes to all events where none are named",
        killed_by: &["WH-CR-3", "WH-CR-6"],
        plant: Plant::Request(|request, _| {
            edit_creation(request, |body| {
                if body["events"].is_null() && body["url"].is_string() {
                    body["events"] = json!(["strings.published", "content.published"]);
                }
            });
        }),
    },
    Mutant {
        id: "events_of_a_string",
        breaks: "WH-CR-3",
        says: "takes a string for a list of one",
        killed_by: &["WH-CR-3", "WH-CR-6"],
        plant: Plant::Request(|request, _| {
            edit_creation(request, |body| {
                if body["events"].is_string() {
                    body["events"] = json!([body["events"]]);
                }
            });
        }),
    },
    Mutant {
        id: "unknown_events_filtered",
        breaks: "WH-CR-4",
        says: "leaves unknown events out without a word",
        killed_by: &["WH-CR-4"],
        plant: Plant::Request(|request, _| {
            edit_creation(request, |body| {
                if let Some(events) = body["events"].as_array_mut().filter(|events| events.len() > 1) {
                    events.retain(|event| event == "strings.published" || event == "content.published");
                }
            });
        }),
    },
    Mutant {
        id: "events_in_any_case",
        breaks: "WH-CR-4",
        says: "compares events without regard to case",
        killed_by: &["WH-CR-4"],
        plant: Plant::Request(|request, _| {
            edit_creation(request, |body| {
                for event in body["events"].as_array_mut().into_iter().flatten() {
                    if let Some(text) = event.as_str() {
                        *event = text.to_lowercase().into();
                    }
                }
            });
        }),
    },
    Mutant {
        id: "no_events_accepted",
        breaks: "WH-CR-5",
        says: "creates webhooks that can never be called",
        killed_by: &["WH-CR-5"],
        plant: Plant::Request(|request, _| {
            edit_creation(request, |body| {
                if body["events"] == json!([]) {
                    body["events"] = json!(["strings.published"]);
                }
            });
        }),
    },
    Mutant {
        id: "row_before_validation",
        breaks: "WH-CR-6",
        says: "writes the webhook, then looks at its events and refuses",
        killed_by: &["WH-CR-4", "WH-CR-6"],
        plant: Plant::Both(
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
            |request, answer, _| {
                if marked(request) && answer.ok() {
                    *answer = ApiAnswer::error(400, "invalid_argument");
                }
            },
        ),
    },
    Mutant {
        id: "last_duplicate_wins",
        breaks: "WH-CR-7",
        says: "takes the last of two members of one name",
        killed_by: &["WH-CR-7"],
        plant: Plant::Request(|request, _| {
            let body = request.json();
            if creates(request) && body.is_object() {
                request.set_json(&body);
            }
        }),
    },
    Mutant {
        id: "webhook_trailing_bytes",
        breaks: "WH-CR-7",
        says: "reads the first JSON value of a body and no further",
        killed_by: &["WH-CR-7"],
        plant: Plant::Request(|request, _| {
            let mut values = serde_json::Deserializer::from_slice(&request.body).into_iter::<Value>();
            let first = values.next().and_then(Result::ok);
            if let Some(first) = first.filter(|first| creates(request) && first.is_object() && request.json().is_null())
            {
                request.set_json(&first);
            }
        }),
    },
    Mutant {
        id: "webhook_of_an_array",
        breaks: "WH-CR-8",
        says: "takes an array of the members in their order for the object",
        killed_by: &["WH-CR-8"],
        plant: Plant::Request(|request, _| {
            let body = request.json();
            if creates(request) && body.as_array().is_some_and(|members| members.len() == 2) {
                request.set_json(&json!({ "url": body[0], "events": body[1] }));
            }
        }),
    },
    Mutant {
        id: "list_hides_disabled",
        breaks: "WH-LS-1",
        says: "lists enabled webhooks alone",
        killed_by: &["WH-LS-1"],
        plant: Plant::Answer(|request, answer, _| {
            edit_entries(request, answer, |entries| entries.retain(|one| one["enabled"] != false));
        }),
    },
    Mutant {
        id: "list_of_every_project",
        breaks: "WH-LS-2",
        says: "lists webhooks of every project",
        killed_by: &["WH-LS-2"],
        plant: Plant::Answer(|request, answer, known| {
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
        }),
    },
    Mutant {
        id: "webhook_unknown_500",
        breaks: "WH-PA-7",
        says: "answers 500 for a webhook that is not there",
        killed_by: &["WH-PA-7"],
        plant: Plant::Answer(|request, answer, _| {
            if changes(request) && answer.status == 404 {
                *answer = ApiAnswer::error(500, "internal");
            }
        }),
    },
    Mutant {
        id: "webhook_unknown_200",
        breaks: "WH-PA-7",
        says: "answers 200 for a webhook that is not there",
        killed_by: &["WH-PA-7"],
        plant: Plant::Answer(|request, answer, _| {
            if changes(request) && answer.status == 404 {
                *answer = ApiAnswer::new(200, &json!({}));
            }
        }),
    },
];
