//! Resources and their fields (§2).

use http::Method;
use serde_json::{Value, json};

use super::keys::{is_foreign, open};
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::{Mutant, Plant};
use crate::profile::Identity;

/// A credential that tells something else.
macro_rules! credential {
    ($id:literal, $breaks:literal, $says:literal, $change:expr) => {
        Mutant {
            id: $id,
            breaks: $breaks,
            says: $says,
            killed_by: &[$breaks],
            plant: Plant::Answer(|request, answer, _| {
                if request.is(&Method::GET, "/credential") && answer.ok() {
                    answer.edit($change);
                }
            }),
        }
    };
}

/// A resolve that answers something else.
macro_rules! resolved {
    ($id:literal, $says:literal, $change:expr) => {
        Mutant {
            id: $id,
            breaks: "RES-1",
            says: $says,
            killed_by: &["RES-1"],
            plant: Plant::Answer(|request, answer, _| {
                if request.path == "/projects/resolve" && answer.ok() {
                    answer.edit($change);
                }
            }),
        }
    };
}

/// Changes every amount of that name, at whatever depth.
fn amounts(value: &mut Value, wanted: &str, change: fn(&Value) -> Value) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                if name == wanted && value.is_u64() {
                    *value = change(value);
                } else {
                    amounts(value, wanted, change);
                }
            }
        }
        Value::Array(entries) => entries.iter_mut().for_each(|entry| amounts(entry, wanted, change)),
        _ => {}
    }
}

/// Amounts of one name are written in another way.
macro_rules! amount {
    ($id:literal, $breaks:literal, $says:literal, $name:literal, $change:expr) => {
        Mutant {
            id: $id,
            breaks: $breaks,
            says: $says,
            killed_by: &[$breaks],
            plant: Plant::Answer(|_, answer, _| answer.edit(|body| amounts(body, $name, $change))),
        }
    };
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    request "resolve_guesses_the_project" breaks "RES-3": "resolve without a project answers that of the key",
        |request, known| {
            let Some((project, _)) = request.key().and_then(|key| known.whose(key)) else { return };
            if request.path == "/projects/resolve"
                && request.query.contains("workspace=")
                && !request.query.contains("project=")
            {
                request.query = format!("{}&project={}", request.query, project.slug);
            }
        };
    answer "resolve_answers_null" breaks "RES-4": "resolve of an unknown name answers 200 and null",
        |request, answer, _| {
            if request.path == "/projects/resolve" && matches!(answer.status, 401 | 404) && request.key().is_some() {
                *answer = ApiAnswer::new(200, &json!({ "projectId": null, "workspaceId": null }));
            }
        };
    request "key_of_any_project" breaks "RES-8":
        "a key has to exist, and opens every project",
        |request, known| if is_foreign(request, known) { open(request, known); };
    request "prefix_of_a_key_optional" breaks "RES-9": "a key is taken without eik_",
        |request, known| {
            let bare = request.key().filter(|key| !key.starts_with("eik_") && !key.is_empty());
            if let Some(key) = bare.map(|key| format!("eik_{key}")).filter(|key| known.whose(key).is_some()) {
                request.set_key(&key);
            }
        };
    answer "credential_shows_the_key" breaks "RES-10": "the credential shows the key",
        |request, answer, _| if request.is(&Method::GET, "/credential") && answer.ok() {
            let key = request.key().unwrap_or_default().to_owned();
            answer.edit(|body| body["key"] = json!(key));
        };
    answer "refusal_shows_the_key" breaks "RES-10": "the message of a 403 shows the key",
        |request, answer, _| if answer.status == 403 {
            let key = request.key().unwrap_or_default().to_owned();
            answer.edit(|body| body["message"] = json!(format!("{key} lacks the scope")));
        };
    answer "approval_in_millicredits" breaks "RES-14": "max_credits is read as millicredits",
        |request, answer, known| {
            let agent = request.key().and_then(|key| known.whose(key)).is_some_and(|(_, one)| one == Identity::Agent);
            if agent
                && request.is(&Method::POST, "/translate")
                && request.json()["operationId"].is_string()
                && answer.ok()
            {
                *answer = ApiAnswer::error(403, "authorization_required");
            }
        };
};

pub(super) const ROUTES: &[Mutant] = &[
    resolved!("resolve_gives_id", "resolve answers id in place of projectId", |body| {
        body["id"] = body["projectId"].take();
    }),
    resolved!("workspace_id_number", "resolve answers a number as workspaceId", |body| body["workspaceId"] = json!(7)),
    resolved!("resolve_gives_slug", "resolve answers the slug as projectId", |body| body["projectId"] = json!("app")),
    credential!("approval_as_text", "RES-5", "requires_operation_approval is a string", |body| {
        body["requires_operation_approval"] = json!(body["requires_operation_approval"].to_string());
    }),
    credential!("scopes_as_text", "RES-5", "scopes is one string", |body| body["scopes"] = json!("admin")),
    credential!("scopes_of_the_project", "RES-6", "scopes are those of all keys of the project", |body| {
        body["scopes"] = json!(["read", "translate", "write", "publish", "capture", "admin"]);
    }),
    credential!("a_scope_left_out", "RES-6", "the last scope is left out", |body| {
        if let Some(scopes) = body["scopes"].as_array_mut() {
            scopes.pop();
        }
    }),
    credential!("approval_inverted", "RES-7", "requires_operation_approval is true for keys of CI", |body| {
        body["requires_operation_approval"] = json!(body["requires_operation_approval"] == false);
    }),
    credential!("approval_never", "RES-7", "requires_operation_approval is always false", |body| {
        body["requires_operation_approval"] = json!(false);
    }),
    amount!("estimate_as_fraction", "RES-12", "estimatedCredits is a fraction", "estimatedCredits", |value| {
        json!(value.as_f64().unwrap_or_default() + 0.5)
    }),
    amount!("charge_as_text", "RES-12", "creditsCharged is a string", "creditsCharged", |value| json!(
        value.to_string()
    )),
    amount!("balance_negative", "RES-12", "balance is negative", "balance", |_| json!(-1)),
    amount!(
        "estimate_in_whole_credits",
        "RES-13",
        "estimatedCredits is in whole credits",
        "estimatedCredits",
        |value| { json!(value.as_u64().unwrap_or_default() / 1000) }
    ),
];
