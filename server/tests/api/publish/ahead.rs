//! The part of a publish before its transaction, and concurrent changes.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use l10n_api_types::State;
use l10n_api_types::publish::Publish;
use l10n_server::both_engines;
use l10n_server::domain::{ServiceError, publish};
use l10n_server::store::engine::DatabaseKind;
use l10n_server::store::{lock, projects};
use l10n_server::testing::sql::{begin, count, run_beside};
use l10n_server::testing::{TestStore, on_postgres};
use l10n_server::workers::expired;
use serde_json::json;

use crate::publish::fixtures::{App, Spec};

both_engines!(
    what_changes_while_a_publish_renders_belongs_to_the_next_one,
    a_publish_that_another_was_quicker_than_is_rendered_again,
    what_is_stored_already_is_rendered_while_others_hold_the_project_and_the_writer,
    others_write_while_a_publish_renders,
    small_contents_are_stored_with_their_version,
    a_small_project_on_postgresql_is_rendered_by_the_transaction_of_its_version,
    contents_of_a_publish_that_was_cut_off_are_swept_after_an_hour,
    a_publish_whose_contents_were_swept_is_rendered_again,
    a_publish_that_holds_the_project_makes_the_same_version,
    nothing_is_rendered_for_an_operation_that_does_not_allow_the_publish,
);

async fn unpublished(app: &App) -> i64 {
    let mut tx = app.service.store.begin_read().await.unwrap();
    projects::find(&mut tx, &app.project.id).await.unwrap().unwrap().changes_since_publish
}

async fn what_changes_while_a_publish_renders_belongs_to_the_next_one(store: TestStore) {
    let app = App::greeting(&store).await;
    let (caller, asked) = (app.caller(), Publish::default());
    let ahead = publish::ahead(app.service.publishing(), &caller, &asked).await.unwrap();
    let mut tx = app.write().await;
    let more = app.key_in(&mut tx, Spec { name: "more", text: "More", position: 1, ..Spec::default() }).await;
    app.translate_in(&mut tx, &more, "de", "Mehr", State::Translated).await;
    tx.commit().await.unwrap();

    let mut tx = app.write().await;
    let first = publish::create(&mut tx, app.service.publishing(), &caller, &asked, &ahead).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    assert_eq!(first.key_count, 1);
    assert_eq!(app.contents(first.version_id.as_str()).await[1].1, "{\n  \"greeting\": \"Hallo\"\n}\n");
    assert_eq!(unpublished(&app).await, 1, "the key that came meanwhile is not published");
    let second = app.publish().await;
    assert_eq!((second.key_count, unpublished(&app).await), (2, 0));
}

/// No older state becomes live after a newer one.
async fn a_publish_that_another_was_quicker_than_is_rendered_again(store: TestStore) {
    let app = App::greeting(&store).await;
    let (caller, asked) = (app.caller(), Publish::default());
    let ahead = publish::ahead(app.service.publishing(), &caller, &asked).await.unwrap();
    let mut tx = app.write().await;
    app.key_in(&mut tx, Spec { name: "more", text: "More", position: 1, ..Spec::default() }).await;
    tx.commit().await.unwrap();
    let quicker = app.publish().await;
    let mut tx = app.write().await;
    assert!(publish::create(&mut tx, app.service.publishing(), &caller, &asked, &ahead).await.unwrap().is_none());
    tx.rollback().await.unwrap();
    let versions = app.get("/versions").send().await.json();
    assert_eq!(versions["versions"].as_array().unwrap().len(), 1);
    assert_eq!(versions["versions"][0]["versionId"], quicker.version_id.as_str());
}

async fn what_is_stored_already_is_rendered_while_others_hold_the_project_and_the_writer(store: TestStore) {
    let app = App::greeting(&store).await;
    app.publish().await;
    let mut others = app.write().await;
    assert!(lock::project(&mut others, &app.project.id).await.unwrap());
    let (caller, asked) = (app.caller(), Publish::default());
    let ahead = publish::ahead(app.service.publishing(), &caller, &asked).await.unwrap();
    others.rollback().await.unwrap();
    let mut tx = app.write().await;
    assert!(publish::create(&mut tx, app.service.publishing(), &caller, &asked, &ahead).await.unwrap().is_some());
}

async fn others_write_while_a_publish_renders(store: TestStore) {
    let app = App::on(&store).await;
    let mut tx = app.write().await;
    for number in 0..300 {
        let (name, text) = (format!("key{number}"), format!("Text number {number}. ").repeat(40));
        let key = app.key_in(&mut tx, Spec { name: &name, text: &text, position: number, ..Spec::default() }).await;
        app.translate_in(&mut tx, &key, "de", &text, State::Translated).await;
    }
    tx.commit().await.unwrap();
    let other = app.other_project("unlimited").await;
    let (caller, asked) = (app.caller(), Publish::default());
    let (mut writes, mut publishes) = (0, 0);
    // One task polls both, so that a write that has to wait for the publish to end never comes first.
    while writes < 5 {
        let mut ahead = Box::pin(publish::ahead(app.service.publishing(), &caller, &asked));
        loop {
            let write = async {
                let mut tx = app.write().await;
                projects::rename(&mut tx, &other.id, &format!("Renamed {writes}")).await.unwrap();
                tx.commit().await.unwrap();
            };
            tokio::select! {
                biased;
                () = write => writes += 1,
                ahead = &mut ahead => {
                    assert!(ahead.is_ok());
                    break;
                }
            }
        }
        publishes += 1;
        assert!(publishes < 1_000, "{writes} writes while so many publishes rendered");
    }
    assert!(!app.contents(app.publish().await.version_id.as_str()).await.is_empty());
}

/// Texts that are too large to be stored by the transaction that names them.
async fn large(app: &App) {
    let mut tx = app.write().await;
    // Compression takes no more than half of it away.
    let numbers = (0..25_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32);
    let text: String = numbers.map(|number| format!("{number:08x}")).collect();
    let key = app.key_in(&mut tx, Spec { name: "large", text: &text, ..Spec::default() }).await;
    app.translate_in(&mut tx, &key, "de", &format!("Text: {text}"), State::Translated).await;
    tx.commit().await.unwrap();
}

/// Small contents are stored by the transaction that names them: a publish that is cut off leaves nothing.
async fn small_contents_are_stored_with_their_version(store: TestStore) {
    let app = App::greeting(&store).await;
    let (caller, asked) = (app.caller(), Publish::default());
    drop(publish::ahead(app.service.publishing(), &caller, &asked).await.unwrap());
    assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (0, 0));
    let first = app.publish().await;
    let second = app.publish().await;
    assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (3, 0));
    for version in [first, second] {
        assert_eq!(app.contents(version.version_id.as_str()).await.len(), 3);
    }
}

/// Publishes; returns the number of contents that were staged when its transaction began.
async fn staged_before(app: &App, store: &TestStore) -> i64 {
    let (caller, asked, staged) = (app.caller(), Publish::default(), AtomicI64::new(-1));
    let begin: &publish::Begin<'_, ServiceError> = &|| {
        Box::pin(async {
            staged.store(count(store, "staged_blobs").await, Ordering::Relaxed);
            Ok(app.write().await)
        })
    };
    let landing = publish::carried_out(app.service.publishing(), &caller, &asked, begin).await.unwrap();
    landing.tx.commit().await.unwrap();
    assert_eq!(count(store, "staged_blobs").await, 0, "its version names them");
    staged.into_inner()
}

/// That takes fewer round trips. What is more than a thousand texts is rendered ahead.
async fn a_small_project_on_postgresql_is_rendered_by_the_transaction_of_its_version(store: TestStore) {
    let app = App::on(&store).await;
    large(&app).await;
    let is_ahead = i64::from(store.engine() == DatabaseKind::Sqlite);
    assert_eq!(staged_before(&app, &store).await, 3 * is_ahead, "3 texts");
    add(&app, 332).await;
    assert_eq!(staged_before(&app, &store).await, is_ahead, "999 texts, with another source file");
    add(&app, 1).await;
    assert_eq!(staged_before(&app, &store).await, 1, "1,002 texts");
}

async fn add(app: &App, keys: i64) {
    let mut tx = app.write().await;
    for position in 0..keys {
        let (name, text) = (format!("of{keys}.{position}"), format!("Text {position} of {keys}"));
        app.key_in(&mut tx, Spec { name: &name, text: &text, position, ..Spec::default() }).await;
    }
    tx.commit().await.unwrap();
}

async fn contents_of_a_publish_that_was_cut_off_are_swept_after_an_hour(store: TestStore) {
    let app = App::on(&store).await;
    large(&app).await;
    let (caller, asked) = (app.caller(), Publish::default());
    drop(publish::ahead(app.service.publishing(), &caller, &asked).await.unwrap());
    assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (3, 3));
    app.clock.advance(Duration::from_secs(59 * 60));
    expired::sweep(&app.service).await.unwrap();
    assert_eq!(count(&store, "blobs").await, 3, "it may still come to its end");
    app.clock.advance(Duration::from_secs(2 * 60));
    expired::sweep(&app.service).await.unwrap();
    assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (0, 0));

    app.publish().await;
    assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (3, 0));
    app.clock.advance(Duration::from_secs(2 * 60 * 60));
    expired::sweep(&app.service).await.unwrap();
    assert_eq!(count(&store, "blobs").await, 3, "what a version names stays");
}

async fn a_publish_whose_contents_were_swept_is_rendered_again(store: TestStore) {
    let app = App::on(&store).await;
    large(&app).await;
    let (caller, asked) = (app.caller(), Publish::default());
    let ahead = publish::ahead(app.service.publishing(), &caller, &asked).await.unwrap();
    app.clock.advance(Duration::from_secs(2 * 60 * 60));
    expired::sweep(&app.service).await.unwrap();
    let mut tx = app.write().await;
    assert!(publish::create(&mut tx, app.service.publishing(), &caller, &asked, &ahead).await.unwrap().is_none());
    tx.rollback().await.unwrap();
    assert_eq!(app.contents(app.publish().await.version_id.as_str()).await.len(), 3);
}

/// The transaction that makes a version live waits for a sweep that deletes a content.
#[test]
fn contents_that_are_swept_while_a_small_project_is_published_are_stored_again() {
    on_postgres(async |store: TestStore| {
        let app = App::on(&store).await;
        large(&app).await;
        drop(publish::ahead(app.service.publishing(), &app.caller(), &Publish::default()).await.unwrap());
        assert_eq!(count(&store, "staged_blobs").await, 3);
        let published = run_beside(&store, "DELETE FROM staged_blobs; DELETE FROM blobs", app.publish()).await;
        assert_eq!(app.contents(published.version_id.as_str()).await.len(), 3);
        assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (3, 0));
    });
}

/// Neither waits for the other.
#[test]
fn contents_that_a_publish_holds_outlive_a_sweep() {
    on_postgres(async |store: TestStore| {
        let app = App::on(&store).await;
        large(&app).await;
        drop(publish::ahead(app.service.publishing(), &app.caller(), &Publish::default()).await.unwrap());
        app.clock.advance(Duration::from_secs(61 * 60));
        let publish = begin(&store, "SELECT sha256 FROM blobs FOR KEY SHARE").await;
        expired::sweep(&app.service).await.unwrap();
        assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (3, 3));
        publish.rollback().await.unwrap();
        expired::sweep(&app.service).await.unwrap();
        assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (0, 0));
    });
}

/// The fallback of a publish if others are repeatedly quicker.
async fn a_publish_that_holds_the_project_makes_the_same_version(store: TestStore) {
    let app = App::greeting(&store).await;
    let (caller, asked) = (app.caller(), Publish::default());
    let mut tx = app.write().await;
    let locked = publish::create_locked(&mut tx, app.service.publishing(), &caller, &asked).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (3, 0));
    assert_eq!(unpublished(&app).await, 0);
    let ahead = app.publish().await;
    assert_eq!(app.contents(locked.version_id.as_str()).await, app.contents(ahead.version_id.as_str()).await);
    assert_eq!((locked.key_count, locked.files, locked.issues), (ahead.key_count, ahead.files, ahead.issues));
}

/// AUTH-11. Before, whoever invented an operation had all files rendered and stored for an hour, as often as they asked.
async fn nothing_is_rendered_for_an_operation_that_does_not_allow_the_publish(store: TestStore) {
    let app = App::on(&store).await;
    large(&app).await;
    // More than PostgreSQL renders in the transaction of a version.
    add(&app, 333).await;
    for key in [&app.project.keys.agent, &app.project.keys.publish] {
        for operation in ["op_00000000000000000000000000", "invented"] {
            let body = json!({"operationId": operation});
            let answer = app.post("/publish").key(key).json(&body).send().await;
            assert_eq!(answer.outcome(), "403 authorization_required", "{operation}");
            assert_eq!((count(&store, "blobs").await, count(&store, "staged_blobs").await), (0, 0), "{operation}");
        }
    }
    let unknown = json!({"operationId": "invented", "languages": ["es"]});
    assert_eq!(app.post("/publish").json(&unknown).send().await.outcome(), "400 invalid_argument", "400 comes first");
    app.publish().await;
    assert!(count(&store, "blobs").await > 0);
}
