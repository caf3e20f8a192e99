//! The glossary of a project, and of its workspace.

use http::Method;
use l10n_server::both_engines;
use l10n_server::domain::provision::{Description, provision};
use l10n_server::engines::{Batch, BatchLimits, EngineError, TextSegment, Translator, UnitError};
use l10n_server::store::glossary;
use l10n_server::testing::{Answer, TestApp, TestProject, TestStore};
use serde_json::{Value, json};

use crate::rows::checked;
use crate::work::Team;

both_engines!(
    a_glossary_is_stated_as_a_whole_and_listed_in_pages,
    what_no_term_can_be_is_refused_with_its_place,
    a_glossary_is_bounded,
    nobody_sees_or_changes_the_glossary_of_another_project,
    the_list_of_a_workspace_is_its_operators,
    the_preview_flag_is_refused_by_the_glossary,
    translations_are_held_against_the_glossary,
    an_engine_gets_the_terms_that_a_text_has,
    what_is_translated_is_checked_anew_when_terms_change,
    a_check_goes_through_all_keys_and_languages,
    what_an_engine_was_asked_before_is_checked_by_the_terms_after,
    what_another_process_changes_while_an_engine_works_is_noticed,
    each_change_of_a_list_raises_its_revision_and_nothing_else_does,
);

async fn set_in(app: &TestApp, project: &TestProject, terms: &Value) -> Answer {
    let call = app.at(Method::PUT, &format!("/v1/projects/{}/glossary", project.id)).key(&project.keys.write);
    call.json(&json!({ "terms": terms })).send().await
}

async fn set(app: &TestApp, terms: Value) -> Answer {
    set_in(app, &app.project, &terms).await
}

/// The terms of a list, as `language term`.
async fn listed_in(app: &TestApp, project: &TestProject, level: &str) -> Vec<String> {
    let path = format!("/v1/projects/{}/glossary?limit=500&level={level}", project.id);
    let answer = app.at(Method::GET, &path).key(&project.keys.read).send().await.json();
    let terms = answer["terms"].as_array().unwrap().iter();
    terms.map(|one| format!("{} {}", one["language"].as_str().unwrap(), one["term"].as_str().unwrap())).collect()
}

fn numbers(added: u64, changed: u64, removed: u64, unchanged: u64) -> Value {
    json!({"added": added, "changed": changed, "removed": removed, "unchanged": unchanged})
}

/// ADD-18
async fn a_glossary_is_stated_as_a_whole_and_listed_in_pages(store: TestStore) {
    let app = TestApp::on(&store).await;
    let list = json!([
        {"term": "cart", "language": "EN", "translations": {"de": "Warenkorb", "pt_br": "carrinho"}, "note": "To buy"},
        {"term": "Acme Pay", "rule": "keep", "caseSensitive": true},
        {"term": "Kasse", "language": "de", "rule": "forbidden"},
        {"term": "ärgern", "language": "de", "rule": "forbidden", "note": ""},
    ]);
    assert_eq!(set(&app, list.clone()).await.json(), numbers(4, 0, 0, 0));
    assert_eq!(set(&app, list).await.json(), numbers(0, 0, 0, 4));
    let read = async |query: &str| {
        let path = format!("/glossary?limit=3{query}");
        app.get(&path).key(&app.project.keys.read).send().await.json()
    };
    let first = read("").await;
    let second = read(&format!("&cursor={}", first["nextCursor"].as_str().unwrap())).await;
    assert_eq!(second["nextCursor"], Value::Null);
    let terms: Vec<Value> =
        [&first, &second].iter().flat_map(|page| page["terms"].as_array().unwrap().clone()).collect();
    let names: Vec<&str> = terms.iter().map(|term| term["term"].as_str().unwrap()).collect();
    assert_eq!(names, ["Kasse", "ärgern", "Acme Pay", "cart"]);
    let mut cart = terms[3].clone();
    assert!(cart["termId"].as_str().unwrap().starts_with("trm_"));
    cart["termId"] = Value::Null;
    let expected = json!({"termId": null, "term": "cart", "language": "en", "rule": "translate", "caseSensitive": false,
        "translations": {"de": "Warenkorb", "pt-BR": "carrinho"}, "note": "To buy"});
    assert_eq!(cart, expected);
    assert_eq!(terms[1].get("note"), None);

    let changed = json!([{"term": "cart", "translations": {"de": "Korb"}}, {"term": "checkout"}]);
    assert_eq!(set(&app, changed).await.json(), numbers(1, 1, 3, 0));
    let after = app.get("/glossary").send().await.json();
    assert_eq!(after["terms"][0]["termId"], terms[3]["termId"], "a term that stays keeps its id");
    assert_eq!(after["terms"][0]["translations"], json!({"de": "Korb"}));
    for query in ["?limit=0", "?limit=501", "?cursor=x", "?level=all", "?cursor=djE"] {
        let refused = app.get(&format!("/glossary{query}")).send().await;
        assert_eq!(refused.outcome(), "400 invalid_argument", "{query}");
    }
    assert_eq!(set(&app, json!([])).await.json(), numbers(0, 0, 2, 0));
    assert_eq!(app.get("/glossary").send().await.json(), json!({"terms": [], "nextCursor": null}));
}

/// ADD-18
async fn what_no_term_can_be_is_refused_with_its_place(store: TestStore) {
    let app = TestApp::on(&store).await;
    set(&app, json!([{"term": "cart"}])).await;
    let refused = [
        (json!({"term": ""}), "`terms[1].term` must be 1 to 256 bytes long"),
        (json!({"term": "x".repeat(257)}), "`terms[1].term` must be 1 to 256 bytes long"),
        (json!({"term": " x"}), "`terms[1].term` must not have white space at its ends"),
        (json!({"term": "a\nb"}), "`terms[1].term` must not have control characters"),
        (json!({"term": "first"}), "`terms[1].term` is the term of `terms[0]` in the same language"),
        (json!({"term": "x", "language": "de"}), "`terms[1].language` must be the base language en, or be left out"),
        (json!({"term": "x", "language": "jp"}), "`terms[1].language` "),
        (json!({"term": "x", "rule": "forbidden"}), "`terms[1].language` is needed"),
        (json!({"term": "x", "rule": "forbidden", "language": "en"}), "`terms[1].language` must be another one"),
        (json!({"term": "x", "rule": "keep", "translations": {"de": "y"}}), "`terms[1].translations` must be left out"),
        (
            json!({"term": "x", "translations": {"en": "y"}}),
            "`terms[1].translations.en` is in the language of the term",
        ),
        (json!({"term": "x", "translations": {"pt-BR": "y", "pt_br": "z"}}), "`terms[1].translations.pt-BR` is in the"),
        (json!({"term": "x", "translations": {"not a tag": "y"}}), "`terms[1].translations` "),
        (json!({"term": "x", "translations": {"de": ""}}), "`terms[1].translations.de` must be 1 to 256 bytes long"),
        (json!({"term": "x", "note": "n".repeat(1025)}), "`terms[1].note` must be at most 1024 bytes long"),
        (json!({"term": "x", "rule": "always"}), "`terms[1].rule` must be one of translate, keep, forbidden"),
        (json!({"term": "x", "translation": "y"}), "`terms[1]"),
    ];
    for (term, expected) in refused {
        let answer = set(&app, json!([{"term": "first"}, term])).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{expected}");
        let message = answer.error().message;
        assert!(message.starts_with(expected) && message.len() < 500, "{expected}: {message}");
    }
    assert_eq!(listed_in(&app, &app.project, "project").await, ["en cart"]);
}

/// No tenant fills the disk with terms: their number, their lengths and the whole list are bounded.
async fn a_glossary_is_bounded(store: TestStore) {
    let app = TestApp::on(&store).await;
    let many = |number: usize| (0..number).map(|at| json!({"term": format!("t{at}")})).collect::<Value>();
    assert_eq!(set(&app, many(5_000)).await.json(), numbers(5_000, 0, 0, 0));
    assert_eq!(set(&app, many(5_001)).await.outcome(), "400 invalid_argument");
    let translations = |number: usize| -> Value {
        (0..number).map(|at| (format!("de-x-a{at}"), json!("y"))).collect::<serde_json::Map<_, _>>().into()
    };
    let with = |number| json!([{"term": "x", "translations": translations(number)}]);
    assert_eq!(set(&app, with(101)).await.outcome(), "400 invalid_argument");
    assert_eq!(set(&app, with(100)).await.json(), numbers(1, 0, 5_000, 0));
    let large: Value = (0..4_500).map(|at| json!({"term": format!("{at}{}", "x".repeat(250))})).collect();
    assert_eq!(set(&app, large).await.outcome(), "413 payload_too_large");
    assert_eq!(listed_in(&app, &app.project, "project").await, ["en x"]);
}

/// AUTH-4: terms belong to one project.
async fn nobody_sees_or_changes_the_glossary_of_another_project(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (beside, foreign) = (app.project_beside("other").await, app.other_project("unlimited").await);
    for (project, term) in [(&app.project, "one"), (&beside, "two"), (&foreign, "three")] {
        assert_eq!(
            set_in(&app, project, &json!([{"term": term}, {"term": "shared"}])).await.json(),
            numbers(2, 0, 0, 0)
        );
    }
    assert_eq!(listed_in(&app, &app.project, "project").await, ["en one", "en shared"]);
    set(&app, json!([])).await;
    assert_eq!(listed_in(&app, &beside, "project").await, ["en shared", "en two"]);
    assert_eq!(listed_in(&app, &foreign, "project").await, ["en shared", "en three"]);
    let path = format!("/v1/projects/{}/glossary", app.project.id);
    let read = app.at(Method::GET, &path).key(&foreign.keys.admin).send().await;
    let write = app.at(Method::PUT, &path).key(&foreign.keys.admin).json(&json!({"terms": []})).send().await;
    assert_eq!((read.outcome().as_str(), write.outcome().as_str()), ("401 unauthorized", "401 unauthorized"));
    let scopes = app.at(Method::PUT, &path).key(&app.project.keys.read).json(&json!({"terms": []})).send().await;
    assert_eq!(scopes.outcome(), "403 forbidden");
}

async fn the_list_of_a_workspace_is_its_operators(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (beside, foreign) = (app.project_beside("other").await, app.other_project("unlimited").await);
    let provide = async |glossary: Option<Value>| {
        let mut workspace = json!({"handle": app.project.handle});
        if let Some(glossary) = glossary {
            workspace["glossary"] = glossary;
        }
        let description: Description = serde_json::from_value(json!({"workspaces": [workspace]})).unwrap();
        let mut tx = app.service.store.begin_write().await.unwrap();
        let done = provision(&mut tx, app.service.provisioning(), &description).await;
        match done {
            Ok(_) => tx.commit().await.unwrap(),
            Err(error) => {
                tx.rollback().await.unwrap();
                return error.to_string();
            }
        }
        String::new()
    };
    let list = json!([
        {"term": "cart", "language": "en", "translations": {"de": "Warenkorb"}},
        {"term": "panier", "language": "fr", "rule": "keep"},
    ]);
    for glossary in [Some(list), None] {
        assert_eq!(provide(glossary).await, "");
        for project in [&app.project, &beside] {
            assert_eq!(listed_in(&app, project, "workspace").await, ["en cart", "fr panier"]);
            assert_eq!(listed_in(&app, project, "project").await, Vec::<String>::new());
        }
        assert_eq!(listed_in(&app, &foreign, "workspace").await, Vec::<String>::new());
    }
    set(&app, json!([{"term": "cart"}])).await;
    assert_eq!(listed_in(&app, &app.project, "workspace").await, ["en cart", "fr panier"]);
    let fault = provide(Some(json!([{"term": "", "language": "en"}]))).await;
    assert!(fault.contains("`workspaces[0].glossary[0].term` must be 1 to 256 bytes long"), "{fault}");
    assert_eq!(provide(Some(json!([]))).await, "");
    assert_eq!(listed_in(&app, &beside, "workspace").await, Vec::<String>::new());
}

/// DRY-5, DRY-4b
async fn the_preview_flag_is_refused_by_the_glossary(store: TestStore) {
    let app = TestApp::on(&store).await;
    let put = |query: &str, body: Value| {
        let path = format!("/v1/projects/{}/glossary{query}", app.project.id);
        app.at(Method::PUT, &path).key(&app.project.keys.write).json(&body).send()
    };
    let flagged = json!({"terms": [{"term": "cart"}], "dryRun": true});
    for answer in [put("?dryRun=true", json!({"terms": [{"term": "cart"}]})).await, put("", flagged).await] {
        assert_eq!(answer.outcome(), "400 invalid_argument");
        assert!(answer.error().message.contains("no preview"), "{}", answer.error().message);
    }
    assert_eq!(listed_in(&app, &app.project, "project").await, Vec::<String>::new());
}

/// The findings of the check `glossary` in a translation.
async fn findings(team: &Team<'_>, key: &str, language: &str) -> Vec<String> {
    let read = team.call(Method::GET, &format!("/translations?ref={key}")).send().await.json();
    let translations = read["translations"].as_array().unwrap();
    let found = translations.iter().find(|one| one["language"] == language).unwrap();
    let issues = found["issues"].as_array().unwrap().iter().filter(|issue| issue["check"] == "glossary");
    issues
        .map(|issue| {
            assert_eq!(issue["severity"], "warning");
            issue["message"].as_str().unwrap().to_owned()
        })
        .collect()
}

/// API-COMPLETION 4: of engines, of memory and of people, by the terms of the project and its workspace alone.
async fn translations_are_held_against_the_glossary(store: TestStore) {
    let app = TestApp::on(&store).await;
    let beside = app.project_beside("other").await;
    let (team, other) = (Team { app: &app, project: &app.project }, Team { app: &app, project: &beside });
    let shared = json!([
        {"term": "cart", "language": "en", "translations": {"de": "Korb"}},
        {"term": "Acme Pay", "language": "en", "rule": "keep"},
    ]);
    let description = json!({"workspaces": [{"handle": app.project.handle, "glossary": shared}]});
    let description: Description = serde_json::from_value(description).unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    provision(&mut tx, app.service.provisioning(), &description).await.unwrap();
    tx.commit().await.unwrap();
    let own = json!([
        {"term": "cart", "translations": {"de": "Warenkorb"}},
        {"term": "Kasse", "language": "de", "rule": "forbidden"},
    ]);
    assert_eq!(set(&app, own).await.status, 200);
    let texts = json!({"a": "Your cart", "b": "Nothing of it", "c": "With Acme Pay"});
    team.sync(&texts).await;
    let (ours, kept) = ("the glossary has `Warenkorb` for `cart`", "the glossary keeps `Acme Pay` as it is");
    for (key, language, expected) in [
        ("a", "de", vec![ours]),
        ("a", "fr", vec![]),
        ("b", "de", vec![]),
        ("c", "de", vec![kept]),
        ("c", "fr", vec![kept]),
    ] {
        assert_eq!(findings(&team, key, language).await, expected, "{key} {language}");
    }
    // From memory, and by the list of the workspace: the other project has none of its own.
    other.sync(&texts).await;
    assert_eq!(findings(&other, "a", "de").await, ["the glossary has `Korb` for `cart`"]);

    let content = json!({"a": "Ihr Warenkorb", "b": "Zur Kasse", "c": "Mit Acme Pay"}).to_string();
    let import = json!({"path": "de.json", "content": content, "encoding": "utf8", "format": "json"});
    team.post("/sync", &json!({"file": import, "language": "de"})).await;
    for (key, expected) in [("a", vec![]), ("b", vec!["the glossary forbids `Kasse`"]), ("c", vec![])] {
        assert_eq!(findings(&team, key, "de").await, expected, "{key}");
    }
}

/// Notes the terms that come with each text, and gives it back.
#[derive(Default)]
struct Noting(std::sync::Mutex<Vec<(String, Vec<String>)>>);

#[async_trait::async_trait]
impl Translator for Noting {
    fn name(&self) -> &str {
        "noting"
    }
    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }
    fn limits(&self) -> BatchLimits {
        BatchLimits { max_items: 100, max_characters: 10_000, max_bytes: usize::MAX }
    }
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        for item in &batch.items {
            let terms = item.glossary.iter();
            let terms = terms.map(|term| format!("{} {:?}", &*term.term, term.translation.as_deref())).collect();
            self.0.lock().unwrap().push((batch.target.clone(), terms));
        }
        Ok(batch.items.iter().map(|item| Ok(item.segments.clone())).collect())
    }
}

async fn an_engine_gets_the_terms_that_a_text_has(store: TestStore) {
    let engine = std::sync::Arc::new(Noting::default());
    let app = TestApp::translated_by(&store, engine.clone()).await;
    let team = Team { app: &app, project: &app.project };
    let terms = json!([
        {"term": "cart", "translations": {"de": "Warenkorb"}},
        {"term": "Acme", "rule": "keep"},
        {"term": "Kasse", "language": "de", "rule": "forbidden"},
        {"term": "absent", "translations": {"de": "fehlt"}},
    ]);
    assert_eq!(set(&app, terms).await.status, 200);
    team.sync(&json!({"a": "The {n} carts of a cart by Acme"})).await;
    let mut asked = engine.0.lock().unwrap().clone();
    asked.sort();
    let german = vec!["Acme None".to_owned(), "cart Some(\"Warenkorb\")".to_owned()];
    assert_eq!(asked, [("de".to_owned(), german), ("fr".to_owned(), vec!["Acme None".to_owned()])]);
}

/// Waits until a translation has these findings.
async fn found(team: &Team<'_>, key: &str, expected: &[&str]) {
    let mut last = Vec::new();
    for _ in 0..1_000 {
        last = findings(team, key, "de").await;
        if last == expected {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(last, expected, "{key}");
}

/// ADD-18: by the project's list and by that of its workspace. Text, state and time of a translation stay.
async fn what_is_translated_is_checked_anew_when_terms_change(store: TestStore) {
    let app = TestApp::on(&store).await;
    let beside = app.project_beside("other").await;
    let (team, other) = (Team { app: &app, project: &app.project }, Team { app: &app, project: &beside });
    let texts = json!({"a": "Your cart", "b": "Nothing of it", "stale": "An old cart"});
    for team in [&team, &other] {
        team.sync(&texts).await;
        let content = json!({"a": "Ihr  Wagen", "b": "Zur Kasse", "stale": "Ein alter Wagen"}).to_string();
        let import = json!({"path": "de.json", "content": content, "encoding": "utf8", "format": "json"});
        team.post("/sync", &json!({"file": import, "language": "de"})).await;
    }
    let read = async |key: &str| {
        let read = team.call(Method::GET, &format!("/translations?ref={key}")).send().await.json();
        read["translations"].as_array().unwrap().iter().find(|one| one["language"] == "de").unwrap().clone()
    };
    let before = read("a").await;
    let others = before["issues"].as_array().unwrap().clone();
    assert!(!others.is_empty(), "it has another finding: {before}");
    team.post(
        "/sync",
        &json!({"file": {"path": "en.json", "encoding": "utf8", "format": "json", "content":
        json!({"a": "Your cart", "b": "Nothing of it", "stale": "A new cart"}).to_string()}, "languages": ["fr"]}),
    )
    .await;
    assert_eq!(read("stale").await["stale"], true);

    let terms = json!([
        {"term": "cart", "translations": {"de": "Warenkorb"}},
        {"term": "Kasse", "language": "de", "rule": "forbidden"},
    ]);
    assert_eq!(set(&app, terms).await.status, 200);
    found(&team, "a", &["the glossary has `Warenkorb` for `cart`"]).await;
    found(&team, "b", &["the glossary forbids `Kasse`"]).await;
    assert_eq!(findings(&other, "a", "de").await, [""; 0], "it is the list of one project");
    assert_eq!(findings(&team, "stale", "de").await, [""; 0], "it is translated anew");
    let mut after = read("a").await;
    let issues = after["issues"].as_array_mut().unwrap();
    issues.retain(|issue| issue["check"] != "glossary");
    assert_eq!(after, before, "all else stays");

    let of_workspace = async |glossary: Value| {
        let description = json!({"workspaces": [{"handle": app.project.handle, "glossary": glossary}]});
        let description: Description = serde_json::from_value(description).unwrap();
        let mut tx = app.service.store.begin_write().await.unwrap();
        provision(&mut tx, app.service.provisioning(), &description).await.unwrap();
        tx.commit().await.unwrap();
    };
    of_workspace(json!([{"term": "cart", "language": "en", "translations": {"de": "Korb"}}])).await;
    found(&other, "a", &["the glossary has `Korb` for `cart`"]).await;
    found(&team, "a", &["the glossary has `Warenkorb` for `cart`"]).await;
    assert_eq!(set(&app, json!([])).await.status, 200);
    found(&team, "a", &["the glossary has `Korb` for `cart`"]).await;
    found(&team, "b", &[]).await;
    of_workspace(json!([])).await;
    found(&team, "a", &[]).await;
    found(&other, "a", &[]).await;
    assert_eq!(read("a").await, before);
}

/// More keys than are looked at in one go.
async fn a_check_goes_through_all_keys_and_languages(store: TestStore) {
    let app = TestApp::on(&store).await;
    let team = Team { app: &app, project: &app.project };
    let texts: serde_json::Map<_, _> = (0..1_100).map(|at| (format!("k{at:04}"), json!("Your cart"))).collect();
    team.sync(&json!(texts)).await;
    assert_eq!(
        set(&app, json!([{"term": "cart", "translations": {"de": "Warenkorb", "fr": "panier"}}])).await.status,
        200
    );
    // The list changes once more on the way, and what the check has come to is checked by that.
    assert_eq!(set(&app, json!([{"term": "cart", "translations": {"de": "Korb", "fr": "panier"}}])).await.status, 200);
    for key in ["k1099", "k0000", "k0700"] {
        found(&team, key, &["the glossary has `Korb` for `cart`"]).await;
        assert_eq!(findings(&team, key, "fr").await, ["the glossary has `panier` for `cart`"], "{key}");
    }
}

/// Gives texts back when it may.
struct Slow {
    asked: tokio::sync::Semaphore,
    may: tokio::sync::Semaphore,
}

#[async_trait::async_trait]
impl Translator for Slow {
    fn name(&self) -> &str {
        "slow"
    }
    fn supports(&self, _: &str, _: &str) -> bool {
        true
    }
    fn limits(&self) -> BatchLimits {
        BatchLimits { max_items: 100, max_characters: 10_000, max_bytes: usize::MAX }
    }
    async fn translate(&self, batch: &Batch) -> Result<Vec<Result<Vec<TextSegment>, UnitError>>, EngineError> {
        self.asked.add_permits(1);
        self.may.acquire().await.unwrap().forget();
        Ok(batch.items.iter().map(|item| Ok(item.segments.clone())).collect())
    }
}

/// Nothing has been translated yet when the worker checks it anew.
async fn what_an_engine_was_asked_before_is_checked_by_the_terms_after(store: TestStore) {
    let closed = || tokio::sync::Semaphore::new(0);
    let engine = std::sync::Arc::new(Slow { asked: closed(), may: closed() });
    let app = TestApp::translated_by(&store, engine.clone()).await;
    let team = Team { app: &app, project: &app.project };
    let texts = json!({"a": "Your cart"});
    let change = async {
        engine.asked.acquire().await.unwrap().forget();
        assert_eq!(set(&app, json!([{"term": "cart", "translations": {"de": "Warenkorb"}}])).await.status, 200);
        checked(&app).await;
        engine.may.add_permits(100);
    };
    tokio::join!(team.sync(&texts), change);
    found(&team, "a", &["the glossary has `Warenkorb` for `cart`"]).await;
}

/// States the list of the app's workspace, as its operator does.
async fn set_shared(app: &TestApp, terms: Value) {
    let description = json!({"workspaces": [{"handle": app.project.handle, "glossary": terms}]});
    let description: Description = serde_json::from_value(description).unwrap();
    let mut tx = app.service.store.begin_write().await.unwrap();
    provision(&mut tx, app.service.provisioning(), &description).await.unwrap();
    tx.commit().await.unwrap();
}

async fn what_another_process_changes_while_an_engine_works_is_noticed(store: TestStore) {
    let closed = || tokio::sync::Semaphore::new(0);
    let engine = std::sync::Arc::new(Slow { asked: closed(), may: closed() });
    let app = TestApp::translated_by(&store, engine.clone()).await;
    let other = app.beside(&store).await;
    let team = Team { app: &app, project: &app.project };
    for (is_shared, key, word, wanted) in [(false, "a", "cart", "Warenkorb"), (true, "b", "checkout", "Kasse")] {
        let texts = json!({"a": "Your cart", "b": "Your checkout"});
        let texts = if is_shared { texts } else { json!({"a": texts["a"]}) };
        let change = async {
            engine.asked.acquire().await.unwrap().forget();
            let terms = json!([{"term": word, "language": "en", "translations": {"de": wanted}}]);
            if is_shared {
                set_shared(&other, terms).await;
            } else {
                assert_eq!(set(&other, terms).await.status, 200);
            }
            // Nothing is there yet that could be checked.
            checked(&app).await;
            engine.may.add_permits(100);
        };
        tokio::join!(team.sync(&texts), change);
        found(&team, key, &[&format!("the glossary has `{wanted}` for `{word}`")]).await;
        engine.may.forget_permits(100);
        while let Ok(permit) = engine.asked.try_acquire() {
            permit.forget();
        }
    }
}

async fn each_change_of_a_list_raises_its_revision_and_nothing_else_does(store: TestStore) {
    let app = TestApp::on(&store).await;
    let (beside, foreign) = (app.project_beside("other").await, app.other_project("unlimited").await);
    let revisions = async || {
        let mut tx = app.service.store.begin_read().await.unwrap();
        let mut found = Vec::new();
        for project in [&app.project, &beside, &foreign] {
            let revision = glossary::revision(&mut tx, &project.id).await.unwrap();
            found.push((revision.own, revision.shared));
        }
        found
    };
    let cart = |german: &str| json!([{"term": "cart", "language": "en", "translations": {"de": german}}]);
    assert_eq!(revisions().await, [(0, 0), (0, 0), (0, 0)]);
    for (terms, own) in [(cart("Korb"), 1), (cart("Korb"), 1), (cart("Wagen"), 2), (json!([]), 3), (json!([]), 3)] {
        assert_eq!(set(&app, terms.clone()).await.status, 200);
        assert_eq!(revisions().await, [(own, 0), (0, 0), (0, 0)], "{terms}");
    }
    for (terms, shared) in [(cart("Korb"), 1), (cart("Korb"), 1), (json!([]), 2)] {
        set_shared(&app, terms.clone()).await;
        assert_eq!(revisions().await, [(3, shared), (0, shared), (0, 0)], "{terms}");
    }
    let refused = set(&app, json!([{"term": ""}])).await;
    assert_eq!(refused.status, 400);
    assert_eq!(revisions().await, [(3, 2), (0, 2), (0, 0)]);
}
