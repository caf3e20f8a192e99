//! `dev` and `serve`.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::process::{MASTER_KEY, Running, command, complaint, get, post, run, stdout};

#[tokio::test]
async fn dev_serves_at_once_and_keeps_project_and_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::dev(folder.path());
    let (base, key, project) = (server.say("baseUrl"), server.say("apiKey"), server.say("projectId"));
    assert_eq!((server.say("workspace"), server.say("project")), ("demo".to_owned(), "app".to_owned()));
    assert_eq!(get(&format!("{base}/health"), &key).await.0, 200);
    let (status, credential) = get(&format!("{base}/projects/{project}/credential"), &key).await;
    assert_eq!((status, &credential["scopes"][0]), (200, &"admin".into()));
    let (status, resolved) = get(&format!("{base}/projects/resolve?workspace=demo&project=app"), &key).await;
    assert_eq!((status, &resolved["projectId"]), (200, &project.as_str().into()));
    let mode = |name: &str| {
        std::fs::metadata(folder.path().join("l10n-data").join(name)).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(["api-key", "master-key", "dev-ca.key"].map(mode), [0o600; 3]);
    assert_eq!(["dev.sqlite", "dev.sqlite-wal", "dev.sqlite-shm"].map(mode), [0o600; 3]);
    let kept = |name: &str| std::fs::read(folder.path().join("l10n-data").join(name)).unwrap();
    let names = ["master-key", "dev-ca.key", "dev-ca.pem"];
    let made = names.map(kept);
    assert!(server.terminate(), "ends well when it is asked to");

    // A lost process leaves the next start with the same project and key; a lost key file gets a new key.
    let mut again = Running::dev(folder.path());
    assert_eq!((again.say("apiKey"), again.say("projectId")), (key.clone(), project.clone()));
    assert_eq!(names.map(kept), made);
    again.kill();
    std::fs::remove_file(folder.path().join("l10n-data/api-key")).unwrap();
    let third = Running::dev(folder.path());
    assert_eq!(third.say("projectId"), project);
    assert_ne!(third.say("apiKey"), key);
    assert_eq!(get(&format!("{}/projects/{project}/credential", third.say("baseUrl")), &key).await.0, 200);
}

/// Beside `dev`, in its folder, nothing need be stated; a database is never made by who only asks.
#[tokio::test]
async fn a_person_beside_dev_works_on_its_database() {
    let folder = tempfile::tempdir().unwrap();
    let list = || run(folder.path(), &["keys", "list", "demo/app"]);
    assert!(complaint(&list()).contains("there is no database at l10n-data/l10n.sqlite (setting `database_url`)"));
    assert!(!folder.path().join("l10n-data").exists());
    let server = Running::dev(folder.path());
    let output = list();
    assert!(stdout(&output).contains("dev "), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "Working on l10n-data/dev.sqlite, that of `l10n-server dev`.\n");
    let other = run(folder.path(), &["keys", "list", "demo/app", "--database-url", "sqlite:l10n-data/other.sqlite"]);
    assert!(complaint(&other).contains("there is no database at l10n-data/other.sqlite"));
    drop(server);
}

/// `dev` delivers to this machine, and what it sealed before it was killed opens after its next start.
#[tokio::test]
async fn dev_delivers_to_this_machine_across_its_starts() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Running::dev(folder.path());
    let (key, project) = (server.say("apiKey"), server.say("projectId"));
    let url = |server: &Running, path: &str| format!("{}/projects/{project}{path}", server.say("baseUrl"));
    let webhook = |to: &str| json!({"url": to, "events": ["strings.published"]});
    let (status, refused) = post(&url(&server, "/webhooks"), &key, &webhook("https://10.0.0.1/")).await;
    assert_eq!((status, &refused["error"]), (400, &"invalid_argument".into()));
    // Nobody listens there: an attempt that gets as far as that was allowed and signed.
    let (status, made) = post(&url(&server, "/webhooks"), &key, &webhook("https://localhost:1/")).await;
    assert_eq!(status, 201, "{made}");
    let keys = json!({"keys": [{"ref": "greeting", "text": "Hello"}]});
    assert_eq!(post(&url(&server, "/translate"), &key, &keys).await.0, 200);
    assert_eq!(post(&url(&server, "/publish"), &key, &json!({})).await.0, 201);
    let log = format!("/webhooks/{}/deliveries", made["webhookId"].as_str().unwrap());
    let attempted = async |server: &Running, attempts: u64| loop {
        let (_, answer) = get(&url(server, &log), &key).await;
        let delivery = answer["deliveries"][0].clone();
        if delivery["attempts"].as_u64().unwrap() >= attempts {
            assert_eq!(delivery["lastErrorKind"], "network", "{delivery}");
            break delivery;
        }
    };
    let delivery = attempted(&server, 1).await;
    server.kill();
    server = Running::dev(folder.path());
    let resend = format!("{log}/{}/resend", delivery["deliveryId"].as_str().unwrap());
    assert_eq!(post(&url(&server, &resend), &key, &json!({})).await.0, 202);
    attempted(&server, 2).await;
    server.kill();

    // What an operator says stands.
    let server = Running::dev_with(folder.path(), &["--webhooks-allow-targets", "10.0.0.0/8"]);
    let (status, _) = post(&url(&server, "/webhooks"), &key, &webhook("https://127.0.0.1/")).await;
    assert_eq!(status, 400);
    let (status, _) = post(&url(&server, "/webhooks"), &key, &webhook("https://10.0.0.1/")).await;
    assert_eq!(status, 201);
}

/// WH-URL-4: an empty list of networks is no list that was left out, wherever it was said.
#[tokio::test]
async fn dev_delivers_to_public_addresses_alone_where_nothing_is_exempt() {
    let registers = async |folder: &Path, more: &[&str]| {
        let server = Running::dev_with(folder, more);
        let url = format!("{}/projects/{}/webhooks", server.say("baseUrl"), server.say("projectId"));
        let mut statuses = Vec::new();
        for to in ["https://127.0.0.1/", "https://[::1]/"] {
            let body = json!({"url": to, "events": ["strings.published"]});
            statuses.push(post(&url, &server.say("apiKey"), &body).await.0);
        }
        statuses
    };
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(registers(folder.path(), &[]).await, [201; 2], "left out");
    assert_eq!(registers(folder.path(), &["--webhooks-allow-targets", ""]).await, [400; 2], "a flag");
    std::fs::write(folder.path().join("l10n-server.toml"), "[webhooks]\nallow_targets = []\n").unwrap();
    assert_eq!(registers(folder.path(), &[]).await, [400; 2], "the file");
    let flag = ["--webhooks-allow-targets", "127.0.0.0/8"];
    assert_eq!(registers(folder.path(), &flag).await, [201, 400], "the flag wins");
}

#[test]
fn a_wrong_setting_keeps_the_server_from_starting_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |arguments: &[&str]| complaint(&run(folder.path(), arguments));
    assert_eq!(
        refused(&["serve", "--engine", "babel"]),
        "error: setting `engine`: there is no engine `babel`: it takes pseudo, identity, apertium, and the name of a table \
         [engines.NAME] of the configuration file\n"
    );
    std::fs::write(folder.path().join("l10n-server.toml"), "[limits]\nrequest_per_minute = 3\n").unwrap();
    let said = refused(&["serve"]);
    let place = "error: l10n-server.toml, line 2, column 1: setting `limits.request_per_minute`: unknown field";
    assert!(said.starts_with(place), "{said}");
    let said = refused(&["migrate", "--config", "none.toml"]);
    assert!(said.starts_with("error: cannot read the configuration file none.toml"), "{said}");
}

#[test]
fn an_address_in_use_or_a_database_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = complaint(&run(folder.path(), &["serve", MASTER_KEY, "--listen", &address]));
    assert!(said.contains(&format!("cannot listen on {address} (setting `listen`)")), "{said}");
    std::fs::write(folder.path().join("text.sqlite"), "no database, but longer than the header of one is, surely so")
        .unwrap();
    let arguments = ["serve", MASTER_KEY, "--listen", "127.0.0.1:0", "--database-url", "sqlite:text.sqlite"];
    let said = complaint(&run(folder.path(), &arguments));
    assert!(said.contains("text.sqlite"), "{said}");
    let said =
        complaint(&run(folder.path(), &["migrate", "--database-url", "postgres://l10n:hunter2@127.0.0.1:1/none"]));
    assert!(said.contains("cannot open the database") && !said.contains("hunter2"), "{said}");
}

/// A server whose system lets it have few open files takes as many connections as fit, and goes on answering for its health
/// when all of them are idle.
#[tokio::test]
async fn idle_connections_leave_a_server_with_few_files_its_health() {
    let folder = tempfile::tempdir().unwrap();
    let server = Running::dev_limited(folder.path(), 256);
    let base = server.say("baseUrl");
    let address = base.trim_start_matches("http://").trim_end_matches("/v1").to_owned();
    let mut idle = Vec::new();
    for _ in 0..400 {
        // Those without a place are ended by the server.
        idle.extend(tokio::net::TcpStream::connect(&address).await);
    }
    loop {
        // A connection of its own for each question.
        let answer = crate::process::client().get(format!("{base}/health")).send().await;
        if answer.is_ok_and(|answer| answer.status() == 200) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    drop(idle);
}

/// A master key that every user of the machine can read is warned of, one for its owner alone is not.
#[test]
fn a_master_key_that_everybody_can_read_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("master-key");
    std::fs::write(&file, "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=").unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let warns = |file: &std::path::Path, mode: u32, flags: &[&str]| {
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
        // It ends at once, since its address is taken.
        let output = run(folder.path(), &[&["serve", "--listen", &address], flags].concat());
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        said.contains("every user of this machine can read the master key")
    };
    for (mode, warned) in [(0o644, true), (0o600, false), (0o640, false)] {
        assert_eq!(warns(&file, mode, &["--secrets-master-key-file", file.to_str().unwrap()]), warned, "{mode:o}");
    }
    let config = folder.path().join("l10n-server.toml");
    let key = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    for (text, mode, warned) in [
        (format!("[secrets]\nmaster_key = \"{key}\""), 0o644, true),
        (format!("[secrets]\nmaster_key = \"{key}\""), 0o600, false),
        (format!("[secrets]\nprevious_master_keys = [\"{key}\"]"), 0o644, true),
        ("[log]\nformat = \"json\"".to_owned(), 0o644, false),
    ] {
        std::fs::write(&config, &text).unwrap();
        let flags: &[&str] = if text.contains("\nmaster_key") { &[] } else { &[MASTER_KEY] };
        assert_eq!(warns(&config, mode, flags), warned, "{mode:o}: {text}");
    }
}

/// A session over plain http can be read on the way: the log says so when a server starts, and only then.
#[test]
fn a_start_warns_of_a_dashboard_over_plain_http_from_other_machines() {
    for (base_url, warns) in [
        ("http://l10n.internal/v1", true),
        ("http://10.0.0.7:8787/v1", true),
        ("http://127.0.0.1:8787/v1", false),
        ("https://l10n.example.com/v1", false),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let database = ["--listen", "127.0.0.1:0", "--database-url", "sqlite:plain.sqlite"];
        let arguments = [&["serve", MASTER_KEY, "--base-url", base_url], &database[..]].concat();
        let mut child =
            command(folder.path(), &arguments).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let mut said = String::new();
        for line in BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok) {
            said.extend([line.as_str(), "\n"]);
            if line.contains("serving") {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(said.contains("serving"), "{base_url}: {said}");
        assert_eq!(said.contains("reached by plain http from other machines"), warns, "{base_url}: {said}");
    }
}
