//! Work that exceeds the balance or the plan.

use serde_json::json;

use crate::mutants::{ApiAnswer, ApiRequest, Mutant, Plant};
use crate::profile::Project;

/// Returns true if the request is of this project of the profile.
fn of(request: &ApiRequest, project: Option<&Project>) -> bool {
    project.is_some_and(|project| project.id == request.project())
}

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "no_available_credits",
        breaks: "ERR-402-1",
        says: "insufficient_credits does not say what is left",
        killed_by: &["ERR-402-1"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                answer.edit(|body| {
                    body.as_object_mut().map(|body| body.remove("availableCredits"));
                });
            }
        }),
    },
    Mutant {
        id: "credits_403",
        breaks: "ERR-402-1",
        says: "a balance that is too low is 403",
        killed_by: &["ERR-402-1", "ERR-402-5"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                *answer = ApiAnswer::error(403, "forbidden");
            }
        }),
    },
    Mutant {
        id: "no_cap_remaining",
        breaks: "ERR-402-2",
        says: "spend_cap_exceeded does not say what is left of the cap",
        killed_by: &["ERR-402-2"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                answer.edit(|body| {
                    body.as_object_mut().map(|body| body.remove("capRemaining"));
                });
            }
        }),
    },
    Mutant {
        id: "spending_cap_text",
        breaks: "ERR-402-2",
        says: "spendingCap is a text",
        killed_by: &["ERR-402-2"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 && !answer.json()["spendingCap"].is_null() {
                answer.edit(|body| body["spendingCap"] = body["spendingCap"].to_string().into());
            }
        }),
    },
    Mutant {
        id: "plan_details_number",
        breaks: "ERR-402-3",
        says: "the details of plan_limit are a number",
        killed_by: &["ERR-402-3"],
        plant: Plant::Answer(|_, answer, _| {
            if answer.status == 402 {
                answer.edit(|body| body["details"] = 3.into());
            }
        }),
    },
    Mutant {
        id: "balance_of_the_project",
        breaks: "ERR-402-4",
        says: "each project has a balance of its own",
        killed_by: &["ERR-402-4"],
        plant: Plant::Answer(|request, answer, known| {
            if of(request, known.profile.sibling.as_ref()) && answer.ok() {
                answer.edit(|body| body["balance"] = 100_000_000.into());
            }
        }),
    },
    Mutant {
        id: "runs_without_credits",
        breaks: "ERR-402-5",
        says: "the keys of a push without credits are registered, though nothing is translated",
        killed_by: &["ERR-402-5"],
        plant: Plant::Answer(|request, answer, known| {
            if !of(request, known.profile.no_credits.as_ref()) {
                return;
            }
            if answer.status == 404 && request.query.contains("ref=") {
                *answer = ApiAnswer::new(200, &json!({ "ref": "planted", "text": "planted" }));
            }
        }),
    },
];
