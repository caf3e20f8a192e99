//! Edits by people on the server, and the syncs after them.

use l10n_api_types::pending_code_changes::{CodeChanges, ListQuery};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;

use crate::capture::fixtures::{
    PERSON, add, archive, capture, classes, code, edit, editor, idle, key, meta, pending, project, shown, sync,
    sync_with, text, warnings,
};

both_engines!(
    a_stale_sync_never_reverts_an_edit_and_one_that_has_it_settles_it,
    a_third_text_is_a_change_of_the_code,
    later_edits_of_a_key_join_the_first_and_one_that_undoes_it_leaves_nothing,
    an_archived_key_stays_away_until_the_code_drops_it,
    an_added_key_outlives_syncs_without_it,
    a_preview_says_the_same_and_settles_nothing,
    translate_settles_and_keeps_as_sync_does,
    a_sync_that_drops_a_key_drops_what_was_to_be_changed_in_it,
    edits_that_cannot_be_change_nothing,
    the_list_comes_in_pages_and_is_the_projects_own,
    an_edit_makes_translations_stale_and_the_next_run_translates_the_persons_text,
);

async fn a_stale_sync_never_reverts_an_edit_and_one_that_has_it_settles_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    let old = code(&[("a", "Old"), ("b", "B")]);
    sync(&app, &old).await;
    edit(&app, text("a", "New")).await.unwrap();
    for _ in 0..2 {
        let run = sync(&app, &old).await;
        assert_eq!(classes(&run), (0, 0, 2, 0));
        assert!(
            run.warnings.iter().any(|warning| warning.contains("`a`") && warning.contains("pull-changes")),
            "{run:?}"
        );
        assert_eq!(key(&app, "a").await.text.as_deref(), Some("New"));
    }
    let changes = pending(&app).await;
    let [change] = changes.as_slice() else { unreachable!("{changes:?}") };
    assert!(change.change_id.as_str().starts_with("chg_"));
    assert_eq!((change.file.as_deref(), change.by.as_str()), (Some("en.json"), PERSON));
    assert_eq!(shown(&app).await, ["text_changed a: Old -> New"]);
    let run = sync(&app, &code(&[("a", "New"), ("b", "B")])).await;
    assert_eq!((classes(&run), warnings(&run).len()), ((0, 0, 2, 0), 0), "{run:?}");
    assert!(pending(&app).await.is_empty());
}

async fn a_third_text_is_a_change_of_the_code(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("a", "Old")])).await;
    edit(&app, text("a", "New")).await.unwrap();
    let run = sync(&app, &code(&[("a", "Third")])).await;
    assert_eq!(classes(&run), (0, 1, 0, 0));
    assert_eq!(run.items[0].previous_text.as_deref(), Some("New"));
    assert!(run.warnings.iter().any(|warning| warning.contains("New") && warning.contains("Third")), "{run:?}");
    assert_eq!(key(&app, "a").await.text.as_deref(), Some("Third"));
    assert!(pending(&app).await.is_empty());
}

async fn later_edits_of_a_key_join_the_first_and_one_that_undoes_it_leaves_nothing(store: TestStore) {
    let app = idle(&store).await;
    sync(&app, &code(&[("a", "Old")])).await;
    edit(&app, text("a", "New")).await.unwrap();
    let first = pending(&app).await.remove(0);
    let mut tx = app.service.store.begin_write().await.unwrap();
    let other = l10n_server::domain::code_changes::edit::Edit { by: "bob", ..editor(&app) };
    other.text(&mut tx, "a", &l10n_api_types::Content::Text("Newer".into())).await.unwrap();
    tx.commit().await.unwrap();
    let joined = pending(&app).await.remove(0);
    assert_eq!((&joined.change_id, joined.created_at, joined.by.as_str()), (&first.change_id, first.created_at, "bob"));
    assert_eq!(shown(&app).await, ["text_changed a: Old -> Newer"]);
    edit(&app, text("a", "Old")).await.unwrap();
    assert!(pending(&app).await.is_empty());
    let unpublished = meta(&app).await["unpublishedChanges"].clone();
    edit(&app, text("a", "Old")).await.unwrap();
    assert_eq!(meta(&app).await["unpublishedChanges"], unpublished, "nothing was changed");
}

async fn an_archived_key_stays_away_until_the_code_drops_it(store: TestStore) {
    let app = idle(&store).await;
    let old = code(&[("a", "A"), ("b", "B")]);
    sync(&app, &old).await;
    edit(&app, text("a", "Edited")).await.unwrap();
    edit(&app, archive("a")).await.unwrap();
    assert_eq!(shown(&app).await, ["key_archived a: A -> -"]);
    let balance = meta(&app).await["balance"].clone();
    let run = sync(&app, &old).await;
    assert_eq!((classes(&run), run.estimated_credits.0, run.tracking_token), ((0, 0, 2, 0), 0, None));
    assert_eq!(project(&app).await, code(&[("b", "B")]));
    assert_eq!((&meta(&app).await["keyCount"], &meta(&app).await["balance"]), (&1.into(), &balance));
    let run = sync(&app, &code(&[("b", "B")])).await;
    assert_eq!((classes(&run), warnings(&run).len()), ((0, 0, 1, 0), 0));
    assert!(pending(&app).await.is_empty());
    let run = sync(&app, &old).await;
    assert_eq!(classes(&run), (1, 0, 1, 0), "what was settled is over: the code brings the key anew");

    edit(&app, archive("b")).await.unwrap();
    edit(&app, add("b", "Bee")).await.unwrap();
    assert_eq!(shown(&app).await, ["text_changed b: B -> Bee"], "a key that comes back is no news to the code");
    edit(&app, archive("b")).await.unwrap();
    let run = sync(&app, &code(&[("a", "A"), ("b", "Third")])).await;
    assert_eq!(classes(&run), (1, 0, 1, 0), "the code has changed it since: it counts again");
    assert!(pending(&app).await.is_empty());
}

async fn an_added_key_outlives_syncs_without_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("a", "A")])).await;
    edit(&app, add("b", "B")).await.unwrap();
    edit(&app, text("b", "Bee")).await.unwrap();
    for _ in 0..2 {
        let run = sync_with(&app, &code(&[("a", "A")]), "", &json!({"onRemoved": "archive"})).await;
        assert_eq!(classes(&run), (0, 0, 1, 0));
    }
    assert_eq!(shown(&app).await, ["key_added b: - -> Bee"]);
    assert_eq!(meta(&app).await["keyCount"], 2);
    let run = sync(&app, &code(&[("a", "A"), ("b", "Bee")])).await;
    assert_eq!(classes(&run), (0, 0, 2, 0));
    assert_eq!(key(&app, "b").await.file.as_deref(), Some("en.json"));
    assert!(pending(&app).await.is_empty());
    edit(&app, add("c", "C")).await.unwrap();
    edit(&app, archive("c")).await.unwrap();
    assert!(pending(&app).await.is_empty(), "the code has never seen it");
}

async fn a_preview_says_the_same_and_settles_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("a", "Old"), ("b", "B")])).await;
    edit(&app, text("a", "New")).await.unwrap();
    edit(&app, archive("b")).await.unwrap();
    let before = pending(&app).await;
    let cases = [[("a", "Old"), ("b", "B")], [("a", "New"), ("b", "B")], [("a", "Third"), ("b", "Third")]];
    for case in cases {
        let run = sync_with(&app, &code(&case), "?dryRun=true", &json!({})).await;
        assert!(run.dry_run);
        assert_eq!(pending(&app).await, before);
    }
    let (preview, run) =
        (sync_with(&app, &code(&cases[2]), "?dryRun=true", &json!({})).await, sync(&app, &code(&cases[2])).await);
    assert_eq!((classes(&preview), warnings(&preview)), (classes(&run), warnings(&run)));
    assert_eq!(preview.estimated_credits, run.estimated_credits);
}

async fn translate_settles_and_keeps_as_sync_does(store: TestStore) {
    let app = TestApp::on(&store).await;
    let translate = async |text: &str| {
        let body = json!({"keys": [{"ref": "a", "text": text}]});
        let answer = app.post("/translate").json(&body).send().await;
        assert!(answer.status < 300, "{answer:?}");
        answer.read::<l10n_api_types::translations::Run>()
    };
    translate("Old").await;
    edit(&app, text("a", "New")).await.unwrap();
    let run = translate("Old").await;
    assert_eq!((classes(&run), warnings(&run).len()), ((0, 0, 1, 0), 1));
    assert_eq!(shown(&app).await, ["text_changed a: Old -> New"]);
    translate("New").await;
    assert!(pending(&app).await.is_empty());
}

async fn a_sync_that_drops_a_key_drops_what_was_to_be_changed_in_it(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("a", "A"), ("b", "B")])).await;
    edit(&app, text("a", "New")).await.unwrap();
    let run = sync_with(&app, &code(&[("b", "B")]), "", &json!({"onRemoved": "archive"})).await;
    assert_eq!(classes(&run), (0, 0, 1, 1));
    assert!(pending(&app).await.is_empty());
}

async fn edits_that_cannot_be_change_nothing(store: TestStore) {
    let app = TestApp::on(&store).await;
    sync(&app, &code(&[("a", "A"), ("gone", "G")])).await;
    edit(&app, archive("gone")).await.unwrap();
    capture(&app, &json!([{"ref": "seen", "text": "S"}])).await;
    let before = (pending(&app).await, project(&app).await);
    for deed in [
        text("none", "T"),
        text("gone", "T"),
        text("seen", "T"),
        text("a\n", "T"),
        archive("none"),
        archive("gone"),
        add("a", "T"),
        add("", "T"),
        add(&"x".repeat(513), "T"),
    ] {
        let refused = edit(&app, deed.clone()).await;
        assert!(refused.is_err(), "{deed:?}");
    }
    let mut tx = app.service.store.begin_write().await.unwrap();
    let content = l10n_api_types::Content::Text("T".into());
    editor(&app).add(&mut tx, "new", &content, Some("nowhere.json")).await.unwrap_err();
    tx.rollback().await.unwrap();
    assert_eq!((pending(&app).await, project(&app).await), before);
}

/// SCOPE-R-3, FN-6
async fn the_list_comes_in_pages_and_is_the_projects_own(store: TestStore) {
    let app = TestApp::on(&store).await;
    for name in ["a", "b", "c"] {
        edit(&app, add(name, "T")).await.unwrap();
    }
    let mut query = ListQuery { limit: Some(2), cursor: None };
    let mut found: Vec<String> = Vec::new();
    loop {
        let cursor = query.cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let page: CodeChanges = app.get(&format!("/pending-code-changes?limit=2{cursor}")).send().await.read();
        assert!(page.changes.len() <= 2);
        found.extend(page.changes.into_iter().map(|change| change.r#ref));
        match page.next_cursor {
            Some(next) => query.cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(found, ["a", "b", "c"]);
    for (scope, key) in app.project.keys.of_one_scope() {
        let answer = app.get("/pending-code-changes").key(key).send().await;
        assert_eq!(answer.status, if scope.as_str() == "read" { 200 } else { 403 }, "{scope}");
    }
    let other = app.other_project("unlimited").await;
    let path = format!("/v1/projects/{}/pending-code-changes", other.id);
    let theirs: CodeChanges = app.at(http::Method::GET, &path).key(&other.keys.read).send().await.read();
    assert!(theirs.changes.is_empty());
}

async fn an_edit_makes_translations_stale_and_the_next_run_translates_the_persons_text(store: TestStore) {
    let app = TestApp::on(&store).await;
    let old = code(&[("a", "Old")]);
    let run = sync(&app, &old).await;
    let token = run.tracking_token.unwrap();
    app.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await;
    assert!(
        key(&app, "a").await.translations.iter().all(|translation| !translation.stale && translation.text.is_some())
    );
    edit(&app, text("a", "Newer")).await.unwrap();
    assert!(key(&app, "a").await.translations.iter().all(|translation| translation.stale));
    let run = sync(&app, &old).await;
    assert_eq!(run.estimated_credits.0, 10, "5 characters in two languages: of the person's text");
    let token = run.tracking_token.unwrap();
    app.get(&format!("/translations?waitSeconds=25&trackingToken={token}")).send().await;
    assert!(key(&app, "a").await.translations.iter().all(|translation| !translation.stale));
}
