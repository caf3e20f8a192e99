//! Daily budgets.

use http::Method;
use serde_json::json;

use super::rate_limited;
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "no_daily_publishes" breaks "LIM-DAY-1": "the 31st publish of a day passes",
        |request, answer, _| if answer.status == 429 && request.under("/publish") {
            *answer = ApiAnswer::new(201, &json!({ "versionId": "ver_planted" }));
        };
    answer "publishes_and_restores_together" breaks "LIM-DAY-2" by ["LIM-DAY-1"]: "restores are counted with publishes",
        |request, answer, known| {
            if answer.status == 429 && request.under("/publish") {
                known.note(request.project(), json!(true));
            } else if request.under("/versions/*/restore") && known.noted(request.project()).is_some() {
                *answer = rate_limited();
            }
        };
    instead "captures_counted_by_request" breaks "LIM-DAY-3": "ten captures a day, whatever is in them",
        |request, known| {
            let tenth = request.under("/capture") && known.count(request.project()) > 10;
            tenth.then(|| ApiAnswer::error(429, "capture_quota_exceeded"))
        };
    answer "quota_is_rate_limited" breaks "ERR-429-2" by ["LIM-DAY-3", "LIM-DAY-4", "LIM-DAY-5"]:
        "the day's quotas are refused as rate_limited",
        |_, answer, _| if answer.status == 429 { answer.edit(|body| body["error"] = "rate_limited".into()); };
    answer "imports_counted_apart" breaks "LIM-DAY-4": "POST and PUT of documents have budgets of their own",
        |request, answer, _| if answer.status == 429 && (request.under("/content") || request.under("/content/*")) {
            *answer = ApiAnswer::new(200, &json!({ "docId": "doc_planted" }));
        };
    instead "imports_499" breaks "LIM-DAY-4": "the 500th import of a day is refused",
        |request, known| {
            let import = request.is(&Method::POST, "/content") || request.is(&Method::PUT, "/content/*");
            (import && known.count(&format!("imports {}", request.project())) > 499)
                .then(|| ApiAnswer::error(429, "import_quota_exceeded"))
        };
    answer "no_daily_runs" breaks "LIM-DAY-5": "the 501st run of a day passes",
        |request, answer, _| if answer.status == 429 && request.under("/content/*/run") {
            *answer = ApiAnswer::new(202, &json!({ "trackingToken": "trk_planted" }));
        };
    answer "a_rolling_day" breaks "LIM-DAY-7": "what was captured counts for 24 hours",
        |request, answer, known| {
            let name = format!("captured {}", request.project());
            if answer.status == 429 && request.under("/capture") {
                known.note(&name, json!(true));
            } else if request.under("/capture") && known.noted(&name).is_some() {
                *answer = ApiAnswer::error(429, "capture_quota_exceeded");
            }
        };
    answer "daily_publishes_of_each_key" breaks "LIM-DAY-8": "each key has 30 publishes a day",
        |request, answer, known| {
            let count = known.count(request.key().unwrap_or_default());
            if answer.status == 429 && request.under("/publish") && count <= 30 {
                *answer = ApiAnswer::new(201, &json!({ "versionId": "ver_planted" }));
            }
        };
};
