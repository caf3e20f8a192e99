//! A sync in another language than the base: translations that exist already.

use std::sync::Arc;

use l10n_api_types::translations::{Class, HeldReason, Run, RunStatus};
use l10n_api_types::{Millicredits, Origin, State};
use l10n_server::engines::Pseudo;
use l10n_server::testing::{TestApp, TestStore, sql};
use serde_json::json;

use crate::jobs::fixtures::{ended, key, money, state, sync, sync_with, taken, text_in, texts, translate};

l10n_server::both_engines!(
    translations_that_exist_already_are_taken_over_free_of_charge,
    an_import_is_classified_as_a_whole,
    an_import_into_long_texts_is_classified_as_a_whole,
    an_import_goes_through_the_checks_and_is_remembered,
    an_import_names_what_it_does_not_take_and_what_is_held_back,
    what_an_import_cannot_do_is_refused,
);

async fn translations_that_exist_already_are_taken_over_free_of_charge(store: TestStore) {
    let app = TestApp::on(&store).await;
    let nothing = json!({"languages": ["fr"]});
    ended(&app, &taken(sync_with(&app, "", "en.json", &json!({"a": "Save", "b": "Open"}), nothing).send().await)).await;
    let before = money(&app).await.balance;
    let german = json!({"a": "Speichern", "b": ""});
    let run = taken(sync_with(&app, "", "de.json", &german, json!({"language": "DE"})).send().await);
    assert_eq!((run.status, run.estimated_credits), (RunStatus::Completed, Millicredits::ZERO));
    assert_eq!((run.classification.new, run.classification.unchanged), (1, 1));
    assert_eq!(run.warnings, ["1 empty entry was left out"]);
    let saved = key(&app, "a").await;
    let translation = &saved.translations[0];
    assert_eq!(
        (translation.origin, translation.state, translation.stale),
        (Some(Origin::Import), State::Translated, false)
    );
    assert_eq!(text_in(&saved, "de"), Some("Speichern"));
    assert_eq!(key(&app, "b").await.translations[0].state, State::Missing);
    assert_eq!(money(&app).await.balance, before);
    let rest = taken(sync(&app, "en.json", &json!({"a": "Save", "b": "Open"})).send().await);
    assert_eq!(rest.estimated_credits, Millicredits(4), "what was imported is not translated again");
}

async fn an_import_is_classified_as_a_whole(store: TestStore) {
    let app = TestApp::on(&store).await;
    let source = json!({"a": "Save", "b": "Open", "c": "Close"});
    // Its job ends first: what it writes is no doing of the imports.
    ended(&app, &taken(sync_with(&app, "", "en.json", &source, json!({"languages": ["fr"]})).send().await)).await;
    let import = |german: serde_json::Value| sync_with(&app, "", "de.json", &german, json!({"language": "de"}));
    taken(import(json!({"a": "Sichern", "b": "Öffnen"})).send().await);
    let run = taken(import(json!({"a": "Speichern", "b": "Öffnen", "c": "Schließen", "nobody": "?"})).send().await);
    let counts = run.classification;
    assert_eq!((counts.new, counts.changed, counts.unchanged, counts.removed), (2, 1, 1, 0));
    let items: Vec<_> =
        run.items.iter().map(|item| (item.r#ref.as_str(), item.class, item.previous_text.as_deref())).collect();
    assert_eq!(items, [("a", Class::Changed, Some("Sichern")), ("c", Class::New, None), ("nobody", Class::New, None)]);
    assert!(run.warnings[0].contains("`nobody`"), "{:?}", run.warnings);
    let missing = app.get("/translations?ref=nobody").send().await;
    assert_eq!(missing.outcome(), "404 key_not_found", "an import makes no key");
    let before = state(&app).await;
    let again = taken(import(json!({"a": "Speichern", "b": "Öffnen", "c": "Schließen"})).send().await);
    assert_eq!(again.classification.unchanged, 3);
    assert_eq!(state(&app).await, before);
}

/// The texts that it is compared with are read a batch after the other.
async fn an_import_into_long_texts_is_classified_as_a_whole(store: TestStore) {
    let app = TestApp::idle(&store, |_| {}, Arc::new(Pseudo)).await;
    let names: Vec<String> = (0..7).map(|n| format!("k{n}")).collect();
    for name in &names {
        let long = json!({ name.as_str(): format!("Text {name} {}", "x".repeat(1_500 * 1024)) });
        taken(sync(&app, &format!("{name}.json"), &long).send().await);
    }
    let import = async |query: &str, word: &str, number: usize| {
        let german = names.iter().take(number).map(|name| (name.clone(), json!(format!("{word} {name}"))));
        let german: serde_json::Map<_, _> = german.chain([("nobody".to_owned(), json!("?"))]).collect();
        taken(sync_with(&app, query, "de.json", &german.into(), json!({"language": "de"})).send().await)
    };
    let of = |run: &Run| (run.classification.new, run.classification.changed, run.classification.unchanged);
    assert_eq!(of(&import("?dryRun=true", "Wort", 7).await), (8, 0, 0));
    assert_eq!(of(&import("", "Wort", 7).await), (8, 0, 0));
    assert_eq!(sql::count(&store, "project_memory").await, 7);
    assert_eq!(of(&import("", "Wort", 7).await), (1, 0, 7));
    let run = import("", "Satz", 5).await;
    assert_eq!(of(&run), (1, 5, 0));
    assert_eq!(run.items[4].previous_text.as_deref(), Some("Wort k4"));
    assert_eq!(text_in(&key(&app, "k4").await, "de"), Some("Satz k4"));
    assert_eq!(text_in(&key(&app, "k6").await, "de"), Some("Wort k6"));
}

async fn an_import_goes_through_the_checks_and_is_remembered(store: TestStore) {
    let app = TestApp::on(&store).await;
    let mut keys = texts([("a", "Hello"), ("b", "Bye")]);
    keys[0].max_length = Some(4);
    taken(app.post("/translate").json(&json!({"keys": keys, "languages": ["fr"]})).send().await);
    let german = json!({"a": "Hallo", "b": "Tschüss"});
    let run = taken(sync_with(&app, "", "de.json", &german, json!({"language": "de"})).send().await);
    assert!(run.warnings[0].starts_with("a check holds back 1"), "{:?}", run.warnings);
    let held_back = key(&app, "a").await;
    assert_eq!(held_back.translations[0].state, State::NeedsReview);
    assert!(!held_back.translations[0].issues.is_empty());
    let more = texts([("c", "Bye"), ("d", "Hello")]);
    let run = taken(app.post("/translate").json(&json!({"keys": more, "languages": ["de"]})).send().await);
    assert_eq!(run.per_language[0].from_memory, 1, "what a check holds back is not remembered");
    assert_eq!(text_in(&key(&app, "c").await, "de"), Some("Tschüss"));
}

/// A text that a check held back is checked again when it is imported again: the source may have changed, and then it
/// is accepted.
async fn an_import_names_what_it_does_not_take_and_what_is_held_back(store: TestStore) {
    let app = TestApp::on(&store).await;
    let source = |plural: &str| json!({"a": "Hi {name}", "n": plural, "e": "Empty", "t": "Three"});
    let plural = "{n, plural, =1{1 item} other{{n} items}}";
    let fr = || json!({"languages": ["fr"]});
    ended(&app, &taken(sync_with(&app, "", "en.json", &source(plural), fr()).send().await)).await;
    let german = json!({"a": "Hallo", "n": "{n, plural, =1{1 Ding} other{{n} Dinge}}", "e": "", "t": "Drei", "x": "?"});
    let import = |query: &str| sync_with(&app, query, "de.json", &german, json!({"language": "de"}));
    let named = |run: &Run| -> Vec<(String, HeldReason)> {
        run.held.iter().map(|text| (text.r#ref.clone(), text.reason)).collect()
    };
    let expected = [
        ("a".to_owned(), HeldReason::NeedsReview),
        ("e".to_owned(), HeldReason::Empty),
        ("x".to_owned(), HeldReason::UnknownKey),
    ];
    let dry = taken(import("?dryRun=true").send().await);
    assert_eq!(named(&dry), expected);
    let real = taken(import("").send().await);
    assert_eq!((named(&real), &real.held[0].message), (expected.to_vec(), &dry.held[0].message));
    assert!(real.held[0].message.contains("{name}"), "{:?}", real.held[0]);
    assert_eq!(key(&app, "n").await.translations[0].state, State::Translated, "`=1` is `one`");
    let before = state(&app).await;
    let again = taken(import("").send().await);
    assert_eq!((named(&again), again.classification.changed), (expected.to_vec(), 0));
    assert_eq!(state(&app).await, before, "what is held back stays so");
    let mut changed = source(plural);
    changed["a"] = json!("Hi");
    ended(&app, &taken(sync_with(&app, "", "en.json", &changed, fr()).send().await)).await;
    let mended = taken(import("").send().await);
    assert_eq!(named(&mended), expected[1..]);
    assert_eq!(key(&app, "a").await.translations[0].state, State::Translated);
}

async fn what_an_import_cannot_do_is_refused(store: TestStore) {
    let app = TestApp::on(&store).await;
    taken(translate(&app, &texts([("a", "A")])).send().await);
    let before = state(&app).await;
    for more in [
        json!({"language": "es"}),
        json!({"language": "not a tag"}),
        json!({"language": "de", "onRemoved": "archive"}),
        json!({"language": "de", "languages": ["fr"]}),
    ] {
        let answer = sync_with(&app, "", "de.json", &json!({"a": "x"}), more.clone()).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{more}");
    }
    // The job of the translate may have ended in between, so the keys alone are compared.
    assert_eq!(state(&app).await["meta"]["keyCount"], before["meta"]["keyCount"]);
}
