//! The scope that opens each route (§4, §5.5).

use http::Method;

use super::keys::{SINGLE, holder, promote, reads, writes};
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::{Mutant, Plant};
use crate::profile::Identity;

/// A route that these keys get through as well.
macro_rules! open_to {
    ($id:literal, $breaks:literal, [$($check:literal),+], $method:ident $path:literal, $identities:expr) => {
        Mutant {
            id: $id,
            breaks: $breaks,
            says: concat!(stringify!($method), " ", $path, " is open to a scope that does not open it"),
            killed_by: &[$($check),+],
            plant: Plant::Request(|request, known| {
                if request.is(&Method::$method, $path) {
                    promote(request, known, $identities);
                }
            }),
        }
    };
}

/// A route that keys other than this one do not get through.
macro_rules! only_to {
    ($id:literal, $breaks:literal, $check:literal, $method:ident $path:literal, $query:literal, $identity:ident) => {
        Mutant {
            id: $id,
            breaks: $breaks,
            says: concat!(stringify!($method), " ", $path, " ", $query, " asks for a scope too much"),
            killed_by: &[$check],
            plant: Plant::Instead(|request, known| {
                let here = request.is(&Method::$method, $path) && request.query.starts_with($query);
                let refused = holder(request, known)
                    .is_some_and(|identity| SINGLE.contains(&identity) && identity != Identity::$identity);
                (here && refused).then(|| ApiAnswer::error(403, "forbidden"))
            }),
        }
    };
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    instead "resolve_asks_for_read" breaks "SCOPE-ANY-1..4" by ["SCOPE-ANY-4"]:
        "GET /projects/resolve needs the scope read",
        |request, known| {
            let (_, identity) = known.whose(request.key()?)?;
            let refused = SINGLE.contains(&identity) && identity != Identity::Read;
            (request.path == "/projects/resolve" && refused).then(|| ApiAnswer::error(403, "forbidden"))
        };
    request "version_open_to_translate" breaks "SCOPE-TR-3": "the files of a version are open to the scope translate",
        |request, known| if request.is(&Method::GET, "/translations") && request.query.starts_with("version") {
            promote(request, known, &[Identity::Translate]);
        };
    request "translate_lists_all" breaks "SCOPE-TR-4": "the list of keys is open to the scope translate",
        |request, known| if request.is(&Method::GET, "/translations") && request.query.is_empty() {
            promote(request, known, &[Identity::Translate]);
        };
    request "first_parameter_decides" breaks "SCOPE-TR-5":
        "of two parameters the first decides which scope is asked for, and the second is ignored",
        |request, _| if request.is(&Method::GET, "/translations") {
            request.query = request.query.split('&').next().unwrap_or_default().to_owned();
        };
    request "write_implies_read" breaks "AUTH-7" by ["SCOPE-R-1", "SCOPE-R-2"]: "the scope write opens what read opens",
        |request, known| if reads(request) { promote(request, known, &[Identity::Write]); };
    request "publish_implies_write" breaks "AUTH-7" by ["SCOPE-W-1", "SCOPE-W-2"]:
        "the scope publish opens what write opens",
        |request, known| if writes(request) { promote(request, known, &[Identity::Publish]); };
    request "translate_implies_read" breaks "AUTH-7" by ["SCOPE-R-2"]: "the scope translate opens what read opens",
        |request, known| if reads(request) && !request.under("/translations") {
            promote(request, known, &[Identity::Translate]);
        };
};

pub(super) const ROUTES: &[Mutant] = &[
    open_to!("translations_open_to_any", "SCOPE-R-1..5", ["SCOPE-R-1"], GET "/translations", SINGLE),
    open_to!("meta_open_to_any", "SCOPE-R-1..5", ["SCOPE-R-2"], GET "/meta", SINGLE),
    open_to!("code_changes_open_to_any", "SCOPE-R-1..5", ["SCOPE-R-3"], GET "/pending-code-changes", SINGLE),
    open_to!("documents_open_to_any", "SCOPE-R-1..5", ["SCOPE-R-4"], GET "/content", SINGLE),
    open_to!("document_open_to_any", "SCOPE-R-1..5", ["SCOPE-R-5"], GET "/content/*", SINGLE),
    open_to!("translate_open_to_write", "SCOPE-T-1..3", ["SCOPE-T-1"], POST "/translate", &[Identity::Write]),
    open_to!("sync_open_to_write", "SCOPE-T-1..3", ["SCOPE-T-2"], POST "/sync", &[Identity::Write]),
    open_to!("run_open_to_write", "SCOPE-T-1..3", ["SCOPE-T-3"], POST "/content/*/run", &[Identity::Write]),
    open_to!(
        "one_scope_for_all_operations", "SCOPE-T-4", ["SCOPE-T-4"], POST "/operations",
        &[Identity::Translate, Identity::Publish]
    ),
    open_to!("operations_open_to_translate", "SCOPE-P-4", ["SCOPE-P-4"], POST "/operations", &[Identity::Translate]),
    open_to!("languages_open_to_translate", "SCOPE-W-1..4", ["SCOPE-W-1"], POST "/languages", &[Identity::Translate]),
    open_to!("output_formats_open_to_read", "SCOPE-W-1..4", ["SCOPE-W-2"], POST "/output-formats", &[Identity::Read]),
    open_to!("import_open_to_translate", "SCOPE-W-1..4", ["SCOPE-W-3"], POST "/content", &[Identity::Translate]),
    open_to!("reimport_open_to_read", "SCOPE-W-1..4", ["SCOPE-W-4"], PUT "/content/*", &[Identity::Read]),
    open_to!("publish_open_to_write", "SCOPE-P-1..2", ["SCOPE-P-1"], POST "/publish", &[Identity::Write]),
    open_to!("restore_open_to_write", "SCOPE-P-1..2", ["SCOPE-P-2"], POST "/versions/*/restore", &[Identity::Write]),
    open_to!("webhooks_open_to_read", "SCOPE-P-3", ["SCOPE-P-3"], GET "/webhooks", &[Identity::Read]),
    open_to!("webhooks_made_by_write", "SCOPE-P-3", ["SCOPE-P-3"], POST "/webhooks", &[Identity::Write]),
    open_to!("webhooks_changed_by_write", "SCOPE-P-3", ["SCOPE-P-3"], PATCH "/webhooks/*", &[Identity::Write]),
    open_to!("webhooks_deleted_by_write", "SCOPE-P-3", ["SCOPE-P-3"], DELETE "/webhooks/*", &[Identity::Write]),
    open_to!("secrets_rotated_by_any", "SCOPE-P-3", ["SCOPE-P-3"], POST "/webhooks/*/rotate-secret", SINGLE),
    open_to!("log_open_to_read", "SCOPE-P-3", ["SCOPE-P-3"], GET "/webhooks/*/deliveries", &[Identity::Read]),
    open_to!(
        "resend_open_to_capture", "SCOPE-P-3", ["SCOPE-P-3"], POST "/webhooks/*/deliveries/*/resend",
        &[Identity::Capture]
    ),
    open_to!("capture_open_to_write", "SCOPE-C-1", ["SCOPE-C-1"], POST "/capture", &[Identity::Write]),
    only_to!("request_asks_for_read", "SCOPE-ANY-1..4", "SCOPE-ANY-1", GET "/requests/*", "", Read),
    only_to!("operation_asks_for_publish", "SCOPE-ANY-1..4", "SCOPE-ANY-2", GET "/operations/*", "", Publish),
    only_to!("credential_asks_for_read", "SCOPE-ANY-1..4", "SCOPE-ANY-3", GET "/credential", "", Read),
    only_to!("polling_asks_for_read", "SCOPE-TR-1", "SCOPE-TR-1", GET "/translations", "trackingToken", Read),
    only_to!("one_key_asks_for_read", "SCOPE-TR-2", "SCOPE-TR-2", GET "/translations", "ref", Read),
];
