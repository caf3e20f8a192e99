//! `unpublishedChanges` of `GET /meta`, also where no key and no translation has changed.

use l10n_server::testing::TestStore;
use serde_json::{Value, json};

use super::fixtures::{App, Spec};

l10n_server::both_engines!(
    output_formats_and_languages_count_once_something_is_live,
    a_restore_counts_as_a_change,
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

async fn a_restore_counts_as_a_change(store: TestStore) {
    let app = App::greeting(&store).await;
    let first = app.publish().await;
    let mut tx = app.write().await;
    app.key_in(&mut tx, Spec { name: "more", text: "More", ..Spec::default() }).await;
    tx.commit().await.unwrap();
    app.publish().await;
    assert_eq!(counted(&app).await, 0);
    posted(&app, &format!("/versions/{}/restore", first.version_id), json!({})).await;
    assert_eq!(counted(&app).await, 1, "the drafts are not what is live");
    app.publish().await;
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
