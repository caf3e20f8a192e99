//! The limit of webhooks per project.

use http::Method;

use serde_json::json;

use super::{changes, creates};
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::Mutant;

/// Changes the number of running creations in the request's project, and returns it.
fn under_way(request: &ApiRequest, known: &ProxyState, change: i64) -> i64 {
    let name = format!("under way in {}", request.project());
    let now = known.noted(&name).and_then(|count| count.as_i64()).unwrap_or(0) + change;
    known.note(&name, now.into());
    now
}

/// Answers as if there were room.
fn one_more(answer: &mut ApiAnswer, known: &ProxyState) {
    let id = format!("whk_planted{}", known.count("planted"));
    *answer = ApiAnswer::new(201, &json!({ "webhookId": id, "secret": "whsec_planted" }));
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "webhook_limit_six" breaks "WH-LIM-1": "lets a project have six webhooks",
        |request, answer, known| if creates(request) && answer.status == 409 { one_more(answer, known); };
    answer "webhook_limit_400" breaks "WH-LIM-1": "answers 400 to the sixth webhook",
        |request, answer, _| if creates(request) && answer.status == 409 {
            *answer = ApiAnswer::error(400, "webhook_limit");
        };
    answer "webhook_limit_of_enabled" breaks "WH-LIM-2": "counts enabled webhooks alone",
        |request, answer, known| {
            let disabled = format!("disabled in {}", request.project());
            if changes(request) && request.json()["enabled"] == false && answer.ok() {
                known.note(&disabled, true.into());
            }
            if creates(request) && answer.status == 409 && known.noted(&disabled).is_some() {
                one_more(answer, known);
            }
        };
    both "webhook_limit_race" breaks "WH-LIM-3": "counts webhooks, and inserts one later",
        |request, known| if creates(request) {
            under_way(request, known, 1);
        },
        |request, answer, known| {
            if !creates(request) {
                return;
            }
            // Another request was between its count and its insertion.
            if under_way(request, known, -1) > 0 && answer.status == 409 {
                one_more(answer, known);
            }
        };
    answer "webhook_limit_of_all_projects" breaks "WH-LIM-4": "counts the webhooks of every project",
        |request, answer, known| {
            let count = known.noted("webhooks").and_then(|count| count.as_i64()).unwrap_or(0);
            if request.is(&Method::DELETE, "/webhooks/*") && answer.ok() {
                known.note("webhooks", (count - 1).into());
            } else if creates(request) && answer.ok() {
                if count >= 5 {
                    *answer = ApiAnswer::error(409, "webhook_limit");
                } else {
                    known.note("webhooks", (count + 1).into());
                }
            }
        };
};
