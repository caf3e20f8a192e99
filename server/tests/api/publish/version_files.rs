//! `GET /translations?version=` of a version whose files are large.

use std::sync::Arc;

use l10n_api_types::State;
use l10n_api_types::publish::Published;
use l10n_api_types::translations::VersionFiles;
use l10n_server::config::Settings;
use l10n_server::engines::Pseudo;
use l10n_server::store::engine::DatabaseKind;
use l10n_server::testing::{TestApp, TestStore, sql};
use tokio::task::JoinHandle;

use super::fixtures::{App, Spec};

l10n_server::both_engines!(
    more_content_than_an_answer_holds_is_asked_for_in_parts,
    a_large_answer_waits_for_its_turn_and_holds_nothing_meanwhile,
    a_large_answer_has_room_before_it_is_made_and_gives_it_back_once_it_is_read,
    a_version_that_is_deleted_while_its_answer_waits_is_unknown,
);

/// A server with one turn for large requests, and a published version whose German file says that it has so many bytes.
async fn published(store: &TestStore, bytes: i64) -> (Arc<App>, Published) {
    let one_turn = |settings: &mut Settings| settings.limits.large_requests = 1;
    let app = App::new(TestApp::idle(store, one_turn, Arc::new(Pseudo)).await);
    app.greet().await;
    let published = app.publish().await;
    // As if it were so large, which would take long to make.
    sql::run(&app.service.store, &format!("UPDATE version_files SET bytes = {bytes} WHERE language = 'de'")).await;
    (Arc::new(app), published)
}

async fn more_content_than_an_answer_holds_is_asked_for_in_parts(store: TestStore) {
    let (app, published) = published(&store, 40_000_000).await;
    let get =
        async |query: &str| app.get(&format!("/translations?version={}{query}", published.version_id)).send().await;
    for query in ["", "&language=de", "&content=true", "&format=json"] {
        let answer = get(query).await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{query}");
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        for way in ["39 MiB", "32 MiB", "`language`", "`format`", "`content=false`", "/bundles/{versionId}/{path}"] {
            assert!(message.contains(way), "{way}: {message}");
        }
    }
    let base: VersionFiles = get("&language=en").await.read();
    assert!(!base.files.is_empty() && base.files.iter().all(|file| file.content.is_some()));
    let all: VersionFiles = get("&content=false").await.read();
    assert!(all.files.len() > base.files.len() && all.files.iter().all(|file| file.content.is_none()));
}

/// Asks for the files of a version with their contents, until the request waits for its turn.
async fn waiting(app: &Arc<App>, version: &str) -> JoinHandle<l10n_server::testing::Answer> {
    let (of_task, path) = (app.clone(), format!("/translations?version={version}"));
    let task = tokio::spawn(async move { of_task.get(&path).send().await });
    while app.service.turns.waiting() == 0 {
        assert!(!task.is_finished(), "it waits for no turn");
        tokio::task::yield_now().await;
    }
    task
}

async fn a_large_answer_waits_for_its_turn_and_holds_nothing_meanwhile(store: TestStore) {
    let (app, published) = published(&store, 5_000_000).await;
    let turn = app.service.turns.take(&"another".into()).await.unwrap();
    let answer = waiting(&app, published.version_id.as_str()).await;
    assert_eq!(app.service.unsent.held(), 0, "room that nothing is in would be kept from others");
    if store.engine() == DatabaseKind::Postgres {
        let open = "pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'";
        assert_eq!(sql::count(&app.service.store, open).await, 0);
    }
    for query in ["language=en", "content=false"] {
        let small = app.get(&format!("/translations?{query}&version={}", published.version_id)).send().await;
        assert_eq!(small.status, 200, "{query} needs no turn");
    }
    drop(turn);
    let answer = answer.await.unwrap();
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let german = answer.read::<VersionFiles>().files.into_iter().find(|file| file.language.as_str() == "de");
    assert!(german.unwrap().content.unwrap().contains("Hallo"));
    assert!(app.service.turns.take(&"another".into()).await.is_some(), "the turn is free again");
}

async fn a_large_answer_has_room_before_it_is_made_and_gives_it_back_once_it_is_read(store: TestStore) {
    let (app, published) = published(&store, 5_000_000).await;
    let get = async || app.get(&format!("/translations?version={}", published.version_id)).send().await;
    let share = usize::try_from(app.service.settings.limits.unsent_answer_bytes / 2).unwrap();
    let held = app.service.unsent.take_free(app.project.workspace.clone(), share).unwrap();
    let refused = get().await;
    assert_eq!((refused.outcome().as_str(), refused.header("retry-after")), ("503 unavailable", Some("5")));
    let message = refused.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("run `GET /projects/{projectId}/translations` again"), "{message}");
    drop(held);
    assert_eq!(get().await.status, 200);
    while app.service.unsent.held() > 0 {
        tokio::task::yield_now().await;
    }
}

async fn a_version_that_is_deleted_while_its_answer_waits_is_unknown(store: TestStore) {
    let (app, first) = published(&store, 5_000_000).await;
    let mut tx = app.write().await;
    let key = app.key_in(&mut tx, Spec { name: "second", text: "Second", ..Spec::default() }).await;
    app.translate_in(&mut tx, &key, "de", "Zweiter", State::Translated).await;
    tx.commit().await.unwrap();
    app.publish().await;
    let turn = app.service.turns.take(&"another".into()).await.unwrap();
    let answer = waiting(&app, first.version_id.as_str()).await;
    let delete = format!(
        "DELETE FROM version_files WHERE version_id = '{}'; \
         DELETE FROM blobs WHERE sha256 NOT IN (SELECT sha256 FROM version_files)",
        first.version_id
    );
    sql::run(&app.service.store, &delete).await;
    drop(turn);
    assert_eq!(answer.await.unwrap().outcome(), "404 version_not_found");
}
