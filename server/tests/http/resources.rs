//! Projects, meta, languages and output formats.

use http::Method;
use l10n_api_types::FormatId;
use l10n_server::both_engines;
use l10n_server::testing::{Answer, TestApp, TestStore};
use serde_json::{Value, json};

both_engines!(
    a_project_is_found_by_its_names,
    meta_shows_the_project,
    languages_are_added_once,
    languages_that_do_not_exist_are_refused_with_the_nearest_known_one,
    a_plan_bounds_languages,
    output_formats_are_stated_as_a_whole,
    no_two_files_of_a_version_may_meet,
    many_namespaces_are_compared_and_too_many_files_are_refused,
);

/// RES-1, RES-2, RES-3, RES-4, AMB-3, ERR-404-2
async fn a_project_is_found_by_its_names(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    let resolve = |query: &str, key: &str| app.at(Method::GET, &format!("/v1/projects/resolve{query}")).key(key).send();
    for key in app.project.keys.valid() {
        let answer = resolve("?workspace=acme&project=app", key).await;
        let expected = json!({"projectId": app.project.id, "workspaceId": app.project.workspace});
        assert_eq!((answer.status, answer.json()), (200, expected));
    }
    let key = &app.project.keys.read;
    let malformed = [
        "",
        "?workspace=acme",
        "?project=app",
        "?workspace=&project=app",
        "?workspace=acme&project=",
        "?workspace=acme&project=app&project=app",
        "?Workspace=acme&Project=app",
    ];
    for query in malformed {
        assert_eq!(resolve(query, key).await.outcome(), "400 invalid_argument", "{query}");
    }
    let unknown = [
        "?workspace=acme&project=nowhere".to_owned(),
        "?workspace=nowhere&project=app".to_owned(),
        format!("?workspace={}&project={}", other.handle, other.slug),
        "?workspace=ACME&project=app".to_owned(),
    ];
    let mut answers = Vec::new();
    for query in &unknown {
        let answer = resolve(query, key).await;
        assert_eq!(answer.outcome(), "404 not_found", "{query}");
        answers.push(answer.error());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
}

/// SCOPE-R-2, FN-6, RES-12
async fn meta_shows_the_project(store: TestStore) {
    let app = TestApp::on(&store).await;
    let meta = app.get("/meta").key(&app.project.keys.read).send().await.json();
    assert_eq!(meta["projectId"], json!(app.project.id));
    assert_eq!((&meta["handle"], &meta["slug"], &meta["baseLanguage"]), (&json!("acme"), &json!("app"), &json!("en")));
    assert_eq!((&meta["live"], &meta["keyCount"], &meta["unpublishedChanges"]), (&Value::Null, &json!(0), &json!(0)));
    assert_eq!(meta["balance"], json!(l10n_server::testing::CREDITS));
    assert_eq!(meta["remaining"]["cap"], Value::Null);
    let formats: Vec<_> = meta["formats"].as_array().unwrap().iter().map(|format| &format["format"]).collect();
    assert_eq!(formats, FormatId::ALL.iter().map(|id| id.as_str()).collect::<Vec<_>>());
    assert_eq!(
        meta["languages"][0],
        json!({
            "code": "en", "name": "English", "isBase": true, "direction": "ltr", "pluralCategories": ["one", "other"],
            "keys": 0, "translated": 0, "needsReview": 0, "reviewed": 0, "stale": 0, "missing": 0,
        })
    );
}

async fn add(app: &TestApp, codes: &[&str]) -> Answer {
    let languages: Vec<_> = codes.iter().map(|code| json!({"code": code})).collect();
    app.post("/languages").key(&app.project.keys.write).json(&json!({"languages": languages})).send().await
}

fn codes(answer: &Value) -> Vec<&str> {
    answer.as_array().unwrap().iter().map(|code| code.as_str().or(code["code"].as_str()).unwrap()).collect()
}

/// SCOPE-W-1
async fn languages_are_added_once(store: TestStore) {
    let app = TestApp::on(&store).await;
    let answer = add(&app, &["pt_br", "DE", "ar", "pt-BR", "iw"]).await.json();
    assert_eq!(codes(&answer["added"]), ["pt-BR", "ar", "he"]);
    assert_eq!(codes(&answer["existing"]), ["de"]);
    assert_eq!(codes(&answer["languages"]), ["en", "de", "fr", "pt-BR", "ar", "he"]);
    assert_eq!(
        (&answer["languages"][4]["direction"], &answer["languages"][4]["name"]),
        (&json!("rtl"), &json!("Arabic"))
    );
    let again = add(&app, &["pt-BR", "ar", "he"]).await.json();
    assert_eq!((codes(&again["added"]), codes(&again["existing"])), (vec![], vec!["pt-BR", "ar", "he"]));
    assert_eq!(again["languages"], answer["languages"]);
}

/// SCOPE-W-1: a mistyped language would be priced and translated.
async fn languages_that_do_not_exist_are_refused_with_the_nearest_known_one(store: TestStore) {
    let app = TestApp::on(&store).await;
    let refused = add(&app, &["es", "jp"]).await;
    assert_eq!(refused.outcome(), "400 invalid_argument");
    assert!(refused.json()["message"].as_str().unwrap().contains("did you mean `ja` (Japanese)?"));
    assert_eq!(add(&app, &["x-formal"]).await.outcome(), "400 invalid_argument");
    let added = add(&app, &["de-x-formal", "haw", "en-XA"]).await.json();
    assert_eq!(codes(&added["added"]), ["de-x-formal", "haw", "en-XA"]);
    assert_eq!(codes(&added["languages"]), ["en", "de", "fr", "de-x-formal", "haw", "en-XA"], "es was not added");
}

/// ERR-402-3
async fn a_plan_bounds_languages(store: TestStore) {
    let app = TestApp::on(&store).await;
    let free = app.other_project("free").await;
    let add = |codes: &[&str]| {
        let languages: Vec<_> = codes.iter().map(|code| json!({"code": code})).collect();
        let path = format!("/v1/projects/{}/languages", free.id);
        app.at(Method::POST, &path).key(&free.keys.write).json(&json!({"languages": languages})).send()
    };
    let refused = add(&["de", "it"]).await;
    assert_eq!(refused.outcome(), "402 plan_limit");
    assert_eq!(refused.json()["details"], json!({"feature": "languages", "limit": 3}));
    assert_eq!(codes(&add(&["de", "fr"]).await.json()["languages"]), ["en", "de", "fr"]);
}

async fn set(app: &TestApp, formats: Value) -> Answer {
    app.post("/output-formats").key(&app.project.keys.write).json(&json!({"outputFormats": formats})).send().await
}

/// SCOPE-W-2
async fn output_formats_are_stated_as_a_whole(store: TestStore) {
    let app = TestApp::on(&store).await;
    let first = set(
        &app,
        json!([
            {"format": "json", "path": "locales/{language}/{namespace}.json"},
            {"format": "arb", "path": "lib/app_{languageUnderscore}.arb", "emptyAs": "base", "namespaces": ["app"]},
        ]),
    );
    let first = first.await.json();
    let ids: Vec<_> =
        first["outputFormats"].as_array().unwrap().iter().map(|format| &format["outputFormatId"]).collect();
    assert_eq!(first["added"], json!(ids));
    assert!(ids.iter().all(|id| id.as_str().unwrap().starts_with("fmt_")));
    assert_eq!(
        (&first["outputFormats"][0]["emptyAs"], &first["outputFormats"][1]["emptyAs"]),
        (&json!("skip"), &json!("base"))
    );
    assert_eq!(first["outputFormats"][1]["namespaces"], json!(["app"]));

    let second = set(
        &app,
        json!([
            {"format": "json", "path": "new/{language}.json"},
            {"format": "arb", "path": "lib/app_{languageUnderscore}.arb"},
        ]),
    );
    let second = second.await.json();
    assert_eq!((&second["unchanged"], &second["removed"]), (&json!([ids[1]]), &json!([ids[0]])));
    assert_eq!(
        (&second["outputFormats"][1]["emptyAs"], second["outputFormats"][1].get("namespaces")),
        (&json!("skip"), None)
    );
    assert_eq!(app.get("/meta").send().await.json()["outputFormats"], second["outputFormats"]);
    assert_eq!(set(&app, json!([])).await.json()["outputFormats"], json!([]));
}

/// API-COMPLETION 3, HOSTILE-INPUTS S4
async fn no_two_files_of_a_version_may_meet(store: TestStore) {
    let app = TestApp::on(&store).await;
    let json_at = |path: &str| json!({"format": "json", "path": path});
    let refused = [
        json!([json_at("../{language}.json")]),
        json!([json_at("/{language}.json")]),
        json!([json_at("{lang}.json")]),
        json!([json_at("app.json")]),
        json!([json_at("{language}.json"), json_at("{language}.json")]),
        json!([json_at("{language}.json"), json_at("{appleLanguage}.json")]),
        json!([json_at("{language}/{namespace}.json"), json_at("{language}/app.json")]),
        json!([{"format": "json", "path": "{language}.json", "emptyAs": "null"}]),
        json!([{"format": "json", "path": "{language}.json", "namespaces": []}]),
        json!([{"format": "json", "path": "{language}/{namespace}.json", "namespaces": ["../x"]}]),
        Value::Array((0..51).map(|index| json_at(&format!("{index}/{{language}}.json"))).collect()),
    ];
    for formats in refused {
        assert_eq!(set(&app, formats.clone()).await.outcome(), "400 invalid_argument", "{formats}");
    }
    let unknown = set(&app, json!([{"format": "word", "path": "{language}.docx"}])).await;
    assert_eq!(unknown.outcome(), "400 format_unsupported");
    assert_eq!(app.get("/meta").send().await.json()["outputFormats"], json!([]));
    // Namespaces that are listed keep apart what their places alone would not.
    let apart = json!([
        {"format": "json", "path": "{language}/{namespace}.json", "namespaces": ["app", "admin"]},
        {"format": "json", "path": "{language}/shop.json", "namespaces": ["shop"]},
    ]);
    assert_eq!(set(&app, apart).await.status, 200);
    // A language that another one's folder would be shared with comes too late.
    assert_eq!(set(&app, json!([json_at("{appleLanguage}.json")])).await.status, 200);
    assert_eq!(add(&app, &["zh-CN"]).await.status, 200);
    let late = add(&app, &["zh-Hans"]).await;
    assert_eq!(late.outcome(), "400 invalid_argument");
    assert!(late.error().message.contains("zh-Hans.json"), "{}", late.error().message);
}

/// As many files as a request can list: to hold each path against each other takes minutes, in which nobody else writes on SQLite.
async fn many_namespaces_are_compared_and_too_many_files_are_refused(store: TestStore) {
    let app = TestApp::on(&store).await;
    let namespaces: Vec<String> = (1..=500).map(|number| format!("n{number}")).collect();
    let format = |number: usize| json!({"format": "json", "path": format!("f{number}/{{language}}/{{namespace}}.json"), "namespaces": namespaces});
    let answer = set(&app, (0..33).map(format).collect()).await;
    assert_eq!(
        (answer.status, answer.json()["added"].as_array().unwrap().len()),
        (200, 33),
        "49,500 files in 3 languages"
    );
    let refused = add(&app, &["it"]).await;
    assert_eq!(refused.outcome(), "400 invalid_argument");
    let message = refused.error().message;
    assert!(message.contains("66000 files in 4 languages, and at most 50000 are allowed"), "{message}");
    assert_eq!(codes(&app.get("/meta").send().await.json()["languages"]), ["en", "de", "fr"]);
    // The last of the paths is one of the first again.
    let twice = (0..33).map(|number| format(number % 32)).collect();
    let refused = set(&app, twice).await;
    assert_eq!(refused.outcome(), "400 invalid_argument");
    assert!(refused.error().message.contains("would both be `f0/en/n1.json`"), "{}", refused.error().message);
}
