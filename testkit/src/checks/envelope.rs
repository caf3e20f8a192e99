//! The envelope of an event, and the data of `strings.published` (§6).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::arrival::{event, event_id, is_timestamp, millis};
use crate::check;
use crate::check::{Check, Claim};
use crate::cx::Cx;
use crate::outcome::CheckResult;
use crate::profile::Identity;
use crate::receiver::{Answer, Gate};

pub(super) const CHECKS: &[Check] = &[
    check! { id: "ENV-1", needs: [Webhooks, Receiver, Publish], slots: 2, publishes: 2, run: each_event_has_one_id },
    check! {
        id: "ENV-2", covers: ["ENV-2", "ENV-3", "ENV-4", "ENV-5", "ENV-7", "ENV-8", "ENV-9"],
        needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: fields
    },
    check! {
        id: "ENV-6", covers: ["ENV-6", "ENV-10"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1,
        run: the_version_is_there
    },
    check! {
        id: "ENV-11", covers: ["ENV-11", "ENV-12"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1,
        run: the_bytes_stay
    },
];

async fn each_event_has_one_id(cx: Cx) -> CheckResult {
    let (one, other) = (cx.endpoint()?, cx.endpoint()?);
    cx.webhook(&one, &[]).await?;
    cx.webhook(&other, &[]).await?;
    let mut seen = BTreeSet::new();
    for count in 1..=2 {
        cx.publish().await?;
        let new = |all: &[crate::receiver::Delivery]| all.iter().map(event_id).find(|id| !seen.contains(id));
        let here = one.wait_to_find("a further event", new).await?;
        let there = other.wait_to_find("a further event", new).await?;
        cx.ensure(here.starts_with("evt_"), "an id that begins with evt_", here.clone())?;
        cx.equal("the id of one event at another webhook", &here, &there)?;
        seen.insert(here);
        cx.equal("ids of events", &count, &seen.len())?;
    }
    Ok(())
}

async fn fields(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    let event = event(&endpoint.wait_for(1).await?[0]);
    let now = cx.now();
    let data = &event["data"];
    cx.case("ENV-2", async { cx.equal("type", &json!("strings.published"), &event["type"]) }).await?;
    cx.case("ENV-3", async {
        let version = &event["schemaVersion"];
        cx.ensure(version.as_u64() == Some(1), "schemaVersion is the integer 1", version.to_string())
    })
    .await?;
    cx.case("ENV-4", async {
        let created = event["createdAt"].as_str().unwrap_or_default();
        cx.ensure(
            is_timestamp(created),
            "createdAt in ISO 8601 with milliseconds, in UTC",
            event["createdAt"].to_string(),
        )?;
        let off = millis(created).map_or(i64::MAX, |at| (at - now).abs());
        cx.ensure(off <= 60_000, "createdAt within 60 s of the publish", format!("{off} ms away"))
    })
    .await?;
    cx.case("ENV-5", async {
        let lane = cx.lane();
        let mine = json!({ "id": lane.id, "handle": lane.handle, "slug": lane.slug });
        for name in ["id", "handle", "slug"] {
            cx.equal(&format!("project.{name}"), &mine[name], &event["project"][name])?;
        }
        Ok(())
    })
    .await?;
    cx.case("ENV-7", async {
        cx.ensure(data["label"].is_string(), "data.label is a string", data["label"].to_string())
    })
    .await?;
    cx.case("ENV-8", async {
        cx.ensure(data["keyCount"].is_u64(), "data.keyCount is an integer, not negative", data["keyCount"].to_string())
    })
    .await?;
    cx.case("ENV-9", async {
        let languages = data["languages"].as_array().cloned().unwrap_or_default();
        let whole = |one: &Value| one["code"].is_string() && one["isBase"].is_boolean();
        let shape = !languages.is_empty() && languages.iter().all(whole);
        cx.ensure(
            shape,
            "data.languages is an array of {code: string, isBase: boolean}",
            data["languages"].to_string(),
        )?;
        let bases = languages.iter().filter(|one| one["isBase"] == true).count();
        cx.equal("base languages", &1, &bases)
    })
    .await
}

async fn the_version_is_there(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    // Read while the first delivery is being answered: as early as anyone can.
    let gate = Gate::closed();
    endpoint.answer(Answer::ok().held(&gate));
    cx.before_an_attempt().await;
    cx.publish().await?;
    let event = event(&endpoint.wait_for(1).await?[0]);
    let version = event["data"]["versionId"].as_str().unwrap_or_default();
    cx.ensure(!version.is_empty(), "data.versionId is a string", event["data"]["versionId"].to_string())?;
    let mut read = cx.get("/translations").query("version", version);
    if cx.claims(Claim::ScopedKeys) {
        read = read.key(Identity::Read)?;
    }
    let answer = read.send().await;
    gate.open();
    let answer = answer?.expect(200)?;
    answer.json()?;
    webhook.newest("status delivered", |entry| entry["status"] == "delivered").await?;
    Ok(())
}

async fn the_bytes_stay(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    let webhook = cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    endpoint.wait_for(1).await?;
    let entry = webhook.newest("status delivered", |entry| entry["status"] == "delivered").await?;
    webhook.resend(&entry).await?;
    let deliveries = endpoint.wait_for(2).await?;
    cx.case("ENV-11", async {
        let same = deliveries[0].body == deliveries[1].body;
        let seen = format!("{:?} and {:?}", deliveries[0].body, deliveries[1].body);
        cx.ensure(same, "the same bytes when it is sent again", seen)
    })
    .await?;
    cx.case("ENV-12", async {
        type Strings = l10n_api_types::events::Envelope<l10n_api_types::events::StringsPublished>;
        let mut grown = event(&deliveries[0]);
        for part in ["", "/project", "/data", "/data/languages/0"] {
            if let Some(part) = grown.pointer_mut(part) {
                part["addedLater"] = json!({ "a": [1] });
            }
        }
        let read = serde_json::from_value::<Strings>(grown).map(|read| json!(read)["id"].clone());
        let read = read.map_err(|error| error.to_string());
        let id = event(&deliveries[0])["id"].clone();
        cx.equal("the id that a client reads out of an event with fields that it does not know", &Ok(id), &read)
    })
    .await
}
