//! The order of jobs: workspaces take turns, one chunk each, and small jobs go before large ones of the same workspace.
//! The tests compare the order of claims and of engine calls, never times.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use l10n_api_types::translations::{JobStatus, Run};
use l10n_api_types::{Key, TrackingToken};
use l10n_server::clock::Clock as _;
use l10n_server::domain::jobs::{Claimant, NextChunk};
use l10n_server::engines::{Batch, BatchLimits, EngineError, Pseudo, TextSegment, Translator, UnitError};
use l10n_server::store::Tx;
use l10n_server::store::jobs::PassedOver;
use l10n_server::testing::{Call, TestApp, TestProject, TestStore};
use serde_json::json;
use tokio::sync::watch;

use crate::jobs::fixtures::{TestWorker, claim, claim_as, ended, taken};

l10n_server::both_engines!(
    one_text_is_begun_while_every_chunk_of_another_workspace_stands_still,
    workspaces_take_turns_one_chunk_each,
    a_small_job_goes_before_the_large_ones_of_its_workspace,
    a_workspace_without_work_holds_nobody_up,
    the_next_job_is_found_among_thousands_without_reading_them,
);

/// Translates as pseudo does while its gate is open, and writes down whose chunk it was asked for: the first word of its first
/// text.
struct Recorder {
    asked: Mutex<Vec<String>>,
    gate: watch::Sender<bool>,
}

impl Recorder {
    fn order(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

#[async_trait]
impl Translator for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }

    fn limits(&self) -> BatchLimits {
        BatchLimits::of(10_000, 10_000_000)
    }

    fn at_once(&self) -> usize {
        1
    }

    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        let Some(TextSegment::Text(text)) = batch.items[0].segments.first() else { panic!("a text") };
        self.asked.lock().unwrap().push(text.split(' ').next().unwrap().to_owned());
        self.gate.subscribe().wait_for(|is_open| *is_open).await.unwrap();
        Pseudo.translate(batch).await
    }
}

async fn idle(store: &TestStore) -> (TestApp, Arc<Recorder>) {
    let engine = Arc::new(Recorder { asked: Mutex::default(), gate: watch::Sender::new(true) });
    (TestApp::idle(store, |_| {}, engine.clone()).await, engine)
}

/// So many texts, into two languages.
fn keys(name: &str, count: usize) -> Vec<Key> {
    (0..count).map(|n| Key::text(format!("{name}-{n:04}"), format!("{name} text number {n}"))).collect()
}

async fn queue(app: &TestApp, project: &TestProject, keys: &[Key]) -> Run {
    let path = format!("/v1/projects/{}/translate", project.id);
    let call: Call = app.at(http::Method::POST, &path).key(&project.keys.admin);
    taken(call.json(&json!({ "keys": keys })).send().await)
}

async fn status(app: &TestApp, project: &TestProject, token: &TrackingToken) -> JobStatus {
    let path = format!("/v1/projects/{}/translations?trackingToken={token}", project.id);
    let answer = app.at(http::Method::GET, &path).key(&project.keys.admin).send().await;
    answer.read::<l10n_api_types::translations::Job>().status
}

/// With one worker each in two processes, and an engine with one seat, which ends no chunk until the small job is begun.
async fn one_text_is_begun_while_every_chunk_of_another_workspace_stands_still(store: TestStore) {
    let (app, engine) = idle(&store).await;
    engine.gate.send_replace(false);
    let first = queue(&app, &app.project, &keys("A", 1_000)).await;
    let second = queue(&app, &app.project, &keys("C", 1_000)).await;
    let other = app.other_project("unlimited").await;
    let small = queue(&app, &other, &keys("B", 1)).await;
    let beside = app.beside(&store).await;
    let _workers = [TestWorker::start(&app), TestWorker::start(&beside)];
    let token = small.tracking_token.unwrap();
    while status(&app, &other, &token).await == JobStatus::Queued {
        tokio::task::yield_now().await;
    }
    engine.gate.send_replace(true);
    while !status(&app, &other, &token).await.is_final() {
        tokio::task::yield_now().await;
    }
    for run in [&first, &second] {
        assert_eq!(ended(&app, run).await.status, JobStatus::Completed);
    }
    let order = engine.order();
    assert_eq!(order.len(), 40 + 2, "{order:?}");
}

/// The order in which a worker takes chunks, of which none ends meanwhile. Engines are asked in nearly the same order, as the
/// beginnings of chunks overtake each other.
async fn workspaces_take_turns_one_chunk_each(store: TestStore) {
    let (app, _) = idle(&store).await;
    let others = [app.other_project("unlimited").await, app.other_project("unlimited").await];
    for (project, name, count) in [(&app.project, "A", 300), (&others[0], "B", 200), (&others[1], "C", 200)] {
        queue(&app, project, &keys(name, count)).await;
    }
    let mut claimant = Claimant::new(app.clock.now());
    let (mut begun, mut order) = (PassedOver::new(), Vec::new());
    let mut tx = app.service.store.begin_write().await.unwrap();
    while let Some(lease) = claim_as(&app, &mut tx, &claimant, &begun).await {
        let (job, workspace) = (lease.job.tracking_token, lease.job.workspace_id);
        match lease.chunk {
            NextChunk::Pending { seq, .. } => {
                assert!(claimant.under_way.entry(job).or_default().insert(seq), "no chunk is taken twice");
                order.push(workspace);
            }
            NextChunk::UnderWay | NextChunk::None => {
                assert!(begun.entry(workspace).or_default().insert(job), "what is passed over does not come again");
            }
        }
    }
    tx.rollback().await.unwrap();
    assert_eq!(order.len(), 14, "{order:?}");
    for turn in order[..12].chunks(3) {
        assert_eq!(turn.iter().collect::<HashSet<_>>().len(), 3, "{order:?}");
    }
    assert_eq!(
        order[12..],
        [app.project.workspace.clone(), app.project.workspace.clone()],
        "who is alone has all turns"
    );
}

async fn a_small_job_goes_before_the_large_ones_of_its_workspace(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let large = queue(&app, &app.project, &keys("Large", 1_000)).await;
    queue(&app, &app.project, &keys("Small", 1)).await;
    queue(&app, &app.project, &keys("Later", 1)).await;
    let _worker = TestWorker::start(&app);
    ended(&app, &large).await;
    let order = engine.order();
    assert_eq!(order[..5], ["Small", "Small", "Later", "Later", "Large"], "{order:?}");
}

async fn a_workspace_without_work_holds_nobody_up(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let other = app.other_project("unlimited").await;
    let once = queue(&app, &other, &keys("B", 1)).await.tracking_token.unwrap();
    let _worker = TestWorker::start(&app);
    while !status(&app, &other, &once).await.is_final() {
        tokio::task::yield_now().await;
    }
    let run = queue(&app, &app.project, &keys("A", 200)).await;
    ended(&app, &run).await;
    assert_eq!(engine.order(), ["B", "B", "A", "A", "A", "A"]);
}

/// 5,000 queued jobs of one workspace before the one of another.
async fn the_next_job_is_found_among_thousands_without_reading_them(store: TestStore) {
    let (app, _) = idle(&store).await;
    queue(&app, &app.project, &keys("A", 1)).await;
    let copies = "INSERT INTO jobs (tracking_token, project_id, workspace_id, kind, status, engine, request_id, total, done, \
        failed, needs_review, estimated, charged, created_at) WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n \
        WHERE n < 5000) SELECT 'trk_' || n, project_id, workspace_id, kind, status, engine, request_id, 5000, 0, 0, 0, 0, 0, \
        created_at + n FROM jobs, n";
    let mut tx = app.service.store.begin_write().await.unwrap();
    match &mut tx {
        Tx::Sqlite(tx) => {
            sqlx::query(copies).execute(&mut **tx).await.unwrap();
        }
        Tx::Postgres(tx) => {
            sqlx::query(copies).execute(&mut **tx).await.unwrap();
            sqlx::query("ANALYZE jobs").execute(&mut **tx).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
    let other = app.other_project("unlimited").await;
    let small = queue(&app, &other, &keys("B", 1)).await.tracking_token.unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    let mut order = Vec::new();
    while order.len() < 4 {
        let lease = claim(&app, &mut tx).await.unwrap();
        order.push((lease.job.workspace_id, lease.job.total));
    }
    assert!(order[..2].iter().any(|(workspace, _)| *workspace == other.workspace), "{order:?}");
    assert_eq!(order.iter().filter(|(_, total)| *total < 5000).count(), 2, "small ones first: {order:?}");
    tx.rollback().await.unwrap();
    assert_eq!(status(&app, &other, &small).await, JobStatus::Queued);
    let small = plan(&app, "AND total <= 1000", "total, created_at, tracking_token").await;
    let oldest = plan(&app, "", "created_at, tracking_token").await;
    for (plan, index) in [(&small, "jobs_by_size"), (&oldest, "jobs_by_turn")] {
        assert!(plan.contains(index), "{plan}");
        for whole in ["SCAN jobs", "SCAN j", "Seq Scan on jobs", "TEMP B-TREE", "Sort Key"] {
            assert!(!plan.contains(whole), "{whole}: {plan}");
        }
    }
}

/// The query plan for the next job of a workspace.
async fn plan(app: &TestApp, small: &str, order: &str) -> String {
    let statement = format!(
        "SELECT tracking_token FROM jobs WHERE workspace_id = 'wsp_1' AND finished_at IS NULL {small} \
         AND (lease_expires_at IS NULL OR lease_expires_at <= 1) ORDER BY {order} LIMIT 1"
    );
    let mut tx = app.service.store.begin_read().await.unwrap();
    let lines: Vec<String> = match &mut tx {
        Tx::Sqlite(tx) => {
            let explain = format!("EXPLAIN QUERY PLAN {statement}");
            let rows: Vec<(i64, i64, i64, String)> =
                sqlx::query_as(sqlx::AssertSqlSafe(explain)).fetch_all(&mut **tx).await.unwrap();
            rows.into_iter().map(|row| row.3).collect()
        }
        Tx::Postgres(tx) => {
            let explain = format!("EXPLAIN {}", statement.replace("wsp_1", app.project.workspace.as_str()));
            let rows: Vec<(String,)> = sqlx::query_as(sqlx::AssertSqlSafe(explain)).fetch_all(&mut **tx).await.unwrap();
            rows.into_iter().map(|row| row.0).collect()
        }
    };
    lines.join("\n")
}
