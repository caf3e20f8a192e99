//! The beginning of a run: faults of its surroundings are found before the first check, so that no check blames the deployment
//! for them. What a deployment that deviates would show as well is left to the checks.

use std::collections::HashMap;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use http::Method;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::clean_up::{MARKER, WebhookAccess};
use super::execution::Execution;
use super::preflight::{call, credential, wanted};
use super::run_check;
use crate::check;
use crate::check::Check;
use crate::claim::Claim;
use crate::cx::Cx;
use crate::outcome::{CheckResult, NotRun};
use crate::profile::{Identity, Project};
use crate::session::{CreatedWebhook, Faults, Lanes, Session};
use crate::wire::Exchange;

/// Requests under way at once.
const AT_ONCE: usize = 16;

/// Time for which the deployment's clock is watched, by ours.
const WATCHED: Duration = Duration::from_secs(3);

/// Time limit for the delivery that shows whether the receiver is trusted.
const DELIVERY: Duration = Duration::from_secs(15);

/// A public address, and a name that has one.
const PUBLIC: [&str; 2] = ["https://93.184.215.14", "https://example.com"];

/// Looks for faults that concern these checks.
pub(super) fn faults<'a>(selected: &[&'static Check], execution: &'a Execution) -> BoxFuture<'a, Faults> {
    let session = &execution.session;
    let timed = selected.iter().any(|check| needs_time(check));
    let named = selected.iter().any(|check| needs_names(check));
    async move {
        let time = async { if timed { time(session).await } else { None } };
        let names = async { if named { names(session).await } else { None } };
        let (keys, time, names) = tokio::join!(keys(session), time, names);
        Faults { keys, time, names }
    }
    .boxed()
}

/// The reason why a check cannot be judged in these surroundings.
pub(super) fn prerequisite(check: &Check, faults: &Faults) -> Option<NotRun> {
    let found = [(&faults.time, needs_time(check)), (&faults.names, needs_names(check))];
    let fault = found.into_iter().find_map(|(fault, concerns)| fault.as_ref().filter(|_| concerns));
    fault.map(|fault| NotRun::PrerequisiteFailed(fault.clone()))
}

/// Returns true if a check waits for deliveries that the deployment makes.
pub(super) fn waits_for_deliveries(check: &Check) -> bool {
    let fires = |claim| matches!(claim, &Claim::Publish | &Claim::ContentTrigger);
    check.needs.contains(&Claim::Receiver) && check.needs.iter().any(fires)
}

fn needs_time(check: &Check) -> bool {
    !check.waits.is_zero() || check.stalls
}

/// Without a receiver, webhooks are registered at a name.
fn needs_names(check: &Check) -> bool {
    check.slots > 0 && check.needs.contains(&Claim::Webhooks) && !check.needs.contains(&Claim::Receiver)
}

/// Keys that hold something else than they are to hold, while the same key of another lane is right: then the profile is wrong.
/// A key that is wrong in every lane may be the deployment's fault.
async fn keys(session: &Session) -> HashMap<(String, Identity), String> {
    let lanes = &session.profile.lanes;
    let mut asked = Vec::new();
    for (place, lane) in lanes.iter().enumerate().filter(|_| lanes.len() > 1) {
        asked.extend(lane.keys.keys().map(|identity| (place, lane.clone(), *identity)));
    }
    let asking: Vec<_> = asked.into_iter().map(|(place, lane, identity)| ask(session, place, lane, identity)).collect();
    let answers: Vec<_> = stream::iter(asking).buffer_unordered(AT_ONCE).collect().await;
    let answers: Vec<_> = answers.into_iter().flatten().collect();
    let right = |wanted: Identity| answers.iter().any(|(_, _, identity, fits, _)| *identity == wanted && *fits);
    let wrong = answers.iter().filter(|(_, _, identity, fits, _)| !fits && right(*identity));
    wrong
        .map(|(place, lane, identity, _, answer)| {
            let held = serde_json::from_slice::<Value>(&answer.body).unwrap_or_default()["scopes"].to_string();
            let seen = if answer.status == 200 { format!("has the scopes {held}") } else { answer.outcome() };
            ((lane.id.clone(), *identity), format!("lanes[{place}].keys.{identity} {seen}, other than in other lanes"))
        })
        .collect()
}

/// A key of a lane, whether it holds what it is to hold, and the answer that says so.
type AskedKey = (usize, Project, Identity, bool, Exchange);

fn ask(session: &Session, place: usize, lane: Project, identity: Identity) -> BoxFuture<'_, Option<AskedKey>> {
    async move {
        session.pacer.turn(&lane.id).await;
        let answer = credential(&session.http, &session.profile, &lane, identity).await.ok()?;
        Some((place, lane, identity, fits(identity, &answer), answer))
    }
    .boxed()
}

/// Returns true if a key holds what it is to hold.
fn fits(identity: Identity, answer: &Exchange) -> bool {
    if identity == Identity::Revoked {
        return answer.status == 401;
    }
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let mut scopes: Vec<&str> = body["scopes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    scopes.sort_unstable();
    answer.status == 200 && wanted(identity).is_none_or(|wanted| wanted.contains(&scopes.as_slice()))
}

/// The speed of the deployment's clock, where the profile states one.
async fn time(session: &Session) -> Option<String> {
    let stated = session.profile.time.scale?;
    let lane = session.profile.lanes.first()?;
    let read = async || {
        session.pacer.turn(&lane.id).await;
        let answer = credential(&session.http, &session.profile, lane, Identity::Full).await.ok()?;
        let date = jiff::fmt::rfc2822::parse(answer.header("date")?).ok()?.timestamp().as_millisecond();
        Some((date, Instant::now()))
    };
    let (first, began) = read().await?;
    tokio::time::sleep(WATCHED).await;
    let (second, ended) = read().await?;
    let (theirs, ours) = (second - first, i64::try_from((ended - began).as_millis()).unwrap_or(i64::MAX).max(1));
    let due = ours.saturating_mul(stated.into());
    // `Date` is cut to the second, and a busy machine answers late.
    let fits = theirs >= due / 2 - 1_000 && theirs <= due.saturating_mul(2) + 1_000;
    let speed = (theirs + ours / 2) / ours;
    (!fits).then(|| {
        format!("time.scale says {stated}, but the deployment's clock goes {speed} times as fast as this machine's")
    })
}

/// Returns a fault if the deployment resolves no names. Asked only where no receiver has an address.
async fn names(session: &Session) -> Option<String> {
    if session.suite_receiver.is_some() || session.limits.read_only {
        return None;
    }
    let lane = session.profile.lanes.first()?;
    let [address, name] = PUBLIC;
    let unknown = !takes(session, lane, name).await? && takes(session, lane, address).await?;
    unknown
        .then(|| "the deployment takes a webhook at a public address and none at example.com: it has no DNS".to_owned())
}

/// Returns true if the deployment registers a webhook there. It is removed again.
async fn takes(session: &Session, lane: &Project, origin: &str) -> Option<bool> {
    let url = format!("{origin}{MARKER}{}/PREFLIGHT/1", session.run_id);
    let body = json!({ "url": url, "events": ["strings.published"] }).to_string();
    session.pacer.turn(&lane.id).await;
    let path = format!("/projects/{}/webhooks", lane.id);
    let made = call(&session.http, &session.profile, lane, Identity::Full, Method::POST, &path, Bytes::from(body));
    let made = CreatedWebhook::of(&made.await.ok()?);
    if let Some(made) = &made {
        // What stays has the marker of this run: the next one removes it.
        let _ = WebhookAccess::of(session).delete(made).await;
    }
    Some(made.is_some())
}

/// A publish whose delivery shows whether the deployment trusts the receiver.
static PROBE: Check = check! {
    id: "PREFLIGHT", covers: ["EV-1"], needs: [Webhooks, Receiver, Publish], slots: 1, publishes: 1, run: a_delivery
};

/// Returns a fault if the deployment refuses the receiver's certificate. A deployment that delivers nothing is for the checks
/// to find.
pub(super) async fn deliveries(execution: &Execution, lanes: &Lanes) -> Option<String> {
    let session = &execution.session;
    let claimed = PROBE.needs.iter().all(|claim| session.profile.claims.contains(claim));
    let suite_receiver = session.suite_receiver.as_ref().filter(|_| claimed && !session.limits.read_only)?;
    let lane = lanes.try_take(PROBE.demand(), &session.pacer)?;
    run_check::run(&PROBE, execution, lane).await;
    let why = suite_receiver.receiver.refusals().into_iter().next()?;
    let arrived = !suite_receiver.receiver.deliveries().is_empty();
    let advice = "make the deployment trust the authority of the profile's receiver";
    (!arrived).then(|| format!("the deployment does not trust the receiver's certificate ({why}): {advice}"))
}

async fn a_delivery(cx: Cx) -> CheckResult {
    let endpoint = cx.endpoint()?;
    cx.webhook(&endpoint, &[]).await?;
    cx.publish().await?;
    let ends = Instant::now() + DELIVERY.min(cx.session().limits.patience);
    let refused = || cx.session().suite_receiver.as_ref().is_some_and(|one| !one.receiver.refusals().is_empty());
    while endpoint.deliveries().is_empty() && !refused() && Instant::now() < ends {
        cx.sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
