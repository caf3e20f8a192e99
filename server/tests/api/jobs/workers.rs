//! Workers: killed, overtaken, out of credits, with an engine that fails.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use l10n_api_types::translations::{Failure, Job, JobStatus, Run};
use l10n_api_types::{Key, Millicredits, Origin};
use l10n_server::clock::Clock as _;
use l10n_server::domain::credits::HOLD_MILLIS;
use l10n_server::domain::jobs::{self, Claimant, CommitOutcome, JOB_LEASE_MILLIS, NextStep};
use l10n_server::engines::pipeline::translate_contents;
use l10n_server::engines::{Engines, Translator};
use l10n_server::service::Service;
use l10n_server::store::jobs::PassedOver;
use l10n_server::store::{languages, workspaces};
use l10n_server::testing::{CREDITS, TestApp, TestStore, sql};
use l10n_server::workers::holds;
use serde_json::json;

use crate::jobs::fixtures::{
    QUICK, ScriptedEngine, TestWorker, claim, ended, key, money, price_of, sync_with, taken, text_in, texts, translate,
};

l10n_server::both_engines!(
    a_worker_killed_in_the_middle_of_any_chunk_leaves_a_job_that_another_finishes_once,
    a_worker_killed_between_the_engines_answer_and_its_commit_has_charged_nothing,
    a_job_that_another_worker_was_faster_to_lease_is_left_to_it,
    a_worker_that_was_away_too_long_writes_nothing,
    a_lease_does_not_run_out_while_its_worker_waits_for_an_engine,
    several_workers_never_translate_a_chunk_twice,
    a_worker_that_shuts_down_commits_its_chunk_and_gives_the_job_back,
    a_text_that_fails_is_told_not_charged_and_taken_up_by_the_next_run,
    an_engine_that_is_down_for_a_moment_is_asked_again,
    an_engine_that_stays_down_fails_the_job_and_costs_nothing,
    after_a_chunk_for_which_an_engine_was_busy_it_is_asked_as_often_for_the_next,
    a_hold_that_died_while_the_job_waited_is_taken_anew,
    a_hold_that_cannot_be_taken_anew_fails_the_job_cleanly,
    what_a_file_brings_while_a_job_runs_is_not_overwritten_and_not_charged,
    a_key_that_is_archived_while_a_job_runs_is_not_charged,
    a_language_that_is_removed_while_a_job_waits_is_not_charged,
);

async fn idle(store: &TestStore) -> (TestApp, Arc<ScriptedEngine>) {
    let engine = Arc::new(ScriptedEngine::default());
    (TestApp::idle(store, |_| {}, engine.clone()).await, engine)
}

/// Three chunks for each of two languages.
fn many() -> Vec<Key> {
    (0..225).map(|n| Key::text(format!("key-{n:03}"), format!("text number {n}"))).collect()
}

fn advance(app: &TestApp, millis: i64) {
    app.clock.advance(Duration::from_millis(millis.unsigned_abs()));
}

/// Every key is there in every language, was charged once, and nothing is held any more.
async fn check_all_done(app: &TestApp, run: &Run, keys: &[Key]) -> Job {
    let job = ended(app, run).await;
    assert_eq!(job.status, JobStatus::Completed, "{job:?}");
    assert_eq!(job.progress.done, keys.len() as u64 * 2);
    assert_eq!(job.credits_charged, price_of(keys, 2));
    let money = money(app).await;
    assert_eq!((money.balance, money.held), (CREDITS - price_of(keys, 2), Millicredits::ZERO));
    let missing = app.get("/translations?state=missing").send().await.json();
    assert_eq!(missing["keys"], json!([]));
    job
}

async fn a_worker_killed_in_the_middle_of_any_chunk_leaves_a_job_that_another_finishes_once(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let keys = many();
    let run = taken(translate(&app, &keys).send().await);
    for call in [1, 2, 4, 7, 8] {
        engine.hangs_at.store(call, Ordering::SeqCst);
        let worker = TestWorker::start(&app);
        engine.hangs.notified().await;
        worker.kill().await;
        advance(&app, JOB_LEASE_MILLIS);
    }
    let _worker = TestWorker::start(&app);
    check_all_done(&app, &run, &keys).await;
    let seen = engine.seen.lock().unwrap();
    assert_eq!(seen.len(), 450);
    assert!(seen.values().all(|times| *times == 1), "no text was translated twice");
}

async fn a_worker_killed_between_the_engines_answer_and_its_commit_has_charged_nothing(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let keys = many();
    let run = taken(translate(&app, &keys).send().await);
    for _ in 0..2 {
        let mut tx = app.service.store.begin_write().await.unwrap();
        let lease = claim(&app, &mut tx).await.unwrap();
        let NextStep::ClaimedChunk(wanted) = jobs::begin(&mut tx, app.service.jobs(), &lease).await.unwrap() else {
            panic!()
        };
        tx.commit().await.unwrap();
        let texts = wanted.texts();
        let results = translate_contents(engine.as_ref(), "en", wanted.language(), &texts).await.unwrap();
        let mut tx = app.service.store.begin_write().await.unwrap();
        jobs::commit(&mut tx, app.service.jobs(), &lease, &wanted, Ok(results)).await.unwrap();
        // The process ends here: what it wrote is not committed.
        drop(tx);
        assert_eq!(money(&app).await.balance, CREDITS);
        advance(&app, JOB_LEASE_MILLIS);
    }
    let _worker = TestWorker::start(&app);
    check_all_done(&app, &run, &keys).await;
}

/// Two processes may find the same job at once.
async fn a_job_that_another_worker_was_faster_to_lease_is_left_to_it(store: TestStore) {
    let (app, _) = idle(&store).await;
    taken(translate(&app, &texts([("a", "Text")])).send().await);
    let now = app.clock.now();
    let [fast, slow] = [Claimant::new(now), Claimant::new(now)];
    let mut tx = app.service.store.begin_read().await.unwrap();
    let mut found = Vec::new();
    for claimant in [&slow, &fast] {
        found.extend(jobs::next(&mut tx, claimant, &PassedOver::new(), now).await.unwrap());
    }
    tx.rollback().await.unwrap();
    let [of_slow, of_fast] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(of_slow.job, of_fast.job);
    let mut tx = app.service.store.begin_write().await.unwrap();
    assert!(jobs::claim(&mut tx, of_fast, now).await.unwrap());
    tx.commit().await.unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    assert!(!jobs::claim(&mut tx, of_slow, now).await.unwrap());
    assert!(jobs::next(&mut tx, &slow, &PassedOver::new(), now).await.unwrap().is_none());
    assert!(jobs::claim(&mut tx, of_fast, now).await.unwrap(), "who has it takes its other chunks, too");
    // It ran out meanwhile.
    let later = now.plus_millis(JOB_LEASE_MILLIS);
    assert!(jobs::claim(&mut tx, of_slow, later).await.unwrap());
    assert!(!jobs::claim(&mut tx, of_fast, later).await.unwrap());
    tx.rollback().await.unwrap();
}

async fn a_worker_that_was_away_too_long_writes_nothing(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let keys = texts([("a", "Text")]);
    let run = taken(translate(&app, &keys).send().await);
    let mut tx = app.service.store.begin_write().await.unwrap();
    let lease = claim(&app, &mut tx).await.unwrap();
    let NextStep::ClaimedChunk(wanted) = jobs::begin(&mut tx, app.service.jobs(), &lease).await.unwrap() else {
        panic!()
    };
    assert!(claim(&app, &mut tx).await.is_none(), "it is leased");
    tx.commit().await.unwrap();
    let results = translate_contents(engine.as_ref(), "en", wanted.language(), &wanted.texts()).await.unwrap();
    advance(&app, JOB_LEASE_MILLIS);
    let _worker = TestWorker::start(&app);
    check_all_done(&app, &run, &keys).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let late = jobs::commit(&mut tx, app.service.jobs(), &lease, &wanted, Ok(results)).await.unwrap();
    assert_eq!(late, CommitOutcome::Lost);
    tx.rollback().await.unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    assert!(matches!(jobs::begin(&mut tx, app.service.jobs(), &lease).await.unwrap(), NextStep::Lost));
    tx.commit().await.unwrap();
    check_all_done(&app, &run, &keys).await;
}

/// The other worker is one of another process: it has an engine of its own, which it would ask at once.
async fn a_lease_does_not_run_out_while_its_worker_waits_for_an_engine(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let keys = many();
    let run = taken(translate(&app, &keys).send().await);
    engine.hangs_at.store(1, Ordering::SeqCst);
    let worker = TestWorker::start(&app);
    engine.hangs.notified().await;
    let others = Arc::new(ScriptedEngine::default());
    let engines = Engines::from(Arc::clone(&others) as Arc<dyn Translator>).into();
    let _other = TestWorker::of(&Service { engines, ..app.service.clone() }, QUICK);
    for _ in 0..6 {
        advance(&app, JOB_LEASE_MILLIS / 2);
        let now = app.clock.now();
        let renewed = format!("jobs WHERE lease_expires_at = {}", now.plus_millis(JOB_LEASE_MILLIS).as_millis());
        while sql::count(&app.service.store, &renewed).await == 0 {
            tokio::time::sleep(QUICK.poll).await;
        }
        let mut tx = app.service.store.begin_read().await.unwrap();
        assert!(jobs::next(&mut tx, &Claimant::new(now), &PassedOver::new(), now).await.unwrap().is_none());
        tx.rollback().await.unwrap();
        assert_eq!((engine.calls(), others.calls()), (1, 0));
    }
    worker.kill().await;
    advance(&app, JOB_LEASE_MILLIS);
    check_all_done(&app, &run, &keys).await;
    assert_eq!((engine.calls(), others.seen.lock().unwrap().len()), (1, 450));
}

async fn several_workers_never_translate_a_chunk_twice(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let mut runs = Vec::new();
    for part in 0..6 {
        let keys: Vec<_> = (0..150).map(|n| Key::text(format!("{part}-{n}"), format!("text {n} of {part}"))).collect();
        runs.push(taken(translate(&app, &keys).send().await));
    }
    let _workers: Vec<_> = (0..4).map(|_| TestWorker::start(&app)).collect();
    for run in &runs {
        let job = ended(&app, run).await;
        assert_eq!((job.status, job.credits_charged), (JobStatus::Completed, run.estimated_credits));
    }
    let seen = engine.seen.lock().unwrap();
    assert_eq!(seen.len(), 6 * 150 * 2);
    assert!(seen.values().all(|times| *times == 1));
}

async fn a_worker_that_shuts_down_commits_its_chunk_and_gives_the_job_back(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let keys = many();
    let run = taken(translate(&app, &keys).send().await);
    let worker = TestWorker::start(&app);
    while engine.calls() == 0 {
        tokio::task::yield_now().await;
    }
    worker.shut_down().await;
    let token = run.tracking_token.as_ref().unwrap();
    let job: Job = app.get(&format!("/translations?trackingToken={token}")).send().await.read();
    assert_eq!(job.progress.done, engine.seen.lock().unwrap().len() as u64, "what was translated is committed");
    let _worker = TestWorker::start(&app);
    // The clock stands still: the lease was given back, it did not run out.
    check_all_done(&app, &run, &keys).await;
}

async fn a_text_that_fails_is_told_not_charged_and_taken_up_by_the_next_run(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let _worker = TestWorker::start(&app);
    engine.refuses.lock().unwrap().push("Bad".into());
    let keys = texts([("good", "Good text"), ("bad", "Bad"), ("bad-too", "Bad")]);
    let run = taken(translate(&app, &keys).send().await);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.done, job.progress.failed), (JobStatus::Partial, 2, 4));
    assert_eq!(job.credits_charged, Millicredits(2 * 9));
    let told: Vec<_> = job
        .failures
        .iter()
        .map(|failure| (failure.r#ref.as_str(), failure.language.as_str(), &*failure.error))
        .collect();
    assert_eq!(told[0], ("bad", "de", "engine_refused"));
    assert_eq!(told.len(), 4);
    assert_eq!(money(&app).await.held, Millicredits::ZERO, "what failed is not held any more");
    engine.refuses.lock().unwrap().clear();
    let again = taken(translate(&app, &keys).send().await);
    assert_eq!((again.classification.unchanged, again.estimated_credits), (3, Millicredits(2 * 3)));
    assert_eq!(ended(&app, &again).await.status, JobStatus::Completed);
    let only_bad = taken(translate(&app, &texts([("x", "Fine")])).send().await);
    engine.refuses.lock().unwrap().push("Fine".into());
    drop(only_bad);
}

async fn an_engine_that_is_down_for_a_moment_is_asked_again(store: TestStore) {
    let (app, engine) = idle(&store).await;
    engine.down_for.store(2, Ordering::SeqCst);
    let keys = texts([("a", "Text")]);
    let run = taken(translate(&app, &keys).send().await);
    let _worker = TestWorker::start(&app);
    check_all_done(&app, &run, &keys).await;
}

async fn an_engine_that_stays_down_fails_the_job_and_costs_nothing(store: TestStore) {
    let (app, engine) = idle(&store).await;
    engine.down_for.store(usize::MAX, Ordering::SeqCst);
    let keys = many();
    let run = taken(translate(&app, &keys).send().await);
    let _worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.failed, job.credits_charged), (JobStatus::Failed, 450, Millicredits::ZERO));
    assert_eq!(job.failures.len(), 450);
    assert!(job.failures.iter().all(|failure| failure.error == "engine_unavailable"));
    assert_eq!(engine.calls(), 3 + 5, "three times for the first chunk, once for the others");
    let money = money(&app).await;
    assert_eq!((money.balance, money.held), (CREDITS, Millicredits::ZERO));
}

async fn after_a_chunk_for_which_an_engine_was_busy_it_is_asked_as_often_for_the_next(store: TestStore) {
    let (app, engine) = idle(&store).await;
    engine.busy_for.store(3 + 2, Ordering::SeqCst);
    let run = taken(translate(&app, &many()).send().await);
    let _worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.done, job.progress.failed), (JobStatus::Partial, 350, 100));
    assert_eq!(engine.calls(), 3 + 3 + 4, "three times for each of the first two chunks, once for the others");
    let says_so = |failure: &Failure| failure.message == "the engine has too much to do";
    assert!(job.failures.iter().all(says_so), "{job:?}");
}

async fn a_hold_that_died_while_the_job_waited_is_taken_anew(store: TestStore) {
    let (app, _) = idle(&store).await;
    let keys = many();
    let run = taken(translate(&app, &keys).send().await);
    assert_eq!(money(&app).await.held, run.estimated_credits);
    assert_eq!(HOLD_MILLIS, 2_100_000, "35 minutes");
    advance(&app, HOLD_MILLIS - 1);
    assert_eq!(money(&app).await.held, run.estimated_credits);
    advance(&app, 1);
    assert_eq!(money(&app).await.held, Millicredits::ZERO, "35 minutes after its last renewal a hold is dead");
    assert_eq!(holds::sweep(&app.service).await.unwrap(), 1);
    assert_eq!(holds::sweep(&app.service).await.unwrap(), 0);
    let _worker = TestWorker::start(&app);
    check_all_done(&app, &run, &keys).await;
}

async fn a_hold_that_cannot_be_taken_anew_fails_the_job_cleanly(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let run = taken(translate(&app, &texts([("a", "Text")])).send().await);
    advance(&app, HOLD_MILLIS);
    let mut tx = app.service.store.begin_write().await.unwrap();
    let workspace = &app.project.workspace;
    workspaces::update_terms(&mut tx, workspace, "unlimited", Some(Millicredits(7))).await.unwrap();
    tx.commit().await.unwrap();
    let _worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    // Two chunks of 4: the whole is over the cap of 7, what is left after the first chunk failed is not.
    assert_eq!((job.status, job.progress.failed, job.progress.done), (JobStatus::Partial, 1, 1));
    assert_eq!(job.failures[0].error, "spend_cap_exceeded");
    assert_eq!((job.credits_charged, engine.calls()), (Millicredits(4), 1), "the engine is not asked in vain");
    assert_eq!(money(&app).await.held, Millicredits::ZERO);
}

async fn what_a_file_brings_while_a_job_runs_is_not_overwritten_and_not_charged(store: TestStore) {
    let (app, engine) = idle(&store).await;
    engine.hangs_at.store(1, Ordering::SeqCst);
    let run = taken(translate(&app, &texts([("a", "Text")])).send().await);
    let worker = TestWorker::start(&app);
    engine.hangs.notified().await;
    let german = json!({"a": "Von Hand"});
    taken(sync_with(&app, "", "de.json", &german, json!({"language": "de"})).send().await);
    worker.kill().await;
    advance(&app, JOB_LEASE_MILLIS);
    let _worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.done), (JobStatus::Completed, 2));
    assert_eq!(job.credits_charged, Millicredits(4), "French alone");
    let key = key(&app, "a").await;
    assert_eq!((text_in(&key, "de"), key.translations[0].origin), (Some("Von Hand"), Some(Origin::Import)));
}

async fn a_key_that_is_archived_while_a_job_runs_is_not_charged(store: TestStore) {
    let (app, _) = idle(&store).await;
    let run = taken(sync_with(&app, "", "en.json", &json!({"a": "Aa", "b": "Bb"}), json!({})).send().await);
    taken(sync_with(&app, "", "en.json", &json!({"a": "Aa"}), json!({"onRemoved": "archive"})).send().await);
    let _worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.credits_charged), (JobStatus::Completed, Millicredits(4)));
    assert_eq!(money(&app).await.held, Millicredits::ZERO);
}

async fn a_language_that_is_removed_while_a_job_waits_is_not_charged(store: TestStore) {
    let (app, engine) = idle(&store).await;
    let run = taken(translate(&app, &texts([("a", "Save")])).send().await);
    assert_eq!(run.estimated_credits, Millicredits(8));
    let mut tx = app.service.store.begin_write().await.unwrap();
    languages::remove(&mut tx, &app.project.id, "de").await.unwrap();
    tx.commit().await.unwrap();
    let worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.credits_charged), (JobStatus::Completed, Millicredits(4)));
    assert!(engine.seen.lock().unwrap().keys().all(|(_, language)| language == "fr"));
    assert_eq!(money(&app).await.held, Millicredits::ZERO);
    worker.shut_down().await;
}
