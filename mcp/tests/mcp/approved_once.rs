//! A person approves each piece of work once, and nothing that is done.

use l10n_mcp::{Options, Server};
use l10n_server::both_engines;
use l10n_server::testing::{TestApp, TestStore, sql};
use serde_json::{Value, json};

use crate::once::{state, writes};
use crate::person::{decide_only, pending};
use crate::proxy::{Fault, Proxy};
use crate::support::{Agent, Host, REVISIONS, Revision, account, two_keys};

both_engines!(
    nobody_is_asked_to_approve_what_is_done,
    nobody_is_asked_again_although_every_answer_was_lost,
    a_file_with_another_description_is_asked_for,
    a_program_that_was_started_anew_asks_for_what_changes_alone,
    nobody_is_asked_to_publish_documents_that_are_live,
);

/// Calls a tool; a person approves it if that is asked.
async fn approved(app: &TestApp, agent: &Agent, tool: &'static str, arguments: &Value) -> Value {
    let asked = agent.ok(tool, arguments.clone()).await;
    if asked["status"] != "needs_approval" {
        return asked;
    }
    decide_only(&app.service, true).await;
    let done = agent.ok(tool, arguments.clone()).await;
    assert_ne!(done["status"], "needs_approval", "{tool} {arguments}: {done}");
    done
}

/// Calls a tool; nobody may be asked.
async fn unasked(app: &TestApp, agent: &Agent, tool: &'static str, arguments: &Value) -> Value {
    let done = agent.ok(tool, arguments.clone()).await;
    assert_ne!(done["status"], "needs_approval", "{tool} {arguments}: {done}");
    assert!(pending(&app.service).await.is_empty(), "{tool} {arguments}");
    done
}

/// OPS-1
async fn nobody_is_asked_to_approve_what_is_done(store: TestStore) {
    let app = TestApp::on(&store).await;
    for (turn, revision) in REVISIONS.into_iter().enumerate() {
        let agent = Agent::with(&app, &app.project.keys.agent, revision).await;
        for (tool, arguments) in writes(&agent, turn).await {
            approved(&app, &agent, tool, &arguments).await;
            let before = state(&agent).await;
            for _ in 0..2 {
                unasked(&app, &agent, tool, &arguments).await;
                assert_eq!(state(&agent).await, before, "{tool} {arguments}");
            }
        }
    }
}

async fn nobody_is_asked_again_although_every_answer_was_lost(store: TestStore) {
    let app = TestApp::on(&store).await;
    let proxy = Proxy::to(app.address).await;
    let agent = Agent::through(&proxy, &app, &app.project.keys.agent, Host::plain()).await;
    let document = json!({"external_id": "a.md", "content": "# Title\n", "reason": "r"});
    for (tool, ends, call) in [
        ("translate", "/translate", json!({"keys": two_keys(), "reason": "r"})),
        ("translate_document", "/run", document),
    ] {
        assert_eq!(agent.ok(tool, call.clone()).await["status"], "needs_approval");
        decide_only(&app.service, true).await;
        proxy.break_next(usize::MAX, "POST", ends, Fault::LostAnswer);
        let lost = agent.fails(tool, call.clone()).await;
        assert_eq!(lost["details"]["outcome"], "landed", "{lost}");
        proxy.mend();
        let run = unasked(&app, &agent, tool, &call).await;
        assert_eq!((&run["status"], &run["new"]), (&json!("completed"), &json!(0)), "{run}");
        // It was waited for.
        let key = json!({"tracking_token": lost["details"]["id"], "wait_seconds": 0});
        assert_eq!(agent.ok("get_run", key).await["status"], "completed");
    }
}

/// A sync of an unchanged text may still bring something: a person is asked, but once only.
async fn a_file_with_another_description_is_asked_for(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    let options = Options { folder: Some(folder.path().to_owned()), ..Options::default() };
    let server = Server::new(account(&app, &app.project.keys.agent), options);
    let agent = Agent::of(server, Revision::New, Host::plain()).await;
    let call = json!({"file_path": "app_en.arb", "reason": "r"});
    for description in ["The title", "The title of a page"] {
        let text = json!({"@@locale": "en", "title": "Home", "@title": {"description": description}});
        std::fs::write(folder.path().join("app_en.arb"), text.to_string()).unwrap();
        assert_eq!(agent.ok("translate", call.clone()).await["status"], "needs_approval", "{description}");
        approved(&app, &agent, "translate", &call).await;
        assert_eq!(agent.ok("get_key", json!({"ref": "title"})).await["description"], description);
        unasked(&app, &agent, "translate", &call).await;
    }
}

/// It has forgotten what it did; the service says whether a call would change anything.
async fn a_program_that_was_started_anew_asks_for_what_changes_alone(store: TestStore) {
    let app = TestApp::on(&store).await;
    let folder = tempfile::tempdir().unwrap();
    let started = async || {
        let options = Options { folder: Some(folder.path().to_owned()), ..Options::default() };
        Agent::of(Server::new(account(&app, &app.project.keys.agent), options), Revision::New, Host::plain()).await
    };
    let write = |text: Value| std::fs::write(folder.path().join("app_en.arb"), text.to_string()).unwrap();
    let file = json!({"file_path": "app_en.arb", "reason": "r"});
    let keys = json!({"keys": two_keys(), "reason": "r"});
    let described =
        |description: &str| json!({"@@locale": "en", "title": "Home", "@title": {"description": description}});
    write(described("The title"));
    let agent = started().await;
    for call in [&file, &keys] {
        approved(&app, &agent, "translate", call).await;
        let done = unasked(&app, &started().await, "translate", call).await;
        assert_eq!(
            (&done["status"], &done["new"], &done["changed"]),
            (&json!("completed"), &json!(0), &json!(0)),
            "{done}"
        );
    }
    for changed in [described("The title of a page"), json!({"@@locale": "en", "title": "Home", "@@author": "Ada"})] {
        write(changed);
        let agent = started().await;
        assert_eq!(agent.ok("translate", file.clone()).await["status"], "needs_approval");
        approved(&app, &agent, "translate", &file).await;
        unasked(&app, &started().await, "translate", &file).await;
    }
}

async fn nobody_is_asked_to_publish_documents_that_are_live(store: TestStore) {
    let app = TestApp::on(&store).await;
    let admin = Agent::admin(&app, Revision::New).await;
    let agent = Agent::with(&app, &app.project.keys.agent, Revision::New).await;
    let publish = json!({"target": "content", "reason": "r"});
    let pushed = json!({"external_id": "c.md", "content": "# New\n", "dry_run": true, "reason": "r"});
    admin.ok("translate_document", pushed).await;
    assert_eq!(unasked(&app, &agent, "publish", &publish).await["summary"]["skipped"], 1, "nothing is translated");
    admin.ok("translate_document", json!({"external_id": "a.md", "content": "# Title\n", "reason": "r"})).await;
    admin.ok("translate_document", json!({"external_id": "b.md", "content": "# Other\n", "reason": "r"})).await;
    assert_eq!(agent.ok("publish", publish.clone()).await["status"], "needs_approval", "nothing is live yet");
    approved(&app, &agent, "publish", &publish).await;

    let other = Agent::with(&app, &app.project.keys.agent, Revision::New).await;
    let live = unasked(&app, &other, "publish", &publish).await;
    let counts = json!({"published": 0, "unchanged": 2, "skipped": 1, "held_back": 0, "too_large": 0});
    assert_eq!((&live["already_live"], &live["summary"]), (&json!(true), &counts), "{live}");
    let document = other.ok("get_document", json!({"external_id": "a.md"})).await;
    let version = document["document"]["live_version_id"].clone();
    let restore = json!({"version_id": version, "reason": "r"});
    assert_eq!(unasked(&app, &other, "restore_version", &restore).await["already_live"], true);

    // A person corrects a translation: no number of the list tells that.
    sql::run(&app.service.store, "UPDATE segment_translations SET text = 'Titel' WHERE language = 'de'").await;
    assert_eq!(other.ok("publish", publish).await["status"], "needs_approval");
}
