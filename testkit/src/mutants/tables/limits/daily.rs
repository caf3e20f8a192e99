//! Daily budgets.

use http::Method;
use serde_json::json;

use super::rate_limited;
use crate::mutants::{ApiAnswer, Mutant, Plant};

pub(in super::super) const MUTANTS: &[Mutant] = &[
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
        id: "imports_499",
        breaks: "LIM-DAY-4",
        says: "the 500th import of a day is refused",
        killed_by: &["LIM-DAY-4"],
        plant: Plant::Instead(|request, known| {
            let import = request.is(&Method::POST, "/content") || request.is(&Method::PUT, "/content/*");
            (import && known.count(&format!("imports {}", request.project())) > 499)
                .then(|| ApiAnswer::error(429, "import_quota_exceeded"))
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
];
