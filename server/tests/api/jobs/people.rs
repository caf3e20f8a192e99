//! People's texts: no machine overwrites them unless asked.

use std::sync::Arc;

use l10n_api_types::translations::{JobStatus, RunStatus};
use l10n_api_types::{Content, Millicredits, Origin, State};
use l10n_formats::SourceHash;
use l10n_server::clock::Clock as _;
use l10n_server::engines::Pseudo;
use l10n_server::store::keys;
use l10n_server::store::translations::{self, NewTranslation};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::jobs::fixtures::{TestWorker, ended, key, money, sync, sync_with, taken, text_in, texts, translate};

l10n_server::both_engines!(
    an_imported_text_stays_when_its_source_changes_costs_nothing_and_is_counted,
    a_reviewed_text_of_a_machine_stays_when_its_source_changes,
    translating_anew_replaces_what_people_wrote_of_an_earlier_source,
    a_queued_job_never_overwrites_what_a_person_wrote,
    a_queued_job_that_replaces_texts_of_people_leaves_those_that_came_after_it,
);

async fn import(app: &TestApp, german: Value) {
    taken(sync_with(app, "", "de.json", &german, json!({"language": "de"})).send().await);
}

fn how(detail: &l10n_api_types::translations::KeyDetail, language: &str) -> (Option<Origin>, bool) {
    let found = detail.translations.iter().find(|translation| translation.language.as_str() == language).unwrap();
    (found.origin, found.stale)
}

/// Stores a translation of a key's present source, as it is.
async fn say(app: &TestApp, name: &str, source: &str, text: &str, state: State, origin: Origin) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let held = keys::find(&mut tx, &app.project.id, name).await.unwrap().unwrap();
    let content = Content::Text(text.into());
    let new = NewTranslation {
        key_id: &held.id,
        language: "de",
        content: &content,
        state,
        source_hash: SourceHash::of(&Content::Text(source.into())),
        origin,
        engine: None,
        issues: &[],
    };
    translations::upsert(&mut tx, &app.project.id, &[new], app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn an_imported_text_stays_when_its_source_changes_costs_nothing_and_is_counted(store: TestStore) {
    let app = TestApp::on(&store).await;
    let first = json!({"a": "Save", "b": "Open"});
    ended(&app, &taken(sync_with(&app, "", "en.json", &first, json!({"languages": ["fr"]})).send().await)).await;
    import(&app, json!({"a": "Speichern", "b": "Öffnen"})).await;
    let edited = json!({"a": "Save all", "b": "Open"});
    let quote = taken(sync_with(&app, "?dryRun=true", "en.json", &edited, json!({})).send().await);
    let run = taken(sync(&app, "en.json", &edited).send().await);
    for run in [&quote, &run] {
        assert_eq!((run.kept, run.classification.changed, run.estimated_credits), (1, 1, Millicredits(8)));
        let keys: Vec<_> = run.per_language.iter().map(|price| (price.language.as_str(), price.keys)).collect();
        assert_eq!(keys, [("de", 0), ("fr", 1)]);
        assert_eq!(run.items[0].languages, ["fr".into()]);
    }
    assert_eq!(ended(&app, &run).await.credits_charged, Millicredits(8));
    let now = key(&app, "a").await;
    assert_eq!(text_in(&now, "de"), Some("Speichern"));
    assert_eq!((how(&now, "de"), how(&now, "fr")), ((Some(Origin::Import), true), (Some(Origin::Machine), false)));
    let again = taken(sync(&app, "en.json", &edited).send().await);
    assert_eq!((again.kept, again.status), (1, RunStatus::Completed), "it stays until someone does something");
    let back = taken(translate(&app, &texts([("a", "Save")])).send().await);
    assert_eq!(back.kept, 0, "it translates the source again");
    assert_eq!(how(&key(&app, "a").await, "de"), (Some(Origin::Import), false));
}

async fn a_reviewed_text_of_a_machine_stays_when_its_source_changes(store: TestStore) {
    let app = TestApp::on(&store).await;
    let only_german = |keys: Value, more: Value| {
        let mut body = json!({"keys": keys, "languages": ["de"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        app.post("/translate").json(&body)
    };
    ended(&app, &taken(only_german(json!([{"ref": "a", "text": "Save"}]), json!({})).send().await)).await;
    say(&app, "a", "Save", "Sichern", State::Reviewed, Origin::Machine).await;
    let anew = taken(only_german(json!([{"ref": "a", "text": "Save"}]), json!({"retranslate": true})).send().await);
    assert_eq!(anew.estimated_credits, Millicredits::ZERO, "it is approved and up to date");
    let run = taken(only_german(json!([{"ref": "a", "text": "Save all"}]), json!({})).send().await);
    assert_eq!((run.kept, run.status), (1, RunStatus::Completed));
    assert_eq!(text_in(&key(&app, "a").await, "de"), Some("Sichern"));
}

async fn translating_anew_replaces_what_people_wrote_of_an_earlier_source(store: TestStore) {
    let app = TestApp::on(&store).await;
    let only_german = json!({"languages": ["de"]});
    ended(&app, &taken(sync_with(&app, "", "en.json", &json!({"a": "Save"}), only_german.clone()).send().await)).await;
    import(&app, json!({"a": "Speichern"})).await;
    let edited = json!({"a": "Save all"});
    assert_eq!(taken(sync_with(&app, "", "en.json", &edited, only_german).send().await).kept, 1);
    app.clock.advance(std::time::Duration::from_secs(1));
    let anew = json!({"languages": ["de"], "retranslate": true});
    let run = taken(sync_with(&app, "", "en.json", &edited, anew).send().await);
    assert_eq!((run.kept, run.classification.unchanged, run.estimated_credits), (0, 1, Millicredits(8)));
    assert_eq!(ended(&app, &run).await.credits_charged, Millicredits(8));
    assert_eq!(how(&key(&app, "a").await, "de"), (Some(Origin::Machine), false));
}

async fn a_queued_job_never_overwrites_what_a_person_wrote(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let first = taken(translate(&app, &texts([("a", "Save")])).send().await);
    let second = taken(translate(&app, &texts([("a", "Save all")])).send().await);
    import(&app, json!({"a": "Alles speichern"})).await;
    // The source is again what the first job is about, and the imported text is one of the other source.
    let third = taken(translate(&app, &texts([("a", "Save")])).send().await);
    assert_eq!((third.kept, third.status), (1, RunStatus::Completed));
    let worker = TestWorker::start(&app);
    let (first, second) = (ended(&app, &first).await, ended(&app, &second).await);
    assert_eq!((first.status, second.status), (JobStatus::Completed, JobStatus::Completed));
    assert_eq!(first.credits_charged, Millicredits(4), "French alone was translated");
    let now = key(&app, "a").await;
    assert_eq!((text_in(&now, "de"), how(&now, "de")), (Some("Alles speichern"), (Some(Origin::Import), true)));
    assert_eq!(money(&app).await.held, Millicredits::ZERO);
    worker.shut_down().await;
}

async fn a_queued_job_that_replaces_texts_of_people_leaves_those_that_came_after_it(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let worker = TestWorker::start(&app);
    ended(&app, &taken(translate(&app, &texts([("a", "Save"), ("b", "Open")])).send().await)).await;
    import(&app, json!({"a": "Speichern", "b": "Öffnen"})).await;
    worker.shut_down().await;
    app.clock.advance(std::time::Duration::from_secs(1));
    let body = json!({"keys": texts([("a", "Save"), ("b", "Open")]), "languages": ["de"], "retranslate": true});
    let anew = taken(app.post("/translate").json(&body).send().await);
    assert_eq!(anew.estimated_credits, Millicredits(8));
    import(&app, json!({"b": "Aufmachen"})).await;
    let worker = TestWorker::start(&app);
    assert_eq!(ended(&app, &anew).await.credits_charged, Millicredits(4));
    assert_eq!(how(&key(&app, "a").await, "de"), (Some(Origin::Machine), false));
    assert_eq!(text_in(&key(&app, "b").await, "de"), Some("Aufmachen"));
    worker.shut_down().await;
}
