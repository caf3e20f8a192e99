//! Missing resources.

use http::Method;
use serde_json::{Value, json};

use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "unknown_webhook_is_empty" breaks "ERR-404-1":
        "the deliveries of a webhook that is not there are an empty list",
        |request, answer, _| if answer.status == 404 && request.is(&Method::GET, "/webhooks/*/deliveries") {
            *answer = ApiAnswer::new(200, &json!({ "deliveries": [] }));
        };
    answer "unknown_delivery_400" breaks "ERR-404-1": "a delivery that is not there is 400",
        |request, answer, _| if answer.status == 404 && request.under("/webhooks/*/deliveries/*/resend") {
            *answer = ApiAnswer::error(400, "invalid_argument");
        };
    answer "unknown_operation_null" breaks "ERR-404-1": "an operation that is not there is null",
        |request, answer, _| if answer.status == 404 && request.is(&Method::GET, "/operations/*") {
            *answer = ApiAnswer::new(200, &Value::Null);
        };
    answer "tells_what_is_elsewhere" breaks "ERR-404-2":
        "the message tells a webhook of another project from one that is nowhere",
        |request, answer, known| {
            let id = request.path.split('/').nth(4).unwrap_or_default().to_owned();
            if answer.ok() && request.is(&Method::POST, "/webhooks") {
                let id = answer.json()["webhookId"].as_str().unwrap_or_default().to_owned();
                known.note(&id, json!(true));
            } else if answer.status == 404 && known.noted(&id).is_some() {
                answer.edit(|body| body["message"] = "this webhook belongs to another project".into());
            }
        };
    answer "restores_the_latest" breaks "ERR-404-3": "restoring an unknown version restores the newest one",
        |request, answer, _| if answer.status == 404 && request.under("/versions/*/restore") {
            *answer = ApiAnswer::new(200, &json!({ "versionId": "ver_newest", "restored": true }));
        };
    answer "unknown_version_is_empty" breaks "ERR-404-3": "an unknown version has no files",
        |request, answer, _| {
            if answer.status == 404 && request.under("/translations") && request.query.contains("version=") {
                *answer = ApiAnswer::new(200, &json!({ "files": [] }));
            }
        };
    answer "put_makes_documents" breaks "ERR-404-4": "PUT of an unknown document makes it",
        |request, answer, _| if answer.status == 404 && request.is(&Method::PUT, "/content/*") {
            *answer = ApiAnswer::new(201, &json!({ "docId": "doc_planted" }));
        };
    answer "unknown_key_is_null" breaks "ERR-404-5": "a key that is not there is null",
        |request, answer, _| {
            if answer.status == 404 && request.under("/translations") && request.query.contains("ref=") {
                *answer = ApiAnswer::new(200, &Value::Null);
            }
        };
};
