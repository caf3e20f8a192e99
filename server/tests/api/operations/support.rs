//! Calls and decisions that most tests make.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use l10n_api_types::operations::Operation;
use l10n_api_types::{KeyKind, Scope};
use l10n_server::domain::operations::OperationDecision;
use l10n_server::engines::Pseudo;
use l10n_server::ids::ApiKeyText;
use l10n_server::store::api_keys;
use l10n_server::testing::decide;
use l10n_server::testing::{Answer, TestApp, TestStore};
use serde_json::{Value, json};

/// A server without workers: jobs stay queued, so that nothing moves by itself.
pub(crate) async fn idle(store: &TestStore) -> TestApp {
    TestApp::idle(store, |_| {}, Arc::new(Pseudo)).await
}

/// `POST /operations` with this key.
pub(crate) async fn post(app: &TestApp, key: &str, body: &Value) -> Answer {
    app.post("/operations").key(key).json(body).send().await
}

/// Asks for an operation.
pub(crate) async fn ask(app: &TestApp, key: &str, body: &Value) -> Operation {
    let answer = post(app, key, body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.read()
}

/// A person of this process allows it.
pub(crate) async fn approve(app: &TestApp, operation: &Operation) -> Operation {
    let verdict = OperationDecision { is_approved: true, by: "ada", reason: None };
    decide(&app.service, operation.operation_id.as_str(), verdict).await.unwrap()
}

/// A person of this process refuses it.
pub(crate) async fn deny(app: &TestApp, operation: &Operation) -> Operation {
    let verdict = OperationDecision { is_approved: false, by: "ada", reason: Some("not on a Friday") };
    decide(&app.service, operation.operation_id.as_str(), verdict).await.unwrap()
}

/// An operation that the app's agent has asked for and a person has allowed.
pub(crate) async fn approved(app: &TestApp, body: &Value) -> Operation {
    let asked = ask(app, &app.project.keys.agent, body).await;
    approve(app, &asked).await
}

/// `GET /operations/{operationId}`.
pub(crate) async fn get(app: &TestApp, operation: &Operation) -> Operation {
    let answer = app.get(&format!("/operations/{}", operation.operation_id)).send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.read()
}

/// Another agent's key, with its record's id.
pub(crate) async fn another_agent(app: &TestApp) -> (String, String) {
    let text = app.key(&app.project, &[Scope::Admin], KeyKind::Agent).await;
    let id = key_id(app, &text).await;
    (text, id)
}

/// The record of a key.
pub(crate) async fn key_id(app: &TestApp, text: &str) -> String {
    let hash = ApiKeyText::parse(text).unwrap().hash();
    let mut tx = app.service.store.begin_read().await.unwrap();
    api_keys::find_by_hash(&mut tx, &hash).await.unwrap().unwrap().id
}

/// Gives the project a key, so that it can be published.
pub(crate) async fn greet(app: &TestApp) {
    let answer = app.post("/translate").json(&keys("greeting", "Hello")).send().await;
    assert!(answer.status < 300, "{answer:?}");
}

/// The body of a run over one key.
pub(crate) fn keys(name: &str, text: &str) -> Value {
    json!({"keys": [{"ref": name, "text": text}]})
}

/// The body of a sync of one file in the base language.
pub(crate) fn file(content: &Value) -> Value {
    json!({"file": {"path": "en.json", "content": content.to_string(), "encoding": "utf8", "format": "json"}})
}

/// Publishes as the one who needs no approval; returns the version.
pub(crate) async fn version(app: &TestApp) -> String {
    let answer = app.post("/publish").send().await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["versionId"].as_str().unwrap().to_owned()
}

/// A call of the app's agent, with an operation.
pub(crate) async fn act(app: &TestApp, path: &str, mut body: Value, operation: &Operation) -> Answer {
    body["operationId"] = json!(operation.operation_id);
    app.post(path).key(&app.project.keys.agent).json(&body).send().await
}

/// The `details` of a refusal for lack of an approval, whose message must not be empty.
pub(crate) fn details(answer: &Answer) -> Value {
    assert_eq!(answer.outcome(), "403 authorization_required", "{answer:?}");
    let error = answer.error();
    assert!(error.message.len() > 40, "{}", error.message);
    error.details.unwrap_or_else(|| panic!("no details: {answer:?}")).into()
}

/// The state that a refused call must not change.
pub(crate) async fn state(app: &TestApp) -> Value {
    let mut meta = app.get("/meta").send().await.json();
    meta.as_object_mut().unwrap().remove("remaining");
    let versions = app.get("/versions").send().await.json();
    let translations = app.get("/translations?limit=500").send().await.json();
    json!({"meta": meta, "versions": versions, "translations": translations})
}

/// Runs the binary to its end, in a folder of the test, without settings from outside.
pub(crate) fn run(folder: &Path, url: &str, arguments: &[&str]) -> Output {
    ended(&mut command(folder, url, arguments))
}

/// Runs a command to its end, and leaves the threads to the server's jobs, one of which may hold a lock that it needs.
pub(crate) fn ended(command: &mut Command) -> Output {
    tokio::task::block_in_place(|| command.output().unwrap())
}

/// The command line that [`run`] runs.
pub(crate) fn command(folder: &Path, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_l10n-server"));
    command.args(arguments).args(["--database-url", url]).current_dir(folder);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("L10N_SERVER_")) {
        command.env_remove(name);
    }
    command.env("USER", "grace").env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// Its standard output.
pub(crate) fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Its standard error, if it failed.
pub(crate) fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}
