//! The fields of a webhook.

use serde_json::{Value, json};

use super::{changes, creates, edit_creation, edit_list, rotates, webhook_of};
use crate::mutants::mutant::Mutant;

pub(in super::super) const MUTANTS: &[Mutant] = mutants! {
    answer "webhook_id_by_url" breaks "WH-F-1": "gives the same webhookId for the same URL",
        |request, answer, known| if creates(request) && answer.ok() {
            answer.edit(|body| {
                let name = format!("id of {}", body["url"]);
                match known.noted(&name) {
                    Some(id) => body["webhookId"] = id,
                    None => drop(known.note(&name, body["webhookId"].clone())),
                }
            });
        };
    answer "webhook_url_lower_case" breaks "WH-F-2": "returns the URL in lower case",
        |request, answer, _| {
            let lower = |one: &mut Value| one["url"] = one["url"].as_str().unwrap_or_default().to_lowercase().into();
            if creates(request) && answer.ok() {
                answer.edit(lower);
            }
            edit_list(request, answer, lower);
        };
    request "webhook_url_without_query" breaks "WH-F-2": "drops the query of the URL",
        |request, _| {
            edit_creation(request, |body| {
                if let Some((url, _)) = body["url"].as_str().and_then(|url| url.split_once('?')) {
                    body["url"] = url.to_owned().into();
                }
            });
        };
    request "webhook_events_always_both" breaks "WH-F-3": "subscribes to both events, whatever was asked",
        |request, _| {
            edit_creation(request, |body| {
                if body["events"] == json!(["strings.published"]) || body["events"] == json!(["content.published"]) {
                    body["events"] = json!(["strings.published", "content.published"]);
                }
            });
        };
    answer "webhook_disabled_until_ping" breaks "WH-F-4": "creates webhooks that are not enabled",
        |request, answer, _| if creates(request) && answer.ok() { answer.edit(|body| body["enabled"] = false.into()); };
    answer "webhook_secret_constant" breaks "WH-F-5": "gives every webhook the same secret",
        |request, answer, _| if creates(request) && answer.ok() {
            answer.edit(|body| body["secret"] = "whsec_ThisIsTheSecretOfEveryWebhookThatThereIs".into());
        };
    answer "webhook_secret_without_prefix" breaks "WH-F-5": "gives secrets without whsec_",
        |request, answer, _| if creates(request) && answer.ok() {
            answer.edit(|body| {
                let bare = body["secret"].as_str().unwrap_or_default().trim_start_matches("whsec_").to_owned();
                body["secret"] = bare.into();
            });
        };
    answer "secret_hint_first_four" breaks "WH-F-7": "shows the first four characters of the secret",
        |request, answer, _| edit_list(request, answer, |one| one["secretHint"] = "whse".into());
    answer "secret_hint_not_updated" breaks "WH-F-7": "goes on showing the hint of the secret before the rotation",
        |request, answer, known| {
            edit_list(request, answer, |one| {
                let name = format!("hint of {}", one["webhookId"]);
                match known.noted(&name) {
                    Some(hint) => one["secretHint"] = hint,
                    None => drop(known.note(&name, one["secretHint"].clone())),
                }
            });
        };
    answer "disabled_reason_always" breaks "WH-F-8": "gives auto_failures as the reason of every disabled webhook",
        |request, answer, _| {
            let reason = |one: &mut Value| {
                if one["enabled"] == false {
                    one["disabledReason"] = "auto_failures".into();
                }
            };
            if changes(request) && answer.ok() {
                answer.edit(reason);
            }
            edit_list(request, answer, reason);
        };
    answer "secret_expiry_unix" breaks "WH-F-9":
        "writes previousSecretExpiresAt as seconds since 1970",
        |request, answer, _| if rotates(request) && answer.ok() {
            answer.edit(|body| body["previousSecretExpiresAt"] = 1_800_000_000.into());
        };
    answer "secret_expiry_24_minutes" breaks "WH-F-9": "keeps the secret before for 24 minutes",
        |request, answer, _| if rotates(request) && answer.ok() {
            answer.edit(|body| {
                let text = body["previousSecretExpiresAt"].as_str().unwrap_or_default();
                if let Ok(expiry) = text.parse::<jiff::Timestamp>() {
                    let early = expiry - jiff::SignedDuration::from_secs(24 * 3_600 - 24 * 60);
                    body["previousSecretExpiresAt"] = early.to_string().into();
                }
            });
        };
    answer "secret_expiry_absent" breaks "WH-F-9":
        "does not say until when the secret before signs",
        |request, answer, _| if rotates(request) && answer.ok() {
            answer.edit(|body| drop(body.as_object_mut().map(|body| body.remove("previousSecretExpiresAt"))));
        };
    answer "secret_of_the_time" breaks "WH-F-10": "makes secrets out of the time and a counter",
        |request, answer, known| if rotates(request) && answer.ok() {
            let count = known.count(webhook_of(request));
            answer.edit(|body| body["secret"] = format!("whsec_20260101T000000Z{count:016}abcdef").into());
        };
};
