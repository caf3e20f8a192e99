//! Engines that are kept busy: as many requests at once as they take, whether one job has them or many; and nobody waits for long
//! behind others. The tests compare what the engine saw, never times.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use l10n_api_types::translations::{Job, JobStatus, Run};
use l10n_api_types::{Key, Millicredits};
use l10n_server::domain::jobs::JOB_LEASE_MILLIS;
use l10n_server::engines::{
    Batch, BatchLimits, EngineError, EngineRegistry, Engines, Pseudo, TextSegment, Translator, UnitError,
};
use l10n_server::testing::{CREDITS, TestApp, TestProject, TestStore};
use l10n_server::workers::translate::WorkerConfig;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::jobs::fixtures::{QUICK, TestWorker, ended, money, price_of, provide, taken, translate};

l10n_server::both_engines!(
    one_job_has_as_many_requests_at_once_as_the_service_takes,
    many_jobs_have_as_many_requests_at_once_as_the_service_takes,
    an_engine_on_the_same_machine_has_two_requests_at_once,
    an_engine_that_hangs_takes_its_own_seats_only,
    a_text_of_another_workspace_does_not_wait_behind_a_large_job,
    a_worker_killed_with_eight_batches_under_way_has_charged_what_is_there,
    a_worker_that_shuts_down_begins_nothing_that_waits_for_a_seat,
    chunks_that_wait_for_their_project_leave_the_engine_to_other_workspaces,
);

/// As in a server, but that failures are retried at once.
const BUSY: WorkerConfig = WorkerConfig { ahead: 8, ..QUICK };

/// Requests at once of a service.
const EIGHT: usize = 8;

/// Translates as pseudo does, once the test lets it, and counts what it is asked.
struct Gate {
    name: &'static str,
    at_once: Option<usize>,
    /// Answers that it may give.
    open: Semaphore,
    under_way: AtomicUsize,
    most: AtomicUsize,
    /// The first words of the first texts of the calls, in their order.
    order: Mutex<Vec<String>>,
    answered: AtomicUsize,
    /// The number of translations of each text into each language.
    seen: Mutex<BTreeMap<(String, String), usize>>,
}

impl Gate {
    fn shut(name: &'static str, at_once: Option<usize>) -> Arc<Self> {
        Arc::new(Self {
            name,
            at_once,
            open: Semaphore::new(0),
            under_way: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            order: Mutex::default(),
            answered: AtomicUsize::new(0),
            seen: Mutex::default(),
        })
    }

    fn open(&self) {
        self.open.add_permits(Semaphore::MAX_PERMITS / 2);
    }

    /// Waits until so many requests are under way.
    async fn until_busy(&self, count: usize) {
        while self.under_way.load(Ordering::SeqCst) < count {
            tokio::task::yield_now().await;
        }
    }

    fn calls(&self) -> usize {
        self.order.lock().unwrap().len()
    }

    /// The texts that it has answered.
    fn answered(&self) -> usize {
        self.answered.load(Ordering::SeqCst)
    }

    fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Translator for Gate {
    fn name(&self) -> &str {
        self.name
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(1_000, 1_000_000)
    }

    fn at_once(&self) -> usize {
        self.at_once.unwrap_or_else(|| Pseudo.at_once())
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let Some(TextSegment::Text(text)) = batch.items[0].segments.first() else { panic!("a text") };
        self.order.lock().unwrap().push(text.split(' ').next().unwrap().to_owned());
        let under_way = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(under_way, Ordering::SeqCst);
        let call = UnderWay(self);
        self.open.acquire().await.unwrap().forget();
        let results = Pseudo.translate(batch).await?;
        let mut seen = self.seen.lock().unwrap();
        for item in &batch.items {
            let text: String = item.segments.iter().map(TextSegment::original).collect();
            *seen.entry((text, batch.target.clone())).or_default() += 1;
        }
        self.answered.fetch_add(batch.items.len(), Ordering::SeqCst);
        drop(call);
        Ok(results)
    }
}

/// A request that is under way, until it is answered or given up.
struct UnderWay<'a>(&'a Gate);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn idle(store: &TestStore, at_once: Option<usize>) -> (TestApp, Arc<Gate>) {
    let engine = Gate::shut("gate", at_once);
    (TestApp::idle(store, |_| {}, Arc::clone(&engine) as Arc<dyn Translator>).await, engine)
}

/// So many texts, into two languages: chunks of a hundred for each.
fn keys(name: &str, count: usize) -> Vec<Key> {
    (0..count).map(|n| Key::text(format!("{name}-{n:04}"), format!("{name} text number {n}"))).collect()
}

async fn queue(app: &TestApp, project: &TestProject, keys: &[Key]) -> Run {
    let path = format!("/v1/projects/{}/translate", project.id);
    let call = app.at(http::Method::POST, &path).key(&project.keys.admin);
    taken(call.json(&json!({ "keys": keys })).send().await)
}

async fn job(app: &TestApp, project: &TestProject, run: &Run) -> Job {
    let token = run.tracking_token.as_ref().unwrap();
    let path = format!("/v1/projects/{}/translations?trackingToken={token}&limit=1", project.id);
    app.at(http::Method::GET, &path).key(&project.keys.admin).send().await.read()
}

async fn until_ended(app: &TestApp, project: &TestProject, run: &Run) -> Job {
    loop {
        let job = job(app, project, run).await;
        if job.status.is_final() {
            return job;
        }
    }
}

/// One job of 20 chunks: the engine has so many requests at once, and no more at any time.
async fn one_job(store: TestStore, at_once: Option<usize>, expected: usize) {
    let (app, engine) = idle(&store, at_once).await;
    let keys = keys("A", 1_000);
    let run = taken(translate(&app, &keys).send().await);
    let _worker = TestWorker::configured(&app, BUSY);
    engine.until_busy(expected).await;
    engine.open();
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.credits_charged), (JobStatus::Completed, price_of(&keys, 2)));
    assert_eq!((engine.most(), engine.calls()), (expected, 20));
    assert!(engine.seen.lock().unwrap().values().all(|times| *times == 1));
}

async fn one_job_has_as_many_requests_at_once_as_the_service_takes(store: TestStore) {
    one_job(store, Some(EIGHT), EIGHT).await;
}

async fn an_engine_on_the_same_machine_has_two_requests_at_once(store: TestStore) {
    one_job(store, None, 2).await;
}

async fn many_jobs_have_as_many_requests_at_once_as_the_service_takes(store: TestStore) {
    let (app, engine) = idle(&store, Some(EIGHT)).await;
    let others = [app.other_project("unlimited").await, app.other_project("unlimited").await];
    let mut runs = Vec::new();
    for n in 0..8 {
        for project in std::iter::once(&app.project).chain(&others) {
            runs.push((project, queue(&app, project, &keys(&format!("{}-{n}", project.handle), 10)).await));
        }
    }
    let _worker = TestWorker::configured(&app, BUSY);
    engine.until_busy(EIGHT).await;
    engine.open();
    for (project, run) in &runs {
        let job = until_ended(&app, project, run).await;
        assert_eq!((job.status, job.credits_charged), (JobStatus::Completed, run.estimated_credits));
    }
    assert_eq!((engine.most(), engine.calls()), (EIGHT, 24 * 2));
}

/// The one that hangs has many jobs, of the same workspace and of another one.
async fn an_engine_that_hangs_takes_its_own_seats_only(store: TestStore) {
    let (good, hung) = (Gate::shut("good", Some(EIGHT)), Gate::shut("hung", Some(EIGHT)));
    good.open();
    let registry = EngineRegistry::new(
        Engines::from(Arc::clone(&good) as Arc<dyn Translator>),
        vec![Arc::clone(&hung) as Arc<dyn Translator>],
    );
    let app = TestApp::idle_with(&store, |_| {}, registry).await;
    provide(&app, json!({"engine": "hung"})).await.unwrap();
    for n in 0..20 {
        queue(&app, &app.project, &keys(&format!("H{n}"), 60)).await;
    }
    queue(&app, &app.project, &keys("Large", 1_200)).await;
    let beside = app.project_beside("beside").await;
    let other = app.other_project("unlimited").await;
    let _worker = TestWorker::configured(&app, BUSY);
    hung.until_busy(EIGHT).await;
    for project in [&beside, &other] {
        let run = queue(&app, project, &keys("G", 300)).await;
        assert_eq!(until_ended(&app, project, &run).await.status, JobStatus::Completed);
    }
    assert_eq!((hung.calls(), hung.answered()), (EIGHT, 0));
}

/// The large job has 40 chunks. When the text comes, eight of them are at the engine, and as many are begun.
async fn a_text_of_another_workspace_does_not_wait_behind_a_large_job(store: TestStore) {
    let (app, engine) = idle(&store, Some(EIGHT)).await;
    let large = queue(&app, &app.project, &keys("A", 2_000)).await;
    let other = app.other_project("unlimited").await;
    let _worker = TestWorker::configured(&app, BUSY);
    engine.until_busy(EIGHT).await;
    let small = queue(&app, &other, &keys("B", 1)).await;
    while job(&app, &other, &small).await.status == JobStatus::Queued {
        tokio::task::yield_now().await;
    }
    engine.open();
    assert_eq!(until_ended(&app, &other, &small).await.status, JobStatus::Completed);
    assert_eq!(ended(&app, &large).await.status, JobStatus::Completed);
    let order = engine.order.lock().unwrap();
    let place = order.iter().position(|name| name == "B").unwrap();
    assert!(place < 24, "place {place} of {}: {order:?}", order.len());
}

/// RES-13: some chunks are committed, eight batches are at the engine and others wait for a seat when the worker is killed.
async fn a_worker_killed_with_eight_batches_under_way_has_charged_what_is_there(store: TestStore) {
    let (app, engine) = idle(&store, Some(EIGHT)).await;
    let keys = keys("A", 2_000);
    let run = taken(translate(&app, &keys).send().await);
    let worker = TestWorker::configured(&app, BUSY);
    engine.open.add_permits(3);
    // All that was answered is committed, so that no commit is under way when the worker is killed.
    loop {
        let done = job(&app, &app.project, &run).await.progress.done;
        if engine.calls() == EIGHT + 3 && done > 0 && done == engine.answered() as u64 {
            break;
        }
    }
    worker.kill().await;
    let cut = job(&app, &app.project, &run).await;
    assert_eq!((cut.status, cut.progress.done), (JobStatus::Running, engine.answered() as u64));
    let now = money(&app).await;
    assert!(cut.credits_charged > Millicredits::ZERO && now.balance == CREDITS - cut.credits_charged);
    assert_eq!(now.held, price_of(&keys, 2) - cut.credits_charged);

    app.clock.advance(std::time::Duration::from_millis(JOB_LEASE_MILLIS.unsigned_abs()));
    let _worker = TestWorker::configured(&app, BUSY);
    engine.open();
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.credits_charged), (JobStatus::Completed, price_of(&keys, 2)));
    let money = money(&app).await;
    assert_eq!((money.balance, money.held), (CREDITS - price_of(&keys, 2), Millicredits::ZERO));
    let seen = engine.seen.lock().unwrap();
    assert_eq!(seen.len(), keys.len() * 2);
    assert!(seen.values().all(|times| *times == 1), "no answer was lost, and none was asked for twice");
}

async fn a_worker_that_shuts_down_begins_nothing_that_waits_for_a_seat(store: TestStore) {
    let (app, engine) = idle(&store, Some(EIGHT)).await;
    let keys = keys("A", 2_000);
    let run = taken(translate(&app, &keys).send().await);
    let worker = TestWorker::configured(&app, BUSY);
    engine.until_busy(EIGHT).await;
    worker.tell_to_end();
    engine.open();
    worker.shut_down().await;
    let cut = job(&app, &app.project, &run).await;
    assert_eq!((engine.calls(), cut.progress.done), (EIGHT, engine.answered() as u64), "what it had is committed");
    let _worker = TestWorker::configured(&app, BUSY);
    // The clock stands still: the lease was given back, it did not run out.
    assert_eq!(ended(&app, &run).await.credits_charged, price_of(&keys, 2));
}

/// Eight chunks are translated, and somebody else changes their project meanwhile: they wait for it, and not at the engine.
async fn chunks_that_wait_for_their_project_leave_the_engine_to_other_workspaces(store: TestStore) {
    let (app, engine) = idle(&store, Some(EIGHT)).await;
    let waiting = queue(&app, &app.project, &keys("A", 2_000)).await;
    let other = app.other_project("unlimited").await;
    let held = app.service.store.hold_turn(&app.project.id).await.unwrap();
    let _worker = TestWorker::configured(&app, QUICK);
    engine.until_busy(EIGHT).await;
    engine.open.add_permits(EIGHT);
    while engine.answered() < EIGHT * 100 {
        tokio::task::yield_now().await;
    }
    let run = queue(&app, &other, &keys("B", 1_000)).await;
    engine.until_busy(EIGHT).await;
    engine.open();
    assert_eq!(until_ended(&app, &other, &run).await.status, JobStatus::Completed);
    let of = |name: &str| engine.order.lock().unwrap().iter().filter(|asked| *asked == name).count();
    assert_eq!((of("A"), of("B")), (EIGHT, 20), "a project that is held has no more chunks under way than before");
    drop(held);
    assert_eq!(ended(&app, &waiting).await.status, JobStatus::Completed);
}
