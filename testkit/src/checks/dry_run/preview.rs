//! The shape of a preview.

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::check::Claim;
use crate::checks::content::a_document;
use crate::checks::push::Push;
use crate::cx::Cx;
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::profile::Identity;

/// DRY-1
pub(super) async fn spelled_exactly(cx: Cx) -> CheckResult {
    let push = Push::translate(&cx);
    push.call(&cx).query("dryRun", "true").send().await?.expect_in(200..=299)?;
    push.has_not_run(&cx).await?;
    push.lands(&cx).await
}

/// DRY-2
pub(super) async fn in_the_query(cx: Cx) -> CheckResult {
    for push in Push::both(&cx) {
        let preview = push.preview(&cx).await?;
        let estimated = &preview["estimatedCredits"];
        cx.ensure(
            estimated.is_u64(),
            format!("{}: a preview has estimatedCredits, an integer", push.path),
            estimated.to_string(),
        )?;
        let charged = &preview["creditsCharged"];
        let nothing = charged.is_null() || charged == &json!(0);
        cx.ensure(nothing, format!("{}: a preview charges nothing", push.path), charged.to_string())?;
        if let Some(token) = preview["trackingToken"].as_str() {
            let poll = cx.get("/translations").query("trackingToken", token).send().await?;
            poll.ensure((400..500).contains(&poll.status), "a preview has no job that can be polled")?;
        }
        push.has_not_run(&cx).await?;
        the_balance_stays(&cx, &push, &preview).await?;
    }
    Ok(())
}

/// Pairs of previews that are looked at before the check fails: one pair takes long on a busy server, and others spend meanwhile.
const CHANCES: u32 = 20;

/// Others spend from the balance too, so two previews follow each other at once, and a pair that saw somebody spend is tried
/// again. Were previews charged, no two would show the same, however often one tries.
async fn the_balance_stays(cx: &Cx, push: &Push, first: &Value) -> CheckResult {
    let seen = Mutex::new(vec![first["balance"].to_string()]);
    let look = async || {
        let one = push.preview(cx).await?["balance"].to_string();
        let next = push.preview(cx).await?["balance"].to_string();
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        let stayed = one == next || seen.last() == Some(&one);
        seen.extend([one, next]);
        Ok(stayed)
    };
    let ended = cx.eventually_in(CHANCES, "two previews with one balance", look, |stayed| *stayed).await;
    if let Err(Stop::NotRun(NotRun::PrerequisiteFailed(_))) | Ok(_) = &ended {
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).join(", ");
        return cx.ensure(
            ended.is_ok(),
            format!("{}: the balance is the same after a preview", push.path),
            format!("from one preview to the next: {seen}"),
        );
    }
    ended.map(drop)
}

/// DRY-3
pub(super) async fn in_the_body_of_a_run(cx: Cx) -> CheckResult {
    let document = a_document(&cx).await?;
    let path = format!("/content/{document}/run");
    let preview = cx.post(&path).json(&json!({ "dryRun": true })).send().await?.expect_in(200..=299)?.json()?;
    let token = &preview["trackingToken"];
    cx.ensure(token.is_null(), "a preview of a run has no job", token.to_string())?;
    let charged = &preview["creditsCharged"];
    cx.ensure(charged.is_null() || charged == &json!(0), "a preview charges nothing", charged.to_string())?;
    cx.get(&format!("/content/{document}")).send().await?.control("GET /content/{docId}")?;
    // Had the first run, nothing would be left for the second.
    let again = cx.post(&path).json(&json!({ "dryRun": true })).send().await?.expect_in(200..=299)?.json()?;
    cx.equal("estimatedCredits of the second preview", &preview["estimatedCredits"], &again["estimatedCredits"])
}

/// DRY-4e
pub(super) async fn false_is_a_real_run(cx: Cx) -> CheckResult {
    let push = Push::translate(&cx);
    push.preview(&cx).await?;
    push.is_new(&cx).await?;
    let queued = push.call(&cx).query("dryRun", "false").send().await?.expect_in(200..=299)?.json()?;
    // However it ends: what it does comes before the checks that follow in this project.
    let _ = cx.end_of_job(cx.lane(), &queued).await;
    let Some(key) = &push.key else { return Ok(()) };
    let read = cx.get("/translations").query("ref", key).send().await?;
    read.ensure(read.status == 200, "dryRun=false runs: its key is there")?;
    if cx.claims(Claim::Documents) {
        let document = a_document(&cx).await?;
        let run = cx.post(&format!("/content/{document}/run")).json(&json!({ "dryRun": false })).send().await?;
        let started = run.expect_in(200..=299)?.json()?;
        cx.ensure(started["status"] != "preview", "dryRun: false runs", started["status"].to_string())?;
        let _ = cx.end_of_job(cx.lane(), &started).await;
    }
    Ok(())
}

/// DRY-7
pub(super) async fn needs_no_approval(cx: Cx) -> CheckResult {
    let push = Push::translate(&cx);
    push.preview(&cx).await?;
    let real = push.call(&cx).key(Identity::Agent)?.send().await?;
    cx.control(real.is_error(403, "authorization_required"), "that an agent's real run needs approval")?;
    let answer = push.call(&cx).key(Identity::Agent)?.query("dryRun", "true").send().await?;
    answer.expect_in(200..=299).map(drop)
}
