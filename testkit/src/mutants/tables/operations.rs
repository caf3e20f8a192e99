//! Operations (§1, §4, §5).

use http::Method;
use serde_json::{Value, json};

use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;
use crate::profile::Identity;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    instead "agents_may_not_ask" breaks "OPS-1": "POST /operations is 403 for an agent's key",
        |request, known| {
            let (_, identity) = known.whose(request.key()?)?;
            let agent = identity == Identity::Agent && request.is(&Method::POST, "/operations");
            agent.then(|| ApiAnswer::error(403, "authorization_required"))
        };
    instead "operations_need_read" breaks "OPS-2": "reading an operation needs the scope read",
        |request, known| {
            let (_, identity) = known.whose(request.key()?)?;
            let other =
                matches!(identity, Identity::Translate | Identity::Write | Identity::Publish | Identity::Capture);
            (other && request.is(&Method::GET, "/operations/*")).then(|| ApiAnswer::error(403, "forbidden"))
        };
    answer "operations_of_every_project" breaks "OPS-3": "an operation is found by its id, whatever its project",
        |request, answer, known| {
            let id = request.path.rsplit('/').next().unwrap_or_default();
            if request.is(&Method::POST, "/operations") && answer.ok() {
                let made = answer.json();
                known.note(made["operationId"].as_str().unwrap_or_default(), made.clone());
            } else if let Some(made) =
                known.noted(id).filter(|_| answer.status == 404 && request.under("/operations/*"))
            {
                *answer = ApiAnswer::new(200, &made);
            }
        };
    answer "requests_of_every_project" breaks "OPS-3" by ["OPS-3-REQUESTS"]:
        "a request is found by its id, whatever its project",
        |request, answer, known| {
            let id = request.path.rsplit('/').next().unwrap_or_default();
            if request.is(&Method::GET, "/requests/*") && answer.ok() {
                known.note(id, answer.json());
            } else if let Some(seen) = known.noted(id).filter(|_| answer.status == 404 && request.under("/requests/*"))
            {
                *answer = ApiAnswer::new(200, &seen);
            }
        };
    answer "approvals_are_used_again" breaks "OPS-4": "an approved operation lets any number of requests through",
        |request, answer, known| {
            let operation = request.json()["operationId"].as_str().unwrap_or_default().to_owned();
            if operation.is_empty() || !request.under("/publish") {
                return;
            }
            if answer.ok() {
                known.note(&operation, answer.json());
            } else if let Some(published) = known.noted(&operation).filter(|_| answer.status == 403) {
                *answer = ApiAnswer::new(201, &published);
            }
        };
    answer "approvals_are_not_asked_for" breaks "OPS-4":
        "an operation that nobody has decided lets the request through",
        |request, answer, _| {
            if answer.status == 403 && request.under("/publish") && request.json()["operationId"] != Value::Null {
                *answer = ApiAnswer::new(201, &json!({ "versionId": "ver_planted" }));
            }
        };
};
