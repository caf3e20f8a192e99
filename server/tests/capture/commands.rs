//! `l10n-server captured` and `keys-edit`, beside a server.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::fixtures::{capture, code, key, meta, pending, shown, sync};

both_engines!(captured_keys_are_listed_accepted_and_discarded, keys_are_edited_by_a_person);

fn run(folder: &Path, store: &TestStore, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_l10n-server"));
    command.args(arguments).args(["--database-url", store.url()]).current_dir(folder);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("L10N_SERVER_")) {
        command.env_remove(name);
    }
    command.env("USER", "grace").env_remove("RUST_LOG").stdin(Stdio::null()).output().unwrap()
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

async fn captured_keys_are_listed_accepted_and_discarded(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    let captured = |verb: &str, more: &[&str]| {
        run(folder.path(), &store, &[&["captured", verb, "--project", "acme/app"], more].concat())
    };
    assert_eq!(stdout(&captured("list", &[])), "\n");
    let keys = json!([
        {"ref": "a", "text": "A\u{1b}[2J", "context": {"file": "a.ts", "line": 3}},
        {"ref": "b"}, {"ref": "c", "text": "C"}, {"ref": "d", "text": "D"},
    ]);
    capture(&app, &keys).await;
    let listed = stdout(&captured("list", &[]));
    assert_eq!(
        listed, "a  \"A\\u{1b}[2J\"  \"Missed in a.ts:3\"\nb  -\nc  \"C\"\nd  \"D\"\n",
        "an app's words cannot act on the terminal"
    );
    let listed: Value = serde_json::from_str(&stdout(&captured("list", &["--json"]))).unwrap();
    assert_eq!((&listed["keys"][1]["ref"], &listed["keys"][1]["text"]), (&json!("b"), &Value::Null));

    assert!(stdout(&captured("accept", &["c", "--text", "See"])).contains("1 accepted"));
    assert_eq!(pending(&app).await[0].by, "grace");
    assert!(!captured("accept", &["a", "nothing"]).status.success());
    assert_eq!(meta(&app).await["capturedCount"], 3, "all or none");
    assert!(!captured("accept", &["a", "d", "--text", "T"]).status.success());
    assert!(!captured("accept", &[]).status.success());
    assert!(stdout(&captured("discard", &["d"])).contains("1 discarded"));
    let said = stdout(&captured("accept", &["--all", "--by", "ann"]));
    assert!(said.contains("1 accepted; 1 go on waiting"), "{said}");
    assert!(stdout(&captured("discard", &["--all"])).contains("1 discarded"));
    assert_eq!(shown(&app).await, ["key_added c: - -> See", "key_added a: - -> A\u{1b}[2J"]);
    assert_eq!(meta(&app).await["capturedCount"], 0);
}

async fn keys_are_edited_by_a_person(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    sync(&app, &code(&[("a", "A"), ("b", "B"), ("c", "C")])).await;
    let edit = |verb: &str, more: &[&str]| {
        run(folder.path(), &store, &[&["keys-edit", verb, "--project", "acme/app"], more].concat())
    };
    assert!(stdout(&edit("text", &["a", "Ay"])).starts_with("changed"));
    assert!(stdout(&edit("text", &["a", "Ay"])).starts_with("it is so already"));
    stdout(&edit("rename", &["b", "bee"]));
    stdout(&edit("archive", &["c", "--by", "ann"]));
    stdout(&edit("add", &["d", "D", "--file", "en.json"]));
    let plural = r#"{"arg": "count", "forms": {"one": "{count} file", "other": "{count} files"}}"#;
    stdout(&edit("add", &["e", "--plural", plural]));
    for (verb, arguments) in [
        ("text", ["none", "T"].as_slice()),
        ("text", &["a"]),
        ("text", &["a", "T", "--plural", plural]),
        ("text", &["a", "--plural", "{}"]),
        ("rename", &["a", "bee"]),
        ("archive", &["c"]),
        ("add", &["a", "T"]),
        ("add", &["x", "T", "--file", "nowhere.json"]),
    ] {
        let refused = edit(verb, arguments);
        assert!(!refused.status.success(), "{verb} {arguments:?}");
        assert!(!refused.stderr.is_empty());
    }
    let mut lines = shown(&app).await;
    assert!(lines.pop().unwrap().starts_with("key_added e: - -> {One: \"{count} file\""), "{lines:?}");
    let expected =
        ["text_changed a: A -> Ay", "key_renamed b: b -> bee", "key_archived c: C -> -", "key_added d: - -> D"];
    assert_eq!(lines, expected);
    let by: Vec<_> = pending(&app).await.into_iter().map(|change| change.by).collect();
    assert_eq!(by, ["grace", "grace", "ann", "grace", "grace"]);
    assert_eq!(key(&app, "e").await.plural.unwrap().forms.len(), 2);
    let names: Vec<_> = app.get("/translations").send().await.json()["keys"].as_array().unwrap().to_vec();
    assert_eq!(names.len(), 4, "{:?}", names);
    let wrong = run(folder.path(), &store, &["keys-edit", "archive", "--project", "acme/none", "a"]);
    assert!(!wrong.status.success());
}
