//! Places in which a webhook's secret must not appear.

use serde_json::Value;

use super::{changes, creates, edit_list, resends, rotates, webhook_of};
use crate::mutants::exchange::{ApiAnswer, ApiRequest, ProxyState};
use crate::mutants::mutant::Mutant;
use crate::mutants::tables::edit::sign_anew;

/// Notes the secrets that are given out.
fn note(request: &ApiRequest, answer: &ApiAnswer, known: &ProxyState) {
    let body = answer.json();
    if (creates(request) || rotates(request)) && answer.ok() {
        let id = body["webhookId"].as_str().unwrap_or(webhook_of(request));
        known.note(&format!("secret of {id}"), body["secret"].clone());
    }
}

fn secret_of(known: &ProxyState, id: &Value) -> Value {
    known.noted(&format!("secret of {}", id.as_str().unwrap_or_default())).unwrap_or_default()
}

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "list_shows_secret" breaks "WH-F-6": "lists webhooks with their secrets",
        |request, answer, known| {
            note(request, answer, known);
            edit_list(request, answer, |one| one["secret"] = secret_of(known, &one["webhookId"]));
        };
    answer "patch_shows_secret" breaks "WH-F-6": "answers PATCH with the secret under another name",
        |request, answer, known| {
            note(request, answer, known);
            if changes(request) && answer.ok() {
                answer.edit(|body| body["signingKey"] = secret_of(known, &body["webhookId"]));
            }
        };
    answer "resend_shows_secret" breaks "WH-F-6": "answers resend with the webhook and its secret",
        |request, answer, known| {
            note(request, answer, known);
            if resends(request) && answer.ok() {
                answer.edit(|body| body["webhook"] = secret_of(known, &webhook_of(request).into()));
            }
        };
    delivery "delivery_shows_secret" breaks "WH-F-6": "sends the secret along with each event",
        |relayed| {
            let mut body: Value = serde_json::from_slice(&relayed.body).unwrap_or_default();
            body["webhook"] = relayed.secrets.first().cloned().into();
            relayed.body = body.to_string().into();
            sign_anew(relayed)
        };
};
