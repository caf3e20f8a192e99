//! The request window: 120 requests of a project in 60 seconds.

use std::time::Duration;

use http::Method;

use crate::checks::public::route;
use crate::cx::{AT_ONCE, Call, Cx, MOST};
use crate::outcome::{CheckResult, NotRun, Stop};
use crate::profile::{Identity, Project};

/// Requests that always fit a window, approximate as its count is (AMB-6).
const FIT: usize = 100;

fn credential(cx: &Cx, project: &Project) -> Call {
    cx.call_on(project, Method::GET, "/credential")
}

/// LIM-REQ-1, LIM-REQ-2, ERR-429-1
pub(super) async fn a_window_is_used_up(cx: Cx) -> CheckResult {
    let answers = cx.minute_burst(MOST, AT_ONCE, |project, _| Ok(credential(&cx, project))).await?;
    answers[0].clone().control("GET /credential in a fresh window")?;
    let accepted = answers.iter().take_while(|answer| answer.status != 429).count();
    cx.ensure(accepted >= FIT, format!("{FIT} requests of a window pass"), format!("{accepted} did"))?;
    let refused = answers.iter().find(|answer| answer.status == 429);
    let Some(refused) = refused else {
        return cx.ensure(false, "429 by the 150th read within a window of 120", format!("all {accepted} passed"));
    };
    refused.clone().expect_error(429, "rate_limited")?;
    let after = refused.header("retry-after").unwrap_or("none").to_owned();
    refused.ensure_saw(after == "60", "Retry-After: 60", format!("Retry-After: {after}"))
}

/// LIM-REQ-3
pub(super) async fn keys_share_it(cx: Cx) -> CheckResult {
    // Sent again in the same project, the requests of each key would use up a window of its own, too.
    let keys = [Identity::Full, Identity::Second];
    let call = |project: &Project, number: usize| credential(&cx, project).key_of(project, keys[number % 2]);
    let answers = cx.minute_burst(MOST, AT_ONCE, call).await?;
    answers[0].clone().control("GET /credential with the first key")?;
    answers[1].clone().control("GET /credential with the second key")?;
    let accepted = answers.iter().filter(|answer| answer.status != 429).count();
    let (all, expected) = (answers.len(), "429 for two keys that make 150 requests together");
    cx.ensure(accepted < all, expected, format!("{accepted} of {all} passed"))
}

/// LIM-REQ-4
pub(super) async fn projects_do_not(cx: Cx) -> CheckResult {
    let project = cx.scratch().await?;
    cx.use_up(&project).await?;
    let other = cx.other()?.clone();
    cx.call_on(&other, Method::GET, "/credential").burst().send().await?.expect(200)?;
    still_over(&cx, &project).await
}

/// The window was used up all the while: else nothing was established.
async fn still_over(cx: &Cx, project: &Project) -> CheckResult {
    let answer = credential(cx, project).burst().send().await?;
    cx.control(answer.status == 429, "a window that is still used up")
}

/// LIM-REQ-5
pub(super) async fn public_routes_count(cx: Cx) -> CheckResult {
    let project = cx.scratch().await?;
    credential(&cx, &project).burst().send().await?.control("GET /credential in a fresh window")?;
    let manifest = route(&cx.profile().routes.manifest, &project);
    let answers = cx.window_burst(|_| cx.at(Method::GET, &manifest)).await?;
    let first = &answers[0];
    first.ensure(matches!(first.status, 200 | 404), "the manifest, or 404 while nothing is published")?;
    credential(&cx, &project).burst().send().await?.expect_error(429, "rate_limited").map(|_| ())
}

/// LIM-REQ-6
pub(super) async fn operations_count(cx: Cx) -> CheckResult {
    let project = cx.scratch().await?;
    credential(&cx, &project).burst().send().await?.control("GET /credential in a fresh window")?;
    let operation = format!("/operations/{}", cx.unique());
    cx.window_burst(|_| cx.call_on(&project, Method::GET, &operation)).await?;
    credential(&cx, &project).burst().send().await?.expect_error(429, "rate_limited").map(|_| ())
}

/// LIM-REQ-7
pub(super) async fn it_ends(cx: Cx) -> CheckResult {
    let project = cx.scratch().await?;
    cx.use_up(&project).await?;
    // What is refused meanwhile does not prolong it.
    cx.pass(Duration::from_secs(45)).await?;
    cx.burst(10, 1, |_| credential(&cx, &project)).await?;
    cx.pass(Duration::from_secs(17)).await?;
    credential(&cx, &project).burst().send().await?.expect(200).map(|_| ())
}

/// LIM-REQ-8
pub(super) async fn names_have_their_own(cx: Cx) -> CheckResult {
    let template = &cx.profile().routes.named_manifest;
    let published = cx.publish().await?;
    cx.shown(&route(&cx.profile().routes.manifest, cx.lane()), &published.version_id).await?;
    match cx.shown(&route(template, cx.lane()), &published.version_id).await {
        Err(Stop::NotRun(NotRun::PrerequisiteFailed(_))) => {
            let seen = cx.at(Method::GET, &route(template, cx.lane())).send().await?;
            seen.ensure(false, format!("the manifest by names, which shows the version {}", published.version_id))?;
        }
        other => drop(other?),
    }
    let project = cx.scratch().await?;
    cx.use_up(&project).await?;
    let manifest = route(template, &project);
    let answer = cx.at(Method::GET, &manifest).burst().send().await?;
    answer.ensure(matches!(answer.status, 200 | 404), "the manifest by names is counted apart: no 429")?;
    still_over(&cx, &project).await
}

/// LIM-REQ-9
pub(super) async fn what_is_under_no_project(cx: Cx) -> CheckResult {
    let project = cx.scratch().await?;
    cx.use_up(&project).await?;
    let health = cx.profile().routes.health.clone();
    cx.case("health", async { cx.at(Method::GET, &health).burst().send().await?.expect(200).map(|_| ()) }).await?;
    cx.case("resolve", async {
        let resolve = cx.at(Method::GET, "/projects/resolve").key_of(&project, Identity::Full)?;
        let resolve = resolve.query("workspace", &project.handle).query("project", &project.slug);
        resolve.burst().send().await?.expect(200).map(|_| ())
    })
    .await?;
    still_over(&cx, &project).await
}

/// LIM-REQ-10
pub(super) async fn at_once(cx: Cx) -> CheckResult {
    let answers = cx.minute_burst(200, 200, |project, _| Ok(credential(&cx, project))).await?;
    let count = answers.iter().filter(|answer| answer.status == 200).count();
    cx.control(count > 0, "GET /credential in a fresh window")?;
    cx.ensure((FIT..=150).contains(&count), "of 200 requests at once 100 to 150 pass", format!("{count} did"))
}

/// LIM-REQ-11
pub(super) async fn strangers_do_not_count(cx: Cx) -> CheckResult {
    let project = cx.scratch().await?;
    let stranger = format!("eik_{}", cx.unique());
    let answers = cx.burst(130, 4, |_| credential(&cx, &project).bearer(&stranger)).await?;
    let let_in = answers.iter().find(|answer| !matches!(answer.status, 401 | 429));
    cx.control(let_in.is_none(), "that unknown keys are refused")?;
    credential(&cx, &project).burst().send().await?.expect(200).map(|_| ())
}
