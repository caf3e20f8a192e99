//! The whole job by tools alone, in both revisions and on both engines.

use l10n_mcp::{Options, Server};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::support::{Agent, Host, REVISIONS, Revision, account};

both_engines!(
    an_agent_translates_checks_publishes_and_goes_back,
    an_agent_translates_a_file_of_its_folder,
    an_agent_translates_documents,
    what_is_held_back_is_said_with_its_place,
);

async fn an_agent_translates_checks_publishes_and_goes_back(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (turn, revision) in REVISIONS.into_iter().enumerate() {
        let agent = Agent::admin(&app, revision).await;
        let project = agent.ok("get_project", json!({})).await;
        assert_eq!((&project["project"], &project["base_language"]), (&json!("acme/app"), &json!("en")));
        assert_eq!(project["key"]["needs_person_for"], json!([]));
        assert!(project["balance_credits"].as_f64().unwrap() < 1_000_001.0, "credits and not thousandths: {project}");

        let keys = json!([{"ref": format!("k{turn}.hello"), "text": "Hello, {name}!"}, {"ref": format!("k{turn}.bye"), "text": "Bye"}]);
        let price = agent.ok("preview_translation", json!({"keys": keys})).await;
        assert_eq!((&price["new"], &price["needs_approval"]), (&json!(2), &json!(false)), "{price}");
        let run = agent.ok("translate", json!({"keys": keys, "reason": "greetings"})).await;
        assert_eq!((&run["status"], &run["new"]), (&json!("completed"), &json!(2)), "{run}");
        if turn == 0 {
            assert_eq!(run["done"], 4);
            assert!(
                price["credits"].as_f64().unwrap() > 0.0
                    && price["credits"].as_f64() >= run["credits_charged"].as_f64()
            );
            let token = run["tracking_token"].as_str().unwrap();
            let known = agent.ok("get_run", json!({"tracking_token": token, "wait_seconds": 0})).await;
            assert_eq!((&known["status"], &known["done"]), (&run["status"], &run["done"]));
        }

        let found = agent.ok("find_keys", json!({"prefix": format!("k{turn}."), "language": "de", "limit": 1})).await;
        assert_eq!(found["keys"].as_array().unwrap().len(), 1);
        let next = json!({"prefix": format!("k{turn}."), "language": "de", "limit": 1, "cursor": found["next_cursor"]});
        assert_ne!(agent.ok("find_keys", next).await["keys"][0]["ref"], found["keys"][0]["ref"]);
        let by_text = agent.ok("find_keys", json!({"query": "HELLO, {n", "prefix": format!("k{turn}.")})).await;
        let refs: Vec<_> = by_text["keys"].as_array().unwrap().iter().map(|key| key["ref"].clone()).collect();
        assert_eq!(refs, [json!(format!("k{turn}.hello"))], "{by_text}");
        let key = agent.ok("get_key", json!({"ref": format!("k{turn}.hello")})).await;
        assert_eq!((&key["text"], key["translations"].as_array().unwrap().len()), (&json!("Hello, {name}!"), 2 + turn));
        assert_eq!(agent.ok("check_translations", json!({})).await["held"], json!([]));

        let published = agent.ok("publish", json!({"label": format!("v{turn}"), "reason": "release"})).await;
        assert_eq!((&published["status"], &published["held_back"]), (&json!("published"), &json!(0)));
        let versions = agent.ok("restore_version", json!({})).await;
        assert_eq!(versions["versions"].as_array().unwrap().len(), turn + 1);
        if let Some(before) = versions["versions"].get(1) {
            let id = before["version_id"].clone();
            let restored = agent.ok("restore_version", json!({"version_id": id, "reason": "a typo"})).await;
            assert_eq!((&restored["status"], &restored["version_id"]), (&json!("restored"), &id));
            let again = agent.ok("restore_version", json!({"version_id": id, "reason": "a typo"})).await;
            assert_eq!(again["already_live"], true);
        }
        let code = ["it", "pt-BR"][turn];
        let added = agent.ok("add_languages", json!({"codes": [code, "de"]})).await;
        assert_eq!((&added["added"], &added["existing"]), (&json!([code]), &json!(["de"])));
        let missing = json!({"keys": [{"ref": format!("m{turn}"), "text": "New", "file": "src/a.rs", "line": 3}]});
        assert_eq!(agent.ok("report_missing_keys", missing).await["new"], 1);
        assert_eq!(agent.ok("list_code_changes", json!({})).await["changes"], json!([]));
        // Ready for the next turn: only the first two languages count there.
        agent.ok("translate", json!({"keys": keys, "reason": "the new language"})).await;
    }
}

async fn an_agent_translates_a_file_of_its_folder(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("locales")).unwrap();
    std::fs::write(folder.path().join("locales/en.json"), r#"{"a": "One", "b": "Two"}"#).unwrap();
    let options = Options { folder: Some(folder.path().to_owned()), ..Options::default() };
    let server = Server::new(account(&app, &app.project.keys.admin), options);
    let agent = Agent::of(server, Revision::New, Host::plain()).await;
    let run = agent.ok("translate", json!({"file_path": "locales/en.json", "reason": "texts"})).await;
    assert_eq!((&run["status"], &run["new"], &run["done"]), (&json!("completed"), &json!(2), &json!(4)));
    assert_eq!(agent.ok("get_key", json!({"ref": "a"})).await["file"], "locales/en.json");
    // The same file by its content, as over HTTP.
    let content = json!({"file_path": "locales/en.json", "content": r#"{"a": "One", "b": "Three"}"#});
    let price = agent.ok("preview_translation", content).await;
    assert_eq!((&price["changed"], &price["unchanged"]), (&json!(1), &json!(1)));
    let outside = agent.fails("preview_translation", json!({"file_path": "../../etc/passwd"})).await;
    assert_eq!(outside["error"], "file_unreadable");
    std::fs::write(folder.path().join("locales/en.json"), "{\n  \"a\": oops }").unwrap();
    let broken = agent.fails("translate", json!({"file_path": "locales/en.json", "reason": "texts"})).await;
    assert_eq!((&broken["error"], &broken["details"]["line"]), (&json!("file_unparseable"), &json!(2)), "{broken}");
}

async fn an_agent_translates_documents(store: TestStore) {
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let text = "# Title\n\nA paragraph.\n";
    let document = json!({"external_id": "docs/a.md", "content": text, "dry_run": true, "reason": "docs"});
    let priced = agent.ok("translate_document", document).await;
    assert_eq!(priced["preview"]["new"], 2, "{priced}");
    let run =
        agent.ok("translate_document", json!({"external_id": "docs/a.md", "content": text, "reason": "docs"})).await;
    assert_eq!((&run["status"], &run["document_id"]), (&json!("completed"), &priced["document_id"]), "{run}");
    let source = agent.ok("get_document", json!({"external_id": "docs/a.md"})).await;
    assert_eq!((&source["text"], source.get("next_offset")), (&json!(text), None));
    let draft = agent.ok("get_document", json!({"external_id": "docs/a.md", "language": "de", "draft": true})).await;
    assert!(draft["text"].as_str().unwrap().starts_with("# "), "{draft}");
    let unpublished = agent.fails("get_document", json!({"external_id": "docs/a.md", "language": "de"})).await;
    assert_eq!(unpublished["error"], "not_published");
    let published = agent.ok("publish", json!({"target": "content", "reason": "docs"})).await;
    assert_eq!(published["summary"]["published"], 1, "{published}");
    let again = agent.ok("publish", json!({"target": "content", "reason": "docs"})).await;
    assert_eq!((&again["summary"]["published"], &again["summary"]["unchanged"]), (&json!(0), &json!(1)));
    let documents = agent.ok("get_document", json!({})).await;
    assert_eq!(documents["documents"].as_array().unwrap().len(), 1);
    let none = agent.fails("get_document", json!({"external_id": "none.md"})).await;
    assert_eq!(none["error"], "not_found");
}

async fn what_is_held_back_is_said_with_its_place(store: TestStore) {
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    agent
        .ok("translate", json!({"file_path": "en.json", "content": r#"{"hello": "Hello, {name}!"}"#, "reason": "r"}))
        .await;
    import(&app, "de.json", r#"{"hello": "Hallo!"}"#).await;
    let checked = agent.ok("check_translations", json!({"language": "de"})).await;
    let held = &checked["held"][0];
    assert_eq!((&held["ref"], &held["source"]), (&json!("hello"), &json!("Hello, {name}!")), "{checked}");
    let issue = &held["translations"][0]["issues"][0];
    assert_eq!((&issue["check"], &issue["severity"]), (&json!("placeholders"), &json!("error")), "{checked}");
    let published = agent.ok("publish", json!({"reason": "release"})).await;
    assert_eq!(published["held_back"], 1, "{published}");
}

/// Imports German texts, as a team does that has some.
async fn import(app: &TestApp, path: &str, text: &str) {
    let client = l10n_client::Client::builder(format!("http://{}/v1", app.address))
        .api_key(app.project.keys.admin.as_str())
        .build()
        .unwrap();
    let file = l10n_client::file_upload(path, text.as_bytes()).unwrap();
    let body = l10n_client::api::translations::SyncBody { language: Some("de".into()), ..l10n_client::sync_body(file) };
    client.project(app.project.id.clone()).translations().sync(&body).await.unwrap();
}

/// A page of long texts ends where its size does, and its cursor goes on behind it.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_too_long_is_shorter_and_nothing_is_lost() {
    let store = TestStore::sqlite().await;
    let app = TestApp::on(&store).await;
    let agent = Agent::admin(&app, Revision::New).await;
    let key = |n: u32| json!({"ref": format!("k{n:02}"), "text": format!("{n} {}", "word ".repeat(300))});
    let keys: Vec<Value> = (0..30).map(key).collect();
    agent.ok("translate", json!({"keys": keys, "reason": "long texts"})).await;
    let (mut refs, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut arguments = json!({"limit": 30});
        if let Some(cursor) = cursor {
            arguments["cursor"] = cursor.into();
        }
        let page = agent.ok("find_keys", arguments).await;
        assert_eq!(page.get("truncated"), None);
        refs.extend(page["keys"].as_array().unwrap().iter().map(|key| key["ref"].as_str().unwrap().to_owned()));
        cursor = page["next_cursor"].as_str().map(str::to_owned);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(refs, (0..30).map(|n| format!("k{n:02}")).collect::<Vec<_>>());
    // One key alone may be too long; then its texts are cut, and the result says so.
    let huge = json!([{"ref": "huge", "text": "x".repeat(30_000)}]);
    agent.ok("translate", json!({"keys": huge, "reason": "a huge text"})).await;
    assert_eq!(agent.ok("get_key", json!({"ref": "huge"})).await["truncated"], true);
}
