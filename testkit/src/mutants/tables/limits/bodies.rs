//! Caps of bodies.

use http::Method;
use serde_json::Value;

use crate::mutants::exchange::{ApiAnswer, ApiRequest};
use crate::mutants::mutant::Mutant;

/// 1 MiB.
const MIB: usize = 1024 * 1024;

fn too_large() -> ApiAnswer {
    ApiAnswer::error(413, "payload_too_large")
}

/// The server sees what of the body is not padding.
fn trim(request: &mut ApiRequest) {
    let end = request.body.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    request.body.truncate(end);
}

/// The size of the file in a sync, as it is encoded.
fn encoded(request: &ApiRequest) -> usize {
    request.json()["file"]["content"].as_str().map_or(0, str::len)
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    request "no_body_cap" breaks "LIM-BODY-1": "a body may have any size", |request, _| trim(request);
    request "body_cap_2_mb" breaks "LIM-BODY-1": "the cap is the framework's, of 2 MB",
        |request, _| if request.body.len() <= 2 * MIB { trim(request); };
    instead "body_cap_1_000_000" breaks "LIM-BODY-1": "the cap is 1,000,000 bytes",
        |request, _| (request.body.len() > 1_000_000 && !request.under("/sync")).then(too_large);
    answer "too_large_as_413_text" breaks "ERR-413-1" by ["LIM-BODY-1"]: "413 has the code request_entity_too_large",
        |_, answer, _| if answer.status == 413 {
            answer.edit(|body| body["error"] = "request_entity_too_large".into());
        };
    instead "sync_cap_1_mib" breaks "LIM-BODY-2": "the default cap holds for /sync too",
        |request, _| (request.under("/sync") && request.body.len() > MIB).then(too_large);
    request "no_sync_cap" breaks "LIM-BODY-2": "/sync takes a body of any size",
        |request, _| if request.under("/sync") { trim(request); };
    instead "file_cap_of_the_encoded" breaks "LIM-BODY-3": "a file is measured as it is encoded",
        |request, _| (request.under("/sync") && encoded(request) > 2 * MIB).then(too_large);
    request "no_file_cap" breaks "LIM-BODY-3": "a file may be as large as its body",
        |request, _| if request.under("/sync") && encoded(request) > 2 * MIB {
            let mut body = request.json();
            body["file"]["content"] = Value::from("e30=");
            request.set_json(&body);
        };
    request "import_cap_1_mib" breaks "LIM-BODY-4": "the default cap holds for documents",
        |request, _| if (request.under("/content") || request.under("/content/*")) && request.body.len() <= MIB {
            trim(request);
        };
    instead "import_cap_of_250_000" breaks "LIM-BODY-4": "documents are capped at 250,000 bytes",
        |request, _| {
            let import = request.under("/content") || request.under("/content/*");
            (import && request.body.len() > 250_000).then(too_large)
        };
    request "new_documents_alone_are_capped" breaks "LIM-BODY-4": "the default cap holds for PUT of a document",
        |request, _| if request.under("/content/*") && request.body.len() <= MIB { trim(request); };
    request "run_cap_1_mib" breaks "LIM-BODY-5": "the default cap holds for runs",
        |request, _| if request.under("/content/*/run") && request.body.len() <= MIB { trim(request); };
    instead "run_cap_4_kb" breaks "LIM-BODY-5": "the body of a run is capped at 4 KB",
        |request, _| (request.under("/content/*/run") && request.body.len() > 4 * 1024).then(too_large);
    request "cap_by_length_alone" breaks "LIM-BODY-6":
        "a body without Content-Length may have any size",
        |request, _| if request.headers.contains_key("transfer-encoding") { trim(request); };
    both "writes_before_the_cap" breaks "LIM-BODY-7":
        "a webhook is made as soon as its object ends, and the rest of the body is refused",
        |request, _| if request.is(&Method::POST, "/webhooks") && request.body.len() > MIB {
            trim(request);
            request.query = "refused".to_owned();
        },
        |request, answer, _| if request.query == "refused" { *answer = too_large(); };
};
