//! `content.published`: when it fires, and what it says (§6).

use http::Method;
use serde_json::{Value, json};

use super::edit::event;
use crate::mutants::delivery::{RelayAction, Relayed};
use crate::mutants::exchange::ApiAnswer;
use crate::mutants::mutant::Mutant;

/// Rows of an event at most (§8).
const MOST_ROWS: usize = 200;

pub(super) const MUTANTS: &[Mutant] = mutants! {
    delivery "content_publish_fires_nothing" breaks "EV-3": "content.published is never sent",
        |relayed| {
            if of_content(relayed) { RelayAction::Drop(200) } else { RelayAction::Forward }
        };
    answer "content_publish_always_fires" breaks "EV-4" by ["EV-3"]:
        "a Content publish that moves no document fires content.published",
        |request, answer, known| {
            if request.is(&Method::POST, "/publish") && answer.json()["summary"]["docsPublished"] == 0 {
                known.note(request.project(), true.into());
            }
            let fires = request.is(&Method::GET, "/webhooks/*/deliveries") && known.noted(request.project()).is_some();
            if fires && answer.ok() {
                answer.edit(|body| {
                    let entries = body["deliveries"].as_array_mut().into_iter();
                    entries.for_each(|entries| entries.extend(entries.first().cloned()));
                });
            }
        };
    instead "content_rollback_fires_nothing" breaks "EV-5": "a document is rolled back without an event",
        |request, _| {
            let restores = request.is(&Method::POST, "/versions/*/restore") && request.path.contains("/cvr_");
            restores.then(|| ApiAnswer::new(200, &json!({ "publishId": "pub_planted", "restored": true })))
        };
    delivery "content_without_publish_id" breaks "CP-1": "data has no publishId",
        |relayed| {
            data(relayed, |data| drop(data.as_object_mut().map(|data| data.remove("publishId"))))
        };
    delivery "content_publish_id_of_its_own" breaks "CP-1": "publishId is another one than the log's",
        |relayed| data(relayed, |data| data["publishId"] = "pub_another".into());
    delivery "content_counts_of_none_left_out" breaks "CP-2" by ["CP-1"]: "the summary leaves out what is 0",
        |relayed| {
            data(relayed, |data| {
                if let Some(summary) = data["summary"].as_object_mut() {
                    summary.retain(|_, count| *count != 0);
                }
            })
        };
    delivery "content_counts_in_strings" breaks "CP-2" by ["CP-1"]: "the summary's counts are strings",
        |relayed| {
            data(relayed, |data| {
                for count in data["summary"].as_object_mut().into_iter().flat_map(|summary| summary.values_mut()) {
                    *count = count.to_string().into();
                }
            })
        };
    delivery "content_rows_201" breaks "CP-3": "201 documents are 201 rows",
        |relayed| {
            data(relayed, |data| {
                if data["truncated"] == true
                    && let Some(rows) = data["documents"].as_array_mut()
                {
                    rows.push(json!({ "docId": "doc_planted", "action": "skipped", "versionId": "cvr_planted" }));
                }
            })
        };
    delivery "content_rows_100" breaks "CP-3": "100 rows are listed at most",
        |relayed| {
            data(relayed, |data| {
                let rows = data["documents"].as_array_mut();
                rows.into_iter().for_each(|rows| rows.truncate(100));
            })
        };
    delivery "content_row_is_a_version" breaks "CP-4" by ["CP-1"]: "a row has no action",
        |relayed| {
            rows(relayed, |row| drop(row.as_object_mut().map(|row| row.remove("action"))))
        };
    delivery "content_action_live" breaks "CP-4" by ["CP-1"]: "the action of a document that was published is `live`",
        |relayed| rows(relayed, |row| row["action"] = "live".into());
    delivery "content_version_id_null" breaks "CP-4" by ["CP-1"]: "the versionId of a row is null",
        |relayed| rows(relayed, |row| row["versionId"] = Value::Null);
    delivery "external_id_null" breaks "CP-5" by ["CP-1"]: "externalId is null where there is none",
        |relayed| {
            rows(relayed, |row| {
                if row.get("externalId").is_none() {
                    row["externalId"] = Value::Null;
                }
            })
        };
    delivery "truncated_at_200" breaks "CP-6" by ["CP-3"]: "truncated is true at 200 rows",
        |relayed| {
            data(relayed, |data| {
                if data["documents"].as_array().is_some_and(|rows| rows.len() == MOST_ROWS) {
                    data["truncated"] = true.into();
                }
            })
        };
    delivery "never_truncated" breaks "CP-6" by ["CP-3"]: "truncated is always false",
        |relayed| data(relayed, |data| data["truncated"] = false.into());
    answer "published_documents_are_gone" breaks "CP-7" by ["CP-1"]:
        "a document that is published can no longer be read",
        |request, answer, _| {
            if request.is(&Method::GET, "/content/*") && answer.ok() && answer.json()["live"].is_object() {
                *answer = ApiAnswer::error(404, "not_found");
            }
        };
    delivery "content_project_is_its_id" breaks "CP-8": "the project of content.published is its id",
        |relayed| content(relayed, |event| event["project"] = event["project"]["id"].clone());
    delivery "content_schema_version_2" breaks "CP-8": "the schemaVersion of content.published is 2",
        |relayed| content(relayed, |event| event["schemaVersion"] = json!(2));
    answer "documents_listed_up_to_200" breaks "CP-9" by ["CP-3"]:
        "GET /content lists 200 documents and no further page",
        |request, answer, known| {
            if !request.is(&Method::GET, "/content") || !answer.ok() {
                return;
            }
            // How many documents came before the page of a cursor.
            let cursor = request.query.split('&').find_map(|pair| pair.strip_prefix("cursor="));
            let before = cursor.and_then(|cursor| known.noted(cursor)?.as_u64()).unwrap_or(0);
            answer.edit(|body| {
                let rows = body["documents"].as_array().map_or(0, Vec::len) as u64;
                if before + rows >= MOST_ROWS as u64 {
                    body["nextCursor"] = Value::Null;
                } else if let Some(next) = body["nextCursor"].as_str() {
                    let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
                    known.note(&next, json!(before + rows));
                }
            });
        };
};

fn of_content(relayed: &Relayed) -> bool {
    let event: Value = serde_json::from_slice(&relayed.body).unwrap_or_default();
    event["type"] == "content.published"
}

/// Changes an event `content.published`.
fn content(relayed: &mut Relayed, change: impl FnOnce(&mut Value)) -> RelayAction {
    if of_content(relayed) { event(relayed, |event, _| change(event)) } else { RelayAction::Forward }
}

/// Changes its data.
fn data(relayed: &mut Relayed, change: impl FnOnce(&mut Value)) -> RelayAction {
    content(relayed, |event| change(&mut event["data"]))
}

/// Changes each of its rows.
fn rows(relayed: &mut Relayed, change: impl Fn(&mut Value)) -> RelayAction {
    data(relayed, |data| data["documents"].as_array_mut().into_iter().flatten().for_each(change))
}
