//! Limits (§8).

use http::Method;
use serde_json::{Value, json};

use crate::mutants::{ApiAnswer, ApiRequest, Known, Mutant, Plant};

/// 1 MiB.
const MIB: usize = 1024 * 1024;

/// Whether the request is of a project whose window may be used up.
fn scratch(request: &ApiRequest, known: &Known) -> bool {
    known.profile.scratch.iter().any(|project| project.id == request.project())
}

/// What `GET /credential` answers, to those who ask for it too often.
fn credential() -> ApiAnswer {
    ApiAnswer::new(200, &json!({ "scopes": ["admin"], "requires_operation_approval": false }))
}

fn rate_limited() -> ApiAnswer {
    let mut answer = ApiAnswer::error(429, "rate_limited");
    answer.set_header("retry-after", "60");
    answer
}

fn too_large() -> ApiAnswer {
    ApiAnswer::error(413, "payload_too_large")
}

/// Notes which projects have used their window up; whether any has.
fn someone_is_over(request: &ApiRequest, answer: &ApiAnswer, known: &Known) -> bool {
    if answer.status == 429 && scratch(request, known) {
        known.note("over", json!(true));
    }
    known.noted("over").is_some()
}

/// The server sees what of the body is not padding.
fn trim(request: &mut ApiRequest) {
    let end = request.body.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    request.body.truncate(end);
}

/// The size of the file in a sync, as it is encoded.
fn encoded(request: &ApiRequest) -> usize {
    request.json()["file"]["content"].as_str().map_or(0, str::len)
}

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "no_request_limit",
        breaks: "LIM-REQ-1",
        says: "any number of requests passes",
        killed_by: &["LIM-REQ-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 429 && request.under("/credential") {
                *answer = credential();
            }
        }),
    },
    Mutant {
        id: "request_limit_12",
        breaks: "LIM-REQ-1",
        says: "12 requests pass in a window",
        killed_by: &["LIM-REQ-1"],
        plant: Plant::Instead(|request, known| {
            (scratch(request, known) && known.count(request.project()) > 12).then(rate_limited)
        }),
    },
    Mutant {
        id: "reads_are_free",
        breaks: "LIM-REQ-2",
        says: "only writes are counted",
        killed_by: &["LIM-REQ-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 429 && request.method == Method::GET {
                *answer = credential();
            }
        }),
    },
    Mutant {
        id: "retry_after_1",
        breaks: "ERR-429-1",
        says: "Retry-After is 1",
        killed_by: &["LIM-REQ-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 429 {
                answer.set_header("retry-after", "1");
            }
        }),
    },
    Mutant {
        id: "no_retry_after",
        breaks: "ERR-429-1",
        says: "429 has no Retry-After",
        killed_by: &["LIM-REQ-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 429 {
                answer.headers.remove("retry-after");
            }
        }),
    },
    Mutant {
        id: "window_of_each_key",
        breaks: "LIM-REQ-3",
        says: "each key of a project has a window of its own",
        killed_by: &["LIM-REQ-3"],
        plant: Plant::Answer(|request, answer, known| {
            let count = known.count(request.key().unwrap_or_default());
            if answer.status == 429 && count <= 120 {
                *answer = credential();
            }
        }),
    },
    Mutant {
        id: "one_window_for_all",
        breaks: "LIM-REQ-4",
        says: "all projects share a window",
        killed_by: &["LIM-REQ-4"],
        plant: Plant::Answer(|request, answer, known| {
            if someone_is_over(request, answer, known) {
                *answer = rate_limited();
            }
        }),
    },
    Mutant {
        id: "public_routes_are_free",
        breaks: "LIM-REQ-5",
        says: "the manifest is not counted",
        killed_by: &["LIM-REQ-5"],
        plant: Plant::Instead(|request, _| request.under("/manifest").then(|| ApiAnswer::error(404, "not_published"))),
    },
    Mutant {
        id: "operations_are_free",
        breaks: "LIM-REQ-6",
        says: "reading operations is not counted",
        killed_by: &["LIM-REQ-6"],
        plant: Plant::Instead(|request, _| request.under("/operations/*").then(|| ApiAnswer::error(404, "not_found"))),
    },
    Mutant {
        id: "over_budget_is_banned",
        breaks: "LIM-REQ-7",
        says: "who was over budget once is refused for good",
        killed_by: &["LIM-REQ-7"],
        plant: Plant::Answer(|request, answer, known| {
            let name = format!("over {}", request.project());
            if answer.status == 429 {
                known.note(&name, json!(true));
            } else if known.noted(&name).is_some() {
                *answer = rate_limited();
            }
        }),
    },
    Mutant {
        id: "names_share_the_window",
        breaks: "LIM-REQ-8",
        says: "the manifest by names is counted with the project",
        killed_by: &["LIM-REQ-8"],
        plant: Plant::Answer(|request, answer, known| {
            if someone_is_over(request, answer, known) && request.path.starts_with("/@") {
                *answer = rate_limited();
            }
        }),
    },
    Mutant {
        id: "health_is_counted",
        breaks: "LIM-REQ-9",
        says: "health and resolve are refused while a project is over budget",
        killed_by: &["LIM-REQ-9"],
        plant: Plant::Answer(|request, answer, known| {
            let outside = matches!(request.path.as_str(), "/health" | "/projects/resolve");
            if someone_is_over(request, answer, known) && outside {
                *answer = rate_limited();
            }
        }),
    },
    Mutant {
        id: "races_past_the_limit",
        breaks: "LIM-REQ-10",
        says: "requests at once are all counted as the first",
        killed_by: &["LIM-REQ-10"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 429 && request.under("/credential") {
                *answer = credential();
            }
        }),
    },
    Mutant {
        id: "strangers_are_counted",
        breaks: "LIM-REQ-11",
        says: "requests with unknown keys use up the project's window",
        killed_by: &["LIM-REQ-11"],
        plant: Plant::Both(
            |request, known| {
                let stranger = request.key().is_some_and(|key| known.whose(key).is_none());
                if stranger && scratch(request, known) {
                    let key = known.full_key(request.project()).to_owned();
                    request.set_key(&key);
                    request.query = "stranger".to_owned();
                }
            },
            |request, answer, _| {
                if request.query == "stranger" {
                    *answer = ApiAnswer::error(401, "unauthorized");
                }
            },
        ),
    },
    Mutant {
        id: "no_daily_publishes",
        breaks: "LIM-DAY-1",
        says: "the 31st publish of a day passes",
        killed_by: &["LIM-DAY-1"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 429 && request.under("/publish") {
                *answer = ApiAnswer::new(201, &json!({ "versionId": "ver_planted" }));
            }
        }),
    },
    Mutant {
        id: "publishes_and_restores_together",
        breaks: "LIM-DAY-2",
        says: "restores are counted with publishes",
        killed_by: &["LIM-DAY-1"],
        plant: Plant::Answer(|request, answer, known| {
            if answer.status == 429 && request.under("/publish") {
                known.note(request.project(), json!(true));
            } else if request.under("/versions/*/restore") && known.noted(request.project()).is_some() {
                *answer = rate_limited();
            }
        }),
    },
    Mutant {
        id: "captures_counted_by_request",
        breaks: "LIM-DAY-3",
        says: "ten captures a day, whatever is in them",
        killed_by: &["LIM-DAY-3"],
        plant: Plant::Instead(|request, known| {
            let tenth = request.under("/capture") && known.count(request.project()) > 10;
            tenth.then(|| ApiAnswer::error(429, "capture_quota_exceeded"))
        }),
    },
    Mutant {
        id: "quota_is_rate_limited",
        breaks: "ERR-429-2",
        says: "the day's quotas are refused as rate_limited",
        killed_by: &["LIM-DAY-3", "LIM-DAY-4", "LIM-DAY-5"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 429 {
                answer.edit(|body| body["error"] = "rate_limited".into());
            }
        }),
    },
    Mutant {
        id: "imports_counted_apart",
        breaks: "LIM-DAY-4",
        says: "POST and PUT of documents have budgets of their own",
        killed_by: &["LIM-DAY-4"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 429 && (request.under("/content") || request.under("/content/*")) {
                *answer = ApiAnswer::new(200, &json!({ "docId": "doc_planted" }));
            }
        }),
    },
    Mutant {
        id: "no_daily_runs",
        breaks: "LIM-DAY-5",
        says: "the 501st run of a day passes",
        killed_by: &["LIM-DAY-5"],
        plant: Plant::Answer(|request, answer, _| {
            if answer.status == 429 && request.under("/content/*/run") {
                *answer = ApiAnswer::new(202, &json!({ "trackingToken": "trk_planted" }));
            }
        }),
    },
    Mutant {
        id: "a_rolling_day",
        breaks: "LIM-DAY-7",
        says: "what was captured counts for 24 hours",
        killed_by: &["LIM-DAY-7"],
        plant: Plant::Answer(|request, answer, known| {
            let name = format!("captured {}", request.project());
            if answer.status == 429 && request.under("/capture") {
                known.note(&name, json!(true));
            } else if request.under("/capture") && known.noted(&name).is_some() {
                *answer = ApiAnswer::error(429, "capture_quota_exceeded");
            }
        }),
    },
    Mutant {
        id: "daily_publishes_of_each_key",
        breaks: "LIM-DAY-8",
        says: "each key has 30 publishes a day",
        killed_by: &["LIM-DAY-8"],
        plant: Plant::Answer(|request, answer, known| {
            let count = known.count(request.key().unwrap_or_default());
            if answer.status == 429 && request.under("/publish") && count <= 30 {
                *answer = ApiAnswer::new(201, &json!({ "versionId": "ver_planted" }));
            }
        }),
    },
    Mutant {
        id: "no_body_cap",
        breaks: "LIM-BODY-1",
        says: "a body may have any size",
        killed_by: &["LIM-BODY-1"],
        plant: Plant::Request(|request, _| trim(request)),
    },
    Mutant {
        id: "body_cap_2_mb",
        breaks: "LIM-BODY-1",
        says: "the cap is the framework's, of 2 MB",
        killed_by: &["LIM-BODY-1"],
        plant: Plant::Request(|request, _| {
            if request.body.len() <= 2 * MIB {
                trim(request);
            }
        }),
    },
    Mutant {
        id: "body_cap_1_000_000",
        breaks: "LIM-BODY-1",
        says: "the cap is 1,000,000 bytes",
        killed_by: &["LIM-BODY-1"],
        plant: Plant::Instead(|request, _| (request.body.len() > 1_000_000 && !request.under("/sync")).then(too_large)),
    },
    Mutant {
        id: "too_large_as_413_text",
        breaks: "ERR-413-1",
        says: "413 has the code request_entity_too_large",
        killed_by: &["LIM-BODY-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 413 {
                answer.edit(|body| body["error"] = "request_entity_too_large".into());
            }
        }),
    },
    Mutant {
        id: "sync_cap_1_mib",
        breaks: "LIM-BODY-2",
        says: "the default cap holds for /sync too",
        killed_by: &["LIM-BODY-2"],
        plant: Plant::Instead(|request, _| (request.under("/sync") && request.body.len() > MIB).then(too_large)),
    },
    Mutant {
        id: "no_sync_cap",
        breaks: "LIM-BODY-2",
        says: "/sync takes a body of any size",
        killed_by: &["LIM-BODY-2"],
        plant: Plant::Request(|request, _| {
            if request.under("/sync") {
                trim(request);
            }
        }),
    },
    Mutant {
        id: "file_cap_of_the_encoded",
        breaks: "LIM-BODY-3",
        says: "a file is measured as it is encoded",
        killed_by: &["LIM-BODY-3"],
        plant: Plant::Instead(|request, _| (request.under("/sync") && encoded(request) > 2 * MIB).then(too_large)),
    },
    Mutant {
        id: "no_file_cap",
        breaks: "LIM-BODY-3",
        says: "a file may be as large as its body",
        killed_by: &["LIM-BODY-3"],
        plant: Plant::Request(|request, _| {
            if request.under("/sync") && encoded(request) > 2 * MIB {
                let mut body = request.json();
                body["file"]["content"] = Value::from("e30=");
                request.set_json(&body);
            }
        }),
    },
    Mutant {
        id: "import_cap_1_mib",
        breaks: "LIM-BODY-4",
        says: "the default cap holds for documents",
        killed_by: &["LIM-BODY-4"],
        plant: Plant::Request(|request, _| {
            if (request.under("/content") || request.under("/content/*")) && request.body.len() <= MIB {
                trim(request);
            }
        }),
    },
    Mutant {
        id: "run_cap_1_mib",
        breaks: "LIM-BODY-5",
        says: "the default cap holds for runs",
        killed_by: &["LIM-BODY-5"],
        plant: Plant::Request(|request, _| {
            if request.under("/content/*/run") && request.body.len() <= MIB {
                trim(request);
            }
        }),
    },
    Mutant {
        id: "cap_by_length_alone",
        breaks: "LIM-BODY-6",
        says: "a body without Content-Length may have any size",
        killed_by: &["LIM-BODY-6", "LIM-BODY-1"],
        plant: Plant::Request(|request, _| {
            if request.headers.contains_key("transfer-encoding") {
                trim(request);
            }
        }),
    },
    Mutant {
        id: "writes_before_the_cap",
        breaks: "LIM-BODY-7",
        says: "a webhook is made as soon as its object ends, and the rest of the body is refused",
        killed_by: &["LIM-BODY-7"],
        plant: Plant::Both(
            |request, _| {
                if request.is(&Method::POST, "/webhooks") && request.body.len() > MIB {
                    trim(request);
                    request.query = "refused".to_owned();
                }
            },
            |request, answer, _| {
                if request.query == "refused" {
                    *answer = too_large();
                }
            },
        ),
    },
];
