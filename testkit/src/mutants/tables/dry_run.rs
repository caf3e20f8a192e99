//! Previews (§4, Credits and previews).

use http::Method;
use serde_json::{Value, json};

use crate::mutants::{ApiAnswer, ApiRequest, Mutant, Plant};

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

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "flag_ignored",
        breaks: "DRY-1",
        says: "?dryRun=true runs",
        killed_by: &["DRY-1", "DRY-2"],
        plant: Plant::Request(|request, _| {
            if push(request) {
                leave_out(request, |name, _| name == "dryRun");
            }
        }),
    },
    Mutant {
        id: "previews_are_charged",
        breaks: "DRY-2",
        says: "a preview lowers the balance",
        killed_by: &["DRY-2"],
        plant: Plant::Answer(|request, answer, known| {
            if push(request) && request.query.contains("dryRun=true") && answer.ok() {
                let charged = known.count("previews");
                answer.edit(|body| {
                    body["balance"] = (body["balance"].as_u64().unwrap_or(0).saturating_sub(charged)).into()
                });
            }
        }),
    },
    Mutant {
        id: "preview_without_price",
        breaks: "DRY-2",
        says: "a preview does not say what the run would cost",
        killed_by: &["DRY-2"],
        plant: Plant::Answer(|request, answer, _| {
            if push(request) && request.query.contains("dryRun=true") && answer.ok() {
                answer.edit(|body| body["estimatedCredits"] = Value::Null);
            }
        }),
    },
    Mutant {
        id: "run_ignores_the_flag",
        breaks: "DRY-3",
        says: "a run with dryRun: true runs",
        killed_by: &["DRY-3"],
        plant: Plant::Request(|request, _| {
            if request.under("/content/*/run") {
                drop_member(request, "dryRun");
            }
        }),
    },
    Mutant {
        id: "flag_in_the_body_ignored",
        breaks: "DRY-4a",
        says: "a push with dryRun in its body runs",
        killed_by: &["DRY-4a"],
        plant: Plant::Request(|request, _| {
            if push(request) {
                drop_member(request, "dryRun");
            }
        }),
    },
    Mutant {
        id: "flag_in_the_body_previews",
        breaks: "DRY-4a",
        says: "a push with dryRun in its body is a preview",
        killed_by: &["DRY-4a"],
        plant: Plant::Request(|request, _| {
            if push(request) && request.json()["dryRun"] == json!(true) {
                drop_member(request, "dryRun");
                request.query = "dryRun=true".to_owned();
            }
        }),
    },
    Mutant {
        id: "dry_run_in_snake_case_ignored",
        breaks: "DRY-4b",
        says: "?dry_run=true runs",
        killed_by: &["DRY-4b"],
        plant: Plant::Request(|request, _| {
            if push(request) {
                leave_out(request, |name, _| name == "dry_run");
            }
        }),
    },
    Mutant {
        id: "flag_in_any_case",
        breaks: "DRY-4b",
        says: "the flag is a preview in any case of letters",
        killed_by: &["DRY-4b"],
        plant: Plant::Request(|request, _| {
            if push(request) && request.query.to_ascii_lowercase().contains("dryrun=true") {
                request.query = "dryRun=true".to_owned();
            }
        }),
    },
    Mutant {
        id: "misspelt_in_the_body_ignored",
        breaks: "DRY-4b",
        says: "a push with dry-run in its body runs",
        killed_by: &["DRY-4b"],
        plant: Plant::Request(|request, _| {
            if push(request) {
                drop_member(request, "dry-run");
            }
        }),
    },
    Mutant {
        id: "one_is_true",
        breaks: "DRY-4c",
        says: "dryRun=1 is a preview",
        killed_by: &["DRY-4c"],
        plant: Plant::Request(|request, _| request.query = request.query.replace("dryRun=1", "dryRun=true")),
    },
    Mutant {
        id: "no_boolean_runs",
        breaks: "DRY-4c",
        says: "dryRun=yes is read as absent",
        killed_by: &["DRY-4c"],
        plant: Plant::Request(|request, _| {
            if push(request) {
                leave_out(request, |name, value| name == "dryRun" && value == "yes");
            }
        }),
    },
    Mutant {
        id: "empty_is_true",
        breaks: "DRY-4c",
        says: "?dryRun= is a preview",
        killed_by: &["DRY-4c"],
        plant: Plant::Request(|request, _| {
            if request.query == "dryRun=" {
                request.query = "dryRun=true".to_owned();
            }
        }),
    },
    Mutant {
        id: "last_flag_wins",
        breaks: "DRY-4d",
        says: "of two flags the last counts",
        killed_by: &["DRY-4d"],
        plant: Plant::Request(|request, _| {
            if request.query == "dryRun=true&dryRun=false" {
                request.query = "dryRun=false".to_owned();
            }
        }),
    },
    Mutant {
        id: "true_in_capitals",
        breaks: "DRY-4d",
        says: "dryRun=TRUE is a preview",
        killed_by: &["DRY-4d"],
        plant: Plant::Request(|request, _| request.query = request.query.replace("dryRun=TRUE", "dryRun=true")),
    },
    Mutant {
        id: "false_is_true",
        breaks: "DRY-4e",
        says: "dryRun=false is a preview: that the flag is there counts",
        killed_by: &["DRY-4e"],
        plant: Plant::Request(|request, _| {
            if push(request) {
                request.query = request.query.replace("dryRun=false", "dryRun=true");
            }
        }),
    },
    Mutant {
        id: "publish_ignores_the_flag",
        breaks: "DRY-5",
        says: "POST /publish?dryRun=true publishes",
        killed_by: &["DRY-5"],
        plant: Plant::Request(|request, _| ignore(request, "/publish")),
    },
    Mutant {
        id: "restore_ignores_the_flag",
        breaks: "DRY-5",
        says: "a restore with the flag restores",
        killed_by: &["DRY-5"],
        plant: Plant::Request(|request, _| ignore(request, "/versions/*/restore")),
    },
    Mutant {
        id: "languages_ignore_the_flag",
        breaks: "DRY-5",
        says: "POST /languages with the flag adds the languages",
        killed_by: &["DRY-5"],
        plant: Plant::Request(|request, _| ignore(request, "/languages")),
    },
    Mutant {
        id: "output_formats_ignore_the_flag",
        breaks: "DRY-5",
        says: "POST /output-formats with the flag sets them",
        killed_by: &["DRY-5"],
        plant: Plant::Request(|request, _| ignore(request, "/output-formats")),
    },
    Mutant {
        id: "capture_ignores_the_flag",
        breaks: "DRY-5",
        says: "POST /capture with the flag captures",
        killed_by: &["DRY-5-CAPTURE"],
        plant: Plant::Request(|request, _| ignore(request, "/capture")),
    },
    Mutant {
        id: "import_ignores_the_flag",
        breaks: "DRY-5",
        says: "POST /content with the flag makes a document",
        killed_by: &["DRY-5-CONTENT"],
        plant: Plant::Request(|request, _| ignore(request, "/content")),
    },
    Mutant {
        id: "replacing_a_document_ignores_the_flag",
        breaks: "DRY-5",
        says: "PUT /content/{docId} with the flag replaces its source",
        killed_by: &["DRY-5-CONTENT"],
        plant: Plant::Request(|request, _| {
            if request.method == Method::PUT {
                ignore(request, "/content/*");
            }
        }),
    },
    Mutant {
        id: "webhooks_refuse_the_flag",
        breaks: "DRY-6",
        says: "POST /webhooks?dryRun=true is 400",
        killed_by: &["DRY-6"],
        plant: Plant::Instead(|request, _| {
            let flagged = request.is(&Method::POST, "/webhooks") && request.query.contains("dryRun");
            flagged.then(|| ApiAnswer::error(400, "invalid_argument"))
        }),
    },
    Mutant {
        id: "webhooks_preview",
        breaks: "DRY-6",
        says: "POST /webhooks with dryRun: true answers as if it had made one",
        killed_by: &["DRY-6"],
        plant: Plant::Instead(|request, _| {
            let body = request.json();
            let flagged = request.is(&Method::POST, "/webhooks") && body["dryRun"] == json!(true);
            let made = || {
                json!({ "webhookId": "whk_preview", "url": body["url"], "events": body["events"], "enabled": true,
                    "secret": "whsec_ThisOneIsAPreviewAndSignsNothingAtAllXyZ" })
            };
            flagged.then(|| ApiAnswer::new(201, &made()))
        }),
    },
    Mutant {
        id: "agents_need_approval_to_preview",
        breaks: "DRY-7",
        says: "an agent's preview is 403 authorization_required",
        killed_by: &["DRY-7"],
        plant: Plant::Instead(|request, known| {
            let (_, identity) = known.whose(request.key()?)?;
            let agent = identity == crate::profile::Identity::Agent && push(request);
            agent.then(|| ApiAnswer::error(403, "authorization_required"))
        }),
    },
];
