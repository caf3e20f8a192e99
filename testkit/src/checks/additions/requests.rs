//! Requests: ids and keys that callers choose, syncs that keep, and answers that wait.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use super::files::file;
use crate::checks::push::Push;
use crate::checks::routes;
use crate::cx::{Call, CheckedExchange, Cx};
use crate::outcome::{CheckResult, Stop};

const CORRELATION: &str = "x-correlation-id";
const REPLAYED: &str = "idempotency-replayed";

/// ADD-5
pub(super) async fn the_callers_id_is_kept(cx: Cx) -> CheckResult {
    routes::authenticated(&cx).await?;
    let name = cx.unique();
    let with = |call: Call, id: &str| call.header(CORRELATION, id);
    let (short, long) = (format!("kept.{name}_1"), format!("{name}{}", "x".repeat(128 - name.len())));
    let nowhere = cx.get(&format!("/{name}"));
    for (what, call, id) in [
        ("a read", cx.get("/credential"), &short),
        ("128 characters", cx.get("/credential"), &long),
        ("404", nowhere, &format!("{short}.404")),
        ("401", cx.get("/credential").no_key(), &format!("{short}.401")),
        ("a public route", cx.at(Method::GET, &cx.profile().routes.health), &format!("{short}.health")),
    ] {
        cx.case(what, async {
            let answer = with(call, id).send().await?;
            answer.ensure_saw(
                answer.header_text(CORRELATION) == id,
                format!("{CORRELATION}: {id}"),
                answer.header_text(CORRELATION),
            )
        })
        .await?;
    }
    for (what, id) in
        [("129 characters", format!("{long}x")), ("a blank", format!("{name} x")), ("a slash", format!("{name}/x"))]
    {
        cx.case(what, async {
            let answer = with(cx.get("/credential"), &id).send().await?;
            let fresh = answer.header_text(CORRELATION);
            answer.ensure_saw(!fresh.is_empty() && fresh != id, "an id of the deployment's own", fresh)
        })
        .await?;
    }
    Ok(())
}

/// A write with this idempotency key.
async fn write(cx: &Cx, push: &Push, key: &str) -> Result<CheckedExchange, Stop> {
    push.call(cx).header("idempotency-key", key).send().await
}

/// ADD-10
pub(super) async fn a_repeated_answer_says_so(cx: Cx) -> CheckResult {
    let (push, key) = (Push::translate(&cx), cx.unique());
    push.is_new(&cx).await?;
    let first = write(&cx, &push, &key).await?.control("POST /translate with Idempotency-Key")?;
    let marked = first.headers.contains_key(REPLAYED);
    first.ensure(!marked, format!("no {REPLAYED} on the first answer"))?;
    let again = write(&cx, &push, &key).await?.expect(first.status)?;
    again.ensure_saw(again.header_text(REPLAYED) == "true", format!("{REPLAYED}: true"), again.header_text(REPLAYED))
}

/// ADD-11
pub(super) async fn a_key_lets_a_write_run_once(cx: Cx) -> CheckResult {
    let (push, key) = (Push::translate(&cx), cx.unique());
    push.is_new(&cx).await?;
    let first = write(&cx, &push, &key).await?.control("POST /translate with Idempotency-Key")?;
    let again = write(&cx, &push, &key).await?.expect(first.status)?;
    cx.equal("the answer to the second", &first.json()?, &again.json()?)?;
    let other = write(&cx, &push, &cx.unique()).await?.expect_in(200..=299)?;
    let anew = other.json()?["requestId"] != first.json()?["requestId"];
    other.ensure(anew, "another key is another write")?;
    let another_body = Push::translate(&cx);
    write(&cx, &another_body, &key).await?.expect_error(409, "idempotency_conflict")?;
    another_body.has_not_run(&cx).await
}

/// ADD-12
pub(super) async fn a_sync_keeps_what_a_file_lost(cx: Cx) -> CheckResult {
    let name = cx.unique();
    let path = format!("testkit/{name}/en.json");
    let (stays, goes) = (format!("stays.{name}"), format!("goes.{name}"));
    let both = file(&path, &json!({ (stays.as_str()): "Stays", (goes.as_str()): "Goes" }));
    let fewer = file(&path, &json!({ (stays.as_str()): "Stays" }));
    cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&both), "POST /sync").await?;
    let preview = cx.post("/sync").query("dryRun", "true").json(&fewer).send().await?;
    let preview = preview.control("POST /sync?dryRun=true")?.json()?;
    let run = cx.run_to_its_end(cx.lane(), cx.post("/sync").json(&fewer), "POST /sync of fewer keys").await?;
    for (what, answer) in [("a preview", &preview), ("a run", &run.answer)] {
        cx.case(what, async {
            let count = &answer.pointer("/classification/removed").cloned().unwrap_or_default();
            cx.equal("classification.removed", &json!(1), count)?;
            let items = answer["items"].as_array().cloned().unwrap_or_default();
            let removed = |one: &Value| one["class"] == "removed";
            let refs: Vec<_> = items.iter().filter(|one| removed(one)).map(|one| one["ref"].clone()).collect();
            cx.equal("refs of the items that are removed", &vec![json!(goes)], &refs)
        })
        .await?;
    }
    // By its ref an archived key is still read.
    let listed = cx.get("/translations").query("prefix", &goes).send().await?.expect(200)?;
    let keys = listed.json()?["keys"].as_array().cloned().unwrap_or_default();
    let kept = keys.iter().any(|one| one["ref"] == goes.as_str() && one["archived"] != true);
    listed.ensure(kept, "a key that its file holds no more is still among the keys of the project")
}

/// The wait of a long poll.
const WAIT: Duration = Duration::from_secs(2);

/// ADD-14: of an operation that nobody decides.
pub(super) async fn a_long_poll_waits(cx: Cx) -> CheckResult {
    let asked = cx.post("/operations").json(&json!({ "kind": "publish" })).send().await?;
    let id = asked.control("POST /operations")?.text("/operationId")?;
    let read = || cx.get(&format!("/operations/{id}"));
    let at_once = read().send().await?.control("GET /operations/{operationId}")?;
    cx.control(at_once.json()?["status"] == "pending", "an operation that nobody has decided")?;
    let waited = read().query("waitSeconds", &WAIT.as_secs().to_string()).send().await?.expect(200)?;
    waited.ensure(waited.json()?["status"] == "pending", "an operation that nobody has decided")?;
    // Clocks of different machines, and one that goes faster, may differ a little.
    let least = cx.real(WAIT) * 3 / 4;
    waited.ensure_saw(waited.took >= least, format!("an answer after {least:?} or more"), format!("{:?}", waited.took))
}
