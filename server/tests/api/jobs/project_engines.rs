//! Engines that projects choose, for all of their languages or for one.

use http::Method;
use l10n_api_types::Millicredits;
use l10n_api_types::translations::{Job, JobStatus, Run};
use l10n_server::engines::Engines;
use l10n_server::service::Service;
use l10n_server::testing::{TestApp, TestProject, TestStore};
use l10n_server::workers;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::jobs::fixtures::{NamedEngine, QUICK, TestWorker, ended, named_engines, provide, taken, texts, translate};

l10n_server::both_engines!(
    two_projects_have_engines_of_their_own_and_a_language_another_chain,
    memory_gives_what_the_chain_of_the_language_made_and_nothing_else,
    a_job_asks_the_engines_that_are_chosen_when_it_is_done,
    what_the_server_does_not_have_is_refused_and_changes_nothing,
    an_engine_that_was_taken_out_of_the_configuration_translates_nothing,
);

/// The engine of each translation of a key, as `de: plain`.
async fn engines_of(app: &TestApp, project: &TestProject, name: &str) -> Vec<String> {
    let path = format!("/v1/projects/{}/translations?ref={name}", project.id);
    let found = app.at(Method::GET, &path).key(&project.keys.admin).send().await.json();
    let said = |made: &Value| {
        let engine = made["engine"].as_str()?;
        assert!(made["text"].as_str().unwrap().starts_with(engine), "{made}");
        Some(format!("{}: {engine}", made["language"].as_str().unwrap()))
    };
    found["translations"].as_array().unwrap().iter().filter_map(said).collect()
}

async fn run_beside(app: &TestApp, project: &TestProject, body: &Value) -> Run {
    let path = format!("/v1/projects/{}/translate", project.id);
    taken(app.at(Method::POST, &path).key(&project.keys.admin).json(body).send().await)
}

async fn wait_beside(app: &TestApp, project: &TestProject, run: &Run) -> Job {
    let token = run.tracking_token.as_ref().unwrap();
    let path = format!("/v1/projects/{}/translations?waitSeconds=25&trackingToken={token}", project.id);
    let job: Job = app.at(Method::GET, &path).key(&project.keys.admin).send().await.read();
    assert_eq!(job.status, JobStatus::Completed, "{job:?}");
    job
}

async fn two_projects_have_engines_of_their_own_and_a_language_another_chain(store: TestStore) {
    let app = TestApp::translated_by_all(&store, named_engines()).await;
    let beside = app.project_beside("beside").await;
    provide(&app, json!({"engine": "other", "languageEngines": {"fr": "careful, plain"}})).await.unwrap();
    let meta = app.get("/meta").send().await.json();
    let of_french = json!({"language": "fr", "name": "careful,plain", "millicreditsPerCharacter": 1});
    assert_eq!(meta["engine"], json!({"name": "other", "millicreditsPerCharacter": 1, "languages": [of_french]}));

    let keys = texts([("calm", "Save"), ("loud", "Save!")]);
    ended(&app, &taken(translate(&app, &keys).send().await)).await;
    assert_eq!(engines_of(&app, &app.project, "calm").await, ["de: other", "fr: careful"]);
    // What the first engine of the language refuses the next of the same chain translates.
    assert_eq!(engines_of(&app, &app.project, "loud").await, ["de: other", "fr: plain"]);

    let run = run_beside(&app, &beside, &json!({"keys": texts([("own", "Open")])})).await;
    wait_beside(&app, &beside, &run).await;
    assert_eq!(engines_of(&app, &beside, "own").await, ["de: plain", "fr: plain"]);

    // What is left out stays, and nothing goes back to the server's.
    provide(&app, json!({})).await.unwrap();
    assert_eq!(app.get("/meta").send().await.json()["engine"], meta["engine"]);
    provide(&app, json!({"engine": "", "languageEngines": {}})).await.unwrap();
    assert_eq!(app.get("/meta").send().await.json()["engine"], json!({"name": "plain", "millicreditsPerCharacter": 1}));
}

async fn memory_gives_what_the_chain_of_the_language_made_and_nothing_else(store: TestStore) {
    let app = TestApp::translated_by_all(&store, named_engines()).await;
    let beside = app.project_beside("beside").await;
    provide(&app, json!({"languageEngines": {"fr": "other"}})).await.unwrap();
    let keys = texts([("calm", "Save")]);
    ended(&app, &taken(translate(&app, &keys).send().await)).await;

    // The project beside has no engine `other`: of French it takes nothing, and German is free.
    let run = run_beside(&app, &beside, &json!({"keys": keys})).await;
    let from_memory: Vec<_> = run.per_language.iter().map(|one| (one.language.as_str(), one.from_memory)).collect();
    assert_eq!(from_memory, [("de", 1), ("fr", 0)]);
    wait_beside(&app, &beside, &run).await;
    assert_eq!(engines_of(&app, &beside, "calm").await, ["de: plain", "fr: plain"]);

    // Suggestions follow the language's chain, too.
    app.indexed().await;
    let suggested = async |language: &str| {
        let found = app.get(&format!("/memory?text=Save&language={language}")).send().await.json();
        found["matches"].as_array().unwrap().iter().map(|one| one["engine"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(suggested("fr").await, [json!("other")]);
    assert_eq!(suggested("de").await, [json!("plain")]);
}

async fn a_job_asks_the_engines_that_are_chosen_when_it_is_done(store: TestStore) {
    let app = TestApp::idle_with(&store, |_| {}, named_engines()).await;
    let run = taken(translate(&app, &texts([("calm", "Save")])).send().await);
    provide(&app, json!({"engine": "other"})).await.unwrap();
    let worker = TestWorker::start(&app);
    ended(&app, &run).await;
    worker.shut_down().await;
    assert_eq!(engines_of(&app, &app.project, "calm").await, ["de: other", "fr: other"]);
}

async fn what_the_server_does_not_have_is_refused_and_changes_nothing(store: TestStore) {
    let app = TestApp::idle_with(&store, |_| {}, named_engines()).await;
    for (more, words) in [
        (json!({"engine": "babel"}), "projects[0].engine: there is no engine `babel`, only careful, other, plain"),
        (json!({"engine": "other,other"}), "projects[0].engine: it names `other` twice"),
        (
            json!({"engine": "other", "languageEngines": {"it": "other"}}),
            "the project has no language `it`; it has en, de, fr",
        ),
        (json!({"languageEngines": {"de": "babel"}}), "projects[0].languageEngines.de`: there is no engine `babel`"),
    ] {
        let error = provide(&app, more.clone()).await.unwrap_err();
        assert!(error.contains(words), "{more}: {error}");
    }
    assert_eq!(app.get("/meta").send().await.json()["engine"], json!({"name": "plain", "millicreditsPerCharacter": 1}));
}

/// An engine that a project has chosen is not replaced by one that it has not chosen.
async fn an_engine_that_was_taken_out_of_the_configuration_translates_nothing(store: TestStore) {
    let app = TestApp::idle_with(&store, |_| {}, named_engines()).await;
    provide(&app, json!({"engine": "other", "languageEngines": {"fr": "other, plain"}})).await.unwrap();
    let run = taken(translate(&app, &texts([("calm", "Save")])).send().await);
    let fewer = Engines::from(NamedEngine::shared("plain", false));
    let later = Service { engines: fewer.into(), ..app.service.clone() };
    let worker = tokio::spawn(workers::translate::run(later, QUICK, CancellationToken::new()));
    let job = ended(&app, &run).await;
    worker.abort();
    assert_eq!((job.status, job.credits_charged), (JobStatus::Partial, Millicredits(4)));
    let failures: Vec<_> = job.failures.iter().map(|one| (one.language.as_str(), one.error.as_str())).collect();
    assert_eq!(failures, [("de", "engine_unavailable")]);
    assert_eq!(engines_of(&app, &app.project, "calm").await, ["fr: plain"]);
}
