//! Previews (§4, Credits and previews).

use http::Method;
use serde_json::{Value, json};

use crate::mutants::exchange::{ApiAnswer, ApiRequest};
use crate::mutants::mutant::Mutant;

/// Returns true if the request is a push.
fn push(request: &ApiRequest) -> bool {
    request.under("/translate") || request.under("/sync")
}

/// Leaves out of the query what `out` names.
fn leave_out(request: &mut ApiRequest, out: impl Fn(&str, &str) -> bool) {
    let pairs: Vec<_> = request
        .query
        .split('&')
        .filter(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            !out(name, value)
        })
        .collect();
    request.query = pairs.join("&");
}

/// Leaves a member out of the body.
fn drop_member(request: &mut ApiRequest, name: &str) {
    let mut body = request.json();
    if body.as_object_mut().is_some_and(|body| body.remove(name).is_some()) {
        request.set_json(&body);
    }
}

/// The route does not look at the flag.
fn ignore(request: &mut ApiRequest, path: &str) {
    if request.under(path) {
        leave_out(request, |name, _| name.to_ascii_lowercase().replace('_', "") == "dryrun");
        drop_member(request, "dryRun");
    }
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    request "flag_ignored" breaks "DRY-1": "?dryRun=true runs",
        |request, _| if push(request) { leave_out(request, |name, _| name == "dryRun"); };
    answer "previews_are_charged" breaks "DRY-2": "a preview lowers the balance",
        |request, answer, known| if push(request) && request.query.contains("dryRun=true") && answer.ok() {
            let charged = known.count("previews");
            answer.edit(|body| {
                body["balance"] = (body["balance"].as_u64().unwrap_or(0).saturating_sub(charged)).into()
            });
        };
    answer "preview_without_price" breaks "DRY-2": "a preview does not say what the run would cost",
        |request, answer, _| if push(request) && request.query.contains("dryRun=true") && answer.ok() {
            answer.edit(|body| body["estimatedCredits"] = Value::Null);
        };
    request "run_ignores_the_flag" breaks "DRY-3": "a run with dryRun: true runs",
        |request, _| if request.under("/content/*/run") { drop_member(request, "dryRun"); };
    request "flag_in_the_body_ignored" breaks "DRY-4a": "a push with dryRun in its body runs",
        |request, _| if push(request) { drop_member(request, "dryRun"); };
    request "flag_in_the_body_previews" breaks "DRY-4a": "a push with dryRun in its body is a preview",
        |request, _| if push(request) && request.json()["dryRun"] == json!(true) {
            drop_member(request, "dryRun");
            request.query = "dryRun=true".to_owned();
        };
    request "dry_run_in_snake_case_ignored" breaks "DRY-4b": "?dry_run=true runs",
        |request, _| if push(request) { leave_out(request, |name, _| name == "dry_run"); };
    request "flag_in_any_case" breaks "DRY-4b": "the flag is a preview in any case of letters",
        |request, _| if push(request) && request.query.to_ascii_lowercase().contains("dryrun=true") {
            request.query = "dryRun=true".to_owned();
        };
    request "misspelt_in_the_body_ignored" breaks "DRY-4b": "a push with dry-run in its body runs",
        |request, _| if push(request) { drop_member(request, "dry-run"); };
    request "one_is_true" breaks "DRY-4c": "dryRun=1 is a preview",
        |request, _| request.query = request.query.replace("dryRun=1", "dryRun=true");
    request "no_boolean_runs" breaks "DRY-4c": "dryRun=yes is read as absent",
        |request, _| if push(request) { leave_out(request, |name, value| name == "dryRun" && value == "yes"); };
    request "empty_is_true" breaks "DRY-4c": "?dryRun= is a preview",
        |request, _| if request.query == "dryRun=" { request.query = "dryRun=true".to_owned(); };
    request "last_flag_wins" breaks "DRY-4d": "of two flags the last counts",
        |request, _| if request.query == "dryRun=true&dryRun=false" { request.query = "dryRun=false".to_owned(); };
    request "true_in_capitals" breaks "DRY-4d": "dryRun=TRUE is a preview",
        |request, _| request.query = request.query.replace("dryRun=TRUE", "dryRun=true");
    request "false_is_true" breaks "DRY-4e": "dryRun=false is a preview: that the flag is there counts",
        |request, _| if push(request) { request.query = request.query.replace("dryRun=false", "dryRun=true"); };
    request "publish_ignores_the_flag" breaks "DRY-5": "POST /publish?dryRun=true publishes",
        |request, _| ignore(request, "/publish");
    request "restore_ignores_the_flag" breaks "DRY-5": "a restore with the flag restores",
        |request, _| ignore(request, "/versions/*/restore");
    request "languages_ignore_the_flag" breaks "DRY-5": "POST /languages with the flag adds the languages",
        |request, _| ignore(request, "/languages");
    request "output_formats_ignore_the_flag" breaks "DRY-5": "POST /output-formats with the flag sets them",
        |request, _| ignore(request, "/output-formats");
    request "capture_ignores_the_flag" breaks "DRY-5" by ["DRY-5-CAPTURE"]: "POST /capture with the flag captures",
        |request, _| ignore(request, "/capture");
    request "import_ignores_the_flag" breaks "DRY-5" by ["DRY-5-CONTENT"]:
        "POST /content with the flag makes a document",
        |request, _| ignore(request, "/content");
    request "replacing_a_document_ignores_the_flag" breaks "DRY-5" by ["DRY-5-CONTENT"]:
        "PUT /content/{docId} with the flag replaces its source",
        |request, _| if request.method == Method::PUT { ignore(request, "/content/*"); };
    instead "webhooks_refuse_the_flag" breaks "DRY-6": "POST /webhooks?dryRun=true is 400",
        |request, _| {
            let flagged = request.is(&Method::POST, "/webhooks") && request.query.contains("dryRun");
            flagged.then(|| ApiAnswer::error(400, "invalid_argument"))
        };
    instead "webhooks_preview" breaks "DRY-6": "POST /webhooks with dryRun: true answers as if it had made one",
        |request, _| {
            let body = request.json();
            let flagged = request.is(&Method::POST, "/webhooks") && body["dryRun"] == json!(true);
            let made = || {
                json!({ "webhookId": "whk_preview", "url": body["url"], "events": body["events"], "enabled": true,
                    "secret": "whsec_ThisOneIsAPreviewAndSignsNothingAtAllXyZ" })
            };
            flagged.then(|| ApiAnswer::new(201, &made()))
        };
    instead "agents_need_approval_to_preview" breaks "DRY-7": "an agent's preview is 403 authorization_required",
        |request, known| {
            let (_, identity) = known.whose(request.key()?)?;
            let agent = identity == crate::profile::Identity::Agent && push(request);
            agent.then(|| ApiAnswer::error(403, "authorization_required"))
        };
    instead "agents_may_not_preview" breaks "DRY-7": "an agent's preview is 403 forbidden",
        |request, known| {
            let (_, identity) = known.whose(request.key()?)?;
            let preview = push(request) && request.query == "dryRun=true";
            (identity == crate::profile::Identity::Agent && preview).then(|| ApiAnswer::error(403, "forbidden"))
        };
};
