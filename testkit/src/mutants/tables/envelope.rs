//! The envelope of an event, and the data of `strings.published` (§6).

use http::Method;
use serde_json::{Value, json};

use super::edit::{event, event_id, planted};
use crate::mutants::{ApiAnswer, Fate, Mutant, Plant, Relayed};

pub(super) const MUTANTS: &[Mutant] = &[
    planted(
        "event_id_for_each_webhook",
        "ENV-1",
        "each webhook gets an event under an id of its own",
        &["ENV-1"],
        |relayed| {
            event_id(relayed, |relayed| {
                format!("{}{}", relayed.header("x-service-event-id"), relayed.header("x-service-webhook-id"))
            })
        },
    ),
    planted("event_id_unprefixed", "ENV-1", "the id of an event does not begin with evt_", &["ENV-1"], |relayed| {
        event_id(relayed, |relayed| relayed.header("x-service-event-id").replace("evt_", ""))
    }),
    planted("event_id_of_the_project", "ENV-1", "all events of a project have one id", &["ENV-1"], |relayed| {
        event_id(relayed, |relayed| {
            let event = serde_json::from_slice::<Value>(&relayed.body).unwrap_or_default();
            format!("evt_{}", event["project"]["id"].as_str().unwrap_or_default())
        })
    }),
    planted("event_type_misspelt", "ENV-2", "type is strings_published", &["ENV-2"], |relayed| {
        event(relayed, |event, _| event["type"] = "strings_published".into())
    }),
    planted("schema_version_string", "ENV-3", "schemaVersion is a string", &["ENV-2"], |relayed| {
        event(relayed, |event, _| event["schemaVersion"] = "1".into())
    }),
    planted("schema_version_fraction", "ENV-3", "schemaVersion is written 1.0", &["ENV-2"], |relayed| {
        event(relayed, |event, _| event["schemaVersion"] = json!(1.0))
    }),
    planted("created_at_in_seconds", "ENV-4", "createdAt has no milliseconds", &["ENV-2"], |relayed| {
        created_at(relayed, |stem| format!("{}Z", &stem[..19]))
    }),
    planted("created_at_in_microseconds", "ENV-4", "createdAt has microseconds", &["ENV-2"], |relayed| {
        created_at(relayed, |stem| format!("{stem}000Z"))
    }),
    planted("created_at_with_offset", "ENV-4", "createdAt is local time with its offset", &["ENV-2"], |relayed| {
        created_at(relayed, |stem| format!("{stem}+01:00"))
    }),
    planted("created_at_unix", "ENV-4", "createdAt is a number of seconds", &["ENV-2"], |relayed| {
        let t = relayed.timestamp();
        event(relayed, |event, _| event["createdAt"] = json!(t))
    }),
    planted("project_slug_is_name", "ENV-5", "project.slug is the name for people", &["ENV-2"], |relayed| {
        event(relayed, |event, _| event["project"]["slug"] = "The Project".into())
    }),
    planted("project_handle_is_id", "ENV-5", "project.handle is the project's id", &["ENV-2"], |relayed| {
        event(relayed, |event, _| event["project"]["handle"] = event["project"]["id"].clone())
    }),
    planted("version_id_is_event_id", "ENV-6", "data.versionId is the event's id", &["ENV-6"], |relayed| {
        event(relayed, |event, _| event["data"]["versionId"] = event["id"].clone())
    }),
    planted("label_null", "ENV-7", "data.label is null", &["ENV-2"], |relayed| {
        event(relayed, |event, _| event["data"]["label"] = Value::Null)
    }),
    planted("key_count_string", "ENV-8", "data.keyCount is a string", &["ENV-2"], |relayed| {
        event(relayed, |event, _| event["data"]["keyCount"] = "1".into())
    }),
    planted("languages_strings", "ENV-9", "data.languages is an array of strings", &["ENV-2"], |relayed| {
        event(relayed, |event, _| {
            let languages = event["data"]["languages"].as_array().cloned().unwrap_or_default();
            event["data"]["languages"] = languages.iter().map(|one| one["code"].clone()).collect();
        })
    }),
    planted("languages_all_base", "ENV-9", "every language is the base language", &["ENV-2"], |relayed| {
        event(relayed, |event, _| {
            let languages = event["data"]["languages"].as_array_mut();
            languages.into_iter().flatten().for_each(|one| one["isBase"] = true.into());
        })
    }),
    Mutant {
        id: "event_before_the_version",
        breaks: "ENV-10",
        says: "when an event arrives, its version cannot be read yet",
        killed_by: &["ENV-6"],
        plant: Plant::Instead(|request, known| {
            let version = request.query.strip_prefix("version=")?;
            let reads = request.is(&Method::GET, "/translations");
            (reads && known.count(version) == 1).then(|| ApiAnswer::error(404, "version_not_found"))
        }),
    },
    planted("event_rendered_anew", "ENV-11", "createdAt is the time of the attempt", &["ENV-11"], |relayed| {
        let attempt = relayed.attempt;
        event(relayed, |event, _| {
            if attempt > 1 {
                event["createdAt"] = "2030-01-01T00:00:00.000Z".into();
            }
        })
    }),
];

/// Writes `createdAt` in another way, out of `2026-11-21T08:00:00.000`.
fn created_at(relayed: &mut Relayed, write: fn(&str) -> String) -> Fate {
    event(relayed, |event, _| {
        let stem = event["createdAt"].as_str().and_then(|text| text.get(..23)).map(write);
        event["createdAt"] = stem.into();
    })
}
