//! Pages of long texts: a page ends before they fill the memory, and the next one goes on.

use std::collections::BTreeMap;
use std::sync::Arc;

use l10n_api_types::glossary::GlossaryRule;
use l10n_api_types::output_formats::EmptyAs;
use l10n_api_types::pending_code_changes::ChangeKind;
use l10n_api_types::translations::Run;
use l10n_api_types::{Content, FormatId, State};
use l10n_server::clock::Clock as _;
use l10n_server::engines::Pseudo;
use l10n_server::store::code_changes::{self, NewChange};
use l10n_server::store::glossary::{self, GlossaryOwner, Term};
use l10n_server::store::row::Json;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use super::fixtures::{App, Spec, TestKey};

l10n_server::both_engines!(
    a_page_of_keys_ends_before_its_texts_get_long,
    a_search_ends_before_its_texts_get_long_and_reads_a_bounded_number_of_bytes,
    a_page_of_unpublished_changes_ends_before_its_texts_get_long,
    a_page_of_pending_code_changes_ends_before_its_texts_get_long,
    a_page_of_terms_ends_before_its_texts_get_long,
    a_project_with_long_texts_is_not_compared,
    a_run_tells_the_previous_texts_that_have_room,
    an_import_tells_the_previous_texts_that_have_room,
);

/// Two of these have room on a page, and three do not.
const LONG: usize = 1_500_000;

/// A server whose texts nobody indexes meanwhile.
async fn quiet(store: &TestStore) -> App {
    App::new(TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await)
}

/// Adds a key with a text of so many characters.
async fn key(app: &App, name: &str, length: usize) -> TestKey {
    let mut tx = app.write().await;
    let key = app.key_in(&mut tx, Spec { name, text: &"x".repeat(length), ..Spec::default() }).await;
    tx.commit().await.unwrap();
    key
}

/// The field `name` of the entries of each page of 500, from the first to the last.
async fn pages(app: &App, path: &str, list: &str, name: &str) -> Vec<Vec<String>> {
    let (mut pages, mut cursor) = (Vec::new(), String::new());
    loop {
        let answer = app.get(&format!("{path}limit=500{cursor}")).send().await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.outcome());
        let page = answer.json();
        let entries = page[list].as_array().unwrap().iter();
        pages.push(entries.map(|entry| entry[name].as_str().unwrap().to_owned()).collect());
        let Value::String(next) = &page["nextCursor"] else { return pages };
        cursor = format!("&cursor={next}");
    }
}

/// Five long keys, the first with a long translation, a short one before them, and a longer one than a page after them.
async fn filled(app: &App) {
    key(app, "a", 1).await;
    for name in ["long0", "long1", "long2", "long3", "long4"] {
        let key = key(app, name, LONG).await;
        if name == "long0" {
            let mut tx = app.write().await;
            app.translate_in(&mut tx, &key, "de", &"y".repeat(2_000_000), State::Translated).await;
            tx.commit().await.unwrap();
        }
    }
    key(app, "zz", 5_000_000).await;
}

async fn a_page_of_keys_ends_before_its_texts_get_long(store: TestStore) {
    let app = quiet(&store).await;
    filled(&app).await;
    let all = pages(&app, "/translations?", "keys", "ref").await;
    assert_eq!(all, [vec!["a", "long0"], vec!["long1", "long2"], vec!["long3", "long4"], vec!["zz"]]);
    let french = pages(&app, "/translations?language=fr&", "keys", "ref").await;
    assert_eq!(french, [vec!["a", "long0", "long1"], vec!["long2", "long3"], vec!["long4"], vec!["zz"]]);
}

async fn a_search_ends_before_its_texts_get_long_and_reads_a_bounded_number_of_bytes(store: TestStore) {
    let app = quiet(&store).await;
    filled(&app).await;
    let found = pages(&app, "/translations?query=long&", "keys", "ref").await;
    assert_eq!(found, [vec!["long0"], vec!["long1", "long2"], vec!["long3", "long4"]]);
    let found = pages(&app, "/translations?query=xxxx&", "keys", "ref").await;
    assert_eq!(found, [vec!["long0"], vec!["long1", "long2"], vec!["long3", "long4"], vec!["zz"]]);
    // With those that are there, more than a search reads for a page.
    key(&app, "zzz", 5_000_000).await;
    key(&app, "zzzz rare", 1).await;
    let found = pages(&app, "/translations?query=rare&", "keys", "ref").await;
    assert_eq!(found, [vec![], vec!["zzzz rare"]]);
}

async fn a_page_of_unpublished_changes_ends_before_its_texts_get_long(store: TestStore) {
    let app = quiet(&store).await;
    for name in ["k0", "k1", "k2"] {
        let key = key(&app, name, LONG).await;
        let mut tx = app.write().await;
        app.translate_in(&mut tx, &key, "de", "y", State::NeedsReview).await;
        tx.commit().await.unwrap();
    }
    // In the base language they are added, and in German they are held back.
    let all = pages(&app, "/unpublished-changes?", "items", "ref").await;
    assert_eq!(all, [["k0", "k1"], ["k2", "k0"], ["k1", "k2"]]);
}

async fn a_page_of_pending_code_changes_ends_before_its_texts_get_long(store: TestStore) {
    let app = quiet(&store).await;
    for name in ["k0", "k1", "k2"] {
        let key = key(&app, name, LONG).await;
        let mut tx = app.write().await;
        let change = NewChange {
            id: &format!("chg_{name}"),
            key_id: &key.id,
            kind: ChangeKind::TextChanged,
            code_ref: None,
            code_source: Some(&Content::Text("y".repeat(LONG))),
            file: None,
            made_by: "ann",
            created_at: app.clock.now(),
        };
        code_changes::insert(&mut tx, &app.project.id, change).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(pages(&app, "/pending-code-changes?", "changes", "ref").await, [["k0"], ["k1"], ["k2"]]);
}

async fn a_page_of_terms_ends_before_its_texts_get_long(store: TestStore) {
    let app = quiet(&store).await;
    let translations: BTreeMap<String, String> = (0..100).map(|n| (format!("l{n:02}"), "y".repeat(256))).collect();
    let terms = (0..200).map(|n| Term {
        id: format!("trm_{n:03}"),
        language: "en".into(),
        term: format!("term {n:03}"),
        rule: GlossaryRule::Translate,
        case_sensitive: false,
        translations: Json(translations.clone()),
        note: None,
    });
    let terms: Vec<Term> = terms.collect();
    let mut tx = app.write().await;
    glossary::put(&mut tx, GlossaryOwner::Project(&app.project.id), &terms.iter().collect::<Vec<_>>()).await.unwrap();
    tx.commit().await.unwrap();
    let pages = pages(&app, "/glossary?", "terms", "term").await;
    assert_eq!(pages.len(), 2, "{:?}", pages.iter().map(Vec::len).collect::<Vec<_>>());
    assert_eq!(pages.concat(), terms.into_iter().map(|term| term.term).collect::<Vec<_>>());
}

async fn a_run_tells_the_previous_texts_that_have_room(store: TestStore) {
    let app = quiet(&store).await;
    let mut tx = app.write().await;
    for name in ["k0", "k1", "k2", "k3"] {
        let text = if name == "k3" { "short".to_owned() } else { "x".repeat(LONG) };
        let spec = Spec { name, text: &text, source_path: Some("en.json"), ..Spec::default() };
        app.key_in(&mut tx, spec).await;
    }
    tx.commit().await.unwrap();
    let file = json!({"path": "en.json", "content": r#"{"new": "x"}"#, "encoding": "utf8", "format": "json"});
    let run: Run = app.post("/sync?dryRun=true").json(&json!({ "file": file })).send().await.read();
    let lengths = run.items.iter().map(|item| (item.r#ref.as_str(), item.previous_text.as_ref().map(String::len)));
    let mut lengths: Vec<_> = lengths.collect();
    lengths.sort_unstable();
    let told = lengths.iter().filter(|(_, length)| *length == Some(LONG)).count();
    assert_eq!((lengths.len(), told), (5, 2), "{lengths:?}");
    assert!(lengths.contains(&("k3", Some(5))), "{lengths:?}");
}

async fn an_import_tells_the_previous_texts_that_have_room(store: TestStore) {
    let app = quiet(&store).await;
    let (mut tx, mut german) = (app.write().await, json!({}));
    for name in ["k0", "k1", "k2", "k3"] {
        let key = app.key_in(&mut tx, Spec { name, text: "Text", ..Spec::default() }).await;
        let before = if name == "k3" { "kurz".to_owned() } else { "x".repeat(LONG) };
        app.translate_in(&mut tx, &key, "de", &before, State::Translated).await;
        german[name] = json!("Wort");
    }
    tx.commit().await.unwrap();
    let file = json!({"path": "de.json", "content": german.to_string(), "encoding": "utf8", "format": "json"});
    for path in ["/sync?dryRun=true", "/sync"] {
        let run: Run = app.post(path).json(&json!({"file": file, "language": "de"})).send().await.read();
        let lengths: Vec<_> = run.items.iter().map(|item| item.previous_text.as_ref().map(String::len)).collect();
        assert_eq!(lengths, [Some(LONG), Some(LONG), None, Some(4)], "{path}");
    }
}

async fn a_project_with_long_texts_is_not_compared(store: TestStore) {
    let app = quiet(&store).await;
    key(&app, "k", LONG).await;
    let added = async || app.get("/unpublished-changes").send().await.json()["languages"][0]["added"].clone();
    assert_eq!(added().await, Value::from(1));
    // In three languages and thirty formats, one text makes files of more bytes than a comparison holds.
    let paths: Vec<String> = (0..30).map(|n| format!("{n}/{{language}}.json")).collect();
    let outputs: Vec<_> = paths.iter().map(|path| (path.as_str(), FormatId::Json, EmptyAs::Base, None)).collect();
    let mut tx = app.write().await;
    app.outputs_in(&mut tx, &outputs).await;
    tx.commit().await.unwrap();
    assert_eq!(added().await, Value::Null);
}
