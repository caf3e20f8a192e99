//! The fields of a webhook.

use serde_json::{Value, json};

use super::{changes, creates, edit_creation, edit_list, rotates, webhook_of};
use crate::mutants::{Mutant, Plant};

pub(in super::super) const MUTANTS: &[Mutant] = &[
    Mutant {
        id: "webhook_id_by_url",
        breaks: "WH-F-1",
        says: "gives the same webhookId for the same URL",
        killed_by: &["WH-F-1"],
        plant: Plant::Answer(|request, answer, known| {
            if creates(request) && answer.ok() {
                answer.edit(|body| {
                    let name = format!("id of {}", body["url"]);
                    match known.noted(&name) {
                        Some(id) => body["webhookId"] = id,
                        None => drop(known.note(&name, body["webhookId"].clone())),
                    }
                });
            }
        }),
    },
    Mutant {
        id: "webhook_url_lower_case",
        breaks: "WH-F-2",
        says: "returns the URL in lower case",
        killed_by: &["WH-F-2"],
        plant: Plant::Answer(|request, answer, _| {
            let lower = |one: &mut Value| one["url"] = one["url"].as_str().unwrap_or_default().to_lowercase().into();
            if creates(request) && answer.ok() {
                answer.edit(lower);
            }
            edit_list(request, answer, lower);
        }),
    },
    Mutant {
        id: "webhook_url_without_query",
        breaks: "WH-F-2",
        says: "drops the query of the URL",
        killed_by: &["WH-F-2"],
        plant: Plant::Request(|request, _| {
            edit_creation(request, |body| {
                if let Some((url, _)) = body["url"].as_str().and_then(|url| url.split_once('?')) {
                    body["url"] = url.to_owned().into();
                }
            });
        }),
    },
    Mutant {
        id: "webhook_events_always_both",
        breaks: "WH-F-3",
        says: "subscribes to both events, whatever was asked",
        killed_by: &["WH-F-3"],
        plant: Plant::Request(|request, _| {
            edit_creation(request, |body| {
                if body["events"] == json!(["strings.published"]) || body["events"] == json!(["content.published"]) {
                    body["events"] = json!(["strings.published", "content.published"]);
                }
            });
        }),
    },
    Mutant {
        id: "webhook_disabled_until_ping",
        breaks: "WH-F-4",
        says: "creates webhooks that are not enabled",
        killed_by: &["WH-F-4"],
        plant: Plant::Answer(|request, answer, _| {
            if creates(request) && answer.ok() {
                answer.edit(|body| body["enabled"] = false.into());
            }
        }),
    },
    Mutant {
        id: "webhook_secret_constant",
        breaks: "WH-F-5",
        says: "gives every webhook the same secret",
        killed_by: &["WH-F-5"],
        plant: Plant::Answer(|request, answer, _| {
            if creates(request) && answer.ok() {
                answer.edit(|body| body["secret"] = "whsec_ThisIsTheSecretOfEveryWebhookThatThereIs".into());
            }
        }),
    },
    Mutant {
        id: "webhook_secret_without_prefix",
        breaks: "WH-F-5",
        says: "gives secrets without whsec_",
        killed_by: &["WH-F-5"],
        plant: Plant::Answer(|request, answer, _| {
            if creates(request) && answer.ok() {
                answer.edit(|body| {
                    let bare = body["secret"].as_str().unwrap_or_default().trim_start_matches("whsec_").to_owned();
                    body["secret"] = bare.into();
                });
            }
        }),
    },
    Mutant {
        id: "secret_hint_first_four",
        breaks: "WH-F-7",
        says: "shows the first four characters of the secret",
        killed_by: &["WH-F-7"],
        plant: Plant::Answer(|request, answer, _| {
            edit_list(request, answer, |one| one["secretHint"] = "whse".into());
        }),
    },
    Mutant {
        id: "secret_hint_not_updated",
        breaks: "WH-F-7",
        says: "goes on showing the hint of the secret before the rotation",
        killed_by: &["WH-F-7"],
        plant: Plant::Answer(|request, answer, known| {
            edit_list(request, answer, |one| {
                let name = format!("hint of {}", one["webhookId"]);
                match known.noted(&name) {
                    Some(hint) => one["secretHint"] = hint,
                    None => drop(known.note(&name, one["secretHint"].clone())),
                }
            });
        }),
    },
    Mutant {
        id: "disabled_reason_always",
        breaks: "WH-F-8",
        says: "gives auto_failures as the reason of every disabled webhook",
        killed_by: &["WH-F-8"],
        plant: Plant::Answer(|request, answer, _| {
            let reason = |one: &mut Value| {
                if one["enabled"] == false {
                    one["disabledReason"] = "auto_failures".into();
                }
            };
            if changes(request) && answer.ok() {
                answer.edit(reason);
            }
            edit_list(request, answer, reason);
        }),
    },
    Mutant {
        id: "secret_expiry_unix",
        breaks: "WH-F-9",
        says: "writes previousSecretExpiresAt as seconds since 1970",
        killed_by: &["WH-F-9", "WH-RO-1"],
        plant: Plant::Answer(|request, answer, _| {
            if rotates(request) && answer.ok() {
                answer.edit(|body| body["previousSecretExpiresAt"] = 1_800_000_000.into());
            }
        }),
    },
    Mutant {
        id: "secret_expiry_24_minutes",
        breaks: "WH-F-9",
        says: "keeps the secret before for 24 minutes",
        killed_by: &["WH-F-9"],
        plant: Plant::Answer(|request, answer, _| {
            if rotates(request) && answer.ok() {
                answer.edit(|body| {
                    let text = body["previousSecretExpiresAt"].as_str().unwrap_or_default();
                    if let Ok(expiry) = text.parse::<jiff::Timestamp>() {
                        let early = expiry - jiff::SignedDuration::from_secs(24 * 3_600 - 24 * 60);
                        body["previousSecretExpiresAt"] = early.to_string().into();
                    }
                });
            }
        }),
    },
    Mutant {
        id: "secret_expiry_absent",
        breaks: "WH-F-9",
        says: "does not say until when the secret before signs",
        killed_by: &["WH-F-9", "WH-RO-1"],
        plant: Plant::Answer(|request, answer, _| {
            if rotates(request) && answer.ok() {
                answer.edit(|body| {
                    body.as_object_mut().map(|body| body.remove("previousSecretExpiresAt"));
                });
            }
        }),
    },
    Mutant {
        id: "secret_of_the_time",
        breaks: "WH-F-10",
        says: "makes secrets out of the time and a counter",
        killed_by: &["WH-F-10"],
        plant: Plant::Answer(|request, answer, known| {
            if rotates(request) && answer.ok() {
                let count = known.count(webhook_of(request));
                answer.edit(|body| body["secret"] = format!("whsec_20260101T000000Z{count:016}abcdef").into());
            }
        }),
    },
];
