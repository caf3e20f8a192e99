//! `content.published`: when it fires, and what it says (§6).

use http::Method;
use serde_json::{Value, json};

use super::edit::{event, planted};
use crate::mutants::{ApiAnswer, Fate, Mutant, Plant, Relayed};

/// Rows of an event at most (§8).
const MOST_ROWS: usize = 200;

pub(super) const MUTANTS: &[Mutant] = &[
    planted("content_publish_fires_nothing", "EV-3", "content.published is never sent", &["EV-3"], |relayed| {
        if of_content(relayed) { Fate::Swallow(200) } else { Fate::Forward }
    }),
    Mutant {
        id: "content_publish_always_fires",
        breaks: "EV-4",
        says: "a Content publish that moves no document fires content.published",
        killed_by: &["EV-3"],
        plant: Plant::Server,
    },
    Mutant {
        id: "content_rollback_fires_nothing",
        breaks: "EV-5",
        says: "a document is rolled back without an event",
        killed_by: &["EV-5"],
        plant: Plant::Server,
    },
    planted("content_without_publish_id", "CP-1", "data has no publishId", &["CP-1"], |relayed| {
        data(relayed, |data| {
            data.as_object_mut().map(|data| data.remove("publishId"));
        })
    }),
    planted("content_publish_id_of_its_own", "CP-1", "publishId is another one than the log's", &["CP-1"], |relayed| {
        data(relayed, |data| data["publishId"] = "pub_another".into())
    }),
    planted("content_counts_of_none_left_out", "CP-2", "the summary leaves out what is 0", &["CP-1"], |relayed| {
        data(relayed, |data| {
            if let Some(summary) = data["summary"].as_object_mut() {
                summary.retain(|_, count| *count != 0);
            }
        })
    }),
    planted("content_counts_in_strings", "CP-2", "the summary's counts are strings", &["CP-1"], |relayed| {
        data(relayed, |data| {
            for count in data["summary"].as_object_mut().into_iter().flat_map(|summary| summary.values_mut()) {
                *count = count.to_string().into();
            }
        })
    }),
    planted("content_rows_201", "CP-3", "201 documents are 201 rows", &["CP-3"], |relayed| {
        data(relayed, |data| {
            if data["truncated"] == true
                && let Some(rows) = data["documents"].as_array_mut()
            {
                rows.push(json!({ "docId": "doc_planted", "action": "skipped", "versionId": "cvr_planted" }));
            }
        })
    }),
    planted("content_rows_100", "CP-3", "100 rows are listed at most", &["CP-3"], |relayed| {
        data(relayed, |data| {
            let rows = data["documents"].as_array_mut();
            rows.into_iter().for_each(|rows| rows.truncate(100));
        })
    }),
    planted("content_row_is_a_version", "CP-4", "a row has no action", &["CP-1"], |relayed| {
        rows(relayed, |row| {
            row.as_object_mut().map(|row| row.remove("action"));
        })
    }),
    planted(
        "content_action_live",
        "CP-4",
        "the action of a document that was published is `live`",
        &["CP-1"],
        |relayed| rows(relayed, |row| row["action"] = "live".into()),
    ),
    planted("content_version_id_null", "CP-4", "the versionId of a row is null", &["CP-1"], |relayed| {
        rows(relayed, |row| row["versionId"] = Value::Null)
    }),
    planted("external_id_null", "CP-5", "externalId is null where there is none", &["CP-1"], |relayed| {
        rows(relayed, |row| {
            if row.get("externalId").is_none() {
                row["externalId"] = Value::Null;
            }
        })
    }),
    planted("truncated_at_200", "CP-6", "truncated is true at 200 rows", &["CP-3"], |relayed| {
        data(relayed, |data| {
            if data["documents"].as_array().is_some_and(|rows| rows.len() == MOST_ROWS) {
                data["truncated"] = true.into();
            }
        })
    }),
    planted("never_truncated", "CP-6", "truncated is always false", &["CP-3"], |relayed| {
        data(relayed, |data| data["truncated"] = false.into())
    }),
    Mutant {
        id: "published_documents_are_gone",
        breaks: "CP-7",
        says: "a document that is published can no longer be read",
        killed_by: &["CP-1"],
        plant: Plant::Answer(|request, answer, _| {
            if request.is(&Method::GET, "/content/*") && answer.ok() && answer.json()["live"].is_object() {
                *answer = ApiAnswer::error(404, "not_found");
            }
        }),
    },
    planted("content_project_is_its_id", "CP-8", "the project of content.published is its id", &["CP-8"], |relayed| {
        content(relayed, |event| event["project"] = event["project"]["id"].clone())
    }),
    planted("content_schema_version_2", "CP-8", "the schemaVersion of content.published is 2", &["CP-8"], |relayed| {
        content(relayed, |event| event["schemaVersion"] = json!(2))
    }),
    Mutant {
        id: "documents_listed_up_to_200",
        breaks: "CP-9",
        says: "GET /content lists 200 documents and no further page",
        killed_by: &["CP-3"],
        plant: Plant::Answer(|request, answer, known| {
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
        }),
    },
];

fn of_content(relayed: &Relayed) -> bool {
    let event: Value = serde_json::from_slice(&relayed.body).unwrap_or_default();
    event["type"] == "content.published"
}

/// Changes an event `content.published`.
fn content(relayed: &mut Relayed, change: impl FnOnce(&mut Value)) -> Fate {
    if of_content(relayed) { event(relayed, |event, _| change(event)) } else { Fate::Forward }
}

/// Changes its data.
fn data(relayed: &mut Relayed, change: impl FnOnce(&mut Value)) -> Fate {
    content(relayed, |event| change(&mut event["data"]))
}

/// Changes each of its rows.
fn rows(relayed: &mut Relayed, change: impl Fn(&mut Value)) -> Fate {
    data(relayed, |data| data["documents"].as_array_mut().into_iter().flatten().for_each(change))
}
