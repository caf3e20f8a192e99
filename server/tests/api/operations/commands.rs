//! `l10n-server operations` and `keys revoke`, beside a server.

use l10n_api_types::operations::OperationStatus;
use l10n_server::both_engines;
use l10n_server::clock::{Clock as _, SystemClock};
use l10n_server::testing::{TestApp, TestStore};
use serde_json::{Value, json};

use crate::operations::support::{
    act, another_agent, approve, ask, command, complaint, details, ended, get, greet, idle, run, stdout,
};

both_engines!(
    operations_are_listed_allowed_and_refused,
    an_operation_shows_how_many_keys_it_may_archive,
    what_is_over_is_not_decided_again,
    an_agents_words_cannot_act_on_the_terminal,
    revoking_a_key_cancels_what_it_asked_for,
    who_decides_is_known_to_the_system_where_user_is_not_set,
);

/// The binary decides by the clock of the machine.
async fn by_the_machines_clock(store: &TestStore) -> TestApp {
    let app = idle(store).await;
    app.clock.set(SystemClock.now());
    greet(&app).await;
    app
}

async fn operations_are_listed_allowed_and_refused(store: TestStore) {
    let app = by_the_machines_clock(&store).await;
    let agent = app.project.keys.agent.clone();
    let folder = tempfile::tempdir().unwrap();
    let operations = |arguments: &[&str]| run(folder.path(), store.url(), &[&["operations"], arguments].concat());
    assert_eq!(stdout(&operations(&["list"])), "There are no such operations.\n");
    let translation = json!({"kind": "translation", "max_credits": 5, "languages": ["de"], "note": "two strings"});
    let translation = ask(&app, &agent, &translation).await;
    let publish = ask(&app, &agent, &json!({"kind": "publish"})).await;
    let list = stdout(&operations(&["list", "--project", "acme/app", "--status", "pending"]));
    let lines: Vec<&str> = list.lines().collect();
    assert!(lines[0].starts_with(publish.operation_id.as_str()), "newest first: {list}");
    assert!(lines[1].contains("pending   acme/app  translation of strings for at most 5 credits, de alone"), "{list}");
    assert_eq!(lines[2], "    note: two strings");

    let said = stdout(&operations(&["approve", publish.operation_id.as_str(), "--note", "fine"]));
    assert!(said.contains("is approved: publish of strings of key \"test\", once, until "), "{said}");
    let approved = get(&app, &publish).await;
    assert_eq!(approved.status, OperationStatus::Approved);
    assert_eq!((approved.decided_by.as_deref(), approved.reason.as_deref()), (Some("grace"), Some("fine")));
    let refuse = ["deny", translation.operation_id.as_str(), "--by", "Ada L.", "--reason", "too dear"];
    assert!(stdout(&operations(&refuse)).contains("is denied"));
    let denied = get(&app, &translation).await;
    assert_eq!((denied.status, denied.decided_by.as_deref()), (OperationStatus::Denied, Some("Ada L.")));
    assert_eq!(denied.reason.as_deref(), Some("too dear"));
    assert_eq!(act(&app, "/publish", json!({}), &approved).await.outcome(), "201");

    let listed: Value = serde_json::from_str(&stdout(&operations(&["list", "--json", "--limit", "1"]))).unwrap();
    let used = &listed["operations"][0];
    assert_eq!((&used["project"], &used["status"]), (&json!("acme/app"), &json!("used")));
    assert_eq!(listed["operations"].as_array().unwrap().len(), 1);
    assert!(used["requestId"].is_string());
    for (status, count) in [("pending", 0), ("approved", 0), ("denied", 1), ("used", 1), ("expired", 0)] {
        let listed = stdout(&operations(&["list", "--status", status, "--json"]));
        let listed: Value = serde_json::from_str(&listed).unwrap();
        assert_eq!(listed["operations"].as_array().unwrap().len(), count, "{status}");
    }
    let expired = ask(&app, &agent, &json!({"kind": "publish"})).await;
    let mut tx = app.service.store.begin_read().await.unwrap();
    let expired_then = l10n_server::domain::operations::list;
    app.clock.set(expired.expires_at);
    let found = expired_then(&mut tx, &app.service.settings, app.clock.now(), None, Some(OperationStatus::Expired), 9)
        .await
        .unwrap();
    assert_eq!(
        found.into_iter().map(|(_, operation)| operation.operation_id).collect::<Vec<_>>(),
        [expired.operation_id]
    );
}

/// A person sees how many keys the agent wants to archive.
async fn an_operation_shows_how_many_keys_it_may_archive(store: TestStore) {
    let app = by_the_machines_clock(&store).await;
    let agent = app.project.keys.agent.clone();
    let folder = tempfile::tempdir().unwrap();
    let operations = |arguments: &[&str]| run(folder.path(), store.url(), &[&["operations"], arguments].concat());
    let archiving = json!({"kind": "translation", "max_credits": 1, "maxArchivedKeys": 12});
    let archiving = ask(&app, &agent, &archiving).await;
    let words = "translation of strings for at most 1 credits, archiving at most 12 keys";
    let list = stdout(&operations(&["list", "--limit", "1"]));
    assert!(list.contains(words), "{list}");
    let said = stdout(&operations(&["approve", archiving.operation_id.as_str()]));
    assert!(said.contains(&format!("is approved: {words} of key")), "{said}");
}

/// A second decision and one about nothing are errors, which say what is the matter.
async fn what_is_over_is_not_decided_again(store: TestStore) {
    let app = by_the_machines_clock(&store).await;
    let folder = tempfile::tempdir().unwrap();
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let approved = approve(&app, &asked).await;
    let id = asked.operation_id.as_str();
    for verb in ["approve", "deny"] {
        let said = complaint(&run(folder.path(), store.url(), &["operations", verb, id]));
        assert!(said.contains("waits for no decision: ada approved it at "), "{said}");
    }
    assert_eq!(get(&app, &asked).await, approved);
    let said = complaint(&run(folder.path(), store.url(), &["operations", "deny", "op_none"]));
    assert!(said.contains("there is no operation `op_none`; `l10n-server operations list`"), "{said}");
    let said = complaint(&run(folder.path(), store.url(), &["operations", "list", "--project", "acme/none"]));
    assert!(said.contains("there is no project `acme/none`"), "{said}");
    let waits = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let waits = waits.operation_id.as_str();
    let long = "x".repeat(1_001);
    for arguments in
        [["approve", waits, "--by", ""], ["approve", waits, "--by", "a\u{7}"], ["deny", waits, "--reason", &long]]
    {
        let said = complaint(&run(folder.path(), store.url(), &[&["operations"], &arguments[..]].concat()));
        assert!(said.contains("1 to 1000 characters"), "{said}");
    }
    let unknown = run(folder.path(), store.url(), &["operations", "list", "--status", "done"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("pending, approved, denied, expired, used, canceled"));
}

/// The person who decides reads the agent's text on a terminal.
async fn an_agents_words_cannot_act_on_the_terminal(store: TestStore) {
    let app = by_the_machines_clock(&store).await;
    let note = "publish\n    reason: fine\u{202e}\u{9b}31m"; // C1 controls are refused, bidirectional ones are shown
    let body = json!({"kind": "publish", "note": note});
    assert_eq!(app.post("/operations").json(&body).send().await.outcome(), "400 invalid_argument");
    ask(&app, &app.project.keys.agent, &json!({"kind": "publish", "note": note.replace('\u{9b}', "")})).await;
    let folder = tempfile::tempdir().unwrap();
    let list = stdout(&run(folder.path(), store.url(), &["operations", "list"]));
    assert_eq!(list.lines().count(), 2, "a note has one line: {list}");
    assert!(list.contains("note: publish\\n    reason: fine\\u{202e}31m"), "{list}");
}

/// AUTH-5: pending and approved ones; what was used stays used.
async fn revoking_a_key_cancels_what_it_asked_for(store: TestStore) {
    let app = by_the_machines_clock(&store).await;
    let (text, id) = another_agent(&app).await;
    let body = json!({"kind": "publish"});
    let pending = ask(&app, &text, &body).await;
    let allowed = approve(&app, &ask(&app, &text, &body).await).await;
    let used = approve(&app, &ask(&app, &text, &body).await).await;
    let of_another = ask(&app, &app.project.keys.agent, &body).await;
    let call = app.post("/publish").key(&text).json(&json!({"operationId": used.operation_id}));
    assert_eq!(call.send().await.outcome(), "201");

    let folder = tempfile::tempdir().unwrap();
    assert_eq!(stdout(&run(folder.path(), store.url(), &["keys", "revoke", &id])), format!("{id} is revoked\n"));
    for (operation, status) in [
        (&pending, OperationStatus::Canceled),
        (&allowed, OperationStatus::Canceled),
        (&used, OperationStatus::Used),
        (&of_another, OperationStatus::Pending),
    ] {
        assert_eq!(get(&app, operation).await.status, status);
    }
    let said = complaint(&run(folder.path(), store.url(), &["operations", "approve", pending.operation_id.as_str()]));
    assert!(said.contains("the key that asked for it was revoked or has expired"), "{said}");
    let call = app.post("/publish").key(&text).json(&json!({"operationId": allowed.operation_id}));
    assert_eq!(call.send().await.outcome(), "401 unauthorized");
    assert_eq!(details(&act(&app, "/publish", json!({}), &allowed).await)["reason"], "other_key");
}

/// Services and containers set no USER; in some the system has no name for their user either.
async fn who_decides_is_known_to_the_system_where_user_is_not_set(store: TestStore) {
    let app = by_the_machines_clock(&store).await;
    let asked = ask(&app, &app.project.keys.agent, &json!({"kind": "publish"})).await;
    let folder = tempfile::tempdir().unwrap();
    let mut approve = command(folder.path(), store.url(), &["operations", "approve", asked.operation_id.as_str()]);
    approve.env_remove("USER");
    let mut nameless = command(folder.path(), store.url(), &["operations", "approve", asked.operation_id.as_str()]);
    let said = complaint(&ended(nameless.env_remove("USER").env("PATH", "/nowhere")));
    assert!(said.contains("say it with --by NAME, or set USER"), "{said}");
    assert_eq!(get(&app, &asked).await.status, OperationStatus::Pending);
    stdout(&ended(&mut approve));
    let known = std::process::Command::new("id").arg("-un").output().unwrap();
    let known = String::from_utf8(known.stdout).unwrap();
    assert_eq!(get(&app, &asked).await.decided_by.as_deref(), Some(known.trim()));
}
