//! Tests of the runner: its own checks against a small server that is told how to answer.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use ::http::{Method, Request, Response};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::*;
use crate::check;
use crate::check::{Check, Claim};
use crate::cx::Cx;
use crate::outcome::{CheckResult, NotRun, Status};
use crate::profile::{Identity, Project, Secret, TimeProfile};
use crate::requirement::Level;
use crate::verdict::{Extent, Verdict, verdict};

const CONFORMANT: Verdict = Verdict::Conformant(Extent { depth: Depth::All, long_times: true });

/// The webhooks of a deployment, by path of the list.
type Hooks = Arc<Mutex<BTreeMap<String, Vec<Value>>>>;

/// A deployment that knows webhooks alone.
#[derive(Debug, Clone, Default)]
struct Deployment {
    hooks: Hooks,
    requests: Arc<AtomicUsize>,
    /// Deletes nothing.
    keeps: bool,
    /// Answers a creation never.
    hangs: bool,
    /// Refuses every publish with this body.
    spent: Option<Value>,
    /// Refuses every read of this project, whose request window is used up for good.
    used_up: Option<&'static str>,
    /// Refuses so many requests by `HEAD` still.
    refuses_heads: Arc<AtomicUsize>,
    /// For so many requests still one of its two processes is away, and who stands before them answers for it.
    away: Arc<AtomicUsize>,
}

impl Deployment {
    fn hold(&self, project: &str, url: &str) {
        self.hold_since(project, url, "2020-01-01T00:00:00.000Z");
    }

    fn hold_since(&self, project: &str, url: &str, created: &str) {
        let path = format!("/v1/projects/{project}/webhooks");
        let mut all = self.hooks.lock().unwrap();
        let list = all.entry(path).or_default();
        let id = format!("wh_{}", list.len() + 1000);
        list.push(json!({ "webhookId": id, "url": url, "createdAt": created }));
    }

    fn urls(&self) -> Vec<String> {
        let all = self.hooks.lock().unwrap();
        all.values().flatten().map(|one| one["url"].as_str().unwrap().to_owned()).collect()
    }

    async fn answer(self, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let number = self.requests.fetch_add(1, Ordering::SeqCst);
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let path = parts.uri.path().to_owned();
        let (order, away) = (Ordering::SeqCst, |left: usize| left.checked_sub(1));
        if path == "/v1/health" && self.away.fetch_update(order, order, away).is_ok_and(|left| left % 2 == 1) {
            return Ok(Response::builder().status(502).body(Full::new("<html>".into())).unwrap());
        }
        let used_up = self.used_up.is_some_and(|project| path == format!("/v1/projects/{project}/credential"));
        let (status, body) = match parts.method {
            Method::HEAD if self.refuses_heads.fetch_update(order, order, away).is_ok() => (429, Value::Null),
            Method::GET if used_up => (429, json!({ "error": "rate_limited", "message": "" })),
            Method::POST if path.ends_with("/publish") && self.spent.is_some() => (429, json!(self.spent)),
            Method::GET if path.ends_with("/webhooks") => {
                (200, json!({ "webhooks": self.hooks.lock().unwrap().get(&path).cloned().unwrap_or_default() }))
            }
            Method::POST if path.ends_with("/webhooks") => {
                let sent: Value = serde_json::from_slice(&body).unwrap();
                let id = format!("wh_{number}");
                let now = jiff::Timestamp::from_millisecond(super::system_now()).unwrap().to_string();
                let made =
                    json!({ "webhookId": id, "url": sent["url"], "createdAt": now, "secret": "whsec_0123456789" });
                self.hooks.lock().unwrap().entry(path).or_default().push(made.clone());
                if self.hangs {
                    std::future::pending::<()>().await;
                }
                (201, made)
            }
            Method::DELETE if self.keeps => (500, json!({ "error": "internal", "message": "" })),
            Method::DELETE => {
                let (list, id) = path.rsplit_once('/').unwrap();
                self.hooks.lock().unwrap().entry(list.to_owned()).or_default().retain(|one| one["webhookId"] != id);
                (204, Value::Null)
            }
            _ => (200, json!({ "scopes": ["admin"] })),
        };
        let text = if body.is_null() { String::new() } else { body.to_string() };
        let answer = Response::builder().status(status).header("x-correlation-id", format!("c{number}"));
        let answer = if status == 429 { answer.header("retry-after", "0") } else { answer };
        Ok(answer.body(Full::new(Bytes::from(text))).unwrap())
    }

    /// Listens, as long as the test runs. Returns the base URL.
    async fn start(&self) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let this = self.clone();
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.unwrap();
                let this = this.clone();
                let service = service_fn(move |request| this.clone().answer(request));
                let serving =
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
                tokio::spawn(async move { serving.await.ok() });
            }
        });
        format!("http://{address}/v1")
    }
}

fn profile(base_url: &str, lanes: &[&str]) -> Profile {
    let lane = |id: &&str| Project {
        id: (*id).to_owned(),
        handle: "h".to_owned(),
        slug: (*id).to_owned(),
        keys: BTreeMap::from([(Identity::Full, Secret::of("eik_full"))]),
    };
    let text = format!("base_url = \"{base_url}\"\nlanes = []\nclaims = [\"webhooks\", \"publish\"]\n");
    let mut profile: Profile = toml::from_str(&text).unwrap();
    profile.lanes = lanes.iter().map(lane).collect();
    profile
}

fn options(folder: &tempfile::TempDir) -> Options {
    let journal = Some(folder.path().join("journal"));
    Options { journal, timeout: Duration::from_secs(10), preflight: false, ..Options::default() }
}

/// With these claims; a check may wait for a second.
fn claiming(claims: &[Claim], profile: Profile) -> Profile {
    let time = TimeProfile { longest_wait: Some(1), ..TimeProfile::default() };
    Profile { claims: claims.iter().copied().collect(), time, ..profile }
}

async fn run_these(checks: &'static [Check], profile: Profile, options: Options) -> RunRecord {
    run_checks(checks.iter().collect(), profile, options).await.unwrap()
}

fn statuses(run: &RunRecord) -> Vec<(&'static str, Status)> {
    run.checks.iter().map(|record| (record.check.id, record.status)).collect()
}

async fn passes(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential")?;
    cx.ensure(true, "nothing", "nothing")
}

async fn makes_one(cx: Cx) -> CheckResult {
    let url = format!("https://hook.test/.l10n-testkit/{}/1", cx.unique());
    cx.webhook_in(cx.lane(), &url, &[]).await?;
    cx.ensure(true, "nothing", "nothing")
}

async fn asserts_nothing(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential").map(|_| ())
}

async fn sees_no_control(cx: Cx) -> CheckResult {
    cx.ensure(true, "nothing", "nothing")
}

async fn fails(cx: Cx) -> CheckResult {
    cx.ensure(false, "one", "another")
}

async fn panics(_: Cx) -> CheckResult {
    panic!("a fault of the check");
}

async fn comes_back(cx: Cx) -> CheckResult {
    cx.restarted().await?;
    cx.ensure(true, "nothing", "nothing")
}

async fn never_ends(_: Cx) -> CheckResult {
    std::future::pending().await
}

async fn asks_by_head(cx: Cx) -> CheckResult {
    cx.get("/credential").send().await?.control("GET /credential")?;
    let answer = cx.at(Method::HEAD, "/health").send().await?;
    answer.ensure(answer.status == 200, "200")
}

async fn publishes_once(cx: Cx) -> CheckResult {
    cx.publish().await?;
    cx.ensure(true, "nothing", "nothing")
}

async fn publishes_elsewhere(cx: Cx) -> CheckResult {
    let other = cx.other()?.clone();
    cx.call_on(&other, Method::POST, "/publish").send().await?.control("POST /publish")?;
    cx.ensure(true, "nothing", "nothing")
}

async fn publishes_more_than_it_says(cx: Cx) -> CheckResult {
    for _ in 0..9 {
        cx.publish().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_check_passes_only_by_an_assertion_and_a_control() {
    const CHECKS: &[Check] = &[
        check! { id: "VER-1", needs: [], run: passes },
        check! { id: "CONV-1", needs: [], run: asserts_nothing },
        check! { id: "CONV-2", needs: [], run: sees_no_control },
        check! { id: "CONV-3", needs: [], run: fails },
        check! { id: "CONV-4", needs: [], run: panics },
        check! { id: "CONV-6", needs: [], run: fails },
        check! { id: "CONV-8", needs: [NoCredits], run: passes },
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options(&folder)).await;
    let wanted =
        [Status::Pass, Status::Error, Status::Error, Status::Fail, Status::Error, Status::Warn, Status::NotRun];
    assert_eq!(statuses(&run).into_iter().map(|(_, status)| status).collect::<Vec<_>>(), wanted);
    assert!(run.checks[1].error.as_deref().unwrap().contains("asserted nothing"));
    assert!(run.checks[2].error.as_deref().unwrap().contains("no positive control"));
    assert_eq!(run.checks[6].not_run, Some(NotRun::NotClaimed("no-credits".to_owned())));
    assert_eq!(verdict(&run), Verdict::NonConformant);
}

#[tokio::test]
async fn the_verdict_is_one_of_each_exit_code() {
    const GOOD: Check = check! { id: "VER-1", needs: [], run: passes };
    const CHECKS: &[&[Check]] = &[
        &[GOOD],
        &[GOOD, check! { id: "VER-2", needs: [], run: fails }],
        &[GOOD, check! { id: "VER-2", needs: [], slots: 1, run: makes_one }],
        &[GOOD, check! { id: "VER-2", needs: [], run: panics }],
        // Advice that is not followed, and what is not claimed beyond core, take nothing away.
        &[GOOD, check! { id: "CONV-6", needs: [], run: fails }, check! { id: "WH-RO-3", needs: [AtCap], run: fails }],
        &[GOOD, check! { id: "VER-2", needs: [AtCap], run: fails }],
        // Where nothing passed, nothing is known.
        &[check! { id: "VER-2", needs: [AtCap], run: passes }],
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    // Others occupy every slot.
    (0..5).for_each(|number| deployment.hold("a", &format!("https://foreign.test/{number}")));
    let base = deployment.start().await;
    let mut codes = Vec::new();
    for checks in CHECKS {
        codes.push(verdict(&run_these(checks, profile(&base, &["a"]), options(&folder)).await).exit_code());
    }
    assert_eq!(codes, [0, 1, 3, 4, 0, 3, 3]);
    let run = run_these(CHECKS[2], profile(&base, &["a"]), options(&folder)).await;
    assert!(matches!(&run.checks[1].not_run, Some(NotRun::Slots(_))), "{:?}", run.checks[1].not_run);
    assert_eq!(deployment.urls().len(), 5, "what is foreign stays");

    let interrupted = options(&folder);
    interrupted.interrupt.cancel();
    let run = run_these(CHECKS[0], profile(&base, &["a"]), interrupted).await;
    assert_eq!((verdict(&run).exit_code(), run.checks[0].not_run.clone()), (130, Some(NotRun::Interrupted)));
}

fn expect(check: &str, status: Expected) -> Vec<Expectation> {
    vec![Expectation { check: check.to_owned(), status, reason: None, because: "#7".to_owned(), until: None }]
}

#[tokio::test]
async fn what_is_expected_to_fail_is_not_conformant_as_expected() {
    const CHECKS: &[Check] =
        &[check! { id: "VER-1", needs: [], run: passes }, check! { id: "VER-2", needs: [], run: fails }];
    const LONG: &[Check] = &[
        check! { id: "VER-1", needs: [], run: passes },
        check! { id: "VER-2", needs: [], waits: 26_000, run: passes },
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let base = deployment.start().await;
    let judged = async |checks, expect, only: &[&str]| {
        let mut options = Options { expect, allow_partial: true, ..options(&folder) };
        options.selection.only = only.iter().map(|&one| one.to_owned()).collect();
        let run = run_these(checks, claiming(&[Claim::LongTimes], profile(&base, &["a"])), options).await;
        (verdict(&run), verdict(&run).exit_code(), run.stale.len())
    };
    let fails = || expect("VER-2", Expected::Fail);
    assert_eq!(judged(CHECKS, fails(), &[]).await, (Verdict::NonConformantAsExpected, 6, 0));
    assert_eq!(judged(CHECKS, fails(), &["VER-2"]).await, (Verdict::NonConformantAsExpected, 6, 0));
    // A deviation that is not expected weighs more than an expectation that is stale.
    assert_eq!(judged(CHECKS, expect("VER-1", Expected::Fail), &[]).await, (Verdict::NonConformant, 1, 1));
    assert_eq!(judged(CHECKS, expect("VER-2", Expected::NotRun), &[]).await, (Verdict::NonConformant, 1, 1));
    assert_eq!(judged(LONG, fails(), &[]).await, (Verdict::Stale, 5, 1));
    assert_eq!(judged(LONG, expect("VER-2", Expected::NotRun), &[]).await, (Verdict::IncompleteAsExpected, 6, 0));
}

/// WH-RS-2 is of core, and waits for eight hours.
#[tokio::test]
async fn of_core_long_times_alone_may_be_left_unclaimed() {
    const CHECKS: &[Check] = &[
        check! { id: "VER-1", needs: [], run: passes },
        check! { id: "VER-2", needs: [], waits: 28_600, run: passes },
        check! { id: "VER-3", needs: [Translate], run: passes },
        check! { id: "CONV-6", needs: [NoCredits], run: passes },
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let base = deployment.start().await;
    let judged = async |claims: &[Claim], levels: &[Level]| {
        let mut options = options(&folder);
        options.selection.levels = levels.to_vec();
        let run = run_these(CHECKS, claiming(claims, profile(&base, &["a"])), options).await;
        (verdict(&run).to_string(), verdict(&run).exit_code())
    };
    let said = |text: &str, code| (text.to_owned(), code);
    let core = &[Level::Core];
    assert_eq!(judged(&[Claim::Translate], &[]).await, said("conformant, long times not verified", 0));
    assert_eq!(judged(&[Claim::Translate], core).await, said("conformant at level core, long times not verified", 0));
    assert_eq!(
        judged(&[Claim::Translate, Claim::LongTimes], &[]).await,
        said("incomplete", 3),
        "claimed, and longer than it may wait"
    );
    assert_eq!(judged(&[], &[]).await, said("partial: core is not claimed as a whole", 3));
}

#[tokio::test]
async fn a_selection_that_passes_says_nothing_about_the_rest() {
    const CHECKS: &[Check] =
        &[check! { id: "VER-1", needs: [], run: passes }, check! { id: "VER-2", needs: [], run: passes }];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let base = deployment.start().await;
    let judged = async |only: &[&str], levels: &[Level], allow_partial| {
        let mut options = Options { allow_partial, ..options(&folder) };
        options.selection =
            Selection { levels: levels.to_vec(), only: only.iter().map(|&one| one.to_owned()).collect() };
        let run = run_these(CHECKS, profile(&base, &["a"]), options).await;
        (verdict(&run).to_string(), verdict(&run).exit_code())
    };
    let said = |text: &str, code| (text.to_owned(), code);
    assert_eq!(judged(&["VER-1"], &[], false).await, said("selection passed", 3));
    assert_eq!(judged(&["VER-1"], &[], true).await, said("selection passed", 0));
    assert_eq!(judged(&[], &[Level::Core], false).await, said("conformant at level core", 0));
    assert_eq!(judged(&[], &[Level::Core, Level::Extended], false).await, said("conformant at level extended", 0));
    assert_eq!(judged(&[], &[], false).await, said("conformant", 0));
}

#[tokio::test]
async fn a_deployment_that_is_gone_ends_the_run() {
    const CHECKS: &[Check] = &[
        check! { id: "VER-1", needs: [], run: passes },
        check! { id: "VER-2", needs: [], run: passes },
        check! { id: "VER-3", needs: [], run: passes },
        check! { id: "CONV-1", needs: [], run: passes },
        check! { id: "CONV-2", needs: [], run: passes },
    ];
    let folder = tempfile::tempdir().unwrap();
    // A port that nobody listens on: it was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let gone = profile(&format!("http://127.0.0.1:{port}/v1"), &["a"]);
    let run = run_these(CHECKS, gone.clone(), options(&folder)).await;
    let (errors, rest) = run.checks.split_at(3);
    assert!(errors.iter().all(|record| record.status == Status::Error), "{:?}", statuses(&run));
    assert!(rest.iter().all(|record| record.not_run == Some(NotRun::Aborted)), "{:?}", statuses(&run));
    assert!(run.aborted.as_deref().unwrap().contains(&port.to_string()), "{:?}", run.aborted);
    assert_eq!(verdict(&run).exit_code(), 4);
    let patient = Options { give_up_after: 0, ..options(&folder) };
    let run = run_these(CHECKS, gone, patient).await;
    assert!(run.checks.iter().all(|record| record.status == Status::Error) && run.aborted.is_none());
}

#[tokio::test]
async fn what_was_made_is_removed_and_the_journal_with_it() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [Webhooks], slots: 1, run: makes_one }];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    deployment.hold("a", "https://foreign.test/");
    deployment.hold("a", "https://hook.test/.l10n-testkit/earlier/VER-1/1");
    let base = deployment.start().await;
    let run = run_these(CHECKS, profile(&base, &["a"]), options(&folder)).await;
    assert_eq!(verdict(&run), CONFORMANT, "{:?}", run.checks);
    assert_eq!(deployment.urls(), ["https://foreign.test/"], "its own and an earlier run's, and nobody else's");
    assert!(!folder.path().join("journal").exists() && run.journal.is_none());

    let run = run_these(CHECKS, profile(&base, &["a"]), Options { keep: true, ..options(&folder) }).await;
    assert_eq!(deployment.urls().len(), 2);
    let journal = run.journal.unwrap();
    let removed = clean_up(&profile(&base, &["a"]), &Leftovers::Journal(journal.clone())).await.unwrap();
    assert_eq!((removed, deployment.urls().len(), journal.exists()), ((1, Vec::new()), 1, false));
}

/// Two runs against one deployment do not remove each other's webhooks.
#[tokio::test]
async fn webhooks_of_a_run_that_may_be_under_way_are_left_alone() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [Webhooks], slots: 1, run: makes_one }];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let (theirs, earlier) =
        ("https://hook.test/.l10n-testkit/theirs/VER-1/1", "https://hook.test/.l10n-testkit/earlier/VER-1/1");
    let now = jiff::Timestamp::from_millisecond(system_now()).unwrap().to_string();
    deployment.hold_since("a", theirs, &now);
    deployment.hold("a", earlier);
    let base = deployment.start().await;
    let run = run_these(CHECKS, profile(&base, &["a"]), options(&folder)).await;
    assert_eq!(run.checks[0].status, Status::Pass);
    assert_eq!(deployment.urls(), [theirs]);
    // What holds every place of the project keeps the check from running.
    for number in 2..=5 {
        deployment.hold_since("a", &format!("https://hook.test/.l10n-testkit/theirs/VER-1/{number}"), &now);
    }
    let run = run_these(CHECKS, profile(&base, &["a"]), options(&folder)).await;
    assert_eq!((run.checks[0].not_run.clone().unwrap().code(), deployment.urls().len()), ("slots", 5));
}

#[tokio::test]
async fn what_cannot_be_removed_is_an_error_of_the_run_and_of_no_check() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [Webhooks], slots: 1, run: makes_one }];
    let (deployment, folder) = (Deployment { keeps: true, ..Deployment::default() }, tempfile::tempdir().unwrap());
    let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options(&folder)).await;
    assert_eq!(run.checks[0].status, Status::Pass);
    assert_eq!(verdict(&run), Verdict::Error);
    assert!(run.journal.is_some_and(|path| path.exists()), "what stays can be removed later");
}

/// A creation whose answer never came is found by what was intended.
#[tokio::test]
async fn what_an_interrupted_check_made_without_knowing_is_removed() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [Webhooks], slots: 1, run: makes_one }];
    let (deployment, folder) = (Deployment { hangs: true, ..Deployment::default() }, tempfile::tempdir().unwrap());
    deployment.hold("a", "https://foreign.test/");
    let base = deployment.start().await;
    let options = options(&folder);
    let interrupt = options.interrupt.clone();
    let made = deployment.clone();
    tokio::spawn(async move {
        while made.urls().len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        interrupt.cancel();
    });
    let run = run_these(CHECKS, profile(&base, &["a"]), options).await;
    assert_eq!(run.checks[0].not_run, Some(NotRun::Interrupted));
    assert_eq!((verdict(&run).exit_code(), run.clean_up.clone()), (130, Vec::new()));
    assert_eq!(deployment.urls(), ["https://foreign.test/"]);
}

#[tokio::test]
async fn a_check_that_does_not_end_is_an_error() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [], run: never_ends }];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let options = Options { timeout: Duration::from_millis(20), ..options(&folder) };
    let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options).await;
    assert!(run.checks[0].error.as_deref().unwrap().contains("did not end within"), "{:?}", run.checks[0]);
}

#[tokio::test]
async fn a_run_that_may_only_read_sends_nothing_that_writes() {
    const CHECKS: &[Check] = &[
        check! { id: "VER-1", needs: [], run: passes },
        check! { id: "VER-2", needs: [Webhooks], run: makes_one },
        // It does not say that it writes.
        check! { id: "VER-3", needs: [], run: makes_one },
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    deployment.hold("a", "https://hook.test/.l10n-testkit/earlier/VER-1/1");
    let options = Options { read_only: true, ..options(&folder) };
    let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options).await;
    assert_eq!(run.checks[0].status, Status::Pass);
    assert!(run.checks[1..].iter().all(|record| record.not_run == Some(NotRun::ReadOnly)), "{:?}", statuses(&run));
    assert_eq!((deployment.urls().len(), verdict(&run).exit_code()), (1, 3));
}

#[tokio::test]
async fn budgets_are_kept() {
    const CHECKS: &[Check] = &[
        check! { id: "VER-1", needs: [Publish], publishes: 3, run: passes },
        check! { id: "VER-2", needs: [Publish], publishes: 1, run: publishes_more_than_it_says },
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let options = Options { publishes: 2, ..options(&folder) };
    let run = run_these(CHECKS, profile(&deployment.start().await, &["a", "b"]), options).await;
    assert!(run.checks.iter().all(|record| matches!(record.not_run, Some(NotRun::Budget(_)))), "{:?}", run.checks);
    let mut spent: Vec<_> = run.publishes.iter().map(|(_, count)| *count).collect();
    spent.sort_unstable();
    assert_eq!(spent, [0, 2]);
}

/// Both budgets have the code `rate_limited`, and not every deployment says which one it is.
#[tokio::test]
async fn a_daily_budget_that_is_used_up_is_called_that() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [Publish], publishes: 1, run: publishes_once }];
    let folder = tempfile::tempdir().unwrap();
    let plain = json!({ "error": "rate_limited", "message": "" });
    let says = json!({ "error": "rate_limited", "message": "", "details": { "resetsAt": "2030-01-02T00:00:00Z" } });
    for (body, part) in [(plain, "GET /credential is not"), (says, "reset at 2030-01-02T00:00:00Z")] {
        let deployment = Deployment { spent: Some(body), ..Deployment::default() };
        let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options(&folder)).await;
        let reason = run.checks[0].not_run.clone().unwrap();
        assert_eq!((reason.code(), verdict(&run).exit_code()), ("daily_budget", 3));
        assert!(reason.to_string().contains(part) && reason.to_string().contains("POST "), "{reason}");
    }
}

#[tokio::test]
async fn a_head_that_is_refused_is_asked_once_more() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [], run: asks_by_head }];
    let folder = tempfile::tempdir().unwrap();
    for (refused, status) in [(1, Status::Pass), (2, Status::Fail)] {
        let deployment = Deployment { refuses_heads: Arc::new(refused.into()), ..Deployment::default() };
        let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options(&folder)).await;
        assert_eq!(statuses(&run), [("VER-1", status)]);
    }
}

#[tokio::test]
async fn a_refusal_in_another_project_is_told_apart_by_the_window_of_that_project() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [], run: publishes_elsewhere }];
    let folder = tempfile::tempdir().unwrap();
    for (used_up, status) in [("other", Status::Error), ("a", Status::NotRun)] {
        let spent = Some(json!({ "error": "rate_limited", "message": "" }));
        let deployment = Deployment { spent, used_up: Some(used_up), ..Deployment::default() };
        let base = deployment.start().await;
        let other = profile(&base, &["other"]).lanes.pop();
        let run = run_these(CHECKS, Profile { other, ..profile(&base, &["a"]) }, options(&folder)).await;
        let record = &run.checks[0];
        assert_eq!(record.status, status, "{used_up}: {record:?}");
        let is_daily = matches!(record.not_run, Some(NotRun::DailyBudget(_)));
        assert_eq!(is_daily, used_up == "a", "{record:?}");
    }
}

#[tokio::test]
async fn a_run_whose_time_is_over_begins_nothing() {
    const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [], run: passes }];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let options = Options { deadline: Some(Duration::ZERO), ..options(&folder) };
    let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options).await;
    assert_eq!((run.checks[0].not_run.clone(), verdict(&run).exit_code()), (Some(NotRun::Deadline), 3));
}

/// Numbers of running checks, in all and in each project.
static BUSY: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());
static MOST: Mutex<(usize, usize)> = Mutex::new((0, 0));

async fn counts(cx: Cx) -> CheckResult {
    let lane = cx.lane().id.clone();
    {
        let mut busy = BUSY.lock().unwrap();
        *busy.entry(lane.clone()).or_default() += 1;
        let mut most = MOST.lock().unwrap();
        most.0 = most.0.max(busy.values().sum());
        most.1 = most.1.max(busy[&lane]);
    }
    cx.get("/credential").send().await?.control("GET /credential")?;
    *BUSY.lock().unwrap().get_mut(&lane).unwrap() -= 1;
    cx.ensure(true, "nothing", "nothing")
}

#[tokio::test]
async fn each_lane_has_one_check_at_a_time_and_all_lanes_are_used() {
    const CHECKS: &[Check] = &[
        check! { id: "VER-1", needs: [], run: counts },
        check! { id: "VER-2", needs: [], run: counts },
        check! { id: "VER-3", needs: [], run: counts },
        check! { id: "CONV-1", needs: [], run: counts },
        check! { id: "CONV-2", needs: [], run: counts },
        check! { id: "CONV-3", needs: [], run: counts },
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let base = deployment.start().await;
    let lanes = ["a", "b", "c"];
    let run = run_these(CHECKS, profile(&base, &lanes), options(&folder)).await;
    assert_eq!(verdict(&run), CONFORMANT);
    assert_eq!(std::mem::take(&mut *MOST.lock().unwrap()), (3, 1));
    let run = run_these(CHECKS, profile(&base, &lanes), Options { jobs: Some(2), ..options(&folder) }).await;
    assert_eq!(verdict(&run), CONFORMANT);
    assert_eq!(*MOST.lock().unwrap(), (2, 1));
}

static TOGETHER: AtomicUsize = AtomicUsize::new(0);

async fn waits(cx: Cx) -> CheckResult {
    passes(cx.clone()).await?;
    cx.pass(Duration::from_millis(300)).await?;
    // Another came into the lane meanwhile.
    cx.ensure(TOGETHER.load(Ordering::SeqCst) == 1, "another check in the lane", "none")
}

async fn comes_meanwhile(cx: Cx) -> CheckResult {
    TOGETHER.fetch_add(1, Ordering::SeqCst);
    passes(cx).await
}

#[tokio::test]
async fn what_waits_begins_first_and_lets_others_into_its_lane() {
    const CHECKS: &[Check] = &[
        check! { id: "VER-1", needs: [], run: comes_meanwhile },
        check! { id: "VER-2", needs: [], waits: 1, run: waits },
    ];
    let (deployment, folder) = (Deployment::default(), tempfile::tempdir().unwrap());
    let run = run_these(CHECKS, profile(&deployment.start().await, &["a"]), options(&folder)).await;
    assert_eq!(verdict(&run), CONFORMANT, "{:?}", run.checks);

    const LONG: &[Check] = &[check! { id: "VER-1", needs: [], waits: 26_000, run: passes }];
    let run =
        run_these(LONG, claiming(&[Claim::LongTimes], profile(&deployment.start().await, &["a"])), options(&folder))
            .await;
    assert!(matches!(run.checks[0].not_run, Some(NotRun::Clock(_))));
}

/// A gateway answers while there is nothing behind it, and what the hook leaves running is the deployment.
#[tokio::test]
async fn a_restart_is_waited_for_and_what_others_answer_meanwhile_is_no_deviation() {
    const CHECKS: &[Check] =
        &[check! { id: "CONV-5", needs: [], run: passes }, check! { id: "DEL-16", needs: [Restart], run: comes_back }];
    let deployment = Deployment { away: Arc::new(AtomicUsize::new(6)), ..Deployment::default() };
    let folder = tempfile::tempdir().unwrap();
    let mut profile = profile(&deployment.start().await, &["a"]);
    profile.claims.insert(Claim::Restart);
    profile.hooks.restart = ["sh", "-c", "sleep 12 & echo started"].map(str::to_owned).to_vec();
    let run = run_these(CHECKS, profile, options(&folder)).await;
    assert_eq!(statuses(&run), [("CONV-5", Status::Pass), ("DEL-16", Status::Pass)], "{:?}", run.checks);
    assert_eq!(deployment.away.load(Ordering::SeqCst), 0);
}
