//! Translation memory between the projects of a workspace.

use http::Method;
use l10n_api_types::translations::Run;
use l10n_api_types::{Content, Origin, State, WorkspaceId};
use l10n_formats::SourceHash;
use l10n_server::domain::projects::set_memory;
use l10n_server::domain::review::{review, waiting};
use l10n_server::store::memory::{MemoryOwner, MemoryScope};
use l10n_server::store::projects::MemorySetting;
use l10n_server::store::{Tx, memory, projects};
use l10n_server::testing::{TestApp, TestProject, TestStore, sql};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use crate::jobs::fixtures::{TestWorker, ended, key, sync_with, taken, text_in, texts, translate};

l10n_server::both_engines!(
    an_imported_text_serves_its_own_project_alone_until_a_person_has_reviewed_it,
    an_agents_import_serves_no_other_project,
    no_file_takes_the_place_of_a_reviewed_translation,
    what_an_engine_translated_is_shared_in_the_workspace,
    a_project_may_keep_a_memory_of_its_own_or_none,
    a_setting_counts_for_what_a_job_under_way_remembers,
    what_cannot_be_reviewed_is_refused_as_a_whole,
    entries_of_an_earlier_release_serve_the_project_they_came_from_alone,
    a_price_reads_no_translation_of_memory,
    what_was_used_since_its_last_note_stays_for_its_time,
);

/// A call of another project with its admin key.
async fn post(app: &TestApp, project: &TestProject, path: &str, body: &Value) -> Run {
    let call = app.at(Method::POST, &format!("/v1/projects/{}{path}", project.id)).key(&project.keys.admin);
    let answer = call.json(body).send().await;
    assert!(answer.status < 300, "{answer:?}");
    answer.read()
}

/// Returns 1 if memory has a German translation of this text for a project's strings, else 0.
async fn remembered(app: &TestApp, project: &TestProject, text: &str) -> u64 {
    let body = json!({"keys": [{"ref": "asked", "text": text}], "languages": ["de"]});
    post(app, project, "/translate?dryRun=true", &body).await.per_language[0].from_memory
}

/// The same of a document.
async fn remembered_of_document(app: &TestApp, project: &TestProject, text: &str) -> u64 {
    let path = format!("/v1/projects/{}/content", project.id);
    let push = app.at(Method::POST, &path).key(&project.keys.admin);
    let document = push.json(&json!({"format": "markdown", "body": text})).send().await.json();
    let run = format!("/content/{}/run", document["docId"].as_str().unwrap());
    post(app, project, &run, &json!({"dryRun": true, "languages": ["de"]})).await.per_language[0].from_memory
}

async fn import(app: &TestApp, german: &Value) -> Run {
    taken(sync_with(app, "", "de.json", german, json!({"language": "de"})).send().await)
}

async fn set(app: &TestApp, project: &TestProject, setting: MemorySetting) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    set_memory(&mut tx, &project.id, setting).await.unwrap();
    tx.commit().await.unwrap();
}

async fn reviewed(app: &TestApp, names: &[&str]) -> usize {
    let mut tx = app.service.store.begin_write().await.unwrap();
    let count = review(&mut tx, &app.clock, &app.project.id, "de", names).await.unwrap();
    tx.commit().await.unwrap();
    count
}

async fn an_imported_text_serves_its_own_project_alone_until_a_person_has_reviewed_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    let only_french = json!({"languages": ["fr"]});
    let source = json!({"a": "Save", "b": "Open"});
    ended(&app, &taken(sync_with(&app, "", "en.json", &source, only_french).send().await)).await;
    import(&app, &json!({"a": "Gemein!", "b": "Öffnen"})).await;

    assert_eq!(remembered(&app, &app.project, "Save").await, 1, "it is the project's own");
    assert_eq!(remembered_of_document(&app, &app.project, "Save").await, 1);
    assert_eq!(remembered(&app, &other, "Save").await, 0);
    assert_eq!(remembered_of_document(&app, &other, "Save").await, 0);

    assert_eq!(reviewed(&app, &["b"]).await, 1);
    assert_eq!(key(&app, "b").await.translations[0].state, State::Reviewed);
    assert_eq!((remembered(&app, &other, "Open").await, remembered(&app, &other, "Save").await), (1, 0));
    assert_eq!(remembered_of_document(&app, &other, "Open").await, 1);
    let body = json!({"keys": [{"ref": "open", "text": "Open"}], "languages": ["de"]});
    post(&app, &other, "/translate", &body).await;
    let path = format!("/v1/projects/{}/translations?ref=open", other.id);
    let there = app.at(Method::GET, &path).key(&other.keys.admin).send().await.json();
    assert_eq!(
        (&there["translations"][0]["text"], &there["translations"][0]["origin"]),
        (&json!("Öffnen"), &json!("memory"))
    );
    assert_eq!(reviewed(&app, &["b"]).await, 0, "it was so already");

    let elsewhere = app.other_project("unlimited").await;
    assert_eq!(remembered(&app, &elsewhere, "Open").await, 0, "a workspace's memory is its own");
}

/// An agent brings texts by an approved sync: another way to import.
async fn an_agents_import_serves_no_other_project(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    let only_french = json!({"languages": ["fr"]});
    ended(&app, &taken(sync_with(&app, "", "en.json", &json!({"a": "Save"}), only_french).send().await)).await;
    let ask = json!({"kind": "translation", "max_credits": 0});
    let asked = app.post("/operations").key(&app.project.keys.agent).json(&ask).send().await.json();
    let verdict = l10n_server::domain::operations::OperationDecision { is_approved: true, by: "ada", reason: None };
    let id = asked["operationId"].as_str().unwrap();
    l10n_server::testing::decide(&app.service, id, verdict).await.unwrap();
    let german = json!({"a": "Gemein!"});
    let call = sync_with(&app, "", "de.json", &german, json!({"language": "de", "operationId": id}));
    taken(call.key(&app.project.keys.agent).send().await);
    assert_eq!(remembered(&app, &app.project, "Save").await, 1);
    assert_eq!(remembered(&app, &other, "Save").await, 0);
}

/// A file has another translation for another key of the text: it is that key's, and nothing more.
async fn no_file_takes_the_place_of_a_reviewed_translation(store: TestStore) {
    let app = TestApp::on(&store).await;
    for setting in [MemorySetting::Workspace, MemorySetting::Project] {
        set(&app, &app.project, setting).await;
        let [a, b, c, text] = ["a", "b", "c", "Save"].map(|name| format!("{name}-{}", setting.as_str()));
        let source = json!({&a: text, &b: text});
        ended(&app, &taken(sync_with(&app, "", "en.json", &source, json!({"languages": ["fr"]})).send().await)).await;
        import(&app, &json!({&a: "Sichern"})).await;
        assert_eq!(reviewed(&app, &[&a]).await, 1);
        let run = import(&app, &json!({&b: "Speichern (Datei)"})).await;
        assert_eq!((run.classification.new, run.held.len()), (1, 0));
        assert_eq!(text_in(&key(&app, &b).await, "de"), Some("Speichern (Datei)"));

        taken(translate(&app, &texts([(c.as_str(), text.as_str())])).send().await);
        assert_eq!(text_in(&key(&app, &c).await, "de"), Some("Sichern"), "{setting:?}");
        let found = app.get(&format!("/memory?language=de&text={text}")).send().await.json();
        assert_eq!(found["matches"][0]["translation"], "Sichern", "{setting:?}");
        assert_eq!(found["matches"].as_array().unwrap().len(), 1, "{found}");
        let unit = |language: &str, text: &str| format!("<tuv xml:lang=\"{language}\"><seg>{text}</seg></tuv>");
        let tmx = format!("<tmx><body><tu>{}{}</tu></body></tmx>", unit("en", &text), unit("de", "Speichern (TMX)"));
        let tmx = app.post("/memory/import").json(&json!({"content": tmx, "encoding": "utf8"})).send().await.json();
        assert_eq!((&tmx["added"], &tmx["refusedCount"]), (&json!(0), &json!(1)), "{setting:?}: {tmx}");
        // A person may change it.
        assert_eq!(reviewed(&app, &[&b]).await, 1);
        let found = app.get(&format!("/memory?language=de&text={text}")).send().await.json();
        assert_eq!(found["matches"][0]["translation"], "Speichern (Datei)", "{setting:?}");
    }
}

async fn what_an_engine_translated_is_shared_in_the_workspace(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    ended(&app, &taken(translate(&app, &texts([("a", "The same")])).send().await)).await;
    assert_eq!(remembered(&app, &other, "The same").await, 1);
    // A project's own import is taken before what an engine made of the same text elsewhere.
    import(&app, &json!({"a": "Dasselbe"})).await;
    taken(translate(&app, &texts([("b", "The same")])).send().await);
    assert_eq!(text_in(&key(&app, "b").await, "de"), Some("Dasselbe"));
    let body = json!({"keys": [{"ref": "c", "text": "The same"}], "languages": ["de"]});
    post(&app, &other, "/translate", &body).await;
    let path = format!("/v1/projects/{}/translations?ref=c", other.id);
    let there = app.at(Method::GET, &path).key(&other.keys.admin).send().await.json();
    assert_ne!(there["translations"][0]["text"], "Dasselbe");
}

async fn a_project_may_keep_a_memory_of_its_own_or_none(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    ended(&app, &taken(translate(&app, &texts([("a", "Shared before")])).send().await)).await;

    set(&app, &app.project, MemorySetting::Project).await;
    ended(&app, &taken(translate(&app, &texts([("b", "Its own")])).send().await)).await;
    assert_eq!((remembered(&app, &app.project, "Its own").await, remembered(&app, &other, "Its own").await), (1, 0));
    assert_eq!(remembered(&app, &app.project, "Shared before").await, 0, "it takes nothing of the workspace either");
    assert_eq!(remembered_of_document(&app, &app.project, "Its own").await, 1);
    import(&app, &json!({"b": "Eigenes"})).await;
    assert_eq!(reviewed(&app, &["b"]).await, 1);
    assert_eq!(remembered(&app, &other, "Its own").await, 0, "what is reviewed stays, too");
    assert_eq!(remembered(&app, &other, "Shared before").await, 1, "what it gave before stays given");

    set(&app, &app.project, MemorySetting::Off).await;
    for text in ["Its own", "Shared before"] {
        assert_eq!(remembered(&app, &app.project, text).await, 0, "{text}");
        assert_eq!(remembered_of_document(&app, &app.project, text).await, 0, "{text}");
    }
    ended(&app, &taken(translate(&app, &texts([("d", "Of no one")])).send().await)).await;
    import(&app, &json!({"d": "Niemandes"})).await;
    set(&app, &app.project, MemorySetting::Workspace).await;
    for project in [&app.project, &other] {
        assert_eq!(remembered(&app, project, "Of no one").await, 0, "nothing was remembered");
    }
    assert_eq!(remembered(&app, &app.project, "Its own").await, 1);
}

/// The setting at the commit of a chunk decides about its entries in memory.
async fn a_setting_counts_for_what_a_job_under_way_remembers(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, std::sync::Arc::new(l10n_server::engines::Pseudo)).await;
    let other = app.project_beside("other").await;
    let queued = taken(translate(&app, &texts([("a", "Under way")])).send().await);
    set(&app, &app.project, MemorySetting::Project).await;
    let worker = TestWorker::start(&app);
    ended(&app, &queued).await;
    worker.shut_down().await;
    assert_eq!(
        (remembered(&app, &app.project, "Under way").await, remembered(&app, &other, "Under way").await),
        (1, 0)
    );
}

async fn what_cannot_be_reviewed_is_refused_as_a_whole(store: TestStore) {
    let app = TestApp::on(&store).await;
    let only_french = json!({"languages": ["fr"]});
    let source = json!({"a": "Save", "held": "Hello {name}", "none": "Nothing", "old": "Old"});
    ended(&app, &taken(sync_with(&app, "", "en.json", &source, only_french).send().await)).await;
    import(&app, &json!({"a": "Sichern", "held": "Hallo", "old": "Alt"})).await;
    let only_french = json!({"languages": ["fr"]});
    let edited = json!({"a": "Save", "held": "Hello {name}", "none": "Nothing", "old": "Older"});
    ended(&app, &taken(sync_with(&app, "", "en.json", &edited, only_french).send().await)).await;
    let project = &app.project.id;
    for (language, names, why) in [
        ("de", ["a", "held"], "held back by a check"),
        ("de", ["a", "none"], "no translation into de"),
        ("de", ["a", "old"], "earlier text"),
        ("de", ["a", "unknown"], "no key is named"),
        ("en", ["a", "a"], "base language"),
        ("es", ["a", "a"], "no language `es`"),
    ] {
        let mut tx = app.service.store.begin_write().await.unwrap();
        let refused = review(&mut tx, &app.clock, project, language, &names).await.unwrap_err().to_string();
        assert!(refused.contains(why), "{names:?}: {refused}");
        tx.rollback().await.unwrap();
    }
    let mut tx = app.service.store.begin_read().await.unwrap();
    let listed = waiting(&mut tx, project, "de", Some(Origin::Import), "", 10).await.unwrap();
    assert_eq!(listed.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["a"]);
    assert!(waiting(&mut tx, project, "de", Some(Origin::Import), "a", 10).await.unwrap().is_empty());
    tx.rollback().await.unwrap();
    assert_eq!(reviewed(&app, &["a", "a"]).await, 1);
    let mut tx = app.service.store.begin_read().await.unwrap();
    assert!(waiting(&mut tx, project, "de", None, "", 10).await.unwrap().is_empty());
}

/// The part of the migration that finds out whose an imported text is; and what it cannot find out, serves nobody.
async fn entries_of_an_earlier_release_serve_the_project_they_came_from_alone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    let only_french = json!({"languages": ["fr"]});
    let source = json!({"a": "Save", "b": "Open"});
    ended(&app, &taken(sync_with(&app, "", "en.json", &source, only_french).send().await)).await;
    import(&app, &json!({"a": "Sichern"})).await;

    let [hash, lost] = ["Save", "Open"].map(|text| SourceHash::of(&Content::Text(text.to_owned())));
    let content = Content::Text("Sichern".to_owned());
    let mut tx = app.service.store.begin_write().await.unwrap();
    let workspace_id = projects::find(&mut tx, &app.project.id).await.unwrap().unwrap().workspace_id;
    let workspace_id = WorkspaceId::new(workspace_id);
    let pair = |owner| MemoryScope { owner, source_language: "en", target_language: "de" };
    let earlier = [(hash, &content), (lost, &content)];
    let shared = pair(MemoryOwner::Workspace(&workspace_id));
    memory::remember(&mut tx, shared, "", &earlier, app.service.clock.now()).await.unwrap();
    let migration = include_str!("../../../../migrations/sqlite/0116_memory_of_projects.sql");
    let moves = &migration[migration.find("INSERT INTO project_memory").unwrap()..];
    match &mut tx {
        Tx::Sqlite(tx) => {
            sqlx::query("DELETE FROM project_memory").execute(&mut **tx).await.unwrap();
            sqlx::query(AssertSqlSafe(moves.to_owned())).execute(&mut **tx).await.unwrap();
        }
        Tx::Postgres(tx) => {
            sqlx::query("DELETE FROM project_memory").execute(&mut **tx).await.unwrap();
            sqlx::query(AssertSqlSafe(moves.to_owned())).execute(&mut **tx).await.unwrap();
        }
    }
    for (project, hash, found) in [(&app.project, hash, 1), (&app.project, lost, 0), (&other, hash, 0)] {
        let own = pair(MemoryOwner::Project(&project.id));
        assert_eq!(memory::find(&mut tx, own, "pseudo", &[hash]).await.unwrap().len(), found);
    }
    tx.commit().await.unwrap();
    assert_eq!(remembered(&app, &app.project, "Save").await, 1);
    assert_eq!(remembered(&app, &app.project, "Open").await, 0);
    assert_eq!((remembered(&app, &other, "Save").await, remembered(&app, &other, "Open").await), (0, 0));
}

/// Before, a price read the translations of 500 texts at once, and each may be long.
async fn a_price_reads_no_translation_of_memory(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &taken(translate(&app, &texts([("a", "Save")])).send().await)).await;
    sql::run(&store, "UPDATE memory SET content = 'none'").await;
    assert_eq!(remembered(&app, &app.project, "Save").await, 1);
    assert_eq!(remembered_of_document(&app, &app.project, "Save").await, 1);
    assert_eq!(remembered(&app, &app.project, "Open").await, 0);
}

/// A use is noted if none was for a week. Before, an entry went up to a week before its time.
async fn what_was_used_since_its_last_note_stays_for_its_time(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.project_beside("other").await;
    let set_by = async |project: &TestProject| {
        let body = json!({"keys": [{"ref": "save", "text": "Save"}], "languages": ["de"]});
        let run = post(&app, project, "/translate", &body).await;
        if run.tracking_token.is_some() {
            ended(&app, &run).await;
        }
    };
    set(&app, &other, MemorySetting::Workspace).await;
    set_by(&app.project).await;
    let day = std::time::Duration::from_secs(86_400);
    app.clock.advance(6 * day);
    set_by(&other).await;
    let kept = app.service.settings.retention.memory_days;
    for (days, left) in [(kept - 1, 1), (16, 0)] {
        app.clock.advance(days * day);
        l10n_server::workers::retention::sweep(&app.service).await.unwrap();
        for table in ["memory", "memory_sources"] {
            assert_eq!(sql::count(&store, table).await, left, "{table}");
        }
    }
}
