//! Work that exceeds the balance or the plan.

use serde_json::json;

use crate::mutants::exchange::{ApiAnswer, ApiRequest};
use crate::mutants::mutant::Mutant;
use crate::profile::Project;

/// Returns true if the request is of this project of the profile.
fn of(request: &ApiRequest, project: Option<&Project>) -> bool {
    project.is_some_and(|project| project.id == request.project())
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "no_available_credits" breaks "ERR-402-1": "insufficient_credits does not say what is left",
        |_, answer, _| if answer.status == 402 {
            answer.edit(|body| drop(body.as_object_mut().map(|body| body.remove("availableCredits"))));
        };
    answer "credits_403" breaks "ERR-402-1": "a balance that is too low is 403",
        |_, answer, _| if answer.status == 402 { *answer = ApiAnswer::error(403, "forbidden"); };
    answer "no_cap_remaining" breaks "ERR-402-2": "spend_cap_exceeded does not say what is left of the cap",
        |_, answer, _| if answer.status == 402 {
            answer.edit(|body| drop(body.as_object_mut().map(|body| body.remove("capRemaining"))));
        };
    answer "spending_cap_text" breaks "ERR-402-2": "spendingCap is a text",
        |_, answer, _| if answer.status == 402 && !answer.json()["spendingCap"].is_null() {
            answer.edit(|body| body["spendingCap"] = body["spendingCap"].to_string().into());
        };
    answer "plan_details_number" breaks "ERR-402-3": "the details of plan_limit are a number",
        |_, answer, _| if answer.status == 402 { answer.edit(|body| body["details"] = 3.into()); };
    answer "balance_of_the_project" breaks "ERR-402-4": "each project has a balance of its own",
        |request, answer, known| if of(request, known.profile.sibling.as_ref()) && answer.ok() {
            answer.edit(|body| body["balance"] = 100_000_000.into());
        };
    answer "runs_without_credits" breaks "ERR-402-5":
        "the keys of a push without credits are registered, though nothing is translated",
        |request, answer, known| {
            if !of(request, known.profile.no_credits.as_ref()) {
                return;
            }
            if answer.status == 404 && request.query.contains("ref=") {
                *answer = ApiAnswer::new(200, &json!({ "ref": "planted", "text": "planted" }));
            }
        };
};
