//! Errors (§7).

use http::Method;
use serde_json::{Value, json};

use crate::mutants::{ApiAnswer, ApiRequest, Mutant, Plant};
use crate::profile::Project;

/// Whether the request is of this project of the profile.
fn of(request: &ApiRequest, project: Option<&Project>) -> bool {
    project.is_some_and(|project| project.id == request.project())
}

fn plain(answer: &mut ApiAnswer, status: u16, text: &str) {
    answer.status = status;
    answer.set_header("content-type", "text/plain; charset=utf-8");
    answer.body = text.to_owned().into();
}

fn broken(request: &ApiRequest) -> bool {
    !request.body.is_empty() && request.json().is_null()
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "plain_text_rejection",
        breaks: "ERR-1",
        says: "a body that is no JSON is answered by the framework, in plain text",
        killed_by: &["ERR-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 400 && broken(request) {
                plain(answer, 400, "Failed to parse the request body as JSON: EOF while parsing an object");
            }
        }),
    },
    Mutant {
        id: "html_404",
        breaks: "ERR-1",
        says: "an unknown route is answered with a page of HTML",
        killed_by: &["ERR-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.under("/no-such-route") {
                plain(answer, 404, "<html><title>404 Not Found</title></html>");
            }
        }),
    },
    Mutant {
        id: "empty_413",
        breaks: "ERR-1",
        says: "a body too large is answered without a body",
        killed_by: &["ERR-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 413 {
                plain(answer, 413, "");
            }
        }),
    },
    Mutant {
        id: "nested_error",
        breaks: "ERR-1",
        says: "the error is an object with code and message in it",
        killed_by: &["ERR-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 401 {
                let body = answer.json();
                answer.set_json(&json!({ "error": { "code": body["error"], "message": body["message"] } }));
            }
        }),
    },
    Mutant {
        id: "code_is_reason_phrase",
        breaks: "ERR-2",
        says: "`error` is the reason phrase: Bad Request",
        killed_by: &["ERR-2"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 400 {
                answer.edit(|body| body["error"] = "Bad Request".into());
            }
        }),
    },
    Mutant {
        id: "code_in_camel_case",
        breaks: "ERR-2",
        says: "`error` is notFound",
        killed_by: &["ERR-2"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 404 {
                answer.edit(|body| body["error"] = "notFound".into());
            }
        }),
    },
    Mutant {
        id: "code_for_each_message",
        breaks: "ERR-3",
        says: "`error` names the field, so that clients have to know them all",
        killed_by: &["ERR-3"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 400 && request.under("/webhooks") {
                let field = if request.json()["url"].is_string() { "events" } else { "url" };
                answer.edit(|body| body["error"] = format!("invalid_{field}").into());
            }
        }),
    },
    Mutant {
        id: "status_422",
        breaks: "ERR-400-1",
        says: "a body of the wrong types is 422",
        killed_by: &["ERR-400-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 400 && !request.json().is_null() {
                answer.status = 422;
            }
        }),
    },
    Mutant {
        id: "array_for_object",
        breaks: "ERR-400-1",
        says: "an array in the order of the fields is taken for the object",
        killed_by: &["ERR-400-1"],
        plant: Plant::Request(|request, _| {
            let body = request.json();
            if body.is_array() {
                request.set_json(&json!({ "url": body[0], "events": body[1] }));
            }
        }),
    },
    Mutant {
        id: "trailing_bytes_ignored",
        breaks: "ERR-400-1",
        says: "what follows the JSON value is not looked at",
        killed_by: &["ERR-400-1"],
        plant: Plant::Request(|request, _| {
            let mut values = serde_json::Deserializer::from_slice(&request.body).into_iter::<Value>();
            if let Some(Ok(first)) = values.next()
                && values.next().is_some()
            {
                request.set_json(&first);
            }
        }),
    },
    Mutant {
        id: "partial_patch",
        breaks: "ERR-400-2",
        says: "PATCH of a webhook writes the good fields before it refuses the bad one",
        killed_by: &["ERR-400-2"],
        plant: Plant::Both(
            |request, _| {
                let body = request.json();
                if request.is(&Method::PATCH, "/webhooks/*")
                    && body["enabled"].is_boolean()
                    && !body["events"].is_null()
                {
                    request.set_json(&json!({ "enabled": body["enabled"] }));
                    request.query = "refused".to_owned();
                }
            },
            |request, answer, _| {
                if request.query == "refused" && answer.ok() {
                    *answer = ApiAnswer::error(400, "invalid_argument");
                }
            },
        ),
    },
    Mutant {
        id: "partial_translate",
        breaks: "ERR-400-2",
        says: "POST /translate registers the keys before the one that it refuses",
        killed_by: &["ERR-400-2"],
        plant: Plant::Both(
            |request, _| {
                let mut body = request.json();
                let bad = |key: &Value| !key["text"].is_string() && key["plural"].is_null();
                let Some(keys) = body["keys"].as_array_mut().filter(|keys| keys.iter().any(bad)) else { return };
                keys.retain(|key| !bad(key));
                if !keys.is_empty() && request.under("/translate") {
                    request.set_json(&body);
                    request.headers.insert("x-planted", http::HeaderValue::from_static("refused"));
                }
            },
            |request, answer, _| {
                if request.headers.contains_key("x-planted") && answer.ok() {
                    *answer = ApiAnswer::error(400, "invalid_argument");
                }
            },
        ),
    },
    Mutant {
        id: "nul_is_internal",
        breaks: "ERR-400-3",
        says: "NUL in a string reaches the database, which refuses it",
        killed_by: &["ERR-400-3"],
        plant: Plant::Instead(|request, _| {
            let nul = String::from_utf8_lossy(&request.body).contains("\\u0000");
            nul.then(|| ApiAnswer::error(500, "internal"))
        }),
    },
    Mutant {
        id: "nul_in_a_path_is_internal",
        breaks: "ERR-400-3",
        says: "an id with NUL in it reaches the database, which refuses it",
        killed_by: &["ERR-400-3"],
        plant: Plant::Instead(|request, _| request.path.contains("%00").then(|| ApiAnswer::error(500, "internal"))),
    },
    Mutant {
        id: "lone_surrogate_replaced",
        breaks: "ERR-400-3",
        says: "half a surrogate pair is replaced and stored",
        killed_by: &["ERR-400-3"],
        plant: Plant::Request(|request, _| {
            let text = String::from_utf8_lossy(&request.body).into_owned();
            if text.contains("\\ud800") {
                request.body = text.replace("\\ud800", "\\ufffd").into();
            }
        }),
    },
    Mutant {
        id: "forbidden_for_401",
        breaks: "ERR-401-1",
        says: "401 has the code forbidden",
        killed_by: &["ERR-401-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 401 {
                answer.edit(|body| body["error"] = "forbidden".into());
            }
        }),
    },
    Mutant {
        id: "unknown_key_403",
        breaks: "ERR-401-1",
        says: "a key that is not known is 403",
        killed_by: &["ERR-401-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 401 && request.key().is_some() {
                *answer = ApiAnswer::error(403, "forbidden");
            }
        }),
    },
    Mutant {
        id: "no_available_credits",
        breaks: "ERR-402-1",
        says: "insufficient_credits does not say what is left",
        killed_by: &["ERR-402-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                answer.edit(|body| {
                    body.as_object_mut().map(|body| body.remove("availableCredits"));
                });
            }
        }),
    },
    Mutant {
        id: "credits_403",
        breaks: "ERR-402-1",
        says: "a balance that is too low is 403",
        killed_by: &["ERR-402-1", "ERR-402-5"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                *answer = ApiAnswer::error(403, "forbidden");
            }
        }),
    },
    Mutant {
        id: "no_cap_remaining",
        breaks: "ERR-402-2",
        says: "spend_cap_exceeded does not say what is left of the cap",
        killed_by: &["ERR-402-2"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                answer.edit(|body| {
                    body.as_object_mut().map(|body| body.remove("capRemaining"));
                });
            }
        }),
    },
    Mutant {
        id: "spending_cap_text",
        breaks: "ERR-402-2",
        says: "spendingCap is a text",
        killed_by: &["ERR-402-2"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 && !answer.json()["spendingCap"].is_null() {
                answer.edit(|body| body["spendingCap"] = body["spendingCap"].to_string().into());
            }
        }),
    },
    Mutant {
        id: "plan_details_number",
        breaks: "ERR-402-3",
        says: "the details of plan_limit are a number",
        killed_by: &["ERR-402-3"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                answer.edit(|body| body["details"] = 3.into());
            }
        }),
    },
    Mutant {
        id: "balance_of_the_project",
        breaks: "ERR-402-4",
        says: "each project has a balance of its own",
        killed_by: &["ERR-402-4"],
        plant: Plant::Answer(|request, answer, known| {
            if of(request, known.profile.sibling.as_ref()) && answer.ok() {
                answer.edit(|body| body["balance"] = 100_000_000.into());
            }
        }),
    },
    Mutant {
        id: "runs_without_credits",
        breaks: "ERR-402-5",
        says: "the keys of a push without credits are registered, though nothing is translated",
        killed_by: &["ERR-402-5"],
        plant: Plant::Answer(|request, answer, known| {
            if !of(request, known.profile.no_credits.as_ref()) {
                return;
            }
            if answer.status == 404 && request.query.contains("ref=") {
                *answer = ApiAnswer::new(200, &json!({ "ref": "planted", "text": "planted" }));
            }
        }),
    },
    Mutant {
        id: "unauthorized_for_403",
        breaks: "ERR-403-1",
        says: "403 has the code unauthorized",
        killed_by: &["ERR-403-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 403 {
                answer.edit(|body| body["error"] = "unauthorized".into());
            }
        }),
    },
    Mutant {
        id: "unknown_webhook_is_empty",
        breaks: "ERR-404-1",
        says: "the deliveries of a webhook that is not there are an empty list",
        killed_by: &["ERR-404-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.is(&Method::GET, "/webhooks/*/deliveries") {
                *answer = ApiAnswer::new(200, &json!({ "deliveries": [] }));
            }
        }),
    },
    Mutant {
        id: "unknown_delivery_400",
        breaks: "ERR-404-1",
        says: "a delivery that is not there is 400",
        killed_by: &["ERR-404-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.under("/webhooks/*/deliveries/*/resend") {
                *answer = ApiAnswer::error(400, "invalid_argument");
            }
        }),
    },
    Mutant {
        id: "unknown_operation_null",
        breaks: "ERR-404-1",
        says: "an operation that is not there is null",
        killed_by: &["ERR-404-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.is(&Method::GET, "/operations/*") {
                *answer = ApiAnswer::new(200, &Value::Null);
            }
        }),
    },
    Mutant {
        id: "tells_what_is_elsewhere",
        breaks: "ERR-404-2",
        says: "the message tells a webhook of another project from one that is nowhere",
        killed_by: &["ERR-404-2"],
        plant: Plant::Answer(|request, answer, known| {
            let id = request.path.split('/').nth(4).unwrap_or_default().to_owned();
            if answer.ok() && request.is(&Method::POST, "/webhooks") {
                let id = answer.json()["webhookId"].as_str().unwrap_or_default().to_owned();
                known.note(&id, json!(true));
            } else if answer.status == 404 && known.noted(&id).is_some() {
                answer.edit(|body| body["message"] = "this webhook belongs to another project".into());
            }
        }),
    },
    Mutant {
        id: "restores_the_latest",
        breaks: "ERR-404-3",
        says: "restoring an unknown version restores the newest one",
        killed_by: &["ERR-404-3"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.under("/versions/*/restore") {
                *answer = ApiAnswer::new(200, &json!({ "versionId": "ver_newest", "restored": true }));
            }
        }),
    },
    Mutant {
        id: "unknown_version_is_empty",
        breaks: "ERR-404-3",
        says: "an unknown version has no files",
        killed_by: &["ERR-404-3"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.under("/translations") && request.query.contains("version=") {
                *answer = ApiAnswer::new(200, &json!({ "files": [] }));
            }
        }),
    },
    Mutant {
        id: "put_makes_documents",
        breaks: "ERR-404-4",
        says: "PUT of an unknown document makes it",
        killed_by: &["ERR-404-4"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.is(&Method::PUT, "/content/*") {
                *answer = ApiAnswer::new(201, &json!({ "docId": "doc_planted" }));
            }
        }),
    },
    Mutant {
        id: "unknown_key_is_null",
        breaks: "ERR-404-5",
        says: "a key that is not there is null",
        killed_by: &["ERR-404-5"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 404 && request.under("/translations") && request.query.contains("ref=") {
                *answer = ApiAnswer::new(200, &Value::Null);
            }
        }),
    },
    Mutant {
        id: "delete_credential",
        breaks: "ERR-405-1",
        says: "any method of the credential reads it",
        killed_by: &["ERR-405-1"],
        plant: Plant::Request(|request, _| {
            if request.under("/credential") {
                request.method = Method::GET;
            }
        }),
    },
    Mutant {
        id: "conflict_for_webhook_limit",
        breaks: "ERR-409-1",
        says: "the sixth webhook is 409 conflict",
        killed_by: &["ERR-409-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 409 && request.is(&Method::POST, "/webhooks") {
                answer.edit(|body| body["error"] = "conflict".into());
            }
        }),
    },
    Mutant {
        id: "conflict_for_delivery_in_flight",
        breaks: "ERR-409-1",
        says: "a resend of an attempt in flight is 409 conflict",
        killed_by: &["ERR-409-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 409 && request.under("/webhooks/*/deliveries/*/resend") {
                answer.edit(|body| body["error"] = "conflict".into());
            }
        }),
    },
    Mutant {
        id: "media_type_415",
        breaks: "ERR-415-1",
        says: "another media type is 415, in plain text",
        killed_by: &["ERR-415-1"],
        plant: Plant::Answer(|request, answer, _| {
            let json = request.headers.get("content-type").is_none_or(|value| value == "application/json");
            if !json {
                plain(answer, 415, "Expected request with `Content-Type: application/json`");
            }
        }),
    },
];
