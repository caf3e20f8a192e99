//! `POST /memory/import` and `GET /memory/export`: TMX files.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use l10n_api_types::memory::{MemoryImport, MemoryMatches};
use l10n_api_types::{Origin, State};
use l10n_server::domain::projects::set_memory;
use l10n_server::domain::review::review;
use l10n_server::store::projects::MemorySetting;
use l10n_server::testing::{Answer, TestApp, TestProject, TestStore, sql};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::jobs::fixtures::{ended, key, taken, texts, translate};

l10n_server::both_engines!(
    what_is_imported_is_free_for_its_own_project_and_no_other,
    what_is_not_taken_is_named_with_its_line,
    what_a_check_would_hold_back_keeps_no_engine_from_being_asked,
    what_an_import_finds_unchanged_is_kept_and_gets_its_text,
    a_machines_entry_never_displaces_a_persons,
    an_export_is_imported_again_without_a_change,
    an_export_has_every_text_once_however_many_there_are,
    files_are_bounded_and_need_their_scopes,
);

const CAP: usize = 1024 * 1024;

fn file(units: &str) -> String {
    format!("<tmx version=\"1.4\"><header srclang=\"en\"/><body>\n{units}</body></tmx>")
}

fn unit(english: &str, german: &str) -> String {
    format!("<tu><tuv xml:lang=\"en\"><seg>{english}</seg></tuv><tuv xml:lang=\"de\">{german}</tuv></tu>\n")
}

async fn import_into(app: &TestApp, project: &TestProject, file: &str) -> Answer {
    let path = format!("/v1/projects/{}/memory/import", project.id);
    let body = json!({"content": file, "encoding": "utf8"});
    app.at(Method::POST, &path).key(&project.keys.write).json(&body).send().await
}

async fn import(app: &TestApp, units: &str) -> MemoryImport {
    let answer = import_into(app, &app.project, &file(units)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

async fn export_of(app: &TestApp, project: &TestProject) -> String {
    let path = format!("/v1/projects/{}/memory/export", project.id);
    let answer = app.at(Method::GET, &path).key(&project.keys.read).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

async fn suggested(app: &TestApp, project: &TestProject, text: &str) -> MemoryMatches {
    let text = utf8_percent_encode(text, NON_ALPHANUMERIC);
    let path = format!("/v1/projects/{}/memory?language=de&text={text}", project.id);
    app.at(Method::GET, &path).key(&project.keys.read).send().await.read()
}

fn numbers(import: &MemoryImport) -> (u64, u64, u64) {
    (import.added, import.unchanged, import.refused_count)
}

/// ADD-21
async fn what_is_imported_is_free_for_its_own_project_and_no_other(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (beside, elsewhere) = (app.project_beside("other").await, app.other_project("unlimited").await);
    let bold = |text: &str| format!("<bpt i=\"1\">&lt;b></bpt>{text}<ept i=\"1\">&lt;/b></ept>");
    let german = format!("<seg>Sichern {} Ende</seg>", bold("und"));
    let units = unit(&format!("Save {} close", bold("&amp;")), &german);
    assert_eq!(numbers(&import(&app, &units).await), (1, 0, 0));
    assert_eq!(numbers(&import(&app, &units).await), (0, 1, 0));
    let found = suggested(&app, &app.project, "Save <b>&</b> close").await.matches;
    assert_eq!((found[0].translation.as_str(), found[0].origin), ("Sichern <b>und</b> Ende", Origin::Human));
    assert_eq!(found[0].project.as_ref(), Some(&app.project.id));
    app.indexed().await;
    assert_eq!(suggested(&app, &app.project, "Save <b>&</b> close it").await.matches.len(), 1);
    for other in [&beside, &elsewhere] {
        assert_eq!(suggested(&app, other, "Save <b>&</b> close").await.matches, []);
        assert!(!export_of(&app, other).await.contains("Sichern"));
    }
    // A run takes it, free of charge.
    assert_eq!(numbers(&import(&app, &unit("Print now", "<seg>Jetzt drucken</seg>")).await), (1, 0, 0));
    let run = taken(translate(&app, &texts([("a", "Print now")])).send().await);
    ended(&app, &run).await;
    let read = key(&app, "a").await;
    let german = read.translations.iter().find(|one| one.language.as_str() == "de").unwrap();
    assert_eq!((german.text.as_deref(), german.origin), (Some("Jetzt drucken"), Some(Origin::Memory)));
    // Other words for a text replace those that were imported, and serve others once a person has reviewed them.
    assert_eq!(numbers(&import(&app, &unit("Print now", "<seg>Nun drucken</seg>")).await), (1, 0, 0));
    assert_eq!(suggested(&app, &app.project, "Print now").await.matches[0].translation, "Nun drucken");
    assert_eq!(suggested(&app, &beside, "Print now").await.matches, []);
    let mut tx = app.service.store.begin_write().await.unwrap();
    review(&mut tx, &app.clock, &app.project.id, "de", &["a"]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(suggested(&app, &beside, "Print now").await.matches[0].translation, "Jetzt drucken");
    let refused = import(&app, &unit("Print now", "<seg>Bald drucken</seg>")).await;
    assert_eq!(numbers(&refused), (0, 0, 1));
    assert!(refused.refused[0].message.contains("has reviewed another"), "{refused:?}");
}

async fn what_is_not_taken_is_named_with_its_line(store: TestStore) {
    let app = TestApp::on(&store).await;
    let seg = |language: &str, text: &str| format!("<tuv xml:lang=\"{language}\"><seg>{text}</seg></tuv>");
    let lines = [
        ("<tu/>".to_owned(), "no text in the base language en"),
        (format!("<tu>{}</tu>", seg("de", "a")), "no text in the base language en"),
        (format!("<tu>{}</tu>", seg("en", "a")), "no translation"),
        (format!("<tu>{}{}{}</tu>", seg("en", "a"), seg("de", "b"), seg("tlh", "c")), "\"tlh\" is not a language"),
        (format!("<tu>{}{}{}</tu>", seg("en", "b"), seg("de", "b"), seg("not a tag", "c")), "\"not a tag\" is not"),
        (format!("<tu>{}{}</tu>", seg("en", "c"), seg("de", "")), "is empty"),
        (format!("<tu>{}{}</tu>", seg("en", "d"), seg("de", "<ph/>")), "`<ph>` is empty"),
        (
            format!("<tu>{}{}{}</tu>", seg("en", "e"), seg("de-AT", "f"), seg("de-CH", "g")),
            "a second text in de, which is left out",
        ),
        (
            unit("f", "<prop type=\"x-l10n-engine\">unknown</prop><seg>g</seg>").trim_end().to_owned(),
            "no engine \"unknown\"",
        ),
        (unit("g", "<prop type=\"x-l10n-plural\">n</prop><seg>g</seg>").trim_end().to_owned(), "is a plural"),
        (format!("<tu>{}{}</tu>", seg("en", "h"), seg("de", "1")), "line 13 has another translation"),
        (format!("<tu>{}{}</tu>", seg("en-GB", "h"), seg("DE_DE", "2")), ""),
        (format!("<tu>{}{}</tu>", seg("en", "Bye {name}"), seg("de", "Tschüss {name}")), ""),
        (format!("<tu>{}{}</tu>", seg("en", "Bye {name}"), seg("de", "Tschüss")), "missing `{name}`"),
        (format!("<tu>{}{}</tu>", seg("en", "j"), seg("de", " \t ")), "is empty"),
    ];
    let units: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let imported = import(&app, &units).await;
    for (index, (_, said)) in lines.iter().enumerate().filter(|(_, (_, said))| !said.is_empty()) {
        let line = index as u64 + 2;
        let found: Vec<_> = imported.refused.iter().filter(|one| one.line == line).collect();
        assert!(found.iter().any(|one| one.message.contains(said)), "line {line}: {found:?}");
    }
    assert_eq!(imported.added, 5, "{imported:?}");
    for (text, translation) in [("a", "b"), ("b", "b"), ("e", "f"), ("h", "2"), ("Bye {name}", "Tschüss {name}")] {
        assert_eq!(suggested(&app, &app.project, text).await.matches[0].translation, translation, "{text}");
    }
    // A second text of the very language counts more than that of a region.
    let closest = format!("<tu>{}{}{}</tu>", seg("en", "i"), seg("de-AT", "f"), seg("de", "g"));
    assert_eq!(numbers(&import(&app, &closest).await), (1, 0, 1));
    assert_eq!(suggested(&app, &app.project, "i").await.matches[0].translation, "g");

    for (bytes, line) in
        [("{}", 1), ("<tmx>\n<body></tmx>", 2), ("<tmx>\n<!DOCTYPE a [<!ENTITY x SYSTEM 'x'>]><body/></tmx>", 2)]
    {
        let refused = import_into(&app, &app.project, bytes).await;
        assert_eq!(
            (refused.outcome(), refused.json()["details"]["line"].clone()),
            ("400 file_unparseable".into(), json!(line))
        );
    }
}

async fn what_a_check_would_hold_back_keeps_no_engine_from_being_asked(store: TestStore) {
    let app = TestApp::on(&store).await;
    let by_engine = "<prop type=\"x-l10n-engine\">pseudo</prop><seg>Hallo</seg>";
    for german in ["<seg>Hallo</seg>", by_engine] {
        let imported = import(&app, &unit("Hello {name}", german)).await;
        assert_eq!(numbers(&imported), (0, 0, 1));
        assert_eq!(imported.refused[0].line, 2);
        assert!(imported.refused[0].message.contains("`{name}`"), "{imported:?}");
    }
    let body = json!({"keys": texts([("a", "Hello {name}")]), "languages": ["de"]});
    ended(&app, &taken(app.post("/translate").json(&body).send().await)).await;
    let german = key(&app, "a").await.translations.into_iter().find(|one| one.language.as_str() == "de").unwrap();
    assert_eq!((german.state, german.engine.as_deref()), (State::Translated, Some("pseudo")));
}

/// Whoever imports a file once more makes use of what it says, whoever made it.
async fn what_an_import_finds_unchanged_is_kept_and_gets_its_text(store: TestStore) {
    let app = TestApp::on(&store).await;
    let by_engine = "<prop type=\"x-l10n-engine\">pseudo</prop><seg>Fenster öffnen</seg>";
    let again = [unit("Open the door", "<seg>Tür öffnen</seg>"), unit("Open the window", by_engine)].concat();
    assert_eq!(numbers(&import(&app, &again).await), (2, 0, 0));
    assert_eq!(numbers(&import(&app, &unit("Bake a cake", "<seg>Kuchen backen</seg>")).await), (1, 0, 0));
    // Entries of an earlier release may have no texts.
    sql::run(&app.service.store, "DELETE FROM memory_sources").await;
    let days = u64::from(app.service.settings.retention.memory_days);
    let wait = |days: u64| app.clock.advance(Duration::from_secs(days * 86_400));
    wait(days - 5);
    assert_eq!(numbers(&import(&app, &again).await), (0, 2, 0));
    wait(20);
    l10n_server::workers::retention::sweep(&app.service).await.unwrap();
    app.indexed().await;
    for (text, translation) in [("Open the doors", "Tür öffnen"), ("Open the windows", "Fenster öffnen")] {
        let found = suggested(&app, &app.project, text).await.matches;
        assert!(found.iter().any(|one| one.translation == translation), "{text}: {found:?}");
    }
    assert_eq!(suggested(&app, &app.project, "Bake a cake").await.matches, []);
}

async fn a_machines_entry_never_displaces_a_persons(store: TestStore) {
    let app = TestApp::on(&store).await;
    let by_engine = |text: &str| format!("<prop type=\"x-l10n-engine\">pseudo</prop><seg>{text}</seg>");
    for units in [
        [unit("Save", "<seg>Sichern</seg>"), unit("Save", &by_engine("Maschine"))],
        [unit("Open", &by_engine("Maschine")), unit("Open", "<seg>Öffnen</seg>")],
    ] {
        assert_eq!(numbers(&import(&app, &units[0]).await), (1, 0, 0));
        assert_eq!(numbers(&import(&app, &units[1]).await), (1, 0, 0));
    }
    assert_eq!(numbers(&import(&app, &unit("Only", &by_engine("Allein"))).await), (1, 0, 0));
    for (text, translation, origin) in
        [("Save", "Sichern", Origin::Human), ("Open", "Öffnen", Origin::Human), ("Only", "Allein", Origin::Machine)]
    {
        let found = suggested(&app, &app.project, text).await.matches;
        assert_eq!((found[0].translation.as_str(), found[0].origin, found.len()), (translation, origin, 1), "{text}");
    }
    let exported = export_of(&app, &app.project).await;
    assert!(
        exported.contains("Sichern") && exported.contains("Öffnen") && !exported.contains("Maschine"),
        "{exported}"
    );
    assert_eq!(exported.matches("x-l10n-engine").count(), 1, "{exported}");
}

async fn an_export_is_imported_again_without_a_change(store: TestStore) {
    let app = TestApp::on(&store).await;
    let plural = json!({"keys": [
        {"ref": "a", "plural": {"arg": "n", "forms": {"one": "1 <file>", "other": "{n} files & \"more\""}}},
        {"ref": "b", "text": " two\r\nlines\t]]> "},
        {"ref": "c", "text": "a \u{1} control"},
    ], "languages": ["de", "fr"]});
    ended(&app, &taken(app.post("/translate").json(&plural).send().await)).await;
    import(&app, &unit("By a person", "<seg>Von Hand</seg>")).await;
    let exported = export_of(&app, &app.project).await;
    assert!(exported.starts_with("<?xml") && exported.ends_with("</tmx>\n"), "{exported}");
    assert_eq!(exported.matches("<tu>").count(), 3, "U+0001 is nothing that XML holds: {exported}");
    assert_eq!(exported.matches("<tuv xml:lang=\"fr\">").count(), 2);
    // The engine's entries are the workspace's: in the project's own memory they are new, and then they are known.
    let again = import_into(&app, &app.project, &exported).await.read::<MemoryImport>();
    assert_eq!(numbers(&again), (4, 1, 0), "{again:?}");
    let again = import_into(&app, &app.project, &exported).await.read::<MemoryImport>();
    assert_eq!(numbers(&again), (0, 5, 0), "{again:?}");
    assert_eq!(export_of(&app, &app.project).await, exported);
    // UTF-16, as tools write it, in base64.
    let wide: Vec<u8> = std::iter::once(0xfeff).chain(exported.encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let body = json!({"content": STANDARD.encode(wide), "encoding": "base64"});
    let wide = app.post("/memory/import").json(&body).send().await.read::<MemoryImport>();
    assert_eq!(numbers(&wide), (0, 5, 0), "{wide:?}");
}

async fn an_export_has_every_text_once_however_many_there_are(store: TestStore) {
    let app = TestApp::on(&store).await;
    let units: String = (0..400).map(|n| unit(&format!("Text {n}."), &format!("<seg>Wort {n}.</seg>"))).collect();
    assert_eq!(numbers(&import(&app, &units).await), (400, 0, 0));
    // Some of them are an engine's as well, and some of the workspace's are no others.
    let both: Vec<(String, String)> = (380..500).map(|n| (format!("k{n}"), format!("Text {n}."))).collect();
    let both = texts(both.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    ended(&app, &taken(translate(&app, &both).send().await)).await;
    let long = "x".repeat(70 * 1024);
    assert_eq!(numbers(&import(&app, &unit(&long, "<seg>lang</seg>")).await), (1, 0, 0));
    let exported = export_of(&app, &app.project).await;
    for n in 0..500 {
        assert_eq!(exported.matches(&format!("<seg>Text {n}.</seg>")).count(), 1, "{n}");
        assert_eq!(exported.contains(&format!("<seg>Wort {n}.</seg>")), n < 400, "{n}");
    }
    assert_eq!(exported.matches("<tu>").count(), 501);
    let mut tx = app.service.store.begin_write().await.unwrap();
    set_memory(&mut tx, &app.project.id, MemorySetting::Off).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(export_of(&app, &app.project).await.matches("<tu>").count(), 0);
    assert_eq!(import_into(&app, &app.project, &file(&units)).await.outcome(), "400 invalid_argument");
}

async fn files_are_bounded_and_need_their_scopes(store: TestStore) {
    let app = TestApp::on(&store).await;
    let padded = |size: usize| {
        let empty = file("<!---->");
        file(&format!("<!--{}-->", "x".repeat(size - empty.len())))
    };
    assert_eq!(import_into(&app, &app.project, &padded(CAP)).await.status, 200);
    assert_eq!(import_into(&app, &app.project, &padded(CAP + 1)).await.outcome(), "413 payload_too_large");
    let encoded = |size: usize| json!({"content": STANDARD.encode(padded(size)), "encoding": "base64"});
    assert_eq!(app.post("/memory/import").json(&encoded(CAP)).send().await.status, 200);
    assert_eq!(app.post("/memory/import").json(&encoded(CAP + 1)).send().await.outcome(), "413 payload_too_large");
    let many = |count: usize| file(&"<tu><tuv/><tuv/></tu>".repeat(count));
    let refused = import_into(&app, &app.project, &many(5_000)).await.read::<MemoryImport>();
    assert_eq!((refused.refused_count, refused.refused.len()), (15_000, 100));
    assert_eq!(import_into(&app, &app.project, &many(5_001)).await.outcome(), "400 invalid_argument");
    let odd: [Value; 4] = [
        json!({"content": "<tmx/>"}),
        json!({"content": "<tmx/>", "encoding": "latin1"}),
        json!({"content": "===", "encoding": "base64"}),
        json!({"content": "<tmx/>", "encoding": "utf8", "dryRun": true}),
    ];
    for body in odd {
        assert_eq!(app.post("/memory/import").json(&body).send().await.outcome(), "400 invalid_argument", "{body}");
    }
    let keys = &app.project.keys;
    let empty = json!({"content": "<tmx><body/></tmx>", "encoding": "utf8"});
    for key in [&keys.read, &keys.translate, &keys.publish, &keys.capture, &keys.none] {
        assert_eq!(app.post("/memory/import").key(key).json(&empty).send().await.outcome(), "403 forbidden");
    }
    for key in [&keys.write, &keys.translate, &keys.publish, &keys.capture, &keys.none] {
        assert_eq!(app.get("/memory/export").key(key).send().await.outcome(), "403 forbidden");
    }
    let other = app.other_project("unlimited").await;
    assert_eq!(app.get("/memory/export").key(&other.keys.read).send().await.outcome(), "401 unauthorized");
    let stranger = app.post("/memory/import").key(&other.keys.write).json(&empty).send().await;
    assert_eq!(stranger.outcome(), "401 unauthorized");
}
