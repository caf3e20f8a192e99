//! Keys that people rename, while the code goes on with the old names.

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::capture::fixtures::{
    add, archive, capture, classes, code, counts, edit, pending, project, rename, shown, sync, sync_with, text,
};

both_engines!(
    versions_have_the_codes_name_until_the_code_follows,
    a_stale_sync_follows_the_rename_and_costs_nothing,
    a_name_that_the_code_uses_is_nobody_elses,
    a_rename_goes_together_with_other_edits,
    translations_of_a_file_with_old_names_are_taken_over,
);

async fn published(app: &TestApp) -> String {
    let version = app.post("/publish").send().await.json()["versionId"].as_str().unwrap().to_owned();
    let files = app.get(&format!("/translations?version={version}&language=en")).send().await.json();
    files["files"][0]["content"].as_str().unwrap().to_owned()
}

async fn versions_have_the_codes_name_until_the_code_follows(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("a", "A"), ("old", "Text")])).await;
    edit(&app, rename("old", "new")).await.unwrap();
    assert_eq!(project(&app).await, code(&[("a", "A"), ("new", "Text")]));
    assert_eq!(published(&app).await, r#"{"a":"A","old":"Text"}"#, "no app misses a key");
    assert_eq!(counts(&capture(&app, &json!([{"ref": "old"}])).await), (0, 1, 0));
    sync(&app, &code(&[("a", "A"), ("new", "Text")])).await;
    assert!(pending(&app).await.is_empty());
    assert_eq!(published(&app).await, r#"{"a":"A","new":"Text"}"#);
}

async fn a_stale_sync_follows_the_rename_and_costs_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    let old = code(&[("old", "Text")]);
    let token = sync(&app, &old).await.tracking_token.unwrap();
    app.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await;
    edit(&app, rename("old", "new")).await.unwrap();
    let run = sync_with(&app, &old, "", &json!({"onRemoved": "archive"})).await;
    assert_eq!((classes(&run), run.estimated_credits.0, run.warnings.len()), ((0, 0, 1, 0), 0, 1));
    assert_eq!(project(&app).await, code(&[("new", "Text")]));
    let run = sync(&app, &code(&[("new", "Text")])).await;
    assert_eq!((classes(&run), run.estimated_credits.0, run.warnings.len()), ((0, 0, 1, 0), 0, 0));
    let run = sync(&app, &code(&[("new", "Text"), ("old", "Another")])).await;
    assert_eq!(classes(&run), (1, 0, 1, 0), "the old name is free for a key of its own");
}

async fn a_name_that_the_code_uses_is_nobody_elses(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("old", "Text"), ("other", "Other"), ("gone", "G")])).await;
    edit(&app, archive("gone")).await.unwrap();
    capture(&app, &json!([{"ref": "seen"}])).await;
    edit(&app, rename("old", "new")).await.unwrap();
    for deed in [
        add("old", "T"),
        rename("other", "old"),
        rename("other", "new"),
        rename("other", "gone"),
        rename("other", "seen"),
        rename("other", ""),
        rename("old", "x"),
    ] {
        let refused = edit(&app, deed.clone()).await;
        assert!(refused.is_err(), "{deed:?}");
    }
    edit(&app, rename("new", "newer")).await.unwrap();
    assert_eq!(shown(&app).await, ["key_archived gone: G -> -", "key_renamed old: old -> newer"]);
    edit(&app, rename("newer", "old")).await.unwrap();
    assert_eq!(shown(&app).await, ["key_archived gone: G -> -"], "back at the code's name nothing is left to do");
}

async fn a_rename_goes_together_with_other_edits(store: TestStore) {
    let app = TestApp::on(&store).await;
    let old = code(&[("old", "Old")]);
    sync(&app, &old).await;
    edit(&app, rename("old", "new")).await.unwrap();
    edit(&app, text("new", "New")).await.unwrap();
    assert_eq!(shown(&app).await, ["key_renamed old: old -> new", "text_changed old: Old -> New"]);
    let run = sync(&app, &old).await;
    assert_eq!(classes(&run), (0, 0, 1, 0));
    assert_eq!(project(&app).await, code(&[("new", "New")]));
    sync(&app, &code(&[("old", "New")])).await;
    assert_eq!(shown(&app).await, ["key_renamed old: old -> new"], "one of the two has come");
    edit(&app, text("new", "Newest")).await.unwrap();
    edit(&app, archive("new")).await.unwrap();
    assert_eq!(shown(&app).await, ["key_archived old: New -> -"]);
    sync(&app, &code(&[("old", "New")])).await;
    assert!(project(&app).await.is_empty());
    assert_eq!(pending(&app).await.len(), 1);
}

async fn translations_of_a_file_with_old_names_are_taken_over(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("old", "Text")])).await;
    edit(&app, rename("old", "new")).await.unwrap();
    let file = json!({"path": "de.json", "content": "{\"old\":\"Wort\"}", "encoding": "utf8", "format": "json"});
    let answer = app.post("/sync").json(&json!({"file": file, "language": "de"})).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let found = crate::capture::fixtures::key(&app, "new").await;
    let german = found.translations.iter().find(|translation| translation.language.as_str() == "de").unwrap();
    assert_eq!(german.text.as_deref(), Some("Wort"));
}
