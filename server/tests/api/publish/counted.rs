//! `unpublishedChanges` of `GET /meta`, also where no key and no translation has changed.

use l10n_api_types::VersionId;
use l10n_api_types::publish::Publish;
use l10n_server::domain::publish;
use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use super::fixtures::{App, Spec};

l10n_server::both_engines!(
    output_formats_and_languages_count_once_something_is_live,
    an_earlier_version_that_is_live_counts_as_a_change,
    a_publish_that_a_restore_overtakes_counts_no_change,
    a_publish_that_leaves_languages_out_leaves_a_change,
);

async fn counted(app: &App) -> u64 {
    app.get("/meta").send().await.json()["unpublishedChanges"].as_u64().unwrap()
}

async fn posted(app: &App, path: &str, body: Value) -> Value {
    let answer = app.post(path).json(&body).send().await;
    assert!(answer.status < 300, "{path}: {answer:?}");
    answer.json()
}

async fn output_formats_and_languages_count_once_something_is_live(store: TestStore) {
    let app = App::greeting(&store).await;
    let formats = |path: &str| json!({"outputFormats": [{"format": "json", "path": path}]});
    let languages = |code: &str| json!({"languages": [{"code": code}]});
    posted(&app, "/output-formats", formats("a/{language}.json")).await;
    posted(&app, "/languages", languages("es")).await;
    assert_eq!(counted(&app).await, 1, "all is unpublished: the key counts");
    for (path, body, same) in [
        ("/output-formats", formats("b/{language}.json"), formats("b/{language}.json")),
        ("/languages", languages("it"), languages("it")),
    ] {
        app.publish().await;
        assert_eq!(counted(&app).await, 0);
        posted(&app, path, body).await;
        assert_eq!(counted(&app).await, 1, "{path}");
        posted(&app, path, same).await;
        assert_eq!(counted(&app).await, 1, "{path} changed nothing");
    }
    app.publish().await;
    assert_eq!(counted(&app).await, 0);
}

async fn restore(app: &App, version: &VersionId) {
    posted(app, &format!("/versions/{version}/restore"), json!({})).await;
}

async fn more(app: &App) {
    let mut tx = app.write().await;
    app.key_in(&mut tx, Spec { name: "more", text: "More", ..Spec::default() }).await;
    tx.commit().await.unwrap();
}

async fn an_earlier_version_that_is_live_counts_as_a_change(store: TestStore) {
    let app = App::greeting(&store).await;
    let (first, second) = (app.publish().await.version_id, app.publish().await.version_id);
    more(&app).await;
    let newest = app.publish().await.version_id;
    assert_eq!(counted(&app).await, 0);
    for earlier in [&first, &second, &first] {
        restore(&app, earlier).await;
        assert_eq!(counted(&app).await, 1, "the drafts are not what is live");
    }
    restore(&app, &newest).await;
    assert_eq!(counted(&app).await, 0, "the drafts are what is live");
    posted(&app, "/languages", json!({"languages": [{"code": "es"}]})).await;
    restore(&app, &second).await;
    assert_eq!(counted(&app).await, 2);
    app.publish().await;
    assert_eq!(counted(&app).await, 0);
}

async fn a_publish_that_a_restore_overtakes_counts_no_change(store: TestStore) {
    let app = App::greeting(&store).await;
    let first = app.publish().await.version_id;
    app.publish().await;
    more(&app).await;
    let (service, caller, asked) = (&app.service, app.caller(), Publish::default());
    let ahead = publish::ahead(service.publishing(), &caller, &asked).await.unwrap();
    restore(&app, &first).await;
    let mut tx = app.write().await;
    let published = publish::create(&mut tx, service.publishing(), &caller, &asked, &ahead).await.unwrap();
    assert!(published.is_none(), "it is rendered again");
    tx.rollback().await.unwrap();
    app.published().await;
    assert_eq!(counted(&app).await, 0);
}

async fn a_publish_that_leaves_languages_out_leaves_a_change(store: TestStore) {
    let app = App::greeting(&store).await;
    for _ in 0..2 {
        posted(&app, "/publish", json!({"languages": ["de"]})).await;
        assert_eq!(counted(&app).await, 1, "French is not live");
    }
    posted(&app, "/publish", json!({"languages": ["de", "fr"]})).await;
    assert_eq!(counted(&app).await, 0);
}
