//! Functional flows (§1): what the API is for, from end to end.

use http::Method;
use serde_json::{Value, json};

use crate::check;
use crate::check::{Check, Claim};
use crate::checks::content::run_document;
use crate::checks::public::{file_route, route};
use crate::checks::push::Push;
use crate::cx::{CheckedExchange, Cx, IN_A_ROW};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::profile::Identity;

pub(super) const CHECKS: &[Check] = &[
    check! { id: "FN-1", needs: [Translate], run: register_price_run_poll },
    check! { id: "FN-2", needs: [Translate, Publish], publishes: 1, run: publish_freezes },
    check! { id: "FN-3", needs: [Translate, Publish, Delivery], publishes: 3, run: restore_delivers },
    check! { id: "FN-4", needs: [Documents, ContentTrigger], publishes: 1, run: documents },
    check! { id: "FN-5", needs: [Capture], run: captured_once },
    check! { id: "FN-6", needs: [], run: reads },
];

/// FN-1
async fn register_price_run_poll(cx: Cx) -> CheckResult {
    let push = Push::translate(&cx);
    push.is_new(&cx).await?;
    let preview = push.preview(&cx).await?;
    let estimated = preview["estimatedCredits"].as_i64();
    cx.ensure(estimated.is_some(), "a preview says estimatedCredits", preview["estimatedCredits"].to_string())?;
    let queued = push.call(&cx).send().await?.expect_in(200..=299)?;
    queued.text("/trackingToken")?;
    let last = match cx.end_of_job(cx.lane(), &queued.json()?).await {
        Ok(last) => last,
        Err(Stop::NotRun(NotRun::PrerequisiteFailed(why))) => {
            return Err(Cx::deviation("a job that can be polled and ends within four times the run's patience", why));
        }
        Err(other) => return Err(other),
    };
    let charged = last["creditsCharged"].as_i64();
    let bounded = charged.zip(estimated).is_some_and(|(charged, estimated)| (0..=estimated).contains(&charged));
    cx.ensure(bounded, format!("at most the {estimated:?} of the preview are charged"), format!("{charged:?}"))?;
    push.is_there(&cx).await
}

/// The files of a version, as they are read by their version.
async fn files(cx: &Cx, version: &str) -> Result<Value, Stop> {
    let read = cx.get("/translations").query("version", version).send().await?;
    read.control("GET /translations?version=")?.json()
}

/// FN-2
async fn publish_freezes(cx: Cx) -> CheckResult {
    let push = Push::translate(&cx);
    push.lands(&cx).await?;
    let version = cx.publish().await?.version_id;
    let before = files(&cx, &version).await?;
    let held = push.key.as_ref().is_none_or(|key| before.to_string().contains(key));
    cx.control(held && before.is_object(), "that the version holds the key that was pushed before")?;
    let marker = format!("Changed {}", cx.unique());
    let mut changed = push.clone();
    changed.body["keys"][0]["text"] = json!(marker);
    changed.call(&cx).send().await?.control("POST /translate of another text")?;
    cx.translated().await?;
    let after = files(&cx, &version).await?;
    cx.ensure(!after.to_string().contains(&marker), "a version does not hold what was pushed later", "it does")?;
    cx.equal("the files of the version", &before["files"], &after["files"])?;
    cx.equal("the keys of the version", &before["keyCount"], &after["keyCount"])
}

/// FN-3
async fn restore_delivers(cx: Cx) -> CheckResult {
    Push::translate(&cx).lands(&cx).await?;
    let first = cx.publish().await?.version_id;
    let marker = Push::translate(&cx);
    marker.lands(&cx).await?;
    let second = cx.publish().await?.version_id;
    let path = route(&cx.profile().routes.manifest, cx.lane());
    // A manifest may be kept for a while on its way, and by each of several processes that answer in turn: they all have to
    // agree. `?` stands for processes that do not.
    let live = async || {
        let mut seen = Vec::with_capacity(IN_A_ROW);
        for _ in 0..IN_A_ROW {
            let manifest = cx.at(Method::GET, &path).header("cache-control", "no-cache").send().await?;
            let manifest = manifest.control("GET the manifest")?.json()?;
            seen.push(manifest["versionId"].as_str().unwrap_or_default().to_owned());
        }
        seen.dedup();
        Ok::<_, Stop>(if seen.len() == 1 { seen.remove(0) } else { "?".to_owned() })
    };
    let is = |wanted: &str| {
        let wanted = wanted.to_owned();
        move |seen: &String| *seen == wanted
    };
    cx.eventually("the second version in the manifest", &live, is(&second)).await?;
    cx.restore(&first).await?;
    match cx.eventually("the first version in the manifest", &live, is(&first)).await {
        Err(Stop::NotRun(_)) => {
            return Err(Cx::deviation(format!("the manifest serves the restored {first}"), live().await?));
        }
        other => other?,
    };
    let manifest = cx.at(Method::GET, &path).header("cache-control", "no-cache").send().await?;
    manifest.ensure(manifest.json()?["versionId"] == json!(first), "the manifest of the restored version")?;
    let Some(key) = marker.key else { return Ok(()) };
    let file = manifest.json()?["files"][0]["path"].as_str().map(str::to_owned);
    let Some(file) = file else { return Ok(()) };
    let bundle = |version: &str| file_route(&cx.profile().routes.bundle, cx.lane(), version, &file);
    let restored = async || cx.at(Method::GET, &bundle("live")).header("cache-control", "no-cache").send().await;
    let has_key = |answer: &CheckedExchange| String::from_utf8_lossy(&answer.body).contains(&key);
    let is_restored = |answer: &CheckedExchange| answer.status != 200 || !has_key(answer);
    match cx.eventually("the texts of the restored version", &restored, is_restored).await {
        Err(Stop::NotRun(_)) => {
            let what = "what is delivered are the texts of the restored version";
            restored().await?.ensure(false, what)?;
        }
        other => drop(other?),
    }
    let newer = cx.at(Method::GET, &bundle(&second)).send().await?.control("GET the bundle of the second version")?;
    let text = String::from_utf8_lossy(&newer.body).into_owned();
    cx.control(text.contains(&key), "the second version's bundle has its key")
}

/// FN-4
async fn documents(cx: Cx) -> CheckResult {
    let sent = cx.filled(&cx.profile().bodies.document);
    let made = cx.post("/content").json(&sent).send().await?.control("POST /content")?;
    let document = made.text("/docId")?;
    source_is(&cx, &document, &sent).await?;
    run_document(&cx, &document).await?;
    let languages = cx.get(&format!("/content/{document}")).send().await?.control("GET /content/{docId}")?.json()?;
    let language = languages["languages"][0]["code"].as_str().unwrap_or("de").to_owned();
    let read = async || cx.get(&format!("/content/{document}")).query("language", &language).send().await;
    let draft = read().await?;
    draft.ensure(draft.status == 404, "a translation that is not published is not served (404)")?;
    cx.publish_content().await?;
    let published = read().await?.expect(200)?;
    let body = published.text("/body")?;
    cx.ensure(!body.is_empty(), "the published translation", body.clone())?;
    // A draft that comes later is not served before it is published in its turn.
    let marker = cx.unique();
    let changed = json!({ "body": format!("# {marker}\n\nTwo  blanks, and a line end.\n\n") });
    cx.put(&format!("/content/{document}")).json(&changed).send().await?.control("PUT /content/{docId}")?;
    source_is(&cx, &document, &changed).await?;
    run_document(&cx, &document).await?;
    let after = read().await?.expect(200)?.text("/body")?;
    cx.equal("the published translation", &body, &after)
}

/// Asserts that the source of a document is what was sent, byte for byte.
async fn source_is(cx: &Cx, document: &str, sent: &Value) -> CheckResult {
    let Some(text) = sent["body"].as_str() else { return Ok(()) };
    let read = cx.get(&format!("/content/{document}")).send().await?.control("GET /content/{docId}")?;
    cx.equal("the source of the document, as it was sent", &text, &read.text("/body")?.as_str())
}

/// FN-5
async fn captured_once(cx: Cx) -> CheckResult {
    let body = cx.filled(&cx.profile().bodies.capture);
    let capture = async || cx.post("/capture").json(&body).send().await?.control("POST /capture")?.json();
    let (first, again) = (capture().await?, capture().await?);
    let new = |answer: &Value| answer.pointer("/counts/new").and_then(Value::as_u64);
    cx.ensure(new(&first).is_some_and(|new| new > 0), "the keys are new at first", first["counts"].to_string())?;
    cx.ensure(new(&again) == Some(0), "the same keys are not new again", again["counts"].to_string())?;
    cx.equal("remainingToday", &first["remainingToday"], &again["remainingToday"])
}

/// FN-6
async fn reads(cx: Cx) -> CheckResult {
    let routes =
        [(None, "/meta"), (Some(Claim::CodeChanges), "/pending-code-changes"), (Some(Claim::Documents), "/content")];
    cx.get("/credential").send().await?.control("GET /credential")?;
    let nowhere = cx.get("/no-such-route").send().await?;
    cx.control(nowhere.status == 404, "that an unknown route is told from one that is there")?;
    for (claim, path) in routes {
        if claim.is_some_and(|claim| !cx.claims(claim)) {
            continue;
        }
        cx.case(format!("GET {path}"), async {
            let call = cx.get(path);
            let scoped = cx.claims(Claim::ScopedKeys);
            let answer = if scoped { call.key(Identity::Read)? } else { call }.send().await?.expect_in(200..=299)?;
            answer.ensure(answer.json()?.is_object(), "a JSON object")
        })
        .await?;
    }
    Ok(())
}
