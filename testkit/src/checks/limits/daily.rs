//! Daily budgets. Each check uses up the budgets of a project `burn`, on a new day where the deployment's clock can be moved.
//! Elsewhere a second run on one day finds them used up, wholly or partly, and says so.

use std::time::Duration;

use http::Method;
use serde_json::{Value, json};

use crate::cx::{Call, CheckedExchange, Cx};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::profile::{Identity, Project};

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;

/// Sees to it that this much of the day (UTC) is left by the deployment's clock, so that no budget is renewed meanwhile.
/// A new day begins, of which nobody has used anything, if the clock can be moved.
async fn a_day_that_lasts(cx: &Cx, time: Duration) -> CheckResult {
    let left = DAY - cx.now().rem_euclid(DAY);
    let left = Duration::from_millis(left.unsigned_abs());
    if left > time && !cx.moves_time() {
        return Ok(());
    }
    cx.pass(left + Duration::from_secs(60)).await
}

/// Returns an error if a refusal after so many says nothing of the limit: where no new day can be begun, an earlier run may
/// have used a part of this one.
fn not_by_others(cx: &Cx, what: &str, accepted: usize, limit: usize) -> CheckResult {
    if accepted >= limit || cx.moves_time() {
        return Ok(());
    }
    let left = match accepted {
        0 => format!("the day's {what} are used up, or cannot be used"),
        _ => format!("{accepted} {what} were left of the day, or the limit is not {limit}"),
    };
    Err(Stop::NotRun(NotRun::Budget(left)))
}

/// Judges what came of `limit` requests and one more.
fn used_up(cx: &Cx, what: &str, answers: &[CheckedExchange], limit: usize, code: &str) -> CheckResult {
    let accepted = answers.iter().take_while(|answer| (200..300).contains(&answer.status)).count();
    let Some(last) = answers.get(accepted).or(answers.last()) else {
        return Err(Stop::Error("nothing was sent".to_owned()));
    };
    let outcome = last.outcome();
    if accepted < limit && last.status != 429 {
        let refused = format!("{what} of a day, of which {accepted} were accepted: {outcome}");
        return Err(Stop::NotRun(NotRun::PrerequisiteFailed(refused)));
    }
    not_by_others(cx, what, accepted, limit)?;
    cx.control(accepted > 0, what)?;
    cx.ensure(accepted == limit, format!("{limit} {what} a day"), format!("{accepted}, then {outcome}"))?;
    last.clone().expect_error(429, code).map(|_| ())
}

fn publish(cx: &Cx, project: &Project) -> Call {
    cx.call_on(project, Method::POST, "/publish").json(&cx.profile().bodies.publish)
}

/// A project needs a key to publish.
async fn with_a_key(cx: &Cx, project: &Project) -> CheckResult {
    if cx.claims(crate::check::Claim::Translate) {
        let body = cx.filled(&cx.profile().bodies.translate);
        cx.call_on(project, Method::POST, "/translate").json(&body).send().await?.control("POST /translate")?;
    }
    Ok(())
}

/// LIM-DAY-1, LIM-DAY-2
pub(super) async fn publishes(cx: Cx) -> CheckResult {
    let project = cx.burn(0)?.clone();
    a_day_that_lasts(&cx, Duration::from_secs(600)).await?;
    with_a_key(&cx, &project).await?;
    let published = cx.many(31, |_| publish(&cx, &project)).await?;
    used_up(&cx, "publishes", &published, 30, "rate_limited")?;
    if let Some(refused) = published.last() {
        let after = refused.header("retry-after").unwrap_or("none").to_owned();
        refused.ensure_saw(after == "60", "Retry-After: 60", after)?;
    }
    // Two versions in turn, since the live one cannot be restored.
    let version =
        |answer: &CheckedExchange| answer.json().map(|body| body["versionId"].as_str().unwrap_or_default().to_owned());
    let versions = [version(&published[0])?, version(&published[1])?];
    let restored = cx
        .many(31, |number| {
            let path = format!("/versions/{}/restore", versions[number % 2]);
            cx.call_on(&project, Method::POST, &path).json(&json!({}))
        })
        .await?;
    let first = restored.first().cloned();
    if let Some(first) = first {
        first.ensure((200..300).contains(&first.status), "restores are counted apart from publishes")?;
    }
    used_up(&cx, "restores", &restored, 30, "rate_limited")
}

/// LIM-DAY-8
pub(super) async fn keys_share_them(cx: Cx) -> CheckResult {
    let project = cx.burn(1)?.clone();
    a_day_that_lasts(&cx, Duration::from_secs(600)).await?;
    with_a_key(&cx, &project).await?;
    let keys = [cx.key_of(&project, Identity::Full)?, cx.key_of(&project, Identity::Second)?];
    let published = cx.many(31, |number| publish(&cx, &project).bearer(keys[number % 2])).await?;
    used_up(&cx, "publishes by two keys together", &published, 30, "rate_limited")
}

/// Captured keys of one request, of which none was seen before.
fn batch(cx: &Cx, count: usize) -> Value {
    let unique = cx.unique();
    let keys: Vec<_> = (0..count).map(|number| json!({ "ref": format!("testkit.{unique}.{number}") })).collect();
    json!({ "keys": keys })
}

/// 5,000 keys in ten requests; then one key more is refused.
async fn capture_all(cx: &Cx, project: &Project) -> CheckResult {
    let call = |body: &Value| cx.call_on(project, Method::POST, "/capture").json(body).counted();
    let first = batch(cx, 500);
    let unspent = |answer: &CheckedExchange, batches: usize| match answer.status {
        429 => not_by_others(cx, "captured keys", batches * 500, 5_000),
        _ => Ok(()),
    };
    let answer = call(&first).send().await?;
    unspent(&answer, 0)?;
    answer.control("POST /capture of 500 new keys")?;
    // What is known already is not counted: requests are not what is counted.
    call(&first).send().await?.expect_in(200..=299)?;
    for batches in 1..10 {
        let answer = call(&batch(cx, 500)).send().await?;
        unspent(&answer, batches)?;
        answer.expect_in(200..=299)?;
    }
    call(&first).send().await?.expect_in(200..=299)?;
    call(&batch(cx, 1)).send().await?.expect_error(429, "capture_quota_exceeded").map(|_| ())
}

/// LIM-DAY-3, ERR-429-2
pub(super) async fn captured_keys(cx: Cx) -> CheckResult {
    let project = cx.burn(2)?.clone();
    a_day_that_lasts(&cx, Duration::from_secs(300)).await?;
    capture_all(&cx, &project).await
}

/// LIM-DAY-7
pub(super) async fn a_new_day(cx: Cx) -> CheckResult {
    let project = cx.burn(1)?.clone();
    if !cx.moves_time() {
        return Err(Stop::NotRun(NotRun::Clock("it waits for midnight".to_owned())));
    }
    let till = |now: i64, offset: i64| Duration::from_millis((DAY - (now + offset).rem_euclid(DAY)).unsigned_abs());
    // Five minutes before the end of a new day, so that neither a rolling day nor another time zone's would renew it.
    cx.pass(till(cx.now(), 0)).await?;
    cx.pass(till(cx.now(), 300_000)).await?;
    capture_all(&cx, &project).await?;
    cx.pass(till(cx.now(), 0) + Duration::from_secs(2)).await?;
    let again = cx.call_on(&project, Method::POST, "/capture").json(&batch(&cx, 1)).counted();
    again.send().await?.expect_in(200..=299).map(|_| ())
}

/// LIM-DAY-4, ERR-429-2
pub(super) async fn imports(cx: Cx) -> CheckResult {
    let project = cx.burn(2)?.clone();
    a_day_that_lasts(&cx, Duration::from_secs(900)).await?;
    let first = a_document(&cx, &project).await?;
    let path = format!("/content/{first}");
    let more = cx
        .many(500, |number| {
            if number % 2 == 0 {
                let body = json!({ "body": format!("# The text number {number}\n") });
                cx.call_on(&project, Method::PUT, &path).json(&body)
            } else {
                let body = cx.filled(&cx.profile().bodies.document);
                cx.call_on(&project, Method::POST, "/content").json(&body)
            }
        })
        .await?;
    used_up(&cx, "imports after the first", &more, 499, "import_quota_exceeded")
}

async fn a_document(cx: &Cx, project: &Project) -> Result<String, Stop> {
    let body = cx.filled(&cx.profile().bodies.document);
    let made = cx.call_on(project, Method::POST, "/content").json(&body).counted().send().await?;
    if made.status == 429 {
        not_by_others(cx, "imports", 0, 1)?;
    }
    made.control("POST /content")?.text("/docId")
}

/// LIM-DAY-5, ERR-429-2
pub(super) async fn runs(cx: Cx) -> CheckResult {
    let project = cx.burn(0)?.clone();
    a_day_that_lasts(&cx, Duration::from_secs(900)).await?;
    let path = format!("/content/{}/run", a_document(&cx, &project).await?);
    let answers =
        cx.many(501, |_| cx.call_on(&project, Method::POST, &path).json(&json!({ "retranslate": true }))).await?;
    used_up(&cx, "runs", &answers, 500, "run_quota_exceeded")
}
