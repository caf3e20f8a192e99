//! `GET /versions` and `POST /versions/{versionId}/restore`.

use l10n_api_types::publish::Published;
use l10n_api_types::translations::{VersionFile, VersionFiles};
use l10n_api_types::versions::Versions;
use l10n_api_types::{State, VersionId};
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::store::pruning;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::publish::fixtures::{App, Spec, hex};

/// Two versions: `Hallo` in the first, `Servus` in the second, which is live.
async fn twice_published(store: &TestStore) -> (App, Published, Published) {
    let app = App::on(store).await;
    let mut tx = app.write().await;
    let key = app.key_in(&mut tx, Spec { name: "greeting", text: "Hello", ..Spec::default() }).await;
    app.translate_in(&mut tx, &key, "de", "Hallo", State::Translated).await;
    tx.commit().await.unwrap();
    let first = app.publish().await;
    let mut tx = app.write().await;
    app.translate_in(&mut tx, &key, "de", "Servus", State::Translated).await;
    tx.commit().await.unwrap();
    app.clock.advance(std::time::Duration::from_secs(60));
    let second = app.publish().await;
    (app, first, second)
}

async fn german(app: &App) -> serde_json::Value {
    app.public("/bundles/live/de.json").send().await.json()
}

/// FN-3
async fn a_restored_version_is_delivered_again(store: TestStore) {
    let (app, first, second) = twice_published(&store).await;
    assert_eq!(german(&app).await, json!({"greeting": "Servus"}));
    let answer = app.post(&format!("/versions/{}/restore", first.version_id)).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let restored: Published = answer.read();
    assert!(restored.restored);
    assert_ne!(restored.publish_id, first.publish_id);
    assert_ne!(restored.request_id, first.request_id);
    let as_first = Published {
        restored: false,
        publish_id: first.publish_id.clone(),
        request_id: first.request_id.clone(),
        ..restored
    };
    assert_eq!(as_first, first);
    assert_eq!(german(&app).await, json!({"greeting": "Hallo"}));
    assert_eq!(app.public("/manifest").send().await.json()["versionId"], json!(first.version_id));

    let published = app.publish().await;
    assert_eq!(published.label, "v3");
    assert_eq!(german(&app).await, json!({"greeting": "Servus"}), "drafts stayed as they were");
    let listed: Versions = app.get("/versions").send().await.read();
    let shown: Vec<_> = listed.versions.iter().map(|version| (version.version_id.clone(), version.live)).collect();
    assert_eq!(shown, [(published.version_id, true), (second.version_id, false), (first.version_id, false)]);
}

async fn the_live_version_is_not_restored(store: TestStore) {
    let (app, _, second) = twice_published(&store).await;
    let answer = app.post(&format!("/versions/{}/restore", second.version_id)).json(&json!({})).send().await;
    assert_eq!(answer.outcome(), "409 version_live");
}

/// ERR-404-3
async fn an_unknown_version_is_404_and_nothing_is_restored(store: TestStore) {
    let (app, _, second) = twice_published(&store).await;
    let other = app.other_project("unlimited").await;
    for id in ["ver_00000000000000000000000000", "cvr_00000000000000000000000000", "live", "x"] {
        assert_eq!(
            app.post(&format!("/versions/{id}/restore")).send().await.outcome(),
            "404 version_not_found",
            "{id}"
        );
        let read = app.get(&format!("/translations?version={id}")).send().await;
        assert_eq!(read.outcome(), "404 version_not_found", "{id}");
    }
    for id in ["a.b", "%00", "..", "é"] {
        let path = format!("/versions/{}/restore", id.replace('é', "%C3%A9"));
        assert_eq!(app.post(&path).send().await.outcome(), "404 not_found", "{id}");
    }
    let path = format!("/v1/projects/{}/versions/{}/restore", other.id, second.version_id);
    let foreign = app.at(http::Method::POST, &path).key(&other.keys.admin).send().await;
    assert_eq!(foreign.outcome(), "404 version_not_found", "a version of another project");
    let path = format!("/v1/projects/{}/translations?version={}", other.id, second.version_id);
    let foreign = app.at(http::Method::GET, &path).key(&other.keys.admin).send().await;
    assert_eq!(foreign.outcome(), "404 version_not_found", "files of another project's version");
    assert_eq!(app.public("/manifest").send().await.json()["versionId"], json!(second.version_id));
}

/// Deletes at most so many files of a version, unless it is live. Returns the oldest version that is left to be deleted.
async fn prune(app: &App, version: &VersionId, most: i64) -> Option<VersionId> {
    let now = app.clock.now().plus_millis(1);
    let mut tx = app.write().await;
    pruning::delete(&mut tx, version, most, now).await.unwrap();
    let left = pruning::oldest(&mut tx, now, &[]).await.unwrap();
    tx.commit().await.unwrap();
    left.map(|left| left.id)
}

/// ERR-404-3: no version with some of its files becomes live.
async fn a_version_that_is_being_deleted_counts_as_gone(store: TestStore) {
    let (app, first, second) = twice_published(&store).await;
    let (first, second) = (first.version_id, second.version_id);
    let files = app.contents(first.as_str()).await;
    assert!(files.len() > 1, "{files:?}");
    assert_eq!(prune(&app, &second, 1).await.as_ref(), Some(&first));
    assert_eq!(app.post(&format!("/versions/{second}/restore")).send().await.outcome(), "409 version_live");
    assert_eq!(app.contents(second.as_str()).await.len(), files.len(), "the live version stays as it is");

    assert_eq!(prune(&app, &first, 1).await.as_ref(), Some(&first));
    assert_eq!(app.post(&format!("/versions/{first}/restore")).send().await.outcome(), "404 version_not_found");
    let read = app.get(&format!("/translations?version={first}")).send().await;
    assert_eq!(read.outcome(), "404 version_not_found");
    for (path, _) in &files {
        let read = app.public(&format!("/bundles/{first}/{path}")).send().await;
        assert_eq!(read.outcome(), "404 version_not_found", "{path}");
    }
    let listed: Versions = app.get("/versions").send().await.read();
    assert_eq!(listed.versions.iter().map(|version| &version.version_id).collect::<Vec<_>>(), [&second]);
    assert_eq!(german(&app).await, json!({"greeting": "Servus"}));
    assert_eq!(prune(&app, &first, 100).await, None, "it goes with its last files");
}

/// A restore that comes first keeps the version with all of its files.
async fn a_version_that_was_restored_meanwhile_is_not_deleted(store: TestStore) {
    let (app, first, second) = twice_published(&store).await;
    let files = app.contents(first.version_id.as_str()).await;
    assert_eq!(app.post(&format!("/versions/{}/restore", first.version_id)).send().await.status, 200);
    assert_eq!(prune(&app, &first.version_id, 100).await, Some(second.version_id));
    assert_eq!(app.contents(first.version_id.as_str()).await, files);
    assert_eq!(german(&app).await, json!({"greeting": "Hallo"}));
}

async fn versions_are_listed_newest_first_in_pages(store: TestStore) {
    let app = App::greeting(&store).await;
    for _ in 0..5 {
        app.publish().await;
    }
    let mut labels = Vec::new();
    let mut cursor: Option<String> = None;
    for page in 0.. {
        let at = cursor.as_ref().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
        let listed: Versions = app.get(&format!("/versions?limit=2{at}")).send().await.read();
        assert_eq!(listed.versions.len(), if page == 2 { 1 } else { 2 });
        labels.extend(listed.versions.into_iter().map(|version| version.label));
        cursor = listed.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(labels, ["v5", "v4", "v3", "v2", "v1"]);
    let all: Versions = app.get("/versions?limit=5").send().await.read();
    assert_eq!(all.next_cursor, None, "the page is full and the last");
    assert_eq!(all.versions[0].published_at.to_string(), "2026-11-21T08:00:00.000Z");
}

async fn a_limit_out_of_range_and_a_cursor_of_no_page_are_refused(store: TestStore) {
    let app = App::greeting(&store).await;
    for query in
        ["limit=0", "limit=501", "limit=-1", "limit=x", "limit=1.0", "limit=", "cursor=", "cursor=x", "cursor=%00"]
    {
        let answer = app.get(&format!("/versions?{query}")).send().await;
        assert_eq!(answer.outcome(), "400 invalid_argument", "{query}");
    }
    for query in ["limit=1", "limit=500", "unknown=ignored"] {
        assert_eq!(app.get(&format!("/versions?{query}")).send().await.outcome(), "200", "{query}");
    }
}

async fn the_files_of_a_version_can_be_narrowed(store: TestStore) {
    let (app, first, _) = twice_published(&store).await;
    let read =
        async |narrowed: &str| app.get(&format!("/translations?version={}&{narrowed}", first.version_id)).send().await;
    let paths = async |narrowed: &str| {
        let files: VersionFiles = read(narrowed).await.read();
        files.files.into_iter().map(|file| file.path).collect::<Vec<_>>()
    };
    assert_eq!(paths("language=DE").await, ["de.json"]);
    assert_eq!(paths("language=es").await, [""; 0]);
    assert_eq!(paths("format=arb").await, [""; 0]);
    assert_eq!(paths("format=json&language=fr").await, ["fr.json"]);
    let heads: VersionFiles = read("content=false").await.read();
    assert!(heads.files.iter().all(|file| file.content.is_none() && file.bytes > 0 && file.sha256.len() == 64));
    let whole: VersionFiles = read("content=true").await.read();
    let with = |file: &VersionFile| VersionFile { content: None, ..file.clone() };
    assert_eq!(whole.files.iter().map(with).collect::<Vec<_>>(), heads.files);
    for file in whole.files {
        let content = file.content.unwrap();
        assert_eq!((file.bytes, file.sha256), (content.len() as u64, hex(content.as_bytes())));
    }
    for wrong in ["language=not+a+tag", "content=no", "trackingToken=trk_1", "ref=greeting"] {
        assert_eq!(read(wrong).await.outcome(), "400 invalid_argument", "{wrong}");
    }
    assert_eq!(read("format=docx").await.outcome(), "400 format_unsupported");
}

both_engines!(
    a_restored_version_is_delivered_again,
    the_live_version_is_not_restored,
    an_unknown_version_is_404_and_nothing_is_restored,
    a_version_that_is_being_deleted_counts_as_gone,
    a_version_that_was_restored_meanwhile_is_not_deleted,
    versions_are_listed_newest_first_in_pages,
    a_limit_out_of_range_and_a_cursor_of_no_page_are_refused,
    the_files_of_a_version_can_be_narrowed,
);
