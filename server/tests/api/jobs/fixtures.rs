//! Shared code of the tests of jobs: calls, engines that fail on demand, and the contents of the datastore.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use l10n_api_types::translations::{Job, KeyDetail, Run, VersionFile, VersionFiles};
use l10n_api_types::{Content, Key, Millicredits, WorkspaceId};
use l10n_server::clock::Clock as _;
use l10n_server::domain::jobs::{self, Claimant, Lease};
use l10n_server::domain::provision::{Description, provision};
use l10n_server::engines::{
    Batch, BatchItem, BatchLimits, EngineError, EngineRegistry, Engines, Pseudo, TextSegment, Translator, UnitError,
};
use l10n_server::service::Service;
use l10n_server::store::jobs::PassedOver;
use l10n_server::store::{HeldTurn, Tx, holds, ledger, workspaces};
use l10n_server::testing::{Answer, Call, TestApp, sql};
use l10n_server::workers::translate::{WorkerConfig, run};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub(crate) fn sync(app: &TestApp, path: &str, content: &Value) -> Call {
    sync_with(app, "", path, content, json!({}))
}

/// A sync with this query and these further fields.
pub(crate) fn sync_with(app: &TestApp, query: &str, path: &str, content: &Value, more: Value) -> Call {
    let mut body =
        json!({"file": {"path": path, "content": content.to_string(), "encoding": "utf8", "format": "json"}});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    app.post(&format!("/sync{query}")).json(&body)
}

/// Syncs a file, whose format is found by its name, with these further fields.
pub(crate) async fn send(app: &TestApp, path: &str, content: &str, more: &Value) -> Run {
    let mut body = json!({"file": {"path": path, "content": content, "encoding": "utf8"}});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    taken(app.post("/sync").json(&body).send().await)
}

pub(crate) fn translate(app: &TestApp, keys: &[Key]) -> Call {
    app.post("/translate").json(&json!({ "keys": keys }))
}

pub(crate) fn texts<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Vec<Key> {
    texts.into_iter().map(|(name, text)| Key::text(name, text)).collect()
}

/// The answer of a run that was taken.
pub(crate) fn taken(answer: Answer) -> Run {
    assert!(answer.status < 300, "{answer:?}");
    let run: Run = answer.read();
    assert_eq!(answer.header("x-correlation-id"), Some(run.request_id.as_str()));
    assert_eq!(answer.status == 202, run.tracking_token.is_some(), "202 when work was queued: {run:?}");
    run
}

/// Sends a call that takes a while.
pub(crate) fn under_way(call: Call) -> JoinHandle<Answer> {
    tokio::spawn(async move { call.send().await })
}

/// Stops a large run of the app's project between two of its pieces, as soon as there are some of these rows.
pub(crate) async fn stopped(app: &TestApp, run: &JoinHandle<Answer>, rows: &str) -> HeldTurn {
    loop {
        let held = app.service.store.hold_turn(&app.project.id).await.unwrap();
        if sql::count(&app.service.store, rows).await > 0 {
            return held;
        }
        assert!(!run.is_finished(), "it was never seen that there were {rows}");
        drop(held);
        tokio::task::yield_now().await;
    }
}

/// Waits for the job of a run to end.
pub(crate) async fn ended(app: &TestApp, run: &Run) -> Job {
    let token = run.tracking_token.as_ref().unwrap_or_else(|| panic!("no job was queued: {run:?}"));
    loop {
        let answer = app.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let job: Job = answer.read();
        assert!(job.credits_charged <= job.estimated_credits, "a quote is a bound: {job:?}");
        if job.status.is_final() {
            assert_eq!(job.progress.total, job.progress.done + job.progress.failed, "{job:?}");
            assert_eq!(job.poll_after_ms, 0);
            return job;
        }
    }
}

pub(crate) async fn key(app: &TestApp, name: &str) -> KeyDetail {
    let answer = app.get(&format!("/translations?ref={name}")).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

/// Publishes in these languages. Returns the version.
pub(crate) async fn publish_in(app: &TestApp, languages: &[&str]) -> String {
    let published = app.post("/publish").json(&json!({"languages": languages})).send().await.json();
    published["versionId"].as_str().unwrap_or_else(|| panic!("{published}")).to_owned()
}

/// The files of a version for a language.
pub(crate) async fn files_in(app: &TestApp, version: &str, language: &str) -> Vec<VersionFile> {
    let answer = app.get(&format!("/translations?language={language}&version={version}")).send().await;
    answer.read::<VersionFiles>().files
}

/// The text of a key in a language, as far as there is one.
pub(crate) fn text_in<'a>(key: &'a KeyDetail, language: &str) -> Option<&'a str> {
    let translation = key.translations.iter().find(|translation| translation.language.as_str() == language)?;
    translation.text.as_deref()
}

/// Everything that a refused or dry request must leave as it is: the project as the API shows it, and the workspace's
/// money. Holds that are live count.
pub(crate) async fn state(app: &TestApp) -> Value {
    let mut meta = app.get("/meta").send().await.json();
    meta.as_object_mut().unwrap().remove("remaining");
    let list = app.get("/translations?limit=500").send().await.json();
    let money = money(app).await;
    json!({"meta": meta, "list": list, "balance": money.balance.0, "ledger": money.ledger.0, "held": money.held.0})
}

pub(crate) struct Money {
    pub(crate) balance: Millicredits,
    pub(crate) ledger: Millicredits,
    pub(crate) held: Millicredits,
}

/// The money of the app's workspace, from the datastore. The balance is the sum of the ledger.
pub(crate) async fn money(app: &TestApp) -> Money {
    money_of(app, &app.project.workspace).await
}

pub(crate) async fn money_of(app: &TestApp, workspace: &WorkspaceId) -> Money {
    let mut tx = app.service.store.begin_read().await.unwrap();
    let balance = workspaces::find(&mut tx, workspace).await.unwrap().unwrap().balance;
    let ledger = ledger::sum(&mut tx, workspace).await.unwrap();
    let held = holds::live_total(&mut tx, workspace, app.clock.now()).await.unwrap();
    assert_eq!(balance, ledger, "the balance is the sum of the ledger");
    assert!(balance >= Millicredits::ZERO);
    Money { balance, ledger, held }
}

/// Leases the job whose turn it is, as a worker does that has none.
pub(crate) async fn claim(app: &TestApp, tx: &mut Tx) -> Option<Lease> {
    claim_as(app, tx, &Claimant::new(app.clock.now()), &PassedOver::new()).await
}

/// Leases the job whose turn it is, of those that are not passed over.
pub(crate) async fn claim_as(app: &TestApp, tx: &mut Tx, claimant: &Claimant, passed: &PassedOver) -> Option<Lease> {
    let now = app.clock.now();
    let lease = jobs::next(tx, claimant, passed, now).await.unwrap()?;
    assert!(jobs::claim(tx, &lease, now).await.unwrap(), "nobody else leases it");
    Some(lease)
}

/// A configuration for tests: failures are retried at once, and no chunk is begun before there is a seat.
pub(crate) const QUICK: WorkerConfig = WorkerConfig {
    poll: Duration::from_millis(20),
    heartbeat: Duration::from_millis(20),
    ahead: 0,
    attempts: 3,
    backoff: Duration::from_millis(1),
    longest_backoff: Duration::from_millis(5),
};

/// A worker that ends when it is dropped: as a process that is killed, it finishes nothing.
pub(crate) struct TestWorker {
    task: JoinHandle<()>,
    shutdown: CancellationToken,
}

impl TestWorker {
    /// With [`QUICK`].
    pub(crate) fn start(app: &TestApp) -> Self {
        Self::configured(app, QUICK)
    }

    pub(crate) fn configured(app: &TestApp, config: WorkerConfig) -> Self {
        Self::of(&app.service, config)
    }

    /// Of a service with other parts than the app's.
    pub(crate) fn of(service: &Service, config: WorkerConfig) -> Self {
        let shutdown = CancellationToken::new();
        Self { task: tokio::spawn(run(service.clone(), config, shutdown.clone())), shutdown }
    }

    pub(crate) async fn kill(mut self) {
        self.task.abort();
        let _ = (&mut self.task).await;
    }

    /// Tells it to end, and goes on.
    pub(crate) fn tell_to_end(&self) {
        self.shutdown.cancel();
    }

    pub(crate) async fn shut_down(mut self) {
        self.tell_to_end();
        (&mut self.task).await.unwrap();
    }
}

impl Drop for TestWorker {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An engine that translates as pseudo does, one batch after the other, counts what it is asked, and fails or stands still on demand.
#[derive(Default)]
pub(crate) struct ScriptedEngine {
    /// Texts that it refuses.
    pub(crate) refuses: Mutex<Vec<String>>,
    /// Calls that it does not answer: it is down for so many.
    pub(crate) down_for: AtomicUsize,
    /// Calls after these at which it is busy, and asks to be asked later.
    pub(crate) busy_for: AtomicUsize,
    /// The call, counted from 1, that never ends; 0 for none.
    pub(crate) hangs_at: AtomicUsize,
    /// The call, counted from 1, from which on it says that its quota is used up; 0 for none.
    pub(crate) spent_from: AtomicUsize,
    /// True if it cannot work as it is set up.
    pub(crate) broken: AtomicBool,
    /// Told when a call hangs.
    pub(crate) hangs: Notify,
    pub(crate) calls: AtomicUsize,
    /// The number of translations of each text into each language.
    pub(crate) seen: Mutex<BTreeMap<(String, String), usize>>,
}

impl ScriptedEngine {
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

fn text(segments: &[TextSegment]) -> String {
    let text = segments.iter().map(|segment| match segment {
        TextSegment::Text(text) => text.as_str(),
        TextSegment::Placeholder { original, .. } => original.as_str(),
    });
    text.collect()
}

#[async_trait]
impl Translator for ScriptedEngine {
    fn name(&self) -> &str {
        "scripted"
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(1_000, 1_000_000)
    }

    fn at_once(&self) -> usize {
        1
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if self.hangs_at.load(Ordering::SeqCst) == call {
            self.hangs.notify_one();
            std::future::pending::<()>().await;
        }
        if self.down_for.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() {
            return Err(EngineError::Unavailable("it is switched off".into()));
        }
        if self.busy_for.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok() {
            return Err(EngineError::RateLimited { retry_after_seconds: 0 });
        }
        if (1..=call).contains(&self.spent_from.load(Ordering::SeqCst)) {
            return Err(EngineError::QuotaExhausted("the invoice /opt/secret is not paid".into()));
        }
        if self.broken.load(Ordering::SeqCst) {
            return Err(EngineError::Misconfigured("/opt/secret does not exist".into()));
        }
        let mut results = Pseudo.translate(batch).await?;
        for (item, result) in batch.items.iter().zip(&mut results) {
            let text = text(&item.segments);
            if self.refuses.lock().unwrap().contains(&text) {
                *result = Err(UnitError::Refused("it does not like it".into()));
            }
            *self.seen.lock().unwrap().entry((text, batch.target.clone())).or_default() += 1;
        }
        Ok(results)
    }
}

/// An engine that writes its name before each text, and refuses texts with an exclamation mark if it is `shy`.
pub(crate) struct NamedEngine {
    pub(crate) name: &'static str,
    pub(crate) shy: bool,
}

impl NamedEngine {
    pub(crate) fn shared(name: &'static str, shy: bool) -> Arc<dyn Translator> {
        Arc::new(Self { name, shy })
    }
}

#[async_trait]
impl Translator for NamedEngine {
    fn name(&self) -> &str {
        self.name
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(1_000, 1_000_000)
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let result = |item: &BatchItem| {
            if self.shy && text(&item.segments).contains('!') {
                return Err(UnitError::Refused("it does not like it".into()));
            }
            let name = TextSegment::Text(format!("{} ", self.name));
            Ok(std::iter::once(name).chain(item.segments.iter().cloned()).collect())
        };
        Ok(batch.items.iter().map(result).collect())
    }
}

/// Engines of which projects may choose: `plain` translates where nothing is chosen, beside it are `other` and the shy `careful`.
pub(crate) fn named_engines() -> EngineRegistry {
    let others = vec![NamedEngine::shared("other", false), NamedEngine::shared("careful", true)];
    EngineRegistry::new(Engines::from(NamedEngine::shared("plain", false)), others)
}

/// Describes the app's project for `provision`, with these further fields; returns what was wrong.
pub(crate) async fn provide(app: &TestApp, more: Value) -> Result<(), String> {
    let mut project = json!({"slug": app.project.slug, "name": "Test project", "baseLanguage": "en"});
    for (name, value) in more.as_object().unwrap() {
        project[name] = value.clone();
    }
    let workspaces = json!({"workspaces": [{"handle": app.project.handle, "projects": [project]}]});
    let description: Description = serde_json::from_value(workspaces).unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    match provision(&mut tx, app.service.provisioning(), &description).await {
        Ok(_) => tx.commit().await.map_err(|error| error.to_string()),
        Err(error) => {
            tx.rollback().await.unwrap();
            Err(error.to_string())
        }
    }
}

/// The price of a run: the characters of each distinct text, once for each language.
pub(crate) fn price_of(keys: &[Key], languages: i64) -> Millicredits {
    let distinct: std::collections::HashSet<Content> = keys.iter().map(|key| key.content().unwrap()).collect();
    let characters: u64 = distinct.iter().map(Content::characters).sum();
    Millicredits(i64::try_from(characters).unwrap() * languages)
}
