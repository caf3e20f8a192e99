//! Requests a minute.

use http::Method;
use serde_json::json;

use super::rate_limited;
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::Mutant;

/// Returns true if the request is of a project whose window may be used up.
fn scratch(request: &ApiRequest, known: &ProxyState) -> bool {
    known.profile.scratch.iter().any(|project| project.id == request.project())
}

/// The answer of `GET /credential` to a caller that asks too often.
fn credential() -> ApiAnswer {
    ApiAnswer::new(200, &json!({ "scopes": ["admin"], "requires_operation_approval": false }))
}

/// Notes which projects have used their window up; whether any has.
fn someone_is_over(request: &ApiRequest, answer: &ApiAnswer, known: &ProxyState) -> bool {
    if answer.status == 429 && scratch(request, known) {
        known.note("over", json!(true));
    }
    known.noted("over").is_some()
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "no_request_limit" breaks "LIM-REQ-1": "any number of requests passes",
        |request, answer, _| if answer.status == 429 && request.under("/credential") { *answer = credential(); };
    instead "request_limit_12" breaks "LIM-REQ-1": "12 requests pass in a window",
        |request, known| (scratch(request, known) && known.count(request.project()) > 12).then(rate_limited);
    answer "reads_are_free" breaks "LIM-REQ-2" by ["LIM-REQ-1"]: "only writes are counted",
        |request, answer, _| if answer.status == 429 && request.method == Method::GET { *answer = credential(); };
    answer "retry_after_1" breaks "ERR-429-1" by ["LIM-REQ-1"]: "Retry-After is 1",
        |_, answer, _| if answer.status == 429 { answer.set_header("retry-after", "1"); };
    answer "no_retry_after" breaks "ERR-429-1" by ["LIM-REQ-1"]: "429 has no Retry-After",
        |_, answer, _| if answer.status == 429 { answer.headers.remove("retry-after"); };
    answer "window_of_each_key" breaks "LIM-REQ-3": "each key of a project has a window of its own",
        |request, answer, known| {
            let count = known.count(request.key().unwrap_or_default());
            if answer.status == 429 && count <= 120 {
                *answer = credential();
            }
        };
    answer "one_window_for_all" breaks "LIM-REQ-4": "all projects share a window",
        |request, answer, known| if someone_is_over(request, answer, known) { *answer = rate_limited(); };
    instead "public_routes_are_free" breaks "LIM-REQ-5": "the manifest is not counted",
        |request, _| request.under("/manifest").then(|| ApiAnswer::error(404, "not_published"));
    instead "operations_are_free" breaks "LIM-REQ-6": "reading operations is not counted",
        |request, _| request.under("/operations/*").then(|| ApiAnswer::error(404, "not_found"));
    answer "over_budget_is_banned" breaks "LIM-REQ-7": "who was over budget once is refused for good",
        |request, answer, known| {
            let name = format!("over {}", request.project());
            if answer.status == 429 {
                known.note(&name, json!(true));
            } else if known.noted(&name).is_some() {
                *answer = rate_limited();
            }
        };
    answer "names_share_the_window" breaks "LIM-REQ-8": "the manifest by names is counted with the project",
        |request, answer, known| if someone_is_over(request, answer, known) && request.path.starts_with("/@") {
            *answer = rate_limited();
        };
    instead "names_lead_nowhere" breaks "LIM-REQ-8": "there is no manifest by names",
        |request, _| request.path.starts_with("/@").then(|| ApiAnswer::error(404, "not_found"));
    answer "health_is_counted" breaks "LIM-REQ-9": "health and resolve are refused while a project is over budget",
        |request, answer, known| {
            let outside = matches!(request.path.as_str(), "/health" | "/projects/resolve");
            if someone_is_over(request, answer, known) && outside {
                *answer = rate_limited();
            }
        };
    answer "races_past_the_limit" breaks "LIM-REQ-10": "requests at once are all counted as the first",
        |request, answer, _| if answer.status == 429 && request.under("/credential") { *answer = credential(); };
    both "strangers_are_counted" breaks "LIM-REQ-11": "requests with unknown keys use up the project's window",
        |request, known| {
            let stranger = request.key().is_some_and(|key| known.whose(key).is_none());
            if stranger && scratch(request, known) {
                let key = known.full_key(request.project()).to_owned();
                request.set_key(&key);
                request.query = "stranger".to_owned();
            }
        },
        |request, answer, _| if request.query == "stranger" { *answer = ApiAnswer::error(401, "unauthorized"); };
};
