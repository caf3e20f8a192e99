//! The pending work of unfinished jobs, as far as the next run needs it.

use std::sync::Arc;

use l10n_api_types::translations::JobStatus;
use l10n_api_types::{Key, Millicredits};
use l10n_server::engines::Pseudo;
use l10n_server::testing::{TestApp, TestStore, sql};
use serde_json::json;

use crate::jobs::fixtures::{TestWorker, ended, key, taken, text_in, translate};

l10n_server::both_engines!(
    a_run_reads_nothing_of_what_others_have_queued,
    languages_share_what_is_written_of_the_same_keys,
    what_is_pending_is_forgotten_when_it_is_done,
    what_a_release_before_has_queued_is_not_queued_again_and_gets_done,
);

fn keys(from: usize, to: usize) -> Vec<Key> {
    (from..to).map(|n| Key::text(format!("k{n:05}"), format!("Text number {n}"))).collect()
}

async fn idle(store: &TestStore) -> TestApp {
    TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await
}

async fn count(app: &TestApp, table: &str) -> i64 {
    sql::count(&app.service.store, table).await
}

async fn execute(app: &TestApp, script: &str) {
    sql::run(&app.service.store, script).await;
}

/// The queued items are not even readable: a run that parsed them would fail.
async fn a_run_reads_nothing_of_what_others_have_queued(store: TestStore) {
    let app = idle(&store).await;
    taken(translate(&app, &keys(0, 1_000)).send().await);
    execute(&app, "UPDATE job_items SET items = 'no JSON'").await;
    let again = taken(app.post("/translate?dryRun=true").json(&json!({"keys": keys(500, 510)})).send().await);
    assert_eq!((again.classification.unchanged, again.estimated_credits), (10, Millicredits::ZERO));
    let edited = json!({"keys": [Key::text("k00500", "Another text")]});
    let edited = taken(app.post("/translate?dryRun=true").json(&edited).send().await);
    assert_eq!(edited.per_language[0].keys, 1, "another text is other work");
}

async fn languages_share_what_is_written_of_the_same_keys(store: TestStore) {
    let app = idle(&store).await;
    taken(translate(&app, &keys(0, 1_000)).send().await);
    assert_eq!((count(&app, "job_chunks").await, count(&app, "job_items").await), (20, 10));
    assert_eq!(count(&app, "pending_items").await, 1_000);
    // A language that needs others has its own.
    let more = json!({"keys": keys(1_000, 1_200), "languages": ["de"]});
    taken(app.post("/translate").json(&more).send().await);
    taken(translate(&app, &keys(1_100, 1_400)).send().await);
    assert_eq!(count(&app, "job_items").await, 10 + 2 + 2 + 3);
}

async fn what_is_pending_is_forgotten_when_it_is_done(store: TestStore) {
    let app = idle(&store).await;
    let run = taken(translate(&app, &keys(0, 450)).send().await);
    let worker = TestWorker::start(&app);
    let job = ended(&app, &run).await;
    assert_eq!((job.status, job.progress.done), (JobStatus::Completed, 900));
    assert_eq!(count(&app, "pending_items").await, 0);
    let page = app.get(&format!("/translations?limit=500&trackingToken={}", run.tracking_token.unwrap())).send().await;
    assert_eq!(page.json()["translations"].as_array().unwrap().len(), 500);
    worker.shut_down().await;
}

async fn what_a_release_before_has_queued_is_not_queued_again_and_gets_done(store: TestStore) {
    let app = idle(&store).await;
    let run = taken(translate(&app, &keys(0, 300)).send().await);
    // Its chunks had their items in themselves.
    execute(
        &app,
        "UPDATE job_chunks SET items = (SELECT i.items FROM job_items i WHERE i.job_id = job_chunks.job_id AND \
         i.slot = job_chunks.slot)",
    )
    .await;
    execute(&app, "UPDATE job_chunks SET slot = NULL").await;
    execute(&app, "DELETE FROM job_items").await;
    execute(&app, "DELETE FROM pending_items").await;
    let again = taken(translate(&app, &keys(0, 300)).send().await);
    assert_eq!((again.estimated_credits, again.tracking_token), (Millicredits::ZERO, None));
    let worker = TestWorker::start(&app);
    assert_eq!(ended(&app, &run).await.progress.done, 600);
    assert!(text_in(&key(&app, "k00299").await, "de").is_some());
    worker.shut_down().await;
}
