//! The keys that may publish, and refused publishes.

use l10n_api_types::{KeyKind, Scope};
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::publish::fixtures::App;

/// SCOPE-P-1, SCOPE-P-2: exactly `publish` (or `admin`) opens both routes.
async fn publish_and_restore_take_the_scope_publish_alone(store: TestStore) {
    let app = App::greeting(&store).await;
    let version = app.publish().await.version_id;
    app.publish().await;
    let restore = format!("/versions/{version}/restore");
    for path in ["/publish", restore.as_str()] {
        for (scope, key) in app.project.keys.of_one_scope() {
            let flagged = app.post(&format!("{path}?dryRun=true")).key(key).send().await;
            let expected = if scope == Scope::Publish { "400 invalid_argument" } else { "403 forbidden" };
            assert_eq!(flagged.outcome(), expected, "{path} with {scope}");
        }
        for key in [&app.project.keys.members, &app.project.keys.none, &app.project.keys.agent_read] {
            assert_eq!(app.post(path).key(key).send().await.outcome(), "403 forbidden", "{path}");
        }
        assert_eq!(app.post(path).no_key().send().await.outcome(), "401 unauthorized", "{path}");
    }
    assert_eq!(app.post("/publish").key(&app.project.keys.publish).send().await.outcome(), "201");
    assert_eq!(app.post(&restore).key(&app.project.keys.publish).send().await.outcome(), "200");
}

/// Versions are listed with the scope `read` alone.
async fn versions_take_the_scope_read_alone(store: TestStore) {
    let app = App::greeting(&store).await;
    for (scope, key) in app.project.keys.of_one_scope() {
        let expected = if scope == Scope::Read { "200" } else { "403 forbidden" };
        assert_eq!(app.get("/versions").key(key).send().await.outcome(), expected, "{scope}");
    }
    assert_eq!(app.get("/versions").key(&app.project.keys.agent_read).send().await.outcome(), "200");
}

/// DRY-5: publish and restore have no preview; the flag in any place and spelling publishes nothing.
async fn the_preview_flag_is_refused_in_every_place_and_spelling(store: TestStore) {
    let app = App::greeting(&store).await;
    let first = app.publish().await.version_id;
    let second = app.publish().await.version_id;
    for path in ["/publish".to_owned(), format!("/versions/{first}/restore")] {
        for query in
            ["dryRun=true", "dryRun=false", "dry_run=true", "dryrun=1", "DryRun=true", "dry-run=true", "dryRun"]
        {
            let answer = app.post(&format!("{path}?{query}")).send().await;
            assert_eq!(answer.outcome(), "400 invalid_argument", "{path}?{query}");
        }
        for body in
            [json!({"dryRun": true}), json!({"dryRun": false}), json!({"dryRun": null}), json!({"dry_run": true})]
        {
            let answer = app.post(&path).json(&body).send().await;
            assert_eq!(answer.outcome(), "400 invalid_argument", "{path} {body}");
        }
    }
    assert_eq!(app.get("/versions").send().await.json()["versions"].as_array().unwrap().len(), 2);
    assert_eq!(app.public("/manifest").send().await.json()["versionId"], json!(second));
}

/// AUTH-11: an agent's key needs an approved operation, which is asked before what the publish would meet (AMB-1).
async fn an_agents_key_cannot_publish_or_restore_by_itself(store: TestStore) {
    let app = App::on(&store).await;
    let agent = app.key(&app.project, &[Scope::Publish], KeyKind::Agent).await;
    let publish = async |key: &str, body| app.post("/publish").key(key).json(&body).send().await.outcome();
    assert_eq!(publish(&agent, json!({})).await, "403 authorization_required", "before 409 nothing_to_publish");
    assert_eq!(publish(&agent, json!({"languages": ["es"]})).await, "400 invalid_argument", "400 comes first");

    app.greet().await;
    let agent = &app.project.keys.agent;
    let version = app.publish().await.version_id;
    let restore = format!("/versions/{version}/restore");
    let operation = json!({"operationId": "op_00000000000000000000000000"});
    for body in [json!({}), operation] {
        for path in ["/publish", restore.as_str()] {
            let answer = app.post(path).key(agent).json(&body).send().await;
            assert_eq!(answer.outcome(), "403 authorization_required", "{path} {body}");
        }
    }
    let unknown = app.post("/versions/ver_none/restore").key(agent).send().await;
    assert_eq!(unknown.outcome(), "404 version_not_found", "404 comes first");
    assert_eq!(app.get("/versions").send().await.json()["versions"].as_array().unwrap().len(), 1);
}

both_engines!(
    publish_and_restore_take_the_scope_publish_alone,
    versions_take_the_scope_read_alone,
    the_preview_flag_is_refused_in_every_place_and_spelling,
    an_agents_key_cannot_publish_or_restore_by_itself,
);
