//! `content.published`: when it fires and what it says (§6). The specification does not show what publishes Content:
//! `POST /publish` with a body of the profile, or a command.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::arrival::{event, is_timestamp};
use super::content::{a_document, run_document};
use crate::check;
use crate::check::Check;
use crate::cx::{Cx, Endpoint, Webhook};
use crate::outcome::{CheckResult, Stop};
use crate::receiver::Delivery;

pub(super) const CHECKS: &[Check] = &[
    check! {
        id: "EV-3", covers: ["EV-3", "EV-4"], needs: [Webhooks, Receiver, Documents, ContentTrigger], slots: 1,
        publishes: 3, run: a_publish_that_moves_documents
    },
    check! { id: "EV-5", needs: [Webhooks, Receiver, Publish, Documents, ContentTrigger], slots: 1, publishes: 3, run: a_rollback },
    check! {
        id: "CP-1", covers: ["CP-1", "CP-2", "CP-4", "CP-5", "CP-7"],
        needs: [Webhooks, Receiver, Documents, ContentTrigger], slots: 1, publishes: 1, run: data
    },
    check! {
        id: "CP-3", covers: ["CP-3", "CP-6", "CP-9"], needs: [Webhooks, Receiver, Documents, ContentTrigger], slots: 1,
        publishes: 2, waits: 150, run: more_rows_than_fit
    },
    check! { id: "CP-8", needs: [Webhooks, Receiver, Documents, ContentTrigger], slots: 1, publishes: 1, run: the_envelope },
];

/// Rows of an event at most (§8).
const MOST_ROWS: usize = 200;

const COUNTS: [&str; 5] = ["docsPublished", "docsHeld", "docsUnchanged", "docsSkipped", "docsTooLarge"];

/// A webhook that hears of Content, and the events that it has seen.
struct Listening {
    endpoint: Endpoint,
    webhook: Webhook,
    known: BTreeSet<String>,
}

impl Listening {
    async fn begin(cx: &Cx) -> Result<Self, Stop> {
        let endpoint = cx.endpoint()?;
        let webhook = cx.webhook(&endpoint, &["content.published"]).await?;
        Ok(Self { endpoint, webhook, known: BTreeSet::new() })
    }

    /// The event after those that it has returned.
    async fn next(&mut self) -> Result<Value, Stop> {
        let id = |event: &Value| event["id"].as_str().unwrap_or_default().to_owned();
        let new = |all: &[Delivery]| all.iter().map(event).find(|event| !self.known.contains(&id(event)));
        let found = self.endpoint.wait_to_find("a further event", new).await?;
        self.known.insert(id(&found));
        Ok(found)
    }
}

/// A document whose translations wait to be published.
async fn translated(cx: &Cx) -> Result<String, Stop> {
    let document = a_document(cx).await?;
    run_document(cx, &document).await?;
    Ok(document)
}

fn row<'a>(event: &'a Value, document: &str) -> Option<&'a Value> {
    event["data"]["documents"].as_array()?.iter().find(|row| row["docId"] == document)
}

/// Returns true if there were more documents than the event lists: any of them may be missing.
fn is_cut(event: &Value) -> bool {
    event["data"]["truncated"] == true
}

fn ensure_moved(cx: &Cx, event: &Value, document: &str) -> CheckResult {
    cx.equal("type", &json!("content.published"), &event["type"])?;
    let action = row(event, document).map(|row| row["action"].clone());
    if action.is_none() && is_cut(event) {
        let moved = &event["data"]["summary"]["docsPublished"];
        return cx.ensure(moved.as_u64() > Some(0), "a document was published", moved.to_string());
    }
    cx.equal(&format!("action of {document}"), &Some(json!("published")), &action)
}

async fn a_publish_that_moves_documents(cx: Cx) -> CheckResult {
    let mut listening = Listening::begin(&cx).await?;
    let first = translated(&cx).await?;
    cx.publish_content().await?;
    cx.case("EV-3", async { ensure_moved(&cx, &listening.next().await?, &first) }).await?;
    cx.publish_content().await?;
    let second = translated(&cx).await?;
    cx.publish_content().await?;
    cx.case("EV-4", async {
        // What the publish between them had fired would come before it.
        ensure_moved(&cx, &listening.next().await?, &second)?;
        cx.equal("deliveries in the log", &2, &listening.webhook.log().await?.len())
    })
    .await
}

async fn a_rollback(cx: Cx) -> CheckResult {
    let mut listening = Listening::begin(&cx).await?;
    let document = translated(&cx).await?;
    cx.publish_content().await?;
    let first = listening.next().await?;
    let earlier = match row(&first, &document) {
        Some(row) => row["versionId"].clone(),
        None => cx.get(&format!("/content/{document}")).send().await?.control("GET /content/{docId}")?.json()?["live"]
            ["versionId"]
            .clone(),
    };
    let earlier = earlier.as_str().unwrap_or_default().to_owned();
    cx.control(!earlier.is_empty(), "the version of a document that is published")?;
    let mut body = cx.filled(&cx.profile().bodies.document);
    if let Some(body) = body.as_object_mut() {
        body.retain(|name, _| matches!(name.as_str(), "body" | "title"));
    }
    cx.put(&format!("/content/{document}")).json(&body).send().await?.control("PUT /content/{docId}")?;
    run_document(&cx, &document).await?;
    cx.publish_content().await?;
    listening.next().await?;
    cx.restore(&earlier).await?;
    let event = listening.next().await?;
    cx.equal("type", &json!("content.published"), &event["type"])?;
    cx.ensure(
        row(&event, &document).is_some() || is_cut(&event),
        "the document that was rolled back",
        event["data"]["documents"].to_string(),
    )
}

async fn data(cx: Cx) -> CheckResult {
    let mut listening = Listening::begin(&cx).await?;
    let plain = translated(&cx).await?;
    cx.publish_content().await?;
    let event = listening.next().await?;
    let data = &event["data"];
    cx.case("CP-1", async {
        let id = &data["publishId"];
        cx.ensure(id.as_str().is_some_and(|id| !id.is_empty()), "data.publishId is a string", id.to_string())?;
        let entry = listening.webhook.newest("a delivery", |entry| !entry.is_null()).await?;
        cx.equal("publishId in the log", id, &entry["publishId"])
    })
    .await?;
    cx.case("CP-2", async {
        let whole = COUNTS.iter().all(|name| data["summary"][name].is_u64());
        cx.ensure(whole, format!("data.summary with the integers {COUNTS:?}"), data["summary"].to_string())
    })
    .await?;
    let rows = data["documents"].as_array().cloned().unwrap_or_default();
    cx.case("CP-4", async {
        let whole = |row: &Value| {
            let action = matches!(row["action"].as_str(), Some("published" | "held" | "unchanged" | "skipped"));
            action && row["docId"].is_string() && row["versionId"].is_string()
        };
        let odd = rows.iter().find(|row| !whole(row));
        cx.ensure(!rows.is_empty() && odd.is_none(), "rows {docId, action, versionId, externalId?}", format!("{odd:?}"))
    })
    .await?;
    cx.case("CP-5", async {
        let odd = rows.iter().find(|row| row.get("externalId").is_some_and(|id| !id.is_string()));
        cx.ensure(odd.is_none(), "externalId is a string, or left out", format!("{odd:?}"))?;
        let mine = match row(&event, &plain) {
            None if is_cut(&event) => return Ok(()),
            mine => mine.unwrap_or(&Value::Null),
        };
        cx.ensure(
            mine.is_object() && mine.get("externalId").is_none(),
            "no externalId where there is none",
            mine.to_string(),
        )
    })
    .await?;
    cx.case("CP-7", async {
        for row in rows.iter().filter(|row| row["action"] == "published").take(3) {
            let id = row["docId"].as_str().unwrap_or_default();
            cx.get(&format!("/content/{id}")).send().await?.expect(200)?;
        }
        Ok(())
    })
    .await
}

/// The ids of all documents of the project.
async fn listed(cx: &Cx) -> Result<BTreeSet<String>, Stop> {
    let mut ids = BTreeSet::new();
    let mut cursor: Option<String> = None;
    loop {
        let call = cx.get("/content");
        let call = match &cursor {
            Some(cursor) => call.query("cursor", cursor),
            None => call,
        };
        let page = call.send().await?.control("GET /content")?.json()?;
        let before = ids.len();
        let rows = page["documents"].as_array().cloned().unwrap_or_default();
        ids.extend(rows.iter().filter_map(|row| row["docId"].as_str().map(str::to_owned)));
        cursor = page["nextCursor"].as_str().map(str::to_owned);
        if cursor.is_none() || ids.len() == before {
            return Ok(ids);
        }
    }
}

/// Asserts that an event lists as many rows as fit, and says whether there were more.
fn ensure_truncated_rightly(cx: &Cx, event: &Value) -> Result<BTreeSet<String>, Stop> {
    let data = &event["data"];
    let rows = data["documents"].as_array().cloned().unwrap_or_default();
    // A document that is too large is held.
    let all: u64 = COUNTS[..4].iter().filter_map(|name| data["summary"][name].as_u64()).sum();
    let all = usize::try_from(all).unwrap_or(usize::MAX);
    cx.ensure(rows.len() <= MOST_ROWS, "at most 200 rows", format!("{} rows", rows.len()))?;
    cx.equal("rows of the event", &all.min(MOST_ROWS), &rows.len())?;
    cx.equal("truncated", &json!(all > MOST_ROWS), &data["truncated"])?;
    Ok(rows.iter().filter_map(|row| row["docId"].as_str().map(str::to_owned)).collect())
}

async fn more_rows_than_fit(cx: Cx) -> CheckResult {
    let mut listening = Listening::begin(&cx).await?;
    // One document that moves, and so many that a publish has 200 rows: those that have no translation are skipped.
    translated(&cx).await?;
    let lacking = MOST_ROWS.saturating_sub(listed(&cx).await?.len());
    let document = || cx.filled(&cx.profile().bodies.document);
    for made in cx.many(lacking, |_| cx.post("/content").json(&document())).await? {
        made.control("POST /content")?;
    }
    if cx.moves_time() {
        cx.pass(Duration::from_secs(61)).await?;
    }
    cx.publish_content().await?;
    cx.case("as many rows as fit", async {
        ensure_truncated_rightly(&cx, &listening.next().await?)?;
        Ok(())
    })
    .await?;
    translated(&cx).await?;
    cx.publish_content().await?;
    cx.case("one more", async {
        let rows = ensure_truncated_rightly(&cx, &listening.next().await?)?;
        let all = listed(&cx).await?;
        let seen = format!("{} documents listed, {} rows", all.len(), rows.len());
        cx.ensure(all.is_superset(&rows) && all.len() > rows.len(), "GET /content lists what the event does not", seen)
    })
    .await
}

async fn the_envelope(cx: Cx) -> CheckResult {
    let mut listening = Listening::begin(&cx).await?;
    translated(&cx).await?;
    cx.publish_content().await?;
    let event = listening.next().await?;
    let id = event["id"].as_str().unwrap_or_default();
    cx.ensure(id.starts_with("evt_"), "an id that begins with evt_", event["id"].to_string())?;
    cx.equal("type", &json!("content.published"), &event["type"])?;
    cx.equal("schemaVersion", &json!(1), &event["schemaVersion"])?;
    let created = event["createdAt"].as_str().unwrap_or_default();
    cx.ensure(
        is_timestamp(created),
        "createdAt in ISO 8601 with milliseconds, in UTC",
        event["createdAt"].to_string(),
    )?;
    let lane = cx.lane();
    let mine = json!({ "id": lane.id, "handle": lane.handle, "slug": lane.slug });
    for name in ["id", "handle", "slug"] {
        cx.equal(&format!("project.{name}"), &mine[name], &event["project"][name])?;
    }
    Ok(())
}
