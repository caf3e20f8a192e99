//! `--request-approval` and `--operation-id`: an AI agent's key and the person who decides.

use l10n_client::api::WholeCredits;
use l10n_client::api::operations::{OperationKind, OperationStatus};
use l10n_server::both_engines;
use l10n_server::testing::TestStore;
use serde_json::json;

use crate::person::{Person, decide_all};
use crate::support::{L10n, World};

both_engines!(
    an_agent_publishes_and_restores_what_a_person_has_approved,
    an_agent_syncs_each_file_within_the_price_that_a_person_has_approved,
    an_agent_archives_as_many_keys_as_its_preview_showed_the_person,
);

impl World {
    /// The program with the agent's key.
    fn agent(&self, arguments: &[&str]) -> L10n {
        self.l10n(arguments).key(&self.app.project.keys.agent)
    }
}

/// OPS-1, OPS-4: the command asks, waits and continues; an approval counts once.
async fn an_agent_publishes_and_restores_what_a_person_has_approved(store: TestStore) {
    let world = World::on(&store).await;
    world.ok(&["sync"]).await;
    world.ok(&["publish"]).await;
    let person = Person::who_approves(&world.app.service);
    let published = world
        .agent(&["publish", "--request-approval", "--note", "Release 2", "--languages", "de", "--json"])
        .run()
        .await;
    assert_eq!(published.status, 0, "{}", published.stderr);
    assert_eq!(published.json()["label"], "v2");
    let operation = person.decided().remove(0);
    assert_eq!((operation.kind, operation.note.as_deref()), (OperationKind::Publish, Some("Release 2")));
    assert_eq!(operation.languages, Some(vec!["de".into()]));
    for words in [&operation.approval_url, &format!("l10n-server operations approve {}", operation.operation_id)] {
        assert!(published.stderr.contains(words.as_str()), "{words}: {}", published.stderr);
    }
    // The same approval does not count a second time.
    let id = operation.operation_id.as_str();
    let again = world.agent(&["publish", "--languages", "de", "--operation-id", id]).run().await;
    assert_eq!(again.status, 9, "{}", again.stderr);
    assert!(again.stderr.contains("an approval counts once"), "{}", again.stderr);

    let restored = world.agent(&["restore", "v1", "--request-approval", "--quiet"]).run().await;
    assert_eq!(restored.status, 0, "{}", restored.stderr);
    assert_eq!(world.json(&["status"]).await["live"]["label"], "v1");
    let operation = person.decided().remove(1);
    assert_eq!(operation.kind, OperationKind::Rollback);
    assert!(restored.stderr.contains(&operation.approval_url), "quiet or not: {}", restored.stderr);
}

/// OPS-4: a file with work is a separate run, which costs at most the approved price; a file without work is not sent.
async fn an_agent_syncs_each_file_within_the_price_that_a_person_has_approved(store: TestStore) {
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"l/{language}/*.json\"\nformat = \"json\"\n"));
    world.write("l/en/old.json", r#"{"old":"Old"}"#);
    world.ok(&["sync"]).await;
    world.write("l/en/a.json", r#"{"a":"A text"}"#);
    world.write("l/en/b.json", r#"{"b":"Another text"}"#);
    let person = Person::who_approves(&world.app.service);
    let synced = world.agent(&["sync", "--request-approval", "--json"]).run().await;
    assert_eq!(synced.status, 0, "{}", synced.stderr);
    let paths: Vec<_> = synced.json()["files"].as_array().unwrap().iter().map(|file| file["path"].clone()).collect();
    assert_eq!(paths, ["l/en/a.json", "l/en/b.json"]);
    let asked: Vec<_> =
        person.decided().into_iter().map(|operation| (operation.max_credits, operation.note.unwrap())).collect();
    let expected = |path: &str| (Some(WholeCredits(1)), format!("sync of {path}: 1 new"));
    assert_eq!(asked, [expected("l/en/a.json"), expected("l/en/b.json")]);

    // Without work, no approval is requested.
    let synced = world.agent(&["sync", "--request-approval"]).run().await;
    assert_eq!((synced.status, person.decided().len()), (0, 2), "{}", synced.stderr);

    let arguments = ["translate", "--key", "c", "--text", "C", "--request-approval", "--max-credits", "2.5", "--json"];
    let translated = world.agent(&arguments).run().await;
    assert_eq!(translated.status, 0, "{}", translated.stderr);
    assert_eq!(translated.json()["job"]["progress"]["done"], 2);
    assert_eq!(person.decided().remove(2).max_credits, Some(WholeCredits(3)));
}

/// OPS-4: the number is requested with the price, and the server enforces it.
async fn an_agent_archives_as_many_keys_as_its_preview_showed_the_person(store: TestStore) {
    let world = World::on(&store).await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"l/{language}/*.json\"\nformat = \"json\"\n"));
    world.write("l/en/a.json", r#"{"a":"A","b":"B","c":"C"}"#);
    world.ok(&["sync"]).await;
    world.write("l/en/a.json", r#"{"a":"A"}"#);
    let request = ["operations", "request", "--kind", "translation", "--max-credits", "1", "--json"];
    let asked = world.agent(&[&request[..], &["--max-archived-keys", "1"]].concat()).run().await.json();
    assert_eq!(asked["maxArchivedKeys"], 1);
    decide_all(&world.app.service, true).await;
    let id = asked["operationId"].as_str().unwrap();
    let refused = world.agent(&["sync", "--on-removed", "archive", "--operation-id", id]).run().await;
    assert_eq!(refused.status, 9, "{}", refused.stderr);
    assert!(refused.stderr.contains("allows archiving at most 1 key, and this run archives 2"), "{}", refused.stderr);

    let person = Person::who_approves(&world.app.service);
    let synced = world.agent(&["sync", "--on-removed", "archive", "--request-approval", "--json"]).run().await;
    assert_eq!(synced.status, 0, "{}", synced.stderr);
    let operation = person.decided().remove(0);
    assert_eq!(operation.max_archived_keys, Some(2));
    assert!(operation.note.unwrap().ends_with("archives 2 keys"));
    assert_eq!(synced.json()["files"][0]["run"]["archived"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn exit_11_when_a_person_refuses() {
    let world = World::new().await;
    world.ok(&["sync"]).await;
    let person = Person::who_denies(&world.app.service);
    let output = world.agent(&["publish", "--request-approval"]).run().await;
    assert_eq!(output.status, 11, "{}", output.stderr);
    let id = person.decided().remove(0).operation_id;
    assert!(output.stderr.contains(&format!("error: ada has denied {id}: not on a Friday")), "{}", output.stderr);
    let output = world.agent(&["publish", "--request-approval", "--json"]).run().await;
    assert_eq!(
        (&output.json()["error"]["code"], &output.json()["error"]["exitCode"]),
        (&json!("not_approved"), &json!(11))
    );
    assert_eq!(world.json(&["versions"]).await["versions"], json!([]));
}

/// The command ends, but the request stays; the command says how to continue.
#[tokio::test(flavor = "multi_thread")]
async fn exit_9_when_nobody_decides_in_time() {
    let world = World::new().await;
    world.ok(&["sync"]).await;
    let output = world.agent(&["publish", "--request-approval", "--approval-timeout", "1s", "--json"]).run().await;
    assert_eq!(output.status, 9, "{}", output.stderr);
    let error = &output.json()["error"];
    let id = error["operationId"].as_str().unwrap();
    let hint = format!(
        "continue to wait with `l10n operations wait {id}`; after the approval, run: l10n publish --operation-id {id}"
    );
    assert_eq!(error["hint"], hint.as_str());

    let early = world.agent(&["publish", "--operation-id", id]).run().await;
    assert_eq!(early.status, 9);
    assert!(early.stderr.contains(&format!("`l10n operations wait {id}`")), "{}", early.stderr);
    decide_all(&world.app.service, true).await;
    assert_eq!(world.agent(&["operations", "wait", id]).run().await.status, 0);
    assert_eq!(world.agent(&["publish", "--operation-id", id]).run().await.status, 0);
}

/// Work that would be refused in any case needs no approval.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_asked_for_what_cannot_be() {
    let world =
        World::with(&TestStore::sqlite().await, |settings| settings.pricing.millicredits_per_character = 1_000_000_000)
            .await;
    let person = Person::who_approves(&world.app.service);
    for arguments in [&["sync", "--request-approval"][..], &["sync", "--request-approval", "--max-credits", "1"]] {
        assert_eq!(world.agent(arguments).run().await.status, 5, "{arguments:?}");
    }
    assert!(person.decided().is_empty());
}

/// The price has changed: the server refuses, and the program says what to do.
#[tokio::test(flavor = "multi_thread")]
async fn an_approval_for_less_does_not_do() {
    let world =
        World::with(&TestStore::sqlite().await, |settings| settings.pricing.millicredits_per_character = 1_000).await;
    let asked =
        world.agent(&["operations", "request", "--kind", "translation", "--max-credits", "5", "--json"]).run().await;
    let id = asked.json()["operationId"].as_str().unwrap().to_owned();
    decide_all(&world.app.service, true).await;
    let output = world.agent(&["sync", "--operation-id", &id]).run().await;
    assert_eq!(output.status, 9, "{}", output.stderr);
    assert!(output.stderr.contains("ask for more"), "{}", output.stderr);
    let publish = world.agent(&["publish", "--operation-id", &id]).run().await;
    assert!(publish.stderr.contains(&format!("see its limits with `l10n operations show {id}`")), "{}", publish.stderr);
    assert_eq!(world.json(&["status"]).await["keyCount"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_for_one_file() {
    let world = World::new().await;
    world.write("l10n.toml", &world.config("[[files]]\nsource = \"l/{language}/*.json\"\nformat = \"json\"\n"));
    world.write("l/en/a.json", r#"{"a":"A"}"#);
    world.write("l/en/b.json", r#"{"b":"B"}"#);
    let output = world.agent(&["sync", "--operation-id", "op_1"]).run().await;
    assert_eq!(output.status, 2);
    assert!(output.stderr.contains("name the file"), "{}", output.stderr);
    for wrong in [
        &["sync", "--dry-run", "--request-approval"][..],
        &["publish", "--request-approval", "--operation-id", "op_1"],
        &["publish", "--note", "for nobody"],
        &["publish", "--request-approval", "--approval-timeout", "soon"],
    ] {
        assert_eq!(world.agent(wrong).run().await.status, 2, "{wrong:?}");
    }
}

/// Any key may ask for an approval, and a key that needs none can use one.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_needs_no_approval_may_ask_for_one() {
    let world = World::new().await;
    world.ok(&["sync"]).await;
    let person = Person::who_approves(&world.app.service);
    world.ok(&["publish", "--request-approval"]).await;
    let id = person.decided().remove(0).operation_id;
    let shown = world.json(&["operations", "show", id.as_str()]).await;
    assert_eq!(shown["status"], OperationStatus::Used.as_str());
}
