//! The limit of webhooks per project.

use http::Method;

use serde_json::json;

use super::creates;
use crate::mutants::{ApiAnswer, ApiRequest, Known, Mutant, Plant};

/// Changes the number of running creations in the request's project, and returns it.
fn under_way(request: &ApiRequest, known: &Known, change: i64) -> i64 {
    let name = format!("under way in {}", request.project());
    let now = known.noted(&name).and_then(|count| count.as_i64()).unwrap_or(0) + change;
    known.note(&name, now.into());
    now
}

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "webhook_limit_six",
        breaks: "WH-LIM-1",
        says: "lets a project have six webhooks",
        killed_by: &["WH-LIM-1"],
        plant: Plant::Server,
    },
    Mutant {
        id: "webhook_limit_400",
        breaks: "WH-LIM-1",
        says: "answers 400 to the sixth webhook",
        killed_by: &["WH-LIM-1"],
        plant: Plant::Answer(|request, answer, _| {
            if creates(request) && answer.status == 409 {
                *answer = ApiAnswer::error(400, "webhook_limit");
            }
        }),
    },
    Mutant {
        id: "webhook_limit_none",
        breaks: "WH-LIM-1",
        says: "lets a project have any number of webhooks",
        killed_by: &["WH-LIM-1"],
        plant: Plant::Server,
    },
    Mutant {
        id: "webhook_limit_of_enabled",
        breaks: "WH-LIM-2",
        says: "counts enabled webhooks alone",
        killed_by: &["WH-LIM-2"],
        plant: Plant::Server,
    },
    Mutant {
        id: "webhook_limit_race",
        breaks: "WH-LIM-3",
        says: "counts webhooks, and inserts one later",
        killed_by: &["WH-LIM-3"],
        plant: Plant::Both(
            |request, known| {
                if creates(request) {
                    under_way(request, known, 1);
                }
            },
            |request, answer, known| {
                if !creates(request) {
                    return;
                }
                // Another request was between its count and its insertion.
                if under_way(request, known, -1) > 0 && answer.status == 409 {
                    let id = format!("whk_raced{}", known.count("raced"));
                    *answer = ApiAnswer::new(201, &json!({ "webhookId": id, "secret": "whsec_raced" }));
                }
            },
        ),
    },
    Mutant {
        id: "webhook_limit_of_all_projects",
        breaks: "WH-LIM-4",
        says: "counts the webhooks of every project",
        killed_by: &["WH-LIM-4"],
        plant: Plant::Answer(|request, answer, known| {
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
        }),
    },
];
