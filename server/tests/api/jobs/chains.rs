//! Jobs that several engines work on.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use http::Method;
use l10n_api_types::translations::{Job, JobStatus, Run};
use l10n_api_types::{Millicredits, Origin, Translation};
use l10n_server::engines::{Engines, Pseudo, Translator};
use l10n_server::testing::{TestApp, TestStore, sql};
use serde_json::json;

use crate::jobs::fixtures::{
    NamedEngine, ScriptedEngine, TestWorker, ended, key, money, price_of, taken, texts, translate,
};

l10n_server::both_engines!(
    what_one_engine_refuses_the_next_translates_and_each_translation_names_its_engine,
    an_engine_that_is_busy_is_asked_again_and_the_next_one_is_not,
    texts_that_no_engine_translates_cost_nothing,
    a_job_whose_engine_has_used_up_its_quota_stops_as_partial_and_says_so,
    people_are_not_told_what_is_the_operators,
);

async fn german(app: &TestApp, name: &str) -> Translation {
    let found = key(app, name).await.translations.into_iter().find(|translation| translation.language.as_str() == "de");
    found.unwrap()
}

async fn what_one_engine_refuses_the_next_translates_and_each_translation_names_its_engine(store: TestStore) {
    let first = Arc::new(ScriptedEngine::default());
    first.refuses.lock().unwrap().push("Odd".to_owned());
    let app = TestApp::translated_by_all(&store, Engines::new(vec![first, Arc::new(Pseudo)])).await;
    assert_eq!(
        app.get("/meta").send().await.json()["engine"],
        json!({"name": "scripted,pseudo", "millicreditsPerCharacter": 1})
    );
    let keys = texts([("plain", "Save"), ("odd", "Odd")]);
    let body = json!({"keys": keys, "languages": ["de"]});
    let before = money(&app).await.balance;
    let job = ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    assert_eq!((job.progress.done, job.progress.failed), (2, 0));
    assert_eq!(money(&app).await.balance, before.saturating_add(-price_of(&keys, 1)));
    for (name, engine) in [("plain", "scripted"), ("odd", "pseudo")] {
        let made = german(&app, name).await;
        assert_eq!((made.engine.as_deref(), made.origin), (Some(engine), Some(Origin::Machine)), "{name}");
    }

    // Memory has the work of both, and says whose it is.
    let other = app.project_beside("other").await;
    let call = app.at(Method::POST, &format!("/v1/projects/{}/translate", other.id)).key(&other.keys.admin);
    let run: Run = call.json(&body).send().await.read();
    assert_eq!((run.per_language[0].from_memory, run.tracking_token), (2, None));
    let path = format!("/v1/projects/{}/translations?ref=odd", other.id);
    let found = app.at(Method::GET, &path).key(&other.keys.admin).send().await.json();
    let remembered = found["translations"].as_array().unwrap().iter().find(|made| made["language"] == "de").unwrap();
    assert_eq!((&remembered["engine"], &remembered["origin"]), (&json!("pseudo"), &json!("memory")));
}

/// The next one may be dearer.
async fn an_engine_that_is_busy_is_asked_again_and_the_next_one_is_not(store: TestStore) {
    let busy = Arc::new(ScriptedEngine::default());
    busy.busy_for.store(2, Ordering::SeqCst);
    let next = NamedEngine::shared("next", false);
    let engines = Engines::new(vec![Arc::clone(&busy) as Arc<dyn Translator>, next]);
    let app = TestApp::idle_with(&store, |_| {}, engines).await;
    let _worker = TestWorker::start(&app);
    let body = json!({"keys": texts([("plain", "Save")]), "languages": ["de"]});
    ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    assert_eq!((german(&app, "plain").await.engine.as_deref(), busy.calls()), (Some("scripted"), 3));

    // It is busy for all of its attempts.
    busy.busy_for.store(3, Ordering::SeqCst);
    let body = json!({"keys": texts([("other", "Open")]), "languages": ["de"]});
    ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    assert_eq!((german(&app, "other").await.engine.as_deref(), busy.calls()), (Some("next"), 6));
}

async fn texts_that_no_engine_translates_cost_nothing(store: TestStore) {
    let refusing = || {
        let engine = ScriptedEngine::default();
        engine.refuses.lock().unwrap().push("Odd".to_owned());
        Arc::new(engine)
    };
    let app = TestApp::translated_by_all(&store, Engines::new(vec![refusing(), refusing()])).await;
    let before = money(&app).await.balance;
    let keys = texts([("plain", "Save"), ("odd", "Odd")]);
    let job = ended(&app, &taken(translate(&app, &keys).send().await)).await;
    let languages = job.progress.total / 2;
    assert_eq!((job.progress.done, job.progress.failed), (languages, languages));
    assert!(job.failures.iter().all(|failure| failure.r#ref == "odd" && failure.error == "engine_refused"), "{job:?}");
    let price = price_of(&texts([("plain", "Save")]), i64::try_from(languages).unwrap());
    assert_eq!(job.credits_charged, price);
    assert_eq!(money(&app).await.balance, before.saturating_add(-price));

    // Where nothing is charged the ledger has no entry.
    let job = ended(&app, &taken(translate(&app, &texts([("alone", "Odd")])).send().await)).await;
    assert_eq!((job.progress.done, job.credits_charged), (0, Millicredits::ZERO));
    assert_eq!(sql::count(&app.service.store, "ledger WHERE amount = 0").await, 0);
}

async fn a_job_whose_engine_has_used_up_its_quota_stops_as_partial_and_says_so(store: TestStore) {
    let engine = Arc::new(ScriptedEngine::default());
    engine.spent_from.store(2, Ordering::SeqCst);
    let app = TestApp::translated_by_all(&store, Engines::from(Arc::clone(&engine) as Arc<dyn Translator>)).await;
    let before = money(&app).await.balance;
    let keys = texts([("plain", "Save"), ("other", "Hi {name}")]);
    let body = json!({"keys": keys, "languages": ["de", "fr"]});
    let job = ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    assert_eq!(job.status, JobStatus::Partial);
    assert_eq!((job.progress.done, job.progress.failed), (2, 2));
    let says_so = |job: &Job| {
        job.failures.iter().all(|failure| {
            failure.error == "engine_quota_exhausted" && failure.message == "the engine's quota is used up"
        })
    };
    assert!(says_so(&job), "{job:?}");

    // Neither this job nor another one asks after that answer.
    let next = ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    assert_eq!((next.status, next.progress.failed), (JobStatus::Failed, 2));
    assert!(says_so(&next), "{next:?}");
    assert_eq!(engine.calls(), 2);

    // What was translated costs, and nothing else.
    assert_eq!((job.credits_charged, next.credits_charged), (price_of(&keys, 1), Millicredits::ZERO));
    let after = money(&app).await;
    assert_eq!((after.balance, after.held), (before.saturating_add(-price_of(&keys, 1)), Millicredits::ZERO));
}

/// The words of an engine on itself are for the operator's log.
async fn people_are_not_told_what_is_the_operators(store: TestStore) {
    let engine = Arc::new(ScriptedEngine::default());
    engine.broken.store(true, Ordering::SeqCst);
    let app = TestApp::translated_by_all(&store, Engines::from(engine as Arc<dyn Translator>)).await;
    let job = ended(&app, &taken(translate(&app, &texts([("plain", "Save")])).send().await)).await;
    assert_eq!(job.status, JobStatus::Failed);
    assert!(job.failures.iter().all(|failure| failure.error == "engine_unavailable"), "{job:?}");
    assert!(!format!("{job:?}").contains("/opt"), "{job:?}");
}
