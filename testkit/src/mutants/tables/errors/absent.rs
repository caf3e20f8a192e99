//! Missing resources.

use http::Method;
use serde_json::{Value, json};

use crate::mutants::{ApiAnswer, Mutant, Plant};

pub(in super::super) const MUTANTS: &[Mutant] = &[
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
];
