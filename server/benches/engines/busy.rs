//! Texts through a service that answers slowly, by one job and by many.

use std::time::{Duration, Instant};

use http::Method;
use l10n_api_types::Key;
use l10n_api_types::translations::{Job, JobStatus, Run};
use l10n_server::testing::{TestApp, TestProject, TestStore, deepl};
use l10n_server::workers::translate::{WorkerConfig, run};
use l10n_testkit::engines::{Behaviour, FakeEngines};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// The time that the service takes for a request.
const ANSWER: Duration = Duration::from_millis(200);
/// Requests at once.
const AT_ONCE: usize = 8;
/// Texts of a request.
const BATCH: usize = 50;
/// Jobs of the second part, each of a workspace of its own.
const JOBS: usize = 24;
/// Languages of the job of the first part, so that it has no more keys than a request takes.
const LANGUAGES: [&str; 3] = ["de", "fr", "es"];

/// A job that is queued.
struct Queued {
    path: String,
    key: String,
}

pub(crate) async fn measure(name: &str, store: &TestStore, texts: usize) -> Value {
    let fakes = FakeEngines::start().await.unwrap();
    let fake = fakes.deepl();
    fake.always(Behaviour::Slow(ANSWER));
    let app = TestApp::idle(store, |_| {}, deepl("deepl", fake.address(), fake.key())).await;
    let added = app.post("/languages").json(&json!({"languages": LANGUAGES.map(|code| json!({"code": code}))}));
    assert_eq!(added.send().await.status, 200);

    let one = queue(&app, &app.project, "one", texts / LANGUAGES.len(), &LANGUAGES).await;
    let one = timed(&app, &[one]).await;
    let mut many = Vec::with_capacity(JOBS);
    for job in 0..JOBS {
        let project = app.other_project("unlimited").await;
        many.push(queue(&app, &project, &format!("many-{job}"), texts / JOBS, &LANGUAGES[..1]).await);
    }
    let many = timed(&app, &many).await;
    fake.expect_no_complaints();
    assert!(fake.calls().len() >= 2 * texts / BATCH, "each text went through it");

    let least = ANSWER.as_secs_f64() * (texts.div_ceil(BATCH)).div_ceil(AT_ONCE) as f64;
    let mut json = json!({"unit": "s", "least": least});
    for (jobs, took) in [("one job", one), ("24 jobs", many)] {
        let took = took.as_secs_f64();
        println!(
            "{name:<10} {texts} texts by {jobs:<8} {took:>7.2} s, {:.2} times the least of {least:.1} s",
            took / least
        );
        json[jobs] = json!({"took": took, "timesTheLeast": took / least});
    }
    json
}

async fn queue(app: &TestApp, project: &TestProject, name: &str, count: usize, languages: &[&str]) -> Queued {
    let text = |n: usize| format!("Open the file number {n} of {{count}} for {name}, please");
    let keys: Vec<Key> = (0..count).map(|n| Key::text(format!("{name}-{n}"), text(n))).collect();
    let call = app.at(Method::POST, &format!("/v1/projects/{}/translate", project.id)).key(&project.keys.admin);
    let answer = call.json(&json!({"keys": keys, "languages": languages})).send().await;
    assert_eq!(answer.status, 202, "{}", answer.outcome());
    let run: Run = answer.read();
    let path = format!(
        "/v1/projects/{}/translations?waitSeconds=25&trackingToken={}",
        project.id,
        run.tracking_token.unwrap()
    );
    Queued { path, key: project.keys.admin.clone() }
}

/// The time in which a worker ends all of these jobs.
async fn timed(app: &TestApp, jobs: &[Queued]) -> Duration {
    let shutdown = CancellationToken::new();
    let began = Instant::now();
    let worker = tokio::spawn(run(app.service.clone(), WorkerConfig::default(), shutdown.clone()));
    for Queued { path, key } in jobs {
        loop {
            let job: Job = app.at(Method::GET, path).key(key).send().await.read();
            if job.status.is_final() {
                assert_eq!((job.status, job.progress.failed), (JobStatus::Completed, 0));
                break;
            }
        }
    }
    let took = began.elapsed();
    shutdown.cancel();
    worker.await.unwrap();
    took
}
