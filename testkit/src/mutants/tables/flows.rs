//! Functional flows (§1).

use http::Method;
use serde_json::{Value, json};

use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    answer "jobs_never_end" breaks "FN-1": "a job is running for ever",
        |request, answer, _| if request.query.contains("trackingToken=") && answer.ok() {
            answer.edit(|body| body["status"] = "running".into());
        };
    answer "charges_more_than_quoted" breaks "FN-1": "a run charges ten times what its preview said",
        |request, answer, _| if request.query.contains("trackingToken=") && answer.ok() {
            answer.edit(|body| body["creditsCharged"] = (body["creditsCharged"].as_u64().unwrap_or(0) * 10).into());
        };
    answer "versions_read_live_keys" breaks "FN-2": "a version is read with the keys as they are now",
        |request, answer, known| {
            if request.under("/translate") && answer.ok() {
                known.note("pushed", request.json()["keys"][0]["text"].clone());
            } else if request.query.contains("version=") && answer.ok() {
                let text = known.noted("pushed").unwrap_or(Value::Null);
                answer.edit(|body| body["files"][0]["content"] = json!({ "live": text }).to_string().into());
            }
        };
    instead "restore_only_records" breaks "FN-3": "a restore answers, and what is delivered stays as it was",
        |request, _| {
            let version = request.path.split('/').nth(4).unwrap_or_default();
            request
                .is(&Method::POST, "/versions/*/restore")
                .then(|| ApiAnswer::new(200, &json!({ "versionId": version, "restored": true })))
        };
    request "draft_documents_are_served" breaks "FN-4": "a translation is served before it is published",
        |request, _| if request.is(&Method::GET, "/content/*") && request.query.contains("language=") {
            request.query.push_str("&draft=true");
        };
    both "published_documents_follow_the_draft" breaks "FN-4":
        "once a document is published, its newest translation is served",
        |request, known| {
            let published = known.noted(&request.path).is_some();
            if published && request.is(&Method::GET, "/content/*") && request.query.contains("language=") {
                request.query.push_str("&draft=true");
            }
        },
        |request, answer, known| {
            if answer.ok() && request.is(&Method::GET, "/content/*") && request.query.contains("language=") {
                known.note(&request.path, json!(true));
            }
        };
    answer "documents_lose_their_end" breaks "FN-4": "blank lines at the end of a document are lost",
        |request, answer, _| if request.is(&Method::GET, "/content/*") && request.query.is_empty() && answer.ok() {
            answer.edit(|body| body["body"] = body["body"].as_str().unwrap_or_default().trim_end().into());
        };
    answer "captures_are_always_new" breaks "FN-5": "a key that was captured before is new again",
        |request, answer, _| if request.under("/capture") && answer.ok() {
            let keys = request.json()["keys"].as_array().map_or(0, Vec::len);
            answer.edit(|body| body["counts"]["new"] = keys.into());
        };
    instead "meta_fails" breaks "FN-6": "GET /meta is 500",
        |request, _| request.under("/meta").then(|| ApiAnswer::error(500, "internal"));
    answer "documents_listed_without_an_object" breaks "FN-6": "GET /content answers a bare array",
        |request, answer, _| if request.is(&Method::GET, "/content") && answer.ok() {
            answer.edit(|body| *body = body["documents"].take());
        };
};
