//! Contents of published files in the server's memory.

use http::Method;
use l10n_api_types::delivery::ManifestBody;
use l10n_api_types::publish::Published;
use l10n_server::both_engines;
use l10n_server::clock::Clock as _;
use l10n_server::domain::lifecycle::{self, LifecycleTarget};
use l10n_server::http::ConnectionTimeouts;
use l10n_server::store::{Tx, pruning};
use l10n_server::testing::{Answer, TestApp, TestStore};

use crate::publish::fixtures::{App, Spec, TestKey, hex};

both_engines!(
    a_file_is_read_and_compressed_once,
    without_memory_each_read_goes_to_the_datastore,
    what_had_to_go_is_read_again,
    what_another_process_publishes_is_served_soon_and_ones_own_at_once,
    what_was_read_once_is_answered_without_its_rows,
    an_archived_project_is_hidden_by_every_process,
    a_deleted_version_is_served_by_no_process,
    what_is_in_memory_is_served_to_its_own_project_alone,
);

const LIVE: &str = "/bundles/live/en.json";

/// The text that [`overwrite`] leaves.
const GONE: &str = "gone";

/// Replaces every stored content behind the server's back, so that an answer tells where it came from.
async fn overwrite(store: &TestStore) {
    const ALL: &str = "UPDATE blobs SET coding = NULL, content = $1";
    let mut tx = store.begin_write().await.unwrap();
    match &mut tx {
        Tx::Sqlite(tx) => drop(sqlx::query(ALL).bind(GONE.as_bytes()).execute(&mut **tx).await.unwrap()),
        Tx::Postgres(tx) => drop(sqlx::query(ALL).bind(GONE.as_bytes()).execute(&mut **tx).await.unwrap()),
    }
    tx.commit().await.unwrap();
}

/// Publishes a version whose file holds some 5,000 bytes that no other version has.
async fn version(app: &App, key: &mut Option<TestKey>, number: usize) -> Published {
    let text = format!("Version {number} says something. ").repeat(180);
    let id = key.as_ref().map(|key| key.id.clone());
    let mut tx = app.write().await;
    let spec = Spec { id: id.as_deref(), name: "greeting", text: &text, ..Spec::default() };
    *key = Some(app.key_in(&mut tx, spec).await);
    tx.commit().await.unwrap();
    app.publish().await
}

async fn with_memory(store: &TestStore, bytes: u64) -> App {
    App::new(
        TestApp::with(store, |settings| settings.delivery.cache_bytes = bytes, ConnectionTimeouts::default()).await,
    )
}

async fn accepting(app: &App, path: &str, coding: &str) -> Answer {
    app.public(path).header("accept-encoding", coding).send().await
}

const CODINGS: [&str; 3] = ["br", "gzip", "identity"];

async fn a_file_is_read_and_compressed_once(store: TestStore) {
    let app = App::on(&store).await;
    version(&app, &mut None, 1).await;
    let mut before = Vec::new();
    for coding in CODINGS {
        before.push(accepting(&app, LIVE, coding).await);
    }
    overwrite(&store).await;
    for (before, coding) in before.iter().zip(CODINGS) {
        let now = accepting(&app, LIVE, coding).await;
        assert_eq!((now.status, &now.bytes), (200, &before.bytes), "{coding}");
        for name in ["etag", "content-encoding", "content-type", "cache-control", "vary"] {
            assert_eq!(now.header(name), before.header(name), "{coding} {name}");
        }
        assert_eq!(now.header("content-length"), Some(before.bytes.len().to_string().as_str()), "{coding}");
        let head = app.call(Method::HEAD, LIVE).no_key().header("accept-encoding", coding).send().await;
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        assert_eq!(head.header("etag"), before.header("etag"));
    }
    let [br, gzip, plain] = before.try_into().unwrap();
    assert_eq!(plain.header("etag").unwrap(), format!("\"{}\"", hex(&plain.bytes)));
    assert!(br.bytes.len() < plain.bytes.len() / 10 && gzip.bytes.len() < plain.bytes.len() / 10);
}

async fn without_memory_each_read_goes_to_the_datastore(store: TestStore) {
    let app = with_memory(&store, 0).await;
    version(&app, &mut None, 1).await;
    for coding in CODINGS {
        let answer = accepting(&app, LIVE, coding).await;
        let expected = (coding != "identity").then_some(coding);
        assert_eq!((answer.status, answer.header("content-encoding")), (200, expected));
    }
    overwrite(&store).await;
    assert_eq!(app.public(LIVE).send().await.bytes, GONE);
}

async fn what_had_to_go_is_read_again(store: TestStore) {
    const BOUND: u64 = 30_000;
    let app = with_memory(&store, BOUND).await;
    let (mut key, mut paths) = (None, Vec::new());
    for number in 0..12 {
        let version = version(&app, &mut key, number).await;
        paths.push(format!("/bundles/{}/en.json", version.version_id));
    }
    let right = |answer: &Answer| answer.header("etag").unwrap() == format!("\"{}\"", hex(&answer.bytes));
    for path in paths.iter().chain(&paths) {
        let answer = app.public(path).send().await;
        assert!(answer.status == 200 && right(&answer), "{answer:?}");
    }
    overwrite(&store).await;
    let (mut kept, mut gone) = (0, 0);
    for path in paths.iter().rev() {
        let answer = app.public(path).send().await;
        if right(&answer) {
            kept += answer.bytes.len() as u64;
        } else {
            assert_eq!(answer.bytes, GONE);
            gone += 1;
        }
    }
    assert!(kept > 0 && kept <= BOUND && gone > 0, "{kept} {gone}");
}

/// FN-3: a process sees at once what it publishes and restores itself, and another one once its look is over.
async fn what_another_process_publishes_is_served_soon_and_ones_own_at_once(store: TestStore) {
    let app = App::on(&store).await;
    let beside = App::new(app.beside(&store).await);
    let mut key = None;
    let first = version(&app, &mut key, 1).await;
    let old = app.public(LIVE).send().await.bytes;
    until(&beside, LIVE, |answer| answer.bytes == old).await;
    for number in 2..6 {
        let published = version(&app, &mut key, number).await;
        let new = app.public(LIVE).send().await.bytes;
        assert!(String::from_utf8_lossy(&new).contains(&format!("Version {number} ")));
        until(&beside, LIVE, |answer| answer.bytes == new).await;
        let is_told = |answer: &Answer| answer.read::<ManifestBody>().version_id == published.version_id;
        assert!(is_told(&app.public("/manifest").send().await) && is_told(&app.named("/manifest").send().await));
        until(&beside, "/manifest", is_told).await;
        let restored = app.post(&format!("/versions/{}/restore", first.version_id)).send().await;
        assert_eq!(restored.status, 200, "{restored:?}");
        assert_eq!(app.public(LIVE).send().await.bytes, old);
        until(&beside, LIVE, |answer| answer.bytes == old).await;
    }
}

/// Waits until an answer of another process is as it should be.
async fn until(app: &App, path: &str, is_right: impl Fn(&Answer) -> bool) {
    while !is_right(&app.public(path).send().await) {
        tokio::task::yield_now().await;
    }
}

/// A read of what is known, a conditional one too, looks at nothing but the generations.
async fn what_was_read_once_is_answered_without_its_rows(store: TestStore) {
    let app = App::on(&store).await;
    let published = version(&app, &mut None, 1).await;
    let paths = ["/manifest".to_owned(), LIVE.to_owned(), format!("/bundles/{}/en.json", published.version_id)];
    let mut before = Vec::new();
    for path in &paths {
        before.push([app.public(path).send().await, app.named(path).send().await]);
    }
    // Behind the server's back.
    let mut tx = store.begin_write().await.unwrap();
    match &mut tx {
        Tx::Sqlite(tx) => drop(sqlx::query("DELETE FROM version_files").execute(&mut **tx).await.unwrap()),
        Tx::Postgres(tx) => drop(sqlx::query("DELETE FROM version_files").execute(&mut **tx).await.unwrap()),
    }
    tx.commit().await.unwrap();
    for (path, before) in paths.iter().zip(&before) {
        for (call, before) in [app.public(path), app.named(path)].into_iter().zip(before) {
            let now = call.send().await;
            assert_eq!((now.status, &now.bytes), (200, &before.bytes), "{path}");
        }
        let tag = before[0].header("etag").unwrap();
        assert_eq!(app.public(path).header("if-none-match", tag).send().await.status, 304, "{path}");
    }
    let other = app.public("/bundles/live/other.json").send().await;
    assert_eq!(other.outcome(), "404 not_found", "what is not known is asked for");
}

/// Also the files of its versions, which are known by their ids.
async fn an_archived_project_is_hidden_by_every_process(store: TestStore) {
    let app = App::on(&store).await;
    let beside = App::new(app.beside(&store).await);
    let published = version(&app, &mut None, 1).await;
    let paths = ["/manifest".to_owned(), LIVE.to_owned(), format!("/bundles/{}/en.json", published.version_id)];
    let subject = LifecycleTarget::Project(&app.project.id);
    for _ in 0..2 {
        for path in &paths {
            assert_eq!(app.public(path).send().await.status, 200);
            until(&beside, path, |answer| answer.status == 200).await;
        }
        let mut tx = app.write().await;
        lifecycle::archive(&mut tx, subject, app.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        for path in &paths {
            assert_eq!(app.public(path).send().await.outcome(), "404 not_found", "{path}");
            until(&beside, path, |answer| answer.status == 404).await;
        }
        let mut tx = app.write().await;
        lifecycle::restore(&mut tx, subject, app.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn a_deleted_version_is_served_by_no_process(store: TestStore) {
    let app = App::on(&store).await;
    let beside = App::new(app.beside(&store).await);
    let mut key = None;
    let old = version(&app, &mut key, 1).await;
    version(&app, &mut key, 2).await;
    let path = format!("/bundles/{}/en.json", old.version_id);
    assert_eq!(app.public(&path).send().await.status, 200);
    until(&beside, &path, |answer| answer.status == 200).await;
    // Another file first, then this one and the version itself.
    for most in [1, 100] {
        let mut tx = app.write().await;
        pruning::delete(&mut tx, &old.version_id, most, app.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(app.public(&path).send().await.outcome(), "404 version_not_found");
        until(&beside, &path, |answer| answer.outcome() == "404 version_not_found").await;
    }
    assert_eq!(app.public(LIVE).send().await.status, 200);
}

/// PUB-4
async fn what_is_in_memory_is_served_to_its_own_project_alone(store: TestStore) {
    let app = App::on(&store).await;
    let published = version(&app, &mut None, 1).await;
    let path = format!("/bundles/{}/en.json", published.version_id);
    let own = app.public(&path).send().await;
    assert_eq!(own.status, 200);
    let other = app.other_project("unlimited").await;
    for (path, outcome) in [(path.as_str(), "404 version_not_found"), (LIVE, "404 not_published")] {
        for project in [format!("projects/{}", other.id), format!("@{}/{}", other.handle, other.slug)] {
            let call = app.at(Method::GET, &format!("/v1/{project}{path}"));
            // Nor is there a tag that tells whether somebody has the content.
            let answer = call.header("if-none-match", own.header("etag").unwrap()).send().await;
            assert_eq!(answer.outcome(), outcome, "{project}{path}");
        }
    }
}
