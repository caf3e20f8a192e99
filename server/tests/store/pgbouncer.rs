//! A pooler between server and PostgreSQL.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use http::Method;
use l10n_server::store::{Store, StoreError, Tx};
use l10n_server::testing::postgres::{self, TestDatabase};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::json;
use tempfile::TempDir;
use url::Url;

/// A pgbouncer before the PostgreSQL of the tests. It ends when it is dropped.
struct Pooler {
    program: Child,
    port: u16,
    _folder: TempDir,
}

impl Pooler {
    /// `None` where it is not installed, after saying so.
    fn start(database: &TestDatabase, mode: &str) -> Option<Self> {
        let found =
            ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].into_iter().find(|path| std::fs::exists(path).unwrap());
        let Some(program) = found else {
            assert!(
                !std::env::var("L10N_REQUIRE").is_ok_and(|required| required.contains("pgbouncer")),
                "no pgbouncer"
            );
            println!("SKIPPED: pgbouncer is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        // It does not run as root; whoever it runs as reads the file.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let url = Url::parse(database.url()).unwrap();
        let query = |name| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        let host = query("host").unwrap_or_else(|| url.host_str().unwrap().to_owned());
        let password = url.password().map(|password| format!("password={password}")).unwrap_or_default();
        let settings = format!(
            "[databases]\n* = host={host} port={} user={} {password}\n\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = any\npool_mode = {mode}\ndefault_pool_size = 40\n",
            url.port().unwrap_or(5432),
            url.username(),
        );
        let file = folder.path().join("pgbouncer.ini");
        std::fs::write(&file, settings).unwrap();
        let mut command = Command::new(program);
        if std::fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0) {
            command.args(["-u", "nobody"]);
        }
        let program = command.arg(&file).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let pooler = Self { program, port, _folder: folder };
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "pgbouncer does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(pooler)
    }

    fn url(&self, database: &TestDatabase) -> String {
        let url = Url::parse(database.url()).unwrap();
        format!("postgres://{}@127.0.0.1:{}{}", url.username(), self.port, url.path())
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The server sets its settings once for each connection; pgbouncer needs none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_pgbouncer_in_session_mode_the_server_works() {
    let Some(database) = postgres::database().await else { return };
    let Some(pooler) = Pooler::start(&database, "session") else { return };
    let store = TestStore::through(pooler.url(&database), database).await;
    let app = TestApp::on(&store).await;
    let other = app.other_project("unlimited").await;
    let body = json!({ "keys": [{ "ref": "missing", "text": "Missing" }] });
    assert_eq!(app.post("/capture").json(&body).send().await.status, 200);
    let file =
        json!({ "file": { "path": "en.json", "content": "{\"a\": \"b\"}", "encoding": "utf8", "format": "json" } });
    let run = app.post("/sync").json(&file).send().await;
    assert!(run.status < 300, "{run:?}");
    assert_eq!(app.post("/publish").json(&json!({})).send().await.status, 201);
    let theirs = app.at(Method::GET, &format!("/v1/projects/{}/meta", other.id)).key(&other.keys.admin);
    assert_eq!(theirs.send().await.status, 200);
    let Tx::Postgres(mut tx) = store.begin_write().await.unwrap() else { unreachable!() };
    let (timeout,): (String,) =
        sqlx::query_as("SELECT current_setting('lock_timeout')").fetch_one(&mut *tx).await.unwrap();
    assert_eq!(timeout, "15s");
    drop(tx);
    drop(app);
    store.remove().await;
}

#[tokio::test]
async fn behind_a_pooler_that_shares_sessions_the_server_says_why_it_does_not_run() {
    let Some(database) = postgres::database().await else { return };
    for mode in ["transaction", "statement"] {
        let Some(pooler) = Pooler::start(&database, mode) else { break };
        let error = Store::connect(&pooler.url(&database)).await.unwrap_err();
        assert!(
            matches!(&error, StoreError::Location(why) if why.contains("pool_mode = session")),
            "{mode}: {error:?}"
        );
    }
    database.remove().await;
}
