//! `l10n-server captured` and `keys-edit`, beside a server.

use l10n_api_types::State;
use l10n_server::both_engines;
use l10n_server::domain::people::audit::{self, ActorKind, AuditFilter};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::capture::fixtures::{capture, code, key, meta, pending, shown, sync};
use crate::operations::support::{run, stdout};

both_engines!(
    captured_keys_are_listed_accepted_and_discarded,
    keys_are_edited_by_a_person,
    imported_translations_are_listed_and_reviewed,
    the_memory_of_a_project_is_set,
    projects_workspaces_and_documents_are_listed_archived_and_restored,
);

/// Entries of operators: the action, the name and the details, oldest first.
async fn audited(app: &TestApp) -> Vec<[String; 3]> {
    let log = audit::list(app.service.people(), &app.project.workspace, &AuditFilter::default(), 50).await.unwrap();
    let by_operators = log.entries.into_iter().rev().filter(|entry| entry.actor_kind == ActorKind::Operator);
    by_operators.map(|it| [it.action.as_str().to_owned(), it.actor, it.detail.unwrap_or_default()]).collect()
}

fn told_of(entry: (&str, &str, &str)) -> [String; 3] {
    [entry.0, entry.1, entry.2].map(str::to_owned)
}

async fn captured_keys_are_listed_accepted_and_discarded(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    let captured = |verb: &str, more: &[&str]| {
        run(folder.path(), store.url(), &[&["captured", verb, "--project", "acme/app"], more].concat())
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
    assert!(said.contains("1 accepted; 1 still waiting"), "{said}");
    assert!(stdout(&captured("discard", &["--all"])).contains("1 discarded"));
    assert_eq!(shown(&app).await, ["key_added c: - -> See", "key_added a: - -> A\u{1b}[2J"]);
    assert_eq!(meta(&app).await["capturedCount"], 0);
    let told = [
        ("captured_accepted", "grace", "c"),
        ("captured_discarded", "grace", "d"),
        ("captured_accepted", "ann", "a"),
        ("captured_discarded", "grace", "b"),
    ];
    assert_eq!(audited(&app).await, told.map(told_of));
}

async fn keys_are_edited_by_a_person(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    sync(&app, &code(&[("a", "A"), ("b", "B"), ("c", "C")])).await;
    let edit = |verb: &str, more: &[&str]| {
        run(folder.path(), store.url(), &[&["keys-edit", verb, "--project", "acme/app"], more].concat())
    };
    assert!(stdout(&edit("text", &["a", "Ay"])).starts_with("changed"));
    assert!(stdout(&edit("text", &["a", "Ay"])).starts_with("no change: it already has this value"));
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
    assert_eq!(lines.pop().unwrap(), "key_added e: - -> one {count} file | other {count} files");
    let expected =
        ["text_changed a: A -> Ay", "key_renamed b: b -> bee", "key_archived c: C -> -", "key_added d: - -> D"];
    assert_eq!(lines, expected);
    let by: Vec<_> = pending(&app).await.into_iter().map(|change| change.by).collect();
    assert_eq!(by, ["grace", "grace", "ann", "grace", "grace"]);
    let told = [
        ("code_change_made", "grace", "text_changed: a"),
        ("code_change_made", "grace", "key_renamed: b → bee"),
        ("code_change_made", "ann", "key_archived: c"),
        ("code_change_made", "grace", "key_added: d"),
        ("code_change_made", "grace", "key_added: e"),
    ];
    assert_eq!(audited(&app).await, told.map(told_of), "what was refused or changed nothing is not there");
    assert_eq!(key(&app, "e").await.plural.unwrap().forms.len(), 2);
    let names: Vec<_> = app.get("/translations").send().await.json()["keys"].as_array().unwrap().to_vec();
    assert_eq!(names.len(), 4, "{:?}", names);
    let wrong = run(folder.path(), store.url(), &["keys-edit", "archive", "--project", "acme/none", "a"]);
    assert!(!wrong.status.success());
}

async fn imported_translations_are_listed_and_reviewed(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    sync(&app, &code(&[("a", "A"), ("b", "B"), ("c", "C")])).await;
    let german = json!({"a": "Ah\u{1b}[2J", "b": "Beh", "c": "Zeh"});
    let mut body =
        json!({"file": {"path": "de.json", "content": german.to_string(), "encoding": "utf8", "format": "json"}});
    body["language"] = json!("de");
    assert_eq!(app.post("/sync").json(&body).send().await.status, 200);
    let review = |more: &[&str]| {
        let arguments = ["translations", "review", "--project", "acme/app", "--language", "de"];
        run(folder.path(), store.url(), &[&arguments, more].concat())
    };
    let listed = stdout(&review(&[]));
    let lines: Vec<&str> = listed.lines().collect();
    assert_eq!(
        lines,
        ["a  import  \"A\" -> \"Ah\\u{1b}[2J\"", "b  import  \"B\" -> \"Beh\"", "c  import  \"C\" -> \"Zeh\""]
    );
    assert_eq!(stdout(&review(&["b"])), "1 reviewed\n");
    let listed: Value = serde_json::from_str(&stdout(&review(&["--json"]))).unwrap();
    let refs: Vec<_> = listed["translations"].as_array().unwrap().iter().map(|row| row["ref"].clone()).collect();
    assert_eq!(refs, ["a", "c"]);
    assert!(stdout(&review(&["--limit", "1"])).contains("--limit shows more"));
    let unknown = review(&["a", "nothing"]);
    assert!(!unknown.status.success());
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("`nothing`"));
    assert_eq!(stdout(&review(&["--all", "--origin", "human"])), "0 reviewed\n");
    assert_eq!(stdout(&review(&["--all"])), "2 reviewed\n");
    let none = "No translation into de waits for review; --origin any lists those of every origin.\n";
    assert_eq!(stdout(&review(&[])), none);
    for name in ["a", "b", "c"] {
        assert_eq!(key(&app, name).await.translations[0].state, State::Reviewed);
    }
}

async fn the_memory_of_a_project_is_set(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    let set = |setting: &str| run(folder.path(), store.url(), &["projects", "set", "acme/app", "--memory", setting]);
    for setting in ["project", "off", "workspace"] {
        assert_eq!(stdout(&set(setting)), format!("acme/app: memory is {setting}\n"));
        let mut tx = app.service.store.begin_read().await.unwrap();
        let held = l10n_server::store::projects::find(&mut tx, &app.project.id).await.unwrap().unwrap();
        assert_eq!(held.memory.as_str(), setting);
    }
    let wrong = set("none");
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("workspace, project, off"));
}

async fn projects_workspaces_and_documents_are_listed_archived_and_restored(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    let said = |arguments: &[&str]| stdout(&run(folder.path(), store.url(), arguments));
    let new = json!({"externalId": "guide.md", "format": "markdown", "body": "# A guide\n"});
    let document = app.post("/content").json(&new).send().await.json()["docId"].as_str().unwrap().to_owned();
    let of_project = ["--project", "acme/app"];
    let documents = |verb: &str| [&["documents", verb, &document][..], &of_project].concat().join(" ");
    let all = |words: String| said(&words.split(' ').collect::<Vec<_>>());

    assert_eq!(said(&["projects", "list"]), "acme/app  0 keys\n");
    assert_eq!(said(&["workspaces", "list"]), "acme  1 project\n");
    assert_eq!(said(&[&["documents", "list"][..], &of_project].concat()), format!("{document}  guide.md\n"));
    for (list, archive, delete, restore) in [
        (
            "projects list".to_owned(),
            "projects archive acme/app".to_owned(),
            "projects delete acme/app".to_owned(),
            "projects restore acme/app".to_owned(),
        ),
        (
            "workspaces list".to_owned(),
            "workspaces archive acme".to_owned(),
            "workspaces delete acme".to_owned(),
            "workspaces restore acme".to_owned(),
        ),
        (
            "documents list --project acme/app".to_owned(),
            documents("archive"),
            documents("delete"),
            documents("restore"),
        ),
    ] {
        assert!(all(archive).contains("is archived; `restore` takes it back"));
        assert!(all(list.clone()).contains("  archived at "));
        assert!(all(delete).contains("will be deleted at "));
        assert!(all(list.clone()).contains("  archived, will be deleted at "));
        let listed: Value = serde_json::from_str(&all(format!("{list} --json"))).unwrap();
        let entries = listed.as_object().unwrap().values().next().unwrap();
        assert!(entries[0]["deleteAt"].is_string() && entries[0]["archivedAt"].is_string(), "{listed}");
        assert!(all(restore).contains("is back"));
        assert!(!all(list).contains("archived"));
    }
    let provision = run(folder.path(), store.url(), &["projects", "archive", "acme/none"]);
    assert!(String::from_utf8_lossy(&provision.stderr).contains("no project `acme/none`"));
    assert_eq!(app.get("/meta").send().await.status, 200);
}
