//! `GET /memory`: earlier translations of a text and of similar ones.

use http::Method;
use l10n_api_types::memory::{MemoryMatch, MemoryMatches};
use l10n_api_types::{Content, Origin};
use l10n_formats::SourceHash;
use l10n_server::domain::projects::set_memory;
use l10n_server::domain::review::review;
use l10n_server::store::memory::{MemoryOwner, MemoryScope, MemorySpace};
use l10n_server::store::projects::MemorySetting;
use l10n_server::store::{memory, memory_sources};
use l10n_server::testing::{Answer, TestApp, TestProject, TestStore, sql};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, sync_with, taken, texts, translate};

l10n_server::both_engines!(
    the_same_text_and_similar_ones_are_suggested_with_their_percentage,
    people_come_first_whatever_machines_write_and_by_whatever_path,
    no_workspace_sees_anothers_memory_and_no_project_anothers_imports,
    what_neither_people_nor_the_projects_engines_made_is_not_suggested,
    the_setting_of_a_project_decides_what_is_suggested,
    a_text_is_found_among_many_that_are_like_it,
    requests_are_bounded_and_need_the_scope_read,
    texts_of_an_earlier_release_are_suggested_after_the_migration,
    the_index_of_an_earlier_release_is_made_anew,
    what_nobody_uses_is_forgotten_with_its_tokens,
);

async fn asked(app: &TestApp, project: &TestProject, text: &str, more: &str) -> Answer {
    let text = utf8_percent_encode(text, NON_ALPHANUMERIC);
    let path = format!("/v1/projects/{}/memory?language=de&text={text}{more}", project.id);
    app.at(Method::GET, &path).key(&project.keys.read).send().await
}

async fn suggested(app: &TestApp, project: &TestProject, text: &str) -> Vec<MemoryMatch> {
    let answer = asked(app, project, text, "").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read::<MemoryMatches>().matches
}

/// Registers texts and brings German translations of them.
async fn import(app: &TestApp, source: &Value, german: &Value) {
    let only_french = json!({"languages": ["fr"]});
    ended(app, &taken(sync_with(app, "", "en.json", source, only_french).send().await)).await;
    taken(sync_with(app, "", "de.json", german, json!({"language": "de"})).send().await);
}

async fn reviewed(app: &TestApp, names: &[&str]) {
    let mut tx = app.service.store.begin_write().await.unwrap();
    review(&mut tx, &app.clock, &app.project.id, "de", names).await.unwrap();
    tx.commit().await.unwrap();
}

/// Writes entries of the app's engine into the memory of its workspace.
async fn flood(app: &TestApp, texts: impl IntoIterator<Item = String>) {
    flood_by(app, "pseudo", texts).await;
}

async fn flood_by(app: &TestApp, engine: &str, texts: impl IntoIterator<Item = String>) {
    let contents: Vec<(Content, Content)> =
        texts.into_iter().map(|text| (Content::Text(text.clone()), Content::Text(format!("[{text}]")))).collect();
    let now = app.service.clock.now();
    let owner = MemoryOwner::Workspace(&app.project.workspace);
    let mut tx = app.service.store.begin_write().await.unwrap();
    let sources: Vec<_> = contents.iter().map(|(source, _)| (SourceHash::of(source), source)).collect();
    let space = MemorySpace { owner, source_language: "en", is_human: false };
    memory_sources::keep(&mut tx, space, &sources, now).await.unwrap();
    let entries: Vec<_> = contents.iter().map(|(source, translation)| (SourceHash::of(source), translation)).collect();
    let scope = MemoryScope { owner, source_language: "en", target_language: "de" };
    memory::remember(&mut tx, scope, engine, &entries, now).await.unwrap();
    tx.commit().await.unwrap();
    app.indexed().await;
}

async fn rows(app: &TestApp, table: &str) -> i64 {
    sql::count(&app.service.store, table).await
}

async fn the_same_text_and_similar_ones_are_suggested_with_their_percentage(store: TestStore) {
    let app = TestApp::on(&store).await;
    let source = json!({"a": "Delete this message?", "b": "Nothing like it", "c": "設定を開く"});
    import(&app, &source, &json!({"a": "Diese Nachricht löschen?", "b": "Ganz anders", "c": "Einstellungen öffnen"}))
        .await;
    // The same text needs no index.
    let same = suggested(&app, &app.project, "Delete this message?").await;
    assert_eq!((same[0].percent, same[0].translation.as_str()), (100, "Diese Nachricht löschen?"));
    app.indexed().await;
    for (text, percent, translation) in [
        ("Delete this message?", 100, "Diese Nachricht löschen?"),
        ("DELETE  this message?", 99, "Diese Nachricht löschen?"),
        ("Delete these messages?", 86, "Diese Nachricht löschen?"),
        ("設定を開け", 80, "Einstellungen öffnen"),
    ] {
        let found = suggested(&app, &app.project, text).await;
        assert_eq!((found[0].percent, found[0].translation.as_str()), (percent, translation), "{text}: {found:?}");
        assert_eq!((found[0].origin, found[0].project.as_ref()), (Origin::Human, Some(&app.project.id)));
        assert_eq!(found[0].engine, None);
    }
    assert_eq!(suggested(&app, &app.project, "What has never been said").await, []);
    assert_eq!(asked(&app, &app.project, "Delete these messages?", "&percent=87").await.json()["matches"], json!([]));

    // French is an engine's.
    let french = app.get("/memory?language=fr&text=Delete%20this%20message%3F").send().await.read::<MemoryMatches>();
    let [one] = &french.matches[..] else { panic!("{french:?}") };
    assert_eq!((one.origin, one.engine.as_deref(), &one.project), (Origin::Machine, Some("pseudo"), &None));
}

/// Jobs of keys and of documents, translations that are asked for again, and a flood of entries that are more alike: none of
/// them takes a place from what a person wrote, imported or reviewed.
async fn people_come_first_whatever_machines_write_and_by_whatever_path(store: TestStore) {
    let app = TestApp::on(&store).await;
    let text = "Please restart the computer now";
    import(
        &app,
        &json!({"a": text, "b": "Please restart the printer"}),
        &json!({"a": "Neu starten", "b": "Drucker neu starten"}),
    )
    .await;
    reviewed(&app, &["b"]).await;

    let again = json!({"keys": [{"ref": "a", "text": text}, {"ref": "b", "text": "Please restart the printer"}],
        "languages": ["de"], "retranslate": true});
    ended(&app, &taken(app.post("/translate").json(&again).send().await)).await;
    ended(&app, &taken(translate(&app, &texts([("near", "Please restart the computers now")])).send().await)).await;
    let push = app.post("/content").json(&json!({"format": "markdown", "body": text})).send().await.json();
    let run = format!("/content/{}/run", push["docId"].as_str().unwrap());
    let run = taken(app.post(&run).json(&json!({"languages": ["de"], "retranslate": true})).send().await);
    ended(&app, &run).await;
    flood(&app, (0..400).map(|n| format!("Please restart the computer no{n:03}"))).await;

    let found = suggested(&app, &app.project, "Please restart the computer no1").await;
    assert_eq!(found.len(), 10, "{found:?}");
    let people: Vec<_> = found.iter().take(2).map(|one| (one.translation.as_str(), one.origin)).collect();
    assert_eq!(people, [("Neu starten", Origin::Human), ("Drucker neu starten", Origin::Human)]);
    assert!(found[2..].iter().all(|one| one.origin == Origin::Machine && one.percent >= 90), "{found:?}");
    // Of the same text, no engine's words stand beside a person's.
    let same = suggested(&app, &app.project, text).await;
    assert_eq!((same[0].translation.as_str(), same[0].percent), ("Neu starten", 100));
    assert!(same.iter().filter(|one| one.source == text).count() == 1, "{same:?}");
    // What was reviewed is the workspace's as well.
    let other = app.project_beside("other").await;
    let there = suggested(&app, &other, "Please restart the printers").await;
    assert_eq!((there[0].translation.as_str(), there[0].origin), ("Drucker neu starten", Origin::Human));
    assert_eq!(there[0].project, None);
}

async fn no_workspace_sees_anothers_memory_and_no_project_anothers_imports(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (beside, elsewhere) = (app.project_beside("other").await, app.other_project("unlimited").await);
    import(&app, &json!({"a": "Save the whole file"}), &json!({"a": "Gemein!"})).await;
    ended(&app, &taken(translate(&app, &texts([("b", "Save the whole document")])).send().await)).await;
    app.indexed().await;
    let sources = async |project: &TestProject, text: &str| {
        let found = suggested(&app, project, text).await;
        found.into_iter().map(|one| one.source).collect::<Vec<_>>()
    };
    for text in ["Save the whole file", "Save the whole files", "Save the whole documents"] {
        assert_eq!(sources(&elsewhere, text).await, Vec::<String>::new(), "{text}");
        assert!(!sources(&beside, text).await.contains(&"Save the whole file".to_owned()), "{text}");
    }
    for text in ["Save the whole file", "Save the whole files"] {
        assert!(sources(&app.project, text).await.contains(&"Save the whole file".to_owned()), "{text}");
    }
    assert_eq!(sources(&beside, "Save the whole documents").await, ["Save the whole document"]);
    // A token that means the same to two owners, as a hash may, finds nothing of the other's.
    let mut tx = app.service.store.begin_read().await.unwrap();
    let numbers: Vec<i64> = (0..20).collect();
    let [own, none] = [&app.project.workspace, &elsewhere.workspace].map(|id| [MemoryOwner::Workspace(id); 2]);
    let own = memory_sources::find(&mut tx, own, &numbers).await.unwrap();
    let none = memory_sources::find(&mut tx, none, &numbers).await.unwrap();
    assert!(!own.is_empty() && none.is_empty(), "{own:?} {none:?}");
}

/// The entries of a text are read together, whoever made them: those of an engine that is gone, too, and those without a name
/// that earlier releases made of imports.
async fn what_neither_people_nor_the_projects_engines_made_is_not_suggested(store: TestStore) {
    let app = TestApp::on(&store).await;
    for engine in ["gone", memory::HUMAN] {
        flood_by(&app, engine, ["Empty the basket".to_owned()]).await;
    }
    for text in ["Empty the basket", "Empty the baskets"] {
        assert_eq!(suggested(&app, &app.project, text).await, [], "{text}");
    }
    flood(&app, ["Empty the basket".to_owned()]).await;
    for (text, percent) in [("Empty the basket", 100), ("Empty the baskets", 94)] {
        let found = suggested(&app, &app.project, text).await;
        let [one] = &found[..] else { panic!("{text}: {found:?}") };
        assert_eq!((one.engine.as_deref(), one.percent), (Some("pseudo"), percent));
    }
}

async fn the_setting_of_a_project_decides_what_is_suggested(store: TestStore) {
    let app = TestApp::on(&store).await;
    ended(&app, &taken(translate(&app, &texts([("a", "Close the window")])).send().await)).await;
    app.indexed().await;
    for (setting, found) in [(MemorySetting::Workspace, 1), (MemorySetting::Project, 0), (MemorySetting::Off, 0)] {
        let mut tx = app.service.store.begin_write().await.unwrap();
        set_memory(&mut tx, &app.project.id, setting).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(suggested(&app, &app.project, "Close the windows").await.len(), found, "{setting:?}");
    }
}

/// The lists of a look are bounded, and what is most alike is found nonetheless.
async fn a_text_is_found_among_many_that_are_like_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let [verbs, things, places] = [
        ["Open", "Close", "Move", "Copy", "Rename", "Delete", "Share", "Print", "Send", "Find"],
        ["file", "folder", "picture", "message", "contact", "calendar", "note", "playlist", "invoice", "report"],
        [
            "on this device",
            "in the cloud",
            "with a colleague",
            "for ever",
            "of last week",
            "in your archive",
            "by its name",
            "before the meeting",
            "from the server",
            "at home",
        ],
    ];
    let text = |n: usize| {
        format!(
            "{} the {} {} and tell everybody about number {n}",
            verbs[n % 10],
            things[n / 10 % 10],
            places[n / 100 % 10]
        )
    };
    flood(&app, (0..2_000).map(text)).await;
    for (part, other) in
        [("everybody", "everyone"), ("and tell everybody about", "has the"), ("and tell", "and please tell")]
    {
        let mut missed = Vec::new();
        for n in (0..2_000).step_by(41) {
            let asked = text(n).replace(part, other);
            let found = suggested(&app, &app.project, &asked).await;
            if !found.iter().any(|one| one.source == text(n)) {
                missed.push(asked);
            }
        }
        // Which texts are missed depends on the workspace's id, from which the tokens are made: one or two as a rule.
        assert!(missed.len() <= 7, "of 49 texts {} are not found: {missed:?}", missed.len());
    }
}

async fn requests_are_bounded_and_need_the_scope_read(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (text, more, status) in [
        ("x".repeat(1_000), "", 200),
        ("x".repeat(1_001), "", 400),
        (String::new(), "", 400),
        (" ".to_owned(), "", 200),
        ("ü".repeat(1_000), "&percent=60", 200),
        ("a".to_owned(), "&percent=59", 400),
        ("a".to_owned(), "&percent=101", 400),
        ("a".to_owned(), "&percent=x", 400),
    ] {
        assert_eq!(asked(&app, &app.project, &text, more).await.status, status, "{text} {more}");
    }
    for path in ["/memory?text=a&language=pl", "/memory?text=a&language=%20", "/memory?text=a", "/memory?language=de"] {
        assert_eq!(app.get(path).send().await.outcome(), "400 invalid_argument", "{path}");
    }
    let keys = &app.project.keys;
    for key in [&keys.translate, &keys.write, &keys.publish, &keys.capture, &keys.none] {
        assert_eq!(app.get("/memory?text=a&language=de").key(key).send().await.outcome(), "403 forbidden");
    }
    let other = app.other_project("unlimited").await;
    assert_eq!(app.get("/memory?text=a&language=de").key(&other.keys.read).send().await.outcome(), "401 unauthorized");
}

/// The part of the migration that knows the texts of entries that are there.
async fn texts_of_an_earlier_release_are_suggested_after_the_migration(store: TestStore) {
    let app = TestApp::on(&store).await;
    import(&app, &json!({"a": "Save the file", "b": "Open the door"}), &json!({"a": "Sichern", "b": "Tür öffnen"}))
        .await;
    reviewed(&app, &["b"]).await;
    let push =
        app.post("/content").json(&json!({"format": "text", "body": "A \"long\" paragraph"})).send().await.json();
    let run = format!("/content/{}/run", push["docId"].as_str().unwrap());
    ended(&app, &taken(app.post(&run).json(&json!({"languages": ["de"]})).send().await)).await;
    app.indexed().await;
    let before = (rows(&app, "memory_sources").await, rows(&app, "memory_grams").await);
    let migration = match store.store().engine().as_str() {
        "sqlite" => include_str!("../../../../migrations/sqlite/0302_memory_sources.sql"),
        _ => include_str!("../../../../migrations/postgres/0302_memory_sources.sql"),
    };
    // An earlier release has no marks of reviewed texts in the memories of projects.
    sql::run(&app.service.store, "DELETE FROM project_memory WHERE engine = '*'").await;
    let fills = &migration[migration.find("INSERT INTO memory_sources").unwrap()..];
    sql::run(&app.service.store, &format!("DELETE FROM memory_sources; DELETE FROM memory_grams; {fills}")).await;
    app.indexed().await;
    assert_eq!((rows(&app, "memory_sources").await, rows(&app, "memory_grams").await), before);
    for (text, translation) in [("Save the files", "Sichern"), ("Open the doors", "Tür öffnen")] {
        let found = suggested(&app, &app.project, text).await;
        assert_eq!(found[0].translation, translation, "{found:?}");
    }
    assert_eq!(suggested(&app, &app.project, "A \"long\" paragraphs").await.len(), 1);
}

/// The index of an earlier release was made of shorter sequences, so that a look would find none of its texts.
async fn the_index_of_an_earlier_release_is_made_anew(store: TestStore) {
    let app = TestApp::on(&store).await;
    flood(&app, ["Remember the milk and the bread".to_owned()]).await;
    let before = rows(&app, "memory_grams").await;
    sql::run(&app.service.store, "UPDATE memory_grams SET token = token + 1").await;
    let migration = match store.store().engine().as_str() {
        "sqlite" => include_str!("../../../../migrations/sqlite/0344_longer_sequences.sql"),
        _ => include_str!("../../../../migrations/postgres/0344_longer_sequences.sql"),
    };
    sql::run(&app.service.store, migration).await;
    app.indexed().await;
    assert_eq!(rows(&app, "memory_grams").await, before);
    let found = suggested(&app, &app.project, "Remember the milk and the breads").await;
    assert_eq!(found[0].source, "Remember the milk and the bread");
}

async fn what_nobody_uses_is_forgotten_with_its_tokens(store: TestStore) {
    let app = TestApp::on(&store).await;
    flood(&app, (0..300).map(|n| format!("Text number {n} that nobody asks for"))).await;
    assert!(rows(&app, "memory_grams").await > 300);
    // Uses of translations are noted once a week, and those of texts once a week after that.
    let days = u64::from(app.service.settings.retention.memory_days) + 15;
    app.clock.advance(std::time::Duration::from_secs(days * 86_400));
    l10n_server::workers::retention::sweep(&app.service).await.unwrap();
    for table in ["memory", "memory_sources", "memory_grams"] {
        assert_eq!(rows(&app, table).await, 0, "{table}");
    }
}
