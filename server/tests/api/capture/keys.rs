//! The life of captured keys.

use l10n_api_types::capture::Captured;
use l10n_api_types::translations::Run;
use l10n_server::both_engines;
use l10n_server::domain::capture as captured;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::capture::fixtures::{
    capture, classes, code, counts, editor, idle, key, meta, pending, post_capture, project, shown, sync, sync_with,
};

both_engines!(
    new_keys_wait_and_repeats_are_not_new,
    a_captured_key_changes_no_text_and_is_in_no_version_and_no_list,
    the_scope_capture_opens_the_route_and_no_other_does,
    there_is_no_preview,
    the_code_makes_a_captured_key_count_with_its_own_text,
    captured_keys_do_not_count_against_the_plan,
    a_person_accepts_or_discards,
    a_text_comes_later_and_one_in_another_language_is_a_note,
);

/// FN-5
async fn new_keys_wait_and_repeats_are_not_new(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = json!([{"ref": "b", "text": "B"}, {"ref": "a"}, {"ref": "b", "text": "Another"}]);
    let first = capture(&app, &keys).await;
    assert_eq!((counts(&first), first.remaining_today), ((2, 0, 0), 4_998));
    assert_eq!(first.captured, ["b", "a"]);
    let again = capture(&app, &keys).await;
    assert_eq!((counts(&again), again.remaining_today), ((0, 2, 0), 4_998));
    assert!(again.captured.is_empty());
    let other = capture(&app, &json!([{"ref": "b", "text": "Z"}])).await;
    assert_eq!(counts(&other), (0, 0, 1));
    let meta = meta(&app).await;
    assert_eq!((&meta["capturedCount"], &meta["keyCount"]), (&2.into(), &0.into()));
    assert_eq!((&meta["remaining"]["captures"], &meta["limits"]["capturesPerDay"]), (&4_998.into(), &5_000.into()));
    let found = key(&app, "b").await;
    assert_eq!((found.captured, found.text.as_deref()), (true, Some("B")));
}

async fn a_captured_key_changes_no_text_and_is_in_no_version_and_no_list(store: TestStore) {
    let app = idle(&store).await;
    sync(&app, &code(&[("a", "A")])).await;
    let before = meta(&app).await;
    let answer = capture(&app, &json!([{"ref": "a", "text": "Mine"}, {"ref": "x", "text": "X"}])).await;
    assert_eq!(counts(&answer), (1, 0, 1));
    assert_eq!(project(&app).await, code(&[("a", "A")]));
    let after = meta(&app).await;
    for same in ["keyCount", "languages", "unpublishedChanges", "balance"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    let published = app.post("/publish").send().await.json();
    assert_eq!(published["keyCount"], 1);
    let files = app.get(&format!("/translations?version={}", published["versionId"].as_str().unwrap())).send().await;
    assert!(!String::from_utf8_lossy(&files.bytes).contains("\\\"x\\\""), "{files:?}");
    assert!(pending(&app).await.is_empty());
}

/// SCOPE-C-1, AMB-42
async fn the_scope_capture_opens_the_route_and_no_other_does(store: TestStore) {
    let app = TestApp::on(&store).await;
    let keys = &app.project.keys;
    for (scope, key) in keys.of_one_scope() {
        let answer = app.post("/capture").key(key).json(&json!({"keys": [{"ref": scope.as_str()}]})).send().await;
        let expected = if scope.as_str() == "capture" { "200" } else { "403 forbidden" };
        assert_eq!(answer.outcome(), expected, "{scope}");
    }
    let agent = app.post("/capture").key(&keys.agent).json(&json!({"keys": [{"ref": "agent"}]})).send().await;
    assert_eq!(agent.outcome(), "200", "capturing spends and publishes nothing");
    assert_eq!(meta(&app).await["capturedCount"], 2);
}

/// DRY-5
async fn there_is_no_preview(store: TestStore) {
    let app = TestApp::on(&store).await;
    let body = json!({"keys": [{"ref": "a"}]});
    for query in ["?dryRun=true", "?dryRun=false", "?dry_run=1"] {
        assert_eq!(app.post(&format!("/capture{query}")).json(&body).send().await.outcome(), "400 invalid_argument");
    }
    for flag in [json!(true), json!(false), json!("true")] {
        let body = json!({"keys": [{"ref": "a"}], "dryRun": flag});
        assert_eq!(app.post("/capture").json(&body).send().await.outcome(), "400 invalid_argument");
    }
    assert_eq!(meta(&app).await["capturedCount"], 0);
}

async fn the_code_makes_a_captured_key_count_with_its_own_text(store: TestStore) {
    let app = TestApp::on(&store).await;
    let context = json!({"url": "https://shop.example/cart?token=secret", "file": "src/cart.ts", "line": 7});
    capture(&app, &json!([{"ref": "a", "text": "Captured", "context": context}, {"ref": "b", "text": "B"}])).await;
    let preview = sync_with(&app, &code(&[("a", "Code")]), "?dryRun=true", &json!({})).await;
    let run = sync(&app, &code(&[("a", "Code")])).await;
    for run in [&preview, &run] {
        assert_eq!(classes(run), (1, 0, 0, 0));
        assert_eq!(run.items[0].previous_text, None, "what was captured was no text of the project");
        assert_eq!(run.estimated_credits.0, 8, "4 characters in two languages");
    }
    let found = key(&app, "a").await;
    assert_eq!((found.captured, found.text.as_deref(), found.file.as_deref()), (false, Some("Code"), Some("en.json")));
    assert_eq!(found.description.as_deref(), Some("Missed at https://shop.example/cart, in src/cart.ts:7"));
    let body = json!({"keys": [{"ref": "b", "text": "B"}]});
    let run: Run = app.post("/translate").json(&body).send().await.read();
    assert_eq!(classes(&run), (1, 0, 0, 0), "also one with the very text that was captured");
    let meta = meta(&app).await;
    assert_eq!((&meta["capturedCount"], &meta["keyCount"]), (&0.into(), &2.into()));
    assert!(pending(&app).await.is_empty(), "the code has them");
}

async fn captured_keys_do_not_count_against_the_plan(store: TestStore) {
    let app = TestApp::on(&store).await;
    let other = app.other_project("free").await;
    let at =
        |path: &str| app.at(http::Method::POST, &format!("/v1/projects/{}{path}", other.id)).key(&other.keys.admin);
    let named =
        |prefix: &str| (0..100).map(|n| json!({"ref": format!("{prefix}{n}"), "text": "T"})).collect::<Vec<_>>();
    let answer = at("/capture").json(&json!({"keys": named("captured")})).send().await;
    assert_eq!(answer.read::<Captured>().counts.new, 100);
    let answer = at("/translate").json(&json!({"keys": named("key")})).send().await;
    assert!(answer.status < 300, "{answer:?}");
    let one_more = at("/translate").json(&json!({"keys": [{"ref": "captured0", "text": "T"}]})).send().await;
    assert_eq!(one_more.outcome(), "402 plan_limit", "one that counts from now on");
    assert_eq!(at("/capture").json(&json!({"keys": [{"ref": "more"}]})).send().await.status, 200);
}

async fn a_person_accepts_or_discards(store: TestStore) {
    let app = TestApp::on(&store).await;
    capture(&app, &json!([{"ref": "a", "text": "A"}, {"ref": "b"}, {"ref": "c", "text": "C"}])).await;
    let mut tx = app.service.store.begin_write().await.unwrap();
    let id = &app.project.id;
    let waiting = captured::waiting(&mut tx, id).await.unwrap();
    assert_eq!(waiting.iter().map(|key| key.name.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    captured::accept(&mut tx, &editor(&app), "a", None, None).await.unwrap();
    let textless = captured::accept(&mut tx, &editor(&app), "b", None, None).await.unwrap_err();
    assert!(textless.to_string().contains("without a text"), "{textless}");
    captured::accept(&mut tx, &editor(&app), "b", Some("Bee"), None).await.unwrap();
    captured::accept(&mut tx, &editor(&app), "a", None, None).await.unwrap_err();
    captured::discard(&mut tx, id, &["c".to_owned(), "a".to_owned()]).await.unwrap_err();
    assert_eq!(captured::discard(&mut tx, id, &["c".to_owned()]).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(project(&app).await, code(&[("a", "A"), ("b", "Bee")]));
    assert_eq!(shown(&app).await, ["key_added a: - -> A", "key_added b: - -> Bee"]);
    assert_eq!(meta(&app).await["capturedCount"], 0);
    let again = capture(&app, &json!([{"ref": "a"}, {"ref": "c"}])).await;
    assert_eq!(counts(&again), (1, 1, 0), "what was discarded is new again");
}

async fn a_text_comes_later_and_one_in_another_language_is_a_note(store: TestStore) {
    let app = TestApp::on(&store).await;
    capture(&app, &json!([{"ref": "a", "text": "Hallo", "language": "de"}])).await;
    let found = key(&app, "a").await;
    assert_eq!((found.text.as_deref(), found.description.as_deref()), (Some(""), Some("Shown in de: Hallo")));
    let later = capture(&app, &json!([{"ref": "a", "text": "Hello", "language": "EN"}])).await;
    assert_eq!(counts(&later), (0, 1, 0));
    let found = key(&app, "a").await;
    assert_eq!((found.text.as_deref(), found.description.as_deref()), (Some("Hello"), Some("Shown in de: Hallo")));
    let german = capture(&app, &json!([{"ref": "a", "text": "Servus", "language": "de"}])).await;
    assert_eq!(counts(&german), (0, 1, 0), "only a text in the base language contradicts");
    assert_eq!(post_capture(&app, &json!([{"ref": "a", "text": "Hi"}])).await.json()["counts"]["conflicting"], 1);
}
