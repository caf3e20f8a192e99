//! The shape of an error.

use serde_json::json;

use super::plain;
use crate::mutants::exchange::ApiRequest;
use crate::mutants::mutant::Mutant;

fn broken(request: &ApiRequest) -> bool {
    !request.body.is_empty() && request.json().is_null()
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "plain_text_rejection" breaks "ERR-1": "a body that is no JSON is answered by the framework, in plain text",
        |request, answer, _| if answer.status == 400 && broken(request) {
            plain(answer, 400, "Failed to parse the request body as JSON: EOF while parsing an object");
        };
    answer "html_404" breaks "ERR-1": "an unknown route is answered with a page of HTML",
        |request, answer, _| if answer.status == 404 && request.under("/no-such-route") {
            plain(answer, 404, "<html><title>404 Not Found</title></html>");
        };
    answer "empty_413" breaks "ERR-1": "a body too large is answered without a body",
        |_, answer, _| if answer.status == 413 { plain(answer, 413, ""); };
    answer "nested_error" breaks "ERR-1": "the error is an object with code and message in it",
        |_, answer, _| if answer.status == 401 {
            let body = answer.json();
            answer.set_json(&json!({ "error": { "code": body["error"], "message": body["message"] } }));
        };
    answer "code_is_reason_phrase" breaks "ERR-2": "`error` is the reason phrase: Bad Request",
        |_, answer, _| if answer.status == 400 { answer.edit(|body| body["error"] = "Bad Request".into()); };
    answer "code_in_camel_case" breaks "ERR-2": "`error` is notFound",
        |_, answer, _| if answer.status == 404 { answer.edit(|body| body["error"] = "notFound".into()); };
    answer "code_for_each_message" breaks "ERR-3": "`error` names the field, so that clients have to know them all",
        |request, answer, _| if answer.status == 400 && request.under("/webhooks") {
            let field = if request.json()["url"].is_string() { "events" } else { "url" };
            answer.edit(|body| body["error"] = format!("invalid_{field}").into());
        };
};
