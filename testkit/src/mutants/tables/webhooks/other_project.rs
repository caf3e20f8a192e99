//! Webhooks that are looked up by their id alone, whoever's they are.

use http::Method;

use super::{changes, creates, reads_log, resends, rotates, webhook_of};
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::{Mutant, Plant};

/// Notes whose a webhook is.
fn note(request: &ApiRequest, answer: &mut ApiAnswer, known: &ProxyState) {
    if creates(request) && answer.ok() {
        let id = answer.json()["webhookId"].as_str().unwrap_or_default().to_owned();
        known.note(&format!("project of {id}"), request.project().into());
    }
}

/// Asks in the name of the webhook's own project.
fn cross(request: &mut ApiRequest, known: &ProxyState) {
    let owner = known.noted(&format!("project of {}", webhook_of(request)));
    let Some(owner) = owner.as_ref().and_then(|owner| owner.as_str()) else { return };
    if owner != request.project() {
        request.path = request.path.replacen(request.project(), owner, 1);
        request.set_key(known.full_key(owner));
    }
}

macro_rules! reaches_over {
    ($id:literal, $what:literal, $check:literal, $is:expr) => {
        Mutant {
            id: $id,
            breaks: "WH-PA-8",
            says: concat!($what, " a webhook of any project"),
            killed_by: &[$check],
            plant: Plant::Both(
                |request, known| {
                    let is: fn(&ApiRequest) -> bool = $is;
                    if is(request) {
                        cross(request, known);
                    }
                },
                note,
            ),
        }
    };
}

pub(in super::super) const MUTANTS: &[Mutant] = &[
    reaches_over!("other_project_patch", "changes", "WH-PA-8", changes),
    reaches_over!("other_project_rotate", "rotates the secret of", "WH-PA-8", rotates),
    reaches_over!("other_project_log", "shows the log of", "WH-PA-8", reads_log),
    reaches_over!("other_project_delete", "deletes", "WH-PA-8", |request| request.is(&Method::DELETE, "/webhooks/*")),
    reaches_over!("other_project_resend", "resends deliveries of", "WH-PA-8.resend", resends),
];
