//! The shape of an error.

use serde_json::json;

use super::plain;
use crate::mutants::{ApiRequest, Mutant, Plant};

fn broken(request: &ApiRequest) -> bool {
    !request.body.is_empty() && request.json().is_null()
}

pub(in super::super) const MUTANTS: &[Mutant] = &[
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
];
