//! The binary `l10n-testkit`, run as people run it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::Duration;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_l10n-testkit"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("L10N_TESTKIT_")) {
        command.env_remove(name);
    }
    command.env("XDG_STATE_HOME", folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    told(command(folder, arguments).output().unwrap())
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// A folder with a profile in it.
fn profiled(base_url: &str, more: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("key"), "eik_0123456789").unwrap();
    let text = format!(
        "base_url = \"{base_url}\"\n{more}\n[[lanes]]\nid = \"prj_1\"\nhandle = \"acme\"\nslug = \"app\"\nkeys.full = \"file:key\"\n"
    );
    std::fs::write(folder.path().join("p.toml"), text).unwrap();
    folder
}

/// A server that gives each request what `answer` says, or never an answer. Returns its base URL.
fn server(answer: impl Fn(usize) -> Option<&'static str> + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (answer, count) = (Arc::new(answer), Arc::new(AtomicUsize::new(0)));
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (answer, count) = (Arc::clone(&answer), Arc::clone(&count));
            thread::spawn(move || serve(stream.unwrap(), |number| answer(number), &count));
        }
    });
    format!("http://{address}/v1")
}

fn serve(mut stream: TcpStream, answer: impl Fn(usize) -> Option<&'static str>, count: &AtomicUsize) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    while let Some(Ok(line)) = lines.next() {
        if !line.is_empty() {
            continue;
        }
        match answer(count.fetch_add(1, Ordering::SeqCst)) {
            Some(text) => stream.write_all(text.as_bytes()).unwrap(),
            None => thread::sleep(Duration::from_secs(600)),
        }
    }
}

const UNAUTHORIZED: &str = "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\nx-correlation-id: c\r\n\
                            content-length: 39\r\n\r\n{\"error\":\"unauthorized\",\"message\":\"no\"} ";
const CREDENTIAL: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-correlation-id: c\r\n\
                          content-length: 57\r\n\r\n{\"scopes\":[\"admin\"],\"requires_operation_approval\":false}  ";

/// A port that nobody listens on: it was free a moment ago.
fn nobody() -> String {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    format!("http://{address}/v1")
}

#[test]
fn a_deployment_that_is_down_is_said_to_be_down() {
    let base = nobody();
    let folder = profiled(&base, "");
    for arguments in [&["run", "--profile", "p.toml"], &["run", "--profile=p.toml", "--read-only"]] {
        let (code, out, said) = run(folder.path(), arguments);
        assert_eq!((code, out.as_str()), (4, ""), "{said}");
        assert!(said.starts_with(&format!("error: the deployment at {base} does not answer: ")), "{said}");
        assert!(said.to_lowercase().contains("connection refused"), "{said}");
    }
    let (code, out, _) = run(folder.path(), &["preflight", "--profile", "p.toml"]);
    assert_eq!(code, 4);
    assert!(
        out.starts_with(&format!("NOT OK  {base} does not answer")) && out.contains("start the deployment"),
        "{out}"
    );
}

#[test]
fn a_wrong_key_is_named_by_its_field() {
    let folder = profiled(&server(|_| Some(UNAUTHORIZED)), "");
    let (code, _, said) = run(folder.path(), &["run", "--profile", "p.toml"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.starts_with("error: p.toml: ") && said.contains("refuses the key `lanes[0].keys.full`"), "{said}");
    assert!(!said.contains("eik_"), "{said}");
    let (code, out, _) = run(folder.path(), &["preflight", "--profile", "p.toml"]);
    assert_eq!(code, 2);
    assert!(out.contains("NOT OK  lanes[0].keys.full is refused: 401"), "{out}");
}

#[test]
fn a_half_filled_profile_says_what_is_missing() {
    let folder = profiled("http://127.0.0.1:1/v1", "claims = [\"receiver\", \"agent-key\"]");
    let (code, _, said) = run(folder.path(), &["run", "--profile", "p.toml"]);
    assert_eq!(code, 2);
    assert!(said.contains("the claim `receiver` needs `receiver.listen`"), "{said}");
    assert!(said.contains("the claim `agent-key` needs `lanes[0].keys.agent`"), "{said}");

    let folder = profiled("http://127.0.0.1:1/v1", "claism = []");
    let (code, _, said) = run(folder.path(), &["run", "--profile", "p.toml"]);
    assert_eq!(code, 2);
    assert!(said.starts_with("error: p.toml:2: unknown field `claism`"), "{said}");
    assert!(said.contains("did you mean `claims`?"), "{said}");

    let (code, _, said) = run(folder.path(), &["run", "--profile", "none.toml"]);
    assert_eq!((code, said.starts_with("error: cannot read the profile none.toml")), (2, true), "{said}");
}

#[test]
fn the_environment_completes_the_profile() {
    let folder = profiled("http://127.0.0.1:1/v1", "");
    let base = nobody();
    let output = command(folder.path(), &["run"])
        .env("L10N_TESTKIT_PROFILE", "p.toml")
        .env("L10N_TESTKIT_BASE_URL", &base)
        .output()
        .unwrap();
    let (code, _, said) = told(output);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains(&base), "{said}");
}

#[test]
fn a_selection_of_nothing_is_an_error() {
    let folder = profiled("http://127.0.0.1:1/v1", "");
    for (arguments, says) in [
        (
            &["list", "--only", "VER-11"][..],
            "no check has or covers an id that matches `VER-11`; did you mean `VER-1`?",
        ),
        (&["run", "--profile", "p.toml", "--only", "NONE*"], "no check has or covers an id that matches `NONE*`"),
        (&["run", "--profile", "p.toml", "--only", ""], "no check has or covers an id that matches ``"),
        (&["list", "--endpoint", "webhooks::made"], "there is no endpoint `webhooks::made`, only "),
        (&["explain", "VER-11"], "there is no statement, check or reading `VER-11`; did you mean `VER-1`?"),
        (&["cleanup", "--profile", "p.toml"], "--run <ID>|--journal <FILE>|--any-run"),
        (&["run", "--profile", "p.toml", "--expect", "none.toml"], "cannot read the expectations none.toml"),
    ] {
        let (code, _, said) = run(folder.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}: {said}");
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}

#[test]
fn what_the_suite_knows_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let out = |arguments: &[&str]| {
        let (code, out, said) = run(folder.path(), arguments);
        assert_eq!(code, 0, "{arguments:?}: {said}");
        out
    };
    let explained = out(&["explain", "sig-5"]);
    for part in ["SIG-5  §6.3  core", "HMAC-SHA256", "Rule: docs/spec.md#s6-3", "Check: ", "Must detect: ", "AMB-8: "]
    {
        assert!(explained.contains(part), "{part}: {explained}");
    }
    assert!(out(&["explain", "AMB-8"]).contains("concerns SIG-5"));
    assert!(out(&["explain", "VER-2"]).contains("finds schema_version_2: "));
    assert!(out(&["list", "--only", "VER-*"]).lines().all(|line| line.starts_with("VER-")));
    assert_eq!(out(&["list", "--only", "VER-1"]).lines().count(), 1);
    assert!(out(&["list", "--endpoint", "publish::create"]).contains("VER-3"));
    assert!(out(&["matrix"]).contains("| VER-1 | "));
    assert!(out(&["profile"]).contains("base_url = "));
}

#[test]
fn a_report_that_cannot_be_written_is_found_before_the_run() {
    let (asked, requests) = std::sync::mpsc::channel();
    let base = server(move |number| {
        asked.send(number).unwrap();
        Some(CREDENTIAL)
    });
    let folder = profiled(&base, "");
    std::fs::write(folder.path().join("earlier.json"), "earlier").unwrap();
    let reports = ["--report", "json=earlier.json", "--report", "html=no/such/folder/r.html"];
    let arguments = [&["run", "--profile", "p.toml", "--only", "VER-1"][..], &reports].concat();
    let (code, out, said) = run(folder.path(), &arguments);
    assert_eq!((code, out.as_str()), (4, ""), "{said}");
    assert!(said.starts_with("error: cannot write the report no/such/folder/r.html: "), "{said}");
    assert!(requests.try_recv().is_err(), "nothing was asked");
    assert_eq!(std::fs::read_to_string(folder.path().join("earlier.json")).unwrap(), "earlier");
}

#[test]
fn a_report_that_cannot_be_written_keeps_no_other_from_being_written() {
    let gone = tempfile::tempdir().unwrap().keep();
    let taken = gone.clone();
    let base = server(move |_| {
        let _ = std::fs::remove_dir_all(&taken);
        Some(CREDENTIAL)
    });
    let folder = profiled(&base, "");
    let first = format!("--report=junit={}", gone.join("r.xml").display());
    let arguments = ["run", "--profile", "p.toml", "--only", "VER-1", &first, "--report", "json=r.json"];
    let (code, _, said) = run(folder.path(), &arguments);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("error: cannot write the report ") && said.contains("r.xml"), "{said}");
    assert!(std::fs::read_to_string(folder.path().join("r.json")).unwrap().contains("\"VER-1\""));
}

#[test]
fn a_run_in_few_lanes_says_how_long_it_will_take_before_it_begins() {
    let folder = profiled(&server(|number| (number == 0).then_some(CREDENTIAL)), "");
    let arguments = ["run", "--profile", "p.toml"];
    let mut child = command(folder.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let told = lines.find(|line| line.starts_with("it will take about ")).unwrap();
    assert!(told.ends_with(" min in 1 lane; more lanes (projects) in the profile make it faster"), "{told}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The findings so far are reported, and the exit code says that the run is incomplete.
#[test]
fn ctrl_c_ends_a_run_with_a_report() {
    let folder = profiled(&server(|number| (number == 0).then_some(CREDENTIAL)), "");
    let arguments = ["run", "--profile", "p.toml", "--only", "VER-1", "--report", "json=r.json"];
    let mut child = command(folder.path(), &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert!(first.starts_with("run "), "{first}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("r.json")).unwrap()).unwrap();
    assert_eq!((&report["verdict"], &report["exitCode"]), (&"interrupted".into(), &130.into()), "{report}");
    assert_eq!(report["checks"][0]["notRun"], "interrupted", "{report}");
}

#[cfg(target_os = "linux")]
const NO_WEBHOOKS: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-correlation-id: c\r\n\
                           content-length: 15\r\n\r\n{\"webhooks\":[]}";

/// A program that provisions the profile of the folder, and serves by writing its process id there and doing nothing.
#[cfg(target_os = "linux")]
fn server_program(folder: &Path, base_url: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let here = folder.display();
    let script = format!(
        r#"#!/bin/sh
case $1 in
  provision)
    while [ "$1" != --profile-out ]; do shift; done
    cp '{here}/p.toml' "$2" && cp '{here}/key' "$(dirname "$2")" ;;
  serve)
    echo $$ > '{here}/pid'
    echo '{{"message":"serving","base_url":"{base_url}"}}' >&2
    echo '{{"message":"listening","address":"127.0.0.1:1"}}' >&2
    exec sleep 600 ;;
esac
"#
    );
    let program = folder.join("server");
    std::fs::write(&program, script).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    program
}

/// A lab that makes a webhook, which its server never answers: first the list of webhooks was asked for, then one was made.
/// Also the numbers of the requests that follow, and the lab's folder.
#[cfg(target_os = "linux")]
fn lab_without_an_answer(more: &[&str]) -> (Child, Receiver<usize>, tempfile::TempDir) {
    let (asked, requests) = std::sync::mpsc::channel();
    let base = server(move |number| {
        asked.send(number).unwrap();
        (number == 0).then_some(NO_WEBHOOKS)
    });
    let folder = profiled(&base, "claims = [\"webhooks\"]");
    let program = server_program(folder.path(), &base).display().to_string();
    let arguments = [&["lab", "--server", &program, "--only", "WH-DE-1"][..], more].concat();
    let child = command(folder.path(), &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!([requests.recv().unwrap(), requests.recv().unwrap()], [0, 1]);
    (child, requests, folder)
}

/// A deployment that does not answer is not waited for: what stays is in the journal.
#[cfg(target_os = "linux")]
#[test]
fn one_sigterm_ends_a_run_in_seconds_however_long_it_may_wait_for_an_answer() {
    let (mut child, _requests, folder) = lab_without_an_answer(&["--timeout", "3600", "--report", "json=r.json"]);
    let said = thread::spawn({
        let log = child.stderr.take().unwrap();
        move || BufReader::new(log).lines().map(Result::unwrap).collect::<Vec<_>>().join("\n")
    });
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    // Were it to wait for an answer, it would not end in this minute, nor in this hour.
    let ended = (0..600).find_map(|_| {
        thread::sleep(Duration::from_millis(100));
        child.try_wait().unwrap()
    });
    let Some(ended) = ended else {
        child.kill().unwrap();
        panic!("it goes on");
    };
    let said = said.join().unwrap();
    assert_eq!(ended.code(), Some(130), "{said}");
    assert!(said.contains("not removed: up to 1 webhook") && said.contains("cleanup --journal"), "{said}");
    let report = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
    assert!(report.contains("\"interrupted\""), "{report}");
}

/// Also where the clean-up waits for a server that no longer answers.
#[cfg(target_os = "linux")]
#[test]
fn a_second_sigterm_ends_a_lab_with_its_server() {
    let (mut child, requests, folder) = lab_without_an_answer(&[]);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let terminate = |id: u32| assert!(Command::new("kill").arg(id.to_string()).status().unwrap().success());
    terminate(child.id());
    assert!(lines.any(|line| line.unwrap().starts_with("interrupted: cleaning up")));
    assert_eq!(requests.recv().unwrap(), 2);
    terminate(child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let server = std::fs::read_to_string(folder.path().join("pid")).unwrap();
    let is_running = || {
        let listed = Command::new("ps").args(["-o", "stat=", "-p", server.trim()]).output().unwrap().stdout;
        listed.first().is_some_and(|state| *state != b'Z')
    };
    while is_running() {
        thread::sleep(Duration::from_millis(10));
    }
}
