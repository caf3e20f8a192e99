//! `POST /publish`.

use l10n_api_types::State;
use l10n_api_types::publish::Published;
use l10n_api_types::versions::Versions;
use l10n_server::both_engines;
use l10n_server::testing::{TestStore, sql};
use serde_json::json;

use crate::publish::fixtures::{App, Spec, error, warning};

async fn a_publish_says_what_it_froze(store: TestStore) {
    let app = App::greeting(&store).await;
    let answer = app.post("/publish").header("x-correlation-id", "my-publish").send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let mut body = answer.json();
    for (field, prefix) in [("publishId", "pub_"), ("versionId", "ver_")] {
        assert!(body[field].as_str().unwrap().starts_with(prefix), "VER-3: {body}");
        body.as_object_mut().unwrap().remove(field);
    }
    assert_eq!(
        body,
        json!({
            "requestId": "my-publish",
            "label": "v1",
            "keyCount": 1,
            "languages": [
                {"code": "en", "isBase": true},
                {"code": "de", "isBase": false},
                {"code": "fr", "isBase": false}
            ],
            "files": 3,
            "publishedAt": "2026-11-21T08:00:00.000Z",
            "issues": {"error": 0, "warning": 0}
        })
    );
}

async fn every_publish_makes_a_version_and_labels_count_up(store: TestStore) {
    let app = App::greeting(&store).await;
    let labels = [
        app.publish().await.label,
        app.publish().await.label,
        app.post("/publish").json(&json!({"label": "Release 2.0"})).send().await.read::<Published>().label,
        app.post("/publish").json(&json!({"label": ""})).send().await.read::<Published>().label,
    ];
    assert_eq!(labels, ["v1", "v2", "Release 2.0", "v4"]);
    let listed: Versions = app.get("/versions").send().await.read();
    assert_eq!(listed.versions.len(), 4);
}

async fn without_a_key_there_is_nothing_to_publish(store: TestStore) {
    let app = App::on(&store).await;
    assert_eq!(app.post("/publish").send().await.outcome(), "409 nothing_to_publish");
    assert_eq!(app.get("/versions").send().await.json(), json!({"versions": [], "nextCursor": null}));
}

async fn a_publish_holds_the_languages_that_it_is_asked_for_and_the_base(store: TestStore) {
    let app = App::greeting(&store).await;
    let codes = |published: Published| published.languages.into_iter().map(|l| l.code.into()).collect::<Vec<String>>();
    for (asked, expected) in
        [(json!(["fr"]), vec!["en", "fr"]), (json!(["DE", "de"]), vec!["en", "de"]), (json!(["en"]), vec!["en"])]
    {
        let answer = app.post("/publish").json(&json!({"languages": asked})).send().await;
        let published: Published = answer.read();
        assert_eq!(published.files, expected.len() as u64);
        assert_eq!(codes(published), expected);
    }
}

async fn malformed_publishes_write_nothing(store: TestStore) {
    let app = App::greeting(&store).await;
    for (body, named) in [
        (json!({"languages": []}), "at least one language"),
        (json!({"languages": ["es"]}), "`languages[0]`"),
        (json!({"languages": ["de", "not a tag"]}), "`languages[1]`"),
        (json!({"languages": "de"}), "languages"),
        (json!({"label": "x".repeat(201)}), "label"),
        (json!({"label": "a\nb"}), "label"),
        (json!({"label": 1}), "label"),
        (json!({"target": "documents"}), "target"),
        (json!({"lable": "x"}), "label"),
        (json!([]), "object"),
    ] {
        let answer = app.post("/publish").json(&body).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{body}");
        assert!(answer.error().message.contains(named), "{body}: {}", answer.error().message);
    }
    assert_eq!(app.get("/versions").send().await.json()["versions"], json!([]));
    assert_eq!(app.public("/manifest").send().await.outcome(), "404 not_published");
}

/// A translation that a check holds back is in no published file, and is counted.
async fn translations_that_need_review_are_held_back(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    for (position, name, state, issues) in [
        (0, "fine", State::Translated, vec![]),
        (1, "warned", State::Reviewed, vec![warning()]),
        (2, "held", State::NeedsReview, vec![error(), warning()]),
    ] {
        let key = app.key_in(&mut tx, Spec { name, text: name, position, ..Spec::default() }).await;
        let text = format!("{name} auf Deutsch");
        app.translate_with(&mut tx, &key, "de", &text, state, &issues).await;
    }
    tx.commit().await.unwrap();
    let published = app.publish().await;
    assert_eq!((published.issues.error, published.issues.warning), (1, 1));
    let files = app.contents(published.version_id.as_str()).await;
    assert_eq!(
        files[1],
        ("de.json".into(), "{\n  \"fine\": \"fine auf Deutsch\",\n  \"warned\": \"warned auf Deutsch\"\n}\n".into())
    );
    let only_french = app.post("/publish").json(&json!({"languages": ["fr"]})).send().await;
    assert_eq!(only_french.json()["issues"], json!({"error": 0, "warning": 0}));
}

/// FN-2
async fn a_version_stays_as_it_was_published(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    let key = app.key_in(&mut tx, Spec { name: "greeting", text: "Hello", ..Spec::default() }).await;
    app.translate_in(&mut tx, &key, "de", "Hallo", State::Translated).await;
    tx.commit().await.unwrap();
    let first = app.publish().await;
    let before = app.contents(first.version_id.as_str()).await;

    let mut tx = app.write().await;
    app.key_in(&mut tx, Spec { id: Some(&key.id), name: "greeting", text: "Good day", ..Spec::default() }).await;
    app.translate_in(&mut tx, &key, "de", "Guten Tag", State::Translated).await;
    app.key_in(&mut tx, Spec { name: "more", text: "More", ..Spec::default() }).await;
    tx.commit().await.unwrap();
    assert_eq!(app.contents(first.version_id.as_str()).await, before);
    let live = app.public("/bundles/live/de.json").send().await;
    assert_eq!(live.bytes, "{\n  \"greeting\": \"Hallo\"\n}\n", "drafts are not delivered");

    let second = app.publish().await;
    assert_eq!(app.contents(first.version_id.as_str()).await, before);
    assert_eq!(app.contents(second.version_id.as_str()).await[1].1, "{\n  \"greeting\": \"Guten Tag\"\n}\n");
    assert_eq!((first.key_count, second.key_count), (1, 2));
}

async fn a_publish_starts_counting_changes_afresh(store: TestStore) {
    let app = App::greeting(&store).await;
    let project = &app.project.id;
    let changes = async || {
        let mut tx = app.service.store.begin_read().await.unwrap();
        let project = l10n_server::store::projects::find(&mut tx, project).await.unwrap().unwrap();
        (project.changes_since_publish, project.version_seq, project.live_version_id)
    };
    assert_eq!(changes().await, (1, 0, None));
    let published = app.publish().await;
    assert_eq!(changes().await, (0, 1, Some(published.version_id)));
}

async fn contents_are_stored_once(store: TestStore) {
    let app = App::greeting(&store).await;
    let first = app.publish().await;
    let second = app.publish().await;
    assert_ne!(first.version_id, second.version_id);
    let hashes = |files: l10n_api_types::translations::VersionFiles| {
        files.files.into_iter().map(|file| file.sha256).collect::<Vec<_>>()
    };
    let (first, second) =
        (hashes(app.files(first.version_id.as_str()).await), hashes(app.files(second.version_id.as_str()).await));
    assert_eq!(first, second);
    assert_eq!(sql::count(&store, "blobs").await, 3, "one for each file of both versions");
}

both_engines!(
    a_publish_says_what_it_froze,
    every_publish_makes_a_version_and_labels_count_up,
    without_a_key_there_is_nothing_to_publish,
    a_publish_holds_the_languages_that_it_is_asked_for_and_the_base,
    malformed_publishes_write_nothing,
    translations_that_need_review_are_held_back,
    a_version_stays_as_it_was_published,
    a_publish_starts_counting_changes_afresh,
    contents_are_stored_once,
);
