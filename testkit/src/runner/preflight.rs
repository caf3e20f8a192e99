//! Looks whether a run can begin, before it spends anything.

use std::time::Duration;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::Value;

use super::clean_up::WebhookAccess;
use super::error::RunError;
use super::options::Options;
use crate::claim::Claim;
use crate::errors::one_line;
use crate::names;
use crate::profile::{Identity, Profile, Project};
use crate::session::{CreatedWebhook, Pacer, SLOTS, SuiteReceiver, skew, system_now};
use crate::wire::{Exchange, Http, Request};

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// True if a run can use it.
    pub ok: bool,
    /// The observation.
    pub what: String,
    /// The advice.
    pub advice: Option<String>,
    /// True if the deployment does not answer.
    pub unreachable: bool,
}

/// The reason why nothing can be checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContactError {
    /// It does not answer.
    Unreachable(String),
    /// It refuses the key of this field of the profile.
    Refused(String),
    /// The profile cannot be used.
    Setup(String),
}

/// Asks the deployment once, with the key `full` of the first lane.
///
/// # Errors
///
/// Returns an error if it does not answer, or does not know the key. The checks judge every other answer.
pub async fn first_contact(profile: &Profile) -> Result<(), ContactError> {
    let http = Http::new(profile, Options::default().patience(), 0).map_err(ContactError::Setup)?;
    let Some(lane) = profile.lanes.first() else { return Ok(()) };
    let answer = credential(&http, profile, lane, Identity::Full).await.map_err(ContactError::Unreachable)?;
    if answer.status == 401 { Err(ContactError::Refused("lanes[0].keys.full".to_owned())) } else { Ok(()) }
}

/// Examines all claims of the profile that can be examined without a check. With `deliver`, spends a publish to receive
/// a delivery.
///
/// # Errors
///
/// Returns an error if the profile cannot be used at all.
pub async fn preflight(profile: &Profile, deliver: bool) -> Result<Vec<Finding>, RunError> {
    let http = Http::new(profile, Options::default().patience(), 0).map_err(RunError::setup)?;
    let mut found = Vec::new();
    let Some(lane) = profile.lanes.first() else { return Ok(found) };
    match credential(&http, profile, lane, Identity::Full).await {
        Err(error) => {
            let advice = "start the deployment, or correct `base_url` in the profile".to_owned();
            let what = format!("{} does not answer: {error}", profile.base_url);
            found.push(Finding { ok: false, what, advice: Some(advice), unreachable: true });
            return Ok(found);
        }
        Ok(answer) => {
            found.push(good(format!("{} answers, in {} ms", profile.base_url, answer.took.as_millis())));
            found.push(date(&answer));
        }
    }
    for (name, project) in profile.named_projects() {
        for identity in project.keys.keys() {
            found.push(key(&http, profile, &name, project, *identity).await);
        }
    }
    for url in &profile.time.clock {
        let advice = "`time.clock` names URLs that take POST {\"seconds\": n}";
        found.push(match http.advance(url, Duration::ZERO).await {
            Ok(()) => good(format!("the clock hook {url} answers")),
            Err(error) => bad(format!("the clock hook {url}: {error}"), advice),
        });
    }
    if profile.claims.contains(&Claim::Webhooks) {
        let pacer = Pacer::new(Options::default().requests_per_minute);
        let access = WebhookAccess { http: &http, pacer: &pacer, profile };
        for (place, lane) in profile.lanes.iter().enumerate() {
            found.push(slots(access, &format!("lanes[{place}]"), lane).await);
        }
    }
    receiver(&http, profile, deliver, &mut found).await;
    Ok(found)
}

fn good(what: String) -> Finding {
    Finding { ok: true, what, advice: None, unreachable: false }
}

fn bad(what: String, advice: impl Into<String>) -> Finding {
    Finding { ok: false, what, advice: Some(advice.into()), unreachable: false }
}

pub(super) async fn credential(
    http: &Http,
    profile: &Profile,
    project: &Project,
    identity: Identity,
) -> Result<Exchange, String> {
    let path = format!("/projects/{}/credential", project.id);
    call(http, profile, project, identity, Method::GET, &path, Bytes::new()).await
}

pub(super) async fn call(
    http: &Http,
    profile: &Profile,
    project: &Project,
    identity: Identity,
    method: Method,
    path: &str,
    body: Bytes,
) -> Result<Exchange, String> {
    let mut headers = HeaderMap::new();
    let key = project.keys.get(&identity).map_or("", |key| key.expose());
    let bearer = HeaderValue::from_str(&format!("Bearer {key}"));
    headers.insert(
        AUTHORIZATION,
        bearer.map_err(|_| format!("the key `{identity}` of {} is not valid text", project.id))?,
    );
    if !body.is_empty() {
        headers.insert(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    let request = Request { method, url: format!("{}{path}", profile.base_url), headers, body };
    http.send(&request, false, system_now()).await
}

/// The deployment's clock against ours.
fn date(answer: &Exchange) -> Finding {
    match skew(answer, system_now()) {
        None => {
            bad("its answers have no `Date`".to_owned(), "times of deliveries are judged only by this machine's clock")
        }
        Some(ahead) if ahead.abs() > 30_000 => bad(
            format!("its clock is {} s ahead of this machine's", ahead / 1_000),
            "set both clocks by NTP; receivers refuse signatures that are 300 s off (§6.3)",
        ),
        Some(ahead) => good(format!("its clock agrees with this machine's within {} s", ahead.abs() / 1_000 + 2)),
    }
}

/// A key, and whether it holds what its identity is to hold.
async fn key(http: &Http, profile: &Profile, name: &str, project: &Project, identity: Identity) -> Finding {
    let field = format!("{name}.keys.{identity}");
    let answer = match credential(http, profile, project, identity).await {
        Ok(answer) => answer,
        Err(error) => return bad(format!("{field}: {error}"), "see above"),
    };
    let revoked = identity == Identity::Revoked;
    match (answer.status, revoked) {
        (401, true) => return good(format!("{field} is refused, as it should be")),
        (_, true) => {
            return bad(format!("{field}: answered {}", answer.outcome()), "name a revoked key, or remove the entry");
        }
        (200, false) => {}
        (401, false) => {
            let advice = format!("put a valid key of the project {} at the place that the profile names", project.id);
            return bad(format!("{field} is refused: 401"), advice);
        }
        _ => {
            return bad(
                format!("{field}: answered {}", answer.outcome()),
                "GET /credential must answer 200 to any key",
            );
        }
    }
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or(Value::Null);
    let mut scopes: Vec<&str> = body["scopes"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    scopes.sort_unstable();
    let listed = if scopes.is_empty() { "no scopes".to_owned() } else { scopes.join(", ") };
    match wanted(identity) {
        Some(wanted) if !wanted.contains(&scopes.as_slice()) => {
            let wanted: Vec<_> = wanted.iter().map(|set| set.join(", ")).collect();
            bad(format!("{field} has {listed}"), format!("it must have exactly: {}", wanted.join("; or ")))
        }
        _ => good(format!("{field} has {listed}")),
    }
}

/// The sets of scopes, sorted, of which a key for that holds one.
pub(super) fn wanted(identity: Identity) -> Option<&'static [&'static [&'static str]]> {
    Some(match identity {
        Identity::Full | Identity::Second | Identity::Revoked => return None,
        Identity::Admin => &[&["admin"], &["admin", "capture", "publish", "read", "translate", "write"]],
        Identity::Read => &[&["read"]],
        Identity::Translate => &[&["translate"]],
        Identity::Write => &[&["write"]],
        Identity::Publish => &[&["publish"]],
        Identity::Capture => &[&["capture"]],
        Identity::Members => &[&["members:manage", "members:read"], &["members:read"], &["members:manage"]],
        Identity::Agent => &[&["publish", "read", "translate"]],
        Identity::AgentReader => &[&["read"]],
    })
}

/// Room for webhooks.
async fn slots(access: WebhookAccess<'_>, name: &str, lane: &Project) -> Finding {
    match access.list(&access.webhooks_of(lane)).await {
        Err(error) => bad(format!("{name}: {error}"), "the claim `webhooks` needs GET /webhooks"),
        Ok((listed, _)) => {
            let foreign = listed.iter().filter(|one| !one.target.contains(super::clean_up::MARKER)).count();
            let (free, left) = (SLOTS.saturating_sub(foreign), listed.len() - foreign);
            let left = if left == 0 { String::new() } else { format!("; {left} of earlier runs will be removed") };
            let what = format!("{name}: room for {free} webhooks of {SLOTS}{left}");
            if foreign == 0 {
                return good(what);
            }
            bad(
                what,
                format!(
                    "{foreign} webhooks are not the suite's: use a project without webhooks, or some checks will not run"
                ),
            )
        }
    }
}

/// The suite's receiver: whether it can listen, and with `deliver` whether the deployment reaches it.
async fn receiver(http: &Http, profile: &Profile, deliver: bool, found: &mut Vec<Finding>) {
    let started = SuiteReceiver::start(profile).await;
    let listening = match started {
        Ok(Some(listening)) => listening,
        Ok(None) => return,
        Err(error) => {
            found.push(bad(one_line(&error), "`receiver.listen` names an address of this machine and a free port"));
            return;
        }
    };
    let (receiver, origin) = (&listening.receiver, &listening.origin);
    found.push(good(format!("the receiver listens on {}; the deployment reaches it as {origin}", receiver.address())));
    if !deliver {
        found.push(good(
            "not checked: the deployment reaches the receiver (--deliver checks it and spends a publish)".to_owned(),
        ));
        return;
    }
    let Some(lane) = profile.lanes.first() else { return };
    let path = format!("/.l10n-testkit/preflight-{}/1", names::fresh(10));
    let body = serde_json::json!({ "url": format!("{origin}{path}"), "events": ["strings.published"] }).to_string();
    let hooks = format!("/projects/{}/webhooks", lane.id);
    let made = call(http, profile, lane, Identity::Full, Method::POST, &hooks, body.into()).await;
    let made = match made {
        Ok(made) => made,
        Err(error) => return found.push(bad(error, "see above")),
    };
    let Some(webhook) = CreatedWebhook::of(&made) else {
        let advice = "the deployment must accept the receiver's URL; the reference server: webhooks.allow_targets";
        return found.push(bad(format!("POST /webhooks with {origin}: answered {}", made.outcome()), advice));
    };
    let publish = format!("/projects/{}/publish", lane.id);
    let body = profile.bodies.publish.to_string();
    let published = call(http, profile, lane, Identity::Full, Method::POST, &publish, body.into()).await;
    match published {
        Ok(answer) if (200..300).contains(&answer.status) => {
            let here = |all: &[crate::receiver::Delivery]| all.iter().any(|one| one.uri.path() == path);
            let arrived = receiver.wait_within(Duration::from_secs(30), "a delivery", here).await.is_ok();
            found.push(if arrived {
                good(format!("a delivery arrived at {origin}"))
            } else {
                bad(
                    format!("no delivery arrived at {origin} within 30 s"),
                    "the deployment must reach that URL and trust its certificate; the webhook's delivery log has `lastError`",
                )
            });
        }
        Ok(answer) => found.push(bad(format!("POST /publish: answered {}", answer.outcome()), "see `bodies.publish`")),
        Err(error) => found.push(bad(error, "see above")),
    }
    let pacer = Pacer::new(Options::default().requests_per_minute);
    let access = WebhookAccess { http, pacer: &pacer, profile };
    if let Err(error) = access.delete(&webhook).await {
        found.push(bad(error, "l10n-testkit cleanup --any-run removes it"));
    }
}
