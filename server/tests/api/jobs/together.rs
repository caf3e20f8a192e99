//! Small jobs: a worker takes all of their chunks in one turn and commits them together, and waits for nobody who writes much.

use std::sync::Arc;
use std::time::Duration;

use l10n_api_types::translations::JobStatus;
use l10n_api_types::{Key, Millicredits};
use l10n_server::clock::Clock as _;
use l10n_server::domain::credits::HOLD_MILLIS;
use l10n_server::domain::jobs::{self, Claimant, ClaimedChunk, CommitOutcome, Lease, NextChunk, NextStep};
use l10n_server::engines::pipeline::translate_contents;
use l10n_server::engines::{Pseudo, Translator};
use l10n_server::service::Service;
use l10n_server::store::jobs::PassedOver;
use l10n_server::testing::{CREDITS, TestApp, TestStore, on_postgres, sql};

use crate::jobs::fixtures::{
    QUICK, ScriptedEngine, TestWorker, claim, claim_as, ended, money, price_of, taken, texts, translate,
};

l10n_server::both_engines!(
    a_small_job_is_taken_as_a_whole_and_a_large_one_chunk_by_chunk,
    chunks_that_are_committed_together_are_charged_as_those_that_are_not,
    a_commit_of_several_chunks_of_which_one_is_lost_is_none,
    a_chunk_begins_while_somebody_writes,
    a_text_that_changes_after_its_chunk_began_is_not_translated,
    a_text_that_is_moved_after_its_chunk_began_is_not_translated,
    a_chunk_whose_hold_ends_soon_begins_with_a_write,
    what_an_engine_has_translated_waits_for_its_project,
);

async fn idle(store: &TestStore) -> TestApp {
    TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await
}

/// Two chunks for each of two languages.
fn many() -> Vec<Key> {
    (0..150).map(|n| Key::text(format!("key-{n:03}"), format!("text number {n}"))).collect()
}

/// The lease of each chunk of a small job.
fn each(lease: Lease) -> Vec<Lease> {
    let others: Vec<Lease> = lease
        .others
        .iter()
        .map(|(seq, language)| Lease {
            chunk: NextChunk::Pending { seq: *seq, language: language.clone() },
            others: Vec::new(),
            ..lease.clone()
        })
        .collect();
    [vec![lease], others].concat()
}

async fn leased(app: &TestApp) -> Lease {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let lease = claim(app, &mut tx).await.unwrap();
    tx.commit().await.unwrap();
    lease
}

async fn begin_reading(app: &TestApp, lease: &Lease) -> Option<NextStep> {
    let mut tx = app.service.store.begin_read().await.unwrap();
    let begun = jobs::begin_reading(&mut tx, app.service.jobs(), lease).await.unwrap();
    tx.rollback().await.unwrap();
    begun
}

async fn begun(app: &TestApp, lease: &Lease) -> ClaimedChunk {
    match begin_reading(app, lease).await {
        Some(NextStep::ClaimedChunk(wanted)) => *wanted,
        other => panic!("{other:?}"),
    }
}

/// Leases a small job and begins each of its chunks.
async fn begun_all(app: &TestApp) -> Vec<(Lease, ClaimedChunk)> {
    let mut chunks = Vec::new();
    for lease in each(leased(app).await) {
        let wanted = begun(app, &lease).await;
        chunks.push((lease, wanted));
    }
    chunks
}

/// Commits the chunks of these leases in one transaction; the outcome of each.
async fn commit(app: &TestApp, leases: &[(Lease, ClaimedChunk)]) -> Vec<CommitOutcome> {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let mut outcomes = Vec::new();
    for (lease, wanted) in leases {
        let results = translate_contents(&Pseudo, "en", wanted.language(), &wanted.texts()).await.unwrap();
        outcomes.push(jobs::commit(&mut tx, app.service.jobs(), lease, wanted, Ok(results)).await.unwrap());
    }
    match outcomes.contains(&CommitOutcome::Lost) {
        true => tx.rollback().await.unwrap(),
        false => tx.commit().await.unwrap(),
    }
    outcomes
}

async fn a_small_job_is_taken_as_a_whole_and_a_large_one_chunk_by_chunk(store: TestStore) {
    let app = idle(&store).await;
    taken(translate(&app, &many()).send().await);
    taken(translate(&app, &texts([("a", "Text")])).send().await);
    let small = leased(&app).await;
    assert_eq!((small.job.total, small.chunk, small.others.len()), (2, pending(0, "de"), 1));
    assert_eq!(small.others[0], (1, "fr".to_owned()));
    let large = leased(&app).await;
    assert_eq!((large.job.total, large.chunk, large.others.len()), (300, pending(0, "de"), 0));
}

fn pending(seq: i64, language: &str) -> NextChunk {
    NextChunk::Pending { seq, language: language.to_owned() }
}

async fn chunks_that_are_committed_together_are_charged_as_those_that_are_not(store: TestStore) {
    let app = idle(&store).await;
    let keys = texts([("a", "Text"), ("b", "Another text")]);
    let run = taken(translate(&app, &keys).send().await);
    let chunks = begun_all(&app).await;
    assert_eq!(commit(&app, &chunks).await, [CommitOutcome::Chunk, CommitOutcome::Finished]);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.done), (JobStatus::Completed, 4));
    assert_eq!(job.credits_charged, price_of(&keys, 2));
    let money = money(&app).await;
    assert_eq!((money.balance, money.held), (CREDITS - price_of(&keys, 2), Millicredits::ZERO));
}

async fn a_commit_of_several_chunks_of_which_one_is_lost_is_none(store: TestStore) {
    let app = idle(&store).await;
    let keys = texts([("a", "Text")]);
    let run = taken(translate(&app, &keys).send().await);
    let mut chunks = Vec::new();
    for lease in each(leased(&app).await) {
        for _ in 0..2 {
            let wanted = begun(&app, &lease).await;
            chunks.push((lease.clone(), wanted));
        }
    }
    let again = chunks.split_off(3);
    assert_eq!(commit(&app, &chunks[1..2]).await, [CommitOutcome::Chunk]);
    let half = money(&app).await.balance;
    assert_eq!(half, CREDITS - price_of(&keys, 1));
    chunks.swap(0, 2);
    assert_eq!(commit(&app, &chunks[..2]).await, [CommitOutcome::Finished, CommitOutcome::Lost]);
    assert_eq!(money(&app).await.balance, half, "nothing of it is charged");
    assert_eq!(commit(&app, &again).await, [CommitOutcome::Finished]);
    assert_eq!(ended(&app, &run).await.credits_charged, price_of(&keys, 2));
}

/// On SQLite whoever writes has the only writer, on PostgreSQL the lock of the workspace.
async fn a_chunk_begins_while_somebody_writes(store: TestStore) {
    let app = idle(&store).await;
    taken(translate(&app, &texts([("a", "Text")])).send().await);
    let leases = each(leased(&app).await);
    let first = begun(&app, &leases[0]).await;
    let results = translate_contents(&Pseudo, "en", first.language(), &first.texts()).await.unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    jobs::commit(&mut tx, app.service.jobs(), &leases[0], &first, Ok(results)).await.unwrap();
    assert_eq!(begun(&app, &leases[1]).await.language(), "fr");
    tx.commit().await.unwrap();
    assert!(matches!(begin_reading(&app, &leases[0]).await, Some(NextStep::Lost)), "it is done");
    let mut tx = app.service.store.begin_write().await.unwrap();
    app.clock.advance(Duration::from_millis(jobs::JOB_LEASE_MILLIS.unsigned_abs()));
    claim(&app, &mut tx).await.unwrap();
    tx.commit().await.unwrap();
    assert!(matches!(begin_reading(&app, &leases[1]).await, Some(NextStep::Lost)), "another worker has the job");
}

/// A chunk does not trust what it saw of its keys once others have changed them.
async fn a_text_that_changes_after_its_chunk_began_is_not_translated(store: TestStore) {
    begun_before(&store, async |app| {
        taken(translate(app, &texts([("a", "Changed")])).send().await);
    })
    .await;
}

/// Nor while a large run moves what it has changed to its place.
async fn a_text_that_is_moved_after_its_chunk_began_is_not_translated(store: TestStore) {
    begun_before(&store, async |app| {
        let script = "INSERT INTO staged_runs (tracking_token, project_id, first_key, last_key, status, is_moving, created_at) \
            SELECT 'trk_moving', id, 'str_', 'str_', 'landed', TRUE, 0 FROM projects; \
            UPDATE keys SET source_hash = (SELECT source_hash FROM keys WHERE ref = 'b') WHERE ref = 'a'";
        sql::run(&app.service.store, script).await;
    })
    .await;
}

/// Begins the chunks of two texts, the first of which `change` changes, and commits them: the other one is translated.
async fn begun_before(store: &TestStore, change: impl AsyncFnOnce(&TestApp)) {
    let app = idle(store).await;
    let keys = texts([("a", "Text"), ("b", "Another text")]);
    let run = taken(translate(&app, &keys).send().await);
    let chunks = begun_all(&app).await;
    change(&app).await;
    assert_eq!(commit(&app, &chunks).await, [CommitOutcome::Chunk, CommitOutcome::Finished]);
    assert_eq!(ended(&app, &run).await.credits_charged, price_of(&keys[1..], 2));
    assert_eq!(money(&app).await.balance, CREDITS - price_of(&keys[1..], 2));
}

async fn a_chunk_whose_hold_ends_soon_begins_with_a_write(store: TestStore) {
    let app = idle(&store).await;
    let keys = texts([("a", "Text")]);
    let run = taken(translate(&app, &keys).send().await);
    app.clock.advance(Duration::from_millis((HOLD_MILLIS / 2).unsigned_abs()));
    let lease = leased(&app).await;
    assert!(begin_reading(&app, &lease).await.is_none());
    app.clock.advance(Duration::from_millis(jobs::JOB_LEASE_MILLIS.unsigned_abs()));
    let _worker = TestWorker::start(&app);
    assert_eq!(ended(&app, &run).await.credits_charged, price_of(&keys, 2));
}

/// Somebody changes the project for longer than anybody waits for his turn, as a large run does. Nothing is bought twice.
async fn what_an_engine_has_translated_waits_for_its_project(store: TestStore) {
    let engine = Arc::new(ScriptedEngine::default());
    let app = TestApp::idle(&store, |_| {}, Arc::clone(&engine) as Arc<dyn Translator>).await;
    let (small, large) = (texts([("a", "Text"), ("b", "Another text")]), many());
    let service =
        Service { store: app.service.store.clone().with_patience(Duration::from_millis(50)), ..app.service.clone() };
    for keys in [&small, &large] {
        let run = taken(translate(&app, keys).send().await);
        let held = app.service.store.hold_turn(&app.project.id).await.unwrap();
        let worker = TestWorker::of(&service, QUICK);
        let before = engine.calls();
        while engine.calls() == before {
            tokio::task::yield_now().await;
        }
        for _ in 0..5 {
            let begun = service.store.begin_write_in(&app.project.workspace, &app.project.id).await;
            assert!(begun.unwrap_err().waited_in_vain());
        }
        drop(held);
        let job = ended(&app, &run).await;
        assert_eq!((job.status, job.credits_charged), (JobStatus::Completed, price_of(keys, 2)));
        worker.shut_down().await;
    }
    assert!(engine.seen.lock().unwrap().values().all(|times| *times == 1), "{:?}", engine.seen);
    // A server that ends waits for nobody.
    taken(translate(&app, &texts([("c", "A text of its own")])).send().await);
    let held = app.service.store.hold_turn(&app.project.id).await.unwrap();
    let worker = TestWorker::of(&service, QUICK);
    let before = engine.calls();
    while engine.calls() == before {
        tokio::task::yield_now().await;
    }
    worker.shut_down().await;
    drop(held);
    assert_eq!(money(&app).await.balance, CREDITS - price_of(&small, 2) - price_of(&large, 2));
}

/// A commit holds the row of its job until its end; the next chunk of the job is taken meanwhile.
#[test]
fn a_chunk_is_taken_while_another_of_its_job_is_committed() {
    on_postgres(async |store: TestStore| {
        let app = idle(&store).await;
        taken(translate(&app, &many()).send().await);
        let mut claimant = Claimant::new(app.clock.now());
        let (first, mut seqs) = (take(&app, &mut claimant).await, Vec::new());
        let wanted = begun(&app, &first).await;
        let results = translate_contents(&Pseudo, "en", wanted.language(), &wanted.texts()).await.unwrap();
        let mut tx = app.service.store.begin_write().await.unwrap();
        jobs::commit(&mut tx, app.service.jobs(), &first, &wanted, Ok(results)).await.unwrap();
        for _ in 0..2 {
            seqs.push(take(&app, &mut claimant).await.chunk);
        }
        tx.commit().await.unwrap();
        assert_eq!(seqs, [pending(1, "de"), pending(2, "fr")]);
    });
}

/// Takes the next chunk, as a worker does that has others.
async fn take(app: &TestApp, claimant: &mut Claimant) -> Lease {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let lease = claim_as(app, &mut tx, claimant, &PassedOver::new()).await.unwrap();
    tx.commit().await.unwrap();
    let NextChunk::Pending { seq, .. } = lease.chunk else { panic!("{lease:?}") };
    claimant.under_way.entry(lease.job.tracking_token.clone()).or_default().insert(seq);
    lease
}
