//! The envelope of an event, and the data of `strings.published` (§6).

use http::Method;
use serde_json::{Value, json};

use super::edit::{event, event_id};
use crate::mutants::delivery::{RelayAction, Relayed};
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    delivery "event_id_for_each_webhook" breaks "ENV-1": "each webhook gets an event under an id of its own",
        |relayed| {
            event_id(relayed, |relayed| {
                format!("{}{}", relayed.header("x-service-event-id"), relayed.header("x-service-webhook-id"))
            })
        };
    delivery "event_id_unprefixed" breaks "ENV-1": "the id of an event does not begin with evt_",
        |relayed| event_id(relayed, |relayed| relayed.header("x-service-event-id").replace("evt_", ""));
    delivery "event_id_of_the_project" breaks "ENV-1": "all events of a project have one id",
        |relayed| {
            event_id(relayed, |relayed| {
                let event = serde_json::from_slice::<Value>(&relayed.body).unwrap_or_default();
                format!("evt_{}", event["project"]["id"].as_str().unwrap_or_default())
            })
        };
    delivery "event_type_misspelt" breaks "ENV-2": "type is strings_published",
        |relayed| event(relayed, |event, _| event["type"] = "strings_published".into());
    delivery "schema_version_string" breaks "ENV-3" by ["ENV-2"]: "schemaVersion is a string",
        |relayed| event(relayed, |event, _| event["schemaVersion"] = "1".into());
    delivery "schema_version_fraction" breaks "ENV-3" by ["ENV-2"]: "schemaVersion is written 1.0",
        |relayed| event(relayed, |event, _| event["schemaVersion"] = json!(1.0));
    delivery "created_at_in_seconds" breaks "ENV-4" by ["ENV-2"]: "createdAt has no milliseconds",
        |relayed| {
            created_at(relayed, |stem| format!("{}Z", &stem[..19]))
        };
    delivery "created_at_in_microseconds" breaks "ENV-4" by ["ENV-2"]: "createdAt has microseconds",
        |relayed| {
            created_at(relayed, |stem| format!("{stem}000Z"))
        };
    delivery "created_at_with_offset" breaks "ENV-4" by ["ENV-2"]: "createdAt is local time with its offset",
        |relayed| {
            created_at(relayed, |stem| format!("{stem}+01:00"))
        };
    delivery "created_at_unix" breaks "ENV-4" by ["ENV-2"]: "createdAt is a number of seconds",
        |relayed| {
            let t = relayed.timestamp();
            event(relayed, |event, _| event["createdAt"] = json!(t))
        };
    delivery "project_slug_is_name" breaks "ENV-5" by ["ENV-2"]: "project.slug is the name for people",
        |relayed| event(relayed, |event, _| event["project"]["slug"] = "The Project".into());
    delivery "project_handle_is_id" breaks "ENV-5" by ["ENV-2"]: "project.handle is the project's id",
        |relayed| event(relayed, |event, _| event["project"]["handle"] = event["project"]["id"].clone());
    delivery "version_id_is_event_id" breaks "ENV-6": "data.versionId is the event's id",
        |relayed| event(relayed, |event, _| event["data"]["versionId"] = event["id"].clone());
    delivery "label_null" breaks "ENV-7" by ["ENV-2"]: "data.label is null",
        |relayed| event(relayed, |event, _| event["data"]["label"] = Value::Null);
    delivery "key_count_string" breaks "ENV-8" by ["ENV-2"]: "data.keyCount is a string",
        |relayed| event(relayed, |event, _| event["data"]["keyCount"] = "1".into());
    delivery "languages_strings" breaks "ENV-9" by ["ENV-2"]: "data.languages is an array of strings",
        |relayed| {
            event(relayed, |event, _| {
                let languages = event["data"]["languages"].as_array().cloned().unwrap_or_default();
                event["data"]["languages"] = languages.iter().map(|one| one["code"].clone()).collect();
            })
        };
    delivery "languages_all_base" breaks "ENV-9" by ["ENV-2"]: "every language is the base language",
        |relayed| {
            event(relayed, |event, _| {
                let languages = event["data"]["languages"].as_array_mut();
                languages.into_iter().flatten().for_each(|one| one["isBase"] = true.into());
            })
        };
    instead "event_before_the_version" breaks "ENV-10" by ["ENV-6"]:
        "when an event arrives, its version cannot be read yet",
        |request, known| {
            let version = request.query.strip_prefix("version=")?;
            let reads = request.is(&Method::GET, "/translations");
            (reads && known.count(version) == 1).then(|| ApiAnswer::error(404, "version_not_found"))
        };
    delivery "event_rendered_anew" breaks "ENV-11": "createdAt is the time of the attempt",
        |relayed| {
            let attempt = relayed.attempt;
            event(relayed, |event, _| {
                if attempt > 1 {
                    event["createdAt"] = "2030-01-01T00:00:00.000Z".into();
                }
            })
        };
};

/// Writes `createdAt` in another way, out of `2026-11-21T08:00:00.000`.
fn created_at(relayed: &mut Relayed, write: fn(&str) -> String) -> RelayAction {
    event(relayed, |event, _| {
        let stem = event["createdAt"].as_str().and_then(|text| text.get(..23)).map(write);
        event["createdAt"] = stem.into();
    })
}
