//! Every example runs to its end and prints the expected lines.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use l10n_client::api::publish::Publish;
use l10n_client::{Client, file_upload, sync_body};
use serde_json::Value;

/// A program that `cargo test --workspace` has built beside this test.
fn program(name: &Path) -> Option<PathBuf> {
    let test = std::env::current_exe().unwrap();
    test.ancestors().map(|folder| folder.join(name)).find(|program| program.is_file())
}

fn example(name: &str) -> PathBuf {
    let program = program(&Path::new("examples").join(name));
    program.unwrap_or_else(|| panic!("cargo test did not build the example {name}"))
}

/// The server's program; built now if only this crate is tested.
fn server() -> PathBuf {
    let name = Path::new("l10n-server");
    program(name).unwrap_or_else(|| {
        let built =
            Command::new(env!("CARGO")).args(["build", "--package", "l10n-server", "--bin", "l10n-server"]).status();
        assert!(built.unwrap().success());
        program(name).unwrap()
    })
}

/// A program that is stopped when the test ends.
struct Running {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        Self { said: BufReader::new(child.stdout.take().unwrap()), child }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// FN-1, FN-3: register, price, translate, publish, deliver, on the file in `data`.
#[test]
fn the_quickstart_shows_the_whole_main_job_and_ends_by_itself() {
    let output = Command::new(example("quickstart")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for expected in
        ["holds 61 new keys", "in all", "Published `first` with 4 files", "locales/ar.json", "All hashes are right"]
    {
        assert!(said.contains(expected), "`{expected}` is not in:\n{said}");
    }
}

/// FN-1: an engine that truly translates loses no placeholder, tag or number.
#[test]
fn the_quickstart_translates_with_apertium_where_it_is_installed() {
    if !Path::new("/usr/share/apertium/modes/eng-spa.mode").is_file() {
        let required = std::env::var("L10N_REQUIRE").unwrap_or_default().split(',').any(|name| name == "apertium");
        assert!(!required, "Apertium with the pair eng-spa is required and not installed");
        println!("SKIPPED: Apertium with the pair eng-spa is not installed");
        return;
    }
    let output = Command::new(example("quickstart")).args(["--engine", "apertium"]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    for expected in ["locales/es.json", "All hashes are right"] {
        assert!(said.contains(expected), "`{expected}` is not in:\n{said}");
    }
}

/// FN-4, CP-7: a folder of Markdown is pushed, translated, published and pulled; markup stays.
#[test]
fn a_folder_of_markdown_becomes_a_translated_site() {
    let output = Command::new(example("content_site")).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        said.contains("guide/first-steps.md is \"First steps\"") && said.contains("Published 2 documents"),
        "{said}"
    );
    let written = said.lines().find(|line| line.ends_with("/pl/guide/first-steps.md")).unwrap();
    let text = std::fs::read_to_string(written.trim()).unwrap();
    assert!(text.contains("rowing --start dock --to bend") && text.contains("`two`"), "{text}");
    assert!(!text.contains("keep your balance"), "{text}");
}

/// EV-1, SIG-1: a receiver that registers its own webhook with a development server receives each publish, and leaves
/// nothing behind.
#[tokio::test]
async fn the_receiver_registers_verifies_and_deletes_its_webhook() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(server());
    command.env_clear().current_dir(folder.path()).args(["dev", "--json", "--listen", "127.0.0.1:0"]);
    command.stderr(Stdio::null());
    let mut server = Running::start(&mut command);
    let ready: Value = serde_json::from_str(&server.line()).unwrap();
    let (base_url, key) = (ready["baseUrl"].as_str().unwrap(), ready["apiKey"].as_str().unwrap());

    let mut command = Command::new(example("webhook_receiver"));
    command.env_clear().current_dir(folder.path()).arg("2");
    command.envs([("L10N_BASE_URL", base_url), ("L10N_API_KEY", key), ("L10N_PROJECT", "demo/app")]);
    let mut receiver = Running::start(&mut command);
    let registered = receiver.line();
    assert!(registered.starts_with("Registered whk_"), "{registered}");

    let client = Client::builder(base_url).api_key(key).no_proxy().build().unwrap();
    let project = client.projects().find("demo", "app").await.unwrap();
    assert_eq!(project.webhooks().list().await.unwrap().len(), 1);
    let file = sync_body(file_upload("locales/en.json", br#"{"hello": "Hello", "bye": "Bye"}"#).unwrap());
    project.translations().sync(&file).await.unwrap();
    for label in ["first", "second"] {
        let publish = Publish { label: Some(label.to_owned()), ..Publish::default() };
        project.publish(&publish).await.unwrap();
        let said = receiver.line();
        assert!(said.starts_with("evt_") && said.ends_with(&format!(" app: {label} with 2 keys\n")), "{said}");
    }
    let mut rest = String::new();
    receiver.said.read_to_string(&mut rest).unwrap();
    assert!(rest.starts_with("Deleted whk_") && rest.ends_with(" after 2 events\n"), "{rest}");
    assert!(receiver.child.wait().unwrap().success());
    assert!(project.webhooks().list().await.unwrap().is_empty());
}
