//! A datastore that refuses writes, or is gone: what a caller is told, what is still served, and that it passes by itself.

use std::time::Duration;

use http::Method;
use l10n_server::store::readiness::NotReady;
use l10n_server::testing::postgres::DurableCluster;
use l10n_server::testing::{Answer, Call, TestApp, TestStore};
use serde_json::json;
use sqlx::Connection as _;

use crate::receipts::{until, webhook};

/// A write of each kind, and what the message of a 503 has to name.
fn writes(app: &TestApp) -> Vec<(Call, &'static str)> {
    let keys = json!({"keys": [{"ref": "new", "text": "Text ".repeat(2_000)}]});
    let file = json!({"file": {"path": "en.json", "content": "{\"new\": \"Open\"}", "encoding": "utf8"}});
    vec![
        (app.post("/webhooks").json(&webhook()), "POST /projects/{projectId}/webhooks"),
        (app.call(Method::DELETE, "/webhooks/whk_1"), "DELETE /projects/{projectId}/webhooks/{webhookId}"),
        (app.post("/publish"), "POST /projects/{projectId}/publish"),
        (app.post("/languages").json(&json!({"languages": [{"code": "es"}]})), "POST /projects/{projectId}/languages"),
        (app.post("/translate").json(&keys), "from your source files"),
        (app.post("/sync").json(&file), "from your source files"),
    ]
}

/// A project with a version that is live.
async fn published(store: &TestStore) -> TestApp {
    let app = TestApp::on(store).await;
    let keys = json!({"keys": [{"ref": "hello", "text": "Hello"}]});
    assert!(app.post("/translate").json(&keys).send().await.status < 300);
    let done = || async {
        let meta = app.get("/meta").send().await.json();
        (1..=2).all(|language| meta["languages"][language]["translated"] == 1)
    };
    until(done).await;
    assert_eq!(app.post("/publish").send().await.status, 201);
    app
}

async fn reads(app: &TestApp) -> Vec<Answer> {
    let mut answers = Vec::new();
    for path in [
        "/credential",
        "/translations",
        "/translations?ref=hello",
        "/webhooks",
        "/versions",
        "/manifest",
        "/requests/none",
    ] {
        answers.push(app.get(path).send().await);
    }
    answers
}

/// ERR-503-1, §7: every write names what to run again and has written nothing; reads go on.
async fn refuses_writes_and_serves_reads(app: &TestApp, before: &[Answer]) {
    for (call, named) in writes(app) {
        let answer = call.send().await;
        assert_eq!(answer.outcome(), "503 unavailable");
        let message = answer.error().message;
        assert!(message.contains(named) && message.contains("again"), "{message}");
    }
    let after = reads(app).await;
    for (before, after) in before.iter().zip(after) {
        assert_eq!((after.status, &after.bytes), (before.status, &before.bytes));
    }
    assert_eq!(app.at(Method::GET, "/v1/health").send().await.status, 200);
}

/// Without a restart.
async fn takes_writes_again(app: &TestApp) {
    let hooks = async || app.get("/webhooks").send().await.json()["webhooks"].as_array().unwrap().len();
    let before = hooks().await;
    until(|| async { app.post("/webhooks").json(&webhook()).send().await.status == 201 }).await;
    assert_eq!(hooks().await, before + 1);
    assert_eq!(app.post("/publish").send().await.status, 201);
}

/// ERR-503-1: SQLite rolls back by itself, which the connection has to get over. A load balancer is told meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_and_passes() {
    let Some(disk) = SmallDisk::mount() else { return };
    let store = TestStore::at_file(&disk.0.path().join("l10n.sqlite")).await;
    let app = published(&store).await;
    let filler = disk.0.path().join("filler");
    is_seen(&store, Ok(())).await;
    assert!(std::fs::write(&filler, vec![0; 128 << 20]).is_err(), "the disk is small");
    is_seen(&store, Err(NotReady::DiskFull)).await;
    // What the log of the database has in hand is used up first.
    let mut refused = 0;
    while refused < 3 {
        let answer = app.post("/languages").json(&json!({"languages": [{"code": "de"}]})).send().await;
        refused = if answer.status == 503 { refused + 1 } else { 0 };
    }
    let before = reads(&app).await;
    refuses_writes_and_serves_reads(&app, &before).await;
    std::fs::remove_file(&filler).unwrap();
    is_seen(&store, Ok(())).await;
    takes_writes_again(&app).await;
}

/// Waits until this is seen of the disk: for moments the server's own workers lock the file.
async fn is_seen(store: &TestStore, expected: Result<(), NotReady>) {
    until(|| async { store.ready(Duration::ZERO).await == expected }).await;
}

/// A disk in memory that is soon full.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    /// `None` after saying that this process may not mount one.
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut mount = std::process::Command::new("mount");
        let mounted = mount.args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(folder.path()).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        let is_root = std::os::unix::fs::MetadataExt::uid(&folder.path().metadata().unwrap()) == 0;
        let required = std::env::var("L10N_REQUIRE").is_ok_and(|required| required.contains("netns"));
        assert!(
            !(required && is_root),
            "a disk in memory is required by L10N_REQUIRE, which the system's owner may mount"
        );
        println!("SKIPPED: this process may not mount a disk in memory");
        None
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("--lazy").arg(self.0.path()).status();
    }
}

/// ERR-503-1: the server was moved to a standby, or an administrator made it read-only.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_database_refuses_writes_and_passes() {
    let Some(cluster) = DurableCluster::for_test() else { return };
    let store = TestStore::at(cluster.database().await).await;
    let app = published(&store).await;
    let before = reads(&app).await;
    let read_only = async |on: &'static str| {
        let mut connection = sqlx::PgConnection::connect(store.url()).await.unwrap();
        sqlx::query("SET default_transaction_read_only = off").execute(&mut connection).await.unwrap();
        sqlx::query(on).execute(&mut connection).await.unwrap();
        sqlx::query("SELECT pg_reload_conf()").execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    };
    read_only("ALTER SYSTEM SET default_transaction_read_only = on").await;
    // Sessions that are open hear of it a moment later.
    until(|| async { app.post("/languages").json(&json!({"languages": [{"code": "de"}]})).send().await.status == 503 })
        .await;
    refuses_writes_and_serves_reads(&app, &before).await;
    read_only("ALTER SYSTEM SET default_transaction_read_only = off").await;
    takes_writes_again(&app).await;
}

/// ERR-503-1, ERR-500-1: nothing can be served, nothing hangs, and all is well when it is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_gone_is_said_to_be_and_comes_back() {
    let Some(mut cluster) = DurableCluster::for_test() else { return };
    let store = TestStore::at(cluster.database().await).await;
    let app = published(&store).await;
    let before = reads(&app).await;
    tokio::task::block_in_place(|| cluster.crash()).unwrap();
    for (call, _) in writes(&app) {
        assert_eq!(call.send().await.outcome(), "503 unavailable");
    }
    // What is in memory is served until the next look at what is live.
    until(|| async { app.get("/manifest").send().await.status == 503 }).await;
    for answer in reads(&app).await {
        assert_eq!(answer.outcome(), "503 unavailable");
    }
    assert_eq!(app.at(Method::GET, "/v1/health").send().await.status, 503);
    tokio::task::block_in_place(|| cluster.run()).unwrap();
    until(|| async { app.get("/meta").send().await.status == 200 }).await;
    for (before, after) in before.iter().zip(reads(&app).await) {
        assert_eq!((after.status, &after.bytes), (before.status, &before.bytes));
    }
    takes_writes_again(&app).await;
}
