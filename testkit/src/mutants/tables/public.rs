//! Routes that take no key (§4, §5.8).

use http::Method;
use serde_json::json;

use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::{Mutant, Plant};

fn is_health(request: &ApiRequest, known: &ProxyState) -> bool {
    request.path == known.profile.routes.health
}

/// Returns true if its route takes no key and delivers what was published.
pub(super) fn is_delivery(request: &ApiRequest) -> bool {
    request.path.starts_with("/@") || request.under("/manifest") || request.path.contains("/bundles/")
}

/// Asks for a manifest that can be read here.
pub(super) fn in_plain(request: &mut ApiRequest) {
    if request.under("/manifest") {
        request.headers.remove("accept-encoding");
    }
}

/// Routes that ask for a key.
macro_rules! keyed {
    ($id:literal, $check:literal, $says:literal, $here:expr) => {
        Mutant {
            id: $id,
            breaks: $check,
            says: $says,
            killed_by: &[$check],
            plant: Plant::Instead(|request, known| {
                let here: fn(&ApiRequest, &ProxyState) -> bool = $here;
                (here(request, known) && request.key().is_none()).then(|| ApiAnswer::error(401, "unauthorized"))
            }),
        }
    };
}

pub(super) const MUTANTS: &[Mutant] = mutants! {
    instead "health_reads_the_key" breaks "PUB-3": "the route of health refuses a bad key",
        |request, known| {
            let keyed = request.headers.contains_key("authorization");
            (is_health(request, known) && keyed).then(|| ApiAnswer::error(401, "unauthorized"))
        };
    both "drafts_are_served" breaks "PUB-4": "the manifest tells of keys that are not published",
        |request, known| {
            if request.is(&Method::POST, "/translate") {
                known.note(&format!("draft of {}", request.project()), request.json());
            }
            in_plain(request);
        },
        |request, answer, known| if request.under("/manifest") && answer.ok() {
            let draft = known.noted(&format!("draft of {}", request.project()));
            answer.edit(|body| body["drafts"] = json!(draft));
        };
    both "drafts_in_live_files" breaks "PUB-4": "the live files have keys that are not published",
        |request, known| {
            if request.is(&Method::POST, "/translate") {
                known.note(&format!("draft of {}", request.project()), request.json());
            } else if request.path.contains("/bundles/live/") {
                request.headers.remove("accept-encoding");
            }
        },
        |request, answer, known| if request.path.contains("/bundles/live/") && answer.ok() {
            let draft = json!(known.noted(&format!("draft of {}", request.project()))).to_string();
            answer.body = [&answer.body[..], draft.as_bytes()].concat().into();
        };
};

pub(super) const ROUTES: &[Mutant] = &[
    keyed!("health_with_a_key", "PUB-1", "the route of health needs a key", is_health),
    keyed!("delivery_with_a_key", "PUB-2", "the manifest and the bundles need a key", |request, _| is_delivery(
        request
    )),
];
