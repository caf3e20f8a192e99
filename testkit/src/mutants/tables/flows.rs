//! Functional flows (§1).

use http::Method;
use serde_json::{Value, json};

use crate::mutants::{ApiAnswer, Mutant, Plant};

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "jobs_never_end",
        breaks: "FN-1",
        says: "a job is running for ever",
        killed_by: &["FN-1"],
        plant: Plant::Answer(|request, answer, _| {
            if request.query.contains("trackingToken=") && answer.ok() {
                answer.edit(|body| body["status"] = "running".into());
            }
        }),
    },
    Mutant {
        id: "charges_more_than_quoted",
        breaks: "FN-1",
        says: "a run charges ten times what its preview said",
        killed_by: &["FN-1"],
        plant: Plant::Answer(|request, answer, _| {
            if request.query.contains("trackingToken=") && answer.ok() {
                answer.edit(|body| body["creditsCharged"] = (body["creditsCharged"].as_u64().unwrap_or(0) * 10).into());
            }
        }),
    },
    Mutant {
        id: "versions_read_live_keys",
        breaks: "FN-2",
        says: "a version is read with the keys as they are now",
        killed_by: &["FN-2"],
        plant: Plant::Answer(|request, answer, known| {
            if request.under("/translate") && answer.ok() {
                known.note("pushed", request.json()["keys"][0]["text"].clone());
            } else if request.query.contains("version=") && answer.ok() {
                let text = known.noted("pushed").unwrap_or(Value::Null);
                answer.edit(|body| body["files"][0]["content"] = json!({ "live": text }).to_string().into());
            }
        }),
    },
    Mutant {
        id: "restore_only_records",
        breaks: "FN-3",
        says: "a restore answers, and what is delivered stays as it was",
        killed_by: &["FN-3"],
        plant: Plant::Instead(|request, _| {
            let version = request.path.split('/').nth(4).unwrap_or_default();
            request
                .is(&Method::POST, "/versions/*/restore")
                .then(|| ApiAnswer::new(200, &json!({ "versionId": version, "restored": true })))
        }),
    },
    Mutant {
        id: "draft_documents_are_served",
        breaks: "FN-4",
        says: "a translation is served before it is published",
        killed_by: &["FN-4"],
        plant: Plant::Request(|request, _| {
            if request.is(&Method::GET, "/content/*") && request.query.contains("language=") {
                request.query.push_str("&draft=true");
            }
        }),
    },
    Mutant {
        id: "published_documents_follow_the_draft",
        breaks: "FN-4",
        says: "once a document is published, its newest translation is served",
        killed_by: &["FN-4"],
        plant: Plant::Both(
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
            },
        ),
    },
    Mutant {
        id: "captures_are_always_new",
        breaks: "FN-5",
        says: "a key that was captured before is new again",
        killed_by: &["FN-5"],
        plant: Plant::Answer(|request, answer, _| {
            if request.under("/capture") && answer.ok() {
                let keys = request.json()["keys"].as_array().map_or(0, Vec::len);
                answer.edit(|body| body["counts"]["new"] = keys.into());
            }
        }),
    },
    Mutant {
        id: "meta_fails",
        breaks: "FN-6",
        says: "GET /meta is 500",
        killed_by: &["FN-6"],
        plant: Plant::Instead(|request, _| request.under("/meta").then(|| ApiAnswer::error(500, "internal"))),
    },
    Mutant {
        id: "documents_listed_without_an_object",
        breaks: "FN-6",
        says: "GET /content answers a bare array",
        killed_by: &["FN-6"],
        plant: Plant::Answer(|request, answer, _| {
            if request.is(&Method::GET, "/content") && answer.ok() {
                answer.edit(|body| *body = body["documents"].take());
            }
        }),
    },
];
