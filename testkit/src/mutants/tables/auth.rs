//! Authentication and authorisation (§5).

use http::{HeaderValue, Method};

use super::keys::{holder, is_foreign, open, promote};
use crate::mutants::delivery::RelayAction;
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::{Mutant, Plant};
use crate::profile::Identity;

/// A route that needs no key.
macro_rules! keyless {
    ($id:literal, $check:literal, $method:ident $path:literal) => {
        Mutant {
            id: $id,
            breaks: "AUTH-2",
            says: concat!(stringify!($method), " ", $path, " needs no key"),
            killed_by: &[$check],
            plant: Plant::Request(|request, known| {
                if request.is(&Method::$method, $path) && request.key().is_none_or(str::is_empty) {
                    open(request, known);
                }
            }),
        }
    };
}

/// A route that takes the key of any project.
macro_rules! tenantless {
    ($id:literal, $check:literal, $method:ident $path:literal) => {
        Mutant {
            id: $id,
            breaks: "AUTH-4",
            says: concat!(stringify!($method), " ", $path, " takes the key of any project"),
            killed_by: &[$check],
            plant: Plant::Request(|request, known| {
                if request.is(&Method::$method, $path) && is_foreign(request, known) {
                    open(request, known);
                }
            }),
        }
    };
}

/// A route that an agent gets through without an approval.
macro_rules! unapproved {
    ($id:literal, $check:literal, $method:ident $path:literal) => {
        Mutant {
            id: $id,
            breaks: "AUTH-11",
            says: concat!(stringify!($method), " ", $path, " of an agent runs without an approval"),
            killed_by: &[$check],
            plant: Plant::Request(|request, known| {
                if request.is(&Method::$method, $path) {
                    promote(request, known, &[Identity::Agent]);
                }
            }),
        }
    };
}

/// A route that the scope `admin` does not open.
macro_rules! admin_lacks {
    ($id:literal, $check:literal, $method:ident $path:literal) => {
        Mutant {
            id: $id,
            breaks: "AUTH-8",
            says: concat!("admin does not open ", stringify!($method), " ", $path),
            killed_by: &[$check],
            plant: Plant::Instead(|request, known| {
                let admin = holder(request, known) == Some(Identity::Admin);
                (admin && request.is(&Method::$method, $path)).then(|| ApiAnswer::error(403, "forbidden"))
            }),
        }
    };
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    instead "bearer_unknown" breaks "AUTH-1": "the scheme Bearer is unknown",
        |request, _| {
            let bearer = request.key().is_some() && request.is(&Method::GET, "/credential");
            bearer.then(|| ApiAnswer::error(401, "unauthorized"))
        };
    request "prefix_of_a_key_matches" breaks "AUTH-3": "a key is compared up to the length of what was sent",
        |request, known| {
            let full = known.full_key(request.project());
            if request.key().is_some_and(|key| key.len() > 8 && full.starts_with(key)) {
                open(request, known);
            }
        };
    request "case_of_a_key_ignored" breaks "AUTH-3": "keys are compared without regard to case",
        |request, known| {
            let full = known.full_key(request.project());
            if request.key().is_some_and(|key| key.eq_ignore_ascii_case(full)) {
                open(request, known);
            }
        };
    request "any_text_with_the_prefix" breaks "AUTH-3": "GET /meta takes whatever begins with eik_",
        |request, known| {
            let unknown = request.key().is_some_and(|key| key.starts_with("eik_") && known.whose(key).is_none());
            if unknown && request.is(&Method::GET, "/meta") {
                open(request, known);
            }
        };
    request "key_in_the_query" breaks "AUTH-3" by ["AUTH-3-PLACES"]:
        "the query parameter access_token is taken for a key",
        |request, known| if request.query.starts_with("access_token=") && request.key().is_none() {
            open(request, known);
        };
    request "key_in_a_header_of_its_own" breaks "AUTH-3" by ["AUTH-3-PLACES"]:
        "the header X-Api-Key is taken for a key",
        |request, known| if request.headers.contains_key("x-api-key") && request.key().is_none() {
            open(request, known);
        };
    request "any_scheme" breaks "AUTH-3" by ["AUTH-3-PLACES"]: "the scheme of the header is not looked at",
        |request, known| {
            let full = known.full_key(request.project());
            let value = request.headers.get("authorization").and_then(|value| value.to_str().ok());
            if value.is_some_and(|value| value.split(' ').next_back() == Some(full)) {
                open(request, known);
            }
        };
    answer "other_project_403" breaks "AUTH-4" by ["AUTH-4", "AUTH-4-TRANSLATE", "AUTH-4-WRITE", "AUTH-4-PUBLISH", "AUTH-4-WEBHOOKS"]:
        "the key of another project is answered 403",
        |request, answer, known| if answer.status == 401 && is_foreign(request, known) {
            *answer = ApiAnswer::error(403, "forbidden");
        };
    request "revoked_key_still_good" breaks "AUTH-5": "a revoked key is still taken",
        |request, known| promote(request, known, &[Identity::Revoked]);
    answer "scope_lacking_401" breaks "AUTH-6": "a key that lacks the scope is answered 401",
        |_, answer, _| if answer.status == 403 && answer.json()["error"] == "forbidden" {
            *answer = ApiAnswer::error(401, "unauthorized");
        };
    answer "scope_lacking_404" breaks "AUTH-6": "a key that lacks the scope is answered 404",
        |_, answer, _| if answer.status == 403 && answer.json()["error"] == "forbidden" {
            *answer = ApiAnswer::error(404, "not_found");
        };
    answer "scope_called_reader" breaks "AUTH-9": "the scope read is called reader",
        |request, answer, _| if request.is(&Method::GET, "/credential") && answer.ok() {
            let text = String::from_utf8_lossy(&answer.body).replace("\"read\"", "\"reader\"");
            answer.body = text.into();
        };
    request "members_as_admin" breaks "AUTH-10": "the dashboard's members scopes open every route",
        |request, known| promote(request, known, &[Identity::Members]);
    answer "approval_lacking_forbidden" breaks "AUTH-11" by ["AUTH-11-PUBLISH", "AUTH-11-TRANSLATE"]:
        "an agent without an approval is answered forbidden",
        |_, answer, _| if answer.json()["error"] == "authorization_required" {
            *answer = ApiAnswer::error(403, "forbidden");
        };
    instead "agent_refused_everything" breaks "AUTH-12": "an agent needs an approval to read",
        |request, known| {
            let refused = holder(request, known) == Some(Identity::Agent) && request.is(&Method::GET, "/translations");
            refused.then(|| ApiAnswer::error(403, "authorization_required"))
        };
    instead "agent_refused_webhooks" breaks "AUTH-12": "an agent needs an approval to make webhooks",
        |request, known| {
            let refused = holder(request, known) == Some(Identity::Agent) && request.is(&Method::POST, "/webhooks");
            refused.then(|| ApiAnswer::error(403, "authorization_required"))
        };
    answer "approval_before_scope" breaks "AUTH-13": "an agent that lacks the scope is told of the approval",
        |request, answer, _| if request.is(&Method::POST, "/publish") && answer.json()["error"] == "forbidden" {
            *answer = ApiAnswer::error(403, "authorization_required");
        };
    instead "unknown_route_before_key" breaks "AUTH-14": "an unknown route is answered 404 before the key is looked at",
        |request, _| {
            let known = ["/credential", "/meta", "/translations", "/webhooks"];
            let segments = request.path.matches('/').count();
            let unknown =
                segments == 3 && request.method == Method::GET && !known.iter().any(|path| request.under(path));
            (unknown && request.key().is_none()).then(|| ApiAnswer::error(404, "not_found"))
        };
    instead "webhook_before_key" breaks "AUTH-14": "an unknown webhook is answered 404 before the key is looked at",
        |request, _| {
            let unknown = request.under("/webhooks/*") && request.key().is_none();
            unknown.then(|| ApiAnswer::error(404, "not_found"))
        };
    instead "json_before_key" breaks "AUTH-14": "JSON that is none is answered 400 before the key is looked at",
        |request, _| {
            let broken = !request.body.is_empty() && request.json().is_null() && request.key().is_none();
            broken.then(|| ApiAnswer::error(400, "invalid_argument"))
        };
    answer "no_challenge" breaks "AUTH-15": "401 names no scheme",
        |_, answer, _| drop(answer.headers.remove("www-authenticate"));
    instead "scheme_in_one_case" breaks "AUTH-16": "the scheme is taken in one spelling alone",
        |request, _| {
            let value = request.headers.get("authorization")?.to_str().ok()?;
            let other = value.to_ascii_lowercase().starts_with("bearer ") && !value.starts_with("Bearer ");
            other.then(|| ApiAnswer::error(401, "unauthorized"))
        };
    request "first_of_two_keys" breaks "AUTH-16": "of two headers the first counts",
        |request, _| {
            let first: Option<HeaderValue> = request.headers.get("authorization").cloned();
            if let Some(first) = first {
                request.headers.insert("authorization", first);
            }
        };
    delivery "delivery_presents_a_key" breaks "AUTH-18": "a delivery carries an API key",
        |relayed| {
            relayed.set_header("authorization", "Bearer eik_of_the_project");
            RelayAction::Forward
        };
};

pub(super) const ROUTES: &[Mutant] = &[
    keyless!("credential_without_key", "AUTH-2", GET "/credential"),
    keyless!("meta_without_key", "AUTH-2", GET "/meta"),
    keyless!("translations_without_key", "AUTH-2", GET "/translations"),
    keyless!("translate_without_key", "AUTH-2-TRANSLATE", POST "/translate"),
    keyless!("sync_without_key", "AUTH-2-TRANSLATE", POST "/sync"),
    keyless!("languages_without_key", "AUTH-2-WRITE", POST "/languages"),
    keyless!("output_formats_without_key", "AUTH-2-WRITE", POST "/output-formats"),
    keyless!("publish_without_key", "AUTH-2-PUBLISH", POST "/publish"),
    keyless!("restore_without_key", "AUTH-2-PUBLISH", POST "/versions/*/restore"),
    keyless!("webhooks_without_key", "AUTH-2-WEBHOOKS", GET "/webhooks"),
    keyless!("webhook_deleted_without_key", "AUTH-2-WEBHOOKS", DELETE "/webhooks/*"),
    keyless!("resend_without_key", "AUTH-2-WEBHOOKS", POST "/webhooks/*/deliveries/*/resend"),
    keyless!("documents_without_key", "AUTH-2-DOCUMENTS", GET "/content"),
    keyless!("capture_without_key", "AUTH-2-CAPTURE", POST "/capture"),
    keyless!("code_changes_without_key", "AUTH-2-CODE-CHANGES", GET "/pending-code-changes"),
    keyless!("requests_without_key", "AUTH-2-REQUESTS", GET "/requests/*"),
    keyless!("operations_without_key", "AUTH-2-OPERATIONS", GET "/operations/*"),
    tenantless!("credential_of_any_project", "AUTH-4", GET "/credential"),
    tenantless!("meta_of_any_project", "AUTH-4", GET "/meta"),
    tenantless!("translate_in_any_project", "AUTH-4-TRANSLATE", POST "/translate"),
    tenantless!("languages_of_any_project", "AUTH-4-WRITE", POST "/languages"),
    tenantless!("publish_in_any_project", "AUTH-4-PUBLISH", POST "/publish"),
    tenantless!("webhooks_of_any_project", "AUTH-4-WEBHOOKS", GET "/webhooks"),
    tenantless!("log_of_any_project", "AUTH-4-WEBHOOKS", GET "/webhooks/*/deliveries"),
    tenantless!("documents_of_any_project", "AUTH-4-DOCUMENTS", GET "/content"),
    tenantless!("capture_in_any_project", "AUTH-4-CAPTURE", POST "/capture"),
    tenantless!("code_changes_of_any_project", "AUTH-4-CODE-CHANGES", GET "/pending-code-changes"),
    tenantless!("requests_of_any_project", "AUTH-4-REQUESTS", GET "/requests/*"),
    tenantless!("operations_of_any_project", "AUTH-4-OPERATIONS", GET "/operations/*"),
    admin_lacks!("admin_lacks_meta", "AUTH-8", GET "/meta"),
    admin_lacks!("admin_lacks_sync", "AUTH-8-TRANSLATE", POST "/sync"),
    admin_lacks!("admin_lacks_languages", "AUTH-8-WRITE", POST "/languages"),
    admin_lacks!("admin_lacks_restore", "AUTH-8-PUBLISH", POST "/versions/*/restore"),
    admin_lacks!("admin_lacks_resend", "AUTH-8-WEBHOOKS", POST "/webhooks/*/deliveries/*/resend"),
    admin_lacks!("admin_lacks_run", "AUTH-8-DOCUMENTS", POST "/content/*/run"),
    admin_lacks!("admin_lacks_capture", "AUTH-8-CAPTURE", POST "/capture"),
    admin_lacks!("admin_lacks_code_changes", "AUTH-8-CODE-CHANGES", GET "/pending-code-changes"),
    admin_lacks!("admin_lacks_requests", "AUTH-8-REQUESTS", GET "/requests/*"),
    admin_lacks!("admin_lacks_operations", "AUTH-8-OPERATIONS", POST "/operations"),
    unapproved!("agent_publishes", "AUTH-11-PUBLISH", POST "/publish"),
    unapproved!("agent_restores", "AUTH-11-PUBLISH", POST "/versions/*/restore"),
    unapproved!("agent_translates", "AUTH-11-TRANSLATE", POST "/translate"),
    unapproved!("agent_syncs", "AUTH-11-TRANSLATE", POST "/sync"),
    unapproved!("agent_runs_documents", "AUTH-11-DOCUMENTS", POST "/content/*/run"),
];
