//! Additions of this service to the core rules.

use http::Method;
use serde_json::{Value, json};

use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    request "texts_of_people_overwritten" breaks "ADD-1": "a sync replaces imported texts whose source has changed",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::POST, "/sync")
                && body.is_object()
                && body["language"].is_null()
                && body["retranslate"].is_null()
            {
                body["retranslate"] = json!(true);
                request.set_json(&body);
            }
        };
    answer "kept_texts_not_counted" breaks "ADD-1": "what is kept of a person's texts is not counted",
        |request, answer, _| if request.is(&Method::POST, "/sync") && answer.ok() {
            answer.edit(|body| body["kept"] = json!(0));
        };
    answer "version_number_of_the_label" breaks "ADD-2": "versions of one label have one number",
        |request, answer, _| if request.is(&Method::GET, "/versions") && answer.ok() {
            answer.edit(|body| {
                body["versions"].as_array_mut().into_iter().flatten().for_each(|one| one["number"] = json!(1));
            });
        };
    both "restore_by_label" breaks "ADD-2": "a restore takes the newest version of the label that is not live",
        |request, known| {
            if !request.is(&Method::POST, "/versions/*/restore") {
                return;
            }
            let Some(listed) = known.noted(request.project()) else { return };
            let of_label = listed.as_array().and_then(|all| all.iter().find(|one| one["live"] != true));
            if let Some(id) = of_label.and_then(|one| one["versionId"].as_str()) {
                request.path = format!("/projects/{}/versions/{id}/restore", request.project());
            }
        },
        |request, answer, known| if request.is(&Method::GET, "/versions") && answer.ok() {
            known.note(request.project(), answer.json()["versions"].clone());
        };
    answer "batches_all_or_nothing" breaks "ADD-3": "a batch of documents of which one fails is refused",
        |request, answer, _| {
            let failed =
                |results: &Value| results.as_array().is_some_and(|all| all.iter().any(|one| one["status"] == "failed"));
            if request.is(&Method::POST, "/content") && failed(&answer.json()["results"]) {
                *answer = ApiAnswer::error(400, "invalid_argument");
            }
        };
    answer "batches_write_what_is_unchanged" breaks "ADD-3":
        "a document that is there already is written anew by a batch",
        |request, answer, _| if request.is(&Method::POST, "/content") && answer.ok() {
            let text = String::from_utf8_lossy(&answer.body).replace("\"unchanged\"", "\"updated\"");
            answer.body = text.into();
        };
    request "batches_of_any_size" breaks "ADD-3": "of a batch of more than 100 documents the first 100 are taken",
        |request, _| {
            let mut body = request.json();
            let documents = body.get_mut("documents").and_then(Value::as_array_mut);
            let many = documents.filter(|all| all.len() > 100).map(|all| all.truncate(100));
            if many.is_some() && request.is(&Method::POST, "/content") {
                request.set_json(&body);
            }
        };
    both "archiving_needs_no_number" breaks "ADD-4": "any approval of a translation lets a sync archive keys",
        |request, _| {
            let mut body = request.json();
            if request.is(&Method::POST, "/operations") && body["kind"] == "translation" {
                body["maxArchivedKeys"] = json!(1_000);
                request.set_json(&body);
            }
        },
        |request, answer, _| if request.is(&Method::GET, "/operations/*") && answer.ok() {
            answer.edit(|body| body["maxArchivedKeys"] = Value::Null);
        };
    answer "archived_keys_not_shown" breaks "ADD-4": "an operation does not show how many keys it may archive",
        |request, answer, _| if request.is(&Method::GET, "/operations/*") && answer.ok() {
            answer.edit(|body| body["maxArchivedKeys"] = Value::Null);
        };
};
