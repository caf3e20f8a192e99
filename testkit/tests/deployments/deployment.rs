//! A deployment that counts by the minutes and days of its own clock, and retries as late as it may.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use l10n_testkit::check::Check;
use l10n_testkit::cx::Cx;
use l10n_testkit::outcome::CheckResult;
use l10n_testkit::profile::{Identity, Profile, Project, ReceiverProfile, Secret};
use l10n_testkit::receiver::Authority;
use l10n_testkit::runner::{CheckRecord, run_checks};
use l10n_testkit::{Options, check};
use serde_json::{Value, json};
use tokio::net::TcpListener;

pub(crate) const MINUTE: i64 = 60_000;
const DAY: i64 = 86_400_000;

/// Noon of 1 June 2026.
pub(crate) const NOON: i64 = 1_780_315_200_000;

/// A deployment that counts requests by the minutes of its clock, and publishes by its days (UTC).
#[derive(Debug)]
pub(crate) struct Deployment {
    /// The time of its clock at its start, in milliseconds since 1970.
    pub(crate) start: i64,
    pub(super) started: Instant,
    /// By how much its clock was moved.
    pub(super) moved: AtomicI64,
    pub(crate) requests_a_minute: u32,
    pub(crate) publishes_a_day: u32,
    /// Publishes of the first day that others made before.
    pub(crate) published: u32,
    /// Runs of documents that there are credits for.
    pub(crate) paid_runs: u32,
    /// Its retries are late by almost as much as AMB-23 allows.
    pub(crate) is_late: bool,
    pub(super) counts: Mutex<HashMap<String, u32>>,
    pub(super) authority: Authority,
    pub(super) webhook: Mutex<Option<String>>,
    pub(super) log: Mutex<Vec<Value>>,
}

impl Default for Deployment {
    fn default() -> Self {
        Self {
            start: NOON,
            started: Instant::now(),
            moved: AtomicI64::new(0),
            requests_a_minute: 120,
            publishes_a_day: 30,
            published: 0,
            paid_runs: u32::MAX,
            is_late: false,
            counts: Mutex::default(),
            authority: Authority::new().unwrap(),
            webhook: Mutex::default(),
            log: Mutex::default(),
        }
    }
}

fn refused(status: u16, code: &str) -> (u16, Value) {
    (status, json!({ "error": code, "message": "as it is" }))
}

impl Deployment {
    fn now(&self) -> i64 {
        let since = i64::try_from(self.started.elapsed().as_millis()).unwrap();
        self.start + since + self.moved.load(Ordering::SeqCst)
    }

    fn count(&self, what: &str) -> u32 {
        let mut counts = self.counts.lock().unwrap();
        let count = counts.entry(what.to_owned()).or_default();
        *count += 1;
        *count
    }

    /// A read. Those of the first project cross two minutes.
    async fn read(&self, project: &str) -> (u16, Value) {
        if self.count(&format!("reads of {project}")) >= 60 && project == "scratch-0" {
            while self.now() / MINUTE == self.start / MINUTE {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
        match self.count(&format!("{project} in {}", self.now() / MINUTE)) > self.requests_a_minute {
            true => refused(429, "rate_limited"),
            false => (200, json!({ "scopes": ["admin"] })),
        }
    }

    fn daily(&self, what: &str, project: &str, before: u32) -> (u16, Value) {
        let day = self.now() / DAY;
        let before = if day == self.start / DAY { before } else { 0 };
        let count = self.count(&format!("{what} of {project} on {day}")) + before;
        match count > self.publishes_a_day {
            true => refused(429, "rate_limited"),
            false => (201, json!({ "versionId": format!("ver_{day}_{count}") })),
        }
    }

    /// Delivers an event, attempt after attempt, and keeps the log of it.
    async fn deliver(self: Arc<Self>, url: String, event: String) {
        let authority = reqwest::Certificate::from_pem(self.authority.pem().as_bytes()).unwrap();
        let sender = reqwest::Client::builder().tls_certs_only([authority]).no_proxy().build().unwrap();
        let body = json!({ "id": event, "type": "strings.published" }).to_string();
        for (attempt, wait) in (1..).zip([30, 120, 600, 3_600, 21_600, 0]) {
            let log = |status: &str, attempts: u32| {
                let entry = json!({ "deliveryId": "dlv_1", "eventId": event, "status": status, "attempts": attempts });
                *self.log.lock().unwrap() = vec![entry];
            };
            log("delivering", attempt - 1);
            let sent = sender.post(&url).header("x-service-event-id", &event).body(body.clone()).send().await;
            let is_delivered = sent.is_ok_and(|answer| answer.status().is_success());
            log(if is_delivered { "delivered" } else { "pending" }, attempt);
            if is_delivered {
                return;
            }
            // 4 s less than the leeway.
            let late = if self.is_late { 6_000 + wait * 100 } else { 0 };
            let due = self.now() + wait * 1_000 + late;
            while self.now() < due {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        }
    }

    /// A publish, which the webhook hears of.
    fn publish(self: &Arc<Self>, project: &str) -> (u16, Value) {
        let published = self.daily("publishes", project, self.published);
        if let (201, Some(url)) = (published.0, self.webhook.lock().unwrap().clone()) {
            let event = format!("evt_{}", self.count("events"));
            tokio::spawn(Arc::clone(self).deliver(url, event));
        }
        published
    }

    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let path: Vec<&str> = parts.uri.path().split('/').skip(1).collect();
        let (status, body) = match (parts.method, path.as_slice()) {
            (Method::POST, ["advance"]) => {
                let seconds: Value = serde_json::from_slice(&body).unwrap();
                self.moved.fetch_add(seconds["seconds"].as_i64().unwrap() * 1_000, Ordering::SeqCst);
                (200, json!({}))
            }
            (Method::GET, [.., "webhooks"]) => (200, json!({ "webhooks": [] })),
            (Method::POST, [.., "webhooks"]) => {
                let mut made: Value = serde_json::from_slice(&body).unwrap();
                *self.webhook.lock().unwrap() = made["url"].as_str().map(str::to_owned);
                made["webhookId"] = json!("whk_1");
                made["secret"] = json!("whsec_0123456789abcdefghijklmnopqrstuvwxyz");
                (201, made)
            }
            (Method::DELETE, [.., "webhooks", _]) => (204, Value::Null),
            (Method::GET, [.., "deliveries"]) => (200, json!({ "deliveries": *self.log.lock().unwrap() })),
            (Method::GET, [_, _, project, "credential"]) => self.read(project).await,
            (Method::POST, [_, _, project, "publish"]) => self.publish(project),
            (Method::POST, [_, _, project, "versions", _, "restore"]) => self.daily("restores", project, 0),
            (Method::POST, [.., "content"]) => (201, json!({ "docId": "doc_1" })),
            (Method::POST, [.., "run"]) if self.count("runs") > self.paid_runs => refused(402, "insufficient_credits"),
            (Method::POST, [.., "run"]) => (202, json!({ "status": "queued", "trackingToken": "trk_1" })),
            _ => refused(404, "not_found"),
        };
        let date = jiff::Timestamp::from_millisecond(self.now()).unwrap().strftime("%a, %d %b %Y %H:%M:%S GMT");
        let answer = Response::builder().status(status).header("date", date.to_string()).header("retry-after", "60");
        let answer = answer.header("x-correlation-id", format!("request-{}", self.count("answers")));
        let body = if body.is_null() { String::new() } else { body.to_string() };
        Ok(answer.header("content-type", "application/json").body(Full::from(body)).unwrap())
    }

    /// Runs a check against it. Returns the record of it.
    pub(crate) async fn judged(self, id: &str, moves_time: bool) -> CheckRecord {
        // Another test may have been first.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let folder = tempfile::tempdir().unwrap();
        let receiver = receiver(&self.authority, folder.path());
        let this = Arc::new(self);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let this = Arc::clone(&this);
                let service = service_fn(move |request| Arc::clone(&this).answer(request));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
            }
        });
        let claims = [
            "webhooks",
            "receiver",
            "publish",
            "documents",
            "scratch",
            "burn",
            "daily-budgets",
            "second-key",
            "long-times",
        ];
        let clock = match moves_time {
            true => format!("clock = [\"{origin}/advance\"]"),
            false => "longest_wait = 28800".to_owned(),
        };
        let text = format!("base_url = \"{origin}/v1\"\nlanes = []\nclaims = {claims:?}\n[time]\n{clock}\n");
        let profile: Profile = toml::from_str(&text).unwrap();
        let projects = |name: &str, count: usize| (0..count).map(|number| project(name, number)).collect();
        let (lanes, scratch, burn) = (projects("lane", 1), projects("scratch", 6), projects("burn", 3));
        let profile = Profile { lanes, scratch, burn, receiver: Some(receiver), ..profile };
        let mut checks: Vec<&'static Check> = CHECKS.iter().collect();
        checks.extend(l10n_testkit::checks::all().into_iter().filter(|check| check.id == id));
        let journal = Some(folder.path().join("journal"));
        // Less than a retry may be late.
        let timeout = Duration::from_secs(5);
        let options = Options { preflight: false, burn_budgets: true, journal, timeout, ..Options::default() };
        let run = run_checks(checks, profile, options).await.unwrap();
        run.checks.into_iter().find(|record| record.check.id == id).unwrap()
    }
}

/// A check that has webhooks, so that the run learns the deployment's clock.
const CHECKS: &[Check] = &[check! { id: "VER-1", needs: [Webhooks], slots: 1, run: passes }];

async fn passes(cx: Cx) -> CheckResult {
    cx.get("/webhooks").send().await?.control("GET /webhooks")?.expect(200).map(drop)
}

/// A receiver whose certificates this authority issues.
fn receiver(authority: &Authority, folder: &Path) -> ReceiverProfile {
    let (ca, ca_key) = (folder.join("ca.pem"), folder.join("ca.key"));
    std::fs::write(&ca, authority.pem()).unwrap();
    std::fs::write(&ca_key, authority.key_pem()).unwrap();
    ReceiverProfile {
        listen: ([127, 0, 0, 1], 0).into(),
        public_url: None,
        ca: Some(ca),
        ca_key: Some(ca_key),
        cert: None,
        key: None,
        spares: Vec::new(),
    }
}

fn project(name: &str, number: usize) -> Project {
    let id = format!("{name}-{number}");
    let key = |identity: Identity| (identity, Secret::of(format!("eik_{identity}_{id}")));
    let keys = BTreeMap::from([key(Identity::Full), key(Identity::Second)]);
    Project { handle: "acme".to_owned(), slug: id.clone(), keys, id }
}
