//! 402: the balance, the cap and the plan.

use http::Method;
use serde_json::{Value, json};

use crate::checks::push::Push;
use crate::cx::{CheckedExchange, Cx};
use crate::outcome::{CheckResult, Stop};
use crate::profile::Project;

/// A push in a project, refused; its preview there is the control.
async fn refused(cx: &Cx, project: &Project) -> Result<(Push, CheckedExchange), Stop> {
    let push = Push::translate(cx);
    let preview = push.call_in(cx, project).query("dryRun", "true").send().await?;
    preview.control("POST /translate?dryRun=true in that project")?;
    let answer = push.call_in(cx, project).send().await?;
    Ok((push, answer))
}

fn amount(answer: &CheckedExchange, name: &str) -> CheckResult {
    let body = answer.json()?;
    answer.ensure(body[name].is_i64() || body[name].is_u64(), format!("`{name}` is an integer"))
}

/// ERR-402-1
pub(super) async fn no_credits(cx: Cx) -> CheckResult {
    let project = cx.one(cx.profile().no_credits.as_ref(), "project `no_credits`")?.clone();
    let (_, answer) = refused(&cx, &project).await?;
    amount(&answer.expect_error(402, "insufficient_credits")?, "availableCredits")
}

/// ERR-402-5
pub(super) async fn nothing_is_charged(cx: Cx) -> CheckResult {
    let project = cx.one(cx.profile().no_credits.as_ref(), "project `no_credits`")?.clone();
    let balance = async || {
        let push = Push::translate(&cx);
        let preview = push.call_in(&cx, &project).query("dryRun", "true").send().await?;
        Ok::<_, Stop>(preview.control("POST /translate?dryRun=true in that project")?.json()?["balance"].clone())
    };
    let before = balance().await?;
    let (push, answer) = refused(&cx, &project).await?;
    let answer = answer.expect(402)?;
    let token = answer.json()?["trackingToken"].clone();
    answer.ensure(token.is_null(), "what is refused has no job")?;
    push.has_not_run_in(&cx, &project).await?;
    cx.equal("balance", &before, &balance().await?)
}

/// ERR-402-2
pub(super) async fn at_cap(cx: Cx) -> CheckResult {
    let project = cx.one(cx.profile().at_cap.as_ref(), "project `at_cap`")?.clone();
    let (push, answer) = refused(&cx, &project).await?;
    let answer = answer.expect_error(402, "spend_cap_exceeded")?;
    amount(&answer, "capRemaining")?;
    amount(&answer, "spendingCap")?;
    push.has_not_run_in(&cx, &project).await
}

/// ERR-402-3: one more language, or one more key, is over the plan.
pub(super) async fn at_plan_limit(cx: Cx) -> CheckResult {
    let project = cx.one(cx.profile().at_plan_limit.as_ref(), "project `at_plan_limit`")?.clone();
    cx.call_on(&project, Method::GET, "/credential").send().await?.control("GET /credential in that project")?;
    let language = json!({ "languages": [{ "code": "eo" }] });
    let mut answer = cx.call_on(&project, Method::POST, "/languages").json(&language).send().await?;
    if answer.status != 402 {
        answer = Push::translate(&cx).call_in(&cx, &project).send().await?;
    }
    let answer = answer.expect_error(402, "plan_limit")?;
    let details = answer.json()?["details"].clone();
    let filled = match &details {
        Value::Object(members) => !members.is_empty(),
        Value::String(text) => !text.is_empty(),
        _ => false,
    };
    let limit = details.to_string().bytes().any(|byte| byte.is_ascii_digit());
    answer.ensure(filled && limit, "`details` names the feature and its limit")
}

/// ERR-402-4
pub(super) async fn balance_of_the_workspace(cx: Cx) -> CheckResult {
    let sibling = cx.one(cx.profile().sibling.as_ref(), "project `sibling`")?.clone();
    let first = cx.profile().lanes[0].clone();
    let balance = async || {
        let push = Push::translate(&cx);
        let preview = push.call_in(&cx, &sibling).query("dryRun", "true").send().await?;
        let body = preview.control("POST /translate?dryRun=true in the sibling")?.json()?;
        Ok::<_, Stop>(body["balance"].as_i64())
    };
    let before = balance().await?;
    let push = Push::translate(&cx);
    let run = cx.run_to_its_end(&first, push.call_in(&cx, &first), "POST /translate").await?;
    let charged = run.job["creditsCharged"].as_i64().unwrap_or(0);
    cx.control(charged > 0, "a push that costs something")?;
    // Others spend in this workspace too; nobody fills it up.
    let after = balance().await?;
    cx.ensure(
        before.zip(after).is_some_and(|(before, after)| after <= before - charged),
        format!("the sibling's balance falls by at least the {charged} that were charged"),
        format!("from {before:?} to {after:?}"),
    )
}
