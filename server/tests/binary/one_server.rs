//! A SQLite database takes one server process.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use l10n_server::testing::TEST_TIMEOUT;
use serde_json::json;

use crate::process::{MASTER_KEY, Running, command, complaint, feed, post, run, stdout};

fn serve(database: &str) -> Vec<String> {
    ["serve", MASTER_KEY, "--listen", "127.0.0.1:0", "--database-url", database].map(str::to_owned).to_vec()
}

fn refused(folder: &Path, arguments: &[String]) -> String {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // A server that is not refused would run on; it is given a moment and then fails the test.
    let mut child = command(folder, &arguments).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > TEST_TIMEOUT {
            child.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    complaint(&child.wait_with_output().unwrap())
}

/// A second server on one file would repeat deliveries, double the request limit, and settle the first one's writes as failed.
/// It does not start, by whatever path it names the file, and names the first.
#[test]
fn a_second_server_on_one_sqlite_file_is_refused_and_told_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let first = Running::dev(folder.path());
    let address = first.say("baseUrl").strip_prefix("http://").unwrap().strip_suffix("/v1").unwrap().to_owned();
    std::os::unix::fs::symlink("dev.sqlite", folder.path().join("l10n-data/linked.sqlite")).unwrap();
    std::os::unix::fs::symlink("l10n-data", folder.path().join("elsewhere")).unwrap();
    let whole = folder.path().join("l10n-data/dev.sqlite");
    for database in [
        "sqlite:l10n-data/dev.sqlite".to_owned(),
        "sqlite:l10n-data/../l10n-data/dev%2Esqlite".to_owned(),
        "sqlite:l10n-data/linked.sqlite".to_owned(),
        "sqlite:elsewhere/dev.sqlite".to_owned(),
        format!("sqlite://{}", whole.display()),
    ] {
        let said = refused(folder.path(), &serve(&database));
        let named = format!("(process {}, started at 2", first.id());
        assert!(said.contains("another server or a restore uses") && said.contains(&named), "{database}: {said}");
        assert!(said.contains(&format!("listening on {address}")), "{database}: {said}");
    }
    let second = refused(folder.path(), &["dev", "--listen", "127.0.0.1:0"].map(str::to_owned));
    assert!(second.contains("another server or a restore uses"), "{second}");
}

/// Killed without a word, a server leaves no lock: the next one starts at once, again and again.
#[tokio::test]
async fn a_killed_servers_lock_is_free_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..5 {
        let mut server = Running::dev(folder.path());
        let url = format!("{}/projects/{}/translate", server.say("baseUrl"), server.say("projectId"));
        let keys = json!({"keys": [{"ref": format!("k{round}"), "text": "Hello"}]});
        assert_eq!(post(&url, &server.say("apiKey"), &keys).await.0, 200);
        server.kill();
    }
    let mut last = Running::dev(folder.path());
    assert!(last.terminate());
    drop(Running::dev(folder.path()));
}

/// The commands of a person need no lock: they work beside the server that has it.
#[test]
fn commands_work_beside_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::dev(folder.path());
    let url = ["--database-url", "sqlite:l10n-data/dev.sqlite"];
    let tree = json!({"workspaces": [{"handle": "acme", "credits": 1, "projects": []}]});
    stdout(&feed(folder.path(), &[&["provision", "-"][..], &url].concat(), &tree.to_string()));
    for command in [
        &["keys", "list", "demo/app"] as &[&str],
        &["credits", "ledger", "demo"],
        &["operations", "list"],
        &["captured", "list", "--project", "demo/app"],
        &["migrate"],
    ] {
        stdout(&run(folder.path(), &[command, &url].concat()));
    }
    drop(server);
}
